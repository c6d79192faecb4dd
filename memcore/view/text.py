"""Memory text made fit to be shown: nothing invisible steers it, and it is cut between characters.

Direction overrides, control characters and hidden tag characters are replaced by visible names, so
that what is read is what is stored. Nothing here escapes for a format: that is the page's business.
"""

from __future__ import annotations

import re
import unicodedata

_NAMED = {
    0x061C: "ALM", 0x200B: "ZWSP", 0x200E: "LRM", 0x200F: "RLM", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF",
    0x202D: "LRO", 0x202E: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFEFF: "BOM",
}  # fmt: skip
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_JAMO = "[\u1100-\u115f\ua960-\ua97c]*[\u1160-\u11a7\ud7b0-\ud7c6]*[\u11a8-\u11ff\ud7cb-\ud7fb]*"
_EXTEND = (
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]*"
)
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_GRAPHEME = re.compile(
    f"(?:{_FLAG}|(?=[\u1100-\u11ff]){_JAMO}|.){_EXTEND}(?:\u200d.{_EXTEND})*",
    re.DOTALL,
)


def neutral(text: str) -> str:
    """The text with every invisible or direction-changing character replaced by a visible name."""
    return _HIDDEN.sub(_visible, text.replace("\r\n", "\n"))


def shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters as a reader counts them, "…" where it was cut."""
    line = " ".join(neutral(text[: 40 * limit]).split())
    found = _GRAPHEME.finditer(line)
    kept: list[str] = []
    for match in found:
        if len(kept) == limit:
            return "".join(kept[:-1]).rstrip() + "…"
        kept.append(match.group())
    return "".join(kept) + ("…" if len(text) > 40 * limit else "")


def right_to_left(text: str) -> bool:
    """Whether a letter of a right-to-left script occurs, so that the text must be isolated."""
    return any(unicodedata.bidirectional(c) in ("R", "AL") for c in text)


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"[{_NAMED.get(code, f'U+{code:04X}')}]"
