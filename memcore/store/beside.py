# pyright: basic, reportAttributeAccessIssue=false
"""Where withheld contents lie beside what is shown: which cue, tag or turn a traversal would reach them from.

A run tells by this that something was kept back, without opening, ranking or naming it. Not by a date: that
would say when it happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

import pyarrow as pa

from memcore.store.tables import Table

_PLACE = ["id", "conversation_id", "session", "position"]


class Beside(NamedTuple):
    """`of` gives the withheld contents reached from a cue, a tag or a content; `all` are all of them."""

    of: Mapping[str, tuple[str, ...]]
    all: tuple[str, ...]


def beside(items: Table, relations: pa.Table, contents: set[str], hidden: set[str]) -> Beside:
    """From the relations that are withheld, and from the order of turns."""
    found: dict[str, set[str]] = {}
    for end in ("cue_id", "tag_id"):
        nodes, reached = (relations.column(name).to_pylist() for name in (end, "content_id"))
        for node, content in zip(nodes, reached, strict=True):
            if node not in hidden and content in contents:
                found.setdefault(node, set()).add(content)
    for here, content in _neighbours(items, contents) if contents else ():
        found.setdefault(here, set()).add(content)
    return Beside({node: tuple(sorted(of)) for node, of in found.items()}, tuple(sorted(contents)))


def _neighbours(items: Table, contents: set[str]) -> Iterable[tuple[str, str]]:
    """Each turn that is shown with the withheld one before or after it in its session."""
    rows = items.read(_PLACE, "kind = 'content' AND subkind = 'turn'").sort_by(
        [("conversation_id", "ascending"), ("session", "ascending"), ("position", "ascending")]
    )
    turns = rows.to_pylist()
    for first, second in pairwise(turns):
        one, other = first["id"] in contents, second["id"] in contents
        if one != other and all(first[k] == second[k] for k in ("conversation_id", "session")):
            yield (second["id"], first["id"]) if one else (first["id"], second["id"])
