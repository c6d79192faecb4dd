"""What is read of an order within a budget: the price of a content is the origin turns not read before."""

from __future__ import annotations

from collections.abc import Container, Iterable

from memcore.graph import Graph


def within_budget(
    graph: Graph, order: Iterable[int], budget: int, known: Container[str] = ()
) -> tuple[list[str], list[str]]:
    """Contents to open in this order, and the turns they cost, up to `budget`; those `known` cost nothing.

    A content that costs more than what is left is passed over: a topic over many turns must not eat it all.
    """
    opened: list[str] = []
    turns: dict[str, None] = {}
    for content in order:
        if len(turns) >= budget:
            break
        new = [t for t in graph.turns_of(content) if t not in known and t not in turns]
        if len(turns) + len(new) <= budget:
            opened.append(graph.columns.content_ids[content])
            turns |= dict.fromkeys(new)
    return opened, list(turns)
