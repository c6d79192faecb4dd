"""All thresholds as rows of a table: what each does, what it is, what it normally is, and who says so."""

from __future__ import annotations

from typing import Any, NamedTuple

from memcore.settings import DEFAULT, Settings, Source

SOURCES: dict[Source, str] = {
    "paper": "MRAgent, the paper",
    "reference": "MRAgent, its code",
    "recmem": "RecMem",
    "mage": "MAGE",
    "tuned": "tuned on LoCoMo",
    "ours": "chosen here",
}
BUDGETS = ("calls", "tokens", "money", "seconds")


class Row(NamedTuple):
    """One setting. `standard` is what it is when nobody changed it."""

    name: str
    title: str
    group: str
    value: Any
    standard: Any
    says: str
    source: str

    @property
    def changed(self) -> bool:
        return self.value != self.standard


def rows(settings: Settings, search: str = "", only_changed: bool = False) -> list[Row]:
    """Those whose name, sentence or group hold the words searched for, in the order of the file."""
    found: list[Row] = []
    for about in settings.about():
        standard = getattr(DEFAULT, about.name)
        says = about.says, SOURCES[about.source]
        row = Row(about.name, titled(about.name), about.group, about.value, standard, *says)
        held = f"{row.name} {row.title} {row.group} {row.says}".casefold()
        if all(word in held for word in search.casefold().split()) and (row.changed or not only_changed):
            found.append(row)
    return found


def titled(name: str) -> str:
    """A setting's name in words."""
    told = name.removeprefix("w_")
    return f"{'Weight: ' if told != name else ''}{told.replace('_', ' ')}".capitalize()


def shown(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value.replace("_", " ") if isinstance(value, str) else f"{round(value, 4):,}"
