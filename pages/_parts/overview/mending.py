"""The quality monitor: every kind of fault with its number, the list of one kind, and the way to mend it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

import streamlit as st

from memcore.llm.offline.facts import find_facts
from memcore.settings import store_folder
from memcore.view.conversations import pages_of
from memcore.view.quality import Finding, Item, Source, quality
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory

SHOWN = "mend"  # the kind of fault that is listed; it stands in the address
PAGE = 10
NAME = 70


def mending(memory: Memory) -> None:
    """Kinds on the left, the rows of the chosen one on the right."""
    st.subheader("What to mend", anchor=False)
    found = [f for f in _found(store_folder(), memory.key, memory.snapshot().graph.seq, memory) if f.count]
    if not found:
        st.markdown(":material/check_circle: Nothing was found that should be mended.")
        return
    left, right = st.columns([2, 5], gap="large")
    with left:
        chosen = _chosen(found)
    with right:
        _listed(memory, chosen)


@st.cache_resource(show_spinner="Looking for what should be mended …", max_entries=4)
def _found(folder: str, name: str, seq: int, _memory: Memory) -> list[Finding]:
    """Worked out once per commit."""
    m = _memory
    graph = m.snapshot().graph
    return quality(Source(graph, m.files(), m.conversations(), m.texts, m.turns, find_facts))


def _chosen(found: list[Finding]) -> Finding:
    kinds = {f.kind: f for f in found}
    if st.session_state.get(SHOWN, st.query_params.get(SHOWN)) not in kinds:
        st.session_state[SHOWN] = found[0].kind
    st.session_state.setdefault(SHOWN, st.query_params.get(SHOWN))
    kind = st.radio(
        "What to mend",
        list(kinds),
        format_func=lambda kind: f"{kinds[kind].title} :gray-badge[{kinds[kind].count:,}]",
        key=SHOWN,
        on_change=_address,
        label_visibility="collapsed",
    )
    return kinds.get(kind, found[0])


def _address() -> None:
    st.query_params[SHOWN] = st.session_state[SHOWN]


def _listed(memory: Memory, finding: Finding) -> None:
    """One page of the rows, each with a link to where it is mended."""
    pages, page = pages_of(finding.count, PAGE), 1
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(finding.says, width="content")
        if pages > 1:
            page = min(st.pagination(pages, key=f"mend:page:{finding.kind}", max_visible_pages=5), pages)
    rows = finding.items[(page - 1) * PAGE : page * PAGE]
    texts = memory.texts(
        [i for row in rows for i, name in zip(row.nodes, row.names, strict=False) if not name]
    )
    with st.container(gap="xsmall"):
        for row in rows:
            _row(memory, finding, row, texts)


def _row(memory: Memory, finding: Finding, row: Item, texts: Mapping[str, str]) -> None:
    """Its nodes lead to the graph, a pair together; turns and files have no node there."""
    left, right = st.columns([5, 4], vertical_alignment="center", gap="small")
    if row.nodes:
        page, icon, address = "graph", "hub", {"node": row.nodes}
    elif row.turn:
        page, icon, address = "conversations", "forum", {"turn": row.turn}
    else:
        page, icon, address = "conversations", "description", {"view": "Files"}
    names = [name or texts.get(node, "") for node, name in zip_longest(row.nodes, row.names, fillvalue="")]
    label = " · ".join(plain(name, NAME // len(names)) or "without text" for name in names)
    left.page_link(
        f"pages/{page}.py", label=label, query_params={**address, "scope": memory.name},
        icon=f":material/{icon}:", help=finding.mend, width="content",
    )  # fmt: skip
    right.caption(plain(row.note, 160))
