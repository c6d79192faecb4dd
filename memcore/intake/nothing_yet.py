"""A memory that does not exist yet, for whoever asks what an import into it would cost: it holds nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memcore.records import Calibration, Content, Conversation, Turn, Unit


class NothingYet:
    """What costing asks of a memory (see costing.Known), of one that holds nothing."""

    def hash(self, text: str) -> str:
        return text

    def ids_of(self, source_hashes: Iterable[str]) -> dict[str, str]:
        return {}

    def held_back(self, source_hashes: Iterable[str]) -> set[str]:
        return set()

    def conversations(self) -> Sequence[Conversation]:
        return ()

    def turns(self, conversation_id: str) -> Sequence[Turn]:
        return ()

    def units(self) -> Sequence[Unit]:
        return ()

    def compared_units(self) -> Sequence[Unit]:
        return ()

    def derived(self) -> Sequence[Content]:
        return ()

    def calibration(self) -> Calibration | None:
        return None
