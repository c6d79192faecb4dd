"""Choosing a cue or a tag by name: existing ones are suggested while one types, a new one can be made.

Names that differ only in case or in Unicode form are one name. Whether what was chosen exists is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import streamlit as st

from memcore.view.editing import deduplicated, distinct
from memcore.view.similar import like_typed
from memcore.words import normalise
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.graph import Graph

MOST = 1000  # names offered for choice: the most connected first
NEAR = 4
NARROW = 40  # characters of a name on a chip


def one_name(graph: Graph, kind: Literal["cue", "tag"], label: str, key: str) -> str:
    """An existing name or a new one; "" while nothing is chosen."""
    st.selectbox(
        label, _names(graph, kind), index=None, key=key, accept_new_options=True, format_func=verbatim,
        placeholder=f"Choose a {kind}, or type a new one", persist_state="session",
    )  # fmt: skip
    name = chosen_name(key)
    if name:
        _told(graph, kind, name, key)
    return name


def chosen_name(key: str) -> str:
    """The name that is chosen now."""
    return str(st.session_state.get(key) or "").strip()


def several_tags(graph: Graph, label: str, key: str) -> list[str]:
    """Tags as chips, each only once."""
    # Enter takes the first of what is offered: only names that begin so, lest "ton" becomes "forty-one".
    st.multiselect(
        label, _names(graph, "tag"), key=key, accept_new_options=True, format_func=verbatim,
        placeholder="Choose tags, or type new ones", persist_state="session", select_all=False,
        filter_mode="prefix",
    )  # fmt: skip
    names = chosen_tags(graph, key)
    for name in names:
        _told(graph, "tag", name, f"{key}:{name}", replaces=key)
    return names


def chosen_tags(graph: Graph, key: str) -> list[str]:
    """The tags that are chosen now."""
    known = dict(zip(graph.columns.tag_keys, graph.columns.tag_names, strict=True))
    return deduplicated([name for name in st.session_state.get(key, ()) if name.strip()], known)


def _names(graph: Graph, kind: Literal["cue", "tag"]) -> list[str]:
    c = graph.columns
    names = c.cue_names if kind == "cue" else c.tag_names
    degree = graph.cue_degree if kind == "cue" else graph.tag_degree
    order = sorted(range(len(names)), key=lambda i: -degree(i))[:MOST]
    return list(dict.fromkeys(names[i] for i in order))


def _told(graph: Graph, kind: Literal["cue", "tag"], name: str, key: str, replaces: str = "") -> None:
    """Whether the name exists; for a new one, names near to it, to be taken instead."""
    c = graph.columns
    keys, names = (c.cue_keys, c.cue_names) if kind == "cue" else (c.tag_keys, c.tag_names)
    typed = normalise(name)
    if typed in keys:
        st.caption(f"“{plain(names[keys.index(typed)], 60)}” is an existing {kind}.")
        return
    near = like_typed(names, name, NEAR)
    st.caption(f"“{plain(name, 60)}” is a new {kind}." + (" Close to it:" if near else ""))
    if near:
        told = distinct({n: plain(n, NARROW) for n in near})
        st.pills(
            "Close to it", near, key=f"{key}:near", format_func=told.__getitem__,
            label_visibility="collapsed", on_change=_take, args=(f"{key}:near", replaces or key, name),
        )  # fmt: skip


def _take(pills: str, key: str, typed: str) -> None:
    """Take a suggested name in place of the typed one."""
    chosen, held = st.session_state.get(pills), st.session_state.get(key)
    if chosen:
        st.session_state[key] = (
            [n if n != typed else chosen for n in held] if isinstance(held, list) else chosen
        )
