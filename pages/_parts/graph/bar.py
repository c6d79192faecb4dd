"""What stands above the graph: the search, example searches, and the filters, which only grey out."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.neighbourhood import CUE_KINDS, Filters, examples
from pages._parts.graph.growth import SEARCH
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.graph import Graph

LAYERS = ("turn", "episode", "fact", "topic")
_LISTS = ("graph:kinds", "graph:layers", "graph:speakers")
_DAYS = "graph:days"


def search(graph: Graph) -> str:
    """The search box; while it is empty, searches that this memory has an answer to."""
    text = st.text_input(
        "Search cues, tags and memories",
        key=SEARCH,
        persist_state="session",
        label_visibility="collapsed",
        placeholder="Search cues, tags and memories: a name, a place, a word, in any language",
        icon=":material/search:",
    ).strip()
    if not text and (names := examples(graph)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("For example", width="content")
            for i, name in enumerate(names):
                st.button(
                    plain(name, 30), key=f"graph:example{i}", type="tertiary", on_click=_search, args=(name,)
                )
    return text


def filters(graph: Graph) -> Filters:
    """The filter bar. It stays where it is when nothing matches."""
    columns = st.columns([3, 3, 3, 4])
    present = set(graph.columns.cue_kinds)
    cue_kinds = _several("Cue kind", [k for k in CUE_KINDS if k in present], columns[0], _LISTS[0])
    layers = _several("Layer", [k for k in LAYERS if k in set(graph.columns.layers)], columns[1], _LISTS[1])
    speakers = _several("Speaker", sorted(graph.speakers), columns[2], _LISTS[2])
    first, last = _days(graph, columns[3])
    return Filters(layers, speakers, cue_kinds, first, last)


def clear_filters() -> None:
    """Nothing is greyed out any more."""
    for key in _LISTS:
        st.session_state[key] = []
    st.session_state[_DAYS] = ()


def _several(label: str, options: list[str], column, key: str) -> list[str]:
    names = {option: verbatim(option, 40) for option in options}
    kept = [value for value in st.session_state.get(key, []) if value in names]
    if key in st.session_state:
        st.session_state[key] = kept
    return column.multiselect(
        label, options, format_func=names.__getitem__, key=key, placeholder="All", persist_state="session"
    )


def _days(graph: Graph, column) -> tuple[int, int]:
    """The chosen days as ordinals, 0 for an open end."""
    days = [d for d in graph.columns.said_days.tolist() if d > 0]
    if not days or min(days) == max(days):
        return 0, 0
    span = date.fromordinal(min(days)), date.fromordinal(max(days))
    chosen = st.session_state.get(_DAYS, ())
    if chosen and any(not span[0] <= day <= span[1] for day in chosen):
        st.session_state[_DAYS] = ()
    chosen = column.date_input(
        "Said between", value=(), min_value=span[0], max_value=span[1], key=_DAYS, persist_state="session"
    )
    first = chosen[0].toordinal() if chosen else 0
    return first, chosen[1].toordinal() if len(chosen) > 1 else 0


def _search(name: str) -> None:
    st.session_state[SEARCH] = name
