"""Cues, tags and memories found by name, those included that are called otherwise by now, or gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memcore.editing.corrections import Overlay
from memcore.graph import Graph
from memcore.view.editing import kind_of, name_of
from memcore.view.neighbourhood import matching
from memcore.words import fold

MOST = 6  # of those that are there


class Found(NamedTuple):
    """A node, in words what it is, and its name or text."""

    id: str
    what: str
    name: str


def called(graph: Graph, overlay: Overlay, text: str, memories: Mapping[str, str]) -> list[Found]:
    """Those whose name holds the text, the most connected first; then former names, and `memories`, which
    are texts by id that a search found."""
    found = [Found(i, kind_of(graph, i), name_of(graph, i)) for i in matching(graph, text, MOST)]
    found += _formerly(graph, overlay, text)
    found += [Found(i, "memory", says) for i, says in memories.items()]
    return list({node.id: node for node in reversed(found)}.values())[::-1]


def name_of_gone(overlay: Overlay, id_: str) -> str:
    """What a cue or tag was called that was removed by hand; "" where nobody knows."""
    return next((str(c.extracted) for c in overlay.of(id_, "removed") if c.target != "content"), "")


def _formerly(graph: Graph, overlay: Overlay, text: str) -> Iterator[Found]:
    wanted = fold(text).strip()
    for c in overlay.all:
        if c.slot in ("name", "removed") and isinstance(c.extracted, str) and wanted in fold(c.extracted):
            if c.slot == "removed":
                yield Found(c.record_id, f"{c.target}, removed", c.extracted)
            elif kind_of(graph, c.record_id):
                yield Found(c.record_id, f"{c.target}, once “{c.extracted}”", name_of(graph, c.record_id))
