"""From Save to the repainted canvas, in Chromium, on the memory of `memcore bench scale`.

    python tests/benchmarks/repaint.py [contents]

A cue is renamed nine times in the panel of the page Graph; the first, which loads the model that embeds, is
not counted. Prints milliseconds from the click on Save to the new name on the canvas, and 1 is the exit code
where their median exceeds the budget.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from correcting import tool  # noqa: E402
from walking import drawn, installed_chromium  # noqa: E402

from memcore.evaluation.edits import SCOPE  # noqa: E402
from memcore.evaluation.scale import write  # noqa: E402
from memcore.memories import Memories  # noqa: E402
from memcore.serving import free_port  # noqa: E402

BUDGET = 700  # milliseconds
TIMES = 9
WATCH = """([id, label]) => {
  window.saved = window.painted = 0;
  document.addEventListener("click", (e) => {
    if (e.target.closest("button")?.innerText.includes("Save")) window.saved = performance.now();
  }, { capture: true, once: true });
  const look = () => __memcore.inst.get("graph")?.rawNodes.get(id)?.label === label
    ? requestAnimationFrame(() => { window.painted = performance.now(); }) : setTimeout(look, 5);
  look();
}"""


def main(contents: int) -> int:
    """Measure; the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        write(store, contents)
        columns = Memories.open(store).scope(SCOPE).snapshot().graph.columns
        with served(store) as url, sync_playwright() as play:
            page = play.chromium.launch(executable_path=installed_chromium()).new_page()
            found = renamed(
                page, f"{url}/graph?scope={quote(SCOPE)}", columns.cue_ids[len(columns.cue_ids) // 20]
            )
    print(f"{contents:,} contents: {found} ms, median {median(found)} ms of {BUDGET}")
    return int(median(found) > BUDGET)


def renamed(page: Page, url: str, cue: str) -> list[int]:
    """Milliseconds of each time but the first."""
    page.set_default_timeout(60_000)
    page.goto(f"{url}&node={cue}")
    drawn(page)
    found: list[int] = []
    for n in range(TIMES):
        if not page.get_by_label("Name", exact=True).count():
            tool(page, "Edit", "mouse")
        new = f"a new name {n}"
        page.get_by_label("Name", exact=True).fill(new)
        page.get_by_role("button", name="Preview the change", exact=True).last.click()
        save = page.get_by_role("button", name="Save", exact=True).last
        save.wait_for()
        page.wait_for_timeout(1_500)
        page.evaluate(WATCH, [cue, new])
        save.click()
        page.wait_for_function("() => window.painted > 0")
        found.append(round(page.evaluate("window.painted - window.saved")))
        page.wait_for_timeout(1_500)
    return found[1:]


@contextmanager
def served(store: Path) -> Iterator[str]:
    """The app on this store."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), f"--server.port={port}"]
    environment = {**os.environ, "MEMCORE_STORE": str(store)}
    server = subprocess.Popen([*command, "--server.headless=true"], env=environment, cwd=ROOT)
    try:
        for _ in range(300):
            with suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
