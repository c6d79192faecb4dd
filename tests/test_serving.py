"""Serving: nobody comes in over the network without a token, and tokens are not guessed, shown or kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from memcore.access.signing import Attempts, attempt, role_of, usable
from memcore.cli import main
from memcore.errors import InputError
from memcore.serving import Serving, allowed, free_port, is_loopback, options
from memcore.settings import DEFAULT, public_unsafe, scopes_set, tokens_set

OFFICER, EDITOR, VIEWER = "officer-token-0123456789", "editor-token-0123456789", "viewer-token-0123456789"
TOKENS = {"viewer": VIEWER, "editor": EDITOR, "officer": OFFICER}
ROOT = Path(__file__).resolve().parents[1]
SCOPES = ("VIEWER_SCOPES", "EDITOR_SCOPES", "OFFICER_SCOPES")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def no_tokens(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("VIEWER_TOKEN", "EDITOR_TOKEN", "OFFICER_TOKEN", "UNSAFE_PUBLIC", *SCOPES):
        monkeypatch.delenv(f"MEMCORE_{name}", raising=False)
    yield


@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])
def test_this_computer_is_served_without_a_token(address: str) -> None:
    assert is_loopback(address)
    allowed(Serving(address=address), {})


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.4", "example.org", "localhost.example.org"])
def test_an_address_of_others_is_refused_without_a_token(address: str) -> None:
    with pytest.raises(InputError, match=r"MEMCORE_OFFICER_TOKEN.*--unsafe-public"):
        allowed(Serving(address=address), {})
    allowed(Serving(address=address), {"viewer": VIEWER})
    allowed(Serving(address=address, unsafe_public=True), {})


def test_the_command_refuses_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ui", "--address", "0.0.0.0"]) == 1
    assert capsys.readouterr().err.startswith("memcore: Others can reach the address 0.0.0.0")


def test_a_file_is_no_folder_for_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text("mine", "utf-8")
    assert main(["ui", "--store", str(tmp_path / "notes.md")]) == 1
    assert capsys.readouterr().err == "memcore: notes.md is a file: name a folder for the store.\n"


def test_tokens_come_from_the_environment_by_role(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tokens_set() == {} and not public_unsafe()
    monkeypatch.setenv("MEMCORE_OFFICER_TOKEN", OFFICER)
    monkeypatch.setenv("MEMCORE_VIEWER_TOKEN", "")
    assert tokens_set() == {"officer": OFFICER}


@pytest.mark.parametrize("tokens", [{"viewer": "frotz-7"}, {"viewer": VIEWER, "editor": VIEWER}])
def test_a_token_that_is_easy_to_guess_or_shared_is_refused_without_naming_it(tokens: dict[str, str]) -> None:
    with pytest.raises(InputError) as said:
        usable(tokens)
    assert not any(token in str(said.value) for token in tokens.values())


def test_memories_of_a_role_come_from_the_environment_and_an_empty_list_opens_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert scopes_set() == {}
    monkeypatch.setenv("MEMCORE_VIEWER_SCOPES", " Harbour Street ,Ann,, ")
    monkeypatch.setenv("MEMCORE_EDITOR_SCOPES", "")
    assert scopes_set() == {"viewer": {"Harbour Street", "Ann"}, "editor": set()}
    allowed(Serving(address="0.0.0.0"), TOKENS, scopes_set())


def test_an_officer_is_not_said_to_be_held_back_from_a_memory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEMCORE_OFFICER_SCOPES", "Ann")
    assert main(["ui"]) == 1
    assert "MEMCORE_OFFICER_SCOPES would hold nothing back" in capsys.readouterr().err


def test_a_public_server_is_told_to_be_careful_and_never_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCORE_OFFICER_TOKEN", OFFICER)
    told = options(Serving(address="0.0.0.0", hosts=("memory.example.org",)), 8765)
    assert "--server.enableXsrfProtection=true" in told and "--server.enableCORS=true" in told
    assert "--browser.gatherUsageStats=false" in told and "--server.headless=true" in told
    assert "--server.allowedHosts=memory.example.org" in told
    assert OFFICER not in " ".join(told)
    assert "--server.allowedHosts=localhost" in options(Serving(), 8765)


@pytest.mark.parametrize("role", TOKENS)
def test_each_token_opens_its_role(role: str) -> None:
    assert role_of(TOKENS[role], TOKENS) == role


@pytest.mark.parametrize(
    "given", ["", VIEWER[:-1], VIEWER + "0", VIEWER.upper(), " " + VIEWER, "\ud800", "토큰" * 9]
)
def test_nothing_else_opens_any(given: str) -> None:
    assert role_of(given, TOKENS) is None
    assert role_of(given, {}) is None


def test_wrong_tokens_make_one_wait_longer_each_time() -> None:
    clock = Clock()
    session, everybody = Attempts.of_session(DEFAULT, clock), Attempts.of_all(DEFAULT, clock)
    waits: list[float] = []
    for _ in range(9):
        clock.now += max(session.wait(), everybody.wait())
        waits.append(attempt("wrong", TOKENS, session, everybody).wait)
    assert waits == [0, 0, 0, 0, 2, 4, 8, 16, 32]


def test_within_a_wait_not_even_a_right_token_is_looked_at() -> None:
    clock = Clock()
    session, everybody = Attempts.of_session(DEFAULT, clock), Attempts.of_all(DEFAULT, clock)
    for _ in range(DEFAULT.wrong_tokens):
        attempt("wrong", TOKENS, session, everybody)
    first, second = (attempt(OFFICER, TOKENS, session, everybody) for _ in range(2))
    assert first.role is None and not first.looked_at and first.first and not second.first
    clock.now += 2
    assert attempt(OFFICER, TOKENS, session, everybody).role == "officer"
    assert attempt("wrong", TOKENS, session, everybody).wait == 0


def test_many_sessions_do_not_help_and_hold_nobody_up_for_long() -> None:
    clock = Clock()
    everybody = Attempts.of_all(DEFAULT, clock)
    looked_at = 0
    for _ in range(500):
        looked_at += attempt("wrong", TOKENS, Attempts.of_session(DEFAULT, clock), everybody).looked_at
        clock.now += 0.1
    assert looked_at < 60
    assert everybody.wait() <= DEFAULT.wrong_wait_most / 10
    clock.now += 4_000
    assert attempt(VIEWER, TOKENS, Attempts.of_session(DEFAULT, clock), everybody).role == "viewer"
    assert everybody.wrong == 0


def test_what_is_kept_of_attempts_does_not_grow(tmp_path: Path) -> None:
    clock = Clock()
    everybody = Attempts.of_all(DEFAULT, clock)
    before = set(vars(everybody))
    for n in range(1_000):
        clock.now += 100
        attempt(f"wrong {n}", TOKENS, Attempts.of_session(DEFAULT, clock), everybody)
    assert set(vars(everybody)) == before and everybody.wait() < 31


def test_many_sessions_within_one_wait_are_told_of_once() -> None:
    clock = Clock()
    everybody = Attempts.of_all(DEFAULT, clock)
    outcomes = [attempt("wrong", TOKENS, Attempts.of_session(DEFAULT, clock), everybody) for _ in range(500)]
    assert sum(not o.looked_at and o.first for o in outcomes) == 1


def test_white_space_around_a_token_is_not_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCORE_OFFICER_TOKEN", f"{OFFICER}\n")
    monkeypatch.setenv("MEMCORE_VIEWER_TOKEN", " " * 30)
    assert tokens_set() == {"officer": OFFICER}


def test_brackets_around_an_address_are_left_out_where_it_is_listened_on() -> None:
    assert Serving(address="[::1]").listens_on == "::1"


def test_a_first_start_on_a_new_account_says_where_it_is_and_asks_nothing_at_the_terminal(
    tmp_path: Path,
) -> None:
    """Streamlit would ask for an e-mail address there, and wait for it, and advertise itself."""
    terminal, ours = os.openpty()
    port = str(free_port())
    started = "from memcore.cli import main; raise SystemExit(main())"
    command = [sys.executable, "-c", started, "ui", "--store", str(tmp_path / "store"), "--port", port]
    environment = {**os.environ, "HOME": str(tmp_path), "BROWSER": "true"}
    server = subprocess.Popen(
        command, stdin=ours, stdout=ours, stderr=ours, env=environment, cwd=ROOT, start_new_session=True
    )
    try:
        assert answers(f"http://127.0.0.1:{port}/_stcore/health"), os.read(terminal, 10_000)
        told = os.read(terminal, 10_000).decode()
        assert told.count("http://") == told.count("Ctrl+C stops it") == 1 and "Streamlit" not in told
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)


def answers(url: str, seconds: float = 60) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(url, timeout=1) as reply:
            return reply.status == 200
        time.sleep(0.2)
    return False
