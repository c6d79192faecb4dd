"""The graph canvas in a real Chromium: what it draws, what it reports, and what can never happen in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import walking
from playwright.sync_api import Page, expect
from walking import still

APP = Path(__file__).parent / "apps" / "canvas_app.py"
of, spot = partial(walking.of, canvas="g"), partial(walking.spot, canvas="g")


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def address(serve: Callable[..., str]) -> str:
    return serve(APP)


@pytest.fixture
def canvas(page: Page, address: str) -> Page:
    page.goto(address)
    drawn(page)
    return page


def drawn(page: Page, mounts: int = 1) -> None:
    ready = "m => { const s = globalThis.__memcore?.inst.get('g'); return s?.drawnAt && s.mounts === m }"
    page.wait_for_function(ready, arg=mounts)


def says(page: Page, text: str) -> None:
    expect(page.get_by_text(text, exact=True)).to_be_visible()


def drag(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for part in (0.3, 0.7, 1.0):
        page.mouse.move(start[0] + by[0] * part, start[1] + by[1] * part)
    page.mouse.up()


def test_a_graph_of_300_is_drawn_once_with_its_counts_and_legend(canvas: Page) -> None:
    assert of(canvas, "s.nodes.length") == 300
    assert of(canvas, "s.mounts") == 1
    says(canvas, "Showing 300 of 2,623 nodes · 240 connections")
    expect(canvas.locator(".mc-legend button")).to_have_count(6)


def test_the_theme_of_the_page_colours_the_canvas(canvas: Page, theme: str) -> None:
    assert of(canvas, "s.theme.dark") is (theme == "dark")
    fill = of(canvas, "s.nodes.get('c20').color.background")
    assert fill == of(canvas, f"s.kinds.cue.{theme}[0]")


def test_the_colours_follow_when_the_theme_changes(canvas: Page, theme: str) -> None:
    other = "light" if theme == "dark" else "dark"
    canvas.emulate_media(color_scheme=other)
    canvas.wait_for_function("dark => __memcore.inst.get('g').theme.dark === dark", arg=other == "dark")
    assert of(canvas, "s.nodes.get('c20').color.background") == of(canvas, f"s.kinds.cue.{other}[0]")


def test_a_click_reaches_python_and_an_empty_click_clears(canvas: Page) -> None:
    canvas.mouse.click(*spot(canvas, "m20"))
    says(canvas, "selected m20")
    box = canvas.locator(".mc-stage").bounding_box()
    assert box is not None
    canvas.mouse.click(box["x"] + 8, box["y"] + box["height"] - 8)
    says(canvas, "selected")


def test_a_double_click_opens(canvas: Page) -> None:
    canvas.mouse.dblclick(*spot(canvas, "t5"))
    says(canvas, "opened t5")


def test_a_dragged_node_stays_after_a_rerun_and_after_leaving_the_page(canvas: Page) -> None:
    before = of(canvas, "s.net.getPosition('m30')")
    drag(canvas, spot(canvas, "m30"), (40, 30))
    says(canvas, "moved m30")
    moved = of(canvas, "s.net.getPosition('m30')")
    assert moved != before
    canvas.get_by_role("button", name="Run again").click()
    still(canvas)
    assert of(canvas, "s.net.getPosition('m30')") == moved
    canvas.get_by_role("link", name="Other").click()
    says(canvas, "Another page")
    canvas.get_by_role("link", name="Canvas").click()
    drawn(canvas, mounts=2)
    assert of(canvas, "s.net.getPosition('m30')") == moved


def test_the_camera_is_unchanged_after_a_rerun_and_after_leaving_the_page(canvas: Page) -> None:
    canvas.mouse.move(*spot(canvas, "t5"))
    canvas.mouse.wheel(0, -240)
    canvas.wait_for_timeout(200)
    look = "[s.net.getScale(), s.net.getViewPosition()]"
    camera = of(canvas, look)
    canvas.get_by_role("button", name="Run again").click()
    still(canvas)
    assert of(canvas, look) == camera
    assert of(canvas, "s.mounts") == 1
    canvas.get_by_role("link", name="Other").click()
    says(canvas, "Another page")
    canvas.get_by_role("link", name="Canvas").click()
    drawn(canvas, mounts=2)
    scale, centre = of(canvas, look)
    assert scale == pytest.approx(camera[0])
    assert (centre["x"], centre["y"]) == pytest.approx((camera[1]["x"], camera[1]["y"]), abs=1)


def test_an_overlay_marks_without_mounting_or_moving_anything(canvas: Page) -> None:
    places = of(canvas, "JSON.stringify(s.net.getPositions())")
    canvas.evaluate("__memcore.inst.get('g').stage.dataset.witness = 'same element'")
    canvas.get_by_text("Mark the path").click()
    canvas.wait_for_function("__memcore.inst.get('g').nodeMarks.size === 5")
    assert of(canvas, "s.mounts") == 1
    assert of(canvas, "s.stage.dataset.witness") == "same element"
    assert of(canvas, "JSON.stringify(s.net.getPositions())") == places
    entries = canvas.evaluate("__memcore.log")
    assert [e for e in entries if "overlay" in e][-1]["added"] == 0
    assert [e for e in entries if "overlay" not in e] == []
    assert of(canvas, "s.nodes.get('m0').color.border") == of(canvas, "s.theme.accent")
    assert "0.14" in of(canvas, "s.nodes.get('m40').color.background")
    assert of(canvas, "s.nodes.get('m3').color.background") == of(canvas, "s.theme.back")


def test_hostile_labels_and_titles_do_nothing(canvas: Page) -> None:
    elements = "[...s.root.querySelectorAll('script, img, iframe, a, object, [onerror], [onload]')].length"
    for node in ("c0", "c1", "c3", "c5"):
        canvas.mouse.move(*spot(canvas, node))
        canvas.wait_for_timeout(350)
        assert of(canvas, elements) == 0
    assert "alert(4)" in of(canvas, "s.root.querySelector('.vis-tooltip').textContent")
    canvas.get_by_role("button", name="Labels: all").click()
    assert of(canvas, elements) == 0
    assert "\u202e" not in of(canvas, "s.rawNodes.get('c4').label")
    assert "[RLO]" in of(canvas, "s.rawNodes.get('c4').label")
    assert of(canvas, "s.rawNodes.get('c7').label.length") <= 28


def test_attributes_outside_the_white_list_never_reach_the_library(canvas: Page) -> None:
    outside = "http://203.0.113.9/i.png"
    evil = {
        "id": "evil",
        "kind": "cue",
        "x": 0,
        "y": 0,
        "shape": "image",
        "image": outside,
        "brokenImage": outside,
    }
    lay = "n => __memcore.overlay(__memcore.inst.get('g'), {nodes: {}, edges: {}, add_nodes: [n]})"
    canvas.evaluate(lay, evil)
    node = of(canvas, "s.nodes.get('evil')")
    assert node["shape"] == "triangle"
    assert "image" not in node
    assert "brokenImage" not in node


def test_keys_zoom_fit_walk_open_and_help_while_the_canvas_has_the_focus(canvas: Page) -> None:
    canvas.mouse.click(*spot(canvas, "t0"))
    says(canvas, "selected t0")
    scale = of(canvas, "s.net.getScale()")
    canvas.keyboard.press("+")
    assert of(canvas, "s.net.getScale()") > scale
    canvas.keyboard.press("f")
    assert of(canvas, "s.net.getScale()") == pytest.approx(scale)
    canvas.keyboard.press("ArrowRight")
    says(canvas, "selected m0")
    canvas.keyboard.press("Enter")
    says(canvas, "opened m0")
    canvas.keyboard.press("?")
    expect(canvas.locator(".mc-help")).to_be_visible()
    canvas.keyboard.press("Escape")
    expect(canvas.locator(".mc-help")).to_be_hidden()
    says(canvas, "selected m0")
    canvas.keyboard.press("Escape")
    says(canvas, "selected")


def test_slash_goes_to_the_search_box_and_keys_typed_there_stay_there(canvas: Page) -> None:
    canvas.mouse.click(*spot(canvas, "m20"))
    says(canvas, "selected m20")
    scale = of(canvas, "s.net.getScale()")
    canvas.keyboard.press("/")
    box = canvas.get_by_label("Search")
    expect(box).to_be_focused()
    canvas.keyboard.type("f+/?-")
    expect(box).to_have_value("f+/?-")
    assert of(canvas, "s.net.getScale()") == scale
    expect(canvas.locator(".mc-help")).to_be_hidden()


def test_the_legend_dims_a_kind_and_tells_python_but_moves_nothing(canvas: Page) -> None:
    places = of(canvas, "JSON.stringify(s.net.getPositions())")
    canvas.locator(".mc-legend button[data-kind=tag]").click()
    says(canvas, "hidden tag")
    assert of(canvas, "s.nodes.length") == 300
    assert "0.14" in of(canvas, "s.nodes.get('t9').color.background")
    assert of(canvas, "JSON.stringify(s.net.getPositions())") == places
    says(canvas, "Showing 300 of 2,623 nodes · 240 connections · 120 dimmed")
    canvas.locator(".mc-legend button[data-kind=tag]").click()
    says(canvas, "hidden")


def test_several_nodes_are_selected_with_ctrl_shift_and_a_rubber_band(canvas: Page) -> None:
    canvas.mouse.click(*spot(canvas, "m20"))
    canvas.keyboard.down("Control")
    canvas.mouse.click(*spot(canvas, "m21"))
    canvas.keyboard.up("Control")
    canvas.wait_for_function("__memcore.inst.get('g').selected.size === 2")
    canvas.keyboard.down("Shift")
    canvas.mouse.click(*spot(canvas, "m22"))
    canvas.wait_for_function("__memcore.inst.get('g').selected.size === 3")
    start, end = spot(canvas, "t0"), spot(canvas, "m0")
    left, top = min(start[0], end[0]) - 6, min(start[1], end[1]) - 6
    drag(canvas, (left, top), (abs(end[0] - start[0]) + 12, abs(end[1] - start[1]) + 12))
    canvas.keyboard.up("Shift")
    chosen = of(canvas, "[...s.selected]")
    assert {"t0", "m0"} <= set(chosen)
    still(canvas)
    expect(canvas.get_by_text("selected ", exact=False).first).to_contain_text("t0")


def test_when_the_library_does_not_load_the_canvas_says_so(page: Page, address: str, log: Any) -> None:
    never = "Object.defineProperty(globalThis, 'vis', {get: () => undefined, set: () => {}})"
    page.add_init_script(f"globalThis.__memcoreWait = 300; {never}")
    page.goto(address)
    expect(page.get_by_text("The graph could not be drawn.", exact=False)).to_be_visible()
    log.errors.clear()
