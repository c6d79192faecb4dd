"""Importing through the page: several files, preview, stop, undo; and text that attacks whoever reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from walking import SAMPLE, drawn, filled, idle, inspector, number_in, of, press, spot, visit

from memcore.events import Imported
from memcore.memories import Memories
from memcore.memory import Memory

MARK = "window.__seen=1"
ATTACKS = (
    f"<script>{MARK}</script>",
    f"<img src=x onerror={MARK}>",
    "![seen](http://beacon.invalid/seen.png)",
    "[press](javascript:alert(1))",
    f"</script><svg onload={MARK}>",
    "\u202egnp.exe\u202c",
    ":material/home: $x^2$ :red[x] <b>bold</b>",
)
HOSTILE = " ".join(ATTACKS)
MANY = 20_000


@pytest.fixture
def store(tmp_path: Path) -> Path:
    filled(tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture
def address(app_server: Callable[..., str], store: Path) -> str:
    return app_server(store)


def lines(*turns: dict[str, Any]) -> bytes:
    """Our own JSONL."""
    return "\n".join(json.dumps(turn, ensure_ascii=False) for turn in turns).encode()


def turn(i: int, text: str, **more: str) -> dict[str, Any]:
    at = f"2024-05-{1 + i % 28:02}T10:00:00Z"
    return {"conversation": "c", "speaker": "Ann", "id": f"T{i}", "text": text, "at": at} | more


def upload(page: Page, address: str, *files: tuple[str, bytes]) -> None:
    """Choose files and look at them; nothing is written yet."""
    visit(page, f"{address}/conversations?view=Import&scope=Harbour+Street")
    given = [{"name": name, "mimeType": "application/json", "buffer": content} for name, content in files]
    page.locator("input[type=file]").set_input_files(given)  # type: ignore[arg-type]
    button = page.get_by_role("button", name="Preview", exact=True)
    expect(button).to_be_enabled(timeout=15_000)
    button.click()
    expect(page.get_by_text("nothing is written", exact=False).first).to_be_visible(timeout=20_000)
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible(timeout=20_000)
    idle(page)


def memory_of(store: Path, name: str = SAMPLE) -> Memory:
    return Memories.open(store).scope(name)


def test_several_files_are_previewed_imported_reported_and_taken_back(
    page: Page, address: str, store: Path
) -> None:
    before = memory_of(store).count()["turn"]
    one = lines(turn(0, "I keep bees on the roof."), turn(1, "Seven hives?"))
    two = json.dumps({"messages": [{"role": "user", "content": "Name a bridge."}]}).encode()
    upload(page, address, ("bees.jsonl", one), ("bridge.json", two), ("noise.bin", bytes(range(256))))
    for name in ("bees.jsonl", "bridge.json", "noise"):
        expect(page.get_by_text(name).first).to_be_visible()
    assert memory_of(store).count()["turn"] == before
    press(page, "Import")
    expect(page.get_by_text("3 turns written")).to_be_visible(timeout=20_000)
    assert memory_of(store).count()["turn"] == before + 3
    for said in ("bees.jsonl", "bridge.json", "noise.bin is binary"):
        expect(page.get_by_text(said).last).to_be_visible()
    press(page, "Undo this import")
    assert memory_of(store).count()["turn"] == before + 2
    visit(page, f"{address}/conversations?view=Files&scope=Harbour+Street")
    press(page, "Undo this import")
    assert memory_of(store).count()["turn"] == before


def test_a_long_import_is_stopped_keeps_what_it_wrote_and_says_so(
    page: Page, address: str, store: Path
) -> None:
    before = memory_of(store).count()["turn"]
    many = lines(*(turn(i, f"Crate {i} holds lamp {i}.", session=str(i // 50)) for i in range(MANY)))
    upload(page, address, ("crates.jsonl", many))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text(re.compile(r"^[1-9][\d,]* of 20,000 turns"))).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Stop", exact=True).click()
    said = page.get_by_text("written so far")
    expect(said).to_be_visible(timeout=30_000)
    written = number_in(said.inner_text())
    idle(page)
    assert 0 < written < MANY and memory_of(store).count()["turn"] == before + written
    expect(page.get_by_text("stopped before the end").first).to_be_visible()
    press(page, "Undo this import")
    assert memory_of(store).count()["turn"] == before


def test_hostile_text_is_only_ever_read(page: Page, address: str, store: Path) -> None:
    talk = {"speaker": HOSTILE, "title": HOSTILE, "conversation": HOSTILE, "session": HOSTILE}
    turns = [turn(i, f"Rosalind keeps the lantern. {a} Lantern", **talk) for i, a in enumerate(ATTACKS)]
    long = turn(90, "Rosalind has the lantern. " + f"{HOSTILE} " * (1_000_000 // len(HOSTILE)), **talk)
    upload(page, address, (f"{ATTACKS[1]} {ATTACKS[2].replace('/', '')}.jsonl", lines(*turns, long)))
    page.get_by_text("The first").first.click()
    harmless(page)
    press(page, "Import")
    expect(page.get_by_text("turns written", exact=False)).to_be_visible(timeout=40_000)
    harmless(page)
    poison_names(memory_of(store))
    for path in ("?", "conversations?view=Browse&", "conversations?view=Files&", "graph?", "reconstruction?"):
        visit(page, f"{address}/{path}scope=Harbour+Street")
        harmless(page)
    the_conversation_is_read(page, address)
    the_graph_is_read(page, address, memory_of(store))
    a_question_is_asked(page, address)


def poison_names(memory: Memory) -> None:
    """Cues and tags named by an attack: no extractor makes such names, another writer may."""
    graph = memory.snapshot().graph
    node = graph.contents_of_turn(rosalind(memory))[0]
    cues, tags = graph.handles_of(node)
    c = graph.columns
    ids = [*{c.cue_ids[i] for i in cues.tolist()}, *{c.tag_ids[i] for i in tags.tolist()}]
    found = [r for r in memory.get(ids).values() if r.kind in ("cue", "tag")]
    named = [replace(r, name=f"Lantern {HOSTILE}") for r in found]  # type: ignore[arg-type]
    memory._scope.commit(Imported("0" * 16, 0), upserts=named)


def rosalind(memory: Memory) -> str:
    return memory.search("Rosalind", ("turn",), 1)[0][0]


def the_conversation_is_read(page: Page, address: str) -> None:
    visit(page, f"{address}/conversations?view=Browse&scope=Harbour+Street")
    box = page.get_by_label("Search turns")
    box.fill("lantern")
    box.press("Enter")
    expect(page.get_by_text("best first", exact=False)).to_be_visible()
    idle(page)
    harmless(page)
    page.get_by_role("button", name="Open in its conversation").first.click()
    expect(page.get_by_text("The turn you came for")).to_be_visible()
    harmless(page)


def the_graph_is_read(page: Page, address: str, memory: Memory) -> None:
    graph = memory.snapshot().graph
    node = graph.columns.content_ids[graph.contents_of_turn(rosalind(memory))[0]]
    visit(page, f"{address}/graph?node={node}&scope=Harbour+Street")
    drawn(page)
    page.get_by_role("button", name="Labels: all").click()
    expect(inspector(page)).to_contain_text("Where it comes from")
    page.mouse.move(*spot(page, node))
    page.wait_for_timeout(400)
    harmless(page)
    cue = of(page, "[...s.rawNodes.values()].find((n) => n.kind === 'cue').id")
    page.mouse.click(*spot(page, cue))
    expect(inspector(page)).to_contain_text("The cue")
    harmless(page)
    page.get_by_text("Table", exact=True).click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    idle(page)
    harmless(page)


def a_question_is_asked(page: Page, address: str) -> None:
    visit(page, f"{address}/reconstruction?scope=Harbour+Street")
    page.get_by_label("Question", exact=True).fill("Who keeps the lantern, Rosalind?")
    press(page, "Ask")
    expect(page.get_by_text("lantern").nth(1)).to_be_visible(timeout=20_000)
    page.wait_for_timeout(1500)
    harmless(page)
    visit(page, f"{address}/?scope=Harbour+Street")
    harmless(page)


def harmless(page: Page) -> None:
    """Nothing ran, and nothing an attack names has become an element. What was fetched, `page` checks."""
    assert page.evaluate("window.__seen === undefined")
    found = "img[src*='beacon'], img[src='x'], svg[onload], a[href^='javascript'], [onerror]"
    assert page.locator(found).count() == 0
    scripts = "[...document.scripts].filter((s) => s.textContent.includes('__seen')).length"
    assert page.evaluate(scripts) == 0
