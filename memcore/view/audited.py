"""Entries of the audit as a person reads them: a sentence each, without a name or an id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memcore.audit import Changed, Entry, Failed, Refused, SignInRefused
from memcore.view.naming import counted

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Imports": ("imported", "runs_imported", "ran"),
    "Reads": ("asked", "read"),
    "Corrections": ("edited", "reextracted", "reconsolidated", "repaired"),
    "Undo and redo": ("undone", "redone"),
    "Erasures": ("erased", "redacted", "lifted"),
    "Exports": ("exported",),
    "Refusals": ("refused", "sign_in_refused", "failed"),
    "Settings": ("setting_changed", "renamed"),
    "Sign-ins": ("signed_in", "sign_in_refused", "signed_out"),
}
"""What a list can be filtered by: the kinds of entries under the name of each group."""

_CHANGES: Mapping[str, Callable[[Changed], str]] = {
    "imported": lambda f: f"Imported {counted(f.meant, 'turn')}",
    "runs_imported": lambda f: f"Imported {counted(f.meant, 'agent run')}",
    "ran": lambda f: f"A live agent run grew by {counted(f.meant, 'record')}",
    "edited": lambda f: f"Corrected {counted(f.meant, 'record')} by hand",
    "reextracted": lambda f: f"Read everything again, {counted(f.meant, 'record')} made",
    "reconsolidated": lambda f: f"Consolidated {counted(f.meant, 'unit')} again under other thresholds",
    "undone": lambda f: "Undid a change",
    "redone": lambda f: "Redid a change",
    "repaired": lambda f: f"Repaired {counted(f.meant, 'record')} that a crash had left",
    "erased": lambda f: _erased(f),
    "lifted": lambda f: f"Let {counted(f.meant, 'erased source')} be imported again",
}
_EXPORTS = {
    "corrections": "the corrections",
    "memory": "the memory",
    "history": "the history",
    "receipt": "the receipt of an erasure",
    "trace": "a recorded run",
    "audit": "this record",
}
_REFUSED = {
    "no_scope": "Refused: no memory was named",
    "unknown_scope": "Refused: there is no memory of the name that was given",
    "not_allowed": "Refused: the role does not allow it",
}
_ACTS = {
    "read": "to read",
    "correct": "to correct",
    "import": "to import",
    "erase": "to erase",
    "audit": "to read the audit",
    "settings": "to change the settings",
    "export": "to export",
}
_ENDED = {"finished": "", "stopped": ", stopped before the end", "failed": ", failed", "running": ""}
_ROLES = {"viewer": "a viewer", "editor": "an editor", "officer": "a privacy officer"}


def sentence(entry: Entry) -> str:
    """What happened, in one sentence."""
    return f"{_SAYS[entry.fact.kind](entry.fact)}."


def _changed(fact: Changed) -> str:
    said = _CHANGES.get(fact.change)
    if said is not None:
        return said(fact)
    return f"{fact.change.replace('_', ' ').capitalize()}: {counted(fact.written, 'row')} written"


def _erased(fact: Changed) -> str:
    """An entry holds one number of rows that went: records, and the relations between them."""
    if not fact.meant:
        return "Took words or past questions out for good"
    return f"Erased {counted(fact.meant, 'record or relation', 'records and relations')} for good"


def _read(fact: Any) -> str:
    """How a question was answered; what was withheld only where something was."""
    read = f"{counted(fact.opened, 'memory', 'memories')} opened, {fact.kept:,} kept as evidence"
    withheld = f", {fact.withheld:,} withheld" if fact.withheld else ""
    return f"Answered a question in {counted(fact.steps, 'step')}: {read}{withheld}{_ENDED[fact.status]}"


def _failed(fact: Failed) -> str:
    return f"What entry {fact.entry:,} says did not go through ({fact.why})"


def _refused(fact: Refused) -> str:
    return _REFUSED[fact.why] + (f" {_ACTS[fact.act]}" if fact.act in _ACTS else "")


def _sign_in_refused(fact: SignInRefused) -> str:
    why = {"wrong_token": "the token was wrong", "too_many": "there were too many attempts"}[fact.why]
    return f"Refused a sign-in: {why}, {fact.wrong:,} so far"


_SAYS: Mapping[str, Callable[[Any], str]] = {
    "changed": _changed,
    "asked": lambda f: f"Began to answer a question, with a budget of {counted(f.budget, 'turn')}",
    "read": _read,
    "failed": _failed,
    "exported": lambda f: f"Exported {_EXPORTS[f.export]}, {counted(f.lines, 'line')}",
    "refused": _refused,
    "setting_changed": lambda f: f"Changed the setting {f.setting.replace('_', ' ')}",
    "renamed": lambda _: "Gave the memory another name",
    "signed_in": lambda f: f"Signed in as {_ROLES[f.role]}",
    "sign_in_refused": _sign_in_refused,
    "signed_out": lambda f: "Signed out" + (" after being idle" if f.why == "idle" else ""),
}
