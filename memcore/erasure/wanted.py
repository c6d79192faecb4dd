"""What somebody looks for, to erase or redact it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memcore.words import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for. Several criteria narrow each other down.

    `text` stands anywhere, case and form of characters apart; `pattern` is a regular expression.
    Conversation, file and run are named by id or name. `since` and `until` are days, both included. `like`
    is an example to which similar memories are offered, `ids` are records named outright.
    """

    text: str = ""
    pattern: str = ""
    person: str = ""
    cue: str = ""
    tag: str = ""
    conversation: str = ""
    file: str = ""
    run: str = ""
    trace: str = ""
    like: str = ""
    since: date | None = None
    until: date | None = None
    ids: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing, or for words of which nobody sees a character: all texts have them."""
        said = (self.text, self.person, self.cue, self.tag)
        return self == Wanted() or any(w and not fold(w).strip() for w in said)

    @property
    def timed(self) -> bool:
        """Whether only what was said in a time is meant."""
        return self.since is not None or self.until is not None

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are looked for: to be marked, and to be looked for on disk afterwards."""
        return tuple(w for w in (self.text, self.person, self.cue, self.tag) if w.strip())
