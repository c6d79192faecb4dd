"""What a person can change of a run's marks at a node, as edits: pure, nothing is carried out here.

a boundary is added, moved (deleted and added as one change) or removed with its check
a branch is marked as rolled back: a failed check with the diagnosis, and the step back
a step back is taken away again
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from memcore.editing import Add, Delete, Edit, Set
from memcore.execution_tree import Tree
from memcore.records import RunMark, new_id
from memcore.state_tree import BY_THE_AGENT
from memcore.view.tree_graph import Source
from memcore.view.tree_outline import START


class Point(NamedTuple):
    """A boundary: the step where it is, and what ends there; the start has none."""

    step: int
    record: str


class Offer(NamedTuple):
    """What can be edited at a node of the finished tree.

    `subgoal` is the mark of the node or of the subgoal that the step is in, `check` the mark of its check,
    `back` the mark by which the node was left. `end_here` is a step that is no boundary yet, None for none.
    `leave` is the step after which a step back can be marked.
    """

    subgoal: RunMark | None = None
    check: RunMark | None = None
    back: RunMark | None = None
    end_here: int | None = None
    leave: int | None = None


def offer(source: Source, node: str) -> Offer:
    """Of a node in the picture."""
    tree, outline = source.outline.tree, source.outline
    if node in outline.blocks and node != START:
        block = outline.blocks[node]
        if block.kind != "subgoal":
            return Offer()
        subgoal = tree.subgoals[block.subgoal]
        back = source.marks.get(tree.raw[subgoal.boundary].left_by)
        active = subgoal.number in tree.path()
        return Offer(
            source.marks.get(subgoal.record),
            _check_of(source, subgoal.record),
            back,
            leave=subgoal.boundary if active else None,
        )
    if node[:1] != "s" or not node[1:].isdecimal() or int(node[1:]) not in source.steps:
        return Offer()
    step = int(node[1:])
    if step not in tree.raw:
        return Offer()
    raw = tree.raw[step]
    inside = outline.blocks[outline.block_of[step]]
    subgoal = source.marks.get(inside.id) if inside.kind == "subgoal" else None
    loose = inside.kind == "steps" and step in tree.chain() and not raw.ends
    return Offer(
        subgoal,
        _check_of(source, subgoal.id) if subgoal else None,
        source.marks.get(raw.left_by),
        None if raw.ends else step,
        step if loose else None,
    )


def targets(tree: Tree, step: int) -> list[int]:
    """The boundaries before a step on the active path, the nearest first: where one can go back to."""
    return sorted((at for at in tree.boundaries() if at < step), reverse=True)


def reword(mark: RunMark, field: str, text: str) -> list[Edit]:
    """Another summary or note."""
    return [Set("mark", (mark.id,), field, text)] if getattr(mark, field) != text.strip() else []


def add_boundary(source: Source, run_id: str, step: int, summary: str) -> list[Edit]:
    """A subgoal ends after this step."""
    mark = RunMark(new_id(), run_id, step, "compress", _rank(source, step), summary=summary)
    return [Add(mark)]


def move_boundary(source: Source, mark: RunMark, step: int) -> list[Edit]:
    """The same subgoal ends after another step; its check goes with it, and steps back to it stay."""
    moved = [mark, *_checks(source, mark)]
    rank = _rank(source, step)
    fresh = [
        Add(replace(each, id=new_id(), after=step, rank=rank + at, dropped=False))
        for at, each in enumerate(moved)
    ]
    return [_deleted(moved), *fresh, *_still_gone_back(source, mark)]


def remove_boundary(source: Source, mark: RunMark) -> list[Edit]:
    """No subgoal ends here; its check goes too. Steps back to it stay: they happened."""
    return [_deleted([mark, *_checks(source, mark)]), *_still_gone_back(source, mark)]


def roll_back(source: Source, offered: Offer, target: int, note: str) -> list[Edit]:
    """What was done since `target` is marked as rolled back, with why."""
    step = offered.leave
    if step is None:
        return []
    rank = max((m.rank for m in _at(source, step)), default=0) + 1
    run_id = next(iter(source.steps.values())).run_id
    edits: list[Edit] = []
    if offered.subgoal is not None and offered.end_here is None:
        failed = RunMark(new_id(), run_id, step, "maintain", rank, note=note, passed=False, target=target)
        edits.append(Add(failed))
    back = RunMark(new_id(), run_id, step, "revise", rank + 1, note=note, target=target)
    return [*edits, Add(back)]


def take_back(mark: RunMark) -> list[Edit]:
    """The agent did not go back here."""
    return [_deleted([mark])]


def seen_of(source: Source, edits: Iterable[Edit]) -> dict[str, int]:
    """The revisions of the marks that these edits change, on which the person decides."""
    ids = [id_ for edit in edits if edit.action == "set" or edit.action == "delete" for id_ in edit.ids]
    return {id_: source.marks[id_].revision for id_ in ids if id_ in source.marks}


def _still_gone_back(source: Source, mark: RunMark) -> list[Edit]:
    """The agent goes back to boundaries alone; to what is none any more, it went back by a person's word."""
    stands = source.outline.tree.node_of
    back = [
        each
        for each in source.marks.values()
        if each.action == "revise"
        and each.rule in BY_THE_AGENT
        and each.target is not None
        and stands.get(each.target) == stands.get(mark.after)
    ]
    return [_deleted(back), *(Add(replace(each, id=new_id())) for each in back)] if back else []


def _deleted(marks: Iterable[RunMark]) -> Delete:
    return Delete("mark", tuple(mark.id for mark in marks))


def _at(source: Source, step: int) -> list[RunMark]:
    return [mark for mark in source.marks.values() if mark.after == step]


def _rank(source: Source, step: int) -> int:
    """Before any other mark after this step: what was done is summed up before it is left."""
    return min((mark.rank for mark in _at(source, step)), default=1) - 2


def _checks(source: Source, mark: RunMark) -> list[RunMark]:
    """The checks of a subgoal: those after it and before the next one or a step back."""
    found: list[RunMark] = []
    for each in sorted(_at(source, mark.after), key=lambda m: (m.rank, m.id)):
        if (each.rank, each.id) > (mark.rank, mark.id):
            if each.action != "maintain":
                break
            found.append(each)
    return found


def _check_of(source: Source, record: str) -> RunMark | None:
    mark = source.marks.get(record)
    checks = _checks(source, mark) if mark else []
    return checks[-1] if checks else None
