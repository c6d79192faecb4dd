"""The sliders of the page Recurrence: thresholds that are tried, beginning with those in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

import streamlit as st

from memcore.records import Counting, MergeOrder, Thresholds
from memcore.view.recurrence_timeline import COUNTING, ORDER

if TYPE_CHECKING:
    from pages._parts.recurrence.read import Loaded

_KEYS = Thresholds._fields
_COUNTS = {
    "counts_new_unit": "the new unit too",
    "neighbours_reach": "neighbours alone",
    "neighbours_exceed": "more neighbours",
}
_FIRST = {"before_gate": "merge first", "at_consolidation": "gate first"}
_REACH = {"theta_sim": (0.0, 1.0), "theta_count": (1, 20), "merge": (0.0, 1.0), "collect": (1, 10)}


def begun(loaded: Loaded) -> None:
    """The sliders stand on what is in force until somebody moves them, and again once that has changed."""
    if st.session_state.get("whatif:of") != (loaded.token[:2], loaded.thresholds):
        st.session_state["whatif:of"] = (loaded.token[:2], loaded.thresholds)
        put(loaded.thresholds)


def put(thresholds: Thresholds) -> None:
    """Put the sliders on these thresholds, as far as they reach."""
    for name in _KEYS:
        value = getattr(thresholds, name)
        least, most = _REACH.get(name, (value, value))
        st.session_state[f"whatif:{name}"] = min(max(value, least), most)


def sliders(loaded: Loaded) -> Thresholds:
    """Draw them; the thresholds they stand on."""
    keep = {"persist_state": "session"}
    st.slider(
        "Neighbours lie above", *_REACH["theta_sim"], step=0.005, format="%.3f", key="whatif:theta_sim",
        **keep, help="theta_sim: the cosine above which two units count as the same topic",
    )  # fmt: skip
    st.slider(
        "Units that must recur", *_REACH["theta_count"], key="whatif:theta_count", **keep,
        help="theta_count: how many, by the counting rule below",
    )  # fmt: skip
    st.slider(
        "Merged into an episode from", *_REACH["merge"], step=0.005, format="%.3f", key="whatif:merge",
        **keep, help="the cosine from which the writer is asked whether a unit belongs to that episode",
    )  # fmt: skip
    st.selectbox(
        "What counts", get_args(Counting), format_func=_COUNTS.__getitem__, key="whatif:counting", **keep,
        help=_in_full(_COUNTS, COUNTING),
    )  # fmt: skip
    st.selectbox(
        "Order", get_args(MergeOrder), format_func=_FIRST.__getitem__, key="whatif:order", **keep,
        help=_in_full(_FIRST, ORDER),
    )  # fmt: skip
    st.slider(
        "Units merged by one call", *_REACH["collect"], key="whatif:collect", **keep,
        help="1 is the paper; more wait for each other and save calls",
    )  # fmt: skip
    chosen = tried()
    st.button(
        "As in force", on_click=put, args=(loaded.thresholds,), help="Back to what is in force",
        disabled=chosen == loaded.thresholds, icon=":material/restart_alt:", key="whatif:reset",
    )  # fmt: skip
    return chosen


def _in_full(short: Mapping[str, str], long: Mapping[str, str]) -> str:
    """What the few words of each option stand for, in a line each."""
    return "  \n".join(f"{words}: {long[code]}" for code, words in short.items())


def tried() -> Thresholds:
    """The thresholds that the sliders stand on."""
    return Thresholds(*(st.session_state[f"whatif:{name}"] for name in _KEYS))
