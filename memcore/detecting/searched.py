"""Return: the source itself says that a step follows an earlier one: a search left a branch, or a person
went back to an earlier prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.found import Limits, Return

SEARCH, REWOUND = "search_backtrack", "rewound"


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Return]:
    """After each step that the next one does not follow."""
    for act in acts[1:]:
        parent, last = act.step.parent, act.position - 1
        if parent is not None and parent != last:
            rule = REWOUND if act.step.tool == "user" else SEARCH
            yield Return(last, rule, (last, act.position), target=parent)
