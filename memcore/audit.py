"""What an audit says: a closed union of facts, each of ids, counts and codes; saved and loaded by `kind`.

A fact never holds a word that somebody said, typed or was called by, so that nothing in an audit ever needs
erasing: who acted is a keyed hash, whose memory it was the random name of its table. `dumped` enforces it.
Where the entries lie and what they are safe from, `store.audit` says; what a person reads, `view.audited`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

import memcore.errors
from memcore.access.roles import ACTS, ROLES
from memcore.errors import InputError, MemcoreError
from memcore.events import ChangeEvent, Strategy
from memcore.settings import CHOSEN, Settings

MOST_IDS = 200  # of one kind in one entry; all are counted
_ID = re.compile(r"(?:[0-9a-f]{8,64})?")

Id = str
Code = str
Export = Literal["corrections", "memory", "history", "receipt", "trace", "audit"]
RefusedWhy = Literal["no_scope", "unknown_scope", "not_allowed"]
SignInRefusedWhy = Literal["wrong_token", "too_many"]
SignedOutWhy = Literal["asked", "idle"]


@dataclass(frozen=True, slots=True)
class Changed:
    """A commit is about to go through the write door: `change` is the kind of the event that is journalled.

    `group` is the change it belongs to, `of` the one that an undo, a redo or a lifted tombstone is about;
    `meant` is what the event itself counts: turns of an import, records of an edit, rows erased.
    """

    change: Code
    commit: int
    group: Id
    written: int
    deleted: int
    meant: int
    of: Id = ""
    kind: Literal["changed"] = "changed"


@dataclass(frozen=True, slots=True)
class Asked:
    """A reconstruction begins to read."""

    trace: Id
    strategy: Code
    budget: int
    kind: Literal["asked"] = "asked"


@dataclass(frozen=True, slots=True)
class Read:
    """A reconstruction has read: the contents it opened are the path, those it kept the evidence."""

    trace: Id
    status: Literal["running", "finished", "stopped", "failed"]
    steps: int
    opened: int
    kept: int
    withheld: int
    path: tuple[Id, ...]
    evidence: tuple[Id, ...]
    kind: Literal["read"] = "read"


@dataclass(frozen=True, slots=True)
class Failed:
    """What entry `entry` named did not go through; `why` is the name of our error, or "other"."""

    entry: int
    why: Code
    kind: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class Exported:
    """Something left the store: so many lines of it; `of` is the receipt or trace."""

    export: Export
    lines: int
    of: Id = ""
    kind: Literal["exported"] = "exported"


@dataclass(frozen=True, slots=True)
class Refused:
    """Somebody was not let in: no memory named, an unknown one, or an act that their role may not do."""

    why: RefusedWhy
    act: Code = ""
    kind: Literal["refused"] = "refused"


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting was given another value; which, but not what."""

    setting: Code
    kind: Literal["setting_changed"] = "setting_changed"


@dataclass(frozen=True, slots=True)
class Renamed:
    """A memory was given another name; neither of them is said."""

    kind: Literal["renamed"] = "renamed"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody signed in; `session` is a random id that the sign-out names too."""

    role: Code
    session: Id
    kind: Literal["signed_in"] = "signed_in"


@dataclass(frozen=True, slots=True)
class SignInRefused:
    """A token was wrong, or there had been too many attempts; `wrong` so far, of all sessions."""

    why: SignInRefusedWhy
    wrong: int
    kind: Literal["sign_in_refused"] = "sign_in_refused"


@dataclass(frozen=True, slots=True)
class SignedOut:
    """Somebody signed out, or was idle for too long."""

    role: Code
    session: Id
    why: SignedOutWhy
    kind: Literal["signed_out"] = "signed_out"


Fact = (
    Changed | Asked | Read | Failed | Exported | Refused
    | SettingChanged | Renamed | SignedIn | SignInRefused | SignedOut
)  # fmt: skip
FACTS: tuple[type[Any], ...] = get_args(Fact)
_KINDS: dict[str, type[Any]] = {t.__dataclass_fields__["kind"].default: t for t in FACTS}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `number` counts from 1; `who` is a keyed hash, "" where nobody is known; `scope` is the
    random name of a memory's table, `memory` that memory's name now, looked up when it is read.

    `together` entries in a row that belong together (the batches of an import) are shown as one.
    """

    number: int
    at: datetime
    who: Id
    scope: Id
    fact: Fact
    hash: str
    memory: str = ""
    together: int = 1

    @property
    def what(self) -> str:
        """The kind to filter by: of a change, the kind of change ("imported", "edited", "erased" ...)."""
        return self.fact.change if self.fact.kind == "changed" else self.fact.kind


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether all entries are as they were written. `broken_at` is the first that is not; `interrupted`:
    the process was killed while it wrote the last. `hash` is the last entry's, to be noted elsewhere."""

    ok: bool
    entries: int
    broken_at: int | None
    says: str
    interrupted: bool = False
    hash: str = ""


def kinds() -> tuple[str, ...]:
    """Everything that `Entry.what` can be, changes first."""
    changes = tuple(t.__dataclass_fields__["kind"].default for t in get_args(ChangeEvent))
    return (*changes, *(kind for kind in _KINDS if kind != "changed"))


def why_failed(error: BaseException) -> Code:
    """The code of an error: the name of ours, "other" of anything else."""
    return type(error).__name__ if isinstance(error, MemcoreError) else "other"


def dumped(fact: Fact) -> dict[str, Any]:
    """The fact as JSON values. Raises InputError for a string that is neither an id nor one of our codes."""
    said = {f.name: getattr(fact, f.name) for f in fields(fact)}
    for name, value in said.items():
        ids = cast(tuple[Any, ...], value) if isinstance(value, tuple) else (value,)
        for one in ids:
            if isinstance(one, str) and not _ID.fullmatch(one) and one not in codes():
                raise InputError(f"An entry of the audit holds no text, but {name} is one.")
    return said


def loaded(kind: str, said: dict[str, Any]) -> Fact:
    """The fact that `dumped` gave. Raises InputError for a kind that this version does not know."""
    found = _KINDS.get(kind)
    if found is None:
        raise InputError("The audit holds an entry of a kind that a newer version wrote.")
    names = {f.name for f in fields(found)}
    return found(**{k: _tuple(v) if isinstance(v, list) else v for k, v in said.items() if k in names})


@cache
def codes() -> frozenset[str]:
    """Every word that can stand in an entry: all of them stand in this program."""
    literal = {code for fact in FACTS for hint in get_type_hints(fact).values() for code in _literals(hint)}
    errors = {name for name, of in vars(memcore.errors).items() if isinstance(of, type)}
    settings = {f.name for f in fields(Settings)} | {*CHOSEN, "retention"}
    return frozenset({*literal, *errors, *settings, *kinds(), *get_args(Strategy), *ACTS, *ROLES, "other"})


def words_of_its_own() -> frozenset[str]:
    """Every word that stands in the audit's files whatever is remembered."""
    names = {f.name for of in (*FACTS, Entry, Verdict) for f in fields(of)}
    return codes() | names | {"at", "previous", "bytes", "entries", "gap", "audited"}


def _tuple(values: Any) -> tuple[Any, ...]:
    return tuple(values)


def _literals(hint: Any) -> tuple[str, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()
