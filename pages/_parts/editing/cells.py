"""The table, edited in place: what is typed is held until it is previewed and saved, and only then written.

Rows in which something is typed stay, whatever is searched for. Every cell is a field of its own: Streamlit's
data editor (1.67) lost a cell when the next one was typed into too soon.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.editing.fields import EDITABLE
from memcore.errors import InputError
from memcore.view.cells import CELLS, cell_edits, refusals
from memcore.view.naming import counted
from pages._parts.editing import desk, drafts
from pages._parts.editing.drafts import TABLE
from pages._parts.editing.proposing import entered, proposing
from pages._parts.editing.values import read, widget
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Record

IN_PLACE = "edit:in_place"
PAGE = "edit:cells:page"
ROWS = 20
TOLD = 3  # rows of which it is told why they are refused; the rest are counted
WIDTHS = (1.7, 5.6, 2.8, 1.5)
_COLUMNS = {"name": 1, "text": 1, "cue_kind": 2, "pinned": 3}


def edited_table(memory: Memory, nodes: Sequence[str]) -> None:
    """Draw the rows of these nodes as fields to type into, page by page."""
    records = list(drafts.opened(memory, TABLE, nodes).values())
    last = max(0, len(records) - 1) // ROWS
    at = min(st.session_state.get(PAGE, 0), last)
    with entered("cells"):
        with st.container(horizontal=True, vertical_alignment="center"):
            proposing("Preview the changes", lambda: _proposal(records), "edit:cells:preview")
            forget = (TABLE,), [record.id for record in records]
            st.button("Discard", on_click=drafts.discard, args=forget, key="edit:cells:discard")
            st.button("Previous", on_click=_turn, args=(at - 1,), disabled=not at, key="edit:cells:back")
            st.button("Next", on_click=_turn, args=(at + 1,), disabled=at == last, key="edit:cells:next")
            st.caption(f"{counted(len(records), 'row')}, page {at + 1} of {last + 1}", width="content")
        with st.container(height=500, key="edit-cells", gap="xxsmall"):
            _heads()
            for record in records[at * ROWS : (at + 1) * ROWS]:
                _row(record)


def _heads() -> None:
    for column, name in zip(
        st.columns(WIDTHS), ("Kind", "Name or text", "Kind of cue", "Pinned"), strict=True
    ):
        column.caption(name)


def _row(record: Record) -> None:
    places = st.columns(WIDTHS, vertical_alignment="center")
    kind = str(getattr(record, "layer", record.kind))
    places[0].markdown(f":small[{kind.capitalize()}]")
    for field in EDITABLE[record.kind]:
        if field.name in CELLS[record.kind]:
            look: dict[str, Any] = {"height": 68} if field.name == "text" else {}
            look |= {"label": f"{field.label}: {plain(_called(record))}", "label_visibility": "collapsed"}
            with places[_COLUMNS[field.name]]:
                widget(field, getattr(record, field.name), drafts.key(TABLE, record, field.name), **look)


def _called(record: Record) -> str:
    return verbatim(str(getattr(record, "name", "") or getattr(record, "text", "")), 60)


def _turn(page: int) -> None:
    st.session_state[PAGE] = page


def _proposal(records: Sequence[Record]) -> desk.Proposal:
    typed = [
        (record, {field.name: read(field, text) for field, text in drafts.typed(TABLE, record).items()})
        for record in records
    ]
    edits = cell_edits(typed)
    if refused := refusals(records, edits):
        _turn(min(refused) // ROWS)
        raise InputError(_why(records, refused))
    seen = {record.id: getattr(record, "revision", 0) for record, values in typed if values}
    return desk.Proposal(tuple(edits), seen)


def _why(records: Sequence[Record], refused: dict[int, str]) -> str:
    """The rows that cannot be saved, by their old names."""
    told = [f"“{_called(records[at])}” (page {at // ROWS + 1}): {why}" for at, why in sorted(refused.items())]
    more = len(told) - TOLD
    return " ".join([*told[:TOLD], *([f"And {counted(more, 'more row')}."] if more > 0 else [])])
