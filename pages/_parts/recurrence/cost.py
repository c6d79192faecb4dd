"""The cost ledger: what recurrence spent, by operation, beside a system that reads every unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.absorbing.ledger import Line
from memcore.records import Operation
from memcore.view.naming import share

if TYPE_CHECKING:
    from pages._parts.recurrence.read import Loaded

OPERATIONS: dict[Operation, str] = {
    "consolidate": "Writing episodes",
    "refine": "Refining episodes into facts",
    "merge": "Merging units into episodes",
    "refine_in_merge": "Refining after a merge",
    "extract": "Extraction, one call per unit",
    "update": "Updating memories, one call per unit",
}


def cost(loaded: Loaded) -> None:
    """Shares above, the table below, and what is counted."""
    bill = loaded.bill
    ratio = share(bill.ratio) if bill.ratio is not None else "nothing to compare"
    shown = {
        "Units": f"{bill.units:,}",
        "Never needed a model": share(bill.untouched),
        "Still raw": share(bill.raw),
        "Calls": f"{bill.calls:,}",
        "Tokens": f"{bill.tokens:,}",
        "Share of an eager system": ratio,
    }
    with st.container(border=True):
        for column, (name, value) in zip([*st.columns(3), *st.columns(3)], shown.items(), strict=True):
            column.metric(name, value)
    rows = [*_rows("Recurrence (lazy)", bill.lines), *_rows("Eager system", bill.eager)]
    config = {
        "calls": st.column_config.NumberColumn("Calls", format="localized", width=55),
        "sent": st.column_config.NumberColumn("Tokens sent", format="localized", width=90),
        "received": st.column_config.NumberColumn("Received", format="localized", width=75),
        "tokens": st.column_config.NumberColumn("In all", format="localized", width=85),
        "system": st.column_config.TextColumn("System", width=115),
        "operation": st.column_config.TextColumn("Operation", width=245),
    }
    st.dataframe(rows, hide_index=True, column_config=config, key="recurrence:cost", width="content")
    st.caption(
        f"{_counted(loaded)} The eager system reads every unit that ever arrived with one extraction call, "
        "and updates its memories with another, by the same estimate. A declined merge is on the bill like "
        "every other call."
    )


def _counted(loaded: Loaded) -> str:
    """Where the tokens come from."""
    made = [*loaded.episodes.values(), *(fact for facts in loaded.facts.values() for fact in facts)]
    if any(content.made_by == "model" for content in made):
        return (
            "**A model wrote.** Its tokens are those that it counted itself; where rules wrote, those of the "
            "prompts that a model would be sent, estimated by one rule."
        )
    return (
        "**No model was called.** The prompts that a model would be sent were written here and their tokens "
        "estimated by one rule for both sides; received tokens are those of the texts that were written by "
        "rule."
    )


def _rows(system: str, lines: tuple[Line, ...]) -> list[dict[str, str | int]]:
    listed: list[dict[str, str | int]] = [
        {
            "system": system,
            "operation": OPERATIONS[line.operation],
            "calls": line.calls,
            "sent": line.sent,
            "received": line.received,
            "tokens": line.tokens,
        }
        for line in lines
    ]
    sums = {name: sum(int(row[name]) for row in listed) for name in ("calls", "sent", "received", "tokens")}
    return [*listed, {"system": system, "operation": "all of it", **sums}]
