"""How often the failing-step rules point near the step that a person labelled as the mistake (Who&When).

A run counts as found when one of the steps pointed at lies within `WITHIN` steps of the label. Beside it
stands what chance would reach: the same number of different steps of the same run, drawn at random,
1 - C(n - w, k) / C(n, k) for n steps, k of them pointed at and w of them near the label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb
from pathlib import Path
from typing import NamedTuple

from memcore.detecting import failing_steps
from memcore.errors import UnknownFormat
from memcore.importing import find_files
from memcore.importing.runs import DraftRun, read_runs

WITHIN = 2
POINTED = (1, 2, 3)


class Pointing(NamedTuple):
    """The share of labelled runs that pointing at no more than `most` steps finds, and that of chance."""

    most: int
    runs: int
    found: float
    chance: float


def measure(runs: Iterable[DraftRun], pointed: tuple[int, ...] = POINTED) -> list[Pointing]:
    """One row per number of steps pointed at; runs without a label are left out."""
    labelled = [(run, run.wrong_step) for run in runs if run.wrong_step is not None]
    rows: list[Pointing] = []
    for most in pointed:
        found, by_chance = 0, 0.0
        for run, wrong in labelled:
            places = [suspect.position for suspect in failing_steps(run.steps, most)]
            found += any(abs(place - wrong) <= WITHIN for place in places)
            by_chance += chance(len(run.steps), wrong, len(places))
        count = len(labelled)
        rows.append(
            Pointing(most, count, found / count, by_chance / count) if count else Pointing(most, 0, 0, 0)
        )
    return rows


def chance(steps: int, wrong: int, pointed: int) -> float:
    """How likely `pointed` different steps drawn at random from `steps` include one near `wrong`."""
    near = sum(abs(place - wrong) <= WITHIN for place in range(1, steps + 1))
    pointed = min(pointed, steps)
    return 1 - comb(steps - near, pointed) / comb(steps, pointed)


def labelled_runs(path: Path | str) -> Iterator[DraftRun]:
    """The runs with a labelled mistake in a file or below a folder; other files are passed over."""
    for file in find_files(path):
        try:
            reading = read_runs(file)
        except UnknownFormat:
            continue
        yield from (run for run in reading.runs if run.wrong_step is not None)
