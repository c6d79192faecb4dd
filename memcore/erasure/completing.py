"""After a crash: the store completed an erasure, and here it is verified and its receipt written to the end.

Nobody has the words any more, so ids and hashes are what is asked by; the receipt says so. One whose
erasure never began goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from memcore.access.permissions import OWNER
from memcore.erasure.needles import Needles
from memcore.erasure.receipt import Receipt, loaded, save
from memcore.erasure.verify import verify, versions
from memcore.errors import InputError, StoreBusy, StoreFull
from memcore.store import Scope, Store
from memcore.store.folder import RECEIPTS

_UNDERWAY = b'"status": "underway"'
_HEAD = 8_192  # bytes of a receipt in which its status stands


def complete(store: Store) -> None:
    """Verify what this opening, or a writer before it, completed. An erasure that somebody is just carrying
    out holds the writer lock and is left alone, and so is all of a store that cannot be written to."""
    folder = store.folder.path / RECEIPTS
    if not any(_waiting(folder)):
        return
    with suppress(StoreBusy, StoreFull), store.folder.writing(wait=0):
        for path in _waiting(folder):
            receipt = _underway(path)
            if receipt is not None and (scope := _memory(store, receipt)) is not None:
                _finish(scope, receipt, path, store)


def _memory(store: Store, receipt: Receipt) -> Scope | None:
    """The memory that a receipt is of, if it is still there."""
    scopes = (store.scope(name, OWNER) for name in store.scopes(OWNER))
    return next((scope for scope in scopes if receipt.scope in scope.called), None)


def _waiting(folder: Path) -> Iterator[Path]:
    """Receipts that say that they are under way; only their beginning is read."""
    for path in sorted(folder.glob("*.json")):
        with suppress(OSError), path.open("rb") as opened:
            if _UNDERWAY in opened.read(_HEAD):
                yield path


def _underway(path: Path) -> Receipt | None:
    try:
        receipt = loaded(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, InputError):
        return None
    return receipt if receipt.status == "underway" and path.stem == receipt.id else None


def _finish(scope: Scope, receipt: Receipt, path: Path, store: Store) -> None:
    if not receipt.as_written(scope):
        return
    if not scope.carried_out(receipt.id):
        path.unlink(missing_ok=True)
        return
    checks = [versions(store.left)] if store.left else []
    checks += verify(scope, receipt.gone, Needles(), receipt.started)
    held = next((h.records for h in scope.tombstones() if h.erasure == receipt.id), 0)
    save(replace(receipt, interrupted=True, held_back=held).checked(checks).sealed(scope), path)
