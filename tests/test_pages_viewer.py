"""Every page as somebody sees it who may see less: no secret is in anything that is sent to the browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st
from pages_running import labels, page, words
from streamlit.testing.v1 import AppTest
from veiled_memory import ANN, run_of, stored_run

from memcore import samples
from memcore.editing import Set
from memcore.events import Asked, Imported
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.recorded_run import read
from memcore.records import (
    UNKNOWN,
    Content,
    Cue,
    File,
    Record,
    Relation,
    Tag,
    TraceHeader,
    Turn,
    Unit,
    Version,
    new_id,
    now,
)
from memcore.samples.recorded import Recorded

SAMPLE = samples.RECORDED[1]
SAYS = "only be read"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """A sample in which topics recur, with secrets in every kind of record."""
    folder = tmp_path_factory.mktemp("viewer") / "store"
    opened = Memories.open(folder, embedder="multilingual")
    recorded = Recorded(opened.embedder, samples.vectors(SAMPLE))
    found = Memory(opened.store.create_scope(SAMPLE.name), recorded, opened.settings)
    list(found.import_path(samples.folder() / f"{SAMPLE.stem}.jsonl"))
    secrets = list(_secrets(found))
    found._scope.commit(Imported(secrets[0].id, 1), inserts=secrets)
    stored_run(found, run_of("zqrun", "zqseen", 3))
    stored_run(found, run_of("An open run", "nothing special"))
    named = next(e.units[0] for e in found.recurrence.episodes() if len(e.units) > 1)
    found.edit(Set("unit", (named,), "label", "zqlabel"), ANN)
    _trace(found)
    return found


def _secrets(memory: Memory) -> Iterator[Record]:
    """A turn at the end of a conversation with all that can be made of one."""
    talk, last = memory.conversations()[0], memory.recurrence.units()[-1]
    yield File(
        new_id(),
        "zqfile.jsonl",
        "own",
        now(),
        {"name": "zqfile.jsonl", "format": "own", "warnings": ["zqreport"]},
    )
    turn = Turn(new_id(), talk.id, 9_000, "Zqspeaker", "user", "zqsaid in Lisbon", last.said)
    unit = Unit(new_id(), talk.id, 9_000, (turn.id,), last.order + 1, last.said, now(), label="zqcluster")
    said = Content(
        new_id(), "turn", turn.text, (turn.id,), talk.id, 9_000, "Zqspeaker", turn.said, recorded=now(),
        sensitivity=3,
    )  # fmt: skip
    episode = Content(
        new_id(), "episode", "zqepisode", (turn.id,), talk.id, 9_000, "", UNKNOWN, recorded=now(),
        units=(unit.id,), made_by="rule",
    )  # fmt: skip
    cue, tag = Cue(new_id(), "Zqcue", "zqcue", "people"), Tag(new_id(), "zqtag", "zqtag")
    known = memory.snapshot().graph.columns.cue_ids[0]
    yield from (turn, unit, said, episode, Version(new_id(), episode.id, "zqversion", 1, now()), cue, tag)
    for of, content in ((cue.id, said), (known, said), (cue.id, episode)):
        yield Relation(new_id(), of, tag.id, content.id, turn.id)


def _trace(memory: Memory) -> None:
    """A run that the owner asked for."""
    header = TraceHeader(new_id(), "zqasked?", "active", 3, now(), "running")
    memory._scope.save_trace(header)
    asked = [Asked("active", 3, False, "ctc", memory._scope.seq(), 9)]
    memory._scope.finish_trace(header, asked, read(header, asked))


@pytest.fixture(autouse=True)
def shown(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCORE_STORE", str(memory._scope._store.folder.path))
    monkeypatch.delenv("MEMCORE_SAMPLES", raising=False)


def sent(app: AppTest) -> str:
    """Everything that goes to the browser, tables and drawings included."""
    assert not app.exception, app.exception
    parts: list[bytes] = []
    waiting = [app._tree]
    while waiting:
        node = waiting.pop()
        waiting += list(getattr(node, "children", {}).values())
        if (proto := getattr(node, "proto", None)) is not None:
            parts.append(proto.SerializeToString())
    return b"\n".join(parts).decode("utf-8", "replace").lower()


def visits(memory: Memory) -> list[tuple[str, dict[str, str]]]:
    """Every page in every view, and what a link of the owner would open."""
    hidden = next(i for i, _ in memory.search("zqsaid", ("turn",)))
    content = next(i for i, _ in memory.search("zqsaid", ("content",)))
    run = next(r.id for r in memory.runs.all() if r.title == "zqrun")
    cue = memory._scope.named("cue", ["zqcue"])["zqcue"]
    return [
        ("overview", {}),
        *(("overview", {"mend": kind}) for kind in ("unreached", "near_names", "empty_files")),
        *(("conversations", {"view": view}) for view in ("Browse", "Files", "Import")),
        ("conversations", {"turn": hidden}),
        ("graph", {}),
        ("graph", {"node": content}),
        ("graph", {"node": cue}),
        *(("recurrence", {"look": v}) for v in ("Clusters", "Table", "Timeline", "What if", "Cost")),
        ("reconstruction", {}),
        ("reconstruction", {"trace": memory.traces()[0].id}),
        ("state_tree", {}),
        ("state_tree", {"run": run}),
        *(("history", {"part": part}) for part in ("Changes", "Disputed", "Export and replay")),
        ("privacy", {}),
        ("settings", {}),
    ]


def test_no_page_sends_a_secret_to_who_may_not_see_it(memory: Memory) -> None:
    """The owner looks first, so that what a page remembers of that is not shown to the next."""
    st.cache_resource.clear()
    told = set[str]()
    for seen in ({}, {"seen": "sensitive"}, {"seen": "no such view"}):
        for name, query in visits(memory):
            text = sent(page(name, scope=SAMPLE.name, **query, **seen))
            if not seen:
                told |= {name} if "zq" in text else set()
                continue
            at = text.find("zq")
            assert at < 0, f"{name} {query} {seen}: {text[max(0, at - 200) : at + 80]}"
    assert {
        "overview",
        "conversations",
        "graph",
        "recurrence",
        "reconstruction",
        "state_tree",
        "history",
    } <= told


def test_the_switch_is_in_the_address_and_begins_the_session_anew(memory: Memory) -> None:
    st.cache_resource.clear()
    app = page("state_tree", scope=SAMPLE.name)
    assert "zqrun" in sent(app) and "Part of the memory is left out" not in words(app)
    switch = next(s for s in app.selectbox if s.label == "Seen as")
    app = switch.set_value("somewhat").run()
    assert "zq" not in sent(app) and "left out" in sent(app)
    assert app.query_params["seen"] in ("somewhat", ["somewhat"])
    app.switch_page("pages/graph.py").run()
    assert "zq" not in sent(app) and SAYS in words(app)
    app = next(s for s in app.selectbox if s.label == "Seen as").set_value("everything").run()
    assert "seen" not in app.query_params and SAYS not in words(app)


@pytest.mark.parametrize(
    ("name", "query", "gone"),
    [
        ("graph", {}, ("Edit", "Redo", "Delete", "Pin")),
        ("conversations", {"view": "Import"}, ("Look at them first", "Undo this import")),
        ("history", {}, ("Undo", "Export")),
        ("recurrence", {"look": "What if"}, ("Apply",)),
        ("state_tree", {}, ("Play the demo agent",)),
        ("privacy", {}, ("Find", "Erase")),
    ],
)
def test_what_would_change_something_is_a_sentence_and_no_button(
    name: str, query: dict[str, str], gone: tuple[str, ...], memory: Memory
) -> None:
    app = page(name, scope=SAMPLE.name, seen="open", **query)
    assert not app.exception
    if name != "state_tree":
        assert words(app).count(SAYS) == 1, words(app)
    assert not [label for label in labels(app) if label.startswith(gone)]
