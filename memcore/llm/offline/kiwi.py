"""Exact Korean nouns through Kiwi (extra `ko`), in place of the rules of `korean`, for who has it.

`KiwiNouns` is handed to the extractor; its nouns are added as topic cues to the turn's clauses. The
library and its model are loaded when the class is made.
"""

from __future__ import annotations

import importlib
from typing import Any, NamedTuple

from memcore.errors import ModelUnavailable

_NOUNS = frozenset(("NNG", "NNP", "SL"))
# Beyond this a text is no utterance, and analysing it takes seconds.
READ_CHARS = 20_000


class Noun(NamedTuple):
    """A noun and its span in the text; `proper` for a name."""

    name: str
    start: int
    end: int
    proper: bool


class KiwiNouns:
    """Finds the nouns of Korean text. Raises ModelUnavailable where kiwipiepy is not installed."""

    def __init__(self) -> None:
        try:
            kiwi = importlib.import_module("kiwipiepy")
        except ImportError as error:
            raise ModelUnavailable(
                "Exact Korean nouns need kiwipiepy: run `pip install 'memcore-inspector[ko]'`."
            ) from error
        self._kiwi: Any = kiwi.Kiwi(num_workers=1)

    def nouns(self, text: str) -> list[Noun]:
        """The nouns of at least two syllables, in order of the text."""
        found = self._kiwi.tokenize(text[:READ_CHARS])
        return [
            Noun(str(t.form), int(t.start), int(t.start + t.len), t.tag == "NNP")
            for t in found
            if t.tag in _NOUNS and len(t.form) >= 2
        ]
