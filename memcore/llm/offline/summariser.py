"""Compress without a model: the sentences of a stretch of steps that say most, word for word.

A sentence counts for the words it shares with the task, for stating what later steps may need (`gives`,
`needs`, a total, a number), for a failure, and for standing in the last step. Those chosen stay in order,
after a line of what was done.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memcore.llm.offline.verifier import ends_of, failure_in
from memcore.records import MadeBy
from memcore.state_tree import Segment
from memcore.words import terms

SENTENCES = 6
CHARS = 200  # of one sentence
ACTIONS = 8

_END = re.compile(r"(?<=[.!?。])\s+|\n+")
_STATES = re.compile(r"\b(?:gives|needs|total|left|result|found)\b", re.I)
_DIGIT = re.compile(r"\d")


class Scored(NamedTuple):
    """A sentence, where it stands, and how much it says."""

    score: float
    step: int
    text: str


class ExtractiveSummariser:
    """At most SENTENCES sentences and ACTIONS actions. Deterministic."""

    made_by: MadeBy = "rule"

    def summarise(self, task: str, segment: Segment) -> str:
        """A summary of the steps; never empty."""
        asked = set(terms(task))
        last = segment.steps[-1].position if segment.steps else 0
        sentences: dict[str, Scored] = {}
        for step in segment.steps:
            for text in _END.split(ends_of(step.observation)):
                plain = " ".join(text.split())[:CHARS]
                if plain:
                    sentences[plain] = Scored(
                        _says(plain, asked, step.position == last), step.position, plain
                    )
        best = sorted(sentences.values(), key=lambda s: (-s.score, -s.step))[:SENTENCES]
        told = " ".join(f"{s.text.rstrip('.')}." for s in sentences.values() if s in best)
        return f"Did: {_actions(segment)}. {told}".strip()


def _actions(segment: Segment) -> str:
    actions = [" ".join(step.action.split())[:60] for step in segment.steps]
    more = f" and {len(actions) - ACTIONS} more before" if len(actions) > ACTIONS else ""
    return "; ".join(actions[-ACTIONS:]) + more


def _says(text: str, asked: set[str], last: bool) -> float:
    return (
        len(asked & set(terms(text)))
        + 3 * bool(_STATES.search(text))
        + bool(_DIGIT.search(text))
        + 2 * bool(failure_in(text))
        + last
    )
