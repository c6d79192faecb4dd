"""What every test shares: the real inputs where they are present, and no network but loopback."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real files nobody here wrote; they lie beside the checkout and are never part of it."""
    if not SHARED.is_dir():
        pytest.skip("the shared real-world files are not beside this checkout")
    return SHARED


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
