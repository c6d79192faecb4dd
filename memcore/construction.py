"""MRAgent, section 3 (construction): dialogue -> cues and tags -> contents -> graph.

A pure function of the turns, what the extractor says of them and the embeddings, in stages that can
be run alone: `contents_of` (what can be opened), `name` (one cue or tag per normalised name),
`relate` (the triples), `embed`. `construct` runs them all over consecutive turns of a conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from memcore.extraction import Extraction, Extractor, FoundCue, Rewriting
from memcore.llm.protocols import Embedder
from memcore.records import (
    UNKNOWN,
    Content,
    Cue,
    CueKind,
    MadeBy,
    Moment,
    Relation,
    Tag,
    Turn,
    Vector,
    new_id,
    now,
)
from memcore.settings import Settings
from memcore.words import fold, normalise

_R = TypeVar("_R", Content, Cue, Tag)
PLAIN: tuple[CueKind, ...] = ("topic", "verb")
NAMING: tuple[CueKind, ...] = ("people", "entity", "location", "event")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？\n])\s+")


@dataclass
class Names:
    """The cues and tags a scope has, by normalised name: one node per name."""

    cues: dict[str, str] = field(default_factory=dict[str, str])
    tags: dict[str, str] = field(default_factory=dict[str, str])


class Built(NamedTuple):
    """What one call of `construct` adds to the graph. Nothing of it is stored yet."""

    contents: list[Content]
    cues: list[Cue]
    tags: list[Tag]
    relations: list[Relation]


class Retold(NamedTuple):
    """A rewriting, and the contents that come of it: itself first, then its facts."""

    words: Rewriting
    contents: list[Content]


def construct(
    turns: Sequence[Turn], names: Names, extractor: Extractor, embedder: Embedder, settings: Settings
) -> Built:
    """Consecutive turns of one conversation into graph records; new names are entered in `names`.

    Folded turns and alternatives get no contents: they are kept, but they are no memory.
    """
    return embed(read(turns, names, extractor, settings), embedder)


def read(turns: Sequence[Turn], names: Names, extractor: Extractor, settings: Settings) -> Built:
    """The same without vectors: all that extraction says of these turns."""
    live = uttered(turns)
    said = extractor.extract([replace(t, text=shown_text(t)) for t in live])
    contents = [c for turn, found in zip(live, said, strict=True) for c in contents_of(turn, found, settings)]
    contents += topics_of(live, said, extractor)
    cues, tags, relations = relate(live, said, contents, names)
    told = retold(live, said)
    more = relate_retold(told, names)
    contents += [c for _, its in told for c in its]
    return Built(contents, [*cues, *more.cues], [*tags, *more.tags], [*relations, *more.relations])


def uttered(turns: Sequence[Turn]) -> list[Turn]:
    """The turns that memories are built from: neither folded, nor alternatives, nor empty."""
    return [
        t for t in turns if not t.folded and t.branch == "main" and t.text.strip() + "".join(t.attachments)
    ]


def shown_text(turn: Turn) -> str:
    """The turn as a content shows it: verbatim, then what it attaches, in brackets."""
    return " ".join(filter(None, [turn.text, *(f"[{a}]" for a in turn.attachments)]))


def contents_of(turn: Turn, found: Extraction, settings: Settings) -> list[Content]:
    """The turn, or the segments of a long one, and the facts it states. Each has its origin turn."""
    text = shown_text(turn)
    times = [t.moment for t in found.times]
    whole = Content(
        id=new_id(),
        layer="turn",
        text=text,
        origin=(turn.id,),
        conversation_id=turn.conversation_id,
        position=turn.position,
        speaker=turn.speaker,
        said=turn.said,
        event=_earliest(times),
        recorded=now(),
        session=turn.session,
        sensitivity=turn.sensitivity,
    )
    segments = [
        replace(whole, id=new_id(), text=text[a:b], span=(a, b))
        for a, b in segments_of(text, settings.segment_chars)
    ]
    facts = [
        replace(
            whole,
            id=new_id(),
            layer="fact",
            text=turn.text[f.start : f.end].strip(),
            made_by="rule",
            span=(f.start, f.end),
        )
        for f in found.facts
    ]
    return (segments or [whole]) + facts


def segments_of(text: str, limit: int) -> list[tuple[int, int]]:
    """Spans of at most `limit` characters, cut at sentence ends where possible; none for a short text."""
    if len(text) <= limit:
        return []
    cuts = [m.end() for m in _SENTENCE_END.finditer(text)] + [len(text)]
    spans: list[tuple[int, int]] = []
    start = last = 0
    for cut in cuts:
        if cut - start > limit and last > start:
            spans.append((start, last))
            start = last
        while cut - start > limit:
            spans.append((start, start + limit))
            start += limit
        last = cut
    return [*spans, (start, len(text))] if start < len(text) else spans


def topics_of(turns: Sequence[Turn], said: Sequence[Extraction], extractor: Extractor) -> list[Content]:
    """Each session's topics as contents of the layer `topic`, resting on the turns they sum up."""
    made: list[Content] = []
    for session in dict.fromkeys(t.session for t in turns):
        rows = [i for i, t in enumerate(turns) if t.session == session]
        inside = [turns[i] for i in rows]
        for topic in extractor.topics(inside, [said[i] for i in rows]):
            first = inside[topic.turns[0]]
            made.append(
                Content(
                    id=new_id(),
                    layer="topic",
                    text=topic.name,
                    origin=tuple(inside[i].id for i in topic.turns),
                    conversation_id=first.conversation_id,
                    position=first.position,
                    speaker="",
                    said=first.said,
                    recorded=now(),
                    session=session,
                    made_by="rule",
                )
            )
    return made


def relate(
    turns: Sequence[Turn], said: Sequence[Extraction], contents: Sequence[Content], names: Names
) -> tuple[list[Cue], list[Tag], list[Relation]]:
    """The triples: each cue with the tag of its clause and the content that clause stands in."""
    cues: dict[str, Cue] = {}
    tags: list[Tag] = []
    relations: dict[tuple[str, str, str], Relation] = {}
    by_turn: dict[str, list[Content]] = {}
    for content in contents:
        if content.layer != "topic":
            by_turn.setdefault(content.origin[0], []).append(content)
    for turn, found in zip(turns, said, strict=True):
        tag_ids = [_named_tag(name, names, tags, found.made_by) for name in found.tags]
        cue_ids = [_named_cue(cue, names, cues, found.made_by) for cue in found.cues]
        for cue, tag in found.pairs:
            for content in _where(found.cues[cue], by_turn[turn.id]):
                triple = (cue_ids[cue], tag_ids[tag], content.id)
                if all(triple) and triple not in relations:
                    relations[triple] = Relation(new_id(), *triple, turn_id=turn.id, made_by=found.made_by)
    for content in contents:
        if content.layer == "topic":
            topic = FoundCue(content.text, "topic", 0, 0)
            triple = (_named_cue(topic, names, cues), _named_tag(content.text, names, tags), content.id)
            if all(triple):
                relations[triple] = Relation(new_id(), *triple, turn_id=content.origin[0])
    return list(cues.values()), tags, list(relations.values())


def retold(turns: Sequence[Turn], said: Sequence[Extraction]) -> list[Retold]:
    """A model's own words: one content for the turns it tells of, and one for each fact it states."""
    made: list[Retold] = []
    for at, found in enumerate(said):
        if (words := found.rewriting) is None:
            continue
        told = turns[at : at + words.turns]
        whole = Content(
            id=new_id(),
            layer="episode",
            text=words.text,
            origin=tuple(t.id for t in told),
            conversation_id=told[0].conversation_id,
            position=told[0].position,
            speaker="",
            said=told[0].said,
            event=words.event,
            recorded=now(),
            session=told[0].session,
            made_by="model",
            sensitivity=max(t.sensitivity for t in told),
        )
        facts = [replace(whole, id=new_id(), layer="fact", text=text) for text in words.facts]
        made.append(Retold(words, [whole, *facts]))
    return made


def relate_retold(told: Iterable[Retold], names: Names) -> Built:
    """Their triples: all pairs lead to the rewriting, and to a fact those whose cue it names."""
    cues: dict[str, Cue] = {}
    tags: list[Tag] = []
    relations: dict[tuple[str, str, str], Relation] = {}
    for words, (whole, *facts) in told:
        tag_ids = [_named_tag(name, names, tags, "model") for name in words.tags]
        cue_ids = [_named_cue(cue, names, cues, "model") for cue in words.cues]
        for cue, tag in words.pairs:
            name = fold(words.cues[cue].name)
            for content in (whole, *(f for f in facts if name in fold(f.text))):
                triple = (cue_ids[cue], tag_ids[tag], content.id)
                if all(triple) and triple not in relations:
                    relations[triple] = Relation(new_id(), *triple, whole.origin[0], made_by="model")
    return Built([], [*cues.values()], tags, [*relations.values()])


def embed(built: Built, embedder: Embedder) -> Built:
    """Vectors for contents (with their speaker), new cues and new tags; times are matched, not embedded."""
    if not embedder.dimension:
        return built
    return Built(
        _with_vectors(built.contents, [c.spoken for c in built.contents], embedder),
        _with_vectors(built.cues, ["" if c.cue_kind == "time" else c.name for c in built.cues], embedder),
        _with_vectors(built.tags, [t.name for t in built.tags], embedder),
        built.relations,
    )


def _with_vectors(records: list[_R], texts: list[str], embedder: Embedder) -> list[_R]:
    wanted = [i for i, text in enumerate(texts) if text and embedder.covers(text)]
    rows = embedder.embed([texts[i] for i in wanted])
    vectors: Mapping[int, Vector] = dict(zip(wanted, rows, strict=True))
    return [replace(r, vector=vectors[i]) if i in vectors else r for i, r in enumerate(records)]


def _named_cue(found: FoundCue, names: Names, new: dict[str, Cue], made_by: MadeBy = "rule") -> str:
    """The id of the cue of this name. One first met as a plain word, such as a name at the head of a
    sentence, is the name it turns out to be further on in the same turns."""
    key = normalise(found.name)
    if key and key not in names.cues:
        names.cues[key] = new_id()
        new[key] = Cue(names.cues[key], found.name, key, found.cue_kind, made_by=made_by)
    elif key in new and new[key].cue_kind in PLAIN and found.cue_kind in NAMING:
        new[key] = replace(new[key], name=found.name, cue_kind=found.cue_kind)
    return names.cues.get(key, "")


def _named_tag(name: str, names: Names, new: list[Tag], made_by: MadeBy = "rule") -> str:
    key = normalise(name)
    if key and key not in names.tags:
        names.tags[key] = new_id()
        new.append(Tag(names.tags[key], name, key, made_by=made_by))
    return names.tags.get(key, "")


def _where(cue: FoundCue, contents: Iterable[Content]) -> list[Content]:
    """The segment or fact that a cue stands in; an implied cue belongs to all of them."""
    implied = cue.start == cue.end
    return [c for c in contents if implied or c.span is None or c.span[0] <= cue.start < c.span[1]]


def _earliest(times: Sequence[Moment]) -> Moment:
    known = [t for t in times if t.start is not None]
    return min(known, key=lambda t: (t.start, t.end)) if known else UNKNOWN
