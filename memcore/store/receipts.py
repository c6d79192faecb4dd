# pyright: basic
"""The receipts of erasures as they lie beside the tables: whether each is as it was written, and what it says
of people, which a later erasure can take out of it.

A receipt is a file of JSON, sealed with a hash under the store's key over all the rest (see erasure.receipt).
It names its memory by the random part of the tables' names, so that no receipt bears the memory's own name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from memcore.store.folder import replaced
from memcore.store.lance_errors import lance_errors
from memcore.store.tables import is_id

SAYS = ("author", "reason")
"""The parts of a receipt that hold words of people."""

Told = dict[str, Any]
Hash = Callable[[str], str]


def plain(told: Told) -> str:
    """What a seal is made over: everything but the seal."""
    return json.dumps({**told, "seal": ""}, ensure_ascii=False, sort_keys=True)


def sealed(told: Told, hash_: Hash) -> Told:
    """The same with the seal of what it says now."""
    return {**told, "seal": seal_of(plain(told), hash_)}


def seal_of(said: str, hash_: Hash) -> str:
    """The seal of a receipt that says this (see `plain`)."""
    return hash_(f"receipt\n{said}")


def genuine(told: Told, hash_: Hash) -> bool:
    """Whether nobody changed it since it was sealed."""
    return told.get("seal") == seal_of(plain(told), hash_)


def read(path: Path) -> Told | None:
    """What a file says; None for one that is no receipt."""
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) and told.get("id") == path.stem and is_id(path.stem) else None


def of_memory(folder: Path, called: Collection[str]) -> Iterator[Told]:
    """The receipts of the memory that goes by any of these: its table, or its name in older ones."""
    found = (read(path) for path in sorted(folder.glob("*.json")))
    return (told for told in found if told is not None and told.get("scope") in called)


def said(folder: Path, called: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Who asked for each erasure of a memory, and why: the receipt, the part of it, the words."""
    for told in of_memory(folder, called):
        for part in SAYS:
            if isinstance(text := told.get(part), str) and text:
                yield told["id"], part, text


def silence(folder: Path, parts: Iterable[tuple[str, str]], hash_: Hash) -> None:
    """Take these parts of these receipts out. Each says that it was done, and is sealed anew if it was as it
    was written. Can be done again."""
    for id_, part in parts:
        told = read(folder / f"{id_}.json")
        if told is not None and part in SAYS and told.get(part):
            before = told.get("taken_out")
            # of a file that somebody changed this can be anything
            taken_out = sorted({*(map(str, before) if isinstance(before, list) else ()), part})
            _write(folder, told, {**told, part: "", "taken_out": taken_out}, hash_)


def named_by_table(folder: Path, name: str, table: str, hash_: Hash) -> None:
    """Let the receipts that still bear a memory's name name it by its table."""
    for told in of_memory(folder, (name,)):
        _write(folder, told, {**told, "scope": table}, hash_)


def _write(folder: Path, before: Told, after: Told, hash_: Hash) -> None:
    place = folder / f"{before['id']}.json"
    now = sealed(after, hash_) if genuine(before, hash_) else after
    draft = place.with_name(f"{place.name}.tmp")
    with lance_errors():
        with open(draft, "w", encoding="utf-8") as out:
            json.dump(now, out, ensure_ascii=False, indent=1)
            out.flush()
            os.fsync(out.fileno())
        replaced(draft, place)
