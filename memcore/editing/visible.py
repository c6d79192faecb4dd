"""A text as it is seen: without characters that show nothing and make one name look like another.

Joiners, variation selectors and the tags of flags show nothing by themselves, but shape what is seen in emoji
and in scripts that join their letters, and stay there. What fills the place of a letter is seen as a space.
"""

from __future__ import annotations

import re

from memcore.words import seen

_EMOJI = (
    r"\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff"
)
_JOINING = r"\u0600-\u0dff\u1000-\u109f\u1780-\u180a\u1810-\u18af" + _EMOJI
_HAN = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SHAPING = re.compile(
    rf"((?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
    rf"|(?<=[{_EMOJI}0-9#*])[\ufe00-\ufe0f]"
    rf"|(?<=[{_HAN}])[\U000e0100-\U000e01ef]"
    r"|(?<=\U0001f3f4)[\U000e0020-\U000e007f]+)"
)
_FILLERS = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "))


def visible(text: str) -> str:
    """The text without what shows nothing."""
    if text.isascii():
        return text
    parts = _SHAPING.split(text.translate(_FILLERS))
    return "".join(part if number % 2 else seen(part) for number, part in enumerate(parts))
