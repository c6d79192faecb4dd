"""Correcting by hand in a browser: select on canvas or in the table, use a tool, press what the panel offers.

Everything is done with the mouse or with the keyboard alone, as `way` says.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from walking import idle, of, spot

from memcore.memory import Memory

WAYS = pytest.mark.parametrize("way", ["mouse", "keyboard"])
VIEWS = pytest.mark.parametrize("view", ["canvas", "table"])


def named(memory: Memory, name: str) -> str:
    """The id of the cue or tag of this name."""
    c = memory.snapshot().graph.columns
    ids = dict(zip([*c.tag_names, *c.cue_names], [*c.tag_ids, *c.cue_ids], strict=True))
    return ids[name]


def tags(page: Page) -> list[str]:
    """The tags shown, in the order of the table."""
    return of(page, "[...s.rawNodes.values()].filter((n) => n.kind === 'tag').map((n) => n.id)")


def name_of(memory: Memory, id_: str) -> Any:
    return getattr(memory.get([id_]).get(id_), "name", None)


def side(page: Page) -> Locator:
    return page.locator(".st-key-edit-panel")


def notice(page: Page) -> Locator:
    return page.locator(".st-key-edit-notice")


def settled(page: Page) -> None:
    page.wait_for_timeout(250)
    idle(page)


def click(page: Page, *nodes: str) -> None:
    """Select nodes on the canvas with the mouse."""
    page.mouse.click(*spot(page, nodes[0]))
    for node in nodes[1:]:
        page.keyboard.down("Shift")
        page.mouse.click(*spot(page, node))
        page.keyboard.up("Shift")
    page.mouse.move(5, 5)
    settled(page)


def as_table(page: Page) -> None:
    page.get_by_text("Table", exact=True).click()
    settled(page)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()


def click_rows(page: Page, *rows: int) -> None:
    """Select rows of the table with the mouse."""
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    for row in rows:
        page.mouse.click(box["x"] + 18, box["y"] + 50 + 33 * row)
        settled(page)


def tool(page: Page, name: str, way: str) -> None:
    """Use the toolbar with the mouse, or by the key that stands for it."""
    keys = {
        "Edit": "e", "Relate": "r", "Merge": "m", "Split": "s", "Pin": "p", "Find similar": "n",
        "Delete": "Delete", "Undo": "Control+z", "Redo": "Control+Shift+z",
    }  # fmt: skip
    if way == "mouse":
        page.locator(".st-key-edit-bar").get_by_role("button", name=name, exact=True).click()
    else:
        page.keyboard.press(keys[name])
    settled(page)


def use(page: Page, name: str, way: str) -> None:
    """Press a button of the side panel, with the mouse or with Enter."""
    button = page.get_by_role("button", name=name, exact=True).last
    if way == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")
    settled(page)


def selected(page: Page, view: str, way: str, *nodes: str) -> None:
    """Select nodes in this view, in this way."""
    if view == "canvas" and way == "mouse":
        return click(page, *nodes)
    if view == "canvas":
        return walk_to(page, *nodes)
    order = of(page, "[...s.rawNodes.keys()]")
    as_table(page)
    rows = [order.index(node) for node in nodes]
    return click_rows(page, *rows) if way == "mouse" else row_keys(page, *rows)


def walk_to(page: Page, *nodes: str) -> None:
    """Reach nodes with the keys of the canvas alone: arrows, and Space to keep one."""
    page.locator(".mc").focus()
    for at, node in enumerate(nodes):
        assert found_by_arrows(page, node), node
        if at < len(nodes) - 1:
            page.keyboard.press(" ")
    settled(page)


def found_by_arrows(page: Page, node: str) -> bool:
    """From node to node by the arrow that leads nearest, or where that was tried before, by another."""
    tried: set[tuple[str, str]] = set()
    for _ in range(120):
        lead = of(page, "s.lead")
        if lead == node:
            return True
        here, there = of(page, f"[s.net.getPosition('{lead or node}'), s.net.getPosition('{node}')]")
        dx, dy = there["x"] - here["x"], there["y"] - here["y"]
        nearer = {"ArrowRight": dx, "ArrowLeft": -dx, "ArrowDown": dy, "ArrowUp": -dy}
        arrows = sorted(nearer, key=nearer.__getitem__, reverse=True)
        arrow = next((a for a in arrows if (lead, a) not in tried), arrows[0])
        tried.add((lead, arrow))
        page.keyboard.press(arrow)
    return False


def row_keys(page: Page, *rows: int) -> None:
    """Select rows of the table with its keys: arrows, and Shift with Space."""
    box = page.get_by_test_id("stDataFrame").bounding_box()
    assert box
    page.mouse.click(box["x"] + 120, box["y"] + 50)
    at = 0
    _stands_on(page, at)
    for row in rows:
        while at != row:
            page.keyboard.press("ArrowDown" if row > at else "ArrowUp")
            at += 1 if row > at else -1
            _stands_on(page, at)
        page.keyboard.press("Shift+Space")
        settled(page)


def _stands_on(page: Page, row: int) -> None:
    """Wait for the grid: it drops keys that come quicker than it draws."""
    cell = page.get_by_test_id("stDataFrame").locator(f"[data-testid$='-{row}'][aria-selected='true']")
    expect(cell.first).to_be_attached()


def a_turn(page: Page) -> str:
    return of(page, "[...s.rawNodes.values()].filter((n) => n.kind === 'turn')[2].id")


def asked_for_a_tag(page: Page, tag: str, way: str) -> None:
    box = side(page).get_by_test_id("stMultiSelect").locator("input")
    box.click() if way == "mouse" else box.focus()
    box.type(tag)
    page.wait_for_timeout(200)
    box.press("Enter")
    settled(page)
    page.keyboard.press("Escape")
    expect(side(page)).to_contain_text(f"“{tag}” is a new tag")
    use(page, "Preview the relation", way)
    expect(side(page)).to_contain_text("1 relation added")
    use(page, "Save", way)
    expect(notice(page)).to_contain_text("Saved")


def pick_relation(page: Page, tag: str, way: str) -> None:
    """Press the chip of a relation by the tag it begins with."""
    chip = side(page).get_by_role("button", name=re.compile(f"^{re.escape(tag)} — ")).first
    _pressed(page, chip, way)


def press_in(page: Page, name: str, way: str) -> None:
    """Press one part of a row of choices."""
    group = page.get_by_test_id("stButtonGroup").locator("button")
    _pressed(page, group.filter(has_text=re.compile(f"^{name}$")).last, way)


def choose_name(page: Page, label: str, name: str, way: str) -> None:
    """Choose from a list by name, or type a new one into it."""
    box = side(page).get_by_label(label, exact=True)
    box.click() if way == "mouse" else box.focus()
    page.keyboard.type(name)
    page.wait_for_timeout(250)
    option = page.get_by_role("option").filter(has_text=name).first
    if way == "mouse":
        option.click()
    else:
        page.keyboard.press("Enter")
    settled(page)


def typed(page: Page, label: str, text: str, way: str) -> None:
    """Type into a field over what stands there."""
    box = side(page).get_by_label(label, exact=True)
    box.click() if way == "mouse" else box.focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    page.keyboard.press("Tab")
    settled(page)


def at_once(page: Page, label: str, text: str, button: str, way: str) -> None:
    """Type into a field and press the button before the page can have been drawn in between."""
    side(page).get_by_label(label, exact=True).fill(text)
    if way == "mouse":
        page.get_by_role("button", name=button, exact=True).click()
    else:
        page.keyboard.press("Enter")
    settled(page)


def _pressed(page: Page, button: Locator, way: str) -> None:
    if way == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")
    settled(page)
