"""The panel beside a graph: one plain sentence, the chain to the source, provenance, scores, raw."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from memcore.view.panel import Panel
from pages._parts.say import plain, verbatim

TEXT_LIMIT = 2000


def inspector(panel: Panel | None, *, key: str, on_follow: Callable[[str], None] | None = None) -> None:
    """Draw a panel, or what to do when nothing is selected.

    `on_follow` gets the id of a link of the chain that was pressed.
    """
    with st.container(border=True, key=f"{key}:panel"):
        if panel is None:
            st.markdown("**Nothing selected**")
            st.caption("Click a node, or walk with the arrow keys, to see where it comes from.")
            return
        st.markdown(plain(panel.sentence))
        _chain(panel, key, on_follow)
        _rows(panel)
        _scores(panel)
        if panel.raw:
            with st.expander("Raw record"):
                st.json(panel.raw, expanded=1)


def _chain(panel: Panel, key: str, on_follow: Callable[[str], None] | None) -> None:
    if panel.chain:
        st.caption("Where it comes from")
    for i, link in enumerate(panel.chain):
        with st.container(border=True, gap="xxsmall"):
            if link.id and on_follow:
                label = plain(link.label, 60)
                st.button(label, key=f"{key}:link{i}", type="tertiary", on_click=on_follow, args=(link.id,))
            else:
                st.caption(plain(link.label, 60))
            st.text(verbatim(link.text[:TEXT_LIMIT]) + ("…" if len(link.text) > TEXT_LIMIT else ""))


def _rows(panel: Panel) -> None:
    for name, value in panel.rows:
        st.markdown(f":gray[{plain(name, 40)}]  {plain(value, 200)}")


def _scores(panel: Panel) -> None:
    if panel.scores:
        st.caption("Scores")
        rows = [{"score": verbatim(name, 40), "value": value} for name, value in panel.scores]
        exact = {"value": st.column_config.NumberColumn(format="%.6f")}
        st.dataframe(rows, hide_index=True, column_config=exact)
