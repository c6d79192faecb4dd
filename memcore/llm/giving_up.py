"""A model that is not asked again in a run once it is out: the work goes on by rules, and says how often.

After an outage that all patience could not outlast, a refused key or a budget that is used up, every later
question of the run fails at once with the same error. What was refused for its own sake, or has no recorded
reply, is counted only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from memcore.errors import ModelError
from memcore.llm.asking import LLM, Check, OnText, Reply
from memcore.llm.prompts import Prompt
from memcore.llm.strict_json import Schema


@dataclass(slots=True)
class GivingUp:
    """`failed` counts the questions that were not answered, by what went wrong."""

    llm: LLM
    failed: Counter[str] = field(default_factory=Counter[str])
    _out: ModelError | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        return self.llm.name

    def ask(
        self, task: str, prompt: Prompt, schema: Schema, on_text: OnText | None = None,
        check: Check | None = None,
    ) -> Reply:  # fmt: skip
        """See LLM.ask."""
        try:
            if self._out is not None:
                raise self._out
            return self.llm.ask(task, prompt, schema, on_text, check)
        except ModelError as error:
            if error.out:
                self._out = error
            self.failed[str(error)] += 1
            raise
