"""Small memories made in memory, without a store: records in, the graph's columns out."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from memcore.channels import Lexical
from memcore.construction import Built, construct
from memcore.events import TraceEvent
from memcore.graph import LAYERS, Columns, Floats, Graph
from memcore.llm.offline.embedder import NoEmbedder
from memcore.llm.offline.extractor import RuleExtractor, extract_query
from memcore.llm.offline.router import OfflineRouter
from memcore.llm.protocols import Embedder
from memcore.question import Question, prepare
from memcore.reconstruction import Ask, Limits, always, reconstruct
from memcore.records import Cue, Moment, Tag, Turn, new_id
from memcore.run_state import State
from memcore.settings import DEFAULT, Settings
from memcore.triples import Names
from memcore.words import terms

FIRST_DAY = datetime(2024, 5, 6, 9, 0, tzinfo=UTC)
TOWN = (
    ("Ann", "I adopted a grey cat from the shelter in Lisbon."),
    ("Bo", "That is lovely. What will you call the cat?"),
    ("Ann", "Her name is Saffron. Dr. Okafor gave her the first shots."),
    ("Bo", "Dr. Okafor also looks after our neighbour's parrot."),
    ("Ann", "I started pottery lessons last Tuesday."),
    ("Bo", "My brother Felix runs a pottery studio near the harbour."),
    ("Ann", "Felix taught me to glaze a bowl yesterday."),
    ("Bo", "I am going to Madrid in June for the marathon."),
    ("Ann", "The marathon in Madrid is hot. Take a hat!"),
    ("Bo", "I like green tea after a long run."),
    ("Ann", "Saffron broke the bowl that Felix helped me make."),
    ("Bo", "We could glue it with gold, the way they do in Kyoto."),
)


def day(at: datetime) -> Moment:
    """A moment known to the minute."""
    return Moment(at, at, "instant", True)


def turns(
    said: Sequence[tuple[str, str]] = TOWN, *, conversation: str = "", per_session: int = 4
) -> list[Turn]:
    """Consecutive turns of one conversation, one session a day."""
    talk = conversation or new_id()
    return [
        Turn(
            new_id(),
            talk,
            i,
            speaker,
            "speaker",
            text,
            day(FIRST_DAY + timedelta(days=i // per_session, minutes=i)),
            source=f"D{i // per_session + 1}:{i % per_session + 1}",
            session=str(i // per_session + 1),
        )
        for i, (speaker, text) in enumerate(said)
    ]


@dataclass(repr=False)
class Town:
    """A memory in memory: its graph, the texts behind it, and the embedder it was built with."""

    graph: Graph
    texts: Mapping[str, str]
    embedder: Embedder
    lexical: Lexical

    def prepare(self, question: str) -> Question:
        """The question as the loop wants it."""
        return prepare(question, Moment(), self.graph, extract_query, self.embedder, hashed)

    def router(self, ask: Ask, settings: Settings = DEFAULT) -> OfflineRouter:
        """A fresh router for one run."""
        prepared = self.prepare(ask.question)
        return OfflineRouter(ask, prepared, self.graph, self.lexical, settings, self.texts_of)

    def texts_of(self, ids: Any) -> dict[str, str]:
        return {i: self.texts[i] for i in ids if i in self.texts}

    def run(
        self, ask: Ask, settings: Settings = DEFAULT, state: State | None = None, **limits: Any
    ) -> Iterator[TraceEvent]:
        """One reconstruction, or the rest of one."""
        steps = always(limits.pop("steps", settings.steps))
        bounds = Limits(steps, **{"calls": settings.calls, **limits})
        return reconstruct(ask, self.graph, self.router(ask, settings), bounds, state)


def town(said: Sequence[Turn] | None = None, embedder: Embedder | None = None) -> Town:
    """The memory that construction makes of these turns."""
    model = embedder or NoEmbedder()
    built = construct(turns() if said is None else said, Names(), RuleExtractor(), model, DEFAULT)
    graph = Graph(columns(built, model.dimension))
    return Town(graph, {c.id: c.text for c in built.contents}, model, Lexical(graph))


def hashed(words: Sequence[str]) -> list[int]:
    """32-bit hashes of words, as a store makes them, without its key."""
    return [zlib.crc32(w.encode()) for w in words]


def columns(built: Built, dimension: int = 0, seq: int = 1) -> Columns:
    """What a store would hand over for these records."""
    cues = sorted(built.cues, key=lambda c: (c.key, c.cue_kind, c.name))
    tags = sorted(built.tags, key=lambda t: (t.key, t.name))
    contents = sorted(
        built.contents,
        key=lambda c: (c.conversation_id, c.position, LAYERS.index(c.layer), c.span or (-1, -1)),
    )
    cue_at, tag_at, content_at = ({r.id: i for i, r in enumerate(rs)} for rs in (cues, tags, contents))
    turn_ids = list(dict.fromkeys(t for c in contents for t in c.origin))
    origins = [[turn_ids.index(t) for t in c.origin] for c in contents]
    words = [hashed(terms(c.spoken)) for c in contents]
    triples = sorted((content_at[r.content_id], cue_at[r.cue_id], tag_at[r.tag_id]) for r in built.relations)
    triple = np.array(triples, np.int32).reshape(-1, 3)
    return Columns(
        seq=seq,
        cue_ids=[c.id for c in cues],
        cue_names=[c.name for c in cues],
        cue_keys=[c.key for c in cues],
        cue_kinds=[c.cue_kind for c in cues],
        cue_vectors=_matrix([c.vector for c in cues], dimension),
        tag_ids=[t.id for t in tags],
        tag_names=[t.name for t in tags],
        tag_keys=[t.key for t in tags],
        tag_vectors=_matrix([t.vector for t in tags], dimension),
        content_ids=[c.id for c in contents],
        layers=[c.layer for c in contents],
        speakers=[c.speaker for c in contents],
        sessions=[c.session for c in contents],
        conversation_ids=[c.conversation_id for c in contents],
        positions=np.array([c.position for c in contents], np.int32),
        said_days=_days([c.said.start for c in contents]),
        event_first=_days([c.event.start for c in contents]),
        event_last=_days([c.event.end for c in contents]),
        sensitivity=np.array([c.sensitivity for c in contents], np.int32),
        revisions=np.array([c.revision for c in contents], np.int32),
        content_vectors=_matrix([c.vector for c in contents], dimension),
        turn_ids=turn_ids,
        origin=np.array([o for row in origins for o in row], np.int32),
        origin_offsets=_offsets(origins),
        terms=np.array([w for row in words for w in row], np.uint32),
        term_offsets=_offsets(words),
        relation_cue=triple[:, 1].copy(),
        relation_tag=triple[:, 2].copy(),
        relation_content=triple[:, 0].copy(),
    )


def nodes(count: int, kind: type[Cue] | type[Tag]) -> list[Any]:
    """Cues or tags named a, b, c ..."""
    names = [chr(ord("a") + i) for i in range(count)]
    return [Cue(new_id(), n, n, "entity") if kind is Cue else Tag(new_id(), n, n) for n in names]


def own_lines(said: Sequence[tuple[str, str]] = TOWN, talk: str = "town", *, ids: bool = True) -> list[str]:
    """The same dialogue as lines of our own JSONL."""
    lines: list[str] = []
    for turn in turns(said):
        record = {"conversation": talk, "speaker": turn.speaker, "text": turn.text, "session": turn.session}
        at = turn.said.start.isoformat() if turn.said.start else ""
        lines.append(json.dumps({**record, "at": at, **({"id": turn.source} if ids else {})}))
    return lines


def write_lines(path: Path, lines: Sequence[str]) -> Path:
    """A file of these lines."""
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def changed(settings: Settings = DEFAULT, **values: Any) -> Settings:
    """A variant of the settings."""
    return replace(settings, **values)


def _matrix(vectors: Sequence[Any], dimension: int) -> Floats:
    none = np.zeros(dimension, np.float32)
    rows = [none if v is None else v for v in vectors]
    return np.array(rows, np.float32).reshape(len(rows), dimension)


def _days(times: Sequence[datetime | None]) -> Any:
    return np.array([t.toordinal() if t else 0 for t in times], np.int32)


def _offsets(rows: Sequence[Sequence[int]]) -> Any:
    return np.cumsum([0, *map(len, rows)]).astype(np.int32)
