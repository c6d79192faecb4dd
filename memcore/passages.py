"""What a model is given to read at once: two consecutive turns, RecMem's unit of experience, as a passage."""

from __future__ import annotations

from collections.abc import Sequence

from memcore.construction import uttered
from memcore.records import Turn
from memcore.writing import Line, Passage

LONGEST_TOLD = 4_000  # characters of a turn that a writer is given: what the embedder sees of it


def paired(turns: Sequence[Turn]) -> list[list[Turn]]:
    """Two consecutive turns of a session each; the last of an odd number stands alone."""
    pairs: list[list[Turn]] = []
    for turn in uttered(turns):
        if pairs and len(pairs[-1]) == 1 and pairs[-1][0].session == turn.session:
            pairs[-1].append(turn)
        else:
            pairs.append([turn])
    return pairs


def passage(unit_id: str, turns: Sequence[Turn]) -> Passage:
    """A unit as a writer reads it."""
    lines = tuple(Line(t.id, t.speaker, t.text[:LONGEST_TOLD], t.role) for t in turns)
    return Passage(unit_id, lines, turns[0].said)
