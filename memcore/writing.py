"""What a writer of episodes and facts is given, what it returns, and what its calls cost (RecMem).

Whoever writes, a model or rules, stands behind `Writer`. What it returns is checked here: it may not tell
of passages or turns that it was not given, nor return nothing. What is refused is a ReplyInvalid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from memcore.errors import ReplyInvalid
from memcore.records import Content, MadeBy, Moment, Operation, Spent, Vector

MOST_EPISODES = 3
MOST_FACTS = 9  # "fewer than ten"
_T = TypeVar("_T")


class Line(NamedTuple):
    """A turn of a unit as a writer reads it."""

    turn_id: str
    speaker: str
    text: str
    role: str = ""


class Passage(NamedTuple):
    """A unit as a writer reads it: what was said, turn by turn, and when."""

    unit_id: str
    lines: tuple[Line, ...]
    said: Moment


class EpisodeDraft(NamedTuple):
    """A few coherent paragraphs, and the passages they tell of, by index."""

    text: str
    passages: tuple[int, ...]


class FactDraft(NamedTuple):
    """An atomic fact and the passages it was taken from; turn and span where it stands there verbatim."""

    text: str
    passages: tuple[int, ...]
    turn_id: str = ""
    span: tuple[int, int] | None = None


class Reply(NamedTuple, Generic[_T]):
    """What one call of a writer gave, and the tokens it took."""

    value: _T
    sent: int
    received: int


class Writer(Protocol):
    """The role behind consolidation. Each method is one call and may raise ModelError."""

    made_by: MadeBy

    def merge(self, episode: str, passages: Sequence[Passage]) -> Reply[str | None]:
        """The episode with these passages told in it; None where they do not belong to it."""
        ...

    def consolidate(self, passages: Sequence[Passage]) -> Reply[list[EpisodeDraft]]:
        """One to three episodes of passages in the order of time."""
        ...

    def refine(
        self, episode: str, passages: Sequence[Passage], known: Sequence[str]
    ) -> Reply[list[FactDraft]]:
        """Fewer than ten facts, rather of what the episode dropped, and none that is known already."""
        ...


@dataclass(frozen=True, slots=True)
class Roles:
    """Who writes, where the words of units are read when a writer needs them, and where a text that came
    of units lies among the others (None where that cannot be told).

    `stated` is the fact that stands where a draft was found already, if there is one; `removed` says
    whether a person took away what stood there.
    """

    writer: Writer
    read: Callable[[Sequence[str]], list[Passage]]
    place: Callable[[Content], Vector | None]
    stated: Callable[[FactDraft], Content | None] = lambda draft: None
    removed: Callable[[FactDraft], bool] = lambda draft: False


@dataclass
class Bill:
    """The calls made for one unit. One that failed is on it too, with no tokens known."""

    spent: list[Spent] = field(default_factory=list[Spent])

    def call(self, operation: Operation, ask: Callable[[], Reply[_T]]) -> _T:
        self.spent.append(Spent(operation, 0, 0))
        reply = ask()
        self.spent[-1] = Spent(operation, reply.sent, reply.received)
        return reply.value


def shared_out(drafts: Sequence[EpisodeDraft], passages: int) -> list[list[int]]:
    """Which passages each episode rests on; one that no draft names rests under the first, never lost.

    Raises ReplyInvalid for no episode, too many, or a passage that was not given.
    """
    must(1 <= len(drafts) <= MOST_EPISODES, "no episode, or more than three")
    named = [indexes(d.passages, passages) for d in drafts]
    unnamed = set(range(passages)).difference(*named)
    return [sorted({*own, *(unnamed if i == 0 else ())}) for i, own in enumerate(named)]


def indexes(given: Sequence[int], passages: int) -> list[int]:
    must(bool(given) and all(0 <= i < passages for i in given), "a passage that it was not given")
    return sorted(set(given))


def stands(draft: FactDraft, passages: Sequence[Passage]) -> bool:
    """Whether a draft that names a span stands there word for word, in the turn it names."""
    if draft.span is None:
        return True
    start, end = draft.span
    told = [passages[i] for i in indexes(draft.passages, len(passages))]
    texts = [line.text for p in told for line in p.lines if line.turn_id == draft.turn_id]
    return 0 <= start < end and draft.text.strip() in [t[start:end].strip() for t in texts]


def must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ReplyInvalid(f"The writer replied with {otherwise}.")
