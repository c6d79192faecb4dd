"""A question made ready once: its vector, its words and what the extractor reads from it.

Everything that would call a model happens here, so the loop, a replay or a slider calls none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from memcore.errors import InputError
from memcore.extraction import Extraction
from memcore.graph import Floats, Graph
from memcore.llm.protocols import Embedder, vector_of
from memcore.records import Moment
from memcore.words import fold, terms

LONGEST = 4_000


QueryReader = Callable[[str, Moment, frozenset[str]], Extraction]
"""The extractor's other half: what a question names, given the people known to this memory."""


@dataclass(frozen=True, slots=True)
class Question:
    """`vector` is (dimension,) or empty in zero-model mode; `terms` are keyed hashes of its words."""

    text: str
    vector: Floats
    terms: tuple[int, ...]
    found: Extraction
    speakers: tuple[str, ...]


def prepare(
    text: str,
    asked: Moment,
    graph: Graph,
    reader: QueryReader,
    embedder: Embedder,
    hashed: Callable[[Sequence[str]], Iterable[int]],
) -> Question:
    """Read and embed a question.

    Raises InputError for an empty question, one of more than 4,000 characters or of half ones.
    """
    stripped = text.strip()
    if not stripped:
        raise InputError("The question is empty: ask something, in any language.")
    if len(stripped) > LONGEST:
        raise InputError(f"The question is longer than {LONGEST:,} characters: shorten it.")
    try:
        stripped.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError("The question holds half a character: type it again.") from error
    found = reader(stripped, asked, graph.speakers)
    vector = vector_of(embedder, stripped)
    if vector is None:
        vector = np.zeros(embedder.dimension, dtype=np.float32)
    named = {fold(c.name) for c in found.cues if c.cue_kind == "people"}
    speakers = tuple(sorted(s for s in graph.speakers if fold(s) in named))
    return Question(stripped, vector, tuple(int(h) for h in hashed(terms(stripped))), found, speakers)
