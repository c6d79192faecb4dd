"""The plan drawn: on the one canvas, as a table, and the words before and after beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from memcore.erasure import Plan
from memcore.records import Record
from memcore.view.conversations import pages_of
from memcore.view.naming import counted
from memcore.view.network import network, payload
from memcore.view.privacy_graph import picture
from memcore.view.privacy_plan import Row, remade, same_words
from memcore.view.privacy_words import FATE_SAYS, FATES, Fate
from pages._parts.canvas import Show, canvas
from pages._parts.say import plain, verbatim

HEIGHT = 440
LISTED, PAGE, LONG = 2_000, 8, 2_000
FATE, GRAPH = "privacy:show:fate", "privacy-graph"
_Column = st.column_config


def drawing(plan: Plan, rows: Sequence[Row], records: Mapping[str, Record]) -> None:
    """The graph, and the selected record below it."""
    drawn = picture(plan, rows, records)
    token = f"{plan.seq}\n{len(rows)}\n{','.join(sorted({r.fate for r in rows}))}"
    sent = payload(network(drawn.nodes, drawn.edges, drawn.places), drawn.areas, drawn.total)
    found = canvas(sent, key=GRAPH, show=Show(height=HEIGHT, fit=token, layout=token))
    row = next((r for r in rows if r.id in found.nodes), None)
    with st.container(border=True, key="privacy-selected"):
        if row is None:
            st.caption("Click a record, or walk with the arrow keys, to read what becomes of it and why.")
        else:
            st.markdown(f"**{FATES[row.fate]}** · {plain(row.what)} · because {plain(row.why)}")
            st.text(verbatim(row.before[:LONG]) or "(no words)")
            if row.after:
                st.markdown(":small[:gray[afterwards]]")
                st.text(verbatim(row.after[:LONG]))


def listing(rows: Sequence[Row]) -> None:
    """Every record, by what becomes of it."""
    numbers = Counter(row.fate for row in rows)
    there: list[Fate] = [fate for fate in FATES if numbers[fate]]
    wanted = st.pills(
        "Show only", there, format_func=lambda fate: f"{FATES[fate]} {numbers[fate]:,}", key=FATE,
        label_visibility="collapsed", selection_mode="multi",
    )  # fmt: skip
    shown = [row for row in rows if not wanted or row.fate in wanted]
    st.dataframe(
        [_told(row) for row in shown[:LISTED]],
        hide_index=True,
        column_config={
            "what happens": _Column.TextColumn("What happens", width=100),
            "record": _Column.TextColumn("Record", width=110),
            "words": _Column.TextColumn("Words", width=270),
            "why": _Column.TextColumn("Why", width=290),
            "afterwards": _Column.TextColumn("Afterwards", width=260),
        },
        height=HEIGHT if len(shown) > 12 else "content",
    )
    if len(shown) > LISTED:
        st.caption(f"The first {LISTED:,} of {len(shown):,} are listed; the receipt counts all of them.")
    st.caption("  \n".join(f"{FATES[fate]}: {FATE_SAYS[fate]}" for fate in there))


def side_by_side(plan: Plan) -> None:
    """Only what says something else afterwards."""
    rows = remade(plan)
    if not rows:
        st.caption(same_words(plan))
        return
    pages, page = pages_of(len(rows), PAGE), 1
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        if pages > 1:
            page = min(st.pagination(pages, key="privacy:show:before", max_visible_pages=7), pages)
        st.caption(f"{counted(len(rows), 'record')} with other words afterwards", width="content")
    for column, label in zip(st.columns(2), ("Now", "Afterwards"), strict=True):
        column.markdown(f"**{label}**")
    for row in rows[(page - 1) * PAGE : page * PAGE]:
        _pair(row)


def _pair(row: Row) -> None:
    with st.container(gap=None):
        st.markdown(f":small[:gray[{plain(row.what)} · {FATES[row.fate].lower()} · {plain(row.why)}]]")
        for column, text in zip(st.columns(2), (row.before, row.after), strict=True):
            column.text(verbatim(text[:LONG]) + ("…" if len(text) > LONG else ""))


def _told(row: Row) -> dict[str, str]:
    return {
        "what happens": FATES[row.fate],
        "record": verbatim(row.what),
        "words": verbatim(row.before, 200),
        "why": verbatim(row.why),
        "afterwards": verbatim(row.after, 200),
    }
