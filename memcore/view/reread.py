"""What came of reading everything again, in a sentence."""

from __future__ import annotations

from memcore.reextraction import Step
from memcore.view.naming import counted


def came_of(step: Step | None, conversations: int) -> str:
    """Of the last step, None where it was stopped or failed before the first conversation was read."""
    if step is None:
        return "Nothing was read again, and nothing was changed."
    whole = counted(conversations, "conversation")
    read = whole if step.done == conversations else f"{step.done:,} of {whole}"
    made = f"{counted(step.made, 'record')} made, {step.removed:,} removed"
    disputed = counted(step.conflicts, "correction is disputed", "corrections are disputed")
    return f"Read {read} again: {made}; {disputed if step.conflicts else 'no correction is disputed'}."
