"""Which language a text seems to be in, told by its script; no model, no dictionary but one word list.

Honest names: "ko" (Hangul is written for Korean only) and "ja" (kana) are languages, "en" is Latin
script with common English words, everything else is the name of a script. Mixed text goes to the
script with the most letters; one Hangul syllable or kana stands for about two Latin letters.
"""

from __future__ import annotations

import re

LOOKED_AT = 2000  # characters: enough to tell, and a megabyte costs no more
_ENGLISH_WORDS = (
    "the a an and or but of to in on at for with is are was were be been i you he she it we they my "
    "your this that not have has had do does did what how when where why who "
    "can could will would should there from about"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_SCRIPTS = (
    ("ko", r"[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]"),
    ("ja", r"[\u3041-\u30ff]"),
    ("han", r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"),
    ("latin", r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    ("cyrillic", r"[\u0400-\u052f]"),
    ("greek", r"[\u0370-\u03ff]"),
    ("arabic", r"[\u0600-\u06ff\u0750-\u077f]"),
    ("hebrew", r"[\u0590-\u05ff]"),
    ("devanagari", r"[\u0900-\u097f]"),
    ("thai", r"[\u0e00-\u0e7f]"),
)
_SEARCHES = tuple((name, re.compile(pattern)) for name, pattern in _SCRIPTS)
_WORD = re.compile(r"[A-Za-z]+")


def language_of(text: str) -> str:
    """ "ko", "ja", "en", or the name of a script; "other" for other letters, "" without any letter."""
    seen = text[:LOOKED_AT]
    if seen.isascii():
        return _latin(seen) if _WORD.search(seen) else ""
    counts = {name: len(search.findall(seen)) for name, search in _SEARCHES}
    counts["latin"] //= 2
    if counts["ja"]:
        counts["ja"] += counts.pop("han")  # Japanese mixes both, Chinese has no kana
    most = max(counts, key=lambda name: counts[name])
    if counts[most] or _WORD.search(seen):
        return _latin(seen) if most == "latin" or not counts[most] else most
    return "other" if any(character.isalpha() for character in seen) else ""


def _latin(text: str) -> str:
    words = [word.lower() for word in _WORD.findall(text)]
    common = sum(word in _ENGLISH for word in words)
    return "en" if common and common * 8 >= len(words) else "latin"
