"""What was corrected by hand as before and after: in names a person reads, with who, when and why.

Every text in it is memory text: it is neutralised where it is drawn, not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from memcore.editing.corrections import Overlay
from memcore.editing.read_names import OF_NAMES, read_names
from memcore.graph import Graph
from memcore.records import Correction, Record, Relation, Value
from memcore.view.editing import kind_of, name_of, told
from memcore.view.times import instant

NO_MORE = "nothing any more"
LONGEST_DIFF = 4000  # characters beyond which words are not compared one by one
_SLOTS = {
    "name": "Name", "cue_kind": "Kind", "pinned": "Pinned", "text": "Text", "event": "Happened",
    "layer": "Layer", "sensitivity": "Sensitivity", "triple": "Relation", "merged": "Merged in",
    "exists": "Added by hand", "removed": "Removed",
}  # fmt: skip

Word = tuple[Literal["same", "gone", "new"], str]


class Difference(NamedTuple):
    """One correction: what of which node it is about, before and after, by whom, when and why.

    `disputed` is what extraction says now; None where it does not disagree. `both` whether both can stand,
    `gone` whether nothing is read any more. `node` is the record that shows it.
    """

    id: str
    revision: int
    what: str
    before: str
    after: str
    by: str
    when: str
    why: str
    disputed: str | None
    both: bool
    gone: bool
    node: str


class Named:
    """The names that corrections stand for: they keep keys of cues and tags, which may be gone by now.

    `relations` are those that show corrections; what one came to is read from it as it is.
    """

    def __init__(self, overlay: Overlay, graph: Graph, relations: Iterable[Record] = ()) -> None:
        c = graph.columns
        self._graph, self._read = graph, read_names(overlay)
        self._live = {
            "cue": dict(zip(c.cue_keys, c.cue_names, strict=True)),
            "tag": dict(zip(c.tag_keys, c.tag_names, strict=True)),
        }
        self._relations = {r.id: r for r in relations if isinstance(r, Relation)}

    def readable(self, c: Correction) -> Correction:
        """The same correction with names in place of keys, and what it came to as that is called now."""
        if c.slot in OF_NAMES and c.corrected is not None and kind_of(self._graph, c.record_id) == c.target:
            return replace(c, corrected=name_of(self._graph, c.record_id))
        if c.slot != "triple":
            return c
        return replace(
            c, extracted=self._ends(c.extracted), corrected=self._now(c), disputed=self._ends(c.disputed)
        )

    def _now(self, c: Correction) -> Value:
        relation = self._relations.get(c.record_id)
        if c.corrected is None or relation is None:
            return self._ends(c.corrected)
        return name_of(self._graph, relation.cue_id), name_of(self._graph, relation.tag_id)

    def _ends(self, triple: Value) -> Value:
        """What was read goes before a node that was given this name since."""
        if not isinstance(triple, tuple):
            return triple
        pairs = zip(("cue", "tag"), map(str, triple), strict=False)
        return tuple(
            (self._read.get((kind, key)) or [self._live[kind].get(key, key)])[0] for kind, key in pairs
        )


def differences(
    corrections: Iterable[Correction], named: Named, zone: str = "", limit: int = 20
) -> list[Difference]:
    """The latest corrections as before and after, the latest first."""
    ordered = sorted(corrections, key=lambda c: c.recorded, reverse=True)[:limit]
    return [_difference(named.readable(c), zone) for c in ordered]


def about(overlay: Overlay, ids: Iterable[str]) -> list[Correction]:
    """The corrections of a node and of its relations; `ids` are theirs."""
    return [c for id_ in dict.fromkeys(ids) for c in overlay.of(id_)]


def disputed(overlay: Overlay) -> list[Correction]:
    """The corrections with which the latest extraction disagrees."""
    return [c for c in overlay.all if c.disputed is not None]


def edited_nodes(overlay: Overlay, shown: Iterable[str], relations: Iterable[Relation]) -> set[str]:
    """The nodes that carry the edited badge: what was corrected, and memories with corrected relations."""
    known = set(shown)
    corrected = {c.record_id for c in overlay.all}
    led = {r.content_id for r in relations if r.id in corrected}
    return (corrected | led) & known


def _difference(c: Correction, zone: str) -> Difference:
    return Difference(
        c.id,
        c.revision,
        _SLOTS.get(c.slot, c.slot),
        told(c.slot, c.extracted) if c.extracted is not None else "",
        told(c.slot, c.corrected) if c.corrected is not None else "",
        c.author,
        instant(c.recorded, zone),
        c.reason,
        None if c.disputed is None else told(c.slot, c.disputed) if c.disputed else NO_MORE,
        c.slot == "text" and bool(c.disputed),
        c.disputed is not None and not c.disputed,
        c.record_id,
    )


def changed_words(before: str, after: str) -> list[Word]:
    """The words that went, came and stayed, in reading order; both whole where they are long."""
    if len(before) + len(after) > LONGEST_DIFF:
        return [("gone", before), ("new", after)]
    old, new = before.split(), after.split()
    found: list[Word] = []
    for op, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            found.append(("same", " ".join(old[a:b])))
            continue
        if b > a:
            found.append(("gone", " ".join(old[a:b])))
        if d > c:
            found.append(("new", " ".join(new[c:d])))
    return found
