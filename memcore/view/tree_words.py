"""Agent runs in words: why a mark was made, why a step may have failed, what happened."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import cast

from memcore.events import TreeEvent
from memcore.records import AgentRun, RunMark, RunStep
from memcore.state_text import one_line
from memcore.state_tree import REASONS
from memcore.view.naming import counted
from memcore.view.text import shorten

RULES = {
    "agent": "the agent said so",
    "person": "marked by hand",
    "verifier": "every summary is checked",
    "maintain": "the check had failed",
    "too_long": "the steps since the last boundary had become too long",
    "search_tree": "the source says which step this one follows",
    "finished": "the agent says that it is finished",
    "plan_item_done": "an item of its plan was marked as done",
    "committed": "a commit was made",
    "tests_passed": "the tests passed",
    "reported": "the agent reported to the person",
    "handed_over": "a task was handed to another agent",
    "other_kind_of_work": "it turned to another kind of work",
    "other_file": "it turned to another file",
    "returned_to": "the agent came back to this point later",
    "length": "the steps since the last boundary had become too many",
    "compaction": "the context was compacted here",
    "search_backtrack": "the search went on from an earlier step",
    "rewound": "the person went back to an earlier prompt",
    "edit_undone": "an edit was taken back",
    "reverted": "what was done was reverted",
    "plan_restarted": "the plan was given up for another",
    "retried": "the same was tried again after a failure",
    "other_approach": "the agent chose another way after a failure",
}
SIGNALS = {
    "exit_code": "exit code not zero",
    "is_error": "the tool reported an error",
    "error_text": "the result begins with an error",
    "status_error": "the status is an error",
    "aborted": "cut off before its end",
    "no_result": "nothing came back",
    "reward_0": "the run ended with reward 0",
    "unsolved": "not solved by this trial",
    "labelled_mistake": "labelled as the mistake",
    "undone_edit": "its edit was taken back later",
    "retried": "the same was tried again",
    "backtracked": "the search left it",
}
CHOICES = (
    "Each layer has one root, and step 0 is a boundary: a failed first subgoal has something to go back to.",
    "A step is merged only with a child of the current node that did and saw the same, white space aside; a "
    "merge is an event: the agent walks a known path, and is told what became of it.",
    "Compress deletes nothing, and is refused where nothing was done.",
    "After a failed check the way goes back to the boundary just before the failed summary.",
    "Hints are computed, never stored: notes of subgoals that were left, and what was tried from here.",
    "A summary is written unasked after {steps} steps or {tokens:,} tokens; a live run goes back at most "
    "{boundary} times to one boundary and {all} times in all, then it has given up.",
)
EFFECTS = "Going back changes what the agent sees. What its steps did outside is not undone."
TEXT = 160
LONGEST_CALL = 20_000  # characters of an action that are still read as a call
_CALL = re.compile(r"\s*(?P<tool>[\w.-]{1,80})\((?P<arguments>\{.*\})\)\s*\Z", re.DOTALL)


def rule_words(mark: RunMark) -> str:
    """Why the mark is there, in words; a rule that is not known by its name."""
    return RULES.get(mark.rule, mark.rule.replace("_", " "))


def signal_words(signals: Iterable[str]) -> list[str]:
    """Why a step may have failed, in words."""
    return [SIGNALS.get(code, code.replace("_", " ")) for code in signals]


def action_words(step: RunStep) -> str:
    """An action on one line, a call with its arguments alone: `Bash: git status`."""
    call = _CALL.match(step.action)
    if call is None or len(step.action) > LONGEST_CALL:
        return one_line(step.action, TEXT)
    try:
        given: object = json.loads(call["arguments"])
    except ValueError:
        return one_line(step.action, TEXT)
    values = cast("dict[str, object]", given).values() if isinstance(given, dict) else [given]
    said = " · ".join(v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values)
    return one_line(f"{call['tool']}: {said}" if said else call["tool"], TEXT)


def summary_words(mark: RunMark | None, boundary: int) -> str:
    """A subgoal's name: the beginning of its summary, or where it ends."""
    said = one_line(mark.summary, TEXT) if mark else ""
    return said or f"Subgoal up to step {boundary}"


def told(event: TreeEvent, steps: Mapping[int, RunStep], marks: Mapping[str, RunMark]) -> str:
    """What happened, in one sentence."""
    match event.kind:
        case "run_started":
            return "The run begins."
        case "grown":
            return f"Step {event.step}: {_action(steps.get(event.step))}"
        case "known_path":
            return f"Step {event.step} does and sees the same as step {event.node}: a known path."
        case "compressed":
            done = summary_words(marks.get(event.record), event.covers[-1])
            return f"{counted(len(event.covers), 'step')} summed up: {done}"
        case "maintained":
            return _checked(event.passed, marks.get(event.record))
        case "revised":
            why = _note(marks.get(event.record))
            return f"Back from step {event.left} to step {event.target}{why}"
        case "refused":
            return f"Not possible: {REASONS[event.why].format(step=event.asked)}"
        case "gave_up":
            return f"Gave up: the limit of going back was reached at step {event.target}."


def run_line(run: AgentRun) -> str:
    """Trial, outcome, reward and size of a run on one line."""
    parts = [f"trial {run.trial}"] if run.trial is not None else []
    parts += [shorten(run.outcome, 40)] if run.outcome else []
    parts += [f"reward {reward_words(run.reward)}"] if run.reward is not None else []
    return " · ".join([*parts, counted(run.steps, "step")])


def run_name(run: AgentRun) -> str:
    """A run to be chosen by: its title and its line, the trial once."""
    line = run_line(run)
    trial = f"trial {run.trial}"
    return f"{run.title} · {line.removeprefix(f'{trial} · ') if trial in run.title else line}"


def distinct(labels: Mapping[str, str]) -> dict[str, str]:
    """The same labels by key, those that are alike told apart by a number: a choice goes by its label."""
    times: Counter[str] = Counter()
    found: dict[str, str] = {}
    for key, label in labels.items():
        times[label] += 1
        found[key] = label if times[label] == 1 else f"{label} ({times[label]})"
    return found


def reward_words(reward: float | None) -> str:
    """A reward as exact as it is: 1, 0.5; "" for none."""
    return "" if reward is None else f"{reward:g}"


def _checked(passed: bool, mark: RunMark | None) -> str:
    return "The check passed." if passed else f"The check failed{_note(mark)}"


def _note(mark: RunMark | None) -> str:
    said = one_line(mark.note, TEXT) if mark else ""
    return f": {said}" if said else "."


def _action(step: RunStep | None) -> str:
    return action_words(step) if step else "not stored"
