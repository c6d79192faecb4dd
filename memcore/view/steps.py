"""A run told step by step: one plain sentence for each, and the details behind it.

Pure functions of the stored events and the graph's names; no router, no embedder, no text of a memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memcore.events import Activated, Asked, Candidate, KeptNode, Overridden, PrunedNode, TraceEvent
from memcore.graph import Graph
from memcore.run_state import through
from memcore.view.decided import decided
from memcore.view.model_calls import fell_back
from memcore.view.naming import (
    MATCHES,
    WITHHELD,
    content_name,
    counted,
    cue_name,
    cue_phrase,
    session_name,
    share,
    strategy_name,
    tag_name,
    why_ended,
    why_pruned,
)

NAMES_SHOWN = 3
_PLURALS = {"cue": "cues", "tag": "tags", "content": "memories"}
_SINGULARS = {"cue": "cue", "tag": "tag", "content": "memory"}


@dataclass
class StepCard:
    """What one step did. `reached` counts the contents reached so far, of `contents` in the memory; those
    that were `withheld` beside the ones that are named; `decision` is what a person decided after it."""

    step: int
    cues: list[Activated] = field(default_factory=list[Activated])
    tags: list[Activated] = field(default_factory=list[Activated])
    calls: int = 0
    new_contents: int = 0
    reached: int = 0
    contents: int = 0
    capped: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    hidden: int = 0
    opened: list[str] = field(default_factory=list[str])
    turns: list[str] = field(default_factory=list[str])
    kept: list[KeptNode] = field(default_factory=list[KeptNode])
    pruned: list[PrunedNode] = field(default_factory=list[PrunedNode])
    withheld: int = 0
    failed: str = ""
    decision: Overridden | None = None
    sentence: str = ""


def step_cards(events: Iterable[TraceEvent], graph: Graph) -> list[StepCard]:
    """One card per step, in order, each with its sentence."""
    cards: dict[int, StepCard] = {}
    contents = 0
    beside: list[TraceEvent] = []
    for event in events:
        if event.kind == "asked":
            contents = event.contents
        step: int = getattr(event, "step", 0)
        if event.kind in ("role_failed", "overridden"):
            beside.append(event)
        elif step and event.kind not in ("stopped", "model_asked"):
            _take(cards.setdefault(step, StepCard(step, contents=contents)), event)
    _beside(cards, beside)
    for card in cards.values():
        card.sentence = _sentence(card, graph)
    return [cards[step] for step in sorted(cards)]


def sentences(events: Sequence[TraceEvent], graph: Graph) -> list[str]:
    """The whole run as sentences: how it began, each step, and why it stopped."""
    told = [f"Step {card.step}. {card.sentence}" for card in step_cards(events, graph)]
    first = [_opening(e) for e in events if e.kind == "asked"]
    return [*first, *told, *(closing(e) for e in events if e.kind == "stopped")]


def closing(event: TraceEvent) -> str:
    """Why it stopped, for the event `stopped`."""
    if event.kind != "stopped":
        return ""
    return f"Stopped after {counted(event.read, 'turn')} read: {why_ended(event.limit)}."


def whole_steps(events: Sequence[TraceEvent]) -> list[TraceEvent]:
    """Of a run under way, the events up to its last step that is over."""
    over = max((e.step for e in events if e.kind == "judged" or e.kind == "stopped"), default=0)
    return through(events, over)


def pruned_summary(pruned: Iterable[PrunedNode]) -> list[str]:
    """ "3 memories pruned: scored below what was read", the most frequent reason first."""
    reasons = Counter((p.node, p.why) for p in pruned)
    return [
        f"{counted(count, _SINGULARS[node], _PLURALS[node])} pruned: {why_pruned(why)}"
        for (node, why), count in reasons.most_common()
    ]


class PrunedRow(NamedTuple):
    """A branch left behind: what it is, its name, why, and the score it had."""

    kind: str
    id: str
    name: str
    why: str
    score: float


def pruned_rows(card: StepCard, graph: Graph) -> list[PrunedRow]:
    """Every branch that a step left behind, with its reason in words, best score first."""
    name = {"cue": cue_name, "tag": tag_name, "content": content_name}
    rows = [
        PrunedRow(
            _SINGULARS[p.node],
            p.id,
            WITHHELD if p.why == "withheld" else name[p.node](graph, p.id),
            why_pruned(p.why),
            p.score,
        )
        for p in card.pruned
    ]
    return sorted(rows, key=lambda r: -r.score)


def withheld_more(card: StepCard) -> list[str]:
    """What was withheld at a step and is not named one by one."""
    return [f"{counted(card.withheld, 'more memory', 'more memories')} withheld"] if card.withheld else []


def capped_rows(card: StepCard, graph: Graph) -> list[str]:
    """Each cue that leads to too many memories, and how many of them were taken."""
    return [
        f"{cue_phrase(graph, cue)} leads to {found:,} memories, the nearest {taken:,} were taken"
        for cue, found, taken in card.capped
    ]


def _opening(event: Asked) -> str:
    auto = " or more" if event.auto_budget else ""
    contents = counted(event.contents, "memory", "memories")
    return f"Asked: {strategy_name(event.strategy)}, {event.budget}{auto} turns to read, of {contents}."


def _take(card: StepCard, event: TraceEvent) -> None:
    match event.kind:
        case "woken":
            card.cues += event.cues
            card.tags += event.tags
        case "traversed":
            card.calls, card.new_contents, card.reached = event.calls, event.new_contents, event.reached
            card.capped += event.capped
        case "ranked":
            card.candidates += event.candidates
            card.hidden = event.hidden
        case "opened":
            card.opened += event.content_ids
            card.turns += event.turn_ids
        case "routed":
            card.kept += event.kept
            card.pruned += event.pruned
            card.withheld += event.withheld
        case _:
            pass


def _beside(cards: dict[int, StepCard], events: Iterable[TraceEvent]) -> None:
    """What happened beside the steps is told with the step it happened in, or the nearest there is."""
    for event in events:
        step: int = getattr(event, "step", 0)
        card = cards.get(min(max(step, 1), max(cards, default=0)))
        if card is None:
            continue
        if event.kind == "role_failed":
            card.failed = f"{card.failed} {fell_back(event)}".strip()
        elif event.kind == "overridden":
            card.decision = event


def _sentence(card: StepCard, graph: Graph) -> str:
    capped = capped_rows(card, graph)
    more = [f"{counted(len(capped) - 1, 'more cue')} capped"] if len(capped) > 1 else []
    did = [_from(card, graph), _did(card), *capped[:1], *more]
    left = [*pruned_summary(card.pruned), *withheld_more(card)]
    by_hand = decided(card.decision, graph) if card.decision else ""
    return " ".join(filter(None, (_said(did), _said(left), card.failed, by_hand)))


def _said(parts: Iterable[str]) -> str:
    """The parts as a sentence; "" where there is none."""
    told = "; ".join(filter(None, parts))
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def _from(card: StepCard, graph: Graph) -> str:
    """From which cues it went on, and where those were found."""
    if not card.cues:
        return "" if card.step == 1 else "no new cue"
    lead = sorted(card.cues, key=lambda a: (a.how == "nearest", -a.score))
    where = _found_in(graph, lead[0].source)
    beside = [a.id for a in lead if _found_in(graph, a.source) == where][:NAMES_SHOWN]
    names = list(dict.fromkeys(cue_phrase(graph, id_) for id_ in beside))
    if where:
        return f"from {', '.join(names)}, found in {where}"
    return f"from {', '.join([f'{names[0]} ({MATCHES[lead[0].how]})', *names[1:]])}"


def _found_in(graph: Graph, source: str) -> str:
    return (session_name(graph, source) or content_name(graph, source)) if source else ""


def _did(card: StepCard) -> str:
    parts = [f"opened {counted(len(card.tags), 'tag')}"] if card.tags else []
    if card.reached:
        touched = f" ({share(card.reached, card.contents)} of this memory so far)" if card.contents else ""
        new = counted(card.new_contents, "new memory", "new memories") if card.new_contents else "nothing new"
        parts.append(f"reached {new}{touched}")
    parts.append(f"read {counted(len(card.opened), 'memory', 'memories')}")
    return f"{', '.join(parts)}, kept {len(card.kept):,}"
