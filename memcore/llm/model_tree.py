"""Compress and Maintain of MAGE's state tree, by a model: a summary of finished steps, and their check.

Steps are named by their numbers in the run. The model may go back only to a point it was shown and may
point only to steps of the subgoal; anything else is refused, and then the tree stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memcore.errors import ReplyInvalid
from memcore.llm import prompts
from memcore.llm.asking import LLM
from memcore.llm.strict_json import Schema
from memcore.records import MadeBy
from memcore.settings import DEFAULT, Settings
from memcore.state_tree import Segment, Verdict

_SUMMARY: Schema = {
    "type": "object",
    "properties": {"summary": {"type": "string", "minLength": 1}},
    "required": ["summary"],
    "additionalProperties": False,
}
_VERDICT: Schema = {
    "type": "object",
    "properties": {
        "passed": {"type": "boolean"},
        "note": {"type": "string"},
        "back_to": {"type": ["integer", "null"]},
        "evidence": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["passed"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ModelSummariser:
    """The role of Compress. Raises ModelError, Cancelled."""

    llm: LLM
    settings: Settings = DEFAULT
    made_by: MadeBy = "model"

    def summarise(self, task: str, segment: Segment) -> str:
        """See Summariser.summarise."""
        prompt = prompts.summarise(task, segment, self.settings.tree_step_chars)
        return self.llm.ask("summarise", prompt, _SUMMARY).value["summary"].strip()


@dataclass(frozen=True, slots=True)
class ModelVerifier:
    """The role of Maintain. Raises ModelError, Cancelled."""

    llm: LLM
    settings: Settings = DEFAULT
    made_by: MadeBy = "model"

    def verify(self, task: str, segment: Segment) -> Verdict:
        """See Verifier.verify."""
        prompt = prompts.verify(task, segment, self.settings.tree_step_chars)
        told = self.llm.ask("verify", prompt, _VERDICT, check=lambda value: _grounded(value, segment)).value
        if told["passed"]:
            return Verdict(True)
        evidence = tuple(sorted(set(told.get("evidence", ()))))
        return Verdict(False, told["note"].strip(), told.get("back_to"), evidence)


def _grounded(value: Any, segment: Segment) -> None:
    """A failed check says why, and names only what was shown."""
    if value["passed"]:
        return
    points = {0, *(step for step, _ in segment.before)}
    steps = {step.position for step in segment.steps}
    if not value.get("note", "").strip():
        raise ReplyInvalid("The model's reply says that the subgoal failed, and not why.")
    if value.get("back_to") not in {None, *points}:
        raise ReplyInvalid("The model's reply goes back to a point that it was not shown.")
    if not steps.issuperset(value.get("evidence", ())):
        raise ReplyInvalid("The model's reply points to a step that is not of the subgoal.")
