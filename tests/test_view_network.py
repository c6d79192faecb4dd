"""What the canvas is given and what is believed of what it reports; how text is made fit to be shown."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memcore.view.canvas import Picked, picked
from memcore.view.kinds import KINDS, lane
from memcore.view.network import (
    EDGE_KEYS,
    LABEL_LENGTH,
    NODE_KEYS,
    Edge,
    Node,
    Point,
    edge_id,
    marks_payload,
    network,
    payload,
)
from memcore.view.text import neutral, right_to_left, shorten

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def sent(*nodes: Node, edges: tuple[Edge, ...] = ()) -> dict[str, Any]:
    return payload(network(nodes, edges, {n.id: Point(1, 2) for n in nodes}))


def test_only_white_listed_attributes_are_sent() -> None:
    net: Any = network([Node("a", "cue", "x"), Node("b", "tag", "y")], [Edge("a", "b")], {})
    net.nodes[0]["image"] = "http://203.0.113.9/i.png"
    net.edges[0]["onclick"] = "alert(1)"
    graph = payload(net)
    assert all(set(n) <= set(NODE_KEYS) for n in graph["nodes"])
    assert all(set(e) <= set(EDGE_KEYS) for e in graph["edges"])
    assert "203.0.113.9" not in json.dumps(graph)


def test_the_text_of_a_withheld_node_does_not_leave_the_server() -> None:
    graph = sent(Node("a", "fact", "the secret", title="the secret in full", marks=("withheld",)))
    assert "secret" not in json.dumps(graph)
    assert graph["nodes"][0]["marks"] == ["withheld"]


def test_edges_have_ids_by_which_they_are_patched_and_repeats_are_drawn_once() -> None:
    nodes = (Node("a", "cue", "x"), Node("b", "tag", "y"))
    graph = sent(*nodes, edges=(Edge("a", "b"), Edge("a", "b"), Edge("a", "gone")))
    assert [e["id"] for e in graph["edges"]] == [edge_id("a", "b")]


def test_a_kind_nobody_listed_is_drawn_as_a_turn() -> None:
    assert sent(Node("a", "image", "x"))["nodes"][0]["kind"] == "turn"
    assert lane("image") == "content"


def test_a_node_without_a_name_says_so_instead_of_showing_its_id() -> None:
    assert sent(Node("8f3a", "cue", "  "))["nodes"][0]["label"] == "(no name)"


def test_kinds_are_told_apart_without_colour_or_by_filling() -> None:
    looks = [(look.shape, look.light[0]) for look in KINDS.values()]
    assert len(set(looks)) == len(looks)
    assert {k for k, look in KINDS.items() if look.shape == "dot"} == {
        "episode",
        "turn",
        "growing",
        "plan_stays",
        "tree_step",
    }


def test_marks_that_do_not_exist_are_left_out() -> None:
    assert marks_payload({"a": ["path", "onerror"]}) == {"a": ["path"]}  # type: ignore[list-item]


def test_a_selection_names_only_what_is_shown() -> None:
    chosen = {"nodes": ["a", "deleted", 3], "edges": ["e"]}
    assert picked(chosen, ["tag", "nonsense"], None, {"a", "e"}) == Picked(("a",), ("e",), ("tag",))


def test_events_open_or_move_only_what_is_shown() -> None:
    assert picked(None, None, {"type": "open", "id": "a"}, {"a"}).opened == "a"
    assert picked(None, None, {"type": "open", "id": "gone"}, {"a"}).opened == ""
    moved = {"type": "moved", "pos": {"a": {"x": 1, "y": 2.5}, "b": {"x": "far"}, "gone": {"x": 1, "y": 1}}}
    assert picked(None, None, moved, {"a", "b"}).moved == {"a": Point(1, 2.5)}


@given(JSON)
def test_whatever_the_browser_sends_nothing_breaks(value: Any) -> None:
    assert picked(value, value, value, {"a"}).edges == ()


def test_direction_overrides_and_hidden_characters_become_visible() -> None:
    assert neutral("user\u202egnp.exe") == "user[RLO]gnp.exe"
    assert neutral("a\u200bb\x00c\x1b[2J") == "a[ZWSP]b␀c␛[2J"
    assert neutral("hi\U000e0041") == "hi[U+E0041]"
    assert neutral("broken \ud800") == "broken \ufffd"
    assert neutral("two\r\nlines\tand a tab") == "two\nlines\tand a tab"


def test_text_is_cut_between_characters_as_a_reader_sees_them() -> None:
    assert shorten("여름에 등산을 갔다", 6) == "여름에 등…"
    assert shorten("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2) == "👩‍👩‍👧‍👦…"
    assert shorten("🇰🇷🇬🇧🇫🇷", 2) == "🇰🇷…"
    assert shorten("e\u0301e\u0301e\u0301", 2) == "e\u0301…"
    decomposed = "\u1112\u1161\u11ab\u1100\u1173\u11af\u1112\u1161\u11ab"
    assert shorten(decomposed, 2) == "\u1112\u1161\u11ab…"


@given(st.text(), st.integers(1, 40))
def test_a_shortened_text_is_one_line_and_can_be_encoded(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert "\n" not in short
    assert short.encode().decode() == short


def test_a_megabyte_of_text_becomes_one_label() -> None:
    assert len(sent(Node("a", "cue", "A" * 1_000_000))["nodes"][0]["label"]) == LABEL_LENGTH


def test_right_to_left_letters_are_noticed() -> None:
    assert right_to_left("שלום")
    assert not right_to_left("한국어 and English")
