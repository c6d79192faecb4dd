"""Return: an edit is taken back by the opposite edit, an undo command, or git (checkout, restore, reset)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.checked import COMMITTED
from memcore.detecting.checked import find as find_checks
from memcore.detecting.edits import edits_file, is_revert, is_undo, opposite_edits
from memcore.detecting.found import Limits, Return

EDIT, COMMAND = "edit_undone", "reverted"


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Return]:
    """After the step that takes back; rolled back is everything from the edit on."""
    for undone in opposite_edits(acts, limits.undo):
        note = f"the edit of step {undone.edit} was taken back at step {undone.by}"
        yield Return(undone.by, EDIT, (undone.edit, undone.by), undone.edit, note=note)
    commits = [found.after for found in find_checks(acts, limits) if found.rule == COMMITTED]
    for act in acts:
        if is_revert(act) and not act.failed:
            since = max((at for at in commits if at < act.position), default=0)
            if edit := _edit_before(acts, act, since, limits):
                note = f"what was edited since step {edit} was taken back at step {act.position}"
                yield Return(act.position, COMMAND, (edit, act.position), edit, note=note)


def _edit_before(acts: Sequence[Act], revert: Act, since: int, limits: Limits) -> int:
    """The edit that a revert takes back: the last one for an undo, else the first since the last commit."""
    first = max(since, revert.position - 1 - limits.undo, 0)
    edits = [act.position for act in acts[first : revert.position - 1] if edits_file(act)]
    if not edits:
        return 0
    return edits[-1] if is_undo(revert) else edits[0]
