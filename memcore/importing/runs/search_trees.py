"""Search trees of Tree of Thoughts: logs of a depth-first search, and of a breadth-first one.

Depth first: per puzzle a list of visited states {"total_step", "env_step", "actions", "info", "count"};
the parent of a state is the state of all its actions but the last. Breadth first: {"idx", "steps": [{"ys",
"new_ys", "values", "select_new_ys"}]}; the parent of a new thought is the longest of "ys" that it begins
with. There the search holds many branches at once, so its states are told branch by branch, what was not
selected before what was; the number in the file is the step's source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memcore.importing.runs.draft import DraftRun, DraftStep, amount, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import compact, fingerprint, is_list, is_record, items, name, record, string

NAME = "tree-of-thought search"
SAYS = 'a search tree (lists of states with "env_step" and "actions", or "steps" with "ys" and "new_ys")'
_TOOL = "thought"


def recognises(file: RunFile) -> bool:
    """Some record is a list of visited states, a state, or a search with its steps."""
    seen = file.document.records[:20]
    return any(_is_state(entry) or _is_visit(entry) or _is_search(entry) for entry in seen)


def _is_state(entry: object) -> bool:
    return is_record(entry) and is_list(entry.get("actions")) and "env_step" in entry


def _is_visit(entry: object) -> bool:
    return is_list(entry) and any(map(_is_state, entry[:5]))


def _is_search(entry: object) -> bool:
    steps = items(record(entry).get("steps"))
    return bool(steps) and all(is_record(step) and "new_ys" in step for step in steps)


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """One run per puzzle."""
    records = file.document.records
    if any(map(_is_state, records)):
        records = [records]
    for position, entry in enumerate(records):
        where = f"{file.document.where(position)}"
        if _is_visit(entry):
            yield _depth_first(entry, position, where, report)
        elif _is_search(entry):
            yield _breadth_first(record(entry), position)
        else:
            report.skip(where, "a record is neither a list of visited states nor a search")


def _depth_first(states: list[Any], position: int, where: str, report: RunReport) -> DraftRun:
    places: dict[tuple[str, ...], int] = {(): 0}
    steps: list[DraftStep] = []
    scores: list[float] = []
    for number, state in enumerate(states):
        if not _is_state(state):
            report.skip(f"{where}, state {number + 1}", "a state has no actions")
            continue
        path = tuple(compact(action) for action in state["actions"])
        known = next((path[:n] for n in range(len(path) - 1, -1, -1) if path[:n] in places), ())
        if len(known) < len(path) - 1:
            report.warn("the state before this one is not in the file; it hangs below the nearest that is")
        shown = {key: state[key] for key in state if key not in ("actions", "total_step", "env_step")}
        steps.append(
            DraftStep(
                action=path[-1] if path else "",
                observation=compact(shown),
                tool=_TOOL,
                parent=places[known],
                source=name(state.get("total_step")) or str(number),
            )
        )
        places[path] = len(steps)
        score = amount(record(state.get("info")).get("r_game"))
        scores += [] if score is None else [score]
    return _run(f"puzzle {position}", f"puzzle {position}", steps, max(scores, default=None))


def _run(source: str, title: str, steps: list[DraftStep], reward: float | None, task: str = "") -> DraftRun:
    return DraftRun(
        source=source,
        title=title,
        task=task,
        steps=tuple(steps),
        agent="tree of thought",
        task_id=source,
        reward=reward,
        key=fingerprint(source, task, *(f"{step.parent} {step.action}" for step in steps)),
    )


@dataclass
class _Thought:
    """One candidate of a breadth-first search."""

    number: int
    text: str
    before: str
    value: object
    selected: bool
    below: list[_Thought] = field(default_factory=list["_Thought"])

    @property
    def added(self) -> str:
        """What it adds to the thought it continues."""
        return self.text[len(self.before) :]


def _breadth_first(entry: dict[str, Any], position: int) -> DraftRun:
    top = _Thought(0, "", "", None, True)
    last: dict[str, _Thought] = {"": top}
    number = 0
    task = ""
    for step in map(record, entry["steps"]):
        task = task or string(step.get("x"))
        found: dict[str, _Thought] = {}
        kept = set(map(string, items(step.get("select_new_ys"))))
        values = items(step.get("values"))
        for place, text in enumerate(map(string, items(step.get("new_ys")))):
            before = max((y for y in last if text.startswith(y)), key=len, default="")
            above = last.get(before, top)
            value = values[place] if place < len(values) else None
            thought = _Thought(number, text, before, value, text in kept)
            number += 1
            above.below.append(thought)
            if text not in found or thought.selected:
                found[text] = thought
        last = found or last
    steps: list[DraftStep] = []
    _tell(top, 0, steps)
    source = f"puzzle {name(entry.get('idx')) or position}"
    title = f"{source}: {headline(task)}" if task else source
    return _run(source, title, steps, _reward(entry), task)


def _tell(top: _Thought, place: int, steps: list[DraftStep]) -> None:
    """Depth first without recursion: a log may be deeper than Python's stack."""
    waiting = [(thought, place) for thought in reversed(_in_order(top))]
    while waiting:
        thought, parent = waiting.pop()
        steps.append(
            DraftStep(
                action=thought.added,
                observation=compact({"value": thought.value, "selected": thought.selected}),
                tool=_TOOL,
                parent=parent,
                source=str(thought.number),
            )
        )
        waiting += [(below, len(steps)) for below in reversed(_in_order(thought))]


def _in_order(thought: _Thought) -> list[_Thought]:
    """What was dropped first, then what was kept; the one that leads furthest last."""
    return sorted(thought.below, key=lambda below: (below.selected, bool(below.below)))


def _reward(entry: dict[str, Any]) -> float | None:
    scores = (amount(record(info).get("r")) for info in items(entry.get("infos")))
    return max((score for score in scores if score is not None), default=None)
