"""What a person chose in the settings of a store: models, addresses, changed values, prices.

It lies as settings.json in the store's folder and holds no key and no word of a memory. A file that cannot
be read, or that a newer version wrote, is an error that names it: nothing of it is overwritten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from memcore import bounds
from memcore.errors import InputError, StoreDamaged, StoreMismatch
from memcore.llm import tasks
from memcore.llm.choose import PROVIDERS
from memcore.llm.local import address_of
from memcore.llm.strict_json import Schema, wrongs
from memcore.settings import CHOSEN, DEFAULT, PRICES, PRICES_READ_IN, Price, Settings

VERSION = 1
LONGEST_NAME = 200
_NUMBER: Schema = {"type": "number", "minimum": 0}
_WORDS: Schema = {"type": "object", "additionalProperties": {"type": "string"}}
_PRICE: Schema = {
    "type": "object",
    "properties": {"model": {"type": "string"}, "sent": _NUMBER, "received": _NUMBER, "cached": _NUMBER},
    "required": ["model", "sent", "received", "cached"],
    "additionalProperties": False,
}
_FILE: Schema = {
    "type": "object",
    "properties": {
        "version": {"type": "integer"},
        "roles": _WORDS,
        "addresses": _WORDS,
        "changed": {"type": "object"},
        "prices": {"type": "array", "items": _PRICE},
        "priced_in": {"type": "string"},
        "recording": {"type": "boolean"},
    },
    "required": ["version"],
    "additionalProperties": False,
}
_SECRET = re.compile(r"//[^/]*@|[?#]|\b(?:sk-|AIza)")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One state of the settings. `roles` that are offline are not in it, nor settings that are as always;
    `prices` are a person's own, noted in `priced_in`; with `recording` every reply is written down."""

    roles: Mapping[tasks.Role, str] = field(default_factory=dict[tasks.Role, str])
    addresses: Mapping[str, str] = field(default_factory=dict[str, str])
    changed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    prices: tuple[Price, ...] = ()
    priced_in: str = ""
    recording: bool = False

    def settings(self, base: Settings = DEFAULT) -> Settings:
        """All settings as they are now."""
        return bounds.changed(base, self.changed)

    @property
    def price_table(self) -> tuple[Price, ...]:
        """The prices in force: a person's own, else those that came with the program."""
        return self.prices or PRICES

    @property
    def prices_read_in(self) -> str:
        """When the prices in force were read."""
        return self.priced_in if self.prices else PRICES_READ_IN


class Place(Protocol):
    """Where it is kept (see store.folder.Folder)."""

    def settings(self) -> Any: ...

    def write_settings(self, told: dict[str, Any]) -> None: ...


def checked(given: Configuration) -> Configuration:
    """The same as it is kept. Raises InputError in one sentence for what cannot be."""
    values = {name: bounds.checked(name, value) for name, value in given.changed.items()}
    return Configuration(
        tasks.all_checked(cast(dict[str, str], given.roles)),
        {p: a.strip() for p, a in given.addresses.items() if _address(p, a.strip())},
        {name: value for name, value in values.items() if value != getattr(DEFAULT, name)},
        tuple(map(_price, given.prices)),
        given.priced_in.strip()[:LONGEST_NAME] if given.prices else "",
        given.recording,
    )


def differing(one: Configuration, other: Configuration) -> list[str]:
    """The names of the settings in which two differ: those of settings.py, and the fields of this file."""
    names = [name for name in CHOSEN if getattr(one, name) != getattr(other, name)]
    changed = {n for n in {*one.changed, *other.changed} if one.changed.get(n) != other.changed.get(n)}
    return [*names, *sorted(changed)]


def read(place: Place) -> Configuration:
    """What is kept there; nothing chosen where there is no file.

    Raises StoreDamaged for a file that cannot be read, StoreMismatch for one of a newer version.
    """
    told = place.settings()
    if told is None:
        return Configuration()
    version = cast(dict[str, Any], told).get("version") if isinstance(told, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise StoreMismatch(
            "The file settings.json of this store was written by a newer version: update memcore-inspector."
        )
    for wrong in wrongs(told, _FILE):
        raise StoreDamaged(f"The file settings.json of this store is broken: {wrong}. {_MEND}")
    try:
        return checked(_configuration(cast(dict[str, Any], told)))
    except InputError as error:
        raise StoreDamaged(f"The file settings.json of this store is broken: {error} {_MEND}") from error


_MEND = "Mend it, or move it away to start afresh."


def write(place: Place, configuration: Configuration) -> Configuration:
    """Keeps it, as it was checked. Raises InputError, StoreFull; then the file is as it was."""
    kept = checked(configuration)
    place.write_settings(_told(kept))
    return kept


def _configuration(told: dict[str, Any]) -> Configuration:
    prices = tuple(Price(**p) for p in told.get("prices", ()))
    return Configuration(
        told.get("roles", {}), told.get("addresses", {}), told.get("changed", {}), prices,
        told.get("priced_in", ""), told.get("recording", False),
    )  # fmt: skip


def _told(kept: Configuration) -> dict[str, Any]:
    return {
        "version": VERSION,
        "roles": {**kept.roles},
        "addresses": {**kept.addresses},
        "changed": {**kept.changed},
        "prices": [price._asdict() for price in kept.prices],
        "priced_in": kept.priced_in,
        "recording": kept.recording,
    }


def _address(provider: str, address: str) -> bool:
    """Whether one was given. Raises InputError for one that is none, or that holds a key."""
    if provider not in PROVIDERS:
        raise InputError(f"There is no provider called {provider[:40]!r}.")
    if not address:
        return False
    if len(address) > LONGEST_NAME or _SECRET.search(address):
        raise InputError("An address must not hold a key, name or password: give only where the server is.")
    address_of(address)
    return True


def _price(given: Price) -> Price:
    numbers = (given.sent, given.received, given.cached)
    if not given.model.strip() or len(given.model) > LONGEST_NAME or "/" not in given.model:
        raise InputError("A price names the model it is for, such as claude/claude-haiku-5-5.")
    if any(not 0 <= n < 1_000_000 for n in numbers):
        raise InputError("A price is a number of US dollars for a million tokens, and not below 0.")
    return Price(given.model.strip(), *map(float, numbers))
