"""Turns as they were said: verbatim, with time and place, their cues and tags, and the way to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.conversations import Handles, aside, handles_of_turn, session_words, snippet
from memcore.view.times import exactness, shown
from pages._parts.clock import zone
from pages._parts.privacy.link import erase_link
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Turn

LONGEST = 4000
NAMES = 10


def draw_turn(memory: Memory, turn: Turn, *, marked: bool = False) -> None:
    """One turn; what was not said aloud or not kept is folded away under a label that says so."""
    label = aside(turn)
    if label:
        with st.expander(plain(f"{turn.speaker} · {label}", 160), icon=":material/unfold_more:"):
            _body(memory, turn)
        return
    with st.container(border=True, gap="xxsmall"):
        if marked:
            st.caption(":material/arrow_right: The turn you came for")
        _body(memory, turn)


def draw_hit(
    memory: Memory, turn: Turn, query: str, where: str, open_turn: Callable[[str, str], None]
) -> None:
    """A turn that was found: the words around the hit, and the ways on."""
    with st.container(border=True, gap="xxsmall"):
        _head(turn, where)
        part = snippet(turn.text, query)
        hit = f"**{plain(part.hit)}**" if part.hit.strip() else ""
        st.markdown(f"{plain(part.before)}{hit}{plain(part.after)}")
        if label := aside(turn):
            st.caption(plain(label))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Open in its conversation", key=f"open:{turn.id}", type="tertiary", on_click=open_turn,
                args=(turn.conversation_id, turn.id), icon=":material/forum:",
            )  # fmt: skip
            _graph_link(memory, handles_of_turn(memory.snapshot().graph, turn.id))


def _body(memory: Memory, turn: Turn) -> None:
    handles = handles_of_turn(memory.snapshot().graph, turn.id)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        _head(turn)
        _graph_link(memory, handles)
    st.text(verbatim(turn.text[:LONGEST]))
    if len(turn.text) > LONGEST:
        st.caption(f"{len(turn.text) - LONGEST:,} more characters are not shown here.")
    for attached in turn.attachments:
        st.caption(f":material/attach_file: {plain(attached, 200)}")
    with st.container(horizontal=True, wrap=False, vertical_alignment="bottom"):
        st.caption(_found_by(turn, handles), width="stretch")
        erase_link(turn.id, memory.name)


def _found_by(turn: Turn, handles: Handles | None) -> str:
    if handles is None:
        return "Searchable, but not part of the graph." if turn.folded else "No cue or tag leads here."
    return f"Cues: {_names(handles.cues)}  \nTags: {_names(handles.tags)}"


def _head(turn: Turn, where: str = "") -> None:
    rest = [shown(turn.said, zone()), where, turn.source, session_words(turn.session)]
    tail = plain(" · ".join(part for part in rest if part), 160)
    who = plain(turn.speaker, 60) or "Nobody named"
    st.markdown(f"**{who}** :small[:gray[{tail}]]", help=exactness(turn.said), width="content")


def _names(names: tuple[str, ...]) -> str:
    listed = " · ".join(plain(name, 40) for name in names[:NAMES]) or "none"
    return listed + (f" · and {len(names) - NAMES} more" if len(names) > NAMES else "")


def _graph_link(memory: Memory, handles: Handles | None) -> None:
    if handles is not None:
        address = {"node": handles.node, "scope": memory.name}
        st.page_link("pages/graph.py", label="Show in graph", query_params=address, icon=":material/hub:")
