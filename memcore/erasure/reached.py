"""What an erasure has reached so far: records that go and those that stay otherwise, each with its reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from memcore.records import (
    AgentRun,
    Content,
    Conversation,
    File,
    Record,
    RunMark,
    RunStep,
    Turn,
    Version,
)
from memcore.shelf import Records

How = tuple[Literal["rebuild", "blank"], str]


class Shelf(Records, Protocol):
    """What this reads of a store (see store.Scope)."""

    def turns(self, conversation_id: str) -> list[Turn]: ...

    def files(self) -> list[File]: ...

    def conversations(self) -> list[Conversation]: ...

    def agent_runs(self) -> list[AgentRun]: ...

    def run_steps(self, run_id: str) -> list[RunStep]: ...

    def run_marks(self, run_id: str) -> list[RunMark]: ...

    def versions(self, content_id: str) -> list[Version]: ...

    def resting_on(self, turn_ids: Collection[str]) -> list[str]: ...

    def relation_counts(self, end: str, ids: Collection[str]) -> dict[str, int]: ...


@dataclass
class Reached:
    """`gone` are ids with their reason, `rewritten` records as they will stay and `whats` why; `before` both
    as they are now."""

    gone: dict[str, str] = field(default_factory=dict[str, str])
    kinds: dict[str, str] = field(default_factory=dict[str, str])
    rewritten: dict[str, Record] = field(default_factory=dict[str, Record])
    whats: dict[str, How] = field(default_factory=dict[str, How])
    before: dict[str, Record] = field(default_factory=dict[str, Record])

    def drop(self, record: Record, why: str) -> None:
        """A record goes, for the first reason given."""
        self.gone.setdefault(record.id, why)
        self.kinds[record.id] = record.kind
        self.before.setdefault(record.id, record)
        self.rewritten.pop(record.id, None)

    def change(self, record: Record, after: Any, why: str) -> None:
        """A record stays otherwise, unless it goes."""
        if record.id not in self.gone:
            self.before.setdefault(record.id, record)
            self.rewritten[record.id] = after
            self.whats.setdefault(record.id, ("rebuild", why))

    def of_kind(self, kind: str) -> list[str]:
        """The ids of what goes of this kind."""
        return [i for i in self.gone if self.kinds[i] == kind]

    def episodes(self) -> list[Content]:
        """The episodes that are written again."""
        contents = [r for r in self.rewritten.values() if isinstance(r, Content)]
        return [c for c in contents if c.layer == "episode"]
