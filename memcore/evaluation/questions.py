"""Benchmark questions with the turns they rest on, and LoCoMo's, read and cleaned.

Its categories are named here once, in the order of its own code, which is not that of the paper.
Evidence ids come joined ("D8:6; D9:17"), padded ("D30:05") or misspelt ("D:11:26"): what can be read
is, what cannot is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from memcore.records import UNKNOWN, Moment

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")


class Asked(NamedTuple):
    """A question: its category by name, the source ids of its evidence, and how many were unreadable.

    `asked` is when it was put, where the benchmark says so: "last week" is counted from there. `gold` is the
    answer, "" where there is none, as in adversarial questions.
    """

    text: str
    category: str
    evidence: tuple[str, ...]
    unreadable: int = 0
    asked: Moment = UNKNOWN
    gold: str = ""


def evidence_ids(written: Iterable[object]) -> tuple[tuple[str, ...], int]:
    """Cleaned turn ids, and how many references held none."""
    found: list[str] = []
    unreadable = 0
    for reference in written:
        ids = [f"D{int(a)}:{int(b)}" for a, b in _EVIDENCE.findall(str(reference))]
        found += ids
        unreadable += not ids
    return tuple(dict.fromkeys(found)), unreadable


def locomo(sample: dict[str, Any]) -> list[Asked]:
    """The questions of one LoCoMo sample."""
    asked: list[Asked] = []
    for row in sample["qa"]:
        ids, unreadable = evidence_ids(row.get("evidence") or ())
        category = CATEGORIES[row["category"]]
        gold = "" if category == "adversarial" else str(row.get("answer", "")).strip()
        asked.append(Asked(str(row["question"]), category, ids, unreadable, gold=gold))
    return asked
