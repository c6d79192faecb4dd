"""Taking a change back, or bringing it back: what stands in the way, and what would be lost for good."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memcore.errors import MemcoreError
from memcore.view.change_titles import title
from memcore.view.naming import counted
from pages._parts.editing import turning
from pages._parts.history.carry import download
from pages._parts.history.names import named
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

Open = Callable[[str], None]
SELECTED = "change"  # in the address


def undo_offered(memory: Memory, row: ChangeRow, by_group: Mapping[str, ChangeRow], on_open: Open) -> None:
    """What rests on a change is listed, with the offer to undo it too."""
    if turning.under_way():
        return
    later = memory.blockers(row.group)
    if later:
        _resting(memory, later, by_group, on_open)
    st.button(
        f"Undo all {len(later) + 1:,}" if later else "Undo",
        on_click=_undo,
        args=(memory, row, later),
        disabled=not _sure(memory, row, later),
        key="history:undo",
        icon=":material/undo:",
    )


def _sure(memory: Memory, row: ChangeRow, later: Sequence[ChangeRow]) -> bool:
    """An import takes the corrections made on it along, for good: that is said first, and confirmed."""
    edits = sum(other.events[-1].kind == "edited" for other in later)
    if row.events[-1].kind != "imported" or not edits:
        return True
    goes = "1 edit goes" if edits == 1 else f"{edits:,} edits go"
    st.warning(
        f"{goes} with this import, and cannot be redone: importing again brings the conversations back, "
        "not what was corrected in them. Export the corrections first; they can be replayed then.",
        icon=":material/warning:",
    )
    if memory.exportable():
        download(memory)
    return st.checkbox("Undo it with all of them", key=f"history:sure:{row.group}")


def redo_offered(memory: Memory, row: ChangeRow, by_group: Mapping[str, ChangeRow]) -> None:
    """Redo, where what the change was made on is there."""
    if turning.under_way():
        return
    if memory.redoable(row.group):
        st.button("Redo", on_click=_redo, args=(memory, row), key="history:redo", icon=":material/redo:")
        return
    before = [r for r in by_group.values() if r.undone and r.seqs[0] < row.seqs[0]]
    if any(r.events[-1].kind == "imported" for r in before):
        st.caption(
            "It went with an import that was undone, and cannot be brought back. Corrections that were "
            "exported before can be replayed once the file is imported again."
        )
    else:
        st.caption("What it changed is not there now: bring back the earlier change first.")


def _resting(
    memory: Memory, later: Sequence[ChangeRow], by_group: Mapping[str, ChangeRow], on_open: Open
) -> None:
    rests = "later change rests" if len(later) == 1 else "later changes rest"
    st.markdown(f":material/block: {len(later):,} {rests} on this one and must be undone first:")
    stood = named(memory, later, by_group)
    with st.container(gap=None):
        for at, other in enumerate(later[:5]):
            name = plain(title(other, stood, by_group), 90)
            st.button(
                name, key=f"history:later:{at}", on_click=on_open, args=(other.group,), type="tertiary",
                icon=":material/subdirectory_arrow_right:",
            )  # fmt: skip
        if len(later) > 5:
            st.caption(f"and {len(later) - 5:,} more")


def _undo(memory: Memory, row: ChangeRow, later: Sequence[ChangeRow]) -> None:
    st.query_params[SELECTED] = row.group  # what was undone stays selected, to be brought back
    says = f"Taken back: {counted(len(later) + 1, 'change')}."
    turning.turn(memory, row, partial(_told, says), later=later)


def _redo(memory: Memory, row: ChangeRow) -> None:
    st.query_params[SELECTED] = row.group
    turning.turn(memory, row, partial(_told, "Brought back."), redo=True)


def _told(says: str, error: MemcoreError | None) -> None:
    st.toast(plain(str(error)) if error else says, icon=":material/info:" if error else None)
