"""RecMem's unit of experience: two consecutive turns, embedded with their day, and what they would cost.

The eager bill is counted here, when a unit arrives: what a system would have spent that reads every unit
with a model, on the same prompts (see llm.prompts) and by the same estimate of tokens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from memcore.llm.offline.writer import eager_bill
from memcore.llm.prompts import day_of, told
from memcore.llm.protocols import Embedder
from memcore.passages import paired, passage
from memcore.records import Content, Decision, Thresholds, Turn, Unit, new_id, now
from memcore.tokens import count
from memcore.writing import Passage

MEMORIES_SHOWN = 10  # to an eager system that updates them

Units = list[tuple[Unit, Passage]]
Why = Literal["", "no_embedder", "uncovered", "empty"]


def units_of(turns: Sequence[Turn], first: int) -> Units:
    """The units of new turns, numbered from `first`, neither embedded nor billed yet."""
    found: Units = []
    for i, pair in enumerate(paired(turns)):
        unit = Unit(
            id=new_id(),
            conversation_id=pair[0].conversation_id,
            position=pair[0].position,
            origin=tuple(t.id for t in pair),
            order=first + i,
            said=pair[0].said,
            recorded=now(),
            speakers=tuple(dict.fromkeys(t.speaker for t in pair if t.speaker)),
            sensitivity=max(t.sensitivity for t in pair),
        )
        found.append((unit, passage(unit.id, pair)))
    return found


def embedded(units: Units, embedder: Embedder, thresholds: Thresholds) -> list[Unit]:
    """With their vectors; a unit that the embedder does not cover is decided already: stored, and why."""
    apart: list[Why] = [_why_apart(p, embedder) for _, p in units]
    rows = iter(embedder.embed([spoken(p) for (_, p), why in zip(units, apart, strict=True) if not why]))
    return [
        replace(unit, decision=Decision("stored", thresholds, why=why))
        if why
        else replace(unit, vector=next(rows))
        for (unit, _), why in zip(units, apart, strict=True)
    ]


def _why_apart(told_passage: Passage, embedder: Embedder) -> Why:
    """What keeps a unit out of the comparison. Only what was said counts, no name and no date beside it."""
    said = "\n".join(line.text for line in told_passage.lines)
    if not embedder.dimension:
        return "no_embedder"
    if not said.strip():
        return "empty"
    return "" if embedder.covers(said) else "uncovered"


def afresh(unit: Unit, thresholds: Thresholds) -> Unit:
    """As it arrived: live and undecided, unless it could not be compared."""
    apart = unit.decision is not None and unit.decision.why
    decision = unit.decision._replace(thresholds=thresholds) if unit.decision and apart else None
    return replace(unit, state="live", episodes=(), decision=decision)


def taken_apart(units: Iterable[Unit]) -> set[str]:
    """Live units that once made an episode: a person deleted it. They do not make the same one again, until
    what arrives later recurs with them."""
    there = list(units)
    made = (u for u in there if u.decision and u.decision.outcome in ("consolidated", "merged"))
    together = {i for u in made for i in (*(u.decision.consumed if u.decision else ()), u.id)}
    return {u.id for u in there if u.state == "live" and u.id in together}


def spoken(told_passage: Passage) -> str:
    """What is embedded of a unit: its day, then who said what."""
    lines = [f"{line.speaker}: {line.text}" if line.speaker else line.text for line in told_passage.lines]
    return "\n".join([day_of(told_passage.said), *lines] if told_passage.said.known else lines)


def billed(
    units: Sequence[Unit], passages: Iterable[Passage], facts: Iterable[Content], memories: deque[str]
) -> list[Unit]:
    """With their length and the eager bill. `memories` are the last facts an eager system would have; they
    grow by what is stated in these turns (`facts`)."""
    stated: dict[str, list[str]] = {}
    for fact in facts:
        stated.setdefault(fact.origin[0], []).append(fact.text)
    found: list[Unit] = []
    for unit, read in zip(units, passages, strict=True):
        found.append(replace(unit, tokens=count(told([read])), eager=eager_bill(read, [*memories])))
        memories.extend(text for turn in unit.origin for text in stated.get(turn, ()))
    return found
