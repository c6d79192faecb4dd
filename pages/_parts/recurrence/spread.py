"""The similarities of this memory as a small chart, with the thresholds marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.records import Thresholds
from memcore.view.recurrence_spread import BINS, Bin, nearest_earlier, spread

if TYPE_CHECKING:
    from pages._parts.recurrence.read import Loaded


def distribution(loaded: Loaded, wanted: Thresholds) -> None:
    """How near each unit is to the nearest one before it."""
    bins = _bins(loaded.token, loaded)
    if not bins:
        st.caption("With one unit there are no similarities to show.")
        return
    st.markdown("**How near each unit is to the nearest one before it**")
    st.vega_lite_chart(_spec(bins, wanted), key="whatif:spread")


@st.cache_resource(show_spinner=False, max_entries=8)
def _bins(token: tuple[str, str, int], _loaded: Loaded) -> list[Bin]:
    return spread(nearest_earlier(_loaded.units))


def _spec(bins: list[Bin], wanted: Thresholds) -> dict[str, Any]:
    values = [{"from": b.similarity, "to": b.similarity + 1 / BINS, "units": b.units} for b in bins]
    marks = [
        {"at": wanted.theta_sim, "what": "neighbours above"},
        {"at": wanted.merge, "what": "merged from"},
    ]
    scale = {"domain": [0, 1]}
    bars = {
        "data": {"values": values},
        "mark": {"type": "bar", "color": "#8f96a3"},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "title": "similarity (cosine)",
                "scale": scale,
                "bin": {"binned": True, "step": 1 / BINS},
            },
            "x2": {"field": "to"},
            "y": {"field": "units", "type": "quantitative", "title": "units"},
            "tooltip": [{"field": "from"}, {"field": "units"}],
        },
    }
    lines = {
        "data": {"values": marks},
        "mark": {"type": "rule", "size": 2},
        "encoding": {
            "x": {"field": "at", "type": "quantitative", "scale": scale},
            "color": {
                "field": "what", "type": "nominal", "title": None, "legend": {"orient": "top"},
                "scale": {"domain": [m["what"] for m in marks], "range": ["#d55e00", "#17a67e"]},
            },
            "strokeDash": {
                "field": "what", "type": "nominal", "title": None, "legend": {"orient": "top"},
                "scale": {"domain": [m["what"] for m in marks], "range": [[1, 0], [5, 3]]},
            },
            "tooltip": [{"field": "what"}, {"field": "at"}],
        },
    }  # fmt: skip
    return {"height": 230, "layer": [bars, lines]}
