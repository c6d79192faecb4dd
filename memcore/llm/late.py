"""Gemini as an embedder, connected when the first text is embedded: a store can be read without a key.

What it embeds is on the bill and on the budget of the day, by the estimate of tokens: the service does not
say how many there were.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memcore.errors import MemcoreError
from memcore.llm.asking import STOPPED, UNSAID, Book, Called, Usage
from memcore.llm.choose import Access, gemini_embedder
from memcore.llm.patience import Patience
from memcore.llm.protocols import Embedder
from memcore.settings import Settings
from memcore.tokens import count

DIMENSION = 768
TASK = "embed"


@dataclass(frozen=True, slots=True)
class Backing:
    """What an embedder over the network needs each time: where it is and its key, the settings, a book."""

    access: Callable[[str], Access]
    settings: Callable[[], Settings]
    book: Callable[[], Book]


class LateGemini:
    """See gemini.GeminiEmbedder. Raises KeyRefused, ModelUnavailable only when it embeds."""

    def __init__(self, model: str, backing: Backing, dimension: int = DIMENSION) -> None:
        self.name, self.fingerprint, self.dimension = f"gemini:{model}", f"{model}:{dimension}", dimension
        self._model, self._backing = model, backing
        self._made: tuple[Access, Embedder] | None = None

    def covers(self, text: str) -> bool:
        """Always: the models were trained on more than a hundred languages."""
        return True

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """See Embedder.embed. Raises ModelError, also for a budget that is used up."""
        if not any(text.strip() for text in texts):
            return np.zeros((len(texts), self.dimension), np.float32)
        embedder, book = self._connected(), self._backing.book()
        tokens, model, started = sum(map(count, texts)), f"gemini/{self._model}", time.monotonic()
        call, outcome = book.before(TASK, model, Usage(tokens, 0)), STOPPED
        try:
            rows = embedder.embed(texts)
            outcome = "ok"
            return rows
        except MemcoreError as error:
            outcome = type(error).__name__
            raise
        finally:
            sent = Usage(tokens if outcome in {"ok", *UNSAID} else 0, 0)
            book.after(Called(TASK, model, sent, round(1000 * (time.monotonic() - started)), outcome), call)

    def _connected(self) -> Embedder:
        access = self._backing.access("gemini")
        if self._made is None or self._made[0] != access:
            patience = Patience(self._backing.settings())
            self._made = access, gemini_embedder(self.dimension, self._model, access, patience)
        return self._made[1]
