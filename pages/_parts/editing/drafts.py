"""What is typed and not yet saved: it outlives whatever is pressed beside it.

A record over which something is typed stays as it was opened; every other is shown as it is now. What is
typed moves on to a newer revision only where nobody changed the same field: a value that somebody else
saved is never written over unseen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.editing.fields import EDITABLE, Field
from memcore.errors import InputError
from pages._parts.editing.values import held, read

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Record

FORM, TABLE = "form", "table"


def opened(memory: Memory, place: str, nodes: Iterable[str]) -> dict[str, Record]:
    """These nodes by id, then the others over which something is typed in this place: what is typed is
    decided on these revisions. What is no longer there is left out."""
    at = f"edit:{place}:opened:{memory.key}"
    before: dict[str, Record] = {i: r for i, r in st.session_state.get(at, {}).items() if typed(place, r)}
    wanted = dict.fromkeys([*nodes, *before])
    now = memory.get(wanted)
    found = {i: _moved_on(place, before[i], now[i]) if i in before else now[i] for i in wanted if i in now}
    st.session_state[at] = found
    return found


def discard(places: Iterable[str], ids: Iterable[str]) -> None:
    """Forget what is typed over these records: they are shown as they are now."""
    for place in places:
        for id_ in ids:
            st.session_state[_discards(place, id_)] = _discarded(place, id_) + 1


def key(place: str, record: Record, field: str) -> str:
    """The key of a field's widget."""
    return f"edit:{place}:{_discarded(place, record.id)}:{record.id}:{record.revision}:{field}"


def typed(place: str, record: Record) -> dict[Field, Any]:
    """What was typed over the values of a record, as the widgets hold it."""
    found = {f: st.session_state.get(key(place, record, f.name)) for f in EDITABLE.get(record.kind, ())}
    return {
        f: text for f, text in found.items() if text is not None and text != held(f, getattr(record, f.name))
    }


def _moved_on(place: str, before: Record, now: Record) -> Record:
    """A record as it is now, with what was typed over it; as it was where the two meet in one field."""
    if before.revision == now.revision:
        return before
    mine = {f: text for f, text in typed(place, before).items() if not _says(f, text, getattr(now, f.name))}
    if any(getattr(before, f.name) != getattr(now, f.name) for f in mine):
        return before
    for field, text in mine.items():
        st.session_state[key(place, now, field.name)] = text
    return now


def _says(field: Field, text: Any, value: Any) -> bool:
    try:
        return field.check(read(field, text)) == value
    except InputError:
        return False


def _discards(place: str, id_: str) -> str:
    return f"edit:{place}:discarded:{id_}"


def _discarded(place: str, id_: str) -> int:
    return st.session_state.get(_discards(place, id_), 0)
