"""What an erasure leaves behind as proof: who, when, counts, steps, checks, keyed hashes. No word of it.

A receipt is written before anything is erased and once more when it was verified, so that after a crash it
says what was under way. It can be verified again at any time; that is added to it and replaces nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from memcore.erasure.check import SAID, Again, Check, standing
from memcore.erasure.needles import Hashing, Needles, hashed
from memcore.erasure.plan import Plan
from memcore.erasure.remaining import PLACES
from memcore.erasure.spelling import SHORTEST
from memcore.erasure.verify import Gone
from memcore.errors import InputError
from memcore.records import Cue, Tag, now
from memcore.store.receipts import plain, seal_of

Status = Literal["underway", "completed", "verified", "found", "altered"]
VERSION = 1
_PLAIN = ("id", "scope", "author", "reason", "counts", "undo_lost", "elsewhere", "held_back")
_MAYBE = ("ended", "exported")  # moments that need not have come
_LATER = {"too_short": 0, "not_hashed": 0, "interrupted": False, "exports": 0}
NOT_PROVED = (
    "what other programs, the memory of this computer or its swap file still hold",
    "what a file system's journal, snapshots, or a disk that moves its blocks about still hold",
    "backups and copies of the store that were made before",
    "files that were exported, printed or copied from it, and the file it was imported from",
    "what a model provider received and keeps, if a model was asked",
    "that nobody remembers it",
)
HASHES = (
    "Hashes are made with the store's secret key. They reveal nothing by themselves; somebody who holds the "
    "key can test guesses against them."
)
TOMBSTONES = (
    "So that an import does not bring it back, keyed hashes of where it came from stay in the store. Where a "
    "format gives its records no ids, that hash is one of the text itself. The same words in a file of "
    "another format, or in a conversation that goes by another name, are not recognised: they can come in "
    "again."
)
OWN_WORDS = (
    " ".join((*NOT_PROVED, HASHES, TOMBSTONES, *SAID, *_PLAIN, *_LATER, *PLACES))
    + " underway completed verified again words found checks steps writing indexing still_in"
    + " exported taken_out altered"
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """One erasure of one memory. `id` is that of the change in the journal, `scope` the random part of the
    names of the memory's tables; in older ones the memory's name.

    `counts` are the records by what became of them and kind, `elsewhere` the texts that remaining records say
    too, `still_in` the places in which they say what a person looked for, `too_short` the words that were
    looked for as whole words and not in every byte, `not_hashed` the texts that no later verification
    recognises. `checks` are those of the erasure, `again` what was verified later. `exports` had left the
    memory before, the last of them at `exported`. `taken_out` names what a later erasure took out of the
    receipt itself: the author, the reason. `seal` is a keyed hash of all the rest, and `written` what it was
    made over, of a receipt that was read from a file.

    Status "found": what some check found was not looked for again and found gone; "completed": after an
    interruption, verified by ids and hashes, as nobody had the words any more; "altered": it lies in the
    store and is not as it was written.
    """

    id: str
    scope: str
    author: str
    reason: str
    started: datetime
    status: Status
    counts: Mapping[str, Mapping[str, int]]
    gone: Gone
    undo_lost: int
    elsewhere: int
    held_back: int = 0
    ended: datetime | None = None
    steps: tuple[tuple[str, float], ...] = ()
    checks: tuple[Check, ...] = ()
    too_short: int = 0
    not_hashed: int = 0
    still_in: tuple[str, ...] = ()
    interrupted: bool = False
    again: tuple[Again, ...] = ()
    exports: int = 0
    exported: datetime | None = None
    taken_out: tuple[str, ...] = ()
    seal: str = ""
    written: str = field(default="", compare=False, repr=False)

    @property
    def ok(self) -> bool:
        return self.status in ("verified", "completed")

    @property
    def standing(self) -> tuple[Check, ...]:
        """Every check that was ever made of it, as it stands now."""
        return standing((*self.checks, *(check for again in self.again for check in again.checks)))

    @property
    def verified(self) -> datetime | None:
        """When it was verified last."""
        return self.again[-1].when if self.again else self.ended

    def checked(self, checks: Sequence[Check]) -> Receipt:
        """With the results of the erasure's own verification."""
        return replace(self, checks=tuple(checks), ended=now())._judged()

    def verified_again(self, again: Again) -> Receipt:
        """With a later verification added; one that looks for less than an earlier one makes nothing good."""
        interrupted = self.interrupted or self.status == "underway"
        return replace(self, again=(*self.again, again), interrupted=interrupted)._judged()

    def _judged(self) -> Receipt:
        checks = self.standing
        if not all(check.ok for check in checks):
            return replace(self, status="found")
        unread = self.interrupted and "files" not in {check.name for check in checks}
        return replace(self, status="completed" if unread else "verified")

    def sealed(self, hashing: Hashing) -> Receipt:
        """With the seal of what it says now."""
        said = plain(self.as_dict())
        return replace(self, seal=seal_of(said, hashing.hash), written=said)

    def as_written(self, hashing: Hashing) -> bool:
        """Whether nobody changed it since it was sealed: neither the file, nor what was read of it. The
        sentences beside its facts are those of the version that wrote it."""
        said = self.written or plain(self.as_dict())
        same = not self.written or replace(loaded(self.written), seal=self.seal) == self
        return same and self.seal == seal_of(said, hashing.hash)

    def as_dict(self) -> dict[str, Any]:
        """As it is saved: JSON values, with the sentences that say what it means."""
        said = asdict(self) | {"version": VERSION, "gone": self.gone._asdict()}
        del said["written"]
        for name in ("started", *_MAYBE):
            when: datetime | None = getattr(self, name)
            said[name] = when.isoformat() if when else None
        said["checks"] = _told(self.checks)
        said["again"] = [
            {**a._asdict(), "when": a.when.isoformat(), "checks": _told(a.checks)} for a in self.again
        ]
        return said | {"not_proved": not_proved(self), "hashes": HASHES, "tombstones": TOMBSTONES}


def drafted(
    plan: Plan, found: Needles, hashing: Hashing, who: tuple[str, str], place: tuple[str, str]
) -> Receipt:
    """The receipt of an erasure that is about to begin; `place` is its id and the memory it is of."""
    # a relation says nothing by itself, and there are many: what it led to is listed
    ids = [t.id for t in plan.touched if t.what == "erase" and t.kind not in ("relation", "trace")]
    unnamed = {*ids, *(t.id for t in plan.touched if t.what == "redact")}
    keys = [r for i, r in plan.before.items() if i in unnamed and isinstance(r, Cue | Tag)]
    gone = Gone(
        tuple(ids),
        tuple(plan.removal.traces),
        found.hashes,
        tuple(hashed(hashing, c.key) for c in keys if isinstance(c, Cue)),
        tuple(hashed(hashing, t.key) for t in keys if isinstance(t, Tag)),
    )
    counts = {what: of for what, of in plan.counts().items() if of}
    begun = Receipt(*place, *who, now(), "underway", counts, gone, plan.undo_lost, found.elsewhere)
    begun = replace(begun, exports=plan.exports.exports, exported=plan.exports.last)
    return replace(begun, too_short=len(found.short), not_hashed=found.not_hashed, still_in=found.still_in)


def not_proved(receipt: Receipt) -> list[str]:
    """What a receipt does not prove, a sentence each: of every one, and of this one."""
    words = max((receipt.too_short, *(again.too_short for again in receipt.again)))
    unread = (
        f"that no byte on disk says one of {words:,} short words (under {SHORTEST} bytes): too short to be "
        "looked for there, only as whole words in texts"
    )
    unknown = (
        f"that {receipt.not_hashed:,} of the texts do not come back: they are too short or too many for this "
        "receipt to know them by a hash"
    )
    own = ((words, unread), (receipt.not_hashed, unknown))
    return [*NOT_PROVED, *(says for number, says in own if number)]


def loaded(text: str) -> Receipt:
    """The receipt that `as_dict` saved as JSON. Raises InputError for anything else."""
    try:
        saved = json.loads(text)
        if saved["version"] > VERSION:
            raise InputError("This receipt was written by a newer version.")
        gone = Gone(**{name: tuple(saved["gone"][name]) for name in Gone._fields})
        return Receipt(
            **{name: saved[name] for name in _PLAIN},
            started=datetime.fromisoformat(saved["started"]),
            **{name: datetime.fromisoformat(at) if (at := saved.get(name)) else None for name in _MAYBE},
            status=cast(Status, saved["status"]),
            gone=gone,
            steps=tuple((name, seconds) for name, seconds in saved["steps"]),
            checks=_read(saved["checks"]),
            again=tuple(_again(a) for a in saved.get("again", ())),
            taken_out=tuple(saved.get("taken_out", ())),
            seal=str(saved.get("seal", "")),
            written=plain(saved),
            still_in=tuple(saved.get("still_in", ())),
            **{name: saved.get(name, none) for name, none in _LATER.items()},
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("This file is not a receipt of an erasure.") from error


def _told(checks: Sequence[Check]) -> list[dict[str, Any]]:
    return [{**c._asdict(), "ok": c.ok} for c in checks]


def _read(told: Sequence[Mapping[str, Any]]) -> tuple[Check, ...]:
    return tuple(
        Check(c["name"], c["says"], c["looked"], c["found"], tuple(c["where"]), tuple(c.get("words", ())))
        for c in told
    )


def _again(told: Mapping[str, Any]) -> Again:
    when = datetime.fromisoformat(told["when"])
    return Again(when, _read(told["checks"]), told["words"], told["too_short"])


def save(receipt: Receipt, path: Path) -> None:
    """Write a receipt as JSON. Raises InputError when the file cannot be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.tmp")
        draft.write_text(json.dumps(receipt.as_dict(), ensure_ascii=False, indent=1), "utf-8")
        draft.replace(path)
    except OSError as error:
        raise InputError("The receipt cannot be written there: name another file.") from error
