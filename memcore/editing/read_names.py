"""The names behind the keys in corrections: as they were read, when no cue or tag is called so any more."""

from __future__ import annotations

from memcore.editing.corrections import Overlay
from memcore.words import normalise

OF_NAMES = ("name", "merged", "removed", "exists")  # what can be corrected about the name of a cue or tag


def read_names(overlay: Overlay) -> dict[tuple[str, str], list[str]]:
    """By target and key, every writing in which a corrected name was read."""
    found: dict[tuple[str, str], list[str]] = {}
    for c in overlay.all:
        if c.slot in OF_NAMES and c.extracted is not None:
            found.setdefault((c.target, normalise(str(c.extracted))), []).append(str(c.extracted))
    return found
