"""A live agent's memory: its execution-state tree, kept by MAGE's four operations as it works.

    memory = AgentMemory(task, log, RuleVerifier(), ExtractiveSummariser())
    for event in react(memory, decide, act): ...

`decide` reads the state and says what to do next, `act` does it. Whatever happens is stored in the log
first, as records from which `replay` gives the same tree. What Revise takes back is what the agent sees:
the effects of its actions outside are not undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, NoReturn, Protocol

from memcore.active_state import active_state
from memcore.errors import InputError, ModelError, Rejected
from memcore.events import Maintained, RefusedWhy, RunStarted, TreeEvent, TreeOperation
from memcore.execution_tree import Tree, fold
from memcore.importing.storable import mend
from memcore.records import MadeBy, RunMark, RunStep, new_id
from memcore.settings import DEFAULT, Settings
from memcore.state_text import StateText, Texts, full_history, shown_step, state_text
from memcore.state_tree import (
    REASONS,
    Limits,
    Segment,
    Summariser,
    Verifier,
    compress,
    grow,
    maintain,
    refused,
    replay,
    revise,
)
from memcore.tokens import count

Observation = str | bytes | None


class Log(Protocol):
    """Where the records of a run go, in order; a list will do."""

    def append(self, record: RunStep | RunMark, /) -> object:
        """Store it. What this raises leaves the tree as it was."""
        ...


class Move(NamedTuple):
    """What an agent decides: act, declare a subgoal done (text: its summary), go back to a step, finish."""

    kind: Literal["act", "done", "back", "finish"]
    text: str = ""
    step: int = 0


@dataclass
class AgentMemory:
    """The tree of one run over one task. `events` is all that happened, refusals included.

    Compress, Maintain and Revise are switched in the settings. Without Compress the state holds every
    step of the active path, and a declared subgoal is checked and can be gone back to all the same.
    """

    task: str
    log: Log
    verifier: Verifier
    summariser: Summariser
    settings: Settings = DEFAULT
    run_id: str = field(default_factory=new_id)
    tree: Tree = field(default_factory=Tree, init=False)
    events: list[TreeEvent] = field(default_factory=list[TreeEvent], init=False)
    steps: dict[int, RunStep] = field(default_factory=dict[int, RunStep], init=False)
    marks: dict[str, RunMark] = field(default_factory=dict[str, RunMark], init=False)
    _rank: int = field(default=0, init=False)
    _history: int = field(default=0, init=False)
    _told: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.resume(())

    def resume(self, records: Iterable[RunStep | RunMark]) -> None:
        """Be where the run stands whose records these are. Raises InputError once something happened."""
        if self.steps or self.marks:
            raise InputError("A run is resumed before its first step, not in the middle of another.")
        known = list(records)
        self.run_id = known[0].run_id if known else self.run_id
        self.steps = {r.position: r for r in known if r.kind == "step"}
        self.marks = {r.id: r for r in known if r.kind == "mark"}
        happened = replay(self.steps.values(), self.marks.values())
        self.events = list(happened) if known else [RunStarted(self.run_id)]
        self.tree = fold(self.events)
        self._rank = 1 + max((m.rank for m in self.marks.values()), default=0)
        self._history = full_history(self.steps.values(), self.settings)

    def grow(
        self, action: str, observation: Observation, thought: str = "", signals: Sequence[str] = ()
    ) -> tuple[TreeEvent, ...]:
        """One executed step. What is too long without it is summarised and checked before.

        `signals` are reason codes of a step that may have failed. Gives the events of all that happened.
        """
        first = len(self.events)
        failed = self._summarised() if self._too_long() else None
        step = RunStep(
            new_id(),
            self.run_id,
            self.tree.step + 1,
            as_text(action),
            as_text(observation),
            as_text(thought),
            signals=tuple(signals),
        )
        tokens = count(step.action) + count(step.observation)
        self._happens(step, grow(self.tree, step, tokens, self.steps))
        self._go_back(failed)
        return tuple(self.events[first:])

    def subgoal_done(self, summary: str) -> tuple[TreeEvent, ...]:
        """Compress, then Maintain, and Revise if it failed. Raises Rejected when nothing was done."""
        first = len(self.events)
        self._go_back(self._subgoal(as_text(summary), "agent", "raw"))
        return tuple(self.events[first:])

    def revise(self, step: int, why: str = "") -> tuple[TreeEvent, ...]:
        """Go back to a boundary that the state shows. Raises Rejected for any other, or beyond the limits."""
        first = len(self.events)
        if not self.settings.tree_revise:
            self._refuse("revise", "switched_off", step)
        mark = replace(self._mark("revise", "agent", "raw"), target=step, note=as_text(why))
        self._happens(mark, revise(self.tree, mark, self._limits))
        return tuple(self.events[first:])

    def state(self) -> StateText:
        """What the agent sees now, ready for a prompt, with its tokens part by part."""
        state = active_state(self.tree, self.settings)
        return state_text(state, Texts(self.steps, self.marks, self.settings), self._history, self._told)

    @property
    def _limits(self) -> Limits:
        return Limits(self.settings.tree_revisions_per_boundary, self.settings.tree_revisions)

    def _too_long(self) -> bool:
        segment = self.tree.segment()
        tokens = sum(self.tree.raw[node].tokens for node in segment)
        long = len(segment) >= self.settings.tree_segment_steps or tokens > self.settings.tree_segment_tokens
        return self.settings.tree_compress and long

    def _summarised(self) -> Maintained | None:
        """Compress unasked. A summariser that fails leaves the steps as they are."""
        try:
            summary = self.summariser.summarise(self.task, self._segment())
        except ModelError:
            self.events.append(refused(self.tree, "compress", "model_failed"))
            return None
        return self._subgoal(summary, "too_long", self.summariser.made_by)

    def _subgoal(self, summary: str, rule: str, made_by: MadeBy) -> Maintained | None:
        """Compress and Maintain: gives the check that failed, if it did."""
        segment = replace(self._segment(), summary=summary)
        mark = replace(
            self._mark("compress", rule, made_by),
            summary=summary,
            evidence=tuple(step.position for step in segment.steps),
        )
        self._happens(mark, compress(self.tree, mark, count(summary)))
        return self._checked(segment) if self.settings.tree_maintain else None

    def _checked(self, segment: Segment) -> Maintained | None:
        """Maintain. A verifier that fails leaves the subgoal unchecked."""
        try:
            verdict = self.verifier.verify(self.task, segment)
        except ModelError:
            self.events.append(refused(self.tree, "maintain", "model_failed"))
            return None
        mark = replace(
            self._mark("maintain", "verifier", self.verifier.made_by),
            passed=verdict.passed,
            note=verdict.note,
            target=verdict.target,
            evidence=verdict.evidence,
        )
        event = self._happens(mark, maintain(self.tree, mark, count(verdict.note)))
        return event if event.kind == "maintained" and not event.passed else None

    def _go_back(self, failed: Maintained | None) -> None:
        """Revise after a failed check, or record that the limit of it was reached."""
        if failed is None or not self.settings.tree_revise:
            return
        mark = replace(self._mark("revise", "maintain", self.verifier.made_by), target=failed.target)
        event = revise(self.tree, mark, self._limits)
        if event.kind == "refused":
            mark = replace(mark, passed=False)
            event = revise(self.tree, mark)
        self._happens(mark, event)

    def _segment(self) -> Segment:
        """The steps since the last boundary, and the summaries before it."""
        path = [self.tree.subgoals[number] for number in self.tree.path()[1:]]
        return Segment(
            tuple(self.steps[node] for node in self.tree.segment()),
            before=tuple((done.boundary, self.marks[done.record].summary) for done in path),
        )

    def _mark(self, action: Literal["compress", "maintain", "revise"], rule: str, made_by: MadeBy) -> RunMark:
        self._rank += 1
        return RunMark(new_id(), self.run_id, self.tree.step, action, self._rank, rule=rule, made_by=made_by)

    def _happens(self, record: RunStep | RunMark, event: TreeEvent) -> TreeEvent:
        """Store the record, then let the event happen. Raises Rejected for one that is not possible."""
        if event.kind == "refused":
            self._refuse(event.operation, event.why, event.asked)
        self.log.append(record)
        self.events.append(self.tree.apply(event))
        self._told = ""
        if record.kind == "step":
            self.steps[record.position] = record
            self._history += count(shown_step(record, self.settings))
        else:
            self.marks[record.id] = record
        return event

    def _refuse(self, operation: TreeOperation, why: RefusedWhy, asked: int | None) -> NoReturn:
        self.events.append(refused(self.tree, operation, why, asked))
        self._told = REASONS[why].format(step=asked)
        raise Rejected(self._told, operation, why)


def react(
    memory: AgentMemory, decide: Callable[[str], Move], act: Callable[[str], Observation], most: int = 100
) -> Iterator[TreeEvent]:
    """Any ReAct loop with the tree as its memory: decide from the state, act, remember; at most so often.

    What was refused is told in the next state, so that the agent can decide otherwise.
    """
    for _ in range(most):
        move = decide(memory.state().text)
        try:
            if move.kind == "finish":
                return
            elif move.kind == "done":
                yield from memory.subgoal_done(move.text)
            elif move.kind == "back":
                yield from memory.revise(move.step, move.text)
            else:
                yield from memory.grow(move.text, act(move.text))
        except Rejected:
            yield memory.events[-1]


def as_text(given: Observation) -> str:
    """As it can be stored: nothing is an empty text, bytes are read as UTF-8 as far as they are."""
    if given is None:
        return ""
    return mend(given.decode("utf-8", "replace") if isinstance(given, bytes) else given).text
