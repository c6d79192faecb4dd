"""Ways through the real app in a browser: open, wait, press, and look into the canvas."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from memcore import samples
from memcore.memories import Memories
from memcore.memory import Memory

SAMPLE = "Harbour Street"


def installed_chromium() -> str | None:
    """Where Chromium, or Chrome, is on this machine."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


def filled(folder: Path, *names: str) -> Memories:
    """A store in zero-model mode, with the first sample under each of these names."""
    found = Memories.open(folder, embedder="none")
    for name in names or (SAMPLE,):
        list(found.scope(name, create=True).import_path(samples.folder() / "harbour_street.jsonl"))
    return found


def link(address: str, page: str, scope: str, **query: str) -> str:
    """The address of a page of the served app, with a memory and what else it is asked."""
    return f"{address}/{page}?{urlencode({'scope': scope, **query})}"


@dataclass
class App:
    """The served app, and the same store opened by the test, which is about `page` and `scope`."""

    address: str
    memories: Memories
    page: str
    scope: str

    def memory(self, scope: str = "") -> Memory:
        return self.memories.scope(scope or self.scope)

    def url(self, scope: str = "", **query: str) -> str:
        return link(self.address, self.page, scope or self.scope, **query)


STANDS_STILL = """() => {
  const quiet = document.querySelector("[data-test-script-state='notRunning']")
    && !document.querySelector("[data-stale='true']");
  globalThis.__quietSince = quiet ? globalThis.__quietSince ?? performance.now() : undefined;
  return quiet && performance.now() - globalThis.__quietSince > 250;
}"""


def still(page: Page) -> None:
    """Wait until no rerun is under way, and nothing is left of the last, for a while on end."""
    page.evaluate("delete globalThis.__quietSince")
    page.wait_for_function(STANDS_STILL, timeout=30_000, polling=50)


def idle(page: Page) -> None:
    """Wait until the page is drawn and stands still."""
    expect(page.locator("h1")).to_be_visible(timeout=30_000)
    still(page)


def visit(page: Page, address: str) -> None:
    page.goto(address)
    idle(page)


def menu(page: Page, name: str) -> None:
    """Go to another page as a person does: the session stays."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name).click()
    expect(page.get_by_test_id("stSidebarNav").locator("a[aria-current='page']")).to_contain_text(name)
    idle(page)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    idle(page)


def inspector(page: Page) -> Locator:
    return page.locator(".st-key-graph-panel-panel")


def drawn(page: Page) -> None:
    """Wait until the graph stands."""
    page.wait_for_function(
        "() => { const s = globalThis.__memcore?.inst.get('graph'); return s?.root && s.drawnAt }"
    )
    idle(page)


def of(page: Page, expression: str, canvas: str = "graph") -> Any:
    """A value computed from the instance `s` of the graph, or of another canvas."""
    return page.evaluate(f"(() => {{ const s = __memcore.inst.get('{canvas}'); return {expression} }})()")


def camera(page: Page) -> Any:
    return of(page, "[s.net.getViewPosition(), s.net.getScale()]")


def places(page: Page) -> Any:
    return of(page, "s.net.getPositions()")


def spot(page: Page, node: str, canvas: str = "graph") -> tuple[float, float]:
    """Where a node is on the screen."""
    at = of(page, f"s.net.canvasToDOM(s.net.getPosition('{node}'))", canvas)
    box = of(page, "s.stage.getBoundingClientRect().toJSON()", canvas)
    return box["left"] + at["x"], box["top"] + at["y"]


def number_in(text: str) -> int:
    """The first number of a sentence."""
    found = re.search(r"[\d,]+", text)
    assert found, text
    return int(found.group().replace(",", ""))
