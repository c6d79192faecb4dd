"""Signing in: nothing of a memory before a token, each role as far as it goes, and no token anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from walking import SAMPLE, filled, idle, menu, visit

from memcore.memories import Memories

VIEWER, EDITOR, OFFICER = "viewer-token-frotz-0123", "editor-token-frotz-0123", "officer-token-frotz-0123"
TOKENS = {"MEMCORE_VIEWER_TOKEN": VIEWER, "MEMCORE_EDITOR_TOKEN": EDITOR, "MEMCORE_OFFICER_TOKEN": OFFICER}


def try_token(page: Page, token: str) -> None:
    page.get_by_label("Token", exact=True).fill(token)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_timeout(400)
    idle(page)


def signed_in_as(page: Page, role: str) -> None:
    expect(page.get_by_test_id("stSidebarUserContent")).to_contain_text(role)


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    idle(page)


def clean(page: Page) -> None:
    """No token stands in the page, its fields or its address."""
    shown = (
        page.content()
        + page.url
        + str(page.evaluate("[...document.querySelectorAll('input')].map(i => i.value)"))
    )
    assert not any(token in shown for token in TOKENS.values())


def whats(store: Path) -> list[str]:
    return [e.what for e in reversed(Memories.open(store, create=False).audit.entries(1_000))]


def test_nobody_sees_or_does_more_than_their_token_lets_them(
    page: Page, app_server: Callable[..., str], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    memory = filled(store).scope(SAMPLE)
    turn = memory.turns(memory.conversations()[0].id)[60]
    address = app_server(store, **TOKENS)

    # a deep link is the first request of the server
    visit(page, f"{address}/conversations?turn={turn.id}")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    assert SAMPLE not in page.content() and turn.text[:30] not in page.content()
    for _ in range(5):
        try_token(page, "quibble-token-0000000000")
    expect(page.get_by_text("This is not a token of this app. Wait 2 seconds")).to_be_visible()
    try_token(page, VIEWER)
    expect(page.get_by_text("too many wrong tokens")).to_be_visible()
    page.wait_for_timeout(2_200)
    try_token(page, VIEWER)

    # where the link led to; a viewer reads
    expect(page.get_by_text("The turn you came for")).to_be_visible()
    signed_in_as(page, "Viewer")
    clean(page)
    menu(page, "Graph")
    expect(page.get_by_text("can only be read").or_(page.get_by_text("Only an editor"))).to_be_visible()
    menu(page, "Privacy")
    expect(page.get_by_text("Only a privacy officer may erase")).to_be_visible()
    expect(page.get_by_role("button", name="Find")).to_have_count(0)
    sign_out(page)
    visit(page, f"{address}/graph?seen=everything")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()

    # an editor corrects, and does not erase
    try_token(page, EDITOR)
    signed_in_as(page, "Editor")
    expect(page.get_by_text("can only be read")).to_have_count(0)
    menu(page, "Privacy")
    expect(page.get_by_text("Only a privacy officer may erase")).to_be_visible()
    clean(page)
    sign_out(page)

    # a privacy officer does all of it
    try_token(page, OFFICER)
    signed_in_as(page, "Privacy officer")
    expect(page.get_by_text("Only a privacy officer")).to_have_count(0)
    clean(page)

    entered = whats(store)
    wrong = [e for e in entered if e == "sign_in_refused"]
    assert len(wrong) == 6 and entered.count("signed_in") == 3 and entered.count("signed_out") == 2
    kept = b"".join(p.read_bytes() for p in store.rglob("*") if p.is_file())
    assert not any(token.encode() in kept for token in (*TOKENS.values(), "quibble-token-0000000000"))
