"""What is typed and not yet saved: it outlives whatever is pressed beside it.

A field is keyed by its record and the revision it was opened at, so that a value which somebody else saved
never slips under what is typed. When this session saves or undoes something else, what is open is read
again, and what was typed goes along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.editing.fields import EDITABLE, Field
from memcore.errors import InputError
from pages._parts.editing.values import held, read

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Record

FORM, TABLE = "form", "table"
_OPENED, _ROWS, _SAVES = "edit:opened", "edit:rows", "edit:saves"


def opened(memory: Memory, id_: str) -> Record | None:
    """A node as it was when its form was opened: what is typed is decided on that."""
    saves, record = st.session_state.get(_OPENED, (0, None))
    if record is not None and record.id == id_ and saves == _saves():
        return record
    now = memory.get([id_]).get(id_)
    _carry(FORM, record, now)
    st.session_state[_OPENED] = (_saves(), now)
    return now


def rows(memory: Memory, nodes: Sequence[str]) -> list[Record]:
    """These nodes as they were when the table was opened for editing, and others in which was typed."""
    key, saves, kept = st.session_state.get(_ROWS, (memory.key, -1, ()))
    if (key, saves) == (memory.key, _saves()):
        return kept
    before: dict[str, Record] = {record.id: record for record in kept if key == memory.key}
    wanted = dict.fromkeys([*nodes, *(i for i, record in before.items() if typed(TABLE, record))])
    found = memory.get(wanted)
    for id_, record in before.items():
        _carry(TABLE, record, found.get(id_))
    now = [found[i] for i in wanted if i in found]
    st.session_state[_ROWS] = (memory.key, _saves(), now)
    return now


def renew() -> None:
    """Something was saved or undone: what is open is read again, and what was typed goes along."""
    st.session_state[_SAVES] = _saves() + 1


def reopen() -> None:
    """Show what is there now: what was typed over what somebody else changed is forgotten."""
    for kept in (_OPENED, _ROWS):
        st.session_state.pop(kept, None)


def discard(place: str) -> None:
    """Forget everything typed in this place."""
    st.session_state[f"edit:{place}:discarded"] = _discarded(place) + 1
    reopen()


def key(place: str, record: Record, field: str) -> str:
    """The key of a field's widget."""
    return f"edit:{place}:{_discarded(place)}:{record.id}:{getattr(record, 'revision', 0)}:{field}"


def typed(place: str, record: Record) -> dict[Field, Any]:
    """What was typed over the values of a record, as the widgets hold it."""
    found = {f: st.session_state.get(key(place, record, f.name)) for f in EDITABLE.get(record.kind, ())}
    return {
        f: text for f, text in found.items() if text is not None and text != held(f, getattr(record, f.name))
    }


def _carry(place: str, before: Record | None, now: Record | None) -> None:
    """What was typed over a record goes to its new revision, unless it is what stands there now."""
    if before is None or now is None or before.id != now.id:
        return
    for field, text in typed(place, before).items():
        if not _says(field, text, getattr(now, field.name)):
            st.session_state[key(place, now, field.name)] = text


def _says(field: Field, text: Any, value: Any) -> bool:
    try:
        return field.check(read(field, text)) == value
    except InputError:
        return False


def _saves() -> int:
    return st.session_state.get(_SAVES, 0)


def _discarded(place: str) -> int:
    return st.session_state.get(f"edit:{place}:discarded", 0)
