"""Confirmed by typing: who and why, whether an import may bring it back, and the word that starts it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Who
from memcore.erasure import Plan
from memcore.erasure.receipt import TOMBSTONES
from memcore.settings import author
from memcore.words import fold
from pages._parts.editing import desk
from pages._parts.memory import current
from pages._parts.privacy import erasing, flow
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory

TYPED, REASON, HELD = "privacy:show:typed", "privacy:show:reason", "privacy:show:held"
_REFUSED = "privacy:show:refused"
WORDS = {"erase": ("erase", "지우기"), "redact": ("redact", "가리기")}
DOES = {"erase": "Erase for good", "redact": "Redact for good"}


def confirming(memory: Memory, now: flow.Flow, plan: Plan) -> None:
    """The form; a plan that is stale cannot be carried out."""
    if flow.stale(memory, plan):
        return
    word, korean = WORDS[now.way]
    with st.form("privacy-confirm", border=True):
        st.markdown(f"**{DOES[now.way]}.** This cannot be undone, by you or by anybody.")
        _import_again(now)
        who, why = st.columns(2)
        who.text_input(
            "Your name", key=desk.AUTHOR, placeholder=author(), max_chars=80, persist_state="session",
            help="It stays in the receipt.",
        )  # fmt: skip
        why.text_input(
            "Why (optional)", key=REASON, max_chars=300, placeholder="for example: request 2026-14",
            help="It stays in the receipt: do not name what is erased.",
        )  # fmt: skip
        st.caption("Name and reason stay in the receipt for good, so neither may name what is erased.")
        st.text_input(
            f"Type **{word}** (or **{korean}**) to confirm", key=TYPED, autocomplete="off", width=320
        )
        st.form_submit_button(
            DOES[now.way], type="primary", on_click=_confirmed, args=(now, plan),
            icon=":material/delete_forever:",
        )  # fmt: skip
        if told := st.session_state.pop(_REFUSED, ""):
            st.warning(plain(told), icon=":material/info:")


def _import_again(now: flow.Flow) -> None:
    if now.way == "redact":
        st.caption(
            "What is redacted keeps its place, so a later import of the same file recognises it and does not "
            "bring the words back."
        )
        return
    st.toggle(
        "Keep it out of later imports",
        value=True,
        key=HELD,
        help="Otherwise importing the same file again brings it back.",
    )
    st.caption(f"{TOMBSTONES} This can be lifted later under *Receipts*.")


def _confirmed(now: flow.Flow, plan: Plan) -> None:
    """Begin, or say what is missing."""
    state = st.session_state
    typed = fold(str(state.get(TYPED) or "")).strip()
    if typed not in {fold(word) for word in WORDS[now.way]}:
        state[_REFUSED] = f"Nothing was changed: type {WORDS[now.way][0]} to confirm."
        return
    who = Who(desk.who().author, str(state.get(REASON) or "").strip())
    memory, words, hold_back = current(), now.words(), bool(state.get(HELD, True))
    if memory.erasure.named(plan, who, words):
        state[_REFUSED] = "Nothing was changed: your name or reason says what is to be erased. Leave it out."
        return
    steps = partial(memory.erasure.erase, plan, who, wanted=words, hold_back=hold_back)
    if erasing.begin(memory.id, steps, now.way, who.author):
        flow.let_go()
    else:
        state[_REFUSED] = "Another erasure of this memory is under way: wait for its end."
