"""An execution-state tree as nodes and edges, and how it looks after so many of its events.

The graph is made of the whole run, so that nothing moves when one steps through it: a step is a set of marks
laid over it. What is drawn is what tree_folding leaves open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memcore.execution_tree import Tree
from memcore.records import AgentRun, RunMark, RunStep
from memcore.state_text import one_line
from memcore.view.naming import counted
from memcore.view.network import LABEL_LENGTH, Edge, Mark, Node
from memcore.view.text import shorten
from memcore.view.tree_folding import Entry, Line, holders
from memcore.view.tree_layout import Direction
from memcore.view.tree_outline import START, Outline
from memcore.view.tree_words import action_words, signal_words, summary_words

TITLE = 300
NOTE_ROOM = 36  # characters of a diagnosis in the picture
DOWN_ROOM = 40  # characters of a label to the right of its node, up to the next column


@dataclass(frozen=True, slots=True)
class Source:
    """What a picture is made of: the outline, and the records that its words come from.

    `now` is the tree at the event that is shown, where that is not the last one: what was not checked or
    walked again by then does not look so.
    """

    outline: Outline
    steps: Mapping[int, RunStep]
    marks: Mapping[str, RunMark]
    nested: Mapping[str, AgentRun]
    now: Tree | None = None

    @property
    def then(self) -> Tree:
        return self.now or self.outline.tree


class Marks(NamedTuple):
    """Marks by node and by edge id."""

    nodes: dict[str, list[Mark]]
    edges: dict[str, list[Mark]]


def nodes(source: Source, found: list[Line], direction: Direction = "down") -> list[Node]:
    """A node for each entry. In a tree that grows to the right, labels stand above and below in turns."""
    listed: list[Node] = []
    for line in found:
        for at, entry in enumerate(line):
            lower = bool(entry.inside) or (at % 2 == 1 and not entry.opened)
            side = "right" if direction == "down" else "below" if lower else "above"
            room = _room(entry, direction)
            kind, label, title = _told(source, entry, room)
            rank = 2.0 if entry.kind in ("subgoal", "start") else 1.0
            size = 6.0 if entry.kind == "step" else 9.0
            size = 5.0 if entry.kind == "note" else size
            listed.append(Node(entry.id, kind, label, title, rank, size, side, room=room))
    return listed


def edges(source: Source, found: list[Line]) -> list[Edge]:
    """From each node to the one above it, and from a step that others go on from to those."""
    listed = [
        Edge(entry.above, entry.id, _edge_kind(entry)) for line in found for entry in line if entry.above
    ]
    by_step = holders(found)
    steps = {entry.id for line in found for entry in line if entry.kind == "step"}
    for id_ in dict.fromkeys(entry.block for line in found for entry in line if entry.kind != "note"):
        if from_ := _branches_from(source.outline, id_):
            ends = by_step[from_], by_step[source.outline.blocks[id_].steps[0]]
            if ends[0] in steps and ends[0] != ends[1]:
                listed.append(Edge(*ends, "tree_branch"))
    return listed


def _branches_from(outline: Outline, id_: str) -> int:
    """The raw node in the middle of another block from which this one goes on; 0 for none."""
    block = outline.blocks.get(id_)
    if block is None or not block.parent or not block.steps:
        return 0
    above, parent = outline.tree.raw[block.steps[0]].parent, outline.blocks[block.parent]
    ends = outline.tree.subgoals[parent.subgoal].boundary if parent.kind == "subgoal" else above
    return above if above != ends or (parent.kind == "start" and above) else 0


def marks_at(source: Source, found: list[Line], tree: Tree, hits: Collection[int] = ()) -> Marks:
    """How the tree looked at `tree`: the active path, what was left, what was still to come."""
    state = _State(tree, source.marks)
    by_step = holders(found)
    here, found_in = by_step.get(tree.at, START), {by_step[node] for node in hits if node in by_step}
    listed: dict[str, list[Mark]] = {}
    for line in found:
        for entry in line:
            given = state.marks(entry)
            if entry.id == here and "later" not in given:
                given.append("evidence")
            if entry.id in found_in and "later" not in given:
                given.append("new")
            if given:
                listed[entry.id] = given
    return Marks(listed, _edge_marks(source, found, listed))


class _State:
    """What of a tree is there, and what of it is active."""

    def __init__(self, tree: Tree, marks: Mapping[str, RunMark]) -> None:
        self.raw, self.chain = tree.raw, set(tree.chain())
        self.known = {subgoal.record for subgoal in tree.subgoals.values()}
        self.path = {tree.subgoals[number].record for number in tree.path()}
        self.by_hand = {mark.id for mark in marks.values() if mark.made_by == "person"}

    def marks(self, entry: Entry) -> list[Mark]:
        if entry.kind == "start":
            return ["path"]
        if entry.kind == "note":
            left = self.raw.get(entry.steps[0]) if entry.steps else None
            return [] if left and (left.left_by or left.step not in self.chain) else ["later"]
        there = any(node in self.raw for node in entry.steps)
        if entry.kind == "subgoal":
            return self._of_subgoal(entry, there)
        if not there:
            return ["later"]
        active = any(node in self.chain for node in entry.steps)
        return ["path"] if active and entry.kind != "subrun" else [] if active else ["rolled_back"]

    def _of_subgoal(self, entry: Entry, there: bool) -> list[Mark]:
        if entry.id not in self.known and not there:
            return ["later"]
        edited: list[Mark] = ["edited"] if entry.id in self.by_hand else []
        if entry.id in self.known:
            return ["path", *edited] if entry.id in self.path else ["rolled_back", *edited]
        return ["path", "ghost"] if any(node in self.chain for node in entry.steps) else ["rolled_back"]


def _edge_marks(source: Source, found: list[Line], marks: Mapping[str, list[Mark]]) -> dict[str, list[Mark]]:
    listed: dict[str, list[Mark]] = {}
    for edge in edges(source, found):
        ends = [marks.get(id_, []) for id_ in (edge.source, edge.target)]
        if any("later" in each for each in ends):
            listed[edge.id] = ["later"]
        elif all("path" in each for each in ends) and edge.kind != "tree_covers":
            listed[edge.id] = ["path"]
        elif "rolled_back" in ends[1]:
            listed[edge.id] = ["ghost"]
    return listed


def _edge_kind(entry: Entry) -> str:
    if entry.kind == "note":
        return "tree_covers"
    if entry.kind == "subrun":
        return "tree_subrun"
    return "tree_covers" if entry.inside else "tree_next"


def _told(source: Source, entry: Entry, room: int) -> tuple[str, str, str]:
    """Kind, label and tooltip of an entry."""
    more = f" +{entry.hidden:,}" if entry.hidden and entry.kind != "stretch" else ""
    kind, label, title = _TOLD[entry.kind](source, entry)
    if more:
        title += f"\n{counted(entry.hidden, 'block')} folded away below"
    return kind, f"{shorten(label, room - len(more))}{more}", title


def _room(entry: Entry, direction: Direction) -> int:
    if direction == "down":
        return DOWN_ROOM
    return NOTE_ROOM if entry.kind == "note" else LABEL_LENGTH


def _start(source: Source, entry: Entry) -> tuple[str, str, str]:
    return "tree_start", "Start", "Step 0, where the run begins"


def _subgoal(source: Source, entry: Entry) -> tuple[str, str, str]:
    number = source.outline.blocks[entry.id].subgoal
    subgoal = source.outline.tree.subgoals[number]
    then = source.then.subgoals.get(number)
    said = summary_words(source.marks.get(subgoal.record), subgoal.boundary)
    note = one_line(source.marks[then.note].note, TITLE) if then and then.note in source.marks else ""
    title = f"{said}\n{counted(len(subgoal.covers), 'step')}, up to step {subgoal.boundary}"
    failed = [node for node in subgoal.covers if node in source.steps and source.steps[node].signals]
    title += f"; {counted(len(failed), 'of them shows', 'of them show')} a sign of failure" if failed else ""
    kind = "tree_failed" if then and then.passed is False else "tree_flawed" if failed else "tree_subgoal"
    return kind, said, f"{title}\nFailed: {note}" if note else title


def _step(source: Source, entry: Entry) -> tuple[str, str, str]:
    node = entry.steps[0]
    step, raw = source.steps.get(node), source.then.raw.get(node)
    visits = raw.visits if raw else []
    action = action_words(step) if step else ""
    title = [f"Step {node}: {one_line(step.action, TITLE) if step else ''}"]
    title += ["; ".join(signal_words(step.signals))] if step and step.signals else []
    title += [f"Walked again by step {', '.join(map(str, visits))}"] if visits else []
    kind = "tree_known" if visits else "tree_mistake" if step and step.signals else "tree_step"
    return kind, f"{node} {action}", "\n".join(title)


def _steps(source: Source, entry: Entry) -> tuple[str, str, str]:
    said = f"Steps {entry.steps[0]}–{source.outline.blocks[entry.id].steps[-1]}"
    return "tree_steps", said, f"{said}: no subgoal stands for them"


def _stretch(source: Source, entry: Entry) -> tuple[str, str, str]:
    members = source.outline.stretches[entry.id]
    ends = [node for id_ in members for node in source.outline.blocks[id_].steps]
    said = f"{len(members)} parts, steps {ends[0]}–{ends[-1]}" if ends else f"{len(members)} parts"
    beside = entry.hidden - len(members)
    left = f", and {counted(beside, 'part')} beside them" if beside else ""
    return "tree_stretch", said, f"{said}{left}. Open it to see its subgoals."


def _note(source: Source, entry: Entry) -> tuple[str, str, str]:
    said = one_line(source.marks[entry.block].note, TITLE)
    return "tree_note", said, f"Why it was abandoned: {said}"


def _subrun(source: Source, entry: Entry) -> tuple[str, str, str]:
    run = source.nested[entry.id[1:]]
    return "tree_subrun", shorten(run.title, TITLE), f"A subagent's run: {shorten(run.title, TITLE)}"


_TOLD = {
    "start": _start,
    "subgoal": _subgoal,
    "step": _step,
    "steps": _steps,
    "stretch": _stretch,
    "subrun": _subrun,
    "note": _note,
}
