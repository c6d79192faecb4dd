"""The one way memory text reaches a page: neutralised, and escaped so that markdown stays text.

Streamlit's markdown runs no script, but it fetches images, so a stored `![](http://…)` would phone
home when it is read. Labels, captions, buttons and headings are markdown too: give them `plain(text)`.
"""

from __future__ import annotations

import re

from memcore.view.text import neutral, right_to_left, shorten

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# An address becomes a link even where every mark is escaped, unless it is no whole word.
_ADDRESS = re.compile(r"https?(?=://)|www(?=\.)|@(?=\w)", re.IGNORECASE)
_WORD_JOINER = "\u2060"
_ISOLATE, _END = "\u2068", "\u2069"


def plain(text: str, limit: int | None = None) -> str:
    """Text for any markdown of Streamlit: nothing in it is markup.

    With a `limit` it is one line of at most that many characters. Right-to-left text is isolated, so
    that it cannot reorder what stands beside it.
    """
    shown = neutral(text) if limit is None else shorten(text, limit)
    unlinked = _ADDRESS.sub(rf"\g<0>{_WORD_JOINER}", shown)
    escaped = _PUNCTUATION.sub(r"\\\1", unlinked).replace("\n", "  \n")
    return f"{_ISOLATE}{escaped}{_END}" if right_to_left(shown) else escaped


def verbatim(text: str, limit: int | None = None) -> str:
    """Text for `st.text`, `st.code`, table cells and options, which show it literally."""
    return neutral(text) if limit is None else shorten(text, limit)
