"""Which values a setting may have: what a person types is checked here, before anything is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple, get_args

from memcore.access.permissions import MOST_SENSITIVE
from memcore.errors import InputError
from memcore.records import Counting, MergeOrder
from memcore.settings import DEFAULT, Settings

MOST = 1_000_000_000
WORDS: dict[str, tuple[str, ...]] = {"counting": get_args(Counting), "merge_order": get_args(MergeOrder)}
SHARES = frozenset(
    ("jaccard", "open_before_loop", "keep_above", "common_cue", "chain_other", "lead_above", "fusion_dense",
     "enough_below", "auto_grow", "theta_sim", "merge_threshold", "share_moved", "similar_above",
     "neighbour_before", "neighbour_second", "blend_alone")
)  # fmt: skip
FROM_ZERO = frozenset(
    ("seeds", "reverse_cues", "lead_spares_below", "lead_names", "tree_hints", "tree_revisions",
     "tree_revisions_per_boundary", "model_retries", "model_asked_again", "run_calls", "run_tokens",
     "day_calls", "day_tokens", "near_facts", "tier_subconscious", "tier_episodic", "tier_semantic",
     "rank_tags_above", "pair_rank_above", "window_lists_below", "nearest_cues", "nearest_tags", "topics",
     "withheld_named")
)  # fmt: skip
"""Whole numbers that may be 0: nothing is taken, or there is no limit. All others are at least 1."""
ABOVE_ZERO = frozenset(
    ("model_connect_seconds", "model_silence_seconds", "model_seconds", "pattern_seconds", "auto_high",
     "idle_minutes")
)  # fmt: skip


class Bounds(NamedTuple):
    """The smallest and the largest number, and whether the smallest is still allowed."""

    least: float
    most: float
    closed: bool = True

    def hold(self, value: float) -> bool:
        return self.least <= value <= self.most and (self.closed or value > self.least)


def bounds(name: str) -> Bounds:
    """Of a setting that is a number."""
    if name in SHARES or name.startswith("w_"):
        return Bounds(0, 1)
    if name.startswith("clearance_"):
        return Bounds(0, MOST_SENSITIVE)
    if isinstance(getattr(DEFAULT, name), int):
        return Bounds(0 if name in FROM_ZERO else 1, MOST)
    return Bounds(0, MOST, name not in ABOVE_ZERO)


def checked(name: str, value: Any) -> Any:
    """The value as it is kept: a whole number may be written as 3.0. Raises InputError in one sentence."""
    if name not in {f.name for f in fields(Settings)}:
        raise InputError(f"There is no setting called {name[:60]!r}.")
    normal = getattr(DEFAULT, name)
    if isinstance(normal, bool):
        return _true_or_false(name, value)
    if isinstance(normal, str):
        return _one_of(name, value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -(MOST**2) < value < MOST**2:
        raise InputError(f"The setting {name} is a number.")
    if isinstance(normal, int) and value != int(value):
        raise InputError(f"The setting {name} is a whole number.")
    return _within(name, int(value) if isinstance(normal, int) else float(value))


def changed(base: Settings, values: Mapping[str, Any]) -> Settings:
    """The settings with these values in place of others. Raises InputError for one that cannot be."""
    return replace(base, **{name: checked(name, value) for name, value in values.items()})


def _true_or_false(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"The setting {name} is either on or off.")
    return value


def _one_of(name: str, value: Any) -> str:
    if value not in WORDS[name]:
        raise InputError(f"The setting {name} is one of: {', '.join(WORDS[name])}.")
    return str(value)


def _within(name: str, value: float) -> float:
    allowed = bounds(name)
    if not allowed.hold(value):
        least = f"at least {allowed.least:g}" if allowed.closed else f"more than {allowed.least:g}"
        most = f" and at most {allowed.most:g}" if allowed.most < MOST else ""
        raise InputError(f"The setting {name} must be {least}{most}.")
    return value
