"""An edit in one line: Changed the name of the cue: “barometer” → “weather glass”.

Names are those that held when the edit was made: what it changed is called as it was before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from memcore.events import Edited
from memcore.records import Content, Correction, Cue, Record, Relation
from memcore.view.naming import an, counted
from memcore.view.record_words import FIELDS, plain_value, quoted, record_words
from memcore.view.text import shorten

NAMED = 3  # records that a title names; the rest are counted
VALUE = 36  # characters of a value before or after
_WORDS = ("name", "text", "title", "label", "summary", "note")  # fields that a record is called by, or free


class Stood(Protocol):
    """Records by id, before a change and as it left them (see store.past)."""

    @property
    def before(self) -> Mapping[str, Record]: ...

    @property
    def after(self) -> Mapping[str, Record]: ...


@dataclass(frozen=True, slots=True)
class _Nothing:
    """A change of which no record is known."""

    before: Mapping[str, Record] = field(default_factory=dict[str, Record])
    after: Mapping[str, Record] = field(default_factory=dict[str, Record])


NOTHING: Stood = _Nothing()


def named_by(event: Edited) -> list[str]:
    """The ids that the title of an edit names: the first, and of a merge what the others went into."""
    return list(dict.fromkeys([*event.ids[:NAMED], *event.ids[-1:]]))


def edited(event: Edited, stood: Stood) -> str:
    """An edit in words."""
    return _TITLES[event.action](event, stood)


def _set(event: Edited, stood: Stood) -> str:
    """One record with its old and its new value; of several, the new one, which is the same for all."""
    said = FIELDS.get(event.field, event.field)
    first = event.ids[0] if event.ids else ""
    old, new = stood.before.get(first), stood.after.get(first)
    now = _value(new, event.field, stood.after)
    if event.count > 1:
        names = f": {_names(event, stood.before)}" if event.record_kind != "relation" else ""
        return f"Changed the {said} of {_count(event)}{f' to {now}' if now else ''}{names}"
    then = _value(old, event.field, stood.before)
    if not then or not now:
        return f"Changed the {said} of {_what(event, stood.before)}"
    return f"Changed the {said} of {_whose(event, old, stood.before)}: {then} → {now}"


def _merge(event: Edited, stood: Stood) -> str:
    into = stood.after.get(event.ids[-1]) if len(event.ids) == event.count else None
    names = _names(event, stood.before, event.count - 1)
    one, several = record_words(event.record_kind)
    others = names or counted(event.count - 1, one, several)
    return f"Merged {others} into the {one} {quoted(into)}" if into else f"Merged {others}"


def _split(event: Edited, stood: Stood) -> str:
    return f"Split {_what(event, stood.before)}"


def _delete(event: Edited, stood: Stood) -> str:
    return f"Deleted {_what(event, stood.before)}"


def _relate(event: Edited, stood: Stood) -> str:
    found = [stood.after.get(i) for i in event.ids]
    cue = next((f" from {quoted(r)}" for r in found if isinstance(r, Cue)), "")
    content = next((f" to the memory {quoted(r)}" for r in found if isinstance(r, Content)), "")
    return f"Added a relation{cue}{content}"


def _resolve(event: Edited, stood: Stood) -> str:
    """What was decided of what: a correction ends when what extraction reads now is taken."""
    correction = next((r for r in stood.before.values() if isinstance(r, Correction)), None)
    if correction is None:
        return "Decided a disputed correction"
    what = _corrected(correction, stood.before)
    if event.field == "both":
        return f"Kept both readings of {what}"
    if correction.id in stood.after:
        return f"Kept the correction of {what}"
    if correction.disputed:
        return f"Took the new reading of {what}"
    return f"Removed {what}, which is read no more"


def _corrected(correction: Correction, at: Mapping[str, Record]) -> str:
    """What a correction is of: the field, where it has one that still says something, of what record."""
    record, one = at.get(correction.record_id), record_words(correction.target)[0]
    name = _name(record, at) if record else ""
    what = f"the {one} {name}" if name else an(one)
    said = FIELDS.get(correction.slot) if correction.disputed else None
    return f"the {said} of {what}" if said else what


def _add(event: Edited, stood: Stood) -> str:
    return f"Added {_what(event, stood.after)}"


def _several(event: Edited, stood: Stood) -> str:
    """Edits saved together; they may be of different kinds of records, or take all of them away."""
    gone = len(event.ids) == event.count and not any(i in stood.after for i in named_by(event))
    kinds = {record.kind for i in event.ids if (record := stood.before.get(i))}
    one, several = record_words(event.record_kind if len(kinds) < 2 else "")
    names = _names(event, stood.before)
    told = counted(event.count, one, several) + (f": {names}" if names else "")
    return f"{'Deleted' if gone else 'Changed'} {told}"


def _what(event: Edited, at: Mapping[str, Record]) -> str:
    """The one record that an edit was of, or several with the first of their names."""
    one, names = record_words(event.record_kind)[0], _names(event, at)
    if event.count > 1:
        return f"{_count(event)}: {names}" if names else _count(event)
    if names:
        return f"the {one} {names}"
    return an(one) if any(i in at for i in event.ids) else f"{an(one)} that is gone"


def _count(event: Edited) -> str:
    return counted(event.count, *record_words(event.record_kind))


def _names(event: Edited, at: Mapping[str, Record], of: int = 0) -> str:
    """The first names, and how many more there are of the `of` records meant (all where it is 0)."""
    of = of or event.count
    meant = event.ids[: min(of, NAMED)]
    names = [name for i in meant if i in at and (name := _name(at[i], at))]
    more = of - len(meant)
    return ", ".join(names) + (f" and {more:,} more" if names and more > 0 else "")


def _name(record: Record, at: Mapping[str, Record]) -> str:
    if not isinstance(record, Relation):
        return quoted(record)
    return " — ".join(quoted(at.get(i)) or "something gone" for i in record.triple[:2])


def _whose(event: Edited, record: Record | None, at: Mapping[str, Record]) -> str:
    """What a field belongs to, without the value itself: it stands beside."""
    one = record_words(event.record_kind)[0]
    if isinstance(record, Relation):
        cue, tag, _ = (quoted(at.get(i)) or "something gone" for i in record.triple)
        return f"a relation from {cue}" if event.field == "tag" else f"a relation through {tag}"
    name = quoted(record)
    called_by = name and name[1:-1].rstrip("…") in str(getattr(record, event.field, ""))
    return f"the {one} {name}" if name and not called_by else f"the {one}"


def _value(record: Record | None, field: str, at: Mapping[str, Record]) -> str:
    """A field of a record as it is read; "" where it cannot be known any more."""
    if record is None:
        return ""
    if isinstance(record, Relation):
        return quoted(at.get(getattr(record, f"{field}_id")), VALUE)
    value = getattr(record, field)
    if field in _WORDS:
        return f"“{shorten(value, VALUE)}”" if value else "nothing"
    return plain_value(value)


_TITLES: Mapping[str, Callable[[Edited, Stood], str]] = {
    "set": _set,
    "merge": _merge,
    "split": _split,
    "delete": _delete,
    "relate": _relate,
    "resolve": _resolve,
    "add": _add,
    "several": _several,
}
