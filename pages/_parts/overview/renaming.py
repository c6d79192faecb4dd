"""Another name for the memory that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from pages._parts.memory import memories
from pages._parts.say import plain
from pages._parts.viewing import viewer

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from memcore.memory import Memory

LONGEST = 200
_NAME, _REFUSED = "renaming:name", "renaming:refused"


def renaming(memory: Memory, row: DeltaGenerator) -> None:
    """The form, behind a button in the row, and why the last name was not taken."""
    with row.popover("Rename this memory", icon=":material/edit:"), st.form("renaming", border=False):
        st.text_input("Its new name", key=_NAME, max_chars=LONGEST, autocomplete="off")
        st.caption(
            "Nothing in the store bears the old name afterwards. Open tabs go on with the new one; links "
            "that were copied before lead nowhere."
        )
        st.form_submit_button("Rename", on_click=_rename, args=(memory.name,))
    if says := st.session_state.pop(_REFUSED, ""):
        st.warning(plain(says), icon=":material/info:")


def _rename(name: str) -> None:
    wanted = str(st.session_state.get(_NAME) or "").strip()
    try:
        memories().rename(name, wanted, viewer())
    except MemcoreError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        st.session_state[_NAME] = ""
