"""A receipt of an erasure in plain words: what was done, what was checked, what that does not prove.

No id is shown: a check that found records says how many, one that found files names the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import NamedTuple

from memcore.erasure.check import Again, Check
from memcore.erasure.receipt import Receipt
from memcore.erasure.remaining import STILL_IN
from memcore.erasure.spelling import SHORTEST
from memcore.view.naming import counted, listed
from memcore.view.privacy_words import NOUNS, amount, exports_told, noun
from memcore.view.times import instant

_DONE: Mapping[str, tuple[str, str]] = {
    "erase": ("was erased", "were erased"),
    "redact": ("was kept, with a mark in place of words", "were kept, with a mark in place of words"),
    "rebuild": ("was made again from what remains", "were made again from what remains"),
    "blank": ("was kept, with some words taken out", "were kept, with some words taken out"),
    "strip": ("lost the earlier versions it kept", "lost the earlier versions they kept"),
}
_CHECKS: Mapping[str, str] = {
    "receipt": "The receipt itself",
    "records": "By id",
    "links": "By what names it",
    "names": "By name",
    "graph": "The rebuilt graph",
    "vectors": "By likeness",
    "search": "By search",
    "traces": "Past questions",
    "history": "History",
    "texts": "Every text",
    "older": "Files from before",
    "versions": "Old versions on disk",
    "files": "Every byte on disk",
    "columns": "Every column on disk",
}
_PARTS: Mapping[str, str] = {"author": "who asked for it", "reason": "why it was asked for"}
_OF_FILES = ("older", "versions", "files", "columns")
DOING: Mapping[str, str] = {
    "preparing": "Checking once more what is to go",
    "taking out": "Taking it out",
    "writing anew": "Rewriting everything that stays",
    "indexing": "Rebuilding every index",
    "traces": "Clearing the past questions",
    "done": "Done",
}


class Line(NamedTuple):
    """One check: what it is, what was asked, how much was looked at, what was found."""

    name: str
    says: str
    looked: int
    found: str
    ok: bool


def status(receipt: Receipt) -> str:
    """How it ended, in a sentence or two."""
    if receipt.status == "altered":
        return (
            "This receipt is not as it was written: somebody changed it in the store. What it says proves "
            "nothing any more; whether the memory still says what went can be looked for again."
        )
    if receipt.status == "underway":
        return (
            "This erasure is under way, or was interrupted: it is completed when the memory is next opened."
        )
    standing = receipt.standing
    failed = [c for c in standing if not c.ok]
    if failed:
        names = listed(_CHECKS.get(c.name, c.name).lower() for c in failed)
        return (
            f"Something was still found ({names}). Look below, and erase what is left. It counts as gone "
            "once it has been looked for again and not found."
        )
    checks = counted(len(standing), "check")
    if receipt.status == "completed":
        return (
            "This erasure was interrupted, and completed when the memory was next opened. Nothing of it was "
            f"found any more in {checks} by ids and hashes. Nobody had the words any more, so they were not "
            "looked for on disk: give them when you verify it again to do that."
        )
    return f"Verified: nothing of it was found any more in {checks}."


def done(receipt: Receipt, zone: str = "") -> list[str]:
    """What was done, a sentence each, and what was left as it is."""
    lines = [_done(what, of) for what, of in receipt.counts.items() if of]
    if receipt.undo_lost:
        lost = counted(receipt.undo_lost, "earlier version")
        lines.append(f"{lost} can no longer be brought back by undoing.")
    if number := receipt.elsewhere:
        stand = (
            "also stands in memories that remain, and is"
            if number == 1
            else ("also stand in memories that remain, and are")
        )
        lines.append(f"{counted(number, 'text')} of it {stand} not looked for.")
    if receipt.still_in:
        lines.append(f"{STILL_IN}: {', '.join(receipt.still_in)}.")
    if number := receipt.held_back:
        are = "is" if number == 1 else "are"
        lines.append(f"{counted(number, 'source')} {are} kept out of later imports.")
    lines += exports_told(receipt.exports, receipt.exported, zone)
    lines += [f"A later erasure took out of this receipt {_PARTS.get(p, p)}." for p in receipt.taken_out]
    return lines


def asked_by(receipt: Receipt) -> str:
    """Who asked for it, or why nobody is named."""
    return receipt.author or _left_out(receipt, "author", "nobody named")


def reason(receipt: Receipt) -> str:
    """Why it was asked for, or why that is not said."""
    return receipt.reason or _left_out(receipt, "reason", "no reason given")


def _left_out(receipt: Receipt, part: str, otherwise: str) -> str:
    return "taken out by a later erasure" if part in receipt.taken_out else otherwise


def checks(made: Iterable[Check]) -> list[Line]:
    """Every one of these checks with its result."""
    return [Line(_CHECKS.get(c.name, c.name), c.says, c.looked, found(c), c.ok) for c in made]


def again(receipt: Receipt, zone: str = "") -> list[tuple[str, Again]]:
    """Each later verification, the newest first: when, how it ended, and what was looked for."""
    return [
        (f"Verified again {instant(of.when, zone)}: {_ended(of)}. {verified_again(of)}", of)
        for of in reversed(receipt.again)
    ]


def _ended(again: Again) -> str:
    failed = listed(_CHECKS.get(c.name, c.name).lower() for c in again.checks if not c.ok)
    return f"something was found ({failed})" if failed else "nothing was found"


def verified_again(again: Again) -> str:
    """What was looked for when a receipt was verified again, in one sentence."""
    if not again.words:
        return "By ids and hashes only: no word was given, so the disk was not looked through."
    said = f"By ids and hashes, and with {counted(again.words, 'word')} given."
    if not again.too_short:
        return said
    are = "is" if again.too_short == 1 else "are"
    return (
        f"{said} {again.too_short:,} of them {are} too short to be looked for in every byte on disk "
        f"(under {SHORTEST} bytes): looked for as whole words in every text."
    )


def found(check: Check) -> str:
    """What a check found: nothing, so many records, or the files."""
    if check.ok:
        return "nothing"
    if check.name in _OF_FILES:
        more = check.found - len(check.where[:3])
        return listed((*check.where[:3], f"{more:,} more" if more > 0 else ""))
    return counted(check.found, "record")


def steps(receipt: Receipt) -> list[tuple[str, float]]:
    """What was done one after the other, with seconds."""
    return [(doing(name), seconds) for name, seconds in receipt.steps]


def doing(code: str) -> str:
    """What an erasure does at this moment, in words."""
    if code.startswith("verifying "):
        name = code.removeprefix("verifying ")
        return f"Checking: {_CHECKS.get(name, name).lower()}"
    return DOING.get(code, code[:1].upper() + code[1:])


def title(receipt: Receipt, zone: str = "") -> str:
    """What a receipt is called in a list: when, and how much went."""
    gone = amount(receipt.counts.get("erase", {}))
    other = sum(n for of in receipt.counts.values() for n in of.values())
    what = f"{gone} erased" if gone else f"{counted(other, 'record')} changed"
    return f"{instant(receipt.started, zone)} · {what}"


def badge(receipt: Receipt) -> str:
    """Its status in a word or two."""
    return {
        "verified": "verified",
        "completed": "completed after an interruption",
        "found": "something found",
        "altered": "not as it was written",
        "underway": "under way",
    }[receipt.status]


def as_json(receipt: Receipt) -> str:
    """The receipt as it is handed out."""
    return json.dumps(receipt.as_dict(), ensure_ascii=False, indent=1)


def file_name(receipt: Receipt, ending: str) -> str:
    """The name of a downloaded receipt: the day, and nothing that names a person."""
    day: date | datetime = receipt.started
    return f"erasure-{day:%Y-%m-%d-%H%M%S}.{ending}"


def _done(what: str, of: Mapping[str, int]) -> str:
    kinds = listed([noun(k, of[k]) for k in (*NOUNS, *(k for k in of if k not in NOUNS)) if k in of])
    total = sum(of.values())
    verb = _DONE.get(what, (what, what))[0 if total == 1 else 1]
    return f"{kinds} {verb}."
