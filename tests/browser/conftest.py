"""A real Streamlit server and a real Chromium, with every request and every error of the page on record."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect, sync_playwright
from walking import drawn, filled, installed_chromium, link, visit

from memcore.memories import Memories
from memcore.memory import Memory

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20_000  # ms a test waits for what it expects: a busy machine is no fault of the page
LOOPBACK = ("127.0.0.1", "localhost", "::1")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


def chromium_path() -> str:
    """Where Chromium is; without one the test is skipped, but on a build machine it fails."""
    if found := installed_chromium():
        return found
    if os.environ.get("CI"):
        pytest.fail("no Chromium on this machine, and CI must not pass without the browser tests")
    pytest.skip("no Chromium on this machine")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    expect.set_options(timeout=PATIENCE)
    playwright: Playwright
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield running
        running.close()


@dataclass
class Log:
    """What a page asked for and complained about. `clean` is asserted when the test ends."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def outside(self) -> list[str]:
        return [u for u in self.requests if (h := urlsplit(u).hostname) and h not in LOOPBACK]


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def theme() -> str:
    """Little depends on it; a test of what does asks for the dark one, too."""
    return "light"


def is_error(message: ConsoleMessage) -> bool:
    """Not one is that Streamlit looks for its server below a page's address first and does not find it."""
    probed = re.search(r"/\w+/_stcore/(health|host-config)$", message.location["url"])
    return message.type == "error" and not probed


@pytest.fixture
def page(browser: Browser, theme: str, log: Log) -> Iterator[Page]:
    """A fresh profile. Afterwards: nothing left loopback, nothing was thrown, no dialog opened."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    opened = context.new_page()
    opened.on("request", lambda r: log.requests.append(r.url))
    opened.on("websocket", lambda w: log.requests.append(w.url))
    opened.on("pageerror", lambda e: log.errors.append(str(e)))
    opened.on("console", lambda m: log.errors.append(m.text) if is_error(m) else None)
    opened.on("dialog", lambda d: (log.dialogs.append(d.message), d.dismiss()))
    yield opened
    context.close()
    assert log.outside() == []
    assert log.dialogs == []
    assert log.errors == []


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """Starts `streamlit run SCRIPT` on a free port and returns its address; all are stopped at the end."""
    running: list[subprocess.Popen[bytes]] = []

    def start(script: Path, **environment: str) -> str:
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
        running.append(
            subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        address = f"http://127.0.0.1:{port}"
        wait_until_up(address, running[-1])
        return address

    yield start
    for server in running:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="session")
def app_server(serve: Callable[..., str]) -> Callable[..., str]:
    """Starts the whole app on a store folder that is filled already, and returns its address."""

    def start(store: Path, **environment: str) -> str:
        return serve(ROOT / "app.py", MEMCORE_STORE=str(store), **environment)

    return start


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store for the tests of one file, where each has a memory of its own."""
    folder = tmp_path_factory.mktemp("shared") / "store"
    filled(folder, "Nobody's")
    return folder


@pytest.fixture(scope="module")
def address(app_server: Callable[..., str], store: Path) -> str:
    """The whole app on that store."""
    return app_server(store, MEMCORE_AUTHOR="Jo")


@pytest.fixture
def memory(store: Path) -> Memory:
    """A memory of the test's own."""
    memories = Memories.open(store, embedder="none")
    name = f"Memory {len(memories.scopes())}"
    return filled(store, name).scope(name)


@pytest.fixture
def graph(page: Page, address: str, memory: Memory) -> Page:
    """That memory on the page Graph."""
    page.set_default_timeout(12_000)
    visit(page, link(address, "graph", memory.name))
    drawn(page)
    return page


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(address: str, server: subprocess.Popen[bytes], seconds: float = 40) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert server.poll() is None, "the server ended before it was up"
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).read()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not come up")
