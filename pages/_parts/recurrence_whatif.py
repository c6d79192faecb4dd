"""Other thresholds: what would have triggered, beside what is; nothing is written until Apply is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import streamlit as st

from memcore.foresight import Foreseen, calibrated, foresee
from memcore.records import Counting, MergeOrder, Thresholds
from memcore.view.recurrence_graph import Sieve, rows
from memcore.view.recurrence_labels import labels
from memcore.view.recurrence_timeline import COUNTING, ORDER
from memcore.view.recurrence_whatif import compared, foreseen_clusters
from pages._parts import edit_saving as saving
from pages._parts import edit_turning as turning
from pages._parts import recurrence_apply as applying
from pages._parts.recurrence_read import Loaded
from pages._parts.recurrence_side import notice
from pages._parts.recurrence_spread import distribution
from pages._parts.say import verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory

_KEYS = ("theta_sim", "theta_count", "merge", "counting", "order", "collect")
SHARE = "whatif:share"
LISTED = 200


def what_if(memory: Memory, loaded: Loaded) -> None:
    """Sliders on the left; what is and what would be, and the similarities behind it, on the right."""
    _begun(loaded)
    left, right = st.columns([2, 5], gap="large")
    with left:
        wanted = _sliders(loaded)
        _propose(loaded)
    found = _foreseen(loaded.token, wanted, loaded)
    with right:
        _side_by_side(loaded, found)
        _apply(loaded, found)
        distribution(loaded, wanted)
        _would_be(loaded, found)


def _begun(loaded: Loaded) -> None:
    """The sliders stand on what is in force until somebody moves them, and again once that has changed."""
    if st.session_state.get("whatif:of") != (loaded.token[:2], loaded.thresholds):
        st.session_state["whatif:of"] = (loaded.token[:2], loaded.thresholds)
        _set(loaded.thresholds)


def _set(thresholds: Thresholds) -> None:
    for name in _KEYS:
        st.session_state[f"whatif:{name}"] = getattr(thresholds, name)


def _sliders(loaded: Loaded) -> Thresholds:
    keep = {"persist_state": "session"}
    st.slider(
        "Neighbours lie above", 0.0, 1.0, step=0.005, format="%.3f", key="whatif:theta_sim", **keep,
        help="theta_sim: the cosine above which two units count as the same topic",
    )  # fmt: skip
    st.slider(
        "Units that must recur", 2, 20, key="whatif:theta_count", **keep,
        help="theta_count: how many, by the counting rule below",
    )  # fmt: skip
    st.slider(
        "Merged into an episode from", 0.0, 1.0, step=0.005, format="%.3f", key="whatif:merge", **keep,
        help="the cosine from which the writer is asked whether a unit belongs to its nearest episode",
    )  # fmt: skip
    st.selectbox(
        "What counts", get_args(Counting), format_func=COUNTING.__getitem__, key="whatif:counting", **keep
    )
    st.selectbox("Order", get_args(MergeOrder), format_func=ORDER.__getitem__, key="whatif:order", **keep)
    st.slider(
        "Units merged by one call", 1, 10, key="whatif:collect", **keep,
        help="1 is the paper; more wait for each other and save calls",
    )  # fmt: skip
    chosen = Thresholds(*(st.session_state[f"whatif:{name}"] for name in _KEYS))
    st.button(
        "Back to what is in force", on_click=_set, args=(loaded.thresholds,),
        disabled=chosen == loaded.thresholds, icon=":material/restart_alt:", key="whatif:reset",
    )  # fmt: skip
    return chosen


def _propose(loaded: Loaded) -> None:
    with st.container(border=True):
        st.slider(
            "Share of the units that should move", 0.05, 0.95, 0.3, step=0.05, format="percent", key=SHARE,
            persist_state="session",
        )  # fmt: skip
        st.button("Propose thresholds", on_click=_proposed, args=(loaded,), key="whatif:propose")
        st.caption("Looks for the similarities at which about so many units would be consolidated or merged.")


def _proposed(loaded: Loaded) -> None:
    like = Thresholds(*(st.session_state[f"whatif:{name}"] for name in _KEYS))
    _set(_calibrated(loaded.token, st.session_state[SHARE], like, loaded).thresholds)


@st.cache_resource(show_spinner="Looking for thresholds …", max_entries=16)
def _calibrated(token: tuple[str, str, int], share: float, like: Thresholds, _loaded: Loaded) -> Foreseen:
    return calibrated(_loaded.units, share, like)


@st.cache_resource(show_spinner="Working out what would have triggered …", max_entries=32)
def _foreseen(token: tuple[str, str, int], thresholds: Thresholds, _loaded: Loaded) -> Foreseen:
    return foresee(_loaded.units, thresholds)


def _side_by_side(loaded: Loaded, found: Foreseen) -> None:
    config = {
        "what": st.column_config.TextColumn("", width=230),
        "now": st.column_config.TextColumn("As it is", width=130),
        "would be": st.column_config.TextColumn("As it would be", width=150),
    }
    listed = compared(loaded.units, loaded.rests, loaded.bill, found)
    st.dataframe(
        listed,
        hide_index=True,
        column_config=config,
        key="whatif:compared",
        width="content",
        height=36 + 33 * len(listed),
    )
    st.caption(
        "Nothing is written, and no model is asked. Neighbours are exact until the first episode; an episode "
        "that is not written yet is taken to lie at the centroid of its units, so merges, and what follows "
        "from them, are approximate. Tokens count the prompts that a model would be sent."
    )


def _apply(loaded: Loaded, found: Foreseen) -> None:
    if applying.under_way():
        with st.container(border=True):
            applying.progress()
        return
    if turning.under_way():
        turning.progress()
        return
    notice()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Apply to all {len(loaded.units):,} units", type="primary", on_click=applying.apply,
            args=(found.thresholds, len(loaded.units)), disabled=saving.busy(), key="whatif:apply",
        )  # fmt: skip
        st.caption(
            "A new generation of episodes and facts, as one change that can be undone. Units are never lost; "
            "episodes that somebody corrected, pinned or related by hand stay with their units.",
            width="stretch",
        )


def _would_be(loaded: Loaded, found: Foreseen) -> None:
    """The clusters there would be, the largest first."""
    would = foreseen_clusters(loaded.units, found).found
    if not would:
        st.markdown("Nothing would recur.")
        return
    listed = would[:LISTED]
    names = labels(listed, {u.id: u.label for u in loaded.units if u.label}, loaded.said)
    shown = rows(listed, names, loaded.by_id, Sieve())
    for row in shown:
        row["cluster"] = verbatim(str(row["cluster"]), 80)
        del row["passes the filters"], row["speakers"]
    st.markdown(f"**Clusters there would be** :gray-badge[{len(would):,}]")
    config = {
        "cluster": st.column_config.TextColumn("Cluster", width=330),
        "state": st.column_config.TextColumn("State", width=100),
        "units": st.column_config.NumberColumn("Units", width=60),
        "recurring": st.column_config.TextColumn("Counted", width=80),
        "first": st.column_config.TextColumn("First said", width=130),
        "last": st.column_config.TextColumn("Last said", width=130),
    }
    st.dataframe(shown, hide_index=True, column_config=config, key="whatif:clusters")
