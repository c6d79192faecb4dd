"""Where the graph begins: what was searched, the nodes that were asked for, or well connected cues."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.neighbourhood import Filters, Local, around, hubs, known, matching, passing, steady
from pages._parts.graph.growth import ASKED, drawn_before, joined, keep_drawn, seeds

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory

LIMIT, GROWTH, MOST = 160, 60, 1000  # nodes drawn at first, more for each expansion, and at most
HITS, LOOKED_AT = 8, 200


def local_graph(memory: Memory, graph: Graph, text: str, wanted: Filters, grown: list[str]) -> Local:
    """What is drawn. Filters that let nothing of it through draw something that they do let through.

    An edit takes nothing away but what it deletes, and begins nowhere else.
    """
    limit = min(LIMIT + GROWTH * len(grown), MOST)
    question = (memory.key, text, wanted, st.session_state.get(ASKED, ()))
    begun = seeds(lambda: _searched(memory, graph, text, wanted) if text else _begun(graph, wanted), question)
    local = around(graph, [*begun, *grown], wanted, limit)
    if not text and local.grey == len(local.nodes):
        more = passing(graph, graph.columns.content_ids, wanted)[:HITS]
        local = around(graph, [*begun, *grown, *more], wanted, limit)
    asked = (question, tuple(grown))
    before = drawn_before(asked)
    local = steady(graph, local, before, joined())
    keep_drawn(asked, dict.fromkeys([*before, *(node.id for node in local.nodes)]))
    return local


def _searched(memory: Memory, graph: Graph, text: str, wanted: Filters) -> list[str]:
    hits = [id_ for id_, _ in memory.search(text, ("content",), LOOKED_AT)]
    through = passing(graph, hits, wanted)[:HITS] if wanted else []
    return list(dict.fromkeys([*matching(graph, text), *hits[:HITS], *through]))


def _begun(graph: Graph, wanted: Filters) -> list[str]:
    if asked := [node for node in st.session_state.get(ASKED, ()) if known(graph, node)]:
        return asked
    of_kinds = hubs(graph, kinds=wanted.kinds) if wanted.kinds else []
    c = graph.columns
    return list(dict.fromkeys([*hubs(graph), *of_kinds])) or [*c.content_ids[:HITS], *c.tag_ids[:HITS]]
