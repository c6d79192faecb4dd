"""The edits that carry one correction over: what a line says by names and places, said of what is here.

Each kind of correction is one method. Where nothing is to be done, `Settled` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, get_args

from memcore.editing import meant, places
from memcore.editing.corrections import as_moment, as_value
from memcore.editing.edits import Delete, Edit, Merge, NodeKind, Relate, Set
from memcore.editing.meant import Meant
from memcore.editing.outcomes import Settled, another, known, missing
from memcore.editing.portable import Ends, Line
from memcore.errors import InputError
from memcore.records import Content, Cue, Moment, Precision, Relation, Tag, Value
from memcore.words import normalise


class Shelf(meant.Shelf, places.Shelf, Protocol):
    """What this needs of a store: what finding names and places does."""


class Replayed:
    """Lines as edits of one memory; `dry` where none of them is carried out."""

    def __init__(self, shelf: Shelf, meant: Meant, dry: bool) -> None:
        self._shelf, self._meant, self._dry = shelf, meant, dry
        self._places = places.Places(shelf)
        self._by_slot: Mapping[str, Callable[[Line], list[Edit]]] = {
            "name": self._rename,
            "merged": self._merge,
            "removed": self._remove,
            "exists": self._exists,
            "triple": self._triple,
            **dict.fromkeys(("cue_kind", "pinned", "text", "event", "layer", "sensitivity"), self._field),
        }

    def edits(self, line: Line) -> list[Edit]:
        """One edit, or two for a relation both of whose ends move. Raises Settled, InputError."""
        return self._by_slot[line.slot](line)

    def _content(self, line: Line) -> Content:
        assert line.place is not None
        text = line.extracted if line.slot == "text" and isinstance(line.extracted, str) else None
        found, why = self._places.find(line.place, self._meant.overlay, text)
        if found is None:
            raise missing(why)
        return found

    # cues and tags

    def _rename(self, line: Line) -> list[Edit]:
        old, new = str(line.extracted), str(line.corrected)
        kind: NodeKind = "cue" if line.target == "cue" else "tag"
        node = self._meant.live(kind, old) or self._meant.led(kind, old)
        if not node:
            raise missing(f"There is no {kind} that extraction called so.")
        shown = self._shelf.get([node]).get(node)
        if isinstance(shown, Cue | Tag) and shown.name == new:
            raise known()
        if self._meant.led(kind, old) is not None:
            raise another(f"Somebody gave this {kind} another name here.")
        return [Set(kind, (node,), "name", new)]

    def _merge(self, line: Line) -> list[Edit]:
        """A rename where the target was made by hand, and nothing here has led to it yet."""
        kind: NodeKind = "cue" if line.target == "cue" else "tag"
        old, new = str(line.extracted), str(line.corrected)
        source, into = self._meant.live(kind, old), self._meant.node(kind, new)
        if not source:
            led = self._meant.led(kind, old)
            if led and led == into:
                raise known()
            if led is not None:
                raise another(f"Somebody renamed, merged or removed this {kind} here.")
            raise missing(f"There is no {kind} that extraction called so.")
        if source == into:
            raise known()
        if into:
            return [Merge(kind, (source,), into)]
        if not self._meant.made_by_hand(kind, new):
            raise missing(f"There is no {kind} here to merge it into.")
        return [Set(kind, (source,), "name", new)]

    def _remove(self, line: Line) -> list[Edit]:
        if line.target == "content":
            return self._remove_content(line)
        source = self._meant.live(line.target, str(line.extracted))
        if source:
            return [Delete(line.target, (source,))]
        led = self._meant.led(line.target, str(line.extracted))
        if led == "":
            raise known()
        if led:
            raise another(f"Somebody renamed or merged this {line.target} here.")
        raise missing(f"There is no {line.target} that extraction called so.")

    def _exists(self, line: Line) -> list[Edit]:
        name = str(line.corrected)
        if self._meant.node(line.target, name):
            raise known()
        if self._dry and self._meant.comes(line.target, name):
            raise Settled("already", "It comes with another line.")
        raise missing(f"No memory here leads to this {line.target}, so it was not made.")

    def _of_cue(self, line: Line) -> list[Edit]:
        id_ = self._meant.node("cue", line.name)
        cue = self._shelf.get([id_]).get(id_) if id_ else None
        if not isinstance(cue, Cue):
            raise missing("There is no cue of this name.")
        value = bool(line.corrected) if line.slot == "pinned" else line.corrected
        if getattr(cue, line.slot) == value:
            raise known()
        return [Set("cue", (cue.id,), line.slot, value)]

    # memories

    def _field(self, line: Line) -> list[Edit]:
        if line.target == "cue":
            return self._of_cue(line)
        if line.slot == "text" and line.extracted is None:
            raise self._written(line)
        content = self._content(line)
        value: Any = line.corrected
        if line.slot == "event":
            value = _moment(line)
        elif line.slot == "pinned":
            value = bool(value)
        if getattr(content, line.slot) == value:
            raise known()
        if self._meant.overlay.of(content.id, line.slot):
            raise another("Somebody corrected this to something else here.")
        if line.slot == "event" and as_value(content.event) != line.extracted:
            raise missing("Extraction read another time here.")
        return [Set("content", (content.id,), line.slot, value)]

    def _written(self, line: Line) -> Settled:
        """A memory written by hand: nothing that is read leads to it, but it may stand here too."""
        assert line.place is not None
        found = self._places.find(line.place, self._meant.overlay, str(line.corrected))
        return known() if found.content else missing("It was written by hand: write it here by hand too.")

    def _remove_content(self, line: Line) -> list[Edit]:
        assert line.place is not None
        if self._meant.overlay.removed(self._places.turn(line.place), line.extracted):
            raise known()
        return [Delete("content", (self._content(line).id,))]

    # relations

    def _triple(self, line: Line) -> list[Edit]:
        """A relation added, removed or moved."""
        before, after = line.extracted, line.corrected
        content = self._content(line)
        there = self._shelf.relations_of(content.id, end="content_id")
        found, wanted = self._matching(there, before), self._matching(there, after)
        if not isinstance(before, Ends):
            assert isinstance(after, Ends)
            return self._added(content, wanted, after)
        if not found:
            corrected = self._corrected_so(content, before)
            raise _not_read(corrected, done=bool(wanted) or (corrected and after is None))
        if not isinstance(after, Ends):
            return [Delete("relation", tuple(r.id for r in found))]
        if {r.id for r in found} == {r.id for r in wanted}:
            raise known()
        moves = self._moves(found, after)
        cue = self._meant.node("cue", after.cues[0])
        fused = {r.tag_id for r in there if r.cue_id == cue}.intersection(r.tag_id for r in found)
        return moves[::-1] if fused else moves

    def _added(self, content: Content, wanted: Sequence[Relation], after: Ends) -> list[Edit]:
        if wanted:
            raise known()
        cue_kind: Any = after.cue_kind
        return [Relate(content.id, after.cues[0], after.tags[0], cue_kind)]

    def _moves(self, found: list[Relation], after: Ends) -> list[Edit]:
        """Both ends, one after the other: in the order in which neither falls together with another."""
        edits: list[Edit] = []
        cue, tag = self._meant.node("cue", after.cues[0]), self._meant.node("tag", after.tags[0])
        ids = tuple(r.id for r in found)
        if not cue or any(r.cue_id != cue for r in found):
            edits.append(Set("relation", ids, "cue", self._shown(cue) or after.cues[0]))
        if not tag or any(r.tag_id != tag for r in found):
            edits.append(Set("relation", ids, "tag", self._shown(tag) or after.tags[0]))
        return edits

    def _shown(self, id_: str) -> str:
        """The name that a node has at this moment; "" for none."""
        node = self._shelf.get([id_]).get(id_) if id_ else None
        return node.name if isinstance(node, Cue | Tag) else ""

    def _matching(self, there: Sequence[Relation], ends: Value | Ends) -> list[Relation]:
        if not isinstance(ends, Ends):
            return []
        cues = {self._meant.node("cue", name) for name in ends.cues}
        tags = {self._meant.node("tag", name) for name in ends.tags}
        return [r for r in there if r.cue_id in cues and r.tag_id in tags]

    def _corrected_so(self, content: Content, before: Ends) -> bool:
        """Whether a relation of these ends was corrected here, to whatever."""
        cues, tags = ({normalise(n) for n in names} for names in (before.cues, before.tags))
        made = self._meant.overlay.of_turn(content.first_turn, "relation")
        triples = [c.extracted for c in made if isinstance(c.extracted, tuple)]
        return any(t[0] in cues and t[1] in tags for t in triples)


def _not_read(corrected: bool, done: bool) -> Settled:
    """Why nothing is done about a relation that extraction did not read here."""
    if done:
        return known()
    if corrected:
        return another("Somebody corrected this relation to something else here.")
    return missing("No such relation was read from this turn.")


def _moment(line: Line) -> Moment:
    try:
        found = as_moment(line.corrected if isinstance(line.corrected, tuple) else None)
    except (ValueError, TypeError) as error:
        raise InputError("The corrected time cannot be read.") from error
    naive = any(m is not None and m.tzinfo is None for m in (found.start, found.end))
    if naive or found.precision not in get_args(Precision) or (found.start is None) != (found.end is None):
        raise InputError("The corrected time is not whole.")
    return found
