"""Signing in, run as Streamlit runs it: what is drawn and opened before, after, and after a long while."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages_running import PAGES, copied_store, page, words
from streamlit.testing.v1 import AppTest

from memcore import samples
from memcore.access.permissions import MOST_SENSITIVE, UNKNOWN_SCOPE
from memcore.access.signing import Session
from memcore.configuration import Configuration
from memcore.editing import Who
from memcore.entrance import admitted
from memcore.erasure import Wanted
from memcore.errors import ScopeError
from memcore.importing import DraftTurn
from memcore.memories import Memories
from memcore.memory import Memory
from pages._parts import signed_in

TOKENS = {role: f"{role}-token-frotz-0123" for role in ("viewer", "editor", "officer")}


@pytest.fixture
def store(sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    found = copied_store(sample_store, tmp_path, monkeypatch)
    for role, token in TOKENS.items():
        monkeypatch.setenv(f"MEMCORE_{role.upper()}_TOKEN", token)
        monkeypatch.delenv(f"MEMCORE_{role.upper()}_SCOPES", raising=False)
    return found


def sign_in(app: AppTest, token: str) -> AppTest:
    app.text_input(key="signing:token").set_value(token)
    return next(b for b in app.button if b.label == "Sign in").click().run()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_opens_anything_before_a_token(
    store: Memories, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: object, **__: object) -> None:
        raise AssertionError("a memory was opened")

    monkeypatch.setattr(Memories, "open", opened)
    monkeypatch.setattr(Memory, "__init__", opened)
    app = page(name, scope="Harbour Street", seen="everything")
    assert not app.exception and [t.value for t in app.title] == ["Sign in"]
    assert "Harbour" not in words(app)


@pytest.mark.parametrize("role", TOKENS)
def test_a_token_opens_the_page_that_was_asked_for(store: Memories, role: str) -> None:
    app = sign_in(page("history", scope="Harbour Street"), TOKENS[role])
    assert not app.exception and app.title[0].value == "History"
    assert ("Only an editor or a privacy officer may correct" in words(app)) == (role == "viewer")
    assert app.session_state[signed_in.SESSION].role == role
    assert TOKENS[role] not in str(app.session_state)


def test_an_erasure_is_dated_for_an_editor_and_told_by_its_receipt_for_who_may_erase(
    store: Memories,
) -> None:
    memory = store.scope("Harbour Street")
    planned = memory.erasure.plan(memory.erasure.find(Wanted(text="barometer")).hits)
    list(memory.erasure.erase(planned, Who("Vera", "request 14")))
    app = sign_in(page("history", scope="Harbour Street"), TOKENS["editor"])
    assert not app.exception and not app.error
    assert "a privacy officer can open" in words(app) and "Vera" not in words(app)
    assert not [link for link in app.get("page_link") if "receipt" in link.proto.query_string]
    app = sign_in(page("history", scope="Harbour Street"), TOKENS["officer"])
    assert "Vera" in words(app) and "request 14" in words(app)


def test_who_sees_everything_and_may_not_correct_is_offered_no_editing(store: Memories) -> None:
    store.configure(Configuration(changed={"clearance_viewer": MOST_SENSITIVE}))
    node = store.scope("Harbour Street").snapshot().graph.columns.cue_ids[0]
    editing = {"Edit in place", "Read or edit"}
    for role, offered in (("viewer", set[str]()), ("editor", editing)):
        app = sign_in(page("graph", scope="Harbour Street", node=node), TOKENS[role])
        app.session_state["graph:view"] = "Table"
        app.run()
        found = {e.proto.label for kind in ("toggle", "button_group") for e in app.get(kind)}
        assert not app.exception and found & editing == offered


def test_a_role_enters_the_memories_that_are_named_for_it_and_knows_of_no_other(
    store: Memories, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = store.scope("Zqhidden", create=True)
    other.absorb("talk", [DraftTurn("", "Ann", "The zqboat is red.")])
    monkeypatch.setenv("MEMCORE_VIEWER_SCOPES", "Harbour Street")
    app = sign_in(page("conversations", scope="Harbour Street"), TOKENS["viewer"])
    assert not app.exception and app.title[0].value == "Conversations"
    assert "zq" not in words(app).lower() and not [s for s in app.selectbox if s.label == "Whose memory"]
    asked = sign_in(page("conversations", scope="Zqhidden"), TOKENS["viewer"])
    assert UNKNOWN_SCOPE[:-1] in words(asked) and "zqboat" not in words(asked)
    refused = store.audit.entries(kinds=["refused"], who="viewer")
    assert refused and all(e.fact.kind == "refused" and e.fact.why == "unknown_scope" for e in refused)
    whole = sign_in(page("conversations", scope="Zqhidden"), TOKENS["officer"])
    (whose,) = [s for s in whole.selectbox if s.label == "Whose memory"]
    assert whose.options == ["Harbour Street", "Zqhidden"] and whose.value == "Zqhidden"


def test_an_editor_makes_and_fills_only_memories_that_are_named_for_it(
    store: Memories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCORE_EDITOR_SCOPES", "Ann")
    editor = store.held_by(admitted("editor", store.store.folder.path))
    with pytest.raises(ScopeError):
        editor.scope("Bo", create=True)
    assert list(samples.load(editor)) == [] and store.scopes() == ["Harbour Street"]
    assert editor.scope("Ann", create=True).absorb("talk", [DraftTurn("", "Ann", "It snows.")]) == 1
    assert (editor.scopes(), store.scopes()) == (["Ann"], ["Harbour Street", "Ann"])
    app = sign_in(page("overview", scope="Ann"), TOKENS["editor"])
    assert not app.exception and "The whole store takes" not in words(app)


def test_who_does_nothing_for_a_while_is_signed_out_and_that_is_entered(store: Memories) -> None:
    app = sign_in(page("history", scope="Harbour Street"), TOKENS["officer"])
    session: Session = app.session_state[signed_in.SESSION]
    session.used -= store.settings.idle_minutes * 60 + 1
    app.run()
    assert app.title[0].value == "Sign in" and "nothing was done for a while" in words(app)
    assert signed_in.SESSION not in app.session_state
    ended = store.audit.entries(1)[0].fact
    assert ended.kind == "signed_out" and ended.why == "idle" and ended.session == session.id


@pytest.mark.parametrize("token", ["frotz-7", TOKENS["viewer"]])
def test_tokens_that_cannot_be_let_nobody_in(
    store: Memories, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("MEMCORE_EDITOR_TOKEN", token)
    app = page("history", scope="Harbour Street")
    assert app.error and token not in words(app) and not app.text_input


def test_an_address_of_others_lets_nobody_in_without_tokens_whoever_started_it(
    store: Memories, monkeypatch: pytest.MonkeyPatch
) -> None:
    import streamlit as st

    for role in TOKENS:
        monkeypatch.delenv(f"MEMCORE_{role.upper()}_TOKEN")
    told = {"server.address": "0.0.0.0"}
    option = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: told.get(name) or option(name))
    app = page("history", scope="Harbour Street")
    assert "no token was set" in words(app) and not app.text_input
    monkeypatch.setenv("MEMCORE_UNSAFE_PUBLIC", "1")
    assert page("history", scope="Harbour Street").title[0].value == "History"


def test_a_sign_in_that_cannot_be_entered_is_none(store: Memories, monkeypatch: pytest.MonkeyPatch) -> None:
    from memcore.errors import StoreFull
    from memcore.store.chain import Chain

    def full(*_: object) -> None:
        raise StoreFull("The disk is full.")

    monkeypatch.setattr(Chain, "_write_line", full)
    app = sign_in(page("history", scope="Harbour Street"), TOKENS["officer"])
    assert app.title[0].value == "Sign in" and "The disk is full" in words(app)
