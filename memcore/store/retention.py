"""Where the retention rules of the memories lie: one file beside the tables, of kinds, numbers and switches.

It holds no word of anybody, and stays when memories are erased. A memory is named by its table.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, cast

from memcore.errors import StoreDamaged
from memcore.store.folder import Folder, replaced
from memcore.store.lance_errors import lance_errors

RETENTION = "retention.json"
_UNREADABLE = f"The file {RETENTION} of this store cannot be read: mend it, or move it away to start afresh."


def rules(folder: Folder, table: str) -> list[dict[str, Any]]:
    """The rules of one memory, as they were written; none where there is no file. Raises StoreDamaged."""
    return _all(folder).get(table, [])


def write_rules(folder: Folder, table: str, given: Sequence[Mapping[str, Any]]) -> None:
    """Replaces the rules of one memory. Raises StoreBusy, StoreFull."""
    with folder.writing():
        told = {**_all(folder), table: [dict(rule) for rule in given]}
        draft = folder.path / f"{RETENTION}.tmp"
        with lance_errors():
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(os.open(draft, flags, 0o600), "w", encoding="utf-8") as out:
                json.dump(told, out, indent=1)
                out.flush()
                os.fsync(out.fileno())
            replaced(draft, folder.path / RETENTION)


def told(folder: Folder) -> str:
    """The file as it is: words that are in the store whatever is remembered."""
    return json.dumps(_all(folder))


def _all(folder: Folder) -> dict[str, list[dict[str, Any]]]:
    path = folder.path / RETENTION
    with lance_errors():
        try:
            told = json.loads(path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise StoreDamaged(_UNREADABLE) from error
    if not _readable(told):
        raise StoreDamaged(_UNREADABLE)
    return told


def _readable(told: Any) -> bool:
    """Whether this is lists of rules; a switch of a rule is on or off and nothing else."""
    lists = cast(dict[str, Any], told).values() if isinstance(told, dict) else (None,)
    if not all(isinstance(of, list) for of in lists):
        return False
    rules = [rule for of in lists for rule in cast(list[Any], of)]
    return all(
        isinstance(rule, dict) and isinstance(cast(dict[str, Any], rule).get("on", False), bool)
        for rule in rules
    )
