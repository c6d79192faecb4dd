"""What an erasure leaves behind as proof: who, when, counts, steps, checks, keyed hashes. No word of it.

A receipt is written before anything is erased and once more when it was verified, so that after a crash it
says what was under way. It can be verified again at any time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from memcore.erasure.needles import Hashing, Needles, hashed
from memcore.erasure.plan import Plan
from memcore.erasure.verify import SAID, Check, Gone
from memcore.errors import InputError
from memcore.records import Cue, Tag, now

Status = Literal["underway", "verified", "found"]
VERSION = 1
_PLAIN = ("id", "scope", "author", "reason", "counts", "undo_lost", "elsewhere", "held_back")
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
    "format gives its records no ids, that hash is one of the text itself."
)
OWN_WORDS = " ".join(
    (*NOT_PROVED, HASHES, TOMBSTONES, *SAID, *_PLAIN, "underway verified found checks steps writing indexing")
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """One erasure of one memory. `id` is that of the change in the journal.

    `counts` are the records by what became of them and kind, `elsewhere` the texts that remaining records say
    too. Status "found": a check found something.
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

    @property
    def ok(self) -> bool:
        return self.status == "verified"

    def checked(self, checks: Sequence[Check]) -> Receipt:
        """With the results of a verification."""
        status: Status = "verified" if all(c.ok for c in checks) else "found"
        return replace(self, checks=tuple(checks), status=status, ended=now())

    def as_dict(self) -> dict[str, Any]:
        """As it is saved: JSON values, with the sentences that say what it means."""
        plain = asdict(self) | {"version": VERSION, "gone": self.gone._asdict()}
        plain["started"] = self.started.isoformat()
        plain["ended"] = self.ended.isoformat() if self.ended else None
        plain["checks"] = [{**c._asdict(), "ok": c.ok} for c in self.checks]
        return plain | {"not_proved": list(NOT_PROVED), "hashes": HASHES, "tombstones": TOMBSTONES}


def drafted(
    plan: Plan, found: Needles, hashing: Hashing, who: tuple[str, str], place: tuple[str, str]
) -> Receipt:
    """The receipt of an erasure that is about to begin; `place` is its id and the memory it is of."""
    # a relation says nothing by itself, and there are many: what it led to is listed
    ids = [t.id for t in plan.touched if t.what == "erase" and t.kind not in ("relation", "trace")]
    gone_ids = {*ids}
    keys = [r for i, r in plan.before.items() if i in gone_ids and isinstance(r, Cue | Tag)]
    gone = Gone(
        tuple(ids),
        tuple(plan.removal.traces),
        found.hashes,
        tuple(hashed(hashing, c.key) for c in keys if isinstance(c, Cue)),
        tuple(hashed(hashing, t.key) for t in keys if isinstance(t, Tag)),
    )
    counts = {what: of for what, of in plan.counts().items() if of}
    return Receipt(*place, *who, now(), "underway", counts, gone, plan.undo_lost, found.elsewhere)


def loaded(text: str) -> Receipt:
    """The receipt that `as_dict` saved as JSON. Raises InputError for anything else."""
    try:
        saved = json.loads(text)
        if saved["version"] > VERSION:
            raise InputError("This receipt was written by a newer version.")
        gone = Gone(**{name: tuple(saved["gone"][name]) for name in Gone._fields})
        checks = [Check(*(c[name] for name in Check._fields)) for c in saved["checks"]]
        return Receipt(
            **{
                k: saved[k]
                for k in ("id", "scope", "author", "reason", "counts", "undo_lost", "elsewhere", "held_back")
            },
            started=datetime.fromisoformat(saved["started"]),
            ended=datetime.fromisoformat(saved["ended"]) if saved["ended"] else None,
            status=cast(Status, saved["status"]),
            gone=gone,
            steps=tuple((name, seconds) for name, seconds in saved["steps"]),
            checks=tuple(c._replace(where=tuple(c.where)) for c in checks),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("This file is no receipt of an erasure.") from error


def save(receipt: Receipt, path: Path) -> None:
    """Write a receipt as JSON. Raises InputError when the file cannot be written."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.tmp")
        draft.write_text(json.dumps(receipt.as_dict(), ensure_ascii=False, indent=1), "utf-8")
        draft.replace(path)
    except OSError as error:
        raise InputError("The receipt cannot be written there: name another file.") from error
