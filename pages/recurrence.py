"""Recurrence: what keeps coming back, what became of it, what other thresholds would do, and what it cost."""

import streamlit as st

from pages._parts.frame import leave_v1_mode
from pages._parts.memory import SAMPLES, current
from pages._parts.recurrence import apply as applying
from pages._parts.recurrence import choice
from pages._parts.recurrence.bar import clear, sieve, standing_after
from pages._parts.recurrence.canvas import drawing
from pages._parts.recurrence.cost import cost
from pages._parts.recurrence.read import after, read
from pages._parts.recurrence.side import side
from pages._parts.recurrence.states import headline, nothing_recurs, off, unread
from pages._parts.recurrence.tables import clusters_table, timeline
from pages._parts.recurrence.whatif import what_if
from pages._parts.states import IMPORT, filtered_away, nothing_stored, shown_errors

leave_v1_mode()
CLUSTERS, TABLE, TIMELINE, WHAT_IF, COST = VIEWS = ("Clusters", "Table", "Timeline", "What if", "Cost")


def looking(memory, loaded, view: str) -> None:
    """Clusters, as a graph, a table or the decisions that made them, and the selected one beside it."""
    wanted, number = sieve(loaded), standing_after(loaded)
    shown = after(memory, loaded, number)
    if wanted and shown.found and not any(wanted.passes(c, loaded.by_id) for c in shown.found):
        filtered_away(len(shown.found), clear)
        return
    middle, right = st.columns([5, 2], gap="medium")
    with middle:
        if view == TABLE:
            clusters_table(loaded, shown, wanted)
        elif view == TIMELINE:
            timeline(loaded, shown, wanted, number)
        else:
            drawing(loaded, shown, wanted)
    with right:
        side(memory, loaded, shown)


st.title("Recurrence", anchor=False)
with shown_errors():
    memory = current()
    applying.taken_over(memory)
    if not memory.count().get("turn"):
        nothing_stored(IMPORT, SAMPLES)
        st.stop()
    if memory.recurrence.off:
        off(memory)
        st.stop()
    loaded = read(memory)
    if not loaded.units:
        unread()
        st.stop()
    choice.linked()
    headline(memory, loaded)
    view = st.segmented_control(
        "View", VIEWS, key="look", bind="query-params", required=True, label_visibility="collapsed",
        default=None if "look" in st.session_state else CLUSTERS,
    )  # fmt: skip
    if view == WHAT_IF:
        what_if(memory, loaded)
    elif view == COST:
        cost(loaded)
    elif not loaded.final.found:
        nothing_recurs(loaded)
    else:
        looking(memory, loaded, view or CLUSTERS)
