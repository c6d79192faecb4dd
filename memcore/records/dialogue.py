"""What was imported: files, conversations and their raw turns, which are never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from memcore.records.basics import Moment


@dataclass(frozen=True, slots=True)
class File:
    """An imported file: what it was taken for, and the report of its import (see importing)."""

    id: str
    name: str
    format: str
    recorded: datetime
    report: dict[str, Any] = field(default_factory=dict[str, Any], compare=False)
    kind: Literal["file"] = "file"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A dialogue or one session of it. `source` is the format's own name for it."""

    id: str
    file_id: str
    title: str
    source: str
    speakers: tuple[str, ...]
    started: Moment
    ended: Moment
    turns: int
    revision: int = 1
    kind: Literal["conversation"] = "conversation"


@dataclass(frozen=True, slots=True)
class Turn:
    """One raw dialogue unit, verbatim and never rewritten, but for a redaction: `redacted` says so.

    `position` orders the turns of a conversation (the second key where times are equal or absent).
    `source` is the format's own id ("D8:6"). `branch` is "main" or names an alternative (an edited
    or regenerated reply). `folded` keeps what is no utterance (thoughts, tool output, hidden text):
    stored and searchable, but no memory is built from it.
    """

    id: str
    conversation_id: str
    position: int
    speaker: str
    role: str
    text: str
    said: Moment
    source: str = ""
    session: str = ""
    language: str = ""
    branch: str = "main"
    folded: bool = False
    attachments: tuple[str, ...] = ()
    sensitivity: int = 0
    revision: int = 1
    redacted: bool = False
    kind: Literal["turn"] = "turn"
