"""MRAgent, section 3 (construction): dialogue -> cues and tags -> contents -> graph.

`construct` is a pure function of consecutive turns of a conversation, what the extractor says of them and
the embeddings. It runs these stages, each of which can be run alone:

    contents_of, topics_of   what can be opened: turns or their segments, facts, the topics of a session
    relate                   the triples: cue, tag of the clause, content; one cue or tag per normalised name
    retold, relate_retold    the same of a model's own words for turns, where it gave some
    embed                    the vectors
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

from memcore.extraction import Extraction, Extractor, FoundCue, Rewriting
from memcore.llm.protocols import Embedder
from memcore.records import UNKNOWN, Content, Cue, Layer, Moment, Relation, Tag, Turn, Vector, new_id, now
from memcore.settings import Settings
from memcore.triples import Names, Triples
from memcore.words import fold

_R = TypeVar("_R", Content, Cue, Tag)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？\n])\s+")


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
    related, told = relate(live, said, contents, names), retold(live, said)
    more = relate_retold(told, names)
    contents += [c for _, its in told for c in its]
    return Built(
        contents, related.cues + more.cues, related.tags + more.tags, related.relations + more.relations
    )


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
    whole = replace(
        _content(turn, "turn", text),
        speaker=turn.speaker,
        event=_earliest(times),
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
            first, origin = inside[topic.turns[0]], tuple(inside[i].id for i in topic.turns)
            made.append(replace(_content(first, "topic", topic.name), origin=origin, made_by="rule"))
    return made


def relate(
    turns: Sequence[Turn], said: Sequence[Extraction], contents: Sequence[Content], names: Names
) -> Built:
    """The triples: each cue with the tag of its clause and the content that clause stands in."""
    made = Triples(names)
    by_turn: dict[str, list[Content]] = {}
    for content in contents:
        if content.layer != "topic":
            by_turn.setdefault(content.origin[0], []).append(content)
    for turn, found in zip(turns, said, strict=True):
        made.pair(found, partial(_where, by_turn[turn.id]), turn.id, found.made_by)
    for content in contents:
        if content.layer == "topic":
            cue = made.cue(FoundCue(content.text, "topic", 0, 0), "rule")
            made.add(cue, made.tag(content.text, "rule"), content, content.origin[0], "rule")
    return _built(made)


def retold(turns: Sequence[Turn], said: Sequence[Extraction]) -> list[Retold]:
    """A model's own words: one content for the turns it tells of, and one for each fact it states."""
    made: list[Retold] = []
    for at, found in enumerate(said):
        if (words := found.rewriting) is None:
            continue
        told = turns[at : at + words.turns]
        whole = replace(
            _content(told[0], "episode", words.text),
            origin=tuple(t.id for t in told),
            event=words.event,
            made_by="model",
            sensitivity=max(t.sensitivity for t in told),
        )
        facts = [replace(whole, id=new_id(), layer="fact", text=text) for text in words.facts]
        made.append(Retold(words, [whole, *facts]))
    return made


def relate_retold(told: Iterable[Retold], names: Names) -> Built:
    """Their triples: all pairs lead to the rewriting, and to a fact those whose cue it names."""
    made = Triples(names)
    for words, contents in told:
        made.pair(words, partial(_named_in, contents), contents[0].origin[0], "model")
    return _built(made)


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


def _built(made: Triples) -> Built:
    return Built([], [*made.cues.values()], made.tags, [*made.relations.values()])


def _content(first: Turn, layer: Layer, text: str) -> Content:
    """A content that begins with this turn, and is nobody's words yet."""
    return Content(
        id=new_id(),
        layer=layer,
        text=text,
        origin=(first.id,),
        conversation_id=first.conversation_id,
        position=first.position,
        speaker="",
        said=first.said,
        recorded=now(),
        session=first.session,
    )


def _where(contents: Iterable[Content], cue: FoundCue) -> list[Content]:
    """The segment or fact that a cue stands in; an implied cue belongs to all of them."""
    implied = cue.start == cue.end
    return [c for c in contents if implied or c.span is None or c.span[0] <= cue.start < c.span[1]]


def _named_in(contents: Sequence[Content], cue: FoundCue) -> list[Content]:
    """The rewriting, and those of its facts that name a cue."""
    whole, *facts = contents
    name = fold(cue.name)
    return [whole, *(f for f in facts if name in fold(f.text))]


def _earliest(times: Sequence[Moment]) -> Moment:
    known = [t for t in times if t.start is not None]
    return min(known, key=lambda t: (t.start, t.end)) if known else UNKNOWN
