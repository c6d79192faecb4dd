"""Other tabs are told: where something was erased meanwhile, by whomever, the page is drawn again.

What was erased would otherwise stay on the screen until somebody presses something. Asking for the number of
the last commit costs a millisecond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.errors import MemcoreError
from pages._parts.memory import chosen, memory_of
from pages._parts.privacy import erasing

if TYPE_CHECKING:
    from memcore.memory import Memory

_SEEN = "privacy:seen"
LOOK = 4  # seconds
LOOKED_AT = 50  # changes


class Seen(NamedTuple):
    """Up to which commit this session knows the memory of this key."""

    memory: str
    seq: int


@st.fragment(run_every=LOOK)
def told_of_erasures() -> None:
    """In the sidebar of every page: what is under way, and what was erased since the last look."""
    try:
        name = chosen()
        memory = memory_of(name) if name else None
        if memory is None:
            return
        if erasing.under_way(memory.id):
            st.caption(":material/hourglass_top: Something is being erased from this memory.")
        erased = _since(memory)
    except MemcoreError:
        return  # why nothing can be opened is told once, by the page
    if erased and not erasing.watched():
        st.toast("Something was erased from this memory. This page shows what is left.")
        st.rerun()


def _since(memory: Memory) -> bool:
    """Whether something was erased since this session looked last. A look at first tells nothing."""
    seen: Seen | None = st.session_state.get(_SEEN)
    now = Seen(memory.key, memory.snapshot().graph.seq)
    st.session_state[_SEEN] = now
    if seen is None or seen.memory != now.memory or seen.seq == now.seq:
        return False
    return any(
        event.kind == "erased" and max(row.seqs) > seen.seq
        for row in memory.changes(LOOKED_AT)
        for event in row.events
    )
