"""The page State tree in a real Chromium, on the real app: folding, events, edits, the demo, links, size."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from walking import App

from memcore import samples
from memcore.memories import Memories

SCOPE, LONG, DEMO = "Trials", "Long", "Demos"
POISON = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "![seen](http://beacon.invalid/seen.png)",
    "[click](javascript:alert(3))",
    "\x1b]8;;http://beacon.invalid\x07link\x1b]8;;\x07 \u202egnp.exe",
)
STEPS = 3_000


class Trees(App):
    """The served app and its runs."""

    def run(self, title: str, scope: str = SCOPE) -> str:
        return next(run.id for run in self.memory(scope).runs.all() if run.title == title)

    def trial(self) -> str:
        return self.run("A quartet to Brackwater, trial 1")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, app_server: Callable[..., str]) -> Trees:
    expect.set_options(timeout=15_000)  # a busy machine is slow, and that is not what is tested
    folder = tmp_path_factory.mktemp("app")
    memories = Memories.open(folder / "store", embedder="none")
    trials = memories.scope(SCOPE, create=True)
    list(trials.runs.import_path(samples.folder() / "quartet_runs.jsonl"))
    list(trials.runs.import_path(written(folder / "hostile.jsonl", "Hostile", hostile())))
    long = memories.scope(LONG, create=True)
    list(long.runs.import_path(written(folder / "long.jsonl", "Long", many(STEPS))))
    list(long.runs.import_path(written(folder / "wide.jsonl", "Wide", many(460))))
    memories.scope(DEMO, create=True)
    return Trees(app_server(folder / "store"), memories, "state_tree", SCOPE)


def written(path: Path, title: str, lines: list[dict[str, Any]]) -> Path:
    header = {"format": "memcore.run", "run": title, "title": title, "task": f"{title}: do it."}
    path.write_text("\n".join(json.dumps(line) for line in (header, *lines)), "utf-8")
    return path


def hostile() -> list[dict[str, Any]]:
    """Steps and marks whose every text is an attack."""
    steps = [{"action": p, "observation": p * 2, "thought": p, "tool": p[:20]} for p in POISON]
    back = {"mark": "revise", "after": 5, "target": 0, "note": POISON[2]}
    failed = {"mark": "maintain", "after": 5, "passed": False, "target": 0, "note": POISON[0]}
    return [*steps, {"mark": "compress", "after": 5, "summary": POISON[1]}, failed, back, steps[0]]


def many(number: int) -> list[dict[str, Any]]:
    """A long run: a subgoal for every ten steps, and every third of them left once."""
    lines: list[dict[str, Any]] = []
    for n in range(1, number + 1):
        lines.append({"action": f"work {n}", "observation": f"result {n} " + "word " * 40})
        if n % 10 == 0:
            lines.append({"mark": "compress", "after": n, "summary": f"part {n}"})
        if n % 30 == 0:
            lines.append({"mark": "maintain", "after": n, "passed": False, "target": n - 10, "note": "no"})
            lines.append({"mark": "revise", "after": n, "target": n - 10})
    return lines


def of(page: Page, expression: str, gid: str = "tree") -> Any:
    """A value computed from the canvas instance `s`, or None before there is one."""
    look = f"const s = globalThis.__memcore?.inst.get('{gid}'); return s?.net ? ({expression}) : null"
    return page.evaluate(f"(() => {{ {look} }})()")


def opened(page: Page, app: Trees, run: str, scope: str = SCOPE, **query: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 1300})  # the whole canvas, so that all can be clicked
    page.goto(app.url(scope, run=run, **query))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible(timeout=30_000)
    page.wait_for_function("() => globalThis.__memcore?.inst.get('tree')?.drawnAt")


def at_event(page: Page, event: int, last: int) -> None:
    expect(page.get_by_text(f"Event {event} of {last}", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(rf"[?&]step={event}(&|$)"))


def labels(page: Page) -> list[str]:
    return of(page, "[...s.rawNodes.values()].map((n) => n.label)")


def spot(page: Page, label: str) -> tuple[float, float]:
    """Where the node with this label stands on the screen."""
    find = f"[...s.rawNodes.values()].find((n) => n.label.startsWith({json.dumps(label)})).id"
    at = of(page, f"s.net.canvasToDOM(s.net.getPosition({find}))")
    box = of(page, "s.stage.getBoundingClientRect().toJSON()")
    return box["left"] + at["x"], box["top"] + at["y"]


def places(page: Page) -> dict[str, Any]:
    return of(page, "s.net.getPositions([...s.rawNodes.keys()])")


def until(page: Page, label: str, *, there: bool = True) -> None:
    look = "globalThis.__memcore.inst.get('tree').rawNodes.values()"
    some = f"[...{look}].some((n) => n.label.startsWith({json.dumps(label)}))"
    page.wait_for_function(f"() => {some} === {json.dumps(there)}")


def last_event(app: Trees, run: str) -> int:
    return len(app.memory().runs.get(run).events())


def test_a_double_click_opens_a_subgoal_and_moves_only_what_comes_after_it(page: Page, app: Trees) -> None:
    opened(page, app, app.trial())
    before = places(page)
    page.mouse.dblclick(*spot(page, "14:30 ferry held"))
    until(page, "9 hold_ferry")
    after = places(page)
    stands = [id_ for id_ in before if before[id_] == after.get(id_)]
    moved = of(page, "globalThis.__memcore.log.filter((l) => 'shifted' in l && l.added).at(-1).shifted")
    assert len(stands) == len(before) - moved > len(before) / 2
    assert of(page, "s.mounts") == 1
    page.mouse.dblclick(*spot(page, "9 hold_ferry"))
    until(page, "9 hold_ferry", there=False)
    assert places(page) == before


def test_slider_keys_and_play_lay_marks_and_move_nothing(page: Page, app: Trees) -> None:
    run = app.trial()
    last = last_event(app, run)
    opened(page, app, run)
    at_event(page, last, last)
    page.evaluate("__memcore.log.length = 0")
    before = places(page)
    page.get_by_text(f"Event {last} of {last}").click()
    page.keyboard.press("ArrowLeft")
    at_event(page, last - 1, last)
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    at_event(page, 1, last)
    page.get_by_role("button", name="Play", exact=True).click()
    at_event(page, 4, last)
    page.get_by_role("button", name="Hold").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    log = page.evaluate("__memcore.log.filter((l) => l.gid === 'tree')")
    assert log and all(not line["added"] and not line["shifted"] for line in log)
    assert places(page) == before and of(page, "s.mounts") == 1
    hidden = of(page, "[...s.rawNodes.keys()].filter((id) => s.net.body.nodes[id].options.hidden).length")
    assert hidden > 0, "what is still to come is not shown"


def test_a_link_opens_run_event_and_node_though_it_was_folded(page: Page, app: Trees) -> None:
    run = app.trial()
    opened(page, app, run, step="9", node="s5")
    at_event(page, 9, last_event(app, run))
    expect(page.get_by_text("Held: 13:10 to Brackwater").first).to_be_visible()
    until(page, "5 hold_ferry")
    page.wait_for_function("() => __memcore.inst.get('tree').selected.has('s5')")
    address = page.url
    page.mouse.click(*spot(page, "The Skua"))
    expect(page.get_by_text("Done, and on the active path")).to_be_visible()
    expect(page).not_to_have_url(address)
    page.goto(address)
    expect(page.get_by_text("Held: 13:10 to Brackwater").first).to_be_visible()


def test_a_summary_is_edited_and_taken_back(page: Page, app: Trees) -> None:
    opened(page, app, app.trial())
    before = places(page)
    page.mouse.click(*spot(page, "The Skua"))
    page.get_by_text("Edit", exact=True).click()
    box = page.get_by_role("textbox", name="Summary")
    box.fill("A van that fits.")
    box.blur()
    page.get_by_role("button", name="Save", exact=True).click()
    until(page, "A van that fits.")
    assert places(page) == before, "an edit moves nothing"
    page.get_by_role("button", name="Undo", exact=True).last.click()
    until(page, "The Skua is held")
    expect(page.get_by_text("Undone:")).to_be_visible()
    page.get_by_role(
        "heading", name="State tree"
    ).click()  # away from any field, which has an undo of its own
    page.keyboard.press("Control+Shift+Z")
    until(page, "A van that fits.")
    page.keyboard.press("Control+Z")
    until(page, "The Skua is held")


def test_a_branch_is_marked_as_rolled_back_and_taken_back(page: Page, app: Trees) -> None:
    opened(page, app, app.trial())
    page.mouse.click(*spot(page, "All booked"))
    page.get_by_text("Edit", exact=True).click()
    note = page.get_by_label("Diagnosis: what was wrong")
    note.fill("Too early.")
    note.blur()
    page.get_by_role("button", name="Mark as rolled back").click()
    until(page, "Too early.")
    page.get_by_role("button", name="Undo", exact=True).last.click()
    until(page, "Too early.", there=False)


def test_the_demo_grows_on_one_canvas_is_paused_and_stopped(page: Page, app: Trees) -> None:
    page.goto(app.url(DEMO))
    page.get_by_role("button", name="Play the demo agent").click()
    page.wait_for_function("() => globalThis.__memcore?.inst.get('tree')?.nodes.length > 2")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused")).to_be_visible()
    run = re.search(r"run=(\w+)", page.url)
    assert run
    page.wait_for_timeout(1_000)
    mounts = of(page, "s.mounts")
    held = app.memory(DEMO).runs.get(run[1]).run.steps
    page.wait_for_timeout(1_500)
    assert app.memory(DEMO).runs.get(run[1]).run.steps == held
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("at work")).to_be_visible()
    while app.memory(DEMO).runs.get(run[1]).run.steps == held:
        page.wait_for_timeout(100)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert app.memory(DEMO).runs.get(run[1]).run.outcome == "stopped"
    page.wait_for_timeout(500)
    assert of(page, "s.mounts") == mounts
    page.mouse.click(*spot(page, "Start"))
    expect(page.get_by_text("Here the run begins.")).to_be_visible()
    expect(page).to_have_url(re.compile(run[1]))


def test_closing_the_tab_stops_the_demo_and_keeps_its_run(page: Page, app: Trees) -> None:
    page.goto(app.url(DEMO))
    page.get_by_role("button", name="Play the demo agent").click()
    page.get_by_role("button", name="Pause").wait_for()
    expect(page).to_have_url(re.compile("run="))
    run = re.search(r"run=(\w+)", page.url)
    assert run
    page.wait_for_function("() => globalThis.__memcore?.inst.get('tree')?.nodes.length > 2")
    closed = time.monotonic()
    page.close()
    while not app.memory(DEMO).runs.get(run[1]).run.outcome:
        assert time.monotonic() - closed < 10
        time.sleep(0.05)
    found = app.memory(DEMO).runs.get(run[1]).run
    assert found.outcome == "stopped" and 0 < found.steps < 18


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_text_on_this_page_runs_nothing_and_fetches_nothing(page: Page, app: Trees) -> None:
    """The fixture `page` fails the test for any request away from loopback, dialog or script error."""
    page.goto(app.url())
    expect(page.get_by_role("button", name="Play the demo agent")).to_be_visible()
    page.wait_for_timeout(500)
    opened(page, app, app.run("Hostile"))
    page.get_by_role("button", name="Unfold all", exact=True).click()
    until(page, "1 <script>")
    for tab in ("Steps", "What happened", "Beside another run", "Choices", "What the agent saw"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(400)
    for label in ("1 <script>", "2 <img", "3 ![seen]", "<img src=x"):
        page.mouse.click(*spot(page, label))
        page.wait_for_timeout(500)
    expect(page.get_by_text("It sees no more of it than a hint")).to_be_visible()
    assert not any("\x1b" in label or "\u202e" in label for label in labels(page))


def test_search_opens_what_hides_a_step_and_selects_it(page: Page, app: Trees) -> None:
    opened(page, app, app.run("Long", LONG), LONG)
    page.get_by_text("Showing all").click()
    page.keyboard.press("/")
    box = page.get_by_placeholder("Search in the steps")
    expect(box).to_be_focused()
    box.fill("result 1777")
    box.press("Enter")
    expect(page.get_by_text("1 step", exact=True)).to_be_visible()
    page.get_by_role("button", name="Next match").click()
    until(page, "1777 work")
    expect(page.get_by_text(re.compile("^result 1777")).first).to_be_visible()


def test_a_run_of_3000_steps_opens_folded(page: Page, app: Trees) -> None:
    """How long it takes is printed, and measured in the benchmarks: a busy machine is slow."""
    page.goto(app.url(LONG))
    expect(page.get_by_role("button", name="Play the demo agent")).to_be_visible()
    began = time.monotonic()
    opened(page, app, app.run("Long", LONG), LONG)
    print(
        f"3,000 steps: open after {time.monotonic() - began:.2f} s, drawn in {of(page, 's.firstDraw'):.0f} ms"
    )
    assert of(page, "s.nodes.length") < 60


def test_500_visible_nodes_are_drawn_and_folded_again(page: Page, app: Trees) -> None:
    opened(page, app, app.run("Wide", LONG), LONG)
    page.get_by_role("button", name="Unfold all", exact=True).click()
    page.wait_for_function("() => __memcore.inst.get('tree').nodes.length > 450")
    drawn = of(page, "globalThis.__memcore.log.filter((l) => l.added > 100).at(-1)")
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(0)
    page.get_by_role("link", name="State tree").click()
    page.wait_for_function("() => __memcore.inst.get('tree').mounts === 2")
    page.wait_for_function("() => __memcore.inst.get('tree').firstDraw")
    count, first = of(page, "[s.nodes.length, s.firstDraw]")
    print(f"{count} nodes: patched in {drawn['ms']:.0f} ms, drawn anew in {first:.0f} ms")
    assert count > 450
    page.get_by_role("button", name="Fold all", exact=True).click()
    page.wait_for_function("() => __memcore.inst.get('tree').nodes.length < 100")
