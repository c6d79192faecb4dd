"""The narrow ports behind which every model stands. The papers state their own roles themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Embedder(Protocol):
    """Text to unit vectors.

    `name` and `fingerprint` (version and hash of the weights) are recorded in the store: a store
    opened with another embedder is refused. `dimension` is 0 for the embedder of zero-model mode.
    """

    name: str
    fingerprint: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(len(texts), dimension) rows of length 1. Deterministic, whatever the batch."""
        ...

    def covers(self, text: str) -> bool:
        """Whether the model was trained on the script this text is mostly written in."""
        ...


def vector_of(embedder: Embedder, text: str) -> npt.NDArray[np.float32] | None:
    """The vector of one text, (dimension,); None without a model, or in a script that it does not know."""
    if not embedder.dimension or not embedder.covers(text):
        return None
    return embedder.embed([text])[0]
