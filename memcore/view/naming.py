"""Names a person can read, for every id in a trace or a graph; never an id where a name exists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from memcore.graph import Graph
from memcore.records import Content, Moment

ERASED = "erased"
WITHHELD = "withheld"
REASONS = {
    "fine": "scored below what was read",
    "weak": "read, but too far below the best",
    "withheld": "withheld from the asker",
    "off_topic": "read by the model: it does not bear on the question",
    "other_person": "read by the model: it is about somebody else",
    "other_time": "read by the model: it is about another time",
    "says_again": "read by the model: other evidence says the same",
    "by_hand": "left behind by hand",
}
LIMITS = {
    "sufficient": "the evidence is sufficient",
    "step_limit": "all steps are used",
    "call_limit": "all look-ups are used",
    "read_budget": "the reading budget is used",
    "nothing_left": "nothing is left to open",
    "router_failed": "the router failed",
    "cancelled": "it was stopped before its end",
}
MATCHES = {
    "exact": "named in the question",
    "subset": "part of a name in the question",
    "jaccard": "shares words with the question",
    "nearest": "close to the question",
    "speaker": "a person the question names",
    "time": "a time the question names",
    "reverse": "found in evidence",
    "by_hand": "added by hand",
}
STRATEGY_NAMES = {
    "active": "Active reconstruction",
    "fusion": "Passive fusion",
    "nhop": "N-hop expansion",
    "recmem": "Three tiers (RecMem)",
    "dense": "Nearest by embedding",
    "bm25": "Shared words (BM25)",
    "priors": "Fusion with speaker and time",
    "graph": "Passive graph lookup",
}
_OTHER = "for a reason that only another version knows"
STATUS_NAMES = {
    "running": "not finished",
    "finished": "finished",
    "stopped": "stopped early",
    "failed": "failed",
}


def why_pruned(code: str) -> str:
    """Why a branch was left behind."""
    return REASONS.get(code, _OTHER)


def why_ended(code: str) -> str:
    """Which limit ended a run."""
    return LIMITS.get(code, _OTHER)


def strategy_name(code: str) -> str:
    """What a strategy is called; one that is no longer there by its code."""
    return STRATEGY_NAMES.get(code, code)


def cue_name(graph: Graph, id_: str) -> str:
    """The name of a cue."""
    at = graph.cue_index.get(id_)
    return graph.columns.cue_names[at] if at is not None else ERASED


_DATES = (
    (re.compile(r"\d{1,2} [^\W\d]+ \d{4}|\d{4}-\d\d-\d\d"), "the day"),
    (re.compile(r"[^\W\d]+ \d{4}|\d{4}-\d\d"), "the month"),
    (re.compile(r"\d{4}"), "the year"),
)


def cue_phrase(graph: Graph, id_: str) -> str:
    """The name of a cue as it stands in a sentence: a plain date is said to be one."""
    name, at = cue_name(graph, id_), graph.cue_index.get(id_)
    if at is None or graph.columns.cue_kinds[at] != "time":
        return name
    return next((f"{word} {name}" for pattern, word in _DATES if pattern.fullmatch(name)), name)


def tag_name(graph: Graph, id_: str) -> str:
    """The name of a tag."""
    at = graph.tag_index.get(id_)
    return graph.columns.tag_names[at] if at is not None else ERASED


def content_name(graph: Graph, id_: str) -> str:
    """Who said it, and when: what a content is called where its text has no room."""
    at = graph.content_index.get(id_)
    if at is None:
        return ERASED
    c = graph.columns
    day = human_day(int(c.said_days[at]))
    who = c.speakers[at] or c.layers[at].capitalize()
    return f"{who}, {day}" if day else who


def made_by_whom(content: Content) -> str:
    """What must stand beside a text that came of recurring units: how it was made; "" for any other."""
    return (
        {"rule": "extractive", "model": "written by a model"}.get(content.made_by, "")
        if content.units
        else ""
    )


def labelled(content: Content) -> str:
    """The text of a content with that said before it."""
    made = made_by_whom(content)
    return f"({made}) {content.text}" if made else content.text


def session_name(graph: Graph, id_: str) -> str:
    """The session a content was said in; "" where it has none."""
    at = graph.content_index.get(id_)
    session = graph.columns.sessions[at] if at is not None else ""
    return session.replace("_", " ") if session.startswith("session") else session and f"session {session}"


def human_day(ordinal: int) -> str:
    """3 May 2023; "" for an unknown day."""
    if ordinal <= 0:
        return ""
    day = date.fromordinal(ordinal)
    return f"{day.day} {day:%B %Y}"


def human_time(moment: Moment) -> str:
    """As exact as it is known: 3 May 2023, 13:56 UTC; "unknown" where nothing was stated."""
    if moment.start is None:
        return "unknown"
    day = human_day(moment.start.toordinal())
    if moment.precision == "instant":
        return f"{day}, {moment.start:%H:%M}" + (" UTC" if moment.zoned else "")
    if moment.precision == "year":
        return f"{moment.start.year}"
    if moment.precision == "month":
        return f"{moment.start:%B %Y}"
    last = human_day(moment.end.toordinal()) if moment.end else day
    return day if last == day else f"{day} to {last}"


def share(part: float, whole: float = 1) -> str:
    """A share of the whole, or a fraction, in per cent: 3 %, "under 1 %" for a little, "" of nothing."""
    if not whole:
        return ""
    percent = 100 * part / whole
    return "under 1 %" if 0 < percent < 1 else f"{percent:.0f} %"


def counted(number: int, noun: str, plural: str = "") -> str:
    """1 memory, 2 memories, 1,200 turns."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def an(noun: str) -> str:
    """an episode, a turn, a unit."""
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def listed(parts: Iterable[str]) -> str:
    """Parts as a sentence lists them: a, b and c."""
    words = [p for p in parts if p]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
