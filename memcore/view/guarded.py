"""Memories of a run that speak to a model instead of telling something: by which rule, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memcore.graph import Graph
from memcore.guardrails import SAYS, Finding, findings
from memcore.view.naming import content_name

AROUND, MARKED, MOST = 60, 160, 3


class Excerpt(NamedTuple):
    """Where a rule fits: the rule in words, and the text before, in and after it."""

    says: str
    before: str
    marked: str
    after: str


class Warned(NamedTuple):
    """A memory with its excerpts; `more` rules fit it elsewhere."""

    content_id: str
    name: str
    excerpts: tuple[Excerpt, ...]
    more: int


def warned(contents: Sequence[str], texts: Mapping[str, str], graph: Graph) -> list[Warned]:
    """Those of these contents in which a rule finds something, in their order."""
    found: dict[str, list[Finding]] = {}
    for one in findings({id_: texts[id_] for id_ in contents if id_ in texts}):
        found.setdefault(one.content_id, []).append(one)
    return [
        Warned(
            id_,
            content_name(graph, id_),
            tuple(_excerpt(texts[id_], one) for one in those[:MOST]),
            max(0, len(those) - MOST),
        )
        for id_, those in found.items()
    ]


def _excerpt(text: str, found: Finding) -> Excerpt:
    marked = text[found.start : found.end]
    cut = marked[:MARKED] + ("…" if len(marked) > MARKED else "")
    before = text[max(0, found.start - AROUND) : found.start]
    after = text[found.end : found.end + AROUND]
    lead = "…" if found.start > AROUND else ""
    trail = "…" if found.end + AROUND < len(text) else ""
    return Excerpt(SAYS[found.rule], lead + before, cut, after + trail)
