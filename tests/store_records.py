"""One small memory of every record kind, for the tests of the store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from memcore.records import (
    UNKNOWN,
    Content,
    Conversation,
    Cue,
    File,
    Moment,
    Record,
    Relation,
    Tag,
    Turn,
    Vector,
    new_id,
    now,
)

DAY = Moment(datetime(2023, 5, 8, tzinfo=UTC), datetime(2023, 5, 8, 23, 59, 59, tzinfo=UTC), "day")
AFTERNOON = datetime(2023, 5, 8, 13, 56, 0, 123456, UTC)
INSTANT = Moment(AFTERNOON, AFTERNOON, "instant", True)


@dataclass(frozen=True)
class Named:
    """An embedder as far as a store looks at it."""

    name: str = "small"
    fingerprint: str = "1:abc"
    dimension: int = 4


def vector(seed: int) -> Vector:
    """Four numbers that differ from seed to seed."""
    drawn = np.random.default_rng(seed).normal(size=4).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def file() -> File:
    return File(new_id(), "chat.json", "own", now(), {"read": 1, "skipped": ["nothing"]})


def conversation(started: Moment = DAY, title: str = "A walk") -> Conversation:
    return Conversation(new_id(), new_id(), title, "session_1", ("Ann", "Bo"), started, UNKNOWN, 1)


def turn(conversation_id: str, position: int = 0, text: str = "I went running by the lake.") -> Turn:
    return Turn(new_id(), conversation_id, position, "Ann", "user", text, INSTANT, source=f"D1:{position}")


def content(of: Turn, seed: int = 1) -> Content:
    return Content(
        new_id(), "turn", of.text, (of.id,), of.conversation_id, of.position, of.speaker, of.said, DAY,
        recorded=now(), vector=vector(seed),
    )  # fmt: skip


def cue(name: str = "lake", seed: int = 2) -> Cue:
    return Cue(new_id(), name, name, "location", vector(seed))


def tag(name: str = "running by the lake", seed: int = 3) -> Tag:
    return Tag(new_id(), name, name, vector(seed))


def memory(text: str = "I went running by the lake.") -> list[Record]:
    """File, conversation, turn, content, cue, tag and the relation between them."""
    talk = conversation()
    said = turn(talk.id, 0, text)
    shown, place, bridge = content(said), cue(), tag()
    return [
        file(),
        talk,
        said,
        shown,
        place,
        bridge,
        Relation(new_id(), place.id, bridge.id, shown.id, said.id),
    ]
