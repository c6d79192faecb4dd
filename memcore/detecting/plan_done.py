"""Boundary: an item of the agent's own plan is marked as done (todo lists, plans, tasks)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from memcore.detecting.actions import Act
from memcore.detecting.found import Boundary, Limits

RULE = "plan_item_done"
_LISTS = ("todos", "plan", "tasks", "task_list", "items", "steps")
_DONE = frozenset(("completed", "complete", "done", "finished"))
_TEXTS = ("content", "step", "title", "subject", "description", "text", "task")


class Item(NamedTuple):
    """One item of a plan, and whether it is done."""

    text: str
    done: bool


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Boundary]:
    """After each step that declares an item done that was not done before."""
    done: set[str] = set()
    for act in acts:
        items = plan_of(act)
        fresh = [item.text for item in items if item.done and item.text not in done]
        if items and "status" not in act.given:
            done = {item.text for item in items if item.done}  # the whole list was written anew
        done.update(fresh)
        if fresh and not act.failed:
            yield Boundary(act.position, RULE, (act.position,), True, "; ".join(fresh))


def plan_of(act: Act) -> list[Item]:
    """The items of the plan that an action writes, or the one that it changes; empty where it does not."""
    if act.family != "plan":
        return []
    given = act.given
    for key in _LISTS:
        if isinstance(given.get(key), list):
            found = (_item(entry) for entry in cast("list[Any]", given[key]))
            return [item for item in found if item]
    alone = _item(given) if "status" in given else None
    return [alone] if alone else []


def _item(entry: Any) -> Item | None:
    if not isinstance(entry, dict):
        return None
    fields = cast("dict[str, Any]", entry)
    status = str(fields.get("status", "")).lower()
    text = next((str(fields[key]) for key in _TEXTS if fields.get(key)), "")
    name = next((f"task {fields[key]}" for key in ("taskId", "task_id", "id") if fields.get(key)), "")
    return Item(text or name, status in _DONE) if status and (text or name) else None
