"""What the page Privacy says: kinds of records, why something was found, what becomes of it and why.

Every code of `memcore.erasure` has a plain sentence here; a code that has none is shown as its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from memcore.view.naming import counted, listed
from memcore.view.times import instant

Fate = Literal["erase", "redact", "rebuild", "blank", "strip", "stays"]
FATES: Mapping[Fate, str] = {
    "erase": "Goes",
    "redact": "Words replaced",
    "rebuild": "Made again",
    "blank": "Loses words",
    "strip": "Loses its undo",
    "stays": "Stays",
}
FATE_SAYS: Mapping[Fate, str] = {
    "erase": "gone for good, out of every version, index and file",
    "redact": "kept, with a mark in place of the words",
    "rebuild": "made again from what remains, since it rests on other memories too",
    "blank": "kept, without the words that are meant",
    "strip": "a change in the history whose earlier versions go: it cannot be undone any more",
    "stays": "next to what goes, and not touched",
}
NOUNS: Mapping[str, tuple[str, str]] = {
    "turn": ("turn", "turns"),
    "content": ("memory", "memories"),
    "cue": ("cue", "cues"),
    "tag": ("tag", "tags"),
    "unit": ("unit", "units"),
    "version": ("earlier text of an episode", "earlier texts of episodes"),
    "correction": ("correction", "corrections"),
    "relation": ("relation", "relations"),
    "conversation": ("conversation", "conversations"),
    "file": ("imported file", "imported files"),
    "run": ("agent run", "agent runs"),
    "step": ("step of an agent run", "steps of agent runs"),
    "mark": ("note on an agent run", "notes on agent runs"),
    "trace": ("past question", "past questions"),
    "change": ("change in the history", "changes in the history"),
    "receipt": ("receipt of an erasure", "receipts of erasures"),
}
KIND_SAYS: Mapping[str, str] = {
    "turn": "what was said",
    "content": "what is remembered of it: verbatim, episodes, facts and topics",
    "cue": "names and words by which memories are found",
    "tag": "short phrases that lead from cues to memories",
    "unit": "what recurrence counts: who spoke, and the name that somebody gave",
    "version": "what an episode said before it was merged with more",
    "correction": "what somebody corrected by hand, with the value before",
    "conversation": "their titles, and who spoke in them",
    "file": "the names of files and their reports",
    "run": "titles and tasks",
    "step": "what an agent did and saw",
    "mark": "summaries and notes of agent runs",
    "trace": "questions that were asked, with their evidence",
    "change": "earlier versions that undo would bring back, and the reasons people gave",
    "receipt": "who asked for an earlier erasure, and why",
}
FOUND: Mapping[str, str] = {
    "text": "the words stand in it",
    "pattern": "the expression matches it",
    "person": "it is of this person",
    "cue": "it is this cue",
    "tag": "it is this tag",
    "reached": "the cue or tag leads to it",
    "time": "it was said in this time",
    "conversation": "it is this conversation",
    "file": "it came with this file",
    "trace": "it is this question",
    "run": "it is this agent run",
    "named": "it was chosen in another page",
}
NEAR: Mapping[str, tuple[str, str]] = {
    "mention": ("Somebody else speaks of this person", "said by others, and naming the person"),
    "alias": ("Another name for the same", "names that were merged or renamed into this one"),
    "other_form": (
        "Another form of the word",
        "with another Korean particle, or another ending; or a number written otherwise",
    ),
    "across": ("Split over two turns", "the words begin in one turn and end in the next"),
    "spelling": ("Nearly the same word", "one letter differs, or two in a long word"),
    "similar": ("Similar memories", "close in meaning to the example, nearest first"),
}
WHY: Mapping[str, str] = {
    **FOUND,
    **{why: says for why, (_, says) in NEAR.items()},
    "chosen": "you chose it",
    "part_of": "it is part of something you chose",
    "retells": "it retells a step that you chose",
    "same_words": "the turn says the words of a memory you chose",
    "rests_on_erased": "it rests only on what goes",
    "rests_on_others": "it rests on what goes and on other memories; what is left of it is made again",
    "cannot_be_rebuilt": "what of it comes from what goes cannot be told apart, so all of it goes",
    "set_free": "its episode goes; it counts as not yet consolidated again",
    "earlier_version": "it keeps earlier words",
    "corrected_text": "somebody's wording of a text that is made again",
    "left_empty": "nothing is left in it",
    "orphaned": "it leads to nothing any more",
    "reason": "the reason given for an edit names it",
    "rests_on_redacted": "it rests on something of which words are replaced",
    "quotes_redacted": "it quotes words that are replaced",
}


CALLED_SO = (
    "The memory itself is called so. Its name stays in the store, and a check will find it there, until you "
    "rename it: on the page Overview, or with memcore rename."
)


def noun(kind: str, number: int) -> str:
    """1 turn, 2 memories, 3 steps of agent runs."""
    return counted(number, *NOUNS.get(kind, (kind, f"{kind}s")))


def amount(kinds: Mapping[str, int]) -> str:
    """How much it is, the same wherever it is told: 14 records and 26 relations; "" of nothing.

    Relations are counted apart: they say nothing by themselves, and no list holds them.
    """
    relations = kinds.get("relation", 0)
    records = sum(kinds.values()) - relations
    apart = counted(records, "record") if records else "", counted(relations, "relation") if relations else ""
    return listed(apart)


def plural(kind: str) -> str:
    """Turns, Memories: the heading of a group."""
    words = NOUNS.get(kind, (kind, f"{kind}s"))[1]
    return words[:1].upper() + words[1:]


def why(code: str) -> str:
    """The sentence for a reason code."""
    return WHY.get(code, code.replace("_", " "))


def ordered(kinds: Iterable[str]) -> list[str]:
    """Kinds in the order they are shown: what was said first, then what was made of it."""
    there = {*kinds}
    return [k for k in NOUNS if k in there] + sorted(there - {*NOUNS})


def exports_told(exports: int, last: datetime | None, zone: str = "") -> list[str]:
    """That copies of a memory are elsewhere, where there are any: nobody can tell what is in them."""
    if not exports or last is None:
        return []
    when = f"on {instant(last, zone)}" if exports == 1 else f"the last of them on {instant(last, zone)}"
    copies = "the copy is" if exports == 1 else "the copies are"
    return [f"{counted(exports, 'export')} of this memory left the app, {when}: {copies} not touched."]
