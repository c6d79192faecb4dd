"""An import in the history: how much of what it brought, and the way to the agent runs among it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import AgentRun, Record
from memcore.view.before_after import by_kind
from memcore.view.naming import counted
from memcore.view.record_words import quoted
from pages._parts.say import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memcore.memory import Memory
    from memcore.store import ChangeRow

LINKED = 10
READ = 5_000  # records of an import that are still read, to be counted by kind


def imported(memory: Memory, row: ChangeRow) -> None:
    """Its records by kind; of very many their number alone."""
    if row.made > READ:
        st.markdown(f"Brought {counted(row.made, 'record')}.")
        return
    _, after = memory.difference(row.group)
    st.markdown(f"Brought {plain(by_kind(after), 400)}.")
    _runs(memory, after)


def _runs(memory: Memory, after: Iterable[Record]) -> None:
    """Links to those that are still there."""
    runs = [*memory.get([r.id for r in after if isinstance(r, AgentRun)]).values()]
    for run in runs[:LINKED]:
        st.page_link(
            "pages/state_tree.py",
            label=f"Open {plain(quoted(run), 80)}",
            query_params={"run": run.id, "scope": memory.name},
            icon=":material/account_tree:",
        )
    if len(runs) > LINKED:
        st.caption(f"and {len(runs) - LINKED:,} more on the page State tree")
