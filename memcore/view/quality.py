"""What may be wrong with a memory, one finding per kind, each with the nodes it concerns.

Everything but contradictions and missing contents is array work on the graph; see `near_names` for pairs of
cues. Findings hold indexes and names, never texts: a page looks those up for the few rows it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np

from memcore.extraction import FoundFact
from memcore.graph import Graph, Ints
from memcore.records import Conversation, File, Turn
from memcore.view.naming import counted, human_day
from memcore.view.near_names import Pair, pairs
from memcore.words import fold

BROAD_SHARE = 0.05  # of all memories, and at least BROAD_LEAST of them
BROAD_LEAST = 20
FEW = 1  # a memory with at most so many relations is nearly out of reach
MONTH = 27  # days: an event known no better than this is not known to the day
BEFORE, AFTER = 3 * 365, 2 * 365  # days between what happened and when it was said
LOOKED_INTO = 200  # conversations read for turns without memories
# Aspects of which a person has one at a time: two different statements cannot both hold.
SINGLE = frozenset(
    {"name", "works as", "works at", "lives in", "moved to", "was born in", "comes from", "job", "is married"}
)


class Item(NamedTuple):
    """One row: nodes of the graph to open (one, or the two of a pair) or a turn, with a name each.

    A name of "" is a memory's: its text is to be looked up. `note` says what is wrong.
    """

    nodes: tuple[str, ...]
    names: tuple[str, ...]
    note: str
    turn: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of fault: its name, what it means and how to mend it, and its rows."""

    kind: str
    title: str
    says: str
    items: Sequence[Item]
    mend: str = "Open in the graph"

    @property
    def count(self) -> int:
        return len(self.items)


class Source(NamedTuple):
    """What quality is judged by: the graph, the files, the conversations, and ways to texts and turns, and
    to the facts that a speaker states in a text."""

    graph: Graph
    files: Sequence[File]
    conversations: Sequence[Conversation]
    texts: Callable[[Iterable[str]], Mapping[str, str]]
    turns: Callable[[str], list[Turn]]
    facts: Callable[[str, str], Iterable[FoundFact]]


def quality(source: Source) -> list[Finding]:
    """All findings, those without rows included, in the order in which they are worth mending."""
    kinds = (_failures, _skipped, _handles, _near, _contradictions, _broad, _dates, _orphans)
    return [kind(source) for kind in kinds]


def _failures(source: Source) -> Finding:
    says = "They hold text, but no memory was made of them: only a word search finds them."
    rows = list(_without_contents(source))
    return Finding("failures", "Turns that gave no memory", says, rows, "Read the turn")


def _skipped(source: Source) -> Finding:
    says = "Their import left something out; the report of each file says what and why."
    rows = list(_left_out(source.files))
    return Finding("skipped", "Files with records left out", says, rows, "Read the report")


def _handles(source: Source) -> Finding:
    says = "No cue leads to them, or a single one: a question that does not name it cannot reach them."
    return Finding("handles", "Memories with few or no handles", says, _few_handles(source.graph))


def _near(source: Source) -> Finding:
    says = "Their names or meanings are so close that they are probably the same; merge those that are."
    rows = [_pair(source.graph, pair) for pair in pairs(source.graph)]
    return Finding("near", "Cues that may be the same", says, rows)


def _contradictions(source: Source) -> Finding:
    says = "One person says different things about what can only be one; it may have changed since."
    rows = list(_contradicting(source))
    return Finding("contradictions", "Facts that contradict each other", says, rows)


def _broad(source: Source) -> Finding:
    says = "They stand on so many memories that they tell little; split them, or name them more exactly."
    return Finding("broad", "Tags and cues that are too broad", says, _busy(source.graph))


def _dates(source: Source) -> Finding:
    says = "The day was not stated, is only known to a month or a year, or lies far from when it was said."
    return Finding("dates", "Dates that are uncertain", says, _unsure_dates(source.graph))


def _orphans(source: Source) -> Finding:
    says = "Nothing is reached by them any more; merge or delete them."
    return Finding("orphans", "Cues and tags that lead nowhere", says, _unused(source.graph))


# the rows of each


def _unused(graph: Graph) -> list[Item]:
    c = graph.columns
    tags = np.bincount(c.relation_tag, minlength=len(c.tag_ids))
    cues = [Item((c.cue_ids[i],), (c.cue_names[i],), "cue") for i in np.flatnonzero(graph.cue_degrees == 0)]
    return cues + [Item((c.tag_ids[i],), (c.tag_names[i],), "tag") for i in np.flatnonzero(tags == 0)]


def _busy(graph: Graph) -> list[Item]:
    """Cues of people and of time are broad by their nature; they are not counted."""
    c = graph.columns
    least = max(BROAD_LEAST, int(BROAD_SHARE * len(graph)))
    tags = _memories(c.relation_tag, c.relation_content, len(c.tag_ids), len(graph))
    cues = _memories(c.relation_cue, c.relation_content, len(c.cue_ids), len(graph))
    plain = np.array([kind not in ("people", "time") for kind in c.cue_kinds], bool)
    found = [(int(tags[i]), c.tag_ids[i], c.tag_names[i], "tag") for i in np.flatnonzero(tags >= least)]
    busy = np.flatnonzero((cues >= least) & plain) if len(plain) else ()
    found += [(int(cues[i]), c.cue_ids[i], c.cue_names[i], "cue") for i in busy]
    found.sort(key=lambda row: -row[0])
    return [
        Item((id_,), (name,), f"{kind} on {counted(n, 'memory', 'memories')}") for n, id_, name, kind in found
    ]


def _memories(node: Ints, content: Ints, nodes: int, contents: int) -> Ints:
    """(nodes,) how many different memories each node stands on."""
    both = np.unique(node.astype(np.int64) * max(contents, 1) + content)
    return np.bincount(both // max(contents, 1), minlength=nodes).astype(np.int32)


def _few_handles(graph: Graph) -> list[Item]:
    """Topics are reached by their name alone, so one relation is enough for them."""
    c = graph.columns
    handles = np.bincount(c.relation_content, minlength=len(graph))
    topic = np.array([layer == "topic" for layer in c.layers], bool)
    few = np.flatnonzero((handles == 0) | ((handles <= FEW) & ~topic)) if len(graph) else np.zeros(0, int)
    few = few[np.argsort(handles[few], kind="stable")]
    notes = ("no cue leads here", "a single cue leads here")
    return [Item((c.content_ids[i],), ("",), notes[min(int(handles[i]), 1)]) for i in few]


def _pair(graph: Graph, pair: Pair) -> Item:
    c = graph.columns
    both = (pair.first, pair.second)
    return Item(tuple(c.cue_ids[i] for i in both), tuple(c.cue_names[i] for i in both), pair.why)


def _unsure_dates(graph: Graph) -> list[Item]:
    """Undated turns first, then what lies far off, then what is only known to a month or a year."""
    c = graph.columns
    first, last, said = (a.astype(np.int64) for a in (c.event_first, c.event_last, c.said_days))
    known = first > 0
    undated = (said <= 0) & ~known
    both = known & (said > 0)
    far = both & ((said - last > BEFORE) | (first - said > AFTER))
    wide = known & (last - first >= MONTH) & ~far
    rows = [Item((c.content_ids[i],), ("",), "no date at all") for i in np.flatnonzero(undated)]
    for i in np.flatnonzero(far):
        when = f"{human_day(int(first[i]))}, said {human_day(int(said[i]))}"
        rows.append(Item((c.content_ids[i],), ("",), f"far off: {when}"))
    for i in np.flatnonzero(wide):
        span = f"{human_day(int(first[i]))} to {human_day(int(last[i]))}"
        rows.append(Item((c.content_ids[i],), ("",), f"known only as {span}"))
    return rows


def _contradicting(source: Source) -> Iterator[Item]:
    """Facts of one person and one aspect that say different things, each beside the one before it."""
    c = source.graph.columns
    facts = [i for i, layer in enumerate(c.layers) if layer == "fact"]
    texts = source.texts([c.content_ids[i] for i in facts])
    stated: dict[tuple[str, str], dict[str, int]] = {}
    for i in facts:
        text = texts.get(c.content_ids[i], "")
        for fact in source.facts(text, c.speakers[i]):
            if fact.aspect in SINGLE or fact.aspect.startswith("favourite"):
                said = " ".join(fold(text).split()).strip(" .!")
                stated.setdefault((fold(c.speakers[i]), fact.aspect), {}).setdefault(said, i)
    for (_, aspect), different in stated.items():
        rows = list(different.values())
        for one, other in pairwise(rows):
            note = f"{c.speakers[one] or 'somebody'}: {aspect}"
            yield Item((c.content_ids[one], c.content_ids[other]), ("", ""), note)


def _without_contents(source: Source) -> Iterator[Item]:
    """Only conversations are read in which some turn stands for nothing in the graph."""
    c = source.graph.columns
    owner: list[int] = np.repeat(np.arange(len(source.graph)), np.diff(c.origin_offsets)).tolist()
    origin: list[int] = c.origin.tolist()
    have: dict[str, set[str]] = {}
    for content, turn in zip(owner, origin, strict=True):
        have.setdefault(c.conversation_ids[content], set()).add(c.turn_ids[turn])
    short = [talk for talk in source.conversations if talk.turns > len(have.get(talk.id, ()))]
    for talk in short[:LOOKED_INTO]:
        there = have.get(talk.id, set[str]())
        for turn in source.turns(talk.id):
            if turn.text.strip() and not turn.folded and turn.branch == "main" and turn.id not in there:
                yield Item((), (turn.text,), f"{turn.speaker}, turn {turn.position + 1}", turn.id)


def _left_out(files: Iterable[File]) -> Iterator[Item]:
    for file in files:
        skipped = cast(list[dict[str, Any]], file.report.get("skipped") or [])
        number = sum(int(kind.get("count", 0)) for kind in skipped)
        if number:
            why = "; ".join(str(kind.get("why", "")) for kind in skipped[:3])
            yield Item((), (file.name,), f"{counted(number, 'record')} left out: {why}")
