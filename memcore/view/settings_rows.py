"""All thresholds as rows of a table: what each does, what it is, what it normally is, and who says so."""

from __future__ import annotations

from typing import Any, NamedTuple

from memcore.settings import DEFAULT, Settings, Source

SOURCES: dict[Source, str] = {
    "paper": "MRAgent, the paper",
    "reference": "MRAgent, its code",
    "recmem": "RecMem",
    "mage": "MAGE",
    "tuned": "tuned on LoCoMo",
    "ours": "chosen here",
}
_CALLED = {
    "budget": "Turns read",
    "calls_per_step": "Traversals per step",
    "calls": "Traversals",
    "coarse": "Candidates scored in full",
    "fine": "Candidates kept",
    "jaccard": "Words a cue must share",
    "seeds": "Start of a whole search",
    "topics": "Topics at the start",
    "rank_tags_above": "Tags ranked above",
    "keep_tags": "Tags kept",
    "open_before_loop": "Opened at the start",
    "window_lists_below": "Time listed whole below",
    "pair_rank_above": "Taken unranked",
    "hub_cap": "Taken from one cue",
    "w_dense": "Weight: embedding",
    "w_lexical": "Weight: shared words",
    "w_reverse": "Weight: found back",
    "neighbour_before": "Turn before evidence",
    "neighbour_second": "Second turn after",
    "keep_above": "Kept as evidence from",
    "reverse_cues": "Cues followed back",
    "common_cue": "Too common a cue",
    "chain_cap": "A rare cue at most",
    "chain_other": "Cues that are no names",
    "lead_spares_below": "Left to the question",
    "lead_names": "Rare names in full",
    "lead_above": "Leads followed from",
    "evidence_mean_of": "Evidence searched near",
    "fusion_dense": "Embedding in fusion",
    "blend_alone": "The turn alone",
    "enough_below": "Enough below",
    "auto_high": "Budget grows at most",
    "auto_grow": "Budget grows above",
    "theta_sim": "Neighbours lie above",
    "theta_count": "Units that must recur",
    "merge_threshold": "Merged from",
    "counting": "What counts",
    "merge_order": "Order of merging",
    "merge_collect": "Merged by one call",
    "share_moved": "Share that should move",
    "near_facts": "Facts shown to refine",
    "tier_subconscious": "Units read",
    "tier_episodic": "Episodes read",
    "tier_semantic": "Facts read",
}
"""What a setting does in few words, where its name alone says that only to who knows the papers."""
BUDGETS = ("calls", "tokens", "money", "seconds")


class Row(NamedTuple):
    """One setting. `standard` is what it is when nobody changed it."""

    name: str
    title: str
    group: str
    value: Any
    standard: Any
    says: str
    source: str

    @property
    def changed(self) -> bool:
        return self.value != self.standard


def rows(settings: Settings, search: str = "", only_changed: bool = False) -> list[Row]:
    """Those whose name, sentence or group hold the words searched for, in the order of the file."""
    found: list[Row] = []
    for about in settings.about():
        standard = getattr(DEFAULT, about.name)
        says = about.says, SOURCES[about.source]
        row = Row(about.name, titled(about.name), about.group, about.value, standard, *says)
        held = f"{row.name} {row.title} {row.group} {row.says}".casefold()
        if all(word in held for word in search.casefold().split()) and (row.changed or not only_changed):
            found.append(row)
    return found


def titled(name: str) -> str:
    """A setting's name in words."""
    if name in _CALLED:
        return _CALLED[name]
    told = name.removeprefix("w_")
    return f"{'Weight: ' if told != name else ''}{told.replace('_', ' ')}".capitalize()


def shown(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value.replace("_", " ") if isinstance(value, str) else f"{round(value, 4):,}"
