"""A dialogue that is a tree: the path to the current reply is the main branch, the rest are alternatives.

Edited questions and regenerated replies make a fork. Every message belongs to exactly one branch: an
alternative starts where it leaves what was placed before and runs down to a leaf.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Mapping
from typing import NamedTuple

from memcore.importing.draft import MAIN


class Placed(NamedTuple):
    """One message of the tree and the branch it stands on."""

    id: str
    branch: str


def branches(parents: Mapping[str, str | None], leaf: str) -> list[Placed]:
    """Every message once: the main branch from its root to `leaf`, then the alternatives.

    `parents` maps each message to its parent; one that is not in the map counts as none. Messages
    that hang in a circle which no root reaches are left out.
    """
    main = path_to(parents, leaf)
    placed = [Placed(id, MAIN) for id in main]
    below = _children(parents)
    done = set(main)
    waiting = deque(id for id, parent in parents.items() if parent not in parents)
    waiting.extend(child for id in main for child in below.get(id, ()))
    number = 0
    while waiting:
        start = waiting.popleft()
        if start in done:
            continue
        number += 1
        for id in _down_to_leaf(start, below, done):
            placed.append(Placed(id, f"alternative {number}"))
            waiting.extend(child for child in below.get(id, ()) if child not in done)
    return placed


def path_to(parents: Mapping[str, str | None], leaf: str) -> list[str]:
    """From the root to `leaf`; a circle is cut where it closes."""
    path: dict[str, None] = {}
    at: str | None = leaf
    while at is not None and at in parents and at not in path:
        path[at] = None
        at = parents[at]
    return list(reversed(path))


def nearest_above(parents: Mapping[str, str | None], id: str, told: Container[str]) -> str | None:
    """The closest ancestor that is among `told`; None where there is none."""
    seen = {id}
    at = parents.get(id)
    while at is not None and at not in told and at not in seen:
        seen.add(at)
        at = parents.get(at)
    return at if at is not None and at in told else None


def leaves(parents: Mapping[str, str | None]) -> list[str]:
    """The messages nothing answers to, in the order of the file."""
    answered = set(parents.values())
    return [id for id in parents if id not in answered]


def _children(parents: Mapping[str, str | None]) -> dict[str, list[str]]:
    below: dict[str, list[str]] = {}
    for id, parent in parents.items():
        if parent is not None and parent in parents:
            below.setdefault(parent, []).append(id)
    return below


def _down_to_leaf(start: str, below: Mapping[str, list[str]], done: set[str]) -> list[str]:
    """The first free child of each message, from `start`; all of them are marked as done."""
    path: list[str] = []
    at: str | None = start
    while at is not None:
        path.append(at)
        done.add(at)
        at = next((child for child in below.get(at, ()) if child not in done), None)
    return path
