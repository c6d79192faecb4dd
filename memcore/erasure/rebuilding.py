"""What rests on erased turns and on others too, made again out of the others.

A unit is embedded anew from the turn it keeps, an episode is written anew by the extractive writer from the
units it keeps, a fact or topic keeps the turns that remain. What a person wrote over such a text goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from memcore.absorbing.handles import Handles, differing
from memcore.absorbing.units import spoken
from memcore.editing.corrections import Overlay
from memcore.llm.offline.writer import ExtractiveWriter
from memcore.llm.prompts import told
from memcore.llm.protocols import Embedder, vector_of
from memcore.passages import passage
from memcore.records import Content, Cue, Relation, Tag, Turn, Unit, Vector
from memcore.shelf import Records
from memcore.tokens import count


@dataclass(frozen=True, slots=True)
class Rebuilder:
    """Makes derived records again; `embedder` gives their vectors."""

    shelf: Records
    embedder: Embedder

    def unit(self, unit: Unit, turns: Sequence[Turn]) -> Unit:
        """A unit of the turns that it keeps."""
        read = passage(unit.id, turns)
        return replace(
            unit,
            origin=tuple(t.id for t in turns),
            position=turns[0].position,
            said=turns[0].said,
            speakers=tuple(dict.fromkeys(t.speaker for t in turns if t.speaker)),
            tokens=count(told([read])),
            vector=None if unit.vector is None else vector_of(self.embedder, spoken(read)),
            revision=unit.revision + 1,
        )

    def episode(self, episode: Content, units: Sequence[Unit], turns: Mapping[str, Turn]) -> Content:
        """An episode written anew from the units that it keeps."""
        said = [[turns[i] for i in u.origin if i in turns] for u in units]
        passages = [passage(u.id, its) for u, its in zip(units, said, strict=True) if its]
        drafts = ExtractiveWriter().consolidate(passages).value
        text = "\n".join(d.text for d in drafts)
        return replace(
            episode,
            text=text,
            origin=tuple(dict.fromkeys(t.id for its in said for t in its)),
            units=tuple(u.id for u in units),
            made_by="rule",
            vector=None if episode.vector is None else vector_of(self.embedder, text),
            revision=episode.revision + 1,
        )

    def handles(self, episode: Content, gone: Set[str]) -> tuple[list[Relation], list[str]]:
        """New relations of a rebuilt episode out of those of its turns, and the ids of old ones that go.

        What a person related stays, on a turn that is still there.
        """
        old = [r for r in self.shelf.relations_of(episode.id, end="content_id") if r.id not in gone]
        read = self.shelf.relations_of(*episode.origin, end="turn_id")
        own = [r for r in read if r.content_id != episode.id and not gone & {r.id, *r.triple}]
        nodes = self.shelf.get({i for r in own for i in (r.cue_id, r.tag_id)})
        named = {i: n for i, n in nodes.items() if isinstance(n, Cue | Tag)}
        handles = Handles(Overlay(self.shelf.corrections()), named)
        new, unsaid = differing(handles.of(episode, own), old)
        going = {r.id for r in unsaid if r.made_by != "person"}
        moved = [anchored(r, episode) for r in old if r.id not in going and r.turn_id not in episode.origin]
        return [*new, *moved], sorted(going)

    def vectors(self, texts: Mapping[str, str]) -> dict[str, Vector | None]:
        """The vectors of many texts at once, by what they are the texts of; None where there can be none."""
        covered = {i: t for i, t in texts.items() if self.embedder.dimension and self.embedder.covers(t)}
        rows = self.embedder.embed(list(covered.values())) if covered else ()
        return {**dict.fromkeys(texts), **dict(zip(covered, rows, strict=True))}


def anchored(relation: Relation, content: Content) -> Relation:
    """A relation of a content that stays, on a turn that stays."""
    return replace(relation, turn_id=content.origin[0], revision=relation.revision + 1)
