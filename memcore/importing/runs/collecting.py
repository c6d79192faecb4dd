"""Steps out of a dialogue between an agent and its surroundings: calls, their results, replies.

An action is a tool call, or a message where there is none. Its observation is everything that comes
back before the next action: the result with the call's id, and what the user says. Several calls of one
message are steps of their own, in the order of the message; what was said with them is the first one's
thought. A result that answers no call is kept as a step without an action.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from memcore.importing.report import Report
from memcore.importing.runs.draft import DraftStep
from memcore.records import UNKNOWN, Moment

NO_RESULT = "no_result"
_ORPHAN = "a result answers no call of the file; it was kept as a step without an action"
_SYSTEM = "a system prompt is not a step and was left out"


@dataclass
class _Open:
    """A step that is still being read."""

    action: str
    tool: str = ""
    thought: str = ""
    source: str = ""
    said: Moment = UNKNOWN
    observed: list[str] = field(default_factory=list[str])
    signals: list[str] = field(default_factory=list[str])
    answered: bool = True
    parent: int | None = None


class Collecting:
    """Collects the steps of one run in the order of the file."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._steps: list[_Open] = []
        self._waiting: dict[str, deque[int]] = {}
        self._places: dict[str, int] = {}
        self._task: list[str] = []

    @property
    def task(self) -> str:
        """What was asked before the first action."""
        return "\n\n".join(self._task)

    @property
    def count(self) -> int:
        """How many steps there are so far."""
        return len(self._steps)

    def system(self) -> None:
        """A system prompt is the same for every step and no part of the run."""
        self._report.warn(_SYSTEM)

    def call(self, id: str, tool: str, given: str, thought: str = "", said: Moment = UNKNOWN) -> None:
        """The agent calls a tool; `given` are the arguments as they stand."""
        self._waiting.setdefault(id, deque()).append(len(self._steps))
        if id:
            self._places[id] = len(self._steps)
        self._steps.append(_Open(f"{tool}({given})", tool, thought, id, said, answered=False))

    def say(self, text: str, thought: str = "", source: str = "", said: Moment = UNKNOWN) -> None:
        """The agent says something and calls nothing."""
        self._steps.append(_Open(text, "", thought, source, said))

    def name_tool(self, tool: str) -> None:
        """The last message was a call written as text."""
        self._steps[-1].tool = tool

    def result(self, id: str, text: str, signals: tuple[str, ...] = (), tool: str = "") -> None:
        """What came back from the call with this id (or, without ids, from the oldest of this tool)."""
        waiting = self._waiting_for(id, tool)
        if waiting:
            step = self._steps[waiting.popleft()]
        elif (place := self._places.get(id)) is not None and text in self._steps[place].observed:
            self._report.repeat(1)
            return
        else:
            self._report.warn(_ORPHAN)
            step = _Open("", tool, source=id)
            self._steps.append(step)
        step.answered = True
        step.signals += signals
        step.observed.append(text)

    def _waiting_for(self, id: str, tool: str) -> deque[int] | None:
        """The open calls with this id; where one of both has none, those of the tool, then any without."""
        if id and self._waiting.get(id):
            return self._waiting[id]
        nameless = self._waiting.get("")
        if nameless is None:
            return None
        asked = [place for place in nameless if tool and self._steps[place].tool == tool]
        if asked and asked[0] != nameless[0]:
            nameless.remove(asked[0])
            return deque(asked[:1])
        return nameless

    def reply(self, text: str, signals: tuple[str, ...] = ()) -> None:
        """The user says something: the task before the first action, an observation after it."""
        if not text.strip():
            return
        if self._steps:
            self._steps[-1].observed.append(text)
            self._steps[-1].signals += signals
        else:
            self._task.append(text)

    def close(self, text: str) -> None:
        """The run ended with the last action, and with this text."""
        if self._steps:
            self._steps[-1].answered = True
        self.reply(text)

    def heard(self, text: str, parent: int) -> None:
        """The user went back to the step at `parent` and asked something else from there."""
        self._steps.append(_Open("", "user", observed=[text], parent=parent))

    def fail(self, signal: str) -> None:
        """The last step failed for this reason."""
        if self._steps:
            self._steps[-1].signals.append(signal)

    def place_of(self, id: str) -> int | None:
        """The position (from 1) of the last call with this id."""
        place = self._places.get(id)
        return None if place is None else place + 1

    def finish(self, expects_results: bool = True) -> tuple[DraftStep, ...]:
        """The steps. A call that nothing came back from says so, unless the log ends before it could."""
        return tuple(_step(step, expects_results) for step in self._steps)


def _step(step: _Open, expects_results: bool) -> DraftStep:
    missing = (NO_RESULT,) if expects_results and not step.answered else ()
    return DraftStep(
        action=step.action,
        observation="\n\n".join(step.observed),
        thought=step.thought,
        tool=step.tool,
        parent=step.parent,
        signals=(*dict.fromkeys(step.signals), *missing),
        source=step.source,
        said=step.said,
    )
