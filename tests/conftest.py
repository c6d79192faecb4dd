"""What every test shares: the real inputs where they are present, and no network but loopback."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from building import own_lines, write_lines

from memcore import samples
from memcore.memories import Memories
from memcore.memory import Memory

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real files nobody here wrote; they lie beside the checkout and are never part of it."""
    if not SHARED.is_dir():
        pytest.skip("the shared real-world files are not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the first sample in it, never touched: a test that changes it takes a copy."""
    return _imported(
        tmp_path_factory.mktemp("sample"), "Harbour Street", samples.folder() / "harbour_street.jsonl"
    )


@pytest.fixture(scope="session")
def town_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the dialogue of the town in it, never touched: a test that changes it takes a copy."""
    folder = tmp_path_factory.mktemp("town")
    return _imported(folder, "town", write_lines(folder / "town.jsonl", own_lines()))


@pytest.fixture
def town_memory(town_store: Path, tmp_path: Path) -> Memory:
    """A copy of the town's memory, for one test alone."""
    shutil.copytree(town_store, tmp_path / "store")
    return Memories.open(tmp_path / "store", embedder="none").scope("town")


def _imported(folder: Path, name: str, file: Path) -> Path:
    list(Memories.open(folder / "store", embedder="none").scope(name, create=True).import_path(file))
    return folder / "store"


@pytest.fixture
def write_own() -> Callable[[Path, list[dict[str, Any]]], Path]:
    """Writes records as our own JSONL."""

    def write(path: Path, lines: list[dict[str, Any]]) -> Path:
        path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
        return path

    return write


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches for anything but loopback fails."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else None
        if host is not None and host not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {host}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
