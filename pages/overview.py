"""Overview: what is in this memory, how it is doing, what was asked of it last, and what to do next."""

import streamlit as st

from memcore.view.naming import counted
from memcore.view.overview import overview
from pages._parts.frame import leave_v1_mode
from pages._parts.memory import current
from pages._parts.say import plain
from pages._parts.states import nothing_stored, shown_errors

leave_v1_mode()


def contents(memory, seen) -> None:
    """The numbers, in one row."""
    count = memory.count()
    turns, talks = count.get("turn", 0), count.get("conversation", 0)
    numbers = {
        "Turns": turns,
        "Conversations": talks,
        "Memories": sum(seen.layers.values()),
        "Cues": seen.cues,
        "Tags": seen.tags,
        "Relations": seen.relations,
    }
    for column, (name, value) in zip(st.columns(len(numbers)), numbers.items(), strict=True):
        column.metric(name, f"{value:,}")
    layers = ", ".join(counted(n, layer) for layer, n in sorted(seen.layers.items()))
    when = f", said between {seen.first} and {seen.last}" if seen.first else ", without any date"
    st.caption(f"{layers}{when}")


def health(memory, seen) -> None:
    """What may be wrong with it, in words."""
    st.markdown("**Health**")
    reach = (
        "Every memory can be reached by a cue."
        if not seen.unreachable
        else f"{counted(seen.unreachable, 'memory', 'memories')} without any cue: no search will reach them."
    )
    st.markdown(f"- {reach}")
    for name, degree in seen.hubs:
        st.markdown(f"- The cue {plain(name, 40)} leads to {degree:,} relations: too broad to say much.")
    if memory.embedder == "none":
        st.markdown("- Zero-model mode: nothing is embedded, nearness is counted in shared words.")
    else:
        st.markdown(f"- Embedded by {plain(memory.embedder)}, on this machine; no text leaves it.")
    st.markdown("**Who speaks**")
    for name, turns in seen.speakers:
        st.markdown(f"- {plain(name, 40)}: {counted(turns, 'memory', 'memories')}")


def last_runs(memory) -> None:
    """The newest traces, each a link to itself."""
    st.markdown("**Asked last**")
    headers = memory.traces(8)
    if not headers:
        st.caption("Nothing was asked yet.")
    for h in headers:
        label = f"{plain(h.question, 80)} · {h.strategy} · {h.started:%d %b %H:%M} · {h.status}"
        st.page_link("pages/reconstruction.py", label=label, query_params={"trace": h.id})


with shown_errors():
    memory = current()
    st.title(plain(memory.name, 60))
    graph = memory.snapshot().graph
    if not len(graph):
        nothing_stored()
        st.stop()
    seen = overview(graph)
    contents(memory, seen)
    with st.container(horizontal=True):
        if st.button("Ask a question", type="primary", icon=":material/timeline:"):
            st.switch_page("pages/reconstruction.py")
        if st.button("Import conversations", icon=":material/upload_file:"):
            st.switch_page("pages/conversations.py")
    left, right = st.columns(2, gap="large")
    with left:
        last_runs(memory)
    with right:
        health(memory, seen)
