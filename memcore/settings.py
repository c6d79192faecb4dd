"""Every threshold and budget: its value, what it does and where it comes from.

One frozen dataclass; `dataclasses.replace` makes a variant. Sources: "paper" and "reference" are
MRAgent (arXiv 2606.06036) and its code; "ours" was chosen here, "tuned" on the first three LoCoMo
conversations (see the README's figures).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple

Source = Literal["paper", "reference", "ours", "tuned"]


class About(NamedTuple):
    """One row of the settings page."""

    name: str
    value: Any
    says: str
    source: Source


def _set(value: Any, says: str, source: Source) -> Any:
    return field(default=value, metadata={"says": says, "source": source})


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration. Counts are counts, weights and thresholds lie in [0, 1]."""

    # the loop
    budget: int = _set(20, "origin turns that one reconstruction may read", "ours")
    steps: int = _set(8, "steps (rounds) of one reconstruction", "reference")
    calls_per_step: int = _set(10, "traversals that one step may run", "reference")
    calls: int = _set(50, "traversals that one reconstruction may run in all", "reference")
    coarse: int = _set(80, "candidates kept by the cheap score", "reference")
    fine: int = _set(20, "candidates kept by the full ranking", "reference")
    # starting from the query
    jaccard: float = _set(0.6, "word overlap at which a cue's name matches a query cue", "reference")
    nearest_cues: int = _set(15, "cues nearest to the query by embedding that are activated", "ours")
    nearest_tags: int = _set(25, "tags nearest to the query by embedding that are activated", "ours")
    topics: int = _set(8, "topics offered at the start", "reference")
    # traversing
    rank_tags_above: int = _set(15, "rank the tags of a cue only when it has more than these", "reference")
    keep_tags: int = _set(10, "tags of one cue kept by that ranking", "reference")
    open_before_loop: float = _set(0.7, "tag score at which its contents are offered before the loop", "reference")
    window_lists_below: int = _set(50, "list all contents of an asked time window below this number", "reference")
    pair_rank_above: int = _set(20, "contents behind one (cue, tag) before they are ranked by the question", "reference")
    hub_cap: int = _set(400, "contents taken from one cue, nearest to the query first", "ours")
    # evidence
    answer_sentences: int = _set(3, "sentences of an extractive answer", "ours")
    # content granularity
    segment_chars: int = _set(1200, "a turn longer than this is cut into segments (what the embedder sees)", "ours")
    # store
    lock_seconds: float = _set(30.0, "how long a second writer waits for its turn", "ours")
    optimize_every: int = _set(100, "commits between two compactions of the store", "ours")
    import_batch: int = _set(500, "turns written by one commit of an import", "ours")

    def about(self) -> list[About]:
        """All settings with their sentence and source, in the order of the file."""
        return [
            About(f.name, getattr(self, f.name), f.metadata["says"], f.metadata["source"])
            for f in fields(self)
        ]


DEFAULT = Settings()
