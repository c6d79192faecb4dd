"""Overview: what is in this memory, how it is doing, what was asked of it last, and what to do next."""

import streamlit as st

from memcore.view.overview import only_runs, overview, runs_held
from pages._parts.frame import leave_v1_mode
from pages._parts.memory import SAMPLES, current
from pages._parts.overview.health import contents, health
from pages._parts.overview.mending import mending
from pages._parts.past_runs import past_runs
from pages._parts.say import plain
from pages._parts.states import IMPORT, Action, nothing_stored, shown_errors

leave_v1_mode()
LISTED = 8
RUNS = "pages/state_tree.py"


def numbers(memory, seen) -> None:
    """The counts, in one row, and when all of it was said."""
    count = memory.count()
    shown = {
        "Turns": count.get("turn", 0),
        "Conversations": count.get("conversation", 0),
        "Memories": sum(seen.layers.values()),
        "Cues": seen.cues,
        "Tags": seen.tags,
        "Relations": seen.relations,
    }
    with st.container(border=True):
        for column, (name, value) in zip(st.columns(len(shown)), shown.items(), strict=True):
            column.metric(name, f"{value:,}")
        when = f"Said between {seen.first} and {seen.last}" if seen.first else "Nothing in it has a date"
        undated = f"; {seen.undated:,} without a date" if seen.undated and seen.first else ""
        st.caption(f"{when}{undated}.")
        if runs := count.get("run", 0):
            address, icon = {"scope": memory.name}, ":material/account_tree:"
            st.page_link(RUNS, label=runs_held(runs), query_params=address, icon=icon)


def next_actions() -> None:
    with st.container(horizontal=True):
        if st.button("Ask a question", type="primary", icon=":material/timeline:"):
            st.switch_page("pages/reconstruction.py")
        if st.button("Import conversations", icon=":material/upload_file:"):
            st.switch_page("pages/conversations.py", query_params={"view": "Import"})


def last_runs(memory) -> None:
    """The newest traces, each a link to itself."""
    st.subheader("Recent questions")
    past_runs(memory, memory.traces(LISTED))


heading = st.empty()
heading.title("Overview", anchor=False)
with shown_errors():
    memory = current()
    heading.title(plain(memory.name, 60), anchor=False)
    graph = memory.snapshot().graph
    count = memory.count()
    if not count.get("turn"):
        if runs := count.get("run", 0):
            says = only_runs(runs, count.get("step", 0))
            nothing_stored(Action("Open the agent runs", page=RUNS), IMPORT, runs_held(runs), says)
        else:
            nothing_stored(IMPORT, SAMPLES)
        st.stop()
    seen = overview(graph)
    numbers(memory, seen)
    next_actions()
    left, right = st.columns(2, gap="large")
    with left:
        last_runs(memory)
        with st.container(gap="xsmall"):
            health(memory, seen)
    with right, st.container(gap="xsmall"):
        contents(memory, seen)
    mending(memory)
