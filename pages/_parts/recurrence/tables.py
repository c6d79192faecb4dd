"""The table twin of the clusters, and the timeline of what triggered them; a selected row is a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.view.clusters import homes as homes_of
from memcore.view.recurrence_graph import Sieve, rows
from memcore.view.recurrence_timeline import WHATS, Trigger, told, triggers
from pages._parts.recurrence import choice
from pages._parts.recurrence.read import Loaded, Shown
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.view.clusters import Cluster

HEIGHT = 520
DAY = "D MMM YYYY"
SHAPES = ["square", "circle", "triangle-down", "diamond", "cross", "triangle-up"]
COLOURS = ["#3d8fc4", "#17a67e", "#c98a00", "#b04a86", "#d55e00", "#8d94a0"]


def clusters_table(loaded: Loaded, shown: Shown, wanted: Sieve) -> None:
    """One row per cluster."""
    listed = readable(rows(shown.found, shown.names, loaded.by_id, wanted))
    config = {
        **cluster_columns(),
        "speakers": st.column_config.TextColumn("Speakers", width=130),
        "passes the filters": st.column_config.CheckboxColumn("Passes the filters", width=110),
    }
    if not wanted:
        for row in listed:
            del row["passes the filters"]
    _selectable(loaded, listed, list(shown.found), shown, config)


def readable(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of clusters with the words of the memory as a table may show them."""
    for row in listed:
        row["cluster"], row["speakers"] = (
            verbatim(str(row["cluster"]), 80),
            verbatim(str(row["speakers"]), 60),
        )
    return listed


def cluster_columns() -> dict[str, Any]:
    """What every table of clusters shows of one."""
    return {
        "cluster": st.column_config.TextColumn("Cluster", width=160),
        "state": st.column_config.TextColumn("State", width=95),
        "first": st.column_config.DateColumn("First said", format=DAY, width=90),
        "last": st.column_config.DateColumn("Last said", format=DAY, width=90),
        "units": st.column_config.NumberColumn("Units", width=50),
        "recurring": st.column_config.TextColumn("Counted", width=65),
    }


def timeline(loaded: Loaded, shown: Shown, wanted: Sieve, number: int) -> None:
    """Every decision that a model was wanted for, as dots along the arrival of units and as rows."""
    found = [t for t in triggers(loaded.units, number) if wanted.lets(loaded.by_id[t.unit])]
    home_of = homes_of(shown.found)
    homes = [home_of.get(t.unit) for t in found]
    if wanted.states:
        kept = [i for i, home in enumerate(homes) if home and home.state in wanted.states]
        found, homes = [found[i] for i in kept], [homes[i] for i in kept]
    if not found:
        st.caption("No consolidation or merge was tried by then, or the filters hide it.")
        return
    _dots(found, loaded.units[-1].order)
    listed = [
        _row(t, shown.names.get(home.id, "") if home else "") for t, home in zip(found, homes, strict=True)
    ]
    config = {
        "unit": st.column_config.NumberColumn("Unit", width=45),
        "said": st.column_config.DateColumn("Said", format=DAY, width=90),
        "what": st.column_config.TextColumn("What", width=110),
        "cluster": st.column_config.TextColumn("Cluster", width=185),
        "count": st.column_config.TextColumn("Counted", width=85),
        "nearest": st.column_config.TextColumn("Nearest episode", width=170),
        "calls": st.column_config.NumberColumn("Calls", width=45),
        "tokens": st.column_config.NumberColumn("Tokens", width=60),
        "rule": st.column_config.TextColumn("Rule", width=380),
    }
    picked = _selectable(loaded, listed, homes, shown, config)
    if picked is not None:
        st.markdown(plain(told(found[picked])))
        if found[picked].error:
            st.caption(plain(f"Error: {found[picked].error}"))


def _row(t: Trigger, name: str) -> dict[str, Any]:
    near = "none yet" if t.nearest is None else f"{t.nearest:.3f}, merge from {t.merge:.3g}"
    return {
        "unit": t.order,
        "what": WHATS[t.what],
        "cluster": verbatim(name, 60),
        "count": f"{t.recurring} of {t.needed}" if t.counted else "not counted",
        "nearest": near,
        "said": t.said.start.date() if t.said.start else None,
        "calls": t.calls,
        "tokens": t.tokens,
        "rule": t.rule,
    }


def _selectable(
    loaded: Loaded, listed: list[dict[str, Any]], homes: list[Cluster | None], shown: Shown, config
) -> int | None:
    """Draw the rows; selecting one selects the cluster it belongs to."""
    at = choice.selected(loaded, shown.found)
    mine = [i for i, home in enumerate(homes) if home is not None and at is not None and home.id == at.id]
    key = f"recurrence:rows:{hash((loaded.token, len(listed), *(str(r) for r in listed[:1])))}"
    before = st.session_state.get(key)
    kept = before.selection.rows if before is not None else []
    chosen = kept if set(kept) <= set(mine) and kept else mine[:1]
    picked = st.dataframe(
        listed,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": chosen}},
        key=key,
        height=min(HEIGHT, 36 + 33 * len(listed)),
        column_config=config,
        column_order=list(config),
        placeholder="unknown",
    )
    rows = [i for i in picked.selection.rows if i < len(homes)]
    home = homes[rows[0]] if rows else None
    if home is not None:
        choice.choose(home.id)
    return rows[0] if rows else None


def _dots(found: list[Trigger], last: int) -> None:
    """When it happened: a colour and a shape for each outcome, along the arrival of units."""
    names = [WHATS[what] for what in WHATS if any(t.what == what for t in found)]
    order = list(WHATS.values())
    shapes, colours = ([of[order.index(n)] for n in names] for of in (SHAPES, COLOURS))
    values = [{"unit": t.order, "what": WHATS[t.what], "tokens": t.tokens} for t in found]
    spec = {
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0.9},
        "height": 24 * len(names) + 64,
        "encoding": {
            "x": {"field": "unit", "type": "quantitative", "title": "units, as they arrived",
                  "scale": {"domain": [0, last]}},
            "y": {"field": "what", "type": "nominal", "title": None, "sort": names},
            "color": {"field": "what", "type": "nominal", "legend": None,
                      "scale": {"domain": names, "range": colours}},
            "shape": {"field": "what", "type": "nominal", "legend": None,
                      "scale": {"domain": names, "range": shapes}},
            "tooltip": [{"field": "unit"}, {"field": "what"}, {"field": "tokens"}],
        },
    }  # fmt: skip
    st.vega_lite_chart(values, spec, key="recurrence:dots")
