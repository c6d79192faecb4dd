"""Other thresholds beside those in force: what would have triggered, and what it would have cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memcore.absorbing.foresight import Foreseen
from memcore.absorbing.ledger import Ledger
from memcore.records import Decision, Thresholds, Unit
from memcore.view.clusters import Clusters, clusters, standing
from memcore.view.naming import share

Row = dict[str, str]


def foreseen_units(units: Sequence[Unit], found: Foreseen) -> list[Unit]:
    """The units with the decisions they would have had; those that cannot be compared keep their own."""
    return [replace(u, decision=found.decisions.get(u.id, u.decision)) for u in units]


def foreseen_clusters(units: Sequence[Unit], found: Foreseen) -> Clusters:
    """The clusters there would be."""
    return clusters(foreseen_units(units, found), found.episodes, found.thresholds)


def decided_under(units: Iterable[Unit], thresholds: Thresholds) -> bool:
    """Whether every unit was decided under these thresholds: nothing is to be foreseen then."""
    return all(u.decision.thresholds == thresholds for u in units if u.decision)


def as_it_is(lines: Iterable[Row]) -> list[Row]:
    """Lines of `compared` where nothing was moved: it would be as it is."""
    return [{**line, "would be": line["now"]} for line in lines]


def compared(
    units: Sequence[Unit], rests: Mapping[str, Sequence[str]], bill: Ledger, found: Foreseen
) -> list[Row]:
    """What is and what would be, line by line."""
    is_ = _numbers(units, rests)
    would = _numbers(foreseen_units(units, found), found.episodes)
    lines = [{"what": name, "now": f"{is_[name]:,}", "would be": f"{would[name]:,}"} for name in is_]
    moved = share(is_["Units consolidated"] + is_["Units merged"], max(1, len(units)))
    lines.insert(3, {"what": "Share moved", "now": moved, "would be": share(found.share)})
    lines.append({"what": "Calls", "now": f"{bill.calls:,}", "would be": f"{found.calls:,}"})
    lines.append({"what": "Tokens", "now": f"{bill.tokens:,}", "would be": f"about {found.tokens:,}"})
    eager = bill.eager_tokens
    if eager:
        shares = (share(bill.tokens, eager), f"about {share(found.tokens, eager)}")
        lines.append({"what": "Share of an eager system", "now": shares[0], "would be": shares[1]})
    return lines


def _numbers(units: Sequence[Unit], rests: Mapping[str, Sequence[str]]) -> dict[str, int]:
    now = standing(units, rests)
    decided = [u.decision for u in units if u.decision]
    states = list(now.states.values())
    return {
        "Units consolidated": states.count("consolidated"),
        "Units merged": states.count("merged"),
        "Units left raw": states.count("live") + states.count("pending"),
        "Times consolidated": _times(decided, "consolidated"),
        "Times merged": _times(decided, "merged"),
        "Merges declined": sum(d.merge == "declined" for d in decided),
        "Failed": _times(decided, "failed"),
        "Episodes": len(now.members),
    }


def _times(decided: Iterable[Decision], outcome: str) -> int:
    return sum(d.outcome == outcome for d in decided)
