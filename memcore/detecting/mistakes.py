"""Which steps of a failed run most likely went wrong, by rules that look at one step each.

In this order: the agent admits a gap (it assumes, it could not find, it goes by what it knows); the last
step of substance, in which it concluded; a step that failed by its own signals, or whose output did. A
label that a person gave, a reward and what the run did later are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memcore.detecting.actions import Act, Step, acts_of

ADMITS, CONCLUDED, FAILED = "admits_a_gap", "concluded", "failed_itself"
_ADMITS = re.compile(
    r"\b(?:assum(?:e|ed|ing|ption)|hypothetical|placeholder|for (?:demonstration|example) purposes"
    r"|(?:unable|not able) to|manually|mock|simulat\w+|based on (?:my|general|the available) knowledge"
    r"|(?:could|can|did|does) ?n[o']t "
    r"(?:find|locate|access|provide|retrieve|determine|see|contain|execute))\b",
    re.IGNORECASE,
)
_NO_SUBSTANCE = re.compile(
    r"\s*(?:TERMINATE|FINAL ANSWER|No agent selected|Request satisfied|Max (?:rounds|time)|Replan counter"
    r"|submit\b)"
)
_THINKS = "(thought)"  # how a log of several agents marks what is said to nobody
_READ = 20_000  # characters of a step that are looked through


class Suspect(NamedTuple):
    """A step that may be the mistake, and the rule that names it."""

    position: int
    rule: str


def failing_steps(steps: Sequence[Step], most: int = 3) -> list[Suspect]:
    """At most `most` steps, the most suspicious first; each once, by the first rule that names it."""
    acts = acts_of(steps)
    found: dict[int, str] = {}
    for rule, named in ((ADMITS, _admits(acts)), (CONCLUDED, _concluded(acts)), (FAILED, _failed(acts))):
        for position in named:
            found.setdefault(position, rule)
    return [Suspect(position, rule) for position, rule in list(found.items())[:most]]


def _admits(acts: Sequence[Act]) -> Iterator[int]:
    """Every step but the first (the task) in which the agent says aloud that something is missing."""
    for act in acts[1:]:
        said = f"{act.step.thought[:_READ]}\n{act.step.action[:_READ]}"
        if _THINKS not in act.step.tool and _ADMITS.search(said):
            yield act.position


def _concluded(acts: Sequence[Act]) -> Iterator[int]:
    """The last step that is more than a word of farewell."""
    for act in reversed(acts):
        if not _NO_SUBSTANCE.match(act.step.action or act.step.observation):
            yield act.position
            return


def _failed(acts: Sequence[Act]) -> Iterator[int]:
    """Steps that failed; where only an output was recorded, the step before it made it."""
    for act in acts:
        if act.failed:
            yield act.position if act.step.action else max(act.position - 1, 1)
