"""The pages Graph and Reconstruction, run as Streamlit runs them, on a small store."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memcore import samples
from memcore.memory import Memories
from memcore.reconstruction import Ask

ROOT = Path(__file__).resolve().parents[1]
QUESTION = "What did the person who repaired Maren's bicycle give her in spring?"


@pytest.fixture
def memories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    monkeypatch.setenv("MEMCORE_STORE", str(tmp_path / "store"))
    found = Memories.open(tmp_path / "store", embedder="none")
    memory = found.scope("Harbour Street", create=True)
    list(memory.import_path(samples.folder() / "harbour_street.jsonl"))
    return found


def _page(name: str, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{name}.py")
    return app.run()


def _words(app: AppTest) -> str:
    return "\n".join(
        str(e.value) for kind in ("markdown", "caption", "text", "subheader") for e in app.get(kind)
    )


def test_the_graph_opens_on_a_neighbourhood_and_says_how_much_it_shows(memories: Memories) -> None:
    app = _page("graph")
    assert not app.exception
    assert "Showing" in _words(app) and "starting points" in _words(app)


def test_a_search_that_finds_nothing_says_so_and_keeps_the_box(memories: Memories) -> None:
    app = _page("graph")
    app.text_input(key="graph:search").set_value("zzzqqq").run()
    assert not app.exception
    assert "No cue, tag or memory holds these words" in app.info[0].value
    assert app.text_input(key="graph:search").value == "zzzqqq"


def test_a_link_to_a_node_opens_its_panel(memories: Memories) -> None:
    graph = memories.scope("Harbour Street").snapshot().graph
    content = graph.columns.content_ids[0]
    app = _page("graph", node=content)
    assert not app.exception
    assert "Where it comes from" in _words(app)
    assert "Recorded" in _words(app)


def test_a_link_opens_a_trace_at_its_step(memories: Memories) -> None:
    run = memories.scope("Harbour Street").ask(Ask(QUESTION, 12))
    list(run)
    app = _page("reconstruction", trace=run.header.id, step="2")
    assert not app.exception
    assert app.slider(key="trace:step").value == 2
    app.button(key="next").click().run()
    assert app.slider(key="trace:step").value == 3
    assert app.query_params["step"] in ("3", ["3"])


def test_moving_the_slider_asks_no_router(memories: Memories, monkeypatch: pytest.MonkeyPatch) -> None:
    run = memories.scope("Harbour Street").ask(Ask(QUESTION, 12))
    list(run)
    app = _page("reconstruction", trace=run.header.id, step="2")
    from memcore.llm.offline.router import OfflineRouter

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a replay asked the router")

    monkeypatch.setattr(OfflineRouter, "__init__", refuse)
    app.slider(key="trace:step").set_value(4).run()
    assert not app.exception
    assert app.slider(key="trace:step").value == 4


def test_asking_records_a_trace_whose_page_shows_the_answer_and_its_source(memories: Memories) -> None:
    app = _page("reconstruction")
    app.button(key="example0").click().run()
    assert not app.exception
    memory = memories.scope("Harbour Street")
    for _ in range(100):
        if [h.status for h in memory.traces()] == ["finished"]:
            break
        time.sleep(0.05)
    (header,) = memory.traces()
    assert header.status == "finished" and header.question == QUESTION
    app = _page("reconstruction", trace=header.id)
    assert "**Answer**" in _words(app) and "said" in _words(app)


def test_an_unknown_trace_is_one_clear_sentence(memories: Memories) -> None:
    app = _page("reconstruction", trace="0000000000000000")
    assert not app.exception
    assert app.warning
