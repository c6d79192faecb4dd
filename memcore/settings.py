"""Every threshold and budget: its value, what it does and where it comes from.

One frozen dataclass; `dataclasses.replace` makes a variant. Sources: "paper" and "reference" are
MRAgent (arXiv 2606.06036) and its code; "recmem" is RecMem (arXiv 2605.16045), "mage" MAGE (arXiv
2606.06090); "ours" was chosen here, "tuned" on the first three LoCoMo conversations (see the README's
figures).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

Source = Literal["paper", "reference", "ours", "tuned", "recmem", "mage"]


class About(NamedTuple):
    """One row of the settings page."""

    name: str
    value: Any
    says: str
    source: Source
    group: str


def _set(value: Any, says: str, source: Source, group: str = "") -> Any:
    """A setting; the first of a `group` names it."""
    return field(default=value, metadata={"says": says, "source": source, "group": group})


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration. Counts are counts, weights and thresholds lie in [0, 1]."""

    budget: int = _set(20, "origin turns that one reconstruction may read", "ours", group="The loop")
    steps: int = _set(8, "steps (rounds) of one reconstruction", "reference")
    calls_per_step: int = _set(
        100, "traversals of one step; the reference gives a model 10, arrays cost less", "ours"
    )
    calls: int = _set(500, "traversals of one reconstruction; the reference gives a model 50", "ours")
    coarse: int = _set(160, "candidates of a step kept by the cheap score; the reference keeps 80", "tuned")
    fine: int = _set(20, "candidates kept by the full ranking", "reference")
    jaccard: float = _set(
        0.6, "word overlap at which a cue's name matches a query cue", "reference", group="From the question"
    )
    nearest_cues: int = _set(15, "cues nearest to the query by embedding that are activated", "ours")
    nearest_tags: int = _set(25, "tags nearest to the query by embedding that are activated", "ours")
    seeds: int = _set(10, "contents of a whole-store search to start from, only where seeding is on", "ours")
    topics: int = _set(8, "topics offered at the start", "reference")
    rank_tags_above: int = _set(
        15, "rank the tags of a cue only when it has more than these", "reference", group="Following paths"
    )
    keep_tags: int = _set(10, "tags of one cue kept by that ranking", "reference")
    open_before_loop: float = _set(
        0.7, "nearness at which a tag is opened at the start beyond the number of those", "reference"
    )
    window_lists_below: int = _set(
        50, "list all contents of an asked time window below this number, else the nearest", "reference"
    )
    pair_rank_above: int = _set(
        20, "contents behind one (cue, tag) that are taken unranked; of more, the nearest", "reference"
    )
    hub_cap: int = _set(400, "contents taken from one cue, nearest to the query first", "ours")
    # scores: weighted components add up to the total (offline router)
    w_dense: float = _set(
        0.4, "nearness of the content to the question by embedding", "tuned", group="Scores"
    )
    w_lexical: float = _set(0.6, "BM25 of the turn joined with the one before it", "tuned")
    w_speaker: float = _set(0.3, "the question names the person who said it", "tuned")
    w_time: float = _set(0.4, "it happened or was said in the asked time", "tuned")
    w_tag: float = _set(0.1, "nearness of its best tag to the question", "tuned")
    w_cue: float = _set(0.1, "rare cues of the question that lead to it", "tuned")
    w_neighbour: float = _set(0.25, "it stands beside evidence", "tuned")
    neighbour_before: float = _set(
        0.5, "share of the weight of neighbours for the turn before evidence; the turn after has all", "ours"
    )
    neighbour_second: float = _set(0.4, "the same for the second turn after it", "ours")
    w_reverse: float = _set(0.3, "rare cues of evidence that lead to it", "tuned")
    w_evidence: float = _set(0.2, "nearness to the mean of the first evidence", "tuned")
    keep_above: float = _set(0.6, "share of the best score from which an opened content is evidence", "tuned")
    reverse_cues: int = _set(6, "cues followed back from one piece of evidence", "tuned")
    common_cue: float = _set(
        0.1, "share of the contents from which a cue is too common to follow back", "tuned"
    )
    chain_cap: int = _set(6, "relations up to which a cue of evidence counts as rare in full", "tuned")
    chain_other: float = _set(0.5, "weight of cues of evidence that are not names", "tuned")
    lead_spares_below: int = _set(
        3, "a step that may read fewer than these leaves one of them to the question, not to leads", "tuned"
    )
    lead_names: int = _set(3, "rare names up to which each of a piece of evidence counts in full", "ours")
    lead_above: float = _set(
        0.8, "how strong the evidence must be for its rare names to be followed so", "tuned"
    )
    evidence_mean_of: int = _set(5, "pieces of evidence whose mean is searched near", "tuned")
    fusion_dense: float = _set(0.33, "share of the dense channel in passive score fusion", "tuned")
    blend_alone: float = _set(
        1 / 3, "share of a turn alone in both channels; the rest is it joined with the turn before", "tuned"
    )
    enough_below: float = _set(
        0.0, "stop when the next score falls below this share of the best; 0 never", "ours", group="Enough"
    )
    auto_high: float = _set(2.0, "an automatic budget grows to at most this multiple of the budget", "ours")
    auto_grow: float = _set(
        0.85, "it grows while what is not read yet scores above this share of the best", "tuned"
    )
    answer_sentences: int = _set(3, "sentences of an extractive answer", "ours", group="Answer")
    # recurrence (cosines of the default embedder)
    theta_sim: float = _set(
        0.69,
        "cosine above which a live unit is a neighbour; the paper's 0.7 is another embedder's",
        "tuned",
        group="Recurrence",
    )
    theta_count: int = _set(5, "recurring units at which they are consolidated", "recmem")
    merge_threshold: float = _set(0.71, "cosine from which a unit may belong to an episode", "tuned")
    counting: str = _set("counts_new_unit", "whether the new unit counts as one of them", "recmem")
    merge_order: str = _set("before_gate", "merge before the gate, or only once it has fired", "recmem")
    merge_collect: int = _set(1, "units that wait for an episode before one call merges them", "recmem")
    share_moved: float = _set(0.3, "share of the units that calibration wants merged or consolidated", "ours")
    near_facts: int = _set(10, "existing facts that refinement is shown", "recmem")
    tier_subconscious: int = _set(10, "units read from the subconscious tier", "recmem")
    tier_episodic: int = _set(5, "episodes read from the episodic tier", "recmem")
    tier_semantic: int = _set(10, "facts read from the semantic tier", "recmem")
    tree_compress: bool = _set(
        True, "a finished subgoal's summary stands for its steps", "mage", group="State tree"
    )
    tree_maintain: bool = _set(True, "every summary is checked against the task", "mage")
    tree_revise: bool = _set(True, "one can go back to a boundary", "mage")
    tree_segment_tokens: int = _set(
        2_000,
        "tokens of raw steps above which a summary is written unasked; the paper gives no number",
        "ours",
    )
    tree_segment_steps: int = _set(12, "raw steps above which a summary is written unasked", "ours")
    tree_revisions_per_boundary: int = _set(2, "times a live run may go back to one boundary", "ours")
    tree_revisions: int = _set(6, "times a live run may go back in all before it gives up", "ours")
    tree_hints: int = _set(6, "hints shown of each kind, nearest first", "ours")
    tree_hint_chars: int = _set(300, "characters shown of an action or outcome in a hint", "ours")
    tree_note_chars: int = _set(1_000, "characters shown of a diagnosis", "ours")
    tree_step_chars: int = _set(
        16_000, "characters shown of one step's action or observation, its middle left out", "ours"
    )
    segment_chars: int = _set(
        1_200,
        "characters above which a turn is cut into segments, each with a vector and cues of its own",
        "ours",
        group="Long turns",
    )
    clearance_viewer: int = _set(
        0,
        "how sensitive a memory a viewer may see, from 0 (open) to 3",
        "ours",
        group="Viewers and signing in",
    )
    clearance_editor: int = _set(
        3, "how sensitive a memory an editor may see; below 3 an editor can only read", "ours"
    )
    withheld_named: int = _set(12, "withheld contents that a run names one by one; more are counted", "ours")
    idle_minutes: float = _set(30.0, "minutes without a click after which one is signed out", "ours")
    wrong_tokens: int = _set(5, "wrong tokens that may be given one after the other without a wait", "ours")
    wrong_wait: float = _set(2.0, "seconds to wait then; each wait is twice the last", "ours")
    wrong_wait_most: float = _set(300.0, "seconds to wait for the next attempt at most", "ours")
    pattern_seconds: float = _set(
        5.0, "how long a regular expression may search until it is stopped", "ours", group="Erasing"
    )
    similar_above: float = _set(0.6, "nearness from which a memory is offered as like an example", "ours")
    lock_seconds: float = _set(30.0, "how long a second writer waits for its turn", "ours", group="Store")
    optimize_every: int = _set(50, "commits between two compactions of the store", "ours")
    import_batch: int = _set(500, "turns written by one commit of an import", "ours")
    model_connect_seconds: float = _set(
        10.0, "how long connecting to a model service may take", "ours", group="Asking a model"
    )
    model_silence_seconds: float = _set(45.0, "how long a service may say nothing", "ours")
    model_seconds: float = _set(180.0, "how long one call of a model may take in all", "ours")
    model_retries: int = _set(3, "times a call is made again after an outage or a rate limit", "ours")
    model_first_wait: float = _set(
        2.0, "seconds before the first of them; each wait is twice the last", "ours"
    )
    model_longest_wait: float = _set(
        60.0, "seconds waited at most; a service that asks for more is given up on", "ours"
    )
    model_asked_again: int = _set(1, "times a reply that cannot be used is asked for again", "ours")
    model_batch: int = _set(
        20, "turns written by one commit of an import in which a model reads or writes", "ours"
    )
    model_reply_tokens: int = _set(4_096, "tokens a reply may have, thinking included", "ours")
    model_steps: int = _set(
        4,
        "steps of a run in which a model decides; each costs three calls",
        "ours",
        group="What a model is shown",
    )
    model_paths: int = _set(40, "paths that a model is offered in one step, by their tags", "ours")
    model_takes: int = _set(40, "paths a model may take in one step; the reference allows 10", "tuned")
    model_contents: int = _set(20, "memories that a model is shown at once", "ours")
    model_content_chars: int = _set(1_000, "characters shown of one of them, its middle left out", "ours")
    model_glances: int = _set(8, "pieces of evidence that it is shown while it chooses paths", "ours")
    model_glance_chars: int = _set(120, "characters shown of one of these", "ours")
    model_answer_chars: int = _set(600, "characters that an answer may have", "ours")
    # budgets of models; 0 is no limit
    run_calls: int = _set(
        200, "calls of a model in one run; 0 for no limit", "ours", group="Budgets of models"
    )
    run_tokens: int = _set(1_000_000, "tokens sent and received in one run; 0 for no limit", "ours")
    run_money: float = _set(1.0, "US dollars that one run may cost; 0 for no limit", "ours")
    run_seconds: float = _set(0.0, "seconds of model calls in one run; 0 for no limit", "ours")
    day_calls: int = _set(2_000, "calls of a model on one day (UTC); 0 for no limit", "ours")
    day_tokens: int = _set(10_000_000, "tokens sent and received on one day; 0 for no limit", "ours")
    day_money: float = _set(5.0, "US dollars that one day may cost; 0 for no limit", "ours")
    day_seconds: float = _set(0.0, "seconds of model calls on one day; 0 for no limit", "ours")

    def about(self) -> list[About]:
        """All settings with their sentence, source and group, in the order of the file."""
        found: list[About] = []
        group = ""
        for f in fields(self):
            group = f.metadata["group"] or group
            about = f.metadata
            found.append(About(f.name, getattr(self, f.name), about["says"], about["source"], group))
        return found


DEFAULT = Settings()
CHOSEN = ("roles", "addresses", "prices", "priced_in", "recording")  # beside these (see configuration)


class Price(NamedTuple):
    """US dollars for a million tokens of every model whose name begins so; the longest beginning counts.

    `cached` is what tokens cost that were sent and read from the provider's cache.
    """

    model: str
    sent: float
    received: float
    cached: float


# Published list prices of short prompts; where the price of cached tokens is not known, that of all. They
# change: a person can give others, and the bill says when these were read.
PRICES_READ_IN = "October 2026"
PRICES: tuple[Price, ...] = (
    Price("local/", 0, 0, 0),
    Price("claude/claude-haiku-5-5", 0.10, 0.50, 0.01),
    Price("claude/claude-haiku-4-5", 1.00, 5.00, 0.10),
    Price("claude/claude-sonnet-5", 2.00, 10.00, 0.20),
    Price("claude/claude-sonnet-5-5", 2.00, 10.00, 0.10),
    Price("claude/claude-opus-5", 5.00, 25.00, 0.50),
    Price("claude/claude-opus-5-5", 4.00, 20.00, 0.20),
    Price("gemini/gemini-3.8-flash", 1.50, 7.50, 0.15),  # half of that is charged until the end of 2026
    Price("gemini/gemini-3.5-flash", 1.50, 9.00, 1.50),
    Price("gemini/gemini-3.1-pro", 2.00, 12.00, 2.00),
    Price("gemini/gemini-embedding-2", 0.20, 0, 0.20),
    Price("gemini/gemini-embedding-001", 0.15, 0, 0.15),
)


def store_folder() -> str:
    """Where the memory lies when nobody says otherwise: MEMCORE_STORE, else a folder of the user's own."""
    return os.environ.get("MEMCORE_STORE") or str(Path.home() / ".memcore" / "store")


def samples_wanted() -> bool:
    """Whether an empty store gets the samples unasked: the user's own folder, or MEMCORE_SAMPLES=1."""
    return not os.environ.get("MEMCORE_STORE") or os.environ.get("MEMCORE_SAMPLES") == "1"


def author() -> str:
    """Who corrects when nobody says otherwise: the user of this computer, or "me"."""
    return os.environ.get("MEMCORE_AUTHOR") or os.environ.get("USER") or os.environ.get("USERNAME") or "me"


SIGNING_IN = ("viewer", "editor", "officer")  # who can be given a token


def tokens_set() -> dict[str, str]:
    """The tokens that one signs in with, by role: MEMCORE_VIEWER_TOKEN, MEMCORE_EDITOR_TOKEN and
    MEMCORE_OFFICER_TOKEN. They are nowhere else. White space around one (the end of a line in a file) is
    not part of it."""
    given = {role: os.environ.get(f"MEMCORE_{role.upper()}_TOKEN", "").strip() for role in SIGNING_IN}
    return {role: token for role, token in given.items() if token}


def scopes_set() -> dict[str, frozenset[str]]:
    """The memories that a role may enter, by role: names between commas in MEMCORE_VIEWER_SCOPES and
    MEMCORE_EDITOR_SCOPES. A role that is not in it enters every one; a variable that is there but empty
    names none. MEMCORE_OFFICER_SCOPES is read only to be refused (see signing)."""
    given = {role: os.environ.get(f"MEMCORE_{role.upper()}_SCOPES") for role in SIGNING_IN}
    return {
        role: frozenset(name.strip() for name in names.split(",") if name.strip())
        for role, names in given.items()
        if names is not None
    }


def public_unsafe() -> bool:
    """Whether somebody said that anybody may reach the app without signing in: MEMCORE_UNSAFE_PUBLIC=1."""
    return os.environ.get("MEMCORE_UNSAFE_PUBLIC") == "1"
