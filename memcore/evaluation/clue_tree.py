"""MRAgent, section 3 (what active access can express): the clue tree, a memory made for that claim.

In a treasure hunt each clue names the next one, and nothing else leads there: the question names the
first person only, and no later clue shares a word with it. A policy that fixes what it reads from the
question alone spends its budget on the many turns that talk about the same thing; one that lets a clue
choose the next is there after `depth` hops: `depth + 1` reads, times `branching` with every dead end.
`clue_tree` generates such a story, the same one for the same arguments.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from typing import Any

from memcore.errors import InputError
from memcore.evaluation.clue_texts import (
    DEAD_ENDS,
    EMPTY_FINDS,
    FIRST,
    LAST,
    MIDDLE,
    NAME_PARTS,
    OTHER_FIRST,
    PLACE_ENDS,
    PLACE_STARTS,
    QUESTION,
    RUMOURS,
    SPEAKERS,
    TAILS,
    THE_FIND,
)

OTHER_HUNTS = 8
# Few names carry all rumours, so each of them is a hub that many turns hang on.
GOSSIPED = 4
MOST_DEPTH = 30
FEWEST_RUMOURS = 60
SESSIONS = 12


@dataclass(frozen=True, slots=True)
class ClueTurn:
    """One turn of the story. `said` is ISO 8601 with a zone, `session` counts the days from "1"."""

    id: str
    speaker: str
    text: str
    said: str
    session: str


@dataclass(frozen=True, slots=True)
class ClueTree:
    """The story in order, its question, and the ids of the clues in the order they must be followed."""

    turns: tuple[ClueTurn, ...]
    question: str
    answer: str
    evidence: tuple[str, ...]
    depth: int
    branching: int
    seed: int


def clue_tree(depth: int = 3, branching: int = 3, seed: int = 7, turns: int = 240) -> ClueTree:
    """A hunt of `depth` hops (one clue more) among other hunts and rumours.

    `turns` counts all turns: at least as many as the hunts and 60 rumours take, at most as many as there
    are different rumours (about 6,000). Each person of a hunt is met in `branching` turns after being named:
    the clue, and dead ends that name nobody else. The hunts of other years have the same shape, and the
    rumours are about their people, so that whoever expands what the question finds arrives there.
    Raises InputError for a shape that cannot be told.
    """
    _check(depth, branching)
    rng = random.Random(seed)
    hunts, places = _people(rng, depth + 1), _places(rng)
    answer, decoy_places = places[0], places[1:]
    clues = list(_hunt(rng, FIRST, hunts[0], f"{answer}, {THE_FIND}"))
    around = _dead_ends(rng, hunts, branching)
    for people, find in zip(hunts[1:], EMPTY_FINDS, strict=True):
        around += _hunt(rng, OTHER_FIRST, people, f"{rng.choice(decoy_places)}, {find}")
    wanted = max(turns - len(clues) - len(around), FEWEST_RUMOURS)
    around += _rumours(rng, [people[0] for people in hunts[1 : GOSSIPED + 1]], decoy_places, wanted)
    texts, steps = _shuffle_in(rng, clues, around)
    told = tuple(_tell(rng, texts))
    return ClueTree(
        turns=told,
        question=QUESTION.format(name=hunts[0][0]),
        answer=answer,
        evidence=tuple(told[i].id for i in steps),
        depth=depth,
        branching=branching,
        seed=seed,
    )


def as_lines(tree: ClueTree) -> list[dict[str, Any]]:
    """The story as objects of our own JSONL format, one per turn."""
    return [
        {
            "conversation": f"clue-tree-{tree.depth}-{tree.branching}-{tree.seed}",
            "title": "The clue tree",
            "speaker": turn.speaker,
            "text": turn.text,
            "at": turn.said,
            "id": turn.id,
            "session": turn.session,
        }
        for turn in tree.turns
    ]


def _check(depth: int, branching: int) -> None:
    if not 2 <= depth <= MOST_DEPTH:
        raise InputError(f"A clue tree has a depth of 2 to {MOST_DEPTH}, not {depth}.")
    if not 1 <= branching <= len(DEAD_ENDS) + 1:
        raise InputError(f"A clue tree has a branching of 1 to {len(DEAD_ENDS) + 1}, not {branching}.")


def _people(rng: random.Random, clues: int) -> list[list[str]]:
    """One name per clue of each hunt; no two share both ends, so that none is taken for another."""
    starts, vowels, ends = (part.split() for part in NAME_PARTS)
    pairs = rng.sample(list(product(starts, ends)), clues * (OTHER_HUNTS + 1))
    names = [start + rng.choice(vowels) + end for start, end in pairs]
    return [names[i : i + clues] for i in range(0, len(names), clues)]


def _places(rng: random.Random) -> list[str]:
    """Place names without a common part: a shared word would be a cue that leads to the answer."""
    starts, ends = PLACE_STARTS.split(), PLACE_ENDS.split()
    rng.shuffle(starts)
    rng.shuffle(ends)
    return [a + b for a, b in zip(starts, ends, strict=True)]


def _hunt(rng: random.Random, first: str, people: list[str], find: str) -> Iterator[str]:
    """The clues of one hunt in order: each names the next person, the last one the find."""
    middle = rng.sample(MIDDLE, len(MIDDLE))
    for step, (here, there) in enumerate(pairwise(people)):
        form = first if step == 0 else middle[step % len(middle)]
        yield form.format(here=here, next=there)
    yield LAST.format(here=people[-1], find=find)


def _dead_ends(rng: random.Random, hunts: list[list[str]], branching: int) -> list[str]:
    return [
        form.format(here=person)
        for people in hunts
        for person in people
        for form in rng.sample(DEAD_ENDS, branching - 1)
    ]


def _rumours(rng: random.Random, names: list[str], places: list[str], wanted: int) -> list[str]:
    """Turns about the question's topic that lead nowhere, no two of them the same."""
    told = (
        f"{rumour.format(name=name, place=place)} {tail}"
        for rumour, tail, name, place in product(RUMOURS, TAILS, names, places)
    )
    every = list(dict.fromkeys(told))
    return rng.sample(every, min(wanted, len(every)))


def _shuffle_in(rng: random.Random, clues: list[str], around: list[str]) -> tuple[list[str], list[int]]:
    """All texts in their final order, and where the clues stand: in order, each in its own stretch.

    A clue never stands at the edge of its stretch, so no two clues are neighbours of each other.
    """
    rng.shuffle(around)
    size = len(around) // len(clues)
    texts: list[str] = []
    steps: list[int] = []
    for number, clue in enumerate(clues):
        stretch = around[number * size : (number + 1) * size if number + 1 < len(clues) else None]
        cut = rng.randint(2, len(stretch) - 2)
        steps.append(len(texts) + cut)
        texts += [*stretch[:cut], clue, *stretch[cut:]]
    return texts, steps


def _tell(rng: random.Random, texts: list[str]) -> Iterator[ClueTurn]:
    """The texts as turns of two cousins, spread over the evenings of the hunt."""
    first = datetime(2024, 9, 2, 18, 0, tzinfo=UTC)
    size = -(-len(texts) // SESSIONS)
    for i, text in enumerate(texts):
        day, minute = divmod(i, size)
        said = first + timedelta(days=day, minutes=2 * minute)
        yield ClueTurn(f"C{day + 1}:{minute + 1}", rng.choice(SPEAKERS), text, said.isoformat(), str(day + 1))
