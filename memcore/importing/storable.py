"""Text as any store and any page can hold it: no NUL, no half characters, everything else verbatim."""

from __future__ import annotations

import re
from typing import NamedTuple

MARK = "\ufffd"
_SURROGATE = re.compile("[\ud800-\udfff]")


class Mended(NamedTuple):
    """The text, how many NUL characters were removed, how many half characters became the mark."""

    text: str
    nuls: int = 0
    halves: int = 0


def mend(text: str) -> Mended:
    """Pairs of surrogates that were escaped one by one become the character they stand for."""
    nuls = text.count("\0")
    if nuls:
        text = text.replace("\0", "")
    if text.isascii() or not _SURROGATE.search(text):
        return Mended(text, nuls)
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    whole, halves = _SURROGATE.subn(MARK, joined)
    return Mended(whole, nuls, halves)
