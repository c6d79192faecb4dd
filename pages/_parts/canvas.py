"""The graph canvas: vis-network as pyvis ships it, in one Streamlit component that is patched, not redrawn.

`canvas` draws what `memcore.view.network.payload` made and returns what the person picked. `overlay`
lays marks (path, evidence, ghost ...) over it without sending the graph again. Nothing is fetched:
the library's code comes out of the installed pyvis package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from memcore.view.canvas import Picked, picked
from memcore.view.network import EDGE_KEYS, NODE_KEYS, Mark, marks_payload

_HERE = Path(__file__).parent
_VIS = "templates/lib/vis-9.1.2/vis-network.min.js"
_SOURCES = ("canvas_paint.js", "canvas_chrome.js", "canvas_keys.js", "canvas_connect.js", "canvas.js")


def _read(*names: str) -> str:
    return "\n".join((_HERE / name).read_text("utf-8") for name in names)


# Registered once per process, when the first page imports this module.
_library = st.components.v2.component(
    "memcore_vis",
    html="<i></i>",
    js=files("pyvis").joinpath(_VIS).read_text("utf-8") + "\nexport default function () {}",
)
_canvas = st.components.v2.component(
    "memcore_canvas",
    html='<div class="mc" tabindex="0" role="application"></div>',
    css=_read("canvas.css"),
    js=_read(*_SOURCES),
)
_overlay = st.components.v2.component("memcore_overlay", html="<i></i>", js=_read("overlay.js"))


@dataclass(frozen=True, slots=True)
class Show:
    """How a canvas is shown.

    A changed `fit` token fits the camera once; a changed `layout` name drops dragged positions and
    takes the new ones; `focus` selects nodes and brings the first into view, once per `focus_token` (none
    with a new token clears the selection). `matches` are what Enter in the search box walks through.
    `on_open` runs before the page is drawn when a node is opened by double click or Enter, `on_connect` when
    one node was dragged to another; without it the canvas does not offer to connect.
    """

    height: int = 560
    labels: Literal["key", "all", "off"] = "key"
    key_labels: int = 40
    layout: str = ""
    fit: str = ""
    focus: tuple[str, ...] = ()
    focus_token: str = ""
    matches: tuple[str, ...] = ()
    on_open: Callable[[str], None] | None = None
    on_connect: Callable[[str, str], None] | None = None


def canvas(graph: Mapping[str, Any], *, key: str, show: Show | None = None) -> Picked:
    """Draw a graph payload and return selection, dimmed kinds and events of this run."""
    show = show or Show()
    nodes = [{k: n[k] for k in NODE_KEYS if k in n} for n in graph["nodes"]]
    edges = [{k: e[k] for k in EDGE_KEYS if k in e} for e in graph["edges"]]
    shown = {item["id"] for item in (*nodes, *edges)}
    kept = st.session_state.get(f"{key}:kept", {"selection": {"nodes": [], "edges": []}, "hidden_kinds": []})
    _library(key=f"{key}:library")
    result = _canvas(
        key=key,
        data={**graph, "nodes": nodes, "edges": edges, "gid": key, **_options(show)},
        default=kept,
        on_selection_change=_nothing,
        on_hidden_kinds_change=_nothing,
        on_event_change=lambda: _happened(key, shown, show),
    )
    st.session_state[f"{key}:kept"] = {"selection": result.selection, "hidden_kinds": result.hidden_kinds}
    return picked(result.selection, result.hidden_kinds, result.event, shown)


@dataclass(frozen=True, slots=True)
class Overlay:
    """Marks by node id and by edge id; `rest` marks every node and edge that is not named.

    `add` is a payload of nodes and edges that joined since the graph was sent (a live trace).
    """

    nodes: Mapping[str, Iterable[Mark]]
    edges: Mapping[str, Iterable[Mark]]
    rest: Mark | Literal[""] = ""
    add: Mapping[str, Any] | None = None
    token: str = ""


def overlay(gid: str, marks: Overlay, *, key: str | None = None) -> None:
    """Lay marks over the canvas whose key is `gid`. They replace the marks laid before."""
    add = marks.add or {"nodes": [], "edges": []}
    _overlay(
        key=key or f"{gid}:overlay",
        data={
            "gid": gid,
            "nodes": marks_payload(marks.nodes),
            "edges": marks_payload(marks.edges),
            "rest": marks.rest,
            "add_nodes": add["nodes"],
            "add_edges": add["edges"],
            "areas": add.get("areas"),
            "token": marks.token,
        },
    )


def _options(show: Show) -> dict[str, Any]:
    names = ("height", "labels", "key_labels", "layout", "fit", "focus", "focus_token", "matches")
    return {**{name: getattr(show, name) for name in names}, "connects": show.on_connect is not None}


def _nothing() -> None:
    return None


def _happened(key: str, shown: set[str], show: Show) -> None:
    found = picked(None, None, st.session_state[key].event, shown)
    if show.on_open and found.opened:
        show.on_open(found.opened)
    if show.on_connect and found.connected:
        show.on_connect(*found.connected)
