# pyright: basic, reportAttributeAccessIssue=false
"""What stands in the way of undoing or redoing a change.

A change can be turned when its rows are as it left them (to undo it) or found them (to redo it), and
when the memory would be whole afterwards: nothing refers to what goes, what comes back finds what it
refers to, and no name and no relation would be there twice. Whatever breaks that was written since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from memcore.errors import InputError, InTheWay
from memcore.store.commit import WriteDoor, there
from memcore.store.journal import ChangeRow, Entry, undone

NOT_THERE: frozenset[int] = frozenset()
_ENDS = ["cue_id", "tag_id", "content_id", "turn_id", "conversation_id"]
_TRIPLE = ["cue_id", "tag_id", "content_id"]
_SINCE = ["id", "kind", "group_id", "name_key", "origin", *_ENDS]


@dataclass(frozen=True, slots=True)
class Turning:
    """One change about to be undone or redone: the rows to write back, the ids to remove, since when a
    later change could stand in the way, and which states the rows may be in (see schema; none: absent)."""

    change: ChangeRow
    back: pa.Table
    remove: list[str]
    since: int
    expected: Mapping[str, frozenset[int]]


@dataclass(slots=True)
class Obstacles:
    """The changes that stand in the way, and whether anything does that undoing them cannot mend."""

    groups: set[str] = field(default_factory=set)
    stuck: bool = False

    def add(self, groups: set[str]) -> None:
        """Something that only these changes explain; nobody's doing cannot be undone."""
        self.groups |= groups
        self.stuck |= not groups


def refuse(door: WriteDoor, journal: list[Entry], turning: Turning) -> None:
    """Raises InTheWay, or InputError when no undo would clear the way."""
    found = in_the_way(door, journal, turning)
    if found.groups:
        count = f"{len(found.groups):,} later change{'s' if len(found.groups) != 1 else ''}"
        rests = "rests" if len(found.groups) == 1 else "rest"
        says = f"{count} {rests} on this one: undo those first, or all of them together."
        raise InTheWay(says, found.groups)
    if found.stuck:
        raise InputError(
            "What this change rests on has itself been undone or redone since: "
            "bring the memory back to where it was first, in the order of the history."
        )


def in_the_way(door: WriteDoor, journal: list[Entry], turning: Turning) -> Obstacles:
    """Everything that keeps a change from being undone or redone now."""
    back = undone(journal)
    live = [e for e in journal if not e.of_history and e.group not in back | {turning.change.group}]
    later = [e for e in live if e.seq > turning.since]
    found = Obstacles()
    found.groups |= {e.group for e in later if e.touched.get(turning.change.group)}
    _other_states(door, live, turning, found)
    _missing_ends(door, later, turning, found)
    if journal and journal[-1].seq > turning.since:
        _written_since(door, later, turning, found)
    return found


def _other_states(door: WriteDoor, live: list[Entry], turning: Turning, found: Obstacles) -> None:
    rows = door.items.read_among(["id", "state"], "id", turning.expected)
    now = dict(zip(rows.column("id").to_pylist(), rows.column("state").to_pylist(), strict=True))
    wrong = {i: now.get(i) for i, states in turning.expected.items() if not _fits(now.get(i), states)}
    for id_, state in wrong.items():
        groups = {e.group for e in live if e.seq == state or (state is None and id_ in e.gone)}
        later = {e.group for e in live if e.seq > turning.since and (id_ in e.over or id_ in e.gone)}
        found.add(groups | later)


def _fits(state: int | None, allowed: frozenset[int]) -> bool:
    return state in allowed if allowed else state is None


def _missing_ends(door: WriteDoor, later: list[Entry], turning: Turning, found: Obstacles) -> None:
    """What comes back must find its cue, tag, content and turns (with them goes the conversation)."""
    back = {*turning.back.column("id").to_pylist()}
    ends = {i for name in _ENDS[:-1] for i in turning.back.column(name).drop_null().to_pylist()}
    ends |= {i for of in turning.back.column("origin").to_pylist() for i in of or ()}
    ends -= back
    missing = ends - {*there(door.items.read_among(["id", "kind"], "id", ends)).column("id").to_pylist()}
    for id_ in (missing | (ends & {*turning.remove})) - {""}:  # a correction of no turn names none
        found.add({e.group for e in later if id_ in e.gone})


def _written_since(door: WriteDoor, later: list[Entry], turning: Turning, found: Obstacles) -> None:
    """Rows that would refer to what goes, or say once more what comes back."""
    rows = there(door.items.read(_SINCE, f"seq > {turning.since} AND kind <> 'change'"))
    own = pa.array([*turning.expected], pa.string())
    rows = rows.filter(pc.invert(pc.is_in(rows.column("id"), own)))
    hit = pc.or_(_refers(rows, turning.remove), _repeats(rows, turning.back))
    hits = rows.filter(hit).select(["id", "group_id"]).to_pylist()
    for row in hits:
        found.add({e.group for e in later if row["id"] in e.over or e.group == row["group_id"]})


def _refers(rows: pa.Table, removed: Iterable[str]) -> pa.ChunkedArray:
    gone = pa.array(removed, pa.string())
    hit = pc.is_in(rows.column(_ENDS[0]), gone)
    for name in _ENDS[1:]:
        hit = pc.or_(hit, pc.is_in(rows.column(name), gone))
    origins = rows.column("origin").combine_chunks()
    through = pc.unique(pc.list_parent_indices(origins).filter(pc.is_in(pc.list_flatten(origins), gone)))
    return pc.or_(hit, pc.is_in(pa.array(range(len(rows)), through.type), through))


def _repeats(rows: pa.Table, back: pa.Table) -> pa.ChunkedArray:
    """Cues and tags of a name, and relations of a triple, that come back."""
    return pc.is_in(_said(rows), _said(back).combine_chunks().drop_null())


def _said(rows: pa.Table) -> pa.ChunkedArray:
    """What must be there once only: kind and name, or the triple; null for all other rows."""
    nothing = pa.scalar(None, pa.string())
    node = pc.is_in(rows.column("kind"), pa.array(["cue", "tag"]))
    name = pc.binary_join_element_wise(rows.column("kind"), rows.column("name_key"), "\n")
    triple = pc.binary_join_element_wise(*(rows.column(c) for c in _TRIPLE), "\n")
    return pc.if_else(node, name, pc.if_else(pc.equal(rows.column("kind"), "relation"), triple, nothing))
