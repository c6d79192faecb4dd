"""One question to the model of a role: a checked value, or none, and then rules do the work and it is said.

Each question is an event that names the prompt by its hash and by what was shown in it. A model that is out
(an outage that all patience could not outlast, a refused key, a budget that is used up) is not asked again
in the run, also not after it was resumed: that follows from the events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from memcore.errors import Cancelled, MemcoreError, ModelError, is_out
from memcore.events import ModelAsked, ModelRole, RoleFailed, Shown, ShownPart, TraceEvent
from memcore.llm.asking import LLM, Called, Check, Usage
from memcore.llm.listening import Listening
from memcore.llm.prompts.route import Sheet, prompt_of
from memcore.llm.recording import hashed
from memcore.llm.strict_json import Schema
from memcore.llm.tasks import OFFLINE
from memcore.run_state import State

DECIDING: tuple[ModelRole, ...] = ("choose", "route", "enough")
OFFLINE_FROM_HERE = "offline from here"


class RoleQuestion(NamedTuple):
    """What a role asks at a step, and the form of what it wants back."""

    role: ModelRole
    step: int
    sheet: Sheet
    schema: Schema
    check: Check | None = None


class Used(NamedTuple):
    """Tokens sent, received, cached, and milliseconds of all calls of one question."""

    sent: int
    received: int
    cached: int
    milliseconds: int


class Came(NamedTuple):
    """What came of a question to a model: "ok" or the name of its error.

    `value` is the checked value, None where rules have to do the work. `prompt` is the hash of what was
    asked, `reply` the id of the recorded reply.
    """

    outcome: str
    model: str
    prompt: str
    value: Any = None
    reply: str = ""


@dataclass
class RoleAsking:
    """The models of one run. `calls` is where its models enter every call they make."""

    models: Mapping[ModelRole, LLM]
    listening: Listening = field(default_factory=Listening)
    calls: list[Called] = field(default_factory=list[Called])
    asides: list[TraceEvent] = field(default_factory=list[TraceEvent])

    def has(self, role: ModelRole, state: State) -> bool:
        """Whether a model does this role now."""
        llm = self.models.get(role)
        return llm is not None and not any(
            e.model == llm.name and is_out(e.outcome) for e in (*state.models, *self.asides)
            if e.kind == "model_asked"
        )  # fmt: skip

    def decides(self, state: State) -> bool:
        """Whether a model still has a say in what is opened and kept, and in when it is enough."""
        return any(self.has(role, state) for role in DECIDING)

    def value(self, ask: RoleQuestion) -> Came:
        """What the model says. Raises Cancelled."""
        llm, prompt = self.models[ask.role], prompt_of(ask.role, ask.sheet)
        asked = hashed(prompt)
        self.calls.clear()
        try:
            reply = llm.ask(
                ask.role, prompt, ask.schema, partial(self.listening.on_text, ask.role), ask.check
            )
        except (ModelError, Cancelled) as error:
            return self._failed(ask, Came(type(error).__name__, llm.name, asked), error)
        used = self._used() if self.calls else Used(*reply.usage, reply.milliseconds)
        return self.told(ask, used, Came("ok", llm.name, asked, reply.value, reply.recorded))

    def taken(self) -> Sequence[TraceEvent]:
        """What happened since this was last asked."""
        happened, self.asides = self.asides, []
        return happened

    def told(self, ask: RoleQuestion, used: Used, came: Came) -> Came:
        """The same, entered: that a model was asked."""
        shown, chars = tuple(ask.sheet.shown), ask.sheet.chars
        to, ended = (came.model, came.prompt), (len(self.calls), came.outcome, came.reply)
        self.asides.append(ModelAsked(ask.step, ask.role, *to, shown, chars, *used, *ended))
        return came

    def _failed(self, ask: RoleQuestion, came: Came, error: MemcoreError) -> Came:
        self.told(ask, self._used(), came)
        if isinstance(error, Cancelled):
            raise error
        went_on = OFFLINE_FROM_HERE if is_out(came.outcome) else OFFLINE
        self.asides.append(RoleFailed(ask.step, ask.role, came.outcome, went_on))
        return came

    def _used(self) -> Used:
        usage = Usage.total(called.usage for called in self.calls)
        return Used(*usage, sum(called.milliseconds for called in self.calls))


def lines(part: ShownPart, content_ids: Sequence[str], revisions: Sequence[int], most: int) -> list[Shown]:
    """Contents as lines of a prompt, at most so many, and how many are left out."""
    read = list(zip(content_ids, revisions, strict=True))
    shown = [Shown(part, content_id=c, revision=r) for c, r in read[:most]]
    left = len(read) - len(shown)
    return [*shown, Shown("left_out", many=left)] if left else shown
