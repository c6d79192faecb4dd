"""The handles of an episode or fact, out of those of the turns it rests on, under a person's corrections.

    relations of its turns  ->  cues that its text names  ->  the tags it says  ->  less what was corrected

A relation that a person took away, or put another in the place of, is not handed on again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memcore.editing.corrections import Overlay
from memcore.records import Content, Cue, Relation, Tag, new_id
from memcore.words import fold


@dataclass(frozen=True, slots=True)
class Handles:
    """Hands relations of turns on. `nodes` are their cues and tags, by id."""

    overlay: Overlay
    nodes: Mapping[str, Cue | Tag]

    def of(self, content: Content, read: Iterable[Relation]) -> list[Relation]:
        """The handles of an episode or fact, out of those of the turns it rests on (`read`).

        A cue leads on to it where its text still names the cue, by the tags that the text still says, or
        else by the first of them. Relations of turns are handed on as corrected by hand.
        """
        text = fold(content.text)
        found: dict[str, dict[str, Relation]] = {}
        for relation in read:
            if self._named(relation.cue_id, text):
                found.setdefault(relation.cue_id, {}).setdefault(relation.tag_id, relation)
        made: list[Relation] = []
        for by_tag in found.values():
            its = [*by_tag.values()]
            told = [r for r in its if self._named(r.tag_id, text)]
            made += [_handed_on(r, content) for r in told or its[:1]]
        replaced = self.overlay.replaced(content)
        return [r for r in made if not any(self._means(pair, r) for pair in replaced)]

    def _named(self, id_: str, text: str) -> bool:
        """Whether a text names a cue or tag, as it is called now or as it was read."""
        node = self.nodes.get(id_)
        return node is not None and any(fold(name) in text for name in self.overlay.called(node))

    def _means(self, pair: tuple[object, ...], relation: Relation) -> bool:
        ends = self.nodes.get(relation.cue_id), self.nodes.get(relation.tag_id)
        read_as = (self.overlay.read_as(node) if node else [] for node in ends)
        return all(key in names for key, names in zip(pair, read_as, strict=True))


def differing(said: Sequence[Relation], there: Sequence[Relation]) -> tuple[list[Relation], list[Relation]]:
    """Those that are said now and not there yet, and those that are there and not said any more."""
    now, before = {r.triple for r in said}, {r.triple for r in there}
    return [r for r in said if r.triple not in before], [r for r in there if r.triple not in now]


def _handed_on(relation: Relation, content: Content) -> Relation:
    """The same handle of another content. What a model gave stays a model's, for it may tell of another turn
    that the model read; what a person gave does not make this one a person's, which would stay for ever."""
    made_by = "model" if relation.made_by == "model" else "rule"
    return Relation(new_id(), relation.cue_id, relation.tag_id, content.id, content.origin[0], made_by)
