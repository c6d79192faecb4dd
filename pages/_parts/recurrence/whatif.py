"""Other thresholds: what would have triggered, beside what is; nothing is written until Apply is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.absorbing.foresight import Foreseen, foresee
from memcore.llm.tasks import OFFLINE
from memcore.records import Thresholds
from memcore.view.clusters import Clusters
from memcore.view.recurrence_graph import Sieve, rows
from memcore.view.recurrence_whatif import as_it_is, compared, decided_under, foreseen_clusters
from pages._parts.cost_preview import cost_preview
from pages._parts.editing import saving, turning
from pages._parts.editing.notice import notice
from pages._parts.memory import memories
from pages._parts.recurrence import apply as applying
from pages._parts.recurrence.propose import proposal_ended, propose
from pages._parts.recurrence.read import Loaded, named
from pages._parts.recurrence.sliders import begun, sliders
from pages._parts.recurrence.spread import distribution
from pages._parts.recurrence.tables import cluster_columns, readable
from pages._parts.viewing import read_only

if TYPE_CHECKING:
    from memcore.memory import Memory

LISTED = 200


def what_if(memory: Memory, loaded: Loaded) -> None:
    """Sliders on the left; what is and what would be, and the similarities behind it, on the right."""
    begun(loaded)
    proposal_ended()
    left, right = st.columns([1, 2], gap="medium")
    with left:
        wanted = sliders(loaded)
        propose(loaded, memory.settings.share_moved)
    found = _foreseen(loaded.token, wanted, loaded)
    moved = wanted != loaded.thresholds or not decided_under(loaded.units, wanted)
    with right:
        _side_by_side(loaded, found, moved)
        if not read_only(memory):
            _apply(memory, loaded, found, moved or _by_a_model(loaded))
        distribution(loaded, wanted)
        _would_be(memory, loaded, foreseen_clusters(loaded.units, found) if moved else loaded.final)


@st.cache_resource(show_spinner="Working out what would have triggered …", max_entries=32)
def _foreseen(token: tuple[str, str, int], thresholds: Thresholds, _loaded: Loaded) -> Foreseen:
    return foresee(_loaded.units, thresholds)


def _side_by_side(loaded: Loaded, found: Foreseen, moved: bool) -> None:
    config = {
        "what": st.column_config.TextColumn("", width=185),
        "now": st.column_config.TextColumn("As it is", width=95, alignment="right"),
        "would be": st.column_config.TextColumn("As it would be", width=125, alignment="right"),
    }
    listed = compared(loaded.units, loaded.rests, loaded.bill, found)
    st.dataframe(
        listed if moved else as_it_is(listed),
        hide_index=True,
        column_config=config,
        key="whatif:compared",
        width="content",
        height=36 + 33 * len(listed),
    )
    if not moved:
        st.caption("These thresholds are in force: move one to see what it would change. Nothing is written.")
        return
    st.caption(
        "Nothing is written, and no model is asked. Neighbours are exact until the first episode; an episode "
        "that is not written yet is taken to lie at the centroid of its units, so merges, and what follows "
        "from them, are approximate. Tokens count the prompts that a model would be sent."
    )


def _by_a_model(loaded: Loaded) -> bool:
    """Whether a model would write now, or has: then the same thresholds give other words."""
    written = any(e.made_by == "model" for e in loaded.episodes.values())
    return written or memories().models.chosen("write") != OFFLINE


def _apply(memory: Memory, loaded: Loaded, found: Foreseen, changes: bool) -> None:
    if applying.under_way(memory.id):
        with st.container(border=True):
            applying.progress(memory.id)
        return
    if turning.under_way():
        turning.progress()
        return
    notice()
    cost_preview(
        ("write",), lambda: memory.would_cost.consolidating(found.thresholds), (memory.id, found.thresholds),
        "whatif:cost",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Apply to all {len(loaded.units):,} units", type="primary", on_click=applying.apply,
            args=(found.thresholds, len(loaded.units)), disabled=not changes or saving.busy(),
            key="whatif:apply",
        )  # fmt: skip
        st.caption(
            "A new generation of episodes and facts, as one change that can be undone. Units are never lost; "
            "episodes that somebody corrected, pinned or related by hand stay with their units.",
            width="stretch",
        )


def _would_be(memory: Memory, loaded: Loaded, clusters: Clusters) -> None:
    """The clusters there would be, the largest first."""
    would = clusters.found
    if not would:
        st.markdown("Nothing would recur.")
        return
    listed = would[:LISTED]
    names = named(memory, loaded, listed)
    shown = readable(rows(listed, names, loaded.by_id, Sieve()))
    st.markdown(f"**Clusters as they would be** :gray-badge[{len(would):,}]")
    config = cluster_columns()
    st.dataframe(
        shown,
        hide_index=True,
        column_config=config,
        column_order=list(config),
        key="whatif:clusters",
        placeholder="unknown",
    )
