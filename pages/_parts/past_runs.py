"""Questions that were asked, each a link to its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.past_runs import trace_line
from pages._parts.clock import zone
from pages._parts.say import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memcore.memory import Memory
    from memcore.records import TraceHeader

# A link that is too long for its column says so.
ONE_LINE = "<style>[data-testid='stPageLink-NavLink'] p { overflow: hidden; text-overflow: ellipsis }</style>"


def past_runs(memory: Memory, headers: Sequence[TraceHeader]) -> None:
    """One below the other, in this order."""
    st.html(ONE_LINE)
    if not headers:
        st.caption("Nothing was asked of this memory yet.")
    for header in headers:
        with st.container(gap=None):
            link = {"trace": header.id, "scope": memory.name}
            st.page_link("pages/reconstruction.py", label=plain(header.question, 90), query_params=link)
            st.caption(plain(trace_line(header, zone())))
