"""A stand-in for a model in the roles of a reconstruction: the real prompts are made and counted, nobody is
asked, and the offline rules decide within what a prompt offers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from memcore.events import ModelRole, Shown
from memcore.llm.expected import RECEIVED
from memcore.llm.model_router import Ground
from memcore.llm.offline.matching import tag_nearness
from memcore.llm.prompts.route import options, prompt_of
from memcore.llm.recording import hashed
from memcore.llm.role_asking import Came, RoleAsking, RoleQuestion, Used
from memcore.run_state import State
from memcore.tokens import count

NAME = "stand-in/rules"


class Tokens(Counter[ModelRole]):
    """Sent and received together, by role."""


@dataclass
class StandIn(RoleAsking):
    """`spent` are the tokens of all prompts so far and of replies as long as their decisions."""

    ground: Ground | None = None
    spent: Tokens = field(default_factory=Tokens)
    asked: int = 0

    def has(self, role: ModelRole, state: State) -> bool:
        """Every role is asked."""
        return True

    def value(self, ask: RoleQuestion) -> Came:
        """The paths that the rules prefer among those offered; every other role is left to the rules."""
        value = self._paths(ask) if ask.role == "choose" else None
        prompt = prompt_of(ask.role, ask.sheet)
        used = Used(prompt.tokens, count(json.dumps(value)) if value else _reply(ask), 0, 0)
        self.asked += 1
        self.spent[ask.role] += used.sent + used.received
        return self.told(ask, used, Came("ok", NAME, hashed(prompt), value))

    def _paths(self, ask: RoleQuestion) -> Any:
        """All that is no pair, then the pairs whose tags are nearest to the question."""
        assert self.ground is not None
        graph = self.ground.graph
        near = tag_nearness(graph, self.ground.question)

        def distance(line: Shown) -> float:
            pair = line.part == "pair_contents"
            return -float(near(graph.tag_index[line.tag_id])) if pair else -9.0  # type: ignore[arg-type]

        offered = options(ask.sheet.shown)
        order = sorted(range(len(offered)), key=lambda i: distance(offered[i]))
        most = ask.schema["properties"]["take"]["maxItems"]
        return {"take": [i for i in order if offered[i].part != "cue_tags"][:most]}


def _reply(ask: RoleQuestion) -> int:
    """About the length of a reply: an answer, or a word on each line that was shown."""
    if ask.role == "answer":
        return RECEIVED["answer"]
    decided = [s for s in ask.sheet.shown if s.part in ("content", "missing")]
    told = [{"memory": i, "why": "off_topic"} for i in range(len(decided))]
    return count(json.dumps({"keep": [], "prune": told}))
