"""One demo run from its seed: the shop, the shopper, and a memory between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from memcore.agent_memory import AgentMemory, Log, Move, react
from memcore.demo.policy import Shopper
from memcore.demo.shop import Shop, make_task
from memcore.events import TreeEvent
from memcore.llm.offline.summariser import ExtractiveSummariser
from memcore.llm.offline.verifier import RuleVerifier
from memcore.records import AgentRun
from memcore.settings import DEFAULT, Settings
from memcore.state_tree import Summariser, Verifier
from memcore.tokens import count

MOST_MOVES = 120


@dataclass
class Visit:
    """A run in the making. `read` are the tokens of every state that the shopper has read."""

    shop: Shop
    shopper: Shopper
    memory: AgentMemory
    read: int = 0
    moves: int = 0

    def events(self) -> Iterator[TreeEvent]:
        """Shop to the end, event by event; stopping in between leaves a run like any other."""
        return react(self.memory, self._decide, self.shop.act, MOST_MOVES)

    def run(self) -> AgentRun:
        """The run as it is stored beside its steps and marks, wherever it stands now."""
        task = self.shop.task
        return AgentRun(
            self.memory.run_id,
            "",
            f"demo {task.seed}: {task.theme}",
            f"demo {task.seed}",
            task.text,
            agent="scripted shopper",
            task_id=f"demo {task.seed}",
            reward=float(self.shop.success) if self.shop.closed else None,
            outcome=("accepted" if self.shop.success else "refused") if self.shop.closed else "",
            steps=self.memory.tree.step,
        )

    def _decide(self, text: str) -> Move:
        self.read += count(text)
        self.moves += 1
        return self.shopper.decide(text)


class Roles(NamedTuple):
    """Who checks finished subgoals and who sums them up: rules, unless somebody else is named."""

    verifier: Verifier = RuleVerifier()
    summariser: Summariser = ExtractiveSummariser()


def visit(seed: int, log: Log, settings: Settings = DEFAULT, roles: Roles | None = None) -> Visit:
    """The shop, the shopper and the memory of a seed's task; whatever happens goes into `log`."""
    task = make_task(seed)
    memory = AgentMemory(task.text, log, *(roles or Roles()), settings)
    return Visit(Shop(task), Shopper(task), memory)
