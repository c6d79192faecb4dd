"""A tree on the canvas: laid out once for the whole run, its events are marks laid over it.

Only where a check failed or a known path was walked does a node change its kind; nothing is moved for it.
Folding and unfolding re-sends the graph; of what stays, only what stands elsewhere is moved.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from memcore.execution_tree import Tree
from memcore.view.network import Point, network, payload
from memcore.view.tree_folding import Folding, Line, drawn, holders
from memcore.view.tree_graph import Source, edges, marks_at, nodes
from memcore.view.tree_layout import Direction, places
from pages._parts.canvas import Overlay, Show, canvas, overlay
from pages._parts.tree import address
from pages._parts.tree.loaded import Loaded

HEIGHT = 600
MOST = 1_500  # nodes drawn at once
_HEARD = "tree:heard"  # how often a node was chosen on the page, and what the browser said then
DOWN, RIGHT = "Top-down", "Left-right"
WAYS: Mapping[str, Direction] = {DOWN: "down", RIGHT: "right"}


@dataclass(frozen=True, slots=True)
class Picture:
    """What of a run is drawn, and where."""

    source: Source
    folding: Folding
    lines: list[Line]
    where: dict[str, Point]
    direction: Direction

    @property
    def token(self) -> str:
        """Another one where anything stands elsewhere."""
        return f"{self.direction}:{zlib.crc32(repr(sorted(self.where.items())).encode())}"

    @property
    def extent(self) -> str:
        """Another one where it has grown beyond what a camera on it may show."""
        xs, ys = ([round(at[i] / 150) for at in self.where.values()] for i in (0, 1))
        return f"{max(xs)}:{max(ys)}"

    def holder(self, node: int) -> str:
        """The drawn node that stands for a raw node; "" where it is folded away with others."""
        return holders(self.lines).get(node, "")


def picture(loaded: Loaded, toggled: frozenset[str], direction: Direction) -> Picture:
    """Of a run with a person's folding."""
    folding = loaded.folding(toggled)
    lines = drawn(folding)
    return Picture(loaded.source, folding, lines, places(lines, direction), direction)


def fold(run_id: str, folding: Folding, node: str) -> None:
    """Open what is folded at this node, or fold what is open; the run of a subagent is gone to."""
    if node[:1] == "r" and node[1:] in {run for run, _ in folding.nested}:
        address.RUN.open(node[1:])
    elif key := folding.folding_of(node):
        address.keep_toggled(run_id, folding.toggle(key))


def draw(shown: Picture, tree: Tree, hits: Collection[int], *, run_id: str, fit: str) -> str:
    """The tree as it stood in `tree`; the id of the node that is selected, or ""."""
    node, times = address.focus()
    marks = marks_at(shown.source, shown.lines, tree, hits)
    listed = nodes(replace(shown.source, now=tree), shown.lines, shown.direction)[:MOST]
    net = network(listed, edges(shown.source, shown.lines), shown.where)
    found = set(map(shown.holder, hits))
    show = Show(
        height=HEIGHT,
        fit=fit,
        layout=f"{run_id}:{shown.token}",
        focus=(node,) if node else (),
        focus_token=times,
        matches=tuple(each.id for each in listed if each.id in found),
        on_open=lambda id_: fold(run_id, shown.folding, id_),
    )
    sent = payload(net, total=len(shown.where))
    picked = canvas(sent, key=address.CANVAS, show=show)
    token = f"{run_id}:{tree.step}:{shown.token}:{len(hits)}"
    overlay(address.CANVAS, Overlay(marks.nodes, marks.edges, token=token))
    return _selected(picked.nodes, node if node in shown.where else "", times)


def _selected(reported: tuple[str, ...], node: str, times: str) -> str:
    """What was chosen on the page holds until the browser, which has yet to hear of it, reports anew."""
    known: tuple[str, tuple[str, ...] | None] = st.session_state.get(_HEARD, ("", None))
    if known[0] != times:
        known = (times, reported)
    elif known[1] != reported:
        known = (times, None)
    st.session_state[_HEARD] = known
    if known[1] is not None:
        return node
    return reported[0] if reported else ""


def beside(shown: Picture, tree: Tree, hits: Collection[int], key: str) -> None:
    """A second tree, to look at."""
    marks = marks_at(shown.source, shown.lines, tree, hits)
    net = network(
        nodes(shown.source, shown.lines, shown.direction)[:MOST],
        edges(shown.source, shown.lines),
        shown.where,
    )
    canvas(payload(net), key=key, show=Show(height=420, fit=key, layout=f"{key}:{shown.token}"))
    overlay(key, Overlay(marks.nodes, marks.edges, token=f"{key}:{shown.token}"))
