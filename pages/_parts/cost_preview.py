"""What something would cost, told before it is done; nothing is drawn where no model takes part."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import streamlit as st

from memcore.errors import MemcoreError
from memcore.llm.tasks import OFFLINE, Role
from memcore.models.costing import Cost
from memcore.view.costs import cost_sentence
from pages._parts.memory import memories
from pages._parts.say import plain


def cost_preview(roles: tuple[Role, ...], of: Callable[[], Cost], about: Hashable, key: str) -> None:
    """A button, and the sentence once it was pressed; `about` is what the sentence holds for."""
    chosen = {memories().models.chosen(role) for role in roles} - {OFFLINE}
    if not chosen:
        return
    wanted, told = f"{key}:wanted", f"{key}:told"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("What would it cost?", key=key, icon=":material/payments:", on_click=_want, args=(wanted,))
        if st.session_state.pop(wanted, False):
            with st.spinner("Counting …"):
                st.session_state[told] = about, _sentence(of)
        held_for, sentence = st.session_state.get(told, (None, ""))
        st.caption(plain(sentence if held_for == about else f"{', '.join(sorted(chosen))} would be asked."))


def _want(flag: str) -> None:
    st.session_state[flag] = True


def _sentence(of: Callable[[], Cost]) -> str:
    try:
        return cost_sentence(of())
    except MemcoreError as error:
        return str(error)
