"""Keyed hashes: what was imported and which words occur can be recognised, but not read from the disk.

The key lies in the store's head file and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from memcore import words

_REMEMBERED = 500_000


class KeyedHash:
    """Hashes under one store's key. Remembers the words it has hashed, up to a bound."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._terms: dict[str, int] = {}

    def derived(self, purpose: str) -> bytes:
        """A key of its own for this purpose: whoever learns it learns nothing about the store's."""
        return blake2b(purpose.encode(), key=self._key, digest_size=32, person=b"memcore key").digest()

    def text(self, text: str) -> str:
        """32 hex digits."""
        return blake2b(text.encode("utf-8", "replace"), key=self._key, digest_size=16).hexdigest()

    def terms(self, terms: Iterable[str]) -> npt.NDArray[np.uint32]:
        """One 32-bit hash per term."""
        return np.fromiter((self._term(t) for t in terms), np.uint32)

    def terms_of(self, text: str) -> npt.NDArray[np.uint32]:
        """The hashes of `words.terms(text)`, repeated as often as they occur."""
        return self.terms(words.terms(text))

    def _term(self, term: str) -> int:
        found = self._terms.get(term)
        if found is None:
            if len(self._terms) >= _REMEMBERED:
                self._terms.clear()
            digest = blake2b(term.encode("utf-8", "replace"), key=self._key, digest_size=4).digest()
            found = self._terms[term] = int.from_bytes(digest, "little")
        return found
