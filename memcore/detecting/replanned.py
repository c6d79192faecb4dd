"""Return: a plan is given up and another one made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.found import Limits, Return
from memcore.detecting.plan_done import Item, plan_of

RULE = "plan_restarted"
_FIRST = re.compile(r"\s*(?:\*\*)?(?:Initial|First) plan\b", re.IGNORECASE)
_NEW = re.compile(r"\s*(?:\*\*)?(?:New|Revised) plan\s*(?:\*\*)?:", re.IGNORECASE)


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Return]:
    """Before the new plan; rolled back is everything from the plan that was given up."""
    plan, listed = 0, (0, list[Item]())
    for act in acts:
        text = act.step.action or act.step.thought
        if _FIRST.match(text):
            plan = act.position
        elif _NEW.match(text):
            if plan:
                yield _back(plan, act.position)
            plan = act.position
        if items := plan_of(act):
            if listed[0] and len(items) > 1 and _gave_up(listed[1], items):
                yield _back(listed[0], act.position)
            if len(items) > 1 and (not listed[0] or _gave_up(listed[1], items)):
                listed = (act.position, items)
            elif len(items) > 1:
                listed = (listed[0], items)


def _back(plan: int, again: int) -> Return:
    note = f"the plan of step {plan} was given up for another one at step {again}"
    return Return(again - 1, RULE, (plan, again), plan, note=note)


def _gave_up(before: list[Item], after: list[Item]) -> bool:
    """Nothing of the old plan is done, some of it is gone, and nothing of the new one is done."""
    if any(item.done for item in before) or any(item.done for item in after):
        return False
    return not {item.text for item in before} & {item.text for item in after}
