"""A file that is only ever appended to, each line bound to the one before: what was written stays provable.

    FOLDER/audit.jsonl  a line per entry, with its number, time, `previous` (the hash before) and its own hash
    FOLDER/audit.head   how many entries and bytes there are and the last hash, sealed; replaced after a line
    FOLDER/audit.lock   held for the moment of a write

*What it is safe from.* A plain hash would show damage, and a line changed by somebody who does not know of
the chain; whoever does could hash everything anew. So lines are bound by HMAC-SHA256 under a key derived from
the store's: only who can read store.json can forge a line, drop one, change the order or write a sealed head.
Nothing within one folder is safe from whoever has the key, nor from somebody who puts an older copy of both
files back: against that, the last hash can be noted elsewhere and asked for (`verify`).

*The order.* First the line, on disk for certain, then the head. A process killed between the two leaves a
good line that the head does not count yet: it is counted when the store is opened next, and until then said
to be interrupted. One killed within a line leaves a piece without an end, which is cut off then. The head is
never ahead of the lines, so where it counts more than there are, lines were taken away; entries written after
that go on from the head's number, so that the gap stays.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from memcore.audit import Verdict
from memcore.records import now
from memcore.store.folder import AUDIT, AUDIT_HEAD, Folder, replaced
from memcore.store.lance_errors import lance_errors

_HASH = b',"hash":"'
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Head:
    """How far the file goes. `gap` is the number of the first entry that was written when something before
    it was missing, 0 while nothing ever was."""

    entries: int = 0
    bytes: int = 0
    hash: str = ""
    gap: int = 0


class Chain:
    """The chained file of one store."""

    def __init__(self, folder: Folder, key: bytes) -> None:
        self._folder, self._key = folder, key
        self._lines, self._head = folder.path / AUDIT, folder.path / AUDIT_HEAD

    def begin(self) -> None:
        """Make both files, once in the life of a store, and adopt or cut off what a killed process left.

        Raises StoreBusy, StoreFull.
        """
        if not self._audited():
            with self._folder.writing(wait=0), self._folder.auditing():
                if not self._lines.exists():
                    self._write_line(b"")
                    self._write_head(Head())
                self._folder.write_head({**self._folder.head(), "audited": True})
            return
        head = self._read_head()
        if head is not None and self._size() > head.bytes:
            with self._folder.auditing():
                self._write_head(self._settled())

    def append(self, body: Mapping[str, Any]) -> int:
        """Write one entry; its number. Raises StoreFull, StoreBusy."""
        with self._folder.auditing():
            head = self._settled()
            entry = {"number": head.entries + 1, "at": now().isoformat(), **body, "previous": head.hash}
            said = json.dumps(entry, separators=(",", ":")).encode()[:-1]
            digest = self._sealed(said)
            line = said + _HASH + digest.encode() + b'"}\n'
            self._write_line(line)
            self._write_head(Head(head.entries + 1, head.bytes + len(line), digest, head.gap))
        return head.entries + 1

    def count(self) -> int:
        """How many entries there are."""
        head = self._read_head()
        return head.entries if head else sum(1 for _ in self.lines())

    def lines(self) -> Iterator[str]:
        """The lines as they stand there, oldest first; without a piece that a killed process left."""
        for line in _whole(self._content()):
            yield line.decode("utf-8", "replace").rstrip("\n")

    def newest_first(self) -> Iterator[str]:
        """The same from the end, without reading all of it."""
        size = self._size()
        with lance_errors():
            if not size:
                return
            with open(self._lines, "rb") as file:
                rest = b""
                for start in range((size - 1) // _BLOCK * _BLOCK, -1, -_BLOCK):
                    file.seek(start)
                    block = file.read(min(_BLOCK, size - start)) + rest
                    first, *lines = block.splitlines(keepends=True)
                    rest = first
                    if start == 0:
                        lines = [first, *lines]
                    for line in reversed(lines):
                        if line.endswith(b"\n"):
                            yield line.decode("utf-8", "replace").rstrip("\n")

    def verify(self, noted: str = "") -> Verdict:
        """See `store.audit.Audit.verify`."""
        with self._folder.auditing():
            head, content, audited = self._read_head(), self._content(), self._audited()
        if head is None:
            return _unheaded() if audited or content else _well(Head(), interrupted=False)
        found, hashes = Head(), {""}
        for line in _whole(content):
            following = self._next(found, line)
            if following is None or (following.entries == head.entries and following.hash != head.hash):
                return _changed(found)
            found = following
            hashes.add(found.hash)
        if found.entries < head.entries:
            return _taken_away(found, head)
        if head.gap:
            return _gap(found, head)
        if noted not in hashes:
            return Verdict(False, found.entries, None, "No entry has the hash that was noted.")
        return _well(found, interrupted=len(content) > head.bytes)

    def _settled(self) -> Head:
        """How far the file goes now, once what a killed process left is counted or cut off; lines that were
        taken away leave a gap. Needs the lock."""
        head, size = self._read_head(), self._size()
        if head is not None and head.bytes == size:
            return head
        content = self._content()
        whole = content[: content.rfind(b"\n") + 1]
        with lance_errors():
            if len(whole) < size:
                os.truncate(self._lines, len(whole))
        if head is not None and size < head.bytes:
            return replace(head, bytes=len(whole), gap=head.gap or head.entries + 1)
        found = head or Head()
        for line in _whole(whole[found.bytes :]):
            following = self._next(found, line)
            if following is None:
                break
            found = following
        lost = head is None and (self._audited() or bool(size))
        return replace(found, bytes=len(whole), gap=found.gap or (found.entries + 1 if lost else 0))

    def _next(self, before: Head, line: bytes) -> Head | None:
        """How far the file goes with this line; None where the line is not the next one as it was written."""
        said, found, rest = line.rpartition(_HASH)
        digest = self._sealed(said)
        if not found or not hmac.compare_digest(digest.encode(), rest.removesuffix(b'"}\n')):
            return None
        if not said.startswith(b'{"number":%d,' % (before.entries + 1)):
            return None
        if not said.endswith(b',"previous":"%b"' % before.hash.encode()):
            return None
        return Head(before.entries + 1, before.bytes + len(line), digest, before.gap)

    def _sealed(self, said: bytes) -> str:
        return hmac.new(self._key, said, "sha256").hexdigest()

    def _audited(self) -> bool:
        return bool(self._folder.head().get("audited"))

    def _size(self) -> int:
        with lance_errors():
            return self._lines.stat().st_size if self._lines.exists() else 0

    def _content(self) -> bytes:
        with lance_errors():
            return self._lines.read_bytes() if self._lines.exists() else b""

    def _write_line(self, line: bytes) -> None:
        with lance_errors(), open(self._lines, "ab", opener=_private) as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def _read_head(self) -> Head | None:
        """None where there is none, or one that was not sealed with the key."""
        with lance_errors():
            said = self._head.read_bytes() if self._head.exists() else b""
        plain, _, seal = said.partition(b"\n")
        if not plain or not hmac.compare_digest(self._sealed(b"head" + plain).encode(), seal):
            return None
        return Head(**json.loads(plain))

    def _write_head(self, head: Head) -> None:
        """As a whole: after a crash it is the old one or the new one."""
        plain = json.dumps(asdict(head)).encode()
        draft = self._head.with_name(f"{self._head.name}.tmp")
        with lance_errors():
            with open(draft, "wb", opener=_private) as file:
                file.write(plain + b"\n" + self._sealed(b"head" + plain).encode())
                file.flush()
                os.fsync(file.fileno())
            replaced(draft, self._head)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _whole(content: bytes) -> list[bytes]:
    """The lines that have an end."""
    return [line + b"\n" for line in content.split(b"\n")[:-1]]


def _well(found: Head, *, interrupted: bool) -> Verdict:
    says = f"All {found.entries:,} entries are as they were written."
    if interrupted:
        says += " A process was interrupted while it wrote the last one, which harms nothing."
    return Verdict(True, found.entries, None, says, interrupted, found.hash)


def _changed(found: Head) -> Verdict:
    at = found.entries + 1
    return Verdict(False, found.entries, at, f"Entry {at:,} is not as it was written, or not where it was.")


def _taken_away(found: Head, head: Head) -> Verdict:
    at, missing = found.entries + 1, head.entries - found.entries
    which = f"Entry {at:,} is" if missing == 1 else f"Entries {at:,} to {head.entries:,} are"
    return Verdict(False, found.entries, at, f"{which} missing: the record was cut off at its end.")


def _gap(found: Head, head: Head) -> Verdict:
    says = f"Before entry {head.gap:,} something is missing: how many entries there had been was lost."
    return Verdict(False, found.entries, head.gap, says)


def _unheaded() -> Verdict:
    return Verdict(
        False, 0, 1, "The file that says how many entries there are is missing, or not as it was written."
    )
