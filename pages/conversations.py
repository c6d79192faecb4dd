"""Conversations: browse and search turns, import with preview and report, and the files that were read."""

import streamlit as st

from memcore.errors import MemcoreError
from memcore.view.naming import counted
from memcore.view.overview import on
from pages._parts.browse import browse, open_turn
from pages._parts.frame import leave_v1_mode
from pages._parts.importing import desk, importing
from pages._parts.memory import SAMPLES, current_or_none
from pages._parts.report_view import saved_report_view
from pages._parts.say import plain
from pages._parts.states import Action, filtered_away, nothing_stored, shown_errors
from pages._parts.turns import draw_hit

leave_v1_mode()
HITS = 40
VIEWS = ("Browse", "Import", "Files")


def show_import() -> None:
    st.session_state["view"] = "Import"


def clear_search() -> None:
    st.session_state["turns:search"] = ""


def browsing(memory) -> None:
    """The search box stays whatever it finds; without a search, the conversations."""
    wanted = st.text_input(
        "Search turns", key="turns:search", placeholder="Words, in any language", icon=":material/search:"
    )
    if not wanted.strip():
        browse(memory)
        return
    hits = memory.search(wanted, ("turn",), HITS)
    found = memory.get([id_ for id_, _ in hits])
    if not hits:
        filtered_away(memory.count().get("turn", 0), clear_search)
        return
    most = f"The best {HITS} turns" if len(hits) == HITS else counted(len(hits), "turn")
    st.caption(f"{most} with these words, best first")
    titles = {talk.id: talk.title or talk.source for talk in memory.conversations()}
    for turn in (found[id_] for id_, _ in hits if id_ in found):
        draw_hit(memory, turn, wanted, titles.get(turn.conversation_id, ""), open_turn)


def files(memory) -> None:
    """Every imported file with its report, and the last import taken back on request."""
    imported = memory.files()
    last = next(iter(memory.changes(1)), None)
    if last is not None and last.undoable and last.events[-1].kind == "imported":
        names = {file.id: file.name for file in imported}
        name = plain(names.get(last.events[-1].file_id, "the last file"), 60)
        turns = counted(sum(event.turns for event in last.events), "turn")
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"Last change: {name} was imported, {turns}.")
            st.button("Undo this import", on_click=undo, args=(memory,), icon=":material/undo:")
    if not imported:
        st.caption("No file was imported into this memory.")
    for file in reversed(imported):
        with st.container(border=True):
            saved_report_view(file)
            st.caption(f"Imported {on(file.recorded)}, {file.recorded:%H:%M} UTC")


def undo(memory) -> None:
    try:
        taken = memory.undo()
        st.toast(f"Taken back: {counted(taken.removed, 'record')} removed.")
        desk().clear()
    except MemcoreError as error:
        st.toast(plain(str(error)))


def linked(memory) -> None:
    """A link to a turn (?turn=) opens its conversation there, once."""
    wanted = st.query_params.get("turn")
    if wanted and st.session_state.get("turns:linked") != wanted:
        st.session_state["turns:linked"] = wanted
        turn = memory.get([wanted]).get(wanted)
        if turn is not None and turn.kind == "turn":
            open_turn(turn.conversation_id, turn.id)


st.title("Conversations")
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
        importing(memory.name if memory else None)
    elif view == "Files" and memory is not None:
        files(memory)
    elif stored:
        browsing(memory)
