"""Return: an action failed and is done again, the same or the same on the same thing; or the agent says
that it will try another way after a failure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.found import Limits, Return

AGAIN, OTHERWISE = "retried", "other_approach"
_OTHERWISE = re.compile(
    r"\b(?:different|another|alternative|new) (?:approach|way|strategy)\b"
    r"|\bstart(?:ing)? (?:over|from scratch)\b|\binstead, (?:I|let)\b"
    r"|\b(?:that|this|it) (?:approach )?(?:did ?n[o']t|does ?n[o']t|wo ?n't) work\b",
    re.IGNORECASE,
)
_THOUGHT = 600  # characters in which an agent says what it does next


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Return]:
    """Before the step that does it again; rolled back is everything from the failed step on."""
    for act in acts:
        if act.failed:
            if again := _again(acts, act, limits):
                yield _back(act, again, AGAIN)
        elif (failed := _said_otherwise(acts, act, limits)) is not None:
            yield _back(failed, act, OTHERWISE)


def reason(act: Act, limit: int = 160) -> str:
    """Why a step failed, in its own words: the line of its observation that says so."""
    lines = [line.strip() for line in act.step.observation[:2_000].splitlines() if line.strip()]
    told = next(
        (line for line in lines if re.search(r"error|fail|not found|no such|invalid", line, re.I)), ""
    )
    line = told or (lines[0] if lines else "nothing came back")
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _back(failed: Act, again: Act, rule: str) -> Return:
    note = f"step {failed.position} failed: {reason(failed)}"
    return Return(again.position - 1, rule, (failed.position, again.position), failed.position, note=note)


def _again(acts: Sequence[Act], failed: Act, limits: Limits) -> Act | None:
    """The next step that does the same; looking around in between is no deed."""
    for later in acts[failed.position : failed.position + limits.retry]:
        if later.key == failed.key or _same_thing(later, failed):
            return later
        if later.family != "look":
            return None
    return None


def _same_thing(later: Act, failed: Act) -> bool:
    """The same tool on the same file, the same program, or the same call with other arguments."""
    if not failed.step.tool or later.step.tool != failed.step.tool or later.family != failed.family:
        return False
    if failed.path or later.path:
        return failed.path == later.path
    if failed.command or later.command:
        return failed.command.split()[:1] == later.command.split()[:1] and failed.family != "look"
    return failed.family in ("do", "web")


def _said_otherwise(acts: Sequence[Act], act: Act, limits: Limits) -> Act | None:
    """The failed step shortly before a step whose thought says that it goes about it in another way."""
    if not act.step.tool or not _OTHERWISE.search(act.step.thought[:_THOUGHT]):
        return None
    before = acts[max(0, act.position - 1 - limits.retry) : act.position - 1]
    return next((step for step in reversed(before) if step.failed), None)
