"""Vectors of a sample memory, shipped as data: a first start shows it before the weights are read.

A recording holds a keyed row per text, made with the default embedder in half precision. A text that
is not in it, or a recording made with other weights, goes to the embedder itself, so that a changed
sample or extractor costs time, never correctness. `python -m memcore.samples` makes them anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memcore.llm.protocols import Embedder

Rows = npt.NDArray[np.float32]


class Recorded:
    """An embedder that has seen some texts before. Name and fingerprint are those of the real one."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self.name, self.fingerprint = embedder.name, embedder.fingerprint
        self.dimension = embedder.dimension
        self._embedder, self._known = embedder, _read(file, embedder)

    def embed(self, texts: Sequence[str]) -> Rows:
        """(len(texts), dimension) rows of length 1; recorded ones agree to about 1e-3."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        new = [i for i, text in enumerate(texts) if _key(text) not in self._known]
        for i, text in enumerate(texts):
            if (row := self._known.get(_key(text))) is not None:
                rows[i] = row / max(float(np.linalg.norm(row)), 1e-9)
        if new:
            rows[new] = self._embedder.embed([texts[i] for i in new])
        return rows

    def covers(self, text: str) -> bool:
        """Whether the model was trained on the script of this text."""
        return self._embedder.covers(text)

    def holds(self, text: str) -> bool:
        """Whether this text was recorded."""
        return _key(text) in self._known


class Recorder:
    """An embedder that remembers what it was asked, to be saved as a recording."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.fingerprint = embedder.name, embedder.fingerprint
        self.dimension = embedder.dimension
        self._embedder = embedder
        self.seen: dict[str, Rows] = {}

    def embed(self, texts: Sequence[str]) -> Rows:
        """(len(texts), dimension) rows of length 1."""
        rows = self._embedder.embed(texts)
        self.seen.update(zip(texts, rows, strict=True))
        return rows

    def covers(self, text: str) -> bool:
        """Whether the model was trained on the script of this text."""
        return self._embedder.covers(text)

    def save(self, file: Path) -> None:
        """Half precision is enough: nearness is compared in steps far above 1e-3."""
        keys = [_key(text) for text in self.seen]
        rows = np.stack(list(self.seen.values())).astype(np.float16)
        made_by = np.array(_made_by(self._embedder))
        np.savez_compressed(file, made_by=made_by, keys=np.array(keys, dtype=np.uint64), rows=rows)


def _read(file: Path, embedder: Embedder) -> dict[int, Rows]:
    """Nothing where there is no recording of this embedder."""
    if not file.is_file():
        return {}
    with np.load(file, allow_pickle=False) as saved:
        if str(saved["made_by"]) != _made_by(embedder):
            return {}
        rows = saved["rows"].astype(np.float32)
        return {int(key): row for key, row in zip(saved["keys"], rows, strict=True)}


def _made_by(embedder: Embedder) -> str:
    return f"{embedder.name} {embedder.fingerprint}"


def _key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
