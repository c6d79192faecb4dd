"""The one search form: by person, words, cue, tag, time, place, question, expression or example."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.erasure import Wanted
from memcore.view.tree_words import distinct
from pages._parts.memory import current
from pages._parts.privacy import flow
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory

KEY = "privacy:by:"
OFFERED = 500  # conversations, runs, questions that can be chosen, the latest first
_NAMED = ("text", "person", "cue", "tag", "conversation", "file", "run", "trace", "pattern", "like")


def search_form(memory: Memory) -> None:
    """Draw it. Several criteria narrow each other down; nothing of it gets into the address."""
    with st.form("privacy-find", border=True):
        st.caption(
            "Fill in one field, or several to narrow it down. Looking changes nothing, and what you type is "
            "kept neither in the address nor on disk."
        )
        _who_and_what(memory)
        _where(memory)
        _more()
        with st.container(horizontal=True):
            st.form_submit_button("Find", type="primary", on_click=_find, icon=":material/search:")
            st.form_submit_button("Clear", on_click=flow.let_go)


def _who_and_what(memory: Memory) -> None:
    person, text, cue, tag = st.columns(4)
    speakers = dict.fromkeys(s for talk in memory.conversations() for s in talk.speakers if s)
    person.selectbox(
        "A person", sorted(speakers), index=None, key=f"{KEY}person", placeholder="Anybody",
        format_func=_short, accept_new_options=True, persist_state="session",
        help="What the person said, the cue of that name, and questions that name the person.",
    )  # fmt: skip
    _words(
        text, "text", "Words", "wherever they stand",
        "Other spellings and forms, numbers written otherwise, and words that begin in one turn and end in "
        "the next are offered for review.",
    )  # fmt: skip
    _words(cue, "cue", "A cue", "by its name", "The cue, and every memory that it leads to.")
    _words(tag, "tag", "A tag", "by its name", "The tag, and every memory that it leads to.")


def _where(memory: Memory) -> None:
    talk, file, run, trace = st.columns(4)
    talks = {c.id: c.title or c.source or "Untitled" for c in reversed(memory.conversations())}
    _choice(talk, "conversation", "A conversation", talks)
    _choice(file, "file", "An imported file", {f.id: f.name for f in reversed(memory.files())})
    runs = {r.id: r.title or r.task or r.source for r in reversed(memory.runs.all())}
    _choice(run, "run", "An agent run", runs)
    asked = {h.id: f"{h.question} · {h.started:%d %b %Y, %H:%M}" for h in memory.traces(OFFERED)}
    _choice(trace, "trace", "A past question", asked)


def _more() -> None:
    when, pattern, like = st.columns([3, 2, 3])
    when.date_input(
        "Said between", value=(), key=f"{KEY}when", persist_state="session", min_value=date(1, 1, 1),
        max_value=date(9999, 12, 31), help="Both days included. What has no time is not found by it.",
    )  # fmt: skip
    _words(
        pattern, "pattern", "A regular expression", r"as in \d{3}-\d{4}",
        "Upper and lower case count the same.",
    )  # fmt: skip
    _words(
        like, "like", "An example", "a sentence; memories much like it are offered for review",
        "Only where this memory has an embedder. What is similar is never chosen by itself.",
    )  # fmt: skip


def _words(column: Any, name: str, label: str, placeholder: str, says: str | None = None) -> None:
    column.text_input(
        label, key=f"{KEY}{name}", placeholder=placeholder, help=says, persist_state="session",
        autocomplete="off",
    )  # fmt: skip


def _choice(column: Any, name: str, label: str, options: Mapping[str, str]) -> None:
    """One of the stored ones by its name; two of one name are told apart by number."""
    names = distinct({i: verbatim(t, 70) or "Untitled" for i, t in list(options.items())[:OFFERED]})
    key = f"{KEY}{name}"
    if st.session_state.get(key) not in names:
        st.session_state[key] = None
    column.selectbox(
        label, list(names), index=None, key=key, format_func=names.__getitem__,
        placeholder="Any" if names else "None is stored", disabled=not names, persist_state="session",
    )  # fmt: skip


def _find() -> None:
    given = {name: str(st.session_state.get(f"{KEY}{name}") or "").strip() for name in _NAMED}
    when = st.session_state.get(f"{KEY}when") or ()
    since, until = (when[0] if when else None), (when[1] if len(when) > 1 else None)
    flow.search(current(), Wanted(since=since, until=until, **given))


def _short(name: str) -> str:
    return verbatim(name, 60)
