"""MRAgent: what the events of a reconstruction speak of: nodes, paths, scores, reasons, what a model saw.

Spans point into the question, which the trace's header keeps."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Strategy = Literal["active", "dense", "bm25", "fusion", "priors", "nhop", "graph", "recmem"]
Tier = Literal["subconscious", "episodic", "semantic"]
TIERS: tuple[Tier, ...] = get_args(Tier)
Mode = Literal["ce", "cte", "ctc"]
ActionKind = Literal[
    "cue_tags",  # cue -> tags
    "pair_contents",  # (cue, tag) -> contents
    "cue_contents",  # cue -> contents without tags (ablation CE)
    "tag_contents",  # tag -> contents, for a tag that the query itself is near to
    "content_handles",  # content -> cues and tags not asked before: the reverse move
    "content_neighbours",  # content -> the turns before and after it
    "content_time",  # content -> contents of the day it speaks of
    "window_contents",  # asked time window -> contents
    "topic_episodes",  # topic -> the turns it sums up
    "person_facts",  # person -> facts
    "search",  # whole-store search: passive strategies, or seeding where switched on
]
Match = Literal["exact", "subset", "jaccard", "nearest", "speaker", "time", "reverse", "by_hand"]
PrunedWhy = Literal[
    "fine",  # below the cut of the full ranking
    "weak",  # opened, but too far below the best to count as evidence
    "withheld",  # the asker may not see it
    "off_topic",  # a model read it: it does not bear on the question
    "other_person",  # a model read it: it is about somebody else
    "other_time",  # a model read it: it is about another time
    "says_again",  # a model read it: other evidence says the same
    "by_hand",  # a person left it behind
]
Limit = Literal[
    "sufficient", "step_limit", "call_limit", "read_budget", "nothing_left", "router_failed", "cancelled",
]  # fmt: skip


ModelRole = Literal["read", "choose", "route", "enough", "answer"]
ShownPart = Literal[
    "asked_on",  # the day of the question, `many` is its ordinal
    "evidence",  # a content that was kept
    "content",  # a content that was opened in this step
    "missing",  # a cue of the question that no evidence touches; `tag_id` is its span "start:end"
    "cue",  # a cue of the evidence that could be followed
    "left_out",  # `many` more of what stands before it were not shown
    ActionKind,  # a traversal to choose, its ends as in Action
]


class QueryCue(NamedTuple):
    """A cue read from the question: the span [start, end) of its characters, and its kind."""

    start: int
    end: int
    cue_kind: str


class Window(NamedTuple):
    """A time span the question asks about: first and last day as proleptic ordinals."""

    first: int
    last: int
    precision: str


class Activated(NamedTuple):
    """A cue or tag that became active: how it matched, how well, and from which content (reverse)."""

    id: str
    how: Match
    score: float
    source: str = ""


class Action(NamedTuple):
    """One traversal the router chose. Unused ends are empty."""

    action: ActionKind
    cue_id: str = ""
    tag_id: str = ""
    content_id: str = ""


class Candidate(NamedTuple):
    """A content that was reached, with every component of its score and the path that reached it.

    Components are already weighted, so that they add up to `total`.
    """

    content_id: str
    total: float
    dense: float = 0.0
    lexical: float = 0.0
    speaker: float = 0.0
    time: float = 0.0
    tag: float = 0.0
    cue: float = 0.0
    neighbour: float = 0.0
    reverse: float = 0.0
    evidence: float = 0.0
    via_cue: str = ""
    via_tag: str = ""
    via_content: str = ""


class PrunedNode(NamedTuple):
    """A cue, tag or content left behind, and why."""

    id: str
    node: Literal["cue", "tag", "content"]
    why: PrunedWhy
    score: float


class KeptNode(NamedTuple):
    """An opened content that became evidence, at the revision that was read."""

    content_id: str
    revision: int
    score: float


class Sentence(NamedTuple):
    """A part of the extractive answer: the span [start, end) of a content's text."""

    content_id: str
    start: int
    end: int
    score: float


class Shown(NamedTuple):
    """A line of what a model was shown, by its ids; names and texts are looked up to show it again.

    `revision` is that of the content which was read. Of `cue_tags`, `many` are the tags not shown.
    """

    part: ShownPart
    cue_id: str = ""
    tag_id: str = ""
    content_id: str = ""
    revision: int = 0
    many: int = 0
