"""The panel beside a graph: one plain sentence, the chain to the source, what is next to it, provenance,
scores, raw."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from memcore.view.panel import Link, Panel
from pages._parts.memory import chosen
from pages._parts.privacy.link import erase_link
from pages._parts.say import plain, verbatim

TEXT_LIMIT = 2000
NAME = 44

Follow = Callable[[str], None]


def inspector(panel: Panel | None, *, key: str, on_follow: Follow | None = None) -> None:
    """Draw a panel, or what to do when nothing is selected.

    `on_follow` gets the id of a node next to this one that was pressed.
    """
    with st.container(border=True, key=f"{key}:panel"):
        if panel is None:
            st.markdown("**Nothing selected**")
            st.caption("Click a node, or walk with the arrow keys, to see where it comes from.")
            return
        st.markdown(plain(panel.sentence))
        _chain(panel)
        _near(panel, key, on_follow)
        _rows(panel)
        _scores(panel)
        _history(panel)
        if panel.raw:
            with st.expander("Raw record"):
                st.json(panel.raw, expanded=1)


def _history(panel: Panel) -> None:
    """The way to every change of this node, and to erasing it for good."""
    if node := str(panel.raw.get("id", "")):
        st.page_link(
            "pages/history.py",
            label="History of this memory" if "turns" in panel.raw else "History of this name",
            query_params={"node": node, "scope": chosen() or ""},
            icon=":material/history:",
        )
        erase_link(node, chosen() or "", told=True)


def _chain(panel: Panel) -> None:
    if panel.chain:
        st.caption("Where it comes from")
    for link in panel.chain:
        with st.container(gap=None):
            _stage(link)


def _stage(link: Link) -> None:
    st.markdown(f":small[:gray[{plain(link.label, 80)}]]")
    if link.text:
        cut = len(link.text) > TEXT_LIMIT
        st.text(verbatim(link.text[:TEXT_LIMIT]) + ("…" if cut else ""))
    if link.turn:
        st.page_link(
            "pages/conversations.py",
            label="Read in context",
            query_params={"turn": link.turn, "scope": chosen() or ""},
            icon=":material/forum:",
        )


def _near(panel: Panel, key: str, on_follow: Follow | None) -> None:
    """The nodes next to this one, to be pressed where they can be followed."""
    if panel.near_title:
        st.caption(plain(panel.near_title))
    names = [_near_name(link) for link in panel.near]
    if panel.near and on_follow:
        place = f"{key}:near:{panel.raw.get('id', '')}"
        st.pills(
            plain(panel.near_title), range(len(names)), format_func=names.__getitem__, key=place,
            on_change=_followed, args=(place, panel.near, on_follow), label_visibility="collapsed",
        )  # fmt: skip
    elif panel.near:
        st.markdown(" · ".join(names))
    if panel.more:
        st.caption(f"and {panel.more:,} more")


def _near_name(link: Link) -> str:
    beside = f" :gray[{plain(link.text, NAME)}]" if link.text else ""
    return f"{plain(link.label, NAME)}{beside}"


def _followed(place: str, near: tuple[Link, ...], on_follow: Follow) -> None:
    chosen = st.session_state.get(place)
    if chosen is not None:
        on_follow(near[chosen].id)


def _rows(panel: Panel) -> None:
    if panel.rows:
        st.markdown(
            "  \n".join(f":small[:gray[{plain(name, 40)}]] {plain(value, 200)}" for name, value in panel.rows)
        )


def _scores(panel: Panel) -> None:
    if panel.scores:
        st.caption("Scores")
        rows = [{"score": verbatim(name, 40), "value": value} for name, value in panel.scores]
        exact = {"value": st.column_config.NumberColumn(format="%.6f")}
        st.dataframe(rows, hide_index=True, column_config=exact)
