"""Overview: what is in this memory, how it is doing, what was asked of it last, and what to do next."""

import streamlit as st

from memcore.view.naming import counted
from memcore.view.overview import LAYER_WORDS, STATUS, embedding, languages, on, overview, reach, size
from pages._parts.frame import leave_v1_mode
from pages._parts.memory import SAMPLES, current, memories
from pages._parts.say import plain, verbatim
from pages._parts.states import IMPORT, nothing_stored, shown_errors

leave_v1_mode()
MOST = 6


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


def next_actions() -> None:
    with st.container(horizontal=True):
        if st.button("Ask a question", type="primary", icon=":material/timeline:"):
            st.switch_page("pages/reconstruction.py")
        if st.button("Import conversations", icon=":material/upload_file:"):
            st.switch_page("pages/conversations.py", query_params={"view": "Import"})


def last_runs(memory) -> None:
    """The newest traces, each a link to itself."""
    st.subheader("Asked last")
    headers = memory.traces(MOST + 2)
    if not headers:
        st.caption("Nothing was asked of this memory yet.")
    for h in headers:
        with st.container(gap=None):
            address = {"trace": h.id, "scope": memory.name}
            st.page_link("pages/reconstruction.py", label=plain(h.question, 90), query_params=address)
            when = f"{on(h.started)}, {h.started:%H:%M} UTC"
            st.caption(f"{h.strategy}, budget {h.budget} · {when} · {STATUS[h.status]}")


def contents(memory, seen) -> None:
    """Layers, speakers and languages as one table each."""
    st.subheader("What is in it")
    for layer, number in seen.layers.items():
        one, many, says = LAYER_WORDS[layer]
        st.markdown(f"**{number:,}** {one if number == 1 else many} :gray[{says}]")
    spoken = [f"{plain(name, 40)} {n:,}" for name, n in seen.speakers[:MOST]]
    more = len(seen.speakers) - MOST
    st.markdown(
        f"**Speakers** {' · '.join(spoken) or 'none named'}" + (f" · and {more:,} more" if more > 0 else "")
    )
    known = [f"{plain(name, 30)} {n:,}" for name, n in languages(memory.files())]
    st.markdown(f"**Languages** {' · '.join(known) or 'unknown'}")


def health(memory, seen) -> None:
    """What may be wrong with it, in words; the thorough check only when it is asked for."""
    st.subheader("Health")
    sound = ":material/check_circle:" if not seen.unreachable else ":material/warning:"
    st.markdown(f"{sound} {reach(seen)}")
    if seen.orphans:
        st.markdown(f":material/info: {counted(seen.orphans, 'cue leads', 'cues lead')} to nothing any more.")
    if seen.hubs:
        names = ", ".join(f"{plain(name, 30)} ({n:,} relations)" for name, n in seen.hubs[:MOST])
        st.markdown(f":material/hub: Broad cues, each on a fifth of the memories or more: {names}.")
    st.markdown(f":material/memory: {plain(embedding(memory.embedder))}")
    st.markdown(f":material/database: The whole store takes {size(memories().store.bytes())} on disk.")
    st.button("Examine the store", key="examine", icon=":material/stethoscope:", on_click=examine_now)
    if st.session_state.pop("examined", False):
        findings()


def examine_now() -> None:
    st.session_state["examined"] = True


def findings() -> None:
    """Everything that is not as it should be, and what to do about it."""
    from memcore.store.doctor import examine

    found = examine(memories().store)
    if not found:
        st.success("The store is consistent.", icon=":material/check_circle:")
        return
    rows = [
        {
            "found": f.problem.replace("_", " "),
            "memory": verbatim(f.scope, 40) or "the store itself",
            "how many": f.count,
            "what to do": "harmless"
            if f.harmless
            else "memcore doctor --repair"
            if f.repairable
            else "restore a copy",
        }
        for f in found
    ]
    st.dataframe(rows, hide_index=True)


with shown_errors():
    memory = current()
    st.title(plain(memory.name, 60))
    graph = memory.snapshot().graph
    if not memory.count().get("turn"):
        nothing_stored(IMPORT, SAMPLES)
        st.stop()
    seen = overview(graph)
    numbers(memory, seen)
    next_actions()
    left, right = st.columns(2, gap="large")
    with left:
        last_runs(memory)
    with right:
        with st.container(gap="xsmall"):
            contents(memory, seen)
        with st.container(gap="xsmall"):
            health(memory, seen)
