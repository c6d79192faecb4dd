"""State tree: agent runs, live and recorded: the active path, what was left and why, what the agent read."""

import streamlit as st

from pages._parts.frame import leave_v1_mode
from pages._parts.import_desk import run_desk
from pages._parts.memory import SAMPLES, current_or_none
from pages._parts.states import Action, nothing_stored, shown_errors
from pages._parts.tree.address import RUN
from pages._parts.tree.demo import demo_form, play_demo
from pages._parts.tree.importing import importing_runs
from pages._parts.tree.live import demos
from pages._parts.tree.runs import runs_list, switcher
from pages._parts.tree.view import show_run
from pages._parts.viewing import read_only

leave_v1_mode()
RUNS, IMPORT = VIEWS = ("Runs", "Import")


def listing(memory) -> None:
    """No run is open: the list, the demo, and the import."""
    runs = memory.runs.all() if memory is not None else []
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        first = None if "runs:view" in st.session_state else RUNS
        view = st.segmented_control(
            "View", VIEWS, key="runs:view", required=True, default=first, label_visibility="collapsed"
        )
        if runs and (memory is None or memory.viewer.sees_all):
            demo_form()
    if (view == IMPORT or not runs) and read_only(memory):
        return
    if view == IMPORT or run_desk().looking or run_desk().writing:
        importing_runs(memory)
    elif not runs:
        no_runs(memory)
    else:
        runs_list(runs)


def no_runs(memory) -> None:
    """Nothing was run or imported yet: the demo, the samples, or a file."""
    play = Action("Play the demo agent", act=play_demo)
    nothing_stored(
        play,
        SAMPLES if memory is None else Action("Import agent runs", act=show_import),
        "No agent run is stored here yet",
        "An agent run becomes a tree of what it did. Play the demo agent to watch one grow, or import a run.",
    )


def show_import() -> None:
    """Go to the import."""
    st.session_state["runs:view"] = IMPORT


def run(memory, run_id: str) -> None:
    """The open run, the one under way included."""
    demo = demos().of(run_id)
    with st.container():  # there at all times, so that nothing below changes its place when a run ends
        if demo is None or demo.done:
            switcher(memory.runs.all(), run_id)
    show_run(memory, run_id, demo)


st.title("State tree", anchor=False)
with shown_errors():
    memory = current_or_none()
    opened = RUN.shown(memory) if memory is not None else ""
    if memory is not None and opened:
        run(memory, opened)
    else:
        listing(memory)
