"""Corrections of one store carried out in another: each by an ordinary edit, all undone as one.

    lines  ->  fields of memories, names  ->  relations  ->  merges and kinds  ->  removals  ->  a report

In this order every line still finds what it is about under the name that extraction gave it, whatever the
order in which a person worked. A line that does not fit says why, and never stops the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, get_args

from memcore.editing import Delete, Edit, Editor, Merge, Relate, Set, Who, draft, places
from memcore.editing.corrections import as_moment, as_value
from memcore.editing.edits import NodeKind
from memcore.editing.meant import Meant
from memcore.editing.outcomes import Outcome, Settled, another, known, missing
from memcore.editing.portable import Ends, Line, parsed
from memcore.errors import Collision, InputError, NotFound
from memcore.llm.protocols import Embedder
from memcore.records import Content, Cue, Moment, Precision, Relation, Tag, new_id
from memcore.words import normalise

NOBODY = "unknown"


class Shelf(draft.Shelf, places.Shelf, Protocol):
    """What a replay needs of a store: what its edits need, what finding places needs, and all names."""

    def names(self, kind: str) -> list[tuple[str, str]]: ...


def replay(shelf: Shelf, embedder: Embedder, lines: Iterable[str], *, dry: bool = False) -> Iterator[Outcome]:
    """Carry out the lines, yielding what became of each, in the order in which they are tried.

    `dry` changes nothing: each line is tried against the memory as it stands. Raises StoreBusy and
    StoreFull, with all before in place; doing it again goes on from there.
    """
    good: list[tuple[int, Line]] = []
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            good.append((number, parsed(text)))
        except InputError as error:
            yield Outcome(number, "refused", str(error), None)
    yield from _Replay(shelf, embedder, good, dry).run()


class _Replay:
    def __init__(self, shelf: Shelf, embedder: Embedder, lines: list[tuple[int, Line]], dry: bool) -> None:
        self._shelf, self._dry, self._lines = shelf, dry, lines
        self._editor, self._group = Editor(shelf, embedder), new_id()
        self._places = places.Places(shelf)
        self._meant = Meant(shelf, [line for _, line in lines])
        self._steps: Mapping[str, Callable[[Line], list[Edit]]] = {
            "name": self._rename,
            "merged": self._merge,
            "removed": self._remove,
            "exists": self._exists,
            "triple": self._triple,
            **dict.fromkeys(("cue_kind", "pinned", "text", "event", "layer", "sensitivity"), self._field),
        }

    def run(self) -> Iterator[Outcome]:
        late: list[tuple[int, Line]] = []
        for phase in _PHASES:
            for number, line in self._lines:
                if (line.target, line.slot) in phase:
                    outcome = self._tried(number, line)
                    if outcome.state == "collides" and line.slot == "name":
                        late.append((number, line))
                    else:
                        yield outcome
        for number, line in late:
            yield self._tried(number, line)

    def _tried(self, number: int, line: Line) -> Outcome:
        try:
            with self._shelf.writing():
                edits = self._steps[line.slot](line)
                for edit in edits:
                    self._do(edit, line)
        except Settled as settled:
            return Outcome(number, settled.state, str(settled), line)
        except Collision as error:
            if self._dry and self._meant.gets_free(line.target, str(line.corrected)):
                return Outcome(number, "applied", "Fits once another line is carried out.", line)
            return Outcome(number, "collides", str(error), line)
        except NotFound as error:
            return Outcome(number, "not_found", str(error), line)
        except InputError as error:
            return Outcome(number, "refused", str(error), line)
        return Outcome(number, "applied", "It fits." if self._dry else "Carried out.", line)

    def _do(self, edit: Edit, line: Line) -> None:
        who = Who(line.author.strip() or NOBODY, line.reason)
        if self._dry:
            self._editor.plan(edit, who)
            return
        for _ in self._editor.apply(self._left(edit), who, group=self._group):
            pass
        self._meant.refresh()

    def _left(self, edit: Edit) -> Edit:
        """Moving one end can let two relations fall together: what is left of them moves on."""
        if edit.action != "set" or edit.record_kind != "relation":
            return edit
        there = self._shelf.get(edit.ids)
        return replace(edit, ids=tuple(i for i in edit.ids if i in there))

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

    def _remove_content(self, line: Line) -> list[Edit]:
        assert line.place is not None
        turn = self._places.turn(line.place)
        removed = [c.extracted for c in self._meant.overlay.of_turn(turn, "content") if c.slot == "removed"]
        if line.extracted in removed:
            raise known()
        return [Delete("content", (self._content(line).id,))]

    # relations

    def _triple(self, line: Line) -> list[Edit]:
        before, after = line.extracted, line.corrected
        content = self._content(line)
        there = self._shelf.relations_of(content.id, end="content_id")
        found = self._matching(there, before) if isinstance(before, Ends) else []
        wanted = self._matching(there, after) if isinstance(after, Ends) else []
        if isinstance(before, Ends) and not found:
            if wanted or (after is None and self._corrected_so(content, before)):
                raise known()
            if self._corrected_so(content, before):
                raise another("Somebody corrected this relation to something else here.")
            raise missing("No such relation was read from this turn.")
        if not isinstance(after, Ends):
            return [Delete("relation", tuple(r.id for r in found))]
        if not isinstance(before, Ends):
            if wanted:
                raise known()
            return [Relate(content.id, after.cues[0], after.tags[0], _kind(after))]
        if {r.id for r in found} == {r.id for r in wanted}:
            raise known()
        moves = self._moves(found, after)
        cue = self._meant.node("cue", after.cues[0])
        fused = {r.tag_id for r in there if r.cue_id == cue}.intersection(r.tag_id for r in found)
        return moves[::-1] if fused else moves

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

    def _matching(self, there: Sequence[Relation], ends: Ends) -> list[Relation]:
        cues = {self._meant.node("cue", name) for name in ends.cues}
        tags = {self._meant.node("tag", name) for name in ends.tags}
        return [r for r in there if r.cue_id in cues and r.tag_id in tags]

    def _corrected_so(self, content: Content, before: Ends) -> bool:
        """Whether a relation of these ends was corrected here, to whatever."""
        cues, tags = ({normalise(n) for n in names} for names in (before.cues, before.tags))
        made = self._meant.overlay.of_turn(content.origin[0] if content.origin else "", "relation")
        triples = [c.extracted for c in made if isinstance(c.extracted, tuple)]
        return any(t[0] in cues and t[1] in tags for t in triples)


_NODES = ("cue", "tag")
_PHASES: tuple[frozenset[tuple[str, str]], ...] = (
    frozenset(("content", slot) for slot in ("text", "event", "layer", "pinned", "sensitivity")),
    frozenset((node, "name") for node in _NODES),
    frozenset({("relation", "triple")}),
    frozenset((node, "merged") for node in _NODES),
    frozenset({("cue", "cue_kind"), ("cue", "pinned")}),
    frozenset((node, "removed") for node in _NODES),
    frozenset({("content", "removed")}),
    frozenset((node, "exists") for node in _NODES),
)


def _moment(line: Line) -> Moment:
    try:
        found = as_moment(line.corrected if isinstance(line.corrected, tuple) else None)
    except (ValueError, TypeError) as error:
        raise InputError("The corrected time cannot be read.") from error
    naive = any(m is not None and m.tzinfo is None for m in (found.start, found.end))
    if naive or found.precision not in get_args(Precision) or (found.start is None) != (found.end is None):
        raise InputError("The corrected time is not whole.")
    return found


def _kind(ends: Ends) -> Any:
    return ends.cue_kind
