"""How many tokens a text is: a local estimate, for sizes and shares, not for a bill.

There is no public tokenizer for every model behind this program, so the text is cut as byte-pair
tokenizers cut it before they look anything up, and each piece is priced by its script and length.
Against OpenAI's o200k vocabulary it is off by -10 to +8 % over agent logs, code, English dialogue and
Korean (see tests/test_tokens.py). It is the same on every machine, needs no download, and reads 5 to 15 MB
a second. What a model really charged comes from its replies, never from here.
"""

from __future__ import annotations

import re

_PIECES = re.compile(
    r"(?P<latin>[A-Za-z\u00c0-\u024f]+)"
    r"|(?P<digits>[0-9]{1,3})"
    r"|(?P<blank>\n+|\t+| {2,})"
    r"|(?P<marks>[!-/:-@\[-`{-~]+)"
    r"|(?P<hangul>[\uac00-\ud7a3]+)"
    r"|(?P<letters>[\u0370-\u1fff]+)"
    r"|(?P<other>[^\s])"
)
_LATIN = 9  # letters up to which a word is mostly one token
_MARKS = 3  # punctuation marks that stand together in one token
_LETTERS = 3  # letters of other alphabets in a token
_HANGUL = (2, 3)  # two tokens for three syllables


def count(text: str) -> int:
    """The estimated number of tokens; 0 for an empty text, a single space joins the word after it."""
    total = 0
    for piece in _PIECES.finditer(text):
        length = piece.end() - piece.start()
        match piece.lastgroup:
            case "latin":
                total += -(-length // _LATIN)
            case "marks":
                total += -(-length // _MARKS)
            case "hangul":
                total += -(-length * _HANGUL[0] // _HANGUL[1])
            case "letters":
                total += -(-length // _LETTERS)
            case _:
                total += 1
    return total
