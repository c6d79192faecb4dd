"""Why a step may have failed, as reason codes: what the format says, what the observation shows, what
the run did next.

From the format: is_error, aborted (the turn was cut off), no_result (a call that nothing came back from),
unsolved (a trial), labelled_mistake, and codes of our own JSONL. From the observation: exit_code (not
zero), status_error (a status of error, failed or cancelled), error_text (it begins with an error).
From the run: reward_0 (its last step), retried (the same action again although it failed or brought the
same answer), undone_edit (a later edit puts back what was), backtracked (the search left it and went on
elsewhere).
"""

from __future__ import annotations

import re

from memcore.detecting.actions import Act, acts_of
from memcore.detecting.edits import is_revert, opposite_edits
from memcore.importing.runs.draft import DraftRun, DraftStep

LABELLED = "labelled_mistake"
UNSOLVED = "unsolved"
_HEAD, _TAIL = 400, 600  # characters of an observation in which a tool reports on itself
_RETRY = 3  # steps within which doing the same again is a retry
_UNDO = 40  # steps within which the opposite edit takes one back
_EXIT = re.compile(
    r"^exit\s?code:?\s*(-?\d+)"  # AutoGen, Claude Code
    r"|<returncode>\s*(-?\d+)"  # mini-swe-agent
    r"|\[[^\]\n]*exit code:?\s*(-?\d+)\.?\]"  # OpenHands
    r"|[\"']exit_?code[\"']\s*:\s*(-?\d+)"
    r"|^(?:process|command)[^\n]{0,40}exited with (?:exit )?code\s*(-?\d+)",
    re.IGNORECASE | re.MULTILINE,
)
_ERROR = re.compile(
    r"\s*(?:<tool_use_error>|Traceback \(most recent call last\)|(?:\w+)?(?:Error|Exception)\b\s*[:(]"
    r"|error\s*:|fatal:|ERROR\b|Ran into \[Errno|Invalid `\w+` parameter"
    r"|Your (?:proposed edit|bash command|output) (?:has introduced|contained|could not)"
    r"|[\w./-]+: [^\n]{0,120}(?:No such file|command not found|not found|Permission denied)"
    r"|Command timed out|The command [^\n]{0,200} was cancelled|EXECUTION TIMED OUT)"
)
_TRACE = re.compile(r"^Traceback \(most recent call last\):", re.MULTILINE)
_STATUS = re.compile(r'"status"\s*:\s*"(?:error|failed|failure|cancelled|canceled|timeout)"', re.IGNORECASE)


def with_signals(run: DraftRun) -> DraftRun:
    """The run, and those nested in it, with all signals of every step; each code once, in order."""
    acts = acts_of([_read(step) for step in run.steps])
    found: dict[int, list[str]] = {act.position: list(act.step.signals) for act in acts}
    for act in acts:
        if _again(act, acts):
            found[act.position].append("retried")
    for undone in opposite_edits(acts, _UNDO):
        found[undone.edit].append("undone_edit")
    for position in _undone_by_editor(acts):
        found[position].append("undone_edit")
    for position in _left(run.steps):
        found[position].append("backtracked")
    if run.steps and run.reward is not None and run.reward <= 0:
        found[len(run.steps)].append("reward_0")
    steps = tuple(
        step._replace(signals=tuple(dict.fromkeys(found[position])))
        for position, step in enumerate(run.steps, start=1)
    )
    return run._replace(steps=steps, nested=tuple(map(with_signals, run.nested)))


def observed(text: str) -> tuple[str, ...]:
    """The codes that an observation shows. A tool reports on itself at the head or the end of it."""
    head, tail = text[:_HEAD], text[-_TAIL:] if len(text) > _HEAD else ""
    codes = [
        int(next(filter(None, found.groups()))) for part in (head, tail) for found in _EXIT.finditer(part)
    ]
    if codes:
        return ("exit_code",) if any(codes) else ()
    if _STATUS.search(head) and head.lstrip().startswith("{"):
        return ("status_error",)
    return ("error_text",) if _ERROR.match(head) or _TRACE.search(tail or head) else ()


def _read(step: DraftStep) -> DraftStep:
    return step._replace(signals=(*step.signals, *observed(step.observation))) if step.tool else step


def _again(act: Act, acts: list[Act]) -> bool:
    """Whether the same is done again soon although it failed, or the answer is the same again."""
    if act.family == "say" or act.step.tool == "thought" or not act.step.action:
        return False
    for later in acts[act.position : act.position + _RETRY]:
        if later.key == act.key:
            return act.failed or later.step.observation == act.step.observation
    return False


def _undone_by_editor(acts: list[Act]) -> list[int]:
    """The edit before each undo or checkout, of the same file where both name one."""
    found: list[int] = []
    for act in acts:
        if not is_revert(act) or act.failed:
            continue
        for earlier in reversed(acts[max(0, act.position - 1 - _UNDO) : act.position - 1]):
            same = not act.path or not earlier.path or act.path == earlier.path
            if earlier.family == "edit" and same and not is_revert(earlier):
                found.append(earlier.position)
                break
    return found


def _left(steps: tuple[DraftStep, ...]) -> list[int]:
    """The steps after which the source goes on from an earlier one."""
    parents = [step.parent for step in steps]
    return [at for at, parent in enumerate(parents[1:], start=1) if parent is not None and parent != at]
