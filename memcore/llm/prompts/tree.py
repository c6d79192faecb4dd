"""What is asked about the state tree of an agent: to sum up a finished subgoal, and to check it."""

from __future__ import annotations

from memcore.llm.prompts.parts import DATA, Prompt, fenced, indented, shortened
from memcore.state_tree import Segment

_SUMMARISE = f"""Sum up these steps of an agent as one finished subgoal of its task: what it did, what it
found out, and every value, decision and requirement that later steps may need, in at most six sentences.
Nothing that the steps do not show. Answer {{"summary": "..."}}. {DATA}"""

_VERIFY = f"""Check the finished subgoal against the task and against what was done before. It fails when
information is missing that it needed, when a requirement of the task is not met, or when it contradicts
or outdates something earlier. What you cannot see you do not assume. Answer {{"passed": true}}, or
{{"passed": false, "note": "...", "back_to": 4, "evidence": [7]}}: the note says in one or two sentences what
is wrong and what to do instead, back_to is the number of an earlier point from which to go on (leave it out
for the last one before the subgoal), evidence are the numbers of the steps that show it. {DATA}"""


def summarise(task: str, segment: Segment, chars: int) -> Prompt:
    """The steps since the last boundary as a subgoal; at most `chars` of each action and observation."""
    return Prompt(
        _SUMMARISE,
        fenced(("task", indented(task)), ("before", _before(segment)), ("steps", _steps(segment, chars))),
    )


def verify(task: str, segment: Segment, chars: int) -> Prompt:
    """Is the subgoal really done? If not: why, where to go back to, and which steps show it."""
    return Prompt(
        _VERIFY,
        fenced(
            ("task", indented(task)),
            ("before", _before(segment)),
            ("steps", _steps(segment, chars)),
            ("summary of the subgoal", indented(segment.summary)),
        ),
    )


def _before(segment: Segment) -> str:
    return "\n".join(
        ["(0) the start", *(f"({step}) {indented(summary)}" for step, summary in segment.before)]
    )


def _steps(segment: Segment, chars: int) -> str:
    return "\n".join(
        f"({step.position}) did: {indented(shortened(step.action, chars))}\n"
        f"({step.position}) saw: {indented(shortened(step.observation, chars))}"
        for step in segment.steps
    )
