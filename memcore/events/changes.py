"""What changes a memory: imports of conversations and runs, edits by hand, undo and redo, extraction and
consolidation run again, erasure and its lifting, repair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EditAction = Literal["set", "merge", "split", "delete", "relate", "resolve", "add", "several"]


@dataclass(frozen=True, slots=True)
class Imported:
    """A batch of a file was written."""

    file_id: str
    turns: int
    kind: Literal["imported"] = "imported"


@dataclass(frozen=True, slots=True)
class Undone:
    """A change, all commits of `group`, was taken back. Undoing is new history. `author` is who did it."""

    group: str
    author: str = ""
    kind: Literal["undone"] = "undone"


@dataclass(frozen=True, slots=True)
class Redone:
    """An undone change, all commits of `group`, was brought back by `author`."""

    group: str
    author: str = ""
    kind: Literal["redone"] = "redone"


@dataclass(frozen=True, slots=True)
class Edited:
    """A person changed the memory. `ids` are the records meant, the first of them if there are many; `field`
    is what of them was set, or the choice in a dispute.

    Who and why are the person's own words.
    """

    action: EditAction
    record_kind: str
    field: str
    ids: tuple[str, ...]
    count: int
    author: str
    reason: str
    kind: Literal["edited"] = "edited"


@dataclass(frozen=True, slots=True)
class Reextracted:
    """Extraction was run again over a conversation, under the corrections that stand."""

    conversation_id: str
    made: int
    removed: int
    conflicts: int
    kind: Literal["reextracted"] = "reextracted"


@dataclass(frozen=True, slots=True)
class Repaired:
    """`doctor` removed what a crash had left: counts by what was wrong."""

    found: tuple[tuple[str, int], ...]
    kind: Literal["repaired"] = "repaired"


@dataclass(frozen=True, slots=True)
class Reconsolidated:
    """All units were absorbed once more under these thresholds: a new generation of episodes and facts."""

    theta_sim: float
    theta_count: int
    merge: float
    counting: str
    order: str
    collect: int
    units: int
    episodes: int
    facts: int
    removed: int
    share: float
    kind: Literal["reconsolidated"] = "reconsolidated"


@dataclass(frozen=True, slots=True)
class RunsImported:
    """Agent runs of a file were written, so many with so many steps."""

    file_id: str
    runs: int
    steps: int
    kind: Literal["runs_imported"] = "runs_imported"


@dataclass(frozen=True, slots=True)
class Ran:
    """A live agent did something: its run grew by so many records."""

    run_id: str
    records: int
    kind: Literal["ran"] = "ran"


@dataclass(frozen=True, slots=True)
class Erased:
    """Memory was erased for good: how many rows of each kind went, how many were written anew, and in how
    many of these words were replaced by a mark. Its receipt bears the id of the change. It cannot be
    undone."""

    gone: tuple[tuple[str, int], ...]
    rewritten: int
    images: int
    traces: int
    redacted: int = 0
    kind: Literal["erased"] = "erased"


@dataclass(frozen=True, slots=True)
class Lifted:
    """What an erasure kept out may be imported again: so many sources."""

    erasure: str
    sources: int
    kind: Literal["lifted"] = "lifted"


ChangeEvent = (
    Imported
    | RunsImported
    | Ran
    | Edited
    | Reextracted
    | Reconsolidated
    | Undone
    | Redone
    | Repaired
    | Erased
    | Lifted
)
