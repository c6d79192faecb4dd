"""A run as the page State tree works with it: records, events and outline, read once per change of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

import streamlit as st

from memcore.events import TreeEvent
from memcore.records import AgentRun, RunMark, RunStep
from memcore.state_text import shown_step
from memcore.tokens import count
from memcore.view.tree_folding import Folding
from memcore.view.tree_graph import Source
from memcore.view.tree_outline import Outline, outline

if TYPE_CHECKING:
    from memcore.agent_runs import WholeRun
    from memcore.memory import Memory
    from memcore.settings import Settings

_LOADED = "tree:loaded"
KEPT = 3  # runs that a session keeps: the open one, the one beside it, the one before


@dataclass
class Loaded:
    """A run with everything that is derived from it. `token` says which state of the store it is."""

    token: object
    run: AgentRun
    steps: dict[int, RunStep]
    marks: dict[str, RunMark]
    events: list[TreeEvent]
    outline: Outline
    settings: Settings
    nested: dict[str, AgentRun] = field(default_factory=dict[str, AgentRun])
    _history: list[int] = field(default_factory=list[int])

    @property
    def source(self) -> Source:
        return Source(self.outline, self.steps, self.marks, self.nested)

    def folding(self, toggled: frozenset[str]) -> Folding:
        """What is drawn, with a person's exceptions."""
        nested = tuple((run.id, run.parent_step or 0) for run in self.nested.values())
        notes = {mark.id for mark in self.marks.values() if mark.note.strip()}
        return Folding(self.outline, toggled, nested, notes)

    def full_history(self, step: int) -> int:
        """Tokens of all steps up to this one, shown one after the other; counted once."""
        if not self._history:
            sizes = (count(shown_step(step, self.settings)) for _, step in sorted(self.steps.items()))
            self._history = [0, *accumulate(sizes)]
        return self._history[min(step, len(self._history) - 1)]


def load(memory: Memory, run_id: str) -> Loaded:
    """A stored run; read again when something was written. Raises NotFound."""
    token = (memory.key, run_id, memory.snapshot().graph.seq)
    kept: dict[str, Loaded] = st.session_state.setdefault(_LOADED, {})
    found = kept.pop(run_id, None)
    if found is None or found.token != token:
        whole = memory.runs.get(run_id)
        found = loaded(token, whole, whole.events(), memory.settings)
        found.nested = {run.id: run for run in memory.runs.all() if run.parent_run == run_id}
    kept[run_id] = found  # the latest at the end
    while len(kept) > KEPT:
        del kept[next(iter(kept))]
    return found


def loaded(token: object, whole: WholeRun, events: list[TreeEvent], settings: Settings) -> Loaded:
    """The same for records from elsewhere: those of a run under way."""
    by_position = {step.position: step for step in whole.steps}
    by_id = {mark.id: mark for mark in whole.marks if not mark.dropped}
    return Loaded(token, whole.run, by_position, by_id, events, outline(events), settings)
