"""What models took: by task, model, run or day, beside what an eager system would have taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.models.counterfactual import priced
from memcore.view.naming import counted
from memcore.view.settings_bill import BY, Row, beside, eager_rows, table
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.memory import memories
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory

LAYOUT = {
    "calls": "Calls",
    "failed": "Failed",
    "sent": "Tokens sent",
    "received": "Tokens received",
    "cached": "Out of a cache",
    "seconds": "Seconds",
    "dollars": "US dollars",
}


def bill(memory: Memory | None) -> None:
    """The calls that were made, then the counterfactual of the chosen memory."""
    entries = list(memories().models.log.entries())
    if not entries:
        st.markdown("**No model was asked yet**")
        st.caption("Every call is listed here: what it was for, which model, how many tokens, what it cost.")
    else:
        by = st.segmented_control("By", list(BY), default="Task", required=True, key="settings:bill:by")
        _table(table(entries, BY[by or "Task"], lambda at: instant(at, zone())), by or "Task")
        missing = sum(entry.dollars is None for entry in entries)
        st.caption(
            f"{counted(len(entries), 'call')} in all, of every memory in this store; dollars by the prices "
            "of the day" + (f", without {counted(missing, 'call')} that had no price." if missing else ".")
        )
    if memory is not None:
        _beside(memory)


def _beside(memory: Memory) -> None:
    """In the same units: calls, tokens on the same prompts, and dollars."""
    ledger = memory.recurrence.ledger()
    if not ledger.eager:
        return
    eager, lazy = (priced(side, memory.models) for side in (ledger.eager, ledger.lines))
    st.markdown(f"**An eager system, on what {plain(memory.name, 60)} holds**")
    _table(eager_rows(eager), "Task", ("calls", "sent", "received", "dollars"))
    st.caption(plain(beside(eager, lazy)))


def _table(rows: list[Row], first: str, shown: Sequence[str] = tuple(LAYOUT)) -> None:
    listed = [{"name": verbatim(r.name, 100), **{k: getattr(r, k) for k in shown}} for r in rows]
    numbers = {
        k: st.column_config.NumberColumn(says, format="%.4f" if k == "dollars" else "localized")
        for k, says in LAYOUT.items()
    }
    layout = {"name": st.column_config.TextColumn(first, width=300), **numbers}
    st.dataframe(listed, hide_index=True, column_config=layout, column_order=["name", *shown])
