"""Relations led elsewhere or removed by hand, and the corrections that hold against extraction.

A relation that extraction says as it stands is made by "rule" or "model". One that a person moved or
added is made by "person": its corrections say what extraction reads in its place, if anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from memcore.editing.draft import Draft
from memcore.editing.edits import NodeKind
from memcore.records import Content, Correction, Cue, Relation, Tag, Triple, Value

FEW = 200  # relations whose contents are looked up one by one rather than all relations of their new end


class Said(NamedTuple):
    """How corrections name the ends of relations: cues and tags by their names, contents by their place.

    `extracted` are the names that stand for a node in what extraction says: one, or all that were merged
    into a node that only a person made.
    """

    read_as: dict[str, list[str]]
    extracted: dict[str, list[str]]
    keys: dict[str, str]
    places: dict[str, tuple[str | int, ...]]

    def of(self, r: Relation) -> list[Value]:
        """What extraction may have read where it says this relation."""
        pairs = product(self.extracted.get(r.cue_id, ()), self.extracted.get(r.tag_id, ()))
        return [(cue, tag, *self.places[r.content_id]) for cue, tag in pairs if r.content_id in self.places]

    def shown(self, triple: Triple) -> Value:
        """The triple as a person sees it."""
        cue, tag, content = triple
        return (self.keys.get(cue), self.keys.get(tag), *self.places.get(content, ()))

    def means(self, extracted: Value, triple: Triple) -> bool:
        """Whether extraction, where it says this, says the triple itself."""
        return isinstance(extracted, tuple) and (
            extracted[0] in self.read_as.get(triple[0], ())
            and extracted[1] in self.read_as.get(triple[1], ())
        )


def said_of(draft: Draft, relations: Sequence[Relation], *more: str) -> Said:
    """The names of all ends of these relations and of `more` cues and tags."""
    ids = dict.fromkeys(i for r in relations for i in r.triple)
    found = draft.get([*ids, *more], Cue, Tag, Content)
    nodes = {i: n for i, n in found.items() if isinstance(n, Cue | Tag)}
    places = {i: draft.overlay.place(c) for i, c in found.items() if isinstance(c, Content)}
    read_as = {i: draft.overlay.read_as(n) for i, n in nodes.items() if i not in draft.inserts}
    extracted = {i: names if draft.overlay.by_hand(i) else names[:1] for i, names in read_as.items()}
    return Said(read_as, extracted, {i: n.key for i, n in nodes.items()}, places)


def redirect(draft: Draft, relations: Sequence[Relation], end: NodeKind, node: str) -> None:
    """Lead relations to another cue or tag by hand. One that another says already is removed."""
    said, there = said_of(draft, relations, node), _there(draft, relations, end, node)
    for r in relations:
        triple = _moved(r, end, node)
        if triple == r.triple:
            continue
        other = there.setdefault(triple, r)
        back = _correct(draft, said, r, triple, other)
        if other is r:
            draft.change(r, **{f"{end}_id": node}, made_by="rule" if back else "person")
        else:
            draft.remove(r)


def merge(draft: Draft, relations: Sequence[Relation], end: NodeKind, node: str) -> None:
    """Lead relations to the node that stands for theirs now.

    No correction is needed: the merged name itself leads there. What says the same as another is removed.
    """
    there = _there(draft, relations, end, node)
    for r in relations:
        triple = _moved(r, end, node)
        other = there.setdefault(triple, r)
        if other is r:
            draft.change(r, **{f"{end}_id": node})
            continue
        for c in draft.overlay.of(r.id):
            draft.change(c, record_id=other.id)
        latest = draft.upserts.get(other.id, other)
        if r.made_by != "person" and isinstance(latest, Relation) and latest.made_by == "person":
            draft.change(other, made_by=r.made_by)
        draft.remove(r)


def remove(draft: Draft, relations: Sequence[Relation]) -> None:
    """Remove relations by hand."""
    said = said_of(draft, relations)
    for r in relations:
        _correct(draft, said, r, None, r)
        draft.remove(r)


def remove_with_end(draft: Draft, relations: Iterable[Relation]) -> None:
    """Remove relations whose cue, tag or content is removed, which is corrected by itself."""
    for r in relations:
        for c in draft.overlay.of(r.id):
            _end(draft, c, None, r)
        draft.remove(r)


def _correct(draft: Draft, said: Said, r: Relation, triple: Triple | None, other: Relation) -> bool:
    """Correct a relation that is now `triple`, shown by `other`; whether extraction says so too."""
    back, value = False, None if triple is None else said.shown(triple)
    for c in draft.overlay.of(r.id, "triple"):
        if triple is not None and other is r and said.means(c.extracted, triple):
            back = True
            draft.remove(c)
        else:
            _end(draft, c, value, other)
    if r.made_by != "person":
        for extracted in said.of(r):
            draft.correction("relation", "triple", other.id, extracted, value, r.turn_id)
    return back


def _end(draft: Draft, c: Correction, value: Value, other: Relation) -> None:
    """A correction with another value; one of what a person had added ends when that is removed."""
    if c.extracted is None and value is None:
        draft.remove(c)
    else:
        draft.change(c, corrected=value, record_id=other.id, disputed=None)


def _there(draft: Draft, relations: Sequence[Relation], end: NodeKind, node: str) -> dict[Triple, Relation]:
    """The relations that lead to this end already, where one of these could meet them."""
    contents = dict.fromkeys(r.content_id for r in relations)
    if len(relations) <= FEW:
        found = draft.relations_of(*contents, end="content_id")
    else:
        found = draft.relations_of(node, end=f"{end}_id")
    return {r.triple: r for r in found if getattr(r, f"{end}_id") == node}


def _moved(r: Relation, end: NodeKind, node: str) -> Triple:
    return (node, r.tag_id, r.content_id) if end == "cue" else (r.cue_id, node, r.content_id)
