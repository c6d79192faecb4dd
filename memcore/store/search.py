# pyright: basic, reportCallIssue=false
"""Full text over turns, contents and steps: English by stems, Korean inside an eojeol by pairs of syllables.

Two indexes answer and their BM25 scores add up. The question is handed over as a query object, so
that no character of it is syntax.
"""

from __future__ import annotations

from collections.abc import Sequence

from lancedb.query import MatchQuery

from memcore.errors import InputError
from memcore.store.rows import grams_of
from memcore.store.tables import Table

_LONGEST = 1_000
_SEARCHED = ("turn", "content", "step")


def search(items: Table, text: str, kinds: Sequence[str], limit: int) -> list[tuple[str, float]]:
    """(id, score) of the best rows, the best first; nothing when the text has no words."""
    if not set(kinds) <= set(_SEARCHED):
        raise InputError("Only turns, contents and steps of runs can be searched by their words.")
    asked = text[:_LONGEST].encode("utf-8", "ignore").decode().replace("\0", " ")
    where = " OR ".join(f"kind = '{kind}'" for kind in kinds)
    if limit < 1 or not where or not any(c.isalnum() for c in asked):
        return []
    scores: dict[str, float] = {}
    for query in _queries(asked):
        for row in items.match(query, f"({where})", limit).to_pylist():
            scores[row["id"]] = scores.get(row["id"], 0.0) + row["_score"]
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


def _queries(text: str) -> list[MatchQuery]:
    grams = grams_of(text)
    return [MatchQuery(text, "text"), *([MatchQuery(grams, "grams")] if grams else [])]
