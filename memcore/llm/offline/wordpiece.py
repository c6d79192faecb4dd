"""WordPiece, the tokenizer of BERT models (Devlin et al. 2019), read from a model folder.

A text is cut at spaces and punctuation, then every word greedily into the longest pieces of the
vocabulary. `WordPiece.encode` gives the ids that the model was trained on.
"""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

from memcore.errors import ModelUnavailable

LONGEST_WORD = 100
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """A vocabulary of pieces and how to cut a text into them.

    `lowercase` models also lose their accents. Raises ModelUnavailable when a special piece is missing.
    """

    def __init__(self, vocabulary: dict[str, int], lowercase: bool = True) -> None:
        missing = [piece for piece in ("[UNK]", "[CLS]", "[SEP]") if piece not in vocabulary]
        if missing:
            raise ModelUnavailable(
                f"The model's vocabulary is not a BERT WordPiece: {', '.join(missing)} missing."
            )
        self._vocabulary = vocabulary
        self._lowercase = lowercase
        self._unknown, self._first, self._last = (vocabulary[p] for p in ("[UNK]", "[CLS]", "[SEP]"))
        self._longest = max(map(len, vocabulary))

    def encode(self, text: str, limit: int) -> list[int]:
        """At most `limit` ids, the first and last being those of [CLS] and [SEP]."""
        ids = [self._first]
        for word in self._split(text):
            ids += self._pieces(word)
            if len(ids) >= limit:
                break
        return [*ids[: limit - 1], self._last]

    def known_share(self, text: str, limit: int) -> float:
        """The share of a text's ids that are not [UNK], 1 for a text without any."""
        ids = self.encode(text, limit)[1:-1]
        return 1 - ids.count(self._unknown) / len(ids) if ids else 1.0

    def _pieces(self, word: str) -> list[int]:
        if len(word) > LONGEST_WORD:
            return [self._unknown]
        ids: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._vocabulary.get(prefix + word[start:end])
                if piece is not None:
                    ids.append(piece)
                    start = end
                    break
            else:
                return [self._unknown]
        return ids

    def _split(self, text: str) -> list[str]:
        """Words, and each punctuation mark or ideograph by itself."""
        if self._lowercase:
            text = unicodedata.normalize("NFD", text.lower())
        spaced: list[str] = []
        for char in text:
            category = unicodedata.category(char)
            if char in "\t\n\r" or category == "Zs":
                spaced.append(" ")
            elif category[0] == "C" or char == "\ufffd" or (self._lowercase and category == "Mn"):
                continue
            else:
                spaced.append(f" {char} " if _stands_alone(char, category) else char)
        return "".join(spaced).split()


def _stands_alone(char: str, category: str) -> bool:
    code = ord(char)
    if code < 128:
        return not char.isalnum()
    return category[0] == "P" or any(low <= code <= high for low, high in _IDEOGRAPHS)


def wordpiece_of(folder: Path) -> WordPiece:
    """The tokenizer of a model folder: `tokenizer.json` or `vocab.txt`. Raises ModelUnavailable."""
    try:
        if (folder / "tokenizer.json").is_file():
            return _from_json(json.loads((folder / "tokenizer.json").read_text(encoding="utf-8")))
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError as error:
        raise ModelUnavailable("The model folder has neither tokenizer.json nor vocab.txt.") from error
    except (OSError, ValueError) as error:
        raise ModelUnavailable("The tokenizer of the model folder cannot be read.") from error
    return WordPiece({piece: i for i, piece in enumerate(lines)})


def _from_json(described: Any) -> WordPiece:
    """Raises ModelUnavailable for the tokenizer of another kind of model."""
    try:
        vocabulary: dict[str, Any] = dict(described["model"]["vocab"])
        lowercase = "normalizer" not in described or described["normalizer"].get("lowercase", True) is True
        return WordPiece({str(piece): int(number) for piece, number in vocabulary.items()}, lowercase)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelUnavailable(
            "The tokenizer.json of the model folder holds no WordPiece vocabulary."
        ) from error
