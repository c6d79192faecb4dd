"""The page Reconstruction in a real Chromium, on the real app: a run watched, stepped, stopped, left."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from walking import App, number_in

from memcore import samples
from memcore.memories import Memories
from memcore.reconstruction import Ask

SCOPE = "Harbour Street"
HOSTILE = "Hostile"
CHAIN = "Which instrument can be heard from whoever looks after Admiral when Idris travels?"
POISON = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "![seen](http://beacon.invalid/seen.png)",
    "[click](javascript:alert(3))",
    "</script><svg onload=alert(4)>",
    "\u202egnp.exe\u202c",
)
SLOW = "Two seconds a step"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, app_server: Callable[..., str]) -> App:
    expect.set_options(timeout=15_000)  # a busy machine is slow, and that is not what is tested
    folder = tmp_path_factory.mktemp("app")
    memories = Memories.open(folder / "store", embedder="none")
    list(memories.scope(SCOPE, create=True).import_path(samples.folder() / "harbour_street.jsonl"))
    list(memories.scope(HOSTILE, create=True).import_path(hostile_file(folder)))
    return App(app_server(folder / "store"), memories, "reconstruction", SCOPE)


def hostile_file(folder: Path) -> Path:
    """Turns whose text, speakers and cues are attacks, and one turn of a megabyte."""
    texts = [f"{p} Rosalind keeps the lantern key {p}" for p in POISON]
    texts.append("Rosalind keeps the lantern key " + "<b>x</b> " * 115_000)
    turns = [
        {
            "id": f"T{i}",
            "speaker": POISON[i % len(POISON)],
            "text": text,
            "time": f"2024-05-0{1 + i % 9}T10:00:00Z",
        }
        for i, text in enumerate(texts)
    ]
    path = folder / "hostile.jsonl"
    path.write_text("\n".join(json.dumps({"conversation": "C1", **t}) for t in turns), "utf-8")
    return path


def of(page: Page, expression: str) -> Any:
    """A value computed from the canvas instance `s`, or None before there is one."""
    look = f"const s = globalThis.__memcore?.inst.get('trace'); return s?.net ? ({expression}) : null"
    return page.evaluate(f"(() => {{ {look} }})()")


def drawn(page: Page) -> None:
    page.wait_for_function("() => globalThis.__memcore?.inst.get('trace')?.drawnAt")


def camera_and_places(page: Page) -> Any:
    places = "s.net.getPositions([...s.rawNodes.keys()])"
    return of(page, f"({{ view: [s.net.getViewPosition(), s.net.getScale()], at: {places} }})")


def overlay_is_of(page: Page, step: int) -> None:
    """Wait until the marks of this step lie on the canvas."""
    marks = "__memcore.log.filter((l) => l.overlay && l.overlay !== 'grow').at(-1)"
    page.wait_for_function(f"step => {marks}?.overlay.endsWith(`:${{step}}`)", arg=step)


def ask(page: Page, question: str, pace: str = "At once") -> None:
    page.get_by_label("Question", exact=True).fill(question)
    if pace != "At once":
        page.get_by_label("Pace").click()
        page.get_by_role("option", name=pace).click()
    page.get_by_role("button", name="Ask", exact=True).click()


def finished(page: Page) -> None:
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=30_000)


def at_step(page: Page, step: int, last: int) -> None:
    expect(page.get_by_text(f"Step {step} of {last}", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(rf"[?&]step={step}(&|$)"))


def trace_in(page: Page) -> str:
    expect(page).to_have_url(re.compile("trace="))
    found = re.search(r"trace=(\w+)", page.url)
    assert found
    return found.group(1)


def recorded(app: App, question: str = CHAIN, scope: str = SCOPE) -> tuple[str, int]:
    """The id of a run made without the page, and its number of steps."""
    run = app.memory(scope).ask(Ask(question, 12))
    return run.header.id, max(getattr(e, "step", 0) for e in run)


def opened(page: Page, app: App, trace: str, scope: str = SCOPE, **query: str) -> None:
    page.goto(app.url(scope, trace=trace, **query))
    finished(page)
    drawn(page)


def test_a_live_run_grows_on_one_canvas_and_ends_where_it_stands(page: Page, app: App) -> None:
    """The graph is sent once, each step brings its own nodes; nothing is mounted again, nothing moves."""
    page.goto(app.url())
    ask(page, CHAIN, SLOW)
    drawn(page)
    seen: list[dict[str, Any]] = []
    while page.get_by_role("button", name="Pause").count():
        if at := camera_and_places(page):
            seen.append(at)
        page.wait_for_timeout(150)
    finished(page)
    overlay_is_of(page, 8)
    after = camera_and_places(page)
    assert of(page, "s.mounts") == 1
    counts = [len(s["at"]) for s in seen]
    assert counts == sorted(counts) and counts[0] < counts[-1]
    for before in seen:
        assert {i: after["at"][i] for i in before["at"]} == before["at"]
    if counts[-1] == len(after["at"]):
        assert after["view"] == seen[-1]["view"]
    sent = page.evaluate("__memcore.log.filter((l) => l.gid === 'trace' && l.overlay === undefined)")
    assert sum(line["added"] for line in sent) == 0 and len(sent) <= 1
    grown = page.evaluate("__memcore.log.filter((l) => l.overlay === 'grow').map((l) => l.added)")
    assert sum(1 for added in grown if added) == len(grown) >= 2


def test_a_selected_node_of_a_later_step_does_not_take_the_graph_back(page: Page, app: App) -> None:
    page.goto(app.url())
    ask(page, CHAIN, SLOW)
    page.wait_for_function(
        "() => globalThis.__memcore?.log.some((l) => l.overlay === 'grow')", timeout=30_000
    )
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    count = of(page, "s.nodes.length")
    last = of(page, "[...s.rawNodes.keys()].at(-1)")
    spot = of(page, f"s.net.canvasToDOM(s.net.getPosition('{last}'))")
    box = of(page, "s.stage.getBoundingClientRect().toJSON()")
    page.mouse.click(box["left"] + spot["x"], box["top"] + spot["y"])
    expect(page.get_by_text("Open in the graph")).to_be_visible()
    assert of(page, "s.nodes.length") == count and of(page, "s.mounts") == 1
    page.get_by_role("button", name="Stop").click()
    finished(page)


def test_a_run_is_paused_resumed_and_stopped_by_hand(page: Page, app: App) -> None:
    page.goto(app.url())
    ask(page, CHAIN, SLOW)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused")).to_be_visible()
    trace = trace_in(page)
    held = held_at(page, app, trace)
    step = number_in(page.get_by_text(re.compile("^Paused ")).inner_text())
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text(f"Reconstructing …  step {step + 1}")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    finished(page)
    expect(page.get_by_text("stopped early").first).to_be_visible()
    header, events = app.memory().trace(trace)
    assert header.status == "stopped" and len(events) > held
    assert [e.limit for e in events if e.kind == "stopped"] == ["cancelled"]


def held_at(page: Page, app: App, trace: str) -> int:
    """How many events a paused run stays at for longer than it goes without one; the step that was under way
    when the button was pressed may still end."""
    counts = [-1, -2]
    while counts[-1] != counts[-2]:
        assert len(counts) < 8, f"a paused run goes on: {counts}"
        page.wait_for_timeout(3_500)
        counts.append(len(app.memory().trace(trace)[1]))
    return counts[-1]


def test_closing_the_tab_stops_the_run_and_keeps_its_trace(page: Page, app: App) -> None:
    page.goto(app.url())
    ask(page, CHAIN, SLOW)
    page.get_by_role("button", name="Pause").wait_for()
    trace = trace_in(page)
    while trace not in {header.id for header in app.memory().traces()}:
        page.wait_for_timeout(50)
    closed = time.monotonic()
    page.close()
    while app.memory().trace(trace)[0].status == "running":
        assert time.monotonic() - closed < 10
        time.sleep(0.02)
    print(f"stopped {time.monotonic() - closed:.2f} s after the tab was closed")
    header, events = app.memory().trace(trace)
    assert header.status == "stopped"
    assert {e.kind for e in events} >= {"asked", "opened", "stopped"}
    assert max(getattr(e, "step", 0) for e in events) < 8


def test_stepping_re_sends_no_graph_and_mounts_nothing(page: Page, app: App) -> None:
    trace, last = recorded(app)
    opened(page, app, trace)
    at_step(page, last, last)
    overlay_is_of(page, last)
    page.evaluate("__memcore.log.length = 0")
    page.on("websocket", lambda _: pytest.fail("a step opened another connection"))
    before = camera_and_places(page)
    page.get_by_role("button", name="Previous").click()
    at_step(page, last - 1, last)
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    at_step(page, 1, last)
    overlay_is_of(page, 1)
    page.get_by_role("button", name="Next").click()
    at_step(page, 2, last)
    overlay_is_of(page, 2)
    log = page.evaluate("__memcore.log.filter((l) => l.gid === 'trace')")
    assert log and all("overlay" in line and line["added"] == 0 for line in log)
    assert of(page, "s.mounts") == 1
    assert camera_and_places(page) == before


def test_arrow_keys_step_and_space_plays_but_not_while_typing(page: Page, app: App) -> None:
    trace, last = recorded(app)
    opened(page, app, trace)
    at_step(page, last, last)
    page.get_by_text("Step 8 of 8").click()
    page.keyboard.press("ArrowLeft")
    at_step(page, last - 1, last)
    page.keyboard.press("ArrowRight")
    at_step(page, last, last)
    box = page.get_by_label("Question", exact=True)
    box.fill("abc")
    box.press("ArrowLeft")
    box.press(" ")
    assert box.input_value() == "ab c"
    at_step(page, last, last)
    page.get_by_text("Step 8 of 8").click()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Hold")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_quick_presses_are_all_counted(page: Page, app: App) -> None:
    """Also those made before the slider has heard of the one before."""
    trace, last = recorded(app)
    opened(page, app, trace, step="1")
    at_step(page, 1, last)
    page.get_by_text(f"Step 1 of {last}").click()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(40)
    at_step(page, 6, last)
    page.wait_for_timeout(1_000)
    at_step(page, 6, last)


def test_play_walks_through_every_step_to_the_last_and_ends_there(page: Page, app: App) -> None:
    trace, last = recorded(app)
    opened(page, app, trace, step="1")
    at_step(page, 1, last)
    page.get_by_role("button", name="Play").click()
    for step in range(2, last + 1):
        at_step(page, step, last)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.wait_for_timeout(1_500)
    at_step(page, last, last)
    assert of(page, "s.mounts") == 1


def test_the_address_names_trace_and_step_as_soon_as_an_answer_stands(page: Page, app: App) -> None:
    page.goto(app.url())
    ask(page, CHAIN)
    finished(page)
    at_step(page, 8, 8)
    first = trace_in(page)
    page.get_by_role("button", name="Previous").click()
    at_step(page, 7, 8)
    page.reload()
    finished(page)
    at_step(page, 7, 8)
    assert trace_in(page) == first
    expect(page.get_by_role("heading", name=CHAIN)).to_be_visible()
    page.get_by_text("Example questions").click()
    page.get_by_role("button", name=re.compile("repaired Maren")).click()
    expect(page.get_by_role("heading", name=re.compile("repaired Maren"))).to_be_visible()
    expect(page).not_to_have_url(re.compile(first))
    address = page.url
    copy = page.context.new_page()
    copy.goto(address)
    expect(copy.get_by_role("heading", name=re.compile("repaired Maren"))).to_be_visible()
    at_step(copy, 8, 8)


def test_leaving_the_page_and_coming_back_keeps_run_step_and_camera(page: Page, app: App) -> None:
    trace, last = recorded(app)
    opened(page, app, trace, step="3")
    at_step(page, 3, last)
    of(page, "s.net.moveTo({ position: { x: 300, y: 40 }, scale: 0.6, animation: false })")
    page.wait_for_timeout(100)
    before = camera_and_places(page)
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("button", name="Play")).to_have_count(0)
    page.get_by_role("link", name="Reconstruction", exact=True).first.click()
    finished(page)
    at_step(page, 3, last)
    assert trace_in(page) == trace
    overlay_is_of(page, 3)
    assert camera_and_places(page) == before


def test_the_important_columns_need_no_scrolling_on_a_narrow_page(page: Page, app: App) -> None:
    page.set_viewport_size({"width": 1024, "height": 900})
    trace, _ = recorded(app)
    opened(page, app, trace)
    for tab in ("Evidence", "Candidates", "Pruned branches"):
        page.get_by_role("tab", name=tab).click()
        scroller = page.locator("[data-testid='stDataFrame'] .dvn-scroller").first
        expect(scroller).to_be_visible()
        page.wait_for_timeout(300)
        assert scroller.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), tab
    page.get_by_role("tab", name="Candidates").click()
    page.get_by_text("All score components").click()
    table = "document.querySelector('.dvn-scroller')"
    page.wait_for_function(f"() => {table} && {table}.scrollWidth > {table}.clientWidth", timeout=5_000)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_text_on_this_page_runs_nothing_and_fetches_nothing(page: Page, app: App) -> None:
    """The fixture `page` fails the test for any request away from loopback, dialog or script error."""
    question = f"Who keeps the lantern key at http://evil.example or www.evil.example? {' '.join(POISON)}"
    page.goto(app.url(HOSTILE))
    ask(page, question)
    finished(page)
    drawn(page)
    heading = page.get_by_role("heading", name=re.compile("lantern key"))
    expect(heading).to_contain_text("<script>alert(1)</script>")
    for tab in ("Steps", "Candidates", "Pruned branches", "Compare", "Evidence"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(500)
    page.wait_for_function("() => globalThis.__memcore?.inst.get('trace')?.net")
    for node in of(page, "[...s.rawNodes.keys()].slice(0, 6)"):
        of(page, f"s.component.setStateValue('selection', {{ nodes: ['{node}'], edges: [] }})")
        page.wait_for_timeout(400)
    page.get_by_text(re.compile("^Past runs|^The last")).click()
    page.wait_for_timeout(300)
    main = page.locator("[data-testid='stMain']")
    assert main.locator("script, img, svg[onload], a[href^='javascript'], a[href*='evil']").count() == 0
    assert "\u202e" not in main.inner_text()
