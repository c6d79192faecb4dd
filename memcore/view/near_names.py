"""Pairs of cues that probably mean the same: names one letter or one word order apart, and near vectors.

A Korean syllable is written with two or three letters, and compared letter by letter like any name. No
name is compared with every other. Names one edit apart share a name with one letter left out, so these are
the blocks of the first comparison; the second blocks by the set of words. Vectors are multiplied in blocks
for the busiest cues only, which bounds the time for a memory of any size.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from memcore.graph import Graph

SHORTEST, LONGEST = 5, 40  # letters of a key that is compared letter by letter
BLOCK = 24  # names in one block; a larger one says nothing
NAMES = 12_000  # cues whose names are compared letter by letter, the busiest first
COMPARED = 3000  # cues whose vectors are compared, likewise
ROWS = 500
NEAR = 0.93  # cosine
SAME = 0.999  # cosine of names that the embedder cannot tell apart
MOST = 2000  # pairs
_NAMES = ("people", "entity", "location")


class Pair(NamedTuple):
    """Two cues by their index, the busier first, and why they may be one."""

    first: int
    second: int
    why: str


def pairs(graph: Graph) -> list[Pair]:
    """The pairs, those on the most memories first; at most MOST."""
    found: dict[tuple[int, int], str] = {}
    for one, other, why in (*_by_letters(graph), *_by_words(graph), *_by_vectors(graph)):
        found.setdefault((min(one, other), max(one, other)), why)
    degree = graph.cue_degrees
    ranked = sorted(found.items(), key=lambda item: (-int(degree[item[0][0]] + degree[item[0][1]]), item[0]))
    return [
        Pair(*sorted(both, key=lambda i: (-int(degree[i]), i)), why)  # type: ignore[misc]
        for both, why in ranked[:MOST]
    ]


def _by_letters(graph: Graph) -> Iterator[tuple[int, int, str]]:
    """One letter more, less, other or exchanged. Numbers must be the same: room 12 is not room 13."""
    kinds = graph.columns.cue_kinds
    keys: dict[int, str] = {}
    blocks: dict[str, list[int]] = {}
    busiest: list[int] = np.argsort(-graph.cue_degrees, kind="stable")[:NAMES].tolist()
    for i in busiest:
        key = keys[i] = _letters(graph.columns.cue_keys[i])
        if kinds[i] != "time" and SHORTEST <= len(key) <= LONGEST:
            for name in {key, *(key[:at] + key[at + 1 :] for at in range(len(key)))}:
                blocks.setdefault(name, []).append(i)
    for block in blocks.values():
        if 1 < len(block) <= BLOCK:
            for at, one in enumerate(block):
                for other in block[at + 1 :]:
                    names = kinds[one] in _NAMES and kinds[other] in _NAMES
                    if _one_apart(keys[one], keys[other], names=names):
                        yield one, other, "one letter apart"


def _letters(key: str) -> str:
    """A key with its Korean syllables taken apart into their letters."""
    return "".join(unicodedata.normalize("NFD", c) if "가" <= c <= "힣" else c for c in key)


def _one_apart(a: str, b: str, *, names: bool) -> bool:
    """Whether one insertion, deletion, replacement or exchange makes one of the other.

    Of words that are no names, only inside of long ones: elsewhere it mostly makes another word, or the
    same word in another form (dream and dreamy).
    """
    if len(a) > len(b):
        a, b = b, a
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    inside = 2 < start < len(a) - 2 and len(a) >= 8
    if start == 0 or not (names or inside) or b[start : start + 1].isdigit():
        return False
    if len(b) - len(a) == 1:
        return a[start:] == b[start + 1 :]
    if len(a) != len(b) or a == b or a[start].isdigit():
        return False
    exchanged = a[start : start + 2] == b[start : start + 2][::-1] and a[start + 2 :] == b[start + 2 :]
    return exchanged or a[start + 1 :] == b[start + 1 :]


def _by_words(graph: Graph) -> Iterator[tuple[int, int, str]]:
    """The same words in another order or writing: ice-cream and ice cream, Anna Berg and Berg, Anna."""
    keys, kinds = graph.columns.cue_keys, graph.columns.cue_kinds
    blocks: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(keys):
        if kinds[i] == "time":
            continue
        bare = _words(key)
        if len(bare) > 1:
            blocks.setdefault(("words", " ".join(sorted(bare))), []).append(i)
        joined = "".join(bare)
        if len(joined) >= SHORTEST:
            blocks.setdefault(("joined", joined), []).append(i)
    for block in blocks.values():
        if 1 < len(block) <= BLOCK:
            yield from ((block[0], other, "the same words") for other in block[1:])


def _words(key: str) -> list[str]:
    """The words of a key without accents and punctuation."""
    plain = (c for c in unicodedata.normalize("NFKD", key) if not "\u0300" <= c <= "\u036f")
    return "".join(c if c.isalnum() else " " for c in plain).split()


def _by_vectors(graph: Graph) -> Iterator[tuple[int, int, str]]:
    """Near in meaning, but for names that the embedder takes for others: it does not know their words."""
    found = list(_near(graph))
    keys = graph.columns.cue_keys
    blurred = {i for *both, near in found if near >= SAME and _differ(*(keys[i] for i in both)) for i in both}
    for one, other, near in found:
        if blurred.isdisjoint((one, other)):
            yield one, other, f"near in meaning ({near:.2f})"


def _differ(a: str, b: str) -> bool:
    return sorted(_words(a)) != sorted(_words(b))


def _near(graph: Graph) -> Iterator[tuple[int, int, float]]:
    """Pairs of the busiest cues whose vectors are near, with the cosine."""
    vectors, kinds, names = graph.columns.cue_vectors, graph.columns.cue_kinds, graph.columns.cue_keys
    if not all(vectors.shape):
        return
    busiest = np.argsort(-graph.cue_degrees, kind="stable")[:COMPARED]
    rows = np.asarray(vectors[busiest], np.float32)
    length = np.linalg.norm(rows, axis=1)
    keep = np.array([kinds[i] != "time" for i in busiest], bool) & (length > 0)
    busiest, rows = busiest[keep], rows[keep] / length[keep, None]
    for start in range(0, len(rows), ROWS):
        near = rows[start : start + ROWS] @ rows[start:].T
        ones, others = np.nonzero(np.triu(near, 1) >= NEAR)
        for one, other in zip(ones.tolist(), others.tolist(), strict=True):
            a, b = int(busiest[start + one]), int(busiest[start + other])
            if _digits(names[a]) == _digits(names[b]):
                yield a, b, float(near[one, other])


def _digits(name: str) -> str:
    return "".join(c for c in name if c.isdigit())
