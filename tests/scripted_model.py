"""A model behind a server that plays the roles of a reconstruction as it is told to, by its schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from building import Town
from llm_server import Asked, Server

from memcore.events import TraceEvent
from memcore.llm.asking import Called, Model, Tallied, Usage, Wire
from memcore.llm.casting import Part, cast_of
from memcore.llm.choose import Access, wire_named
from memcore.llm.listening import Listening
from memcore.llm.model_router import ROLES, Ground, ModelRouter
from memcore.llm.offline.router import OfflineRouter
from memcore.llm.patience import Patience
from memcore.question import Question
from memcore.reconstruction import Ask, Limits, always, reconstruct
from memcore.run_state import State
from memcore.settings import DEFAULT, Settings

Play = Callable[[Asked], Any]


_ROLES = {"windows": "read", "take": "choose", "keep": "route", "enough": "enough", "found": "answer"}
_SECTIONS = {
    "take": "paths", "keep": "memories", "cites": "evidence", "missing": "cues of the question",
    "follow": "cues of the evidence",
}  # fmt: skip
_TAKEN = DEFAULT.model_takes


def role_of(asked: Asked) -> str:
    """The role that a request is about, by the form of its reply."""
    return next(_ROLES[name] for name in asked.schema["properties"] if name in _ROLES)


def shown(asked: Asked, name: str) -> int:
    """How many numbers the prompt offers for this member of a reply."""
    after = asked.data.partition(f"\n{_SECTIONS[name]}:\n")[2]
    section = re.split(r"\n(?:[a-z ]+:|=== [a-z]+)(?=\n|$)", after)[0]
    number = r"\((\d+)\)" if name == "take" else r"^\(E?(\d+)\)"
    return max((int(n) + 1 for n in re.findall(number, section, re.M)), default=0)


def question_of(asked: Asked) -> str:
    found = re.search(r"^question:\n(.*)$", asked.data, re.M)
    return found[1] if found else ""


def read(asked: Asked) -> Any:
    names = re.findall(r"\b[A-Z]\w+", question_of(asked))[1:]
    cues = [{"name": n, "kind": "entity", "also": []} for n in names]
    return {"cues": cues, "people": [], "windows": []}


def choose(asked: Asked) -> Any:
    return {"take": list(range(min(_TAKEN, shown(asked, "take"))))}


def route(asked: Asked) -> Any:
    count = shown(asked, "keep")
    return {"keep": list(range(0, count, 2)), "prune": [_left(i) for i in range(1, count, 2)]}


def enough(asked: Asked) -> Any:
    follow = list(range(min(2, shown(asked, "follow"))))
    return {"enough": False, "missing": list(range(shown(asked, "missing"))), "follow": follow}


def answer(asked: Asked) -> Any:
    return {"found": True, "answer": "To glaze a bowl.", "cites": [0]}


def _left(number: int) -> Any:
    return {"memory": number, "why": "off_topic"}


FOLLOWS: Mapping[str, Play] = {
    "read": read, "choose": choose, "route": route, "enough": enough, "answer": answer,
}  # fmt: skip


def playing(**instead: Play) -> Callable[[Asked], str]:
    """What a server replies: by the rules, but for the roles given."""
    plays = {**FOLLOWS, **instead}

    def reply(asked: Asked) -> str:
        told = plays[role_of(asked)](asked)
        return told if isinstance(told, str) else json.dumps(told)

    return reply


@dataclass
class Bill:
    """A book that only listens."""

    calls: list[Called] = field(default_factory=list[Called])

    def before(self, task: str, model: str, most: Usage) -> str:
        """Everything may be asked."""
        return ""

    def after(self, called: Called, call: str = "") -> None:
        self.calls.append(called)


@dataclass
class Theatre:
    """A town whose questions are answered by the model of a server, in these roles."""

    town: Town
    server: Server
    roles: tuple[str, ...] = ROLES
    settings: Settings = DEFAULT
    listening: Listening = field(default_factory=Listening)
    bill: Bill = field(default_factory=Bill)
    provider: str = "local"

    def router(self, ask: Ask) -> ModelRouter:
        question = self.town.prepare(ask.question)

        def rules(of: Question) -> OfflineRouter:
            return OfflineRouter(
                ask, of, self.town.graph, self.town.lexical, self.settings, self.town.texts_of
            )

        ground = Ground(ask, question, self.town.graph, self.settings, self.town.texts_of, rules)
        return ModelRouter(ground, cast_of(self._model, ROLES, Part("run"), self.listening))

    def run(self, ask: Ask, state: State | None = None) -> list[TraceEvent]:
        limits = Limits(always(self.settings.steps), self.settings.calls, self.listening.cancelled)
        return list(reconstruct(ask, self.town.graph, self.router(ask), limits, state))

    def _model(self, role: str, run: str = "", listening: Listening | None = None, instead: str = "") -> Any:
        if role not in self.roles:
            return None
        following = listening or Listening()
        patience = Patience(self.settings, following.waiting, following.cancelled, sleep=lambda seconds: None)
        book = Tallied(self.bill, following.called)
        return Model(self._wire, book, patience)

    @cached_property
    def _wire(self) -> Wire:
        path = "/v1" if self.provider == "local" else ""
        access = Access(f"{self.server.url}{path}", "a-key")
        return wire_named(f"{self.provider}/some-model", access, self.settings)

    def close(self) -> None:
        self._wire.close()
