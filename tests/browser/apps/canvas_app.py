"""A page of nothing but a canvas, driven by test_canvas.py. Size and content come from the address."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import streamlit as st

from memcore.view.layout import lane_areas, neighbourhood
from memcore.view.network import Edge, Node, edge_id, network, payload
from pages._parts.canvas import Overlay, Show, canvas, overlay

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "![pixel](http://203.0.113.9/p.png)",
    "</script><svg onload=alert(3)>",
    "user\u202egnp.exe",
    "href <a href='javascript:alert(4)'>x</a>",
    "한국어 라벨이 잘려도 글자는 깨지지 않습니다 정말로 그렇습니다",
    "A" * 1_000_000,
]
WORDS = ["summer", "hiking", "camera", "recipe", "lesson", "doctor", "garden", "violin", "museum", "storm"]


def memory(i: int, name: Callable[[], str], rank: float) -> Node:
    kind = ("turn", "turn", "episode", "fact", "topic")[i % 5]
    return Node(f"m{i}", kind, f"{name()} and then the {name()}", title=f"Memory {i}\n{name()}", rank=rank)


@st.cache_data
def graph(size: int) -> dict:
    rng = random.Random(7)
    cues, tags = size // 5, 2 * size // 5
    name = lambda: f"{rng.choice(WORDS)} {rng.choice(WORDS)}"  # noqa: E731
    nodes = [Node(f"c{i}", "cue", name(), rank=rng.random()) for i in range(cues)]
    nodes += [Node(f"t{i}", "tag", name(), rank=rng.random()) for i in range(tags)]
    nodes += [memory(i, name, rng.random()) for i in range(size - cues - tags)]
    for i, text in enumerate(HOSTILE):
        nodes[i] = Node(f"c{i}", "cue", text, title=text, rank=2)
    edges = [Edge("c9", "t0"), Edge("t0", "m0", "tag_content")]
    edges += [Edge(f"c{rng.randrange(cues)}", f"t{i}") for i in range(1, tags)]
    for i in range(1, size - cues - tags):
        edges.append(Edge(f"t{rng.randrange(1, tags)}", f"m{i}", "tag_content", HOSTILE[1]))
    places = neighbourhood(nodes, edges)
    return payload(network(nodes, edges, places), lane_areas(nodes, places), total=2623)


def other() -> None:
    st.write("Another page")


def main() -> None:
    st.text_input("Search", key="search")
    st.button("Run again")
    marked = st.checkbox("Mark the path")
    picked = canvas(graph(int(st.query_params.get("n", 300))), key="g", show=Show(on_open=opened))
    if marked:
        nodes = {"c9": ["path"], "t0": ["path"], "m0": ["evidence", "path"], "m3": ["ghost"], "c3": ["new"]}
        edges = {edge_id("c9", "t0"): ["path"], edge_id("t0", "m0", "tag_content"): ["path"]}
        overlay("g", Overlay(nodes=nodes, edges=edges, rest="dim"))
    st.text("selected " + ",".join(picked.nodes))
    st.text("hidden " + ",".join(picked.hidden_kinds))
    st.text("opened " + st.session_state.get("opened", ""))
    st.text("moved " + ",".join(picked.moved))


def opened(id_: str) -> None:
    st.session_state["opened"] = id_


st.set_page_config(page_title="Canvas", page_icon="🧠", layout="wide")
st.navigation(
    [st.Page(main, title="Canvas", default=True), st.Page(other, title="Other", url_path="other")]
).run()
