"""Conversations: browse and search turns, import with preview and report, and the files that were read."""

import streamlit as st

from pages._parts.conversations.browse import open_turn
from pages._parts.conversations.files import files
from pages._parts.conversations.importing import importing
from pages._parts.conversations.search import searching
from pages._parts.frame import leave_v1_mode
from pages._parts.import_desk import desk
from pages._parts.memory import SAMPLES, current_or_none
from pages._parts.states import Action, nothing_stored, shown_errors
from pages._parts.viewing import read_only

leave_v1_mode()
VIEWS = ("Browse", "Import", "Files")


def show_import() -> None:
    """Go to the import."""
    st.session_state["view"] = "Import"


def linked(memory) -> None:
    """A link to a turn (?turn=) opens its conversation there, once."""
    wanted = st.query_params.get("turn")
    if wanted and st.session_state.get("turns:linked") != wanted:
        st.session_state["turns:linked"] = wanted
        turn = memory.get([wanted]).get(wanted)
        if turn is not None and turn.kind == "turn":
            open_turn(turn.conversation_id, turn.id)


st.title("Conversations", anchor=False)
with shown_errors():
    memory = current_or_none()
    stored = memory is not None and memory.count().get("turn", 0) > 0
    if memory is not None:
        linked(memory)
    if not stored and desk().looking is None and desk().writing is None:
        nothing_stored(Action("Import conversations", act=show_import), SAMPLES)
    if not stored or desk().looking or desk().writing:
        st.session_state.setdefault("view", "Import")
    view = st.segmented_control(
        "View", VIEWS, key="view", bind="query-params", required=True, label_visibility="collapsed",
        default=None if "view" in st.session_state else "Browse",
    )  # fmt: skip
    if view == "Import" or (view == "Browse" and not stored):
        if not read_only(memory):
            importing(memory)
    elif view == "Files" and memory is not None:
        files(memory)
    elif stored:
        searching(memory)
