"""What a memory holds, read as it stands: records, texts, conversations, words, past runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from memcore.access.permissions import Viewer
from memcore.editing.corrections import Overlay
from memcore.events import TraceEvent
from memcore.llm.protocols import Embedder
from memcore.records import Conversation, File, Record, Relation, TraceHeader, Turn
from memcore.store import Scope


class Readable:
    """The reading side of a Memory."""

    _scope: Scope
    _embedder: Embedder

    @property
    def name(self) -> str:
        return self._scope.name

    @property
    def embedder(self) -> str:
        return self._embedder.name

    @property
    def viewer(self) -> Viewer:
        """Who looks at it."""
        return self._scope.viewer

    def count(self) -> dict[str, int]:
        """How many records of each kind there are."""
        return self._scope.count()

    def get(self, ids: Iterable[str]) -> dict[str, Record]:
        """Records by id; ids that name nothing (any more) are absent."""
        return self._scope.get(ids)

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Texts of turns and contents by id."""
        return self._scope.texts(ids)

    def files(self) -> list[File]:
        """Imported files with their reports, oldest first."""
        return self._scope.files()

    def conversations(self) -> list[Conversation]:
        """Conversations by their start."""
        return self._scope.conversations()

    def turn_counts(self, conversation_ids: Iterable[str]) -> Counter[str]:
        """How many turns each of these conversations holds by now."""
        return self._scope.turn_counts(conversation_ids)

    def turns(self, conversation_id: str, offset: int = 0, limit: int | None = None) -> list[Turn]:
        """Turns of a conversation in order, alternatives and folded ones included."""
        return self._scope.turns(conversation_id, offset, limit)

    def search(
        self, text: str, kinds: Sequence[str] = ("turn", "content"), limit: int = 50
    ) -> list[tuple[str, float]]:
        """Full text, English by stems, Korean also inside an eojeol: (id, score), best first."""
        return self._scope.search(text, kinds=kinds, limit=limit)

    def term_hashes(self, words: Sequence[str]) -> tuple[int, ...]:
        """Keyed hashes of words, as a question carries them."""
        return tuple(int(h) for h in self._scope.term_hashes(words))

    def hash(self, text: str) -> str:
        """A hash of this text under the store's secret key."""
        return self._scope.hash(text)

    def traces(self, limit: int = 50, offset: int = 0) -> list[TraceHeader]:
        """Past runs, newest first."""
        return self._scope.traces(limit, offset)

    def trace(self, trace_id: str) -> tuple[TraceHeader, list[TraceEvent]]:
        """One past run with its events. Raises NotFound."""
        return self._scope.trace(trace_id)

    def relations(self, *ids: str) -> list[Relation]:
        """Every relation that one of these cues, tags, contents or turns takes part in."""
        return self._scope.relations_of(*ids)

    def corrections(self) -> Overlay:
        """All corrections, by what they are about."""
        return Overlay(self._scope.corrections())
