"""MAGE: what happens to the execution-state tree of one agent run.

Steps are positions in the run (0 is the start), subgoals are numbered in the order they were made, records
are the ids of what was stored (RunStep, RunMark). Sizes are tokens. Texts stay in the records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TreeOperation = Literal["grow", "compress", "maintain", "revise"]
RefusedWhy = Literal[
    "empty_segment",  # nothing was done since the last boundary
    "nothing_compressed",  # no subgoal to check
    "no_boundary",  # the step named is no point one can go back to
    "already_there",  # one stands there now, with nothing done since
    "boundary_limit",  # gone back to this boundary as often as allowed
    "run_limit",  # gone back as often as allowed in one run
    "switched_off",  # the operation is switched off
    "no_such_parent",  # the step it follows was never executed
    "known_position",  # a step of that position was executed already
    "model_failed",  # the summariser or the verifier did not deliver
]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A tree with its two roots: step 0 in the raw layer, subgoal 0 above it."""

    run_id: str
    kind: Literal["run_started"] = "run_started"


@dataclass(frozen=True, slots=True)
class Grown:
    """A step was executed: a raw node below `parent`."""

    step: int
    parent: int
    record: str
    tokens: int
    kind: Literal["grown"] = "grown"


@dataclass(frozen=True, slots=True)
class KnownPath:
    """The step does and shows what `node`, below the same parent, did before: the pointer moves there."""

    step: int
    node: int
    record: str
    tokens: int
    kind: Literal["known_path"] = "known_path"


@dataclass(frozen=True, slots=True)
class Compressed:
    """A subgoal below `parent` stands for the raw nodes `covers`; the last of them is its boundary."""

    step: int
    subgoal: int
    parent: int
    covers: tuple[int, ...]
    record: str
    rule: str
    tokens: int
    kind: Literal["compressed"] = "compressed"


@dataclass(frozen=True, slots=True)
class Maintained:
    """A subgoal was checked. `target` is the step to go back to if it failed, `tokens` the note's size."""

    step: int
    subgoal: int
    passed: bool
    target: int | None
    record: str
    rule: str
    tokens: int
    kind: Literal["maintained"] = "maintained"


@dataclass(frozen=True, slots=True)
class Revised:
    """Both pointers went back: from the raw node `left` to `target`, and to the subgoal before it."""

    step: int
    left: int
    target: int
    subgoal: int
    record: str
    rule: str
    kind: Literal["revised"] = "revised"


@dataclass(frozen=True, slots=True)
class Refused:
    """An operation that was not possible: the tree is as it was. `asked` is the step it named, if any."""

    step: int
    operation: TreeOperation
    why: RefusedWhy
    asked: int | None = None
    record: str = ""
    kind: Literal["refused"] = "refused"


@dataclass(frozen=True, slots=True)
class GaveUp:
    """It was to go back to `target` once more, and the limit of revisions was reached."""

    step: int
    target: int
    record: str
    kind: Literal["gave_up"] = "gave_up"


TreeEvent = RunStarted | Grown | KnownPath | Compressed | Maintained | Revised | Refused | GaveUp
