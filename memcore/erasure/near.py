"""Near matches, offered for review: what may be meant too, and is erased only when a person says so.

Another spelling (one letter, two in a long word), another form (a Korean particle, a plural, a number written
otherwise), another name that a correction leads to the same cue, somebody else's mention of a person, words
split over two turns, a memory much like an example. All there are: what is left out in silence would stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from memcore.editing.corrections import Overlay
from memcore.erasure.across import across
from memcore.erasure.find import Hit, Holding, hit_of
from memcore.erasure.numbers import numbers, written
from memcore.erasure.spelling import alone, names, spelled
from memcore.erasure.wanted import Wanted
from memcore.records import Cue, Record, Tag
from memcore.vectors import Vectors
from memcore.words import fold, normalise, tokens

_WHOSE = ("speaker", "speakers", "author", "subkind")  # whose it is and its kind: nothing about anybody
Near = Literal["mention", "alias", "other_form", "spelling"]
_LONG = 8  # letters from which two may differ
_SHORT = 4  # letters below which none may


class Graphs(Protocol):
    """The contents of a memory with their vectors."""

    content_ids: list[str]

    @property
    def content_vectors(self) -> Vectors: ...


def near(
    wanted: Wanted,
    held: Sequence[Holding],
    inside: Callable[[Holding], bool],
    chosen: Iterable[Hit],
    overlay: Overlay,
    get: Callable[[Iterable[str]], dict[str, Record]],
) -> list[Hit]:
    """Near matches of a text, name or person inside what narrows the search, without what is chosen
    already."""
    said = wanted.text or wanted.cue or wanted.tag or wanted.person
    if not said:
        return []
    taken = {h.key[:2] for h in chosen}
    key = normalise(said)
    aliases = _aliases(key, chosen, overlay, get)
    looks = _Looks(said, key if said == wanted.person else "", aliases)
    found = [
        hit_of(h, how, said=looks.words(h.text, how))
        for h in held
        if h.part not in _WHOSE and inside(h) and (how := looks.at(h.text))
    ]
    return [h for h in (*found, *across(wanted.text, held, inside)) if h.key[:2] not in taken]


def similar(
    example: npt.NDArray[np.float32] | None, columns: Graphs, held: Sequence[Holding], above: float
) -> Iterator[Hit]:
    """Memories whose vector is near to that of an example, the nearest first."""
    if example is None or not columns.content_vectors.shape[1]:
        return
    scores = columns.content_vectors @ example
    alike = np.flatnonzero(scores >= above)
    texts = {h.id: h for h in held if h.kind == "content" and h.part == "text"}
    for at in alike[np.argsort(-scores[alike])]:
        if (h := texts.get(columns.content_ids[int(at)])) is not None:
            yield hit_of(h, "similar", round(float(scores[at]), 4))


def _aliases(
    key: str,
    chosen: Iterable[Hit],
    overlay: Overlay,
    get: Callable[[Iterable[str]], dict[str, Record]],
) -> set[str]:
    """Other names under which the same cue or tag is read, or was before it was renamed or merged."""
    ids = {h.id for h in chosen if h.kind in ("cue", "tag")}
    ids |= {
        c.record_id
        for c in overlay.all
        if c.slot in ("name", "merged") and key in (normalise(str(c.extracted)), normalise(str(c.corrected)))
    }
    nodes = [n for n in get(ids).values() if isinstance(n, Cue | Tag)]
    return {name for n in nodes for name in (n.key, *overlay.read_as(n))} - {key, ""}


class _Looks:
    """How texts come near to the words looked for. Remembers each text and each word: many recur."""

    def __init__(self, said: str, person: str, aliases: set[str]) -> None:
        self._said = [(t, normalise(t)) for t in tokens(said)]
        self._whole, self._person, self._aliases = fold(said), person, aliases
        self._numbers = numbers(self._whole)
        self._texts: dict[str, Near | None] = {}
        self._known: dict[str, tuple[int, ...]] = {}

    def at(self, text: str) -> Near | None:
        """How a text comes near; None where it does not, or holds the very words."""
        if text not in self._texts:
            self._texts[text] = self._looked(text)
        return self._texts[text]

    def words(self, text: str, how: Near) -> tuple[str, ...]:
        """The words by which a text comes near."""
        if how in ("mention", "alias"):
            keys = [self._person] if how == "mention" else sorted(self._aliases)
            return tuple(dict.fromkeys(w for key in keys for w in spelled(text, key)))
        near = [alone(t) for t in tokens(text) if min(self._of(t)) < 2]
        return tuple(dict.fromkeys((*(w for n in self._numbers for w in written(text, n)), *near)))

    def _looked(self, text: str) -> Near | None:
        if self._person and names(text, self._person):
            return "mention"
        if any(names(text, alias) for alias in self._aliases):
            return "alias"
        if not self._said or self._whole in fold(text):
            return None
        there = {*tokens(text)} | self._written(text)
        best = [min((self._of(token)[i] for token in there), default=2) for i in range(len(self._said))]
        return None if 2 in best else "other_form" if not any(best) else "spelling"

    def _written(self, text: str) -> set[str]:
        """The groups of digits of those numbers that a text writes, in whatever way."""
        found = [groups for n, groups in self._numbers.items() if next(written(text, n), None) is not None]
        return {group for groups in found for group in groups}

    def _of(self, token: str) -> tuple[int, ...]:
        """For each word looked for: 0 the same word, 1 nearly the same, 2 another."""
        known = self._known.get(token)
        if known is None:
            key = normalise(token)
            known = tuple(0 if key == own else 1 if _alike(token, said) else 2 for said, own in self._said)
            self._known[token] = known
        return known


def _alike(one: str, other: str) -> bool:
    """Whether a letter, or two in a long word, make the difference."""
    shorter = min(len(one), len(other))
    allowed = 0 if shorter < _SHORT else 2 if shorter >= _LONG else 1
    if not allowed or abs(len(one) - len(other)) > allowed:
        return False
    return _distance(one, other, allowed) <= allowed


def _distance(one: str, other: str, most: int) -> int:
    """Letters added, left out, changed or swapped; counted no further than `most` + 1."""
    older, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        oldest, older, row = older, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(row[j - 1] + 1, older[j] + 1, older[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, oldest[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
