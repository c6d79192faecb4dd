"""The table, edited in place: what is typed is held until it is previewed and saved, and only then written.

The rows stay those that were opened, whatever happens elsewhere, so that nothing is typed into another
row. Every cell is a field of a form, which sends all of them at once: Streamlit's data editor (1.67) lost a
cell when the next one was typed into too soon.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.cells import cell_edits, cells
from memcore.view.naming import counted
from memcore.view.neighbourhood import CUE_KINDS
from pages._parts.editing import desk
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Record

IN_PLACE = "edit:in_place"
PAGE = "edit:cells:page"
ROWS = 20
WIDTHS = [1.4, 6.6, 2.6, 1.2]


def edited_table(memory: Memory, nodes: Sequence[str]) -> None:
    """Draw the rows of these nodes as fields to type into, page by page."""
    stamp, records = desk.rows(memory, nodes)
    pages = max(1, -(-len(records) // ROWS))
    at = min(st.session_state.get(PAGE, 0), pages - 1)
    with st.form(f"edit:cells:{stamp}", border=False):
        with st.container(horizontal=True, vertical_alignment="center"):
            asked = (stamp, records)
            st.form_submit_button(
                "Preview the changes", on_click=_propose, args=asked, key="edit:cells:preview", type="primary"
            )
            st.form_submit_button("Discard", on_click=desk.reopen, key="edit:cells:discard")
            st.form_submit_button(
                "Previous", on_click=_turn, args=(at - 1,), disabled=not at, key="edit:cells:back"
            )
            last = at == pages - 1
            st.form_submit_button(
                "Next", on_click=_turn, args=(at + 1,), disabled=last, key="edit:cells:next"
            )
            st.caption(f"{counted(len(records), 'row')}, page {at + 1} of {pages}", width="content")
        with st.container(height=500, key="edit-cells", gap="xxsmall"):
            _heads()
            for record in records[at * ROWS : (at + 1) * ROWS]:
                _row(stamp, record)


def _heads() -> None:
    for column, name in zip(
        st.columns(WIDTHS), ("Kind", "Name or text", "Kind of cue", "Pinned"), strict=True
    ):
        column.caption(name)


def _row(stamp: int, record: Record) -> None:
    row = cells(record)
    places = st.columns(WIDTHS, vertical_alignment="center")
    places[0].markdown(f":small[{row['kind']}]")
    label = plain(str(row["name"]), 60)
    hidden = {"label_visibility": "collapsed", "persist_state": "session"}
    write = places[1].text_area if record.kind == "content" else places[1].text_input
    tall = {"height": 68} if record.kind == "content" else {}
    write(f"Name or text of {label}", row["name"], key=_key(stamp, record, "name"), **tall, **hidden)
    if row["kind of cue"] is not None:
        places[2].selectbox(
            f"Kind of {label}", CUE_KINDS, CUE_KINDS.index(row["kind of cue"]), **hidden,
            key=_key(stamp, record, "kind of cue"),
        )  # fmt: skip
    if row["pinned"] is not None:
        places[3].checkbox(f"Pin {label}", row["pinned"], key=_key(stamp, record, "pinned"), **hidden)


def _turn(page: int) -> None:
    st.session_state[PAGE] = page


def _propose(stamp: int, records: Sequence[Record]) -> None:
    typed = {
        at: {
            column: st.session_state[key]
            for column in ("name", "kind of cue", "pinned")
            if (key := _key(stamp, record, column)) in st.session_state
        }
        for at, record in enumerate(records)
    }
    edits = cell_edits(records, typed)
    if not edits:
        desk.tell("Nothing was changed in the table.")
        return
    meant = {id_ for edit in edits for id_ in edit.ids}
    seen = {r.id: getattr(r, "revision", 0) for r in records if r.id in meant}
    desk.propose(tuple(edits), seen)


def _key(stamp: int, record: Record, column: str) -> str:
    return f"edit:cell:{stamp}:{record.id}:{column}"
