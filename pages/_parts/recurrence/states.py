"""What the page Recurrence says first, and when there is nothing to draw: each reason in its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.naming import counted, share
from memcore.view.recurrence_states import left_raw, nearest_pair, reached, summary
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory
    from pages._parts.recurrence.read import Loaded


def headline(memory: Memory, loaded: Loaded) -> None:
    """Where the units are, and by which thresholds."""
    t, chosen = loaded.thresholds, memory.recurrence.calibration()
    st.markdown(summary(loaded.final, len(loaded.units), len(loaded.episodes)))
    said = (
        f"Two units are neighbours above a similarity of {t.theta_sim:.3g}; once {t.theta_count} recur, an "
        f"episode is written of them; from {t.merge:.3g} on a unit may be merged into an episode"
    )
    if chosen is not None and chosen.thresholds == t:
        when = instant(chosen.recorded, zone())
        said += f"; chosen for {chosen.embedder} on {when}, {share(chosen.share)} of the units moved"
    else:
        said += f"; these are the settings for {memory.embedder}"
    st.caption(plain(said + "."))
    for sentence in left_raw(loaded.units):
        st.info(
            f"{sentence} They stay readable, can be found by their words, and are evidence like every other "
            "turn.",
            icon=":material/info:",
        )


def off(memory: Memory) -> None:
    """Nothing is compared in this memory."""
    with st.container(border=True):
        st.markdown(":material/link_off: **Recurrence is off: there is no embedder**")
        units = counted(memory.count().get("unit", 0), "unit")
        st.markdown(
            "Whether something recurs is decided by how near units are to each other, and this memory was "
            f"written without an embedder. Its {units} are kept raw; nothing is lost, and nothing was "
            "consolidated. A memory imported with an embedder has this page."
        )
        _links(("pages/conversations.py", "Import with an embedder"), ("pages/graph.py", "Look at the graph"))


def unread() -> None:
    """Turns are there, units are not: they were imported before there were any."""
    with st.container(border=True):
        st.markdown("**These conversations were never cut into units**")
        st.markdown("They were imported by an earlier version; importing them again gives them units.")
        _links(("pages/conversations.py", "Import them again"), ("pages/overview.py", "Go to the overview"))


def nothing_recurs(loaded: Loaded) -> None:
    """Nothing is near enough to anything; how far that is from it, and what can be done."""
    with st.container(border=True):
        st.markdown("**Nothing recurs yet**")
        st.markdown(nearest_pair(reached(loaded.units), loaded.thresholds))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Find thresholds for this memory", on_click=_calibrate, type="primary")
            st.page_link("pages/conversations.py", label="Import more", icon=":material/arrow_forward:")


def _calibrate() -> None:
    st.session_state["look"] = "What if"


def _links(*links: tuple[str, str]) -> None:
    with st.container(horizontal=True):
        for page, label in links:
            st.page_link(page, label=label, icon=":material/arrow_forward:")
