"""A run told step by step: one plain sentence for each, and the details behind it.

Pure functions of the stored events and the graph's names; no router, no embedder, no text of a memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memcore.events import Activated, Asked, Candidate, KeptNode, PrunedNode, TraceEvent
from memcore.graph import Graph
from memcore.view.naming import LIMITS, MATCHES, REASONS, content_name, counted, cue_name, session_name

NAMES_SHOWN = 3


@dataclass
class StepCard:
    """What one step did. `reached` counts the contents reached so far, of `contents` in the memory."""

    step: int
    cues: list[Activated] = field(default_factory=list[Activated])
    tags: list[Activated] = field(default_factory=list[Activated])
    calls: int = 0
    new_contents: int = 0
    reached: int = 0
    capped: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    hidden: int = 0
    opened: list[str] = field(default_factory=list[str])
    turns: list[str] = field(default_factory=list[str])
    kept: list[KeptNode] = field(default_factory=list[KeptNode])
    pruned: list[PrunedNode] = field(default_factory=list[PrunedNode])
    failed: str = ""
    sentence: str = ""


def step_cards(events: Iterable[TraceEvent], graph: Graph) -> list[StepCard]:
    """One card per step, in order, each with its sentence."""
    cards: dict[int, StepCard] = {}
    for event in events:
        step: int = getattr(event, "step", 0)
        if step and event.kind != "stopped":
            _take(cards.setdefault(step, StepCard(step)), event)
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
    return f"Stopped after {counted(event.read, 'turn')} read: {LIMITS[event.limit]}."


def pruned_summary(pruned: Iterable[PrunedNode]) -> list[str]:
    """ "3 pruned: scored below what was read", the most frequent reason first."""
    reasons = Counter(p.why for p in pruned)
    return [f"{count:,} pruned: {REASONS[why]}" for why, count in reasons.most_common()]


def _opening(event: Asked) -> str:
    auto = " or more" if event.auto_budget else ""
    contents = counted(event.contents, "memory", "memories")
    return f"Asked {event.strategy}, {event.budget}{auto} turns to read, of {contents}."


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
        case "role_failed":
            card.failed = f"The {event.role} failed; {event.went_on}."
        case _:
            pass


def _sentence(card: StepCard, graph: Graph) -> str:
    parts = [_from(card, graph), _did(card)]
    for cue, found, taken in card.capped[:1]:
        parts.append(f"{cue_name(graph, cue)} leads to {found:,} memories, the nearest {taken:,} were taken")
    parts += pruned_summary(card.pruned)[:2]
    told = "; ".join(p for p in parts if p)
    return f"{told[:1].upper()}{told[1:]}." + (f" {card.failed}" if card.failed else "")


def _from(card: StepCard, graph: Graph) -> str:
    """From which cues it went on, and where those were found."""
    if not card.cues:
        return "" if card.step == 1 else "no new cue"
    lead = sorted(card.cues, key=lambda a: (a.how == "nearest", -a.score))[:NAMES_SHOWN]
    names = list(dict.fromkeys(cue_name(graph, a.id) for a in lead))
    source = lead[0].source
    if not source:
        return f"from {', '.join([f'{names[0]} ({MATCHES[lead[0].how]})', *names[1:]])}"
    where = session_name(graph, source) or content_name(graph, source)
    return f"from {', '.join(names)}, found in {where}"


def _did(card: StepCard) -> str:
    tags = f"opened {counted(len(card.tags), 'tag')}, " if card.tags else ""
    reached = (
        f"reached {counted(card.new_contents, 'new memory', 'new memories')}, " if card.new_contents else ""
    )
    read = f"read {counted(len(card.opened), 'memory', 'memories')}, kept {len(card.kept):,}"
    return f"{tags}{reached}{read}"
