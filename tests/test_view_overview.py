"""What the pages Overview and Conversations say of a memory, worked out from its graph alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from building import TOWN, town, turns

from memcore.graph import Graph
from memcore.records import UNKNOWN, File, TraceHeader
from memcore.view import conversations as view
from memcore.view.overview import languages, overview, reach, size
from memcore.view.past_runs import trace_line


def test_every_layer_speaker_and_day_is_counted() -> None:
    seen = overview(town().graph)
    assert seen.layers["turn"] == len(TOWN)
    assert seen.speakers == [("Ann", 6), ("Bo", 6)]
    assert (seen.first, seen.last) == ("6 May 2024", "8 May 2024")
    assert seen.undated == 0


def test_a_memory_without_a_cue_is_said_to_be_out_of_reach() -> None:
    graph = town().graph
    assert overview(graph).unreachable == 0
    kept = graph.columns.relation_content != 0
    c = graph.columns
    cut = replace(
        c,
        relation_cue=c.relation_cue[kept],
        relation_tag=c.relation_tag[kept],
        relation_content=c.relation_content[kept],
    )
    seen = overview(Graph(cut))
    assert seen.unreachable == 1 and reach(seen).startswith("1 memory has no cue")
    assert reach(seen).endswith("cannot reach it.")
    assert reach(replace(seen, unreachable=2)).endswith("cannot reach them.")


def test_an_empty_memory_has_an_overview() -> None:
    seen = overview(town([]).graph)
    assert (seen.layers, seen.first, seen.speakers) == ({}, "", [])


def test_a_past_run_is_told_in_words_and_at_the_hour_of_the_reader() -> None:
    begun = datetime(2026, 5, 3, 22, 56, tzinfo=UTC)
    asked = TraceHeader("r", "Where is the key?", "active", 12, begun, "stopped")
    line = "Active reconstruction · 12 turns to read"
    assert trace_line(asked) == f"{line} · 3 May 2026, 22:56 UTC · stopped early"
    assert trace_line(asked, "Asia/Seoul") == f"{line} · 4 May 2026, 07:56 KST · stopped early"
    assert trace_line(replace(asked, parent="p", parent_step=3)).endswith(" · fork at step 3")
    assert trace_line(replace(asked, strategy="retired", budget=1)).startswith("retired · 1 turn to read")


def test_languages_are_shares_of_what_all_files_brought() -> None:
    files = [File(str(i), "f", "x", datetime.now(UTC), {"languages": {"ko": 2, "en": i}}) for i in range(3)]
    assert languages(files) == [("Korean", "67 %"), ("English", "33 %")]


def test_sizes_have_a_unit() -> None:
    assert [size(n) for n in (0, 999, 1500, 9_612_637, 250_000_000)] == [
        "0 bytes", "999 bytes", "1.5 KB", "9.6 MB", "250 MB",
    ]  # fmt: skip


def test_filters_of_speaker_session_and_day_act_together() -> None:
    said = turns()
    wanted = view.Wanted(("Ann",), (), date(2024, 5, 7), date(2024, 5, 7))
    assert [t.source for t in view.filtered(said, wanted)] == ["D2:1", "D2:3"]
    assert view.filtered(said, view.Wanted(sessions=("3",))) == said[8:]
    assert view.filtered(said, view.Wanted()) == said


def test_a_turn_of_unknown_time_matches_no_day() -> None:
    unknown = replace(turns()[0], said=UNKNOWN)
    assert not view.Wanted(first=date(1970, 1, 1)).matches(unknown)
    assert view.Wanted(speakers=("Ann",)).matches(unknown)


def test_a_turn_names_its_cues_and_its_node() -> None:
    said = turns()
    graph = town(said).graph
    handles = view.handles_of_turn(graph, said[2].id)
    assert handles is not None and handles.node in graph.content_index
    assert any("Saffron" in cue for cue in handles.cues) and handles.tags
    assert view.handles_of_turn(graph, "0" * 16) is None


def test_a_jump_finds_the_page() -> None:
    said = turns()
    assert [view.page_holding(said, t.id, 5) for t in (said[0], said[4], said[5], said[11])] == [1, 1, 2, 3]
    assert view.page_holding(said, "gone", 5) == 1
    assert (view.pages_of(0), view.pages_of(25), view.pages_of(26)) == (1, 1, 2)


def test_what_is_no_part_of_the_dialogue_says_why() -> None:
    turn = turns()[0]
    assert view.aside(turn) == ""
    assert "no memory is built" in view.aside(replace(turn, folded=True))
    assert "Alternative reply" in view.aside(replace(turn, branch="b2"))


def test_a_snippet_stands_around_the_searched_word() -> None:
    text = "x" * 300 + " the Barometer fell " + "y" * 300
    part = view.snippet(text, "barometers BAROMETER", around=20)
    assert part.hit == "Barometer" and part.before.startswith("…") and part.after.endswith("…")
    assert view.snippet("기압계가 떨어졌어", "기압계").hit == "기압계"
    assert view.snippet("nothing here", "barometer") == ("", "", "nothing here")


def test_a_session_is_not_called_a_session_twice() -> None:
    named = [view.session_words(name) for name in ("", "3", "session_3", "Reading the scale")]
    assert named == ["", "session 3", "session 3", "session Reading the scale"]
