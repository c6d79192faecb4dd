"""MRAgent, section 3: one cue or tag for each normalised name, one relation for each triple.

`Triples` names what an extractor found and pairs it. Ids of names that are known are given again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from memcore.extraction import Extraction, FoundCue, Rewriting
from memcore.records import Content, Cue, CueKind, MadeBy, Relation, Tag, Triple, new_id
from memcore.words import normalise

PLAIN: tuple[CueKind, ...] = ("topic", "verb")
NAMING: tuple[CueKind, ...] = ("people", "entity", "location", "event")


@dataclass
class Names:
    """The cues and tags a scope has, by normalised name: one node per name."""

    cues: dict[str, str] = field(default_factory=dict[str, str])
    tags: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class Triples:
    """Relations in the making, one for each triple, and the cues and tags that are new with them."""

    names: Names
    cues: dict[str, Cue] = field(default_factory=dict[str, Cue])
    tags: list[Tag] = field(default_factory=list[Tag])
    relations: dict[Triple, Relation] = field(default_factory=dict[Triple, Relation])

    def pair(
        self,
        found: Extraction | Rewriting,
        where: Callable[[FoundCue], Iterable[Content]],
        turn_id: str,
        made_by: MadeBy,
    ) -> None:
        """Each pair of a cue and a tag leads to the contents `where` the cue stands."""
        tags = [self.tag(name, made_by) for name in found.tags]
        cues = [self.cue(cue, made_by) for cue in found.cues]
        for cue, tag in found.pairs:
            for content in where(found.cues[cue]):
                self.add(cues[cue], tags[tag], content, turn_id, made_by)

    def add(self, cue_id: str, tag_id: str, content: Content, turn_id: str, made_by: MadeBy) -> None:
        """One triple; none where a name came to nothing."""
        triple = (cue_id, tag_id, content.id)
        if all(triple) and triple not in self.relations:
            self.relations[triple] = Relation(new_id(), *triple, turn_id, made_by)

    def cue(self, found: FoundCue, made_by: MadeBy) -> str:
        """The id of the cue of this name. One first met as a plain word, such as a name at the head of a
        sentence, is the name it turns out to be further on in the same turns."""
        key, known, new = normalise(found.name), self.names.cues, self.cues
        if key and key not in known:
            known[key] = new_id()
            new[key] = Cue(known[key], found.name, key, found.cue_kind, made_by=made_by)
        elif key in new and new[key].cue_kind in PLAIN and found.cue_kind in NAMING:
            new[key] = replace(new[key], name=found.name, cue_kind=found.cue_kind)
        return known.get(key, "")

    def tag(self, name: str, made_by: MadeBy) -> str:
        """The id of the tag of this name."""
        key, known = normalise(name), self.names.tags
        if key and key not in known:
            known[key] = new_id()
            self.tags.append(Tag(known[key], name, key, made_by=made_by))
        return known.get(key, "")
