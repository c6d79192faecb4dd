"""Boundary: the agent turns to another kind of work, or to another file.

A kind of work is a family of tools (looking, editing, running, the web ...). It has changed where a
stretch of one kind is followed by a stretch of another; a single step of another kind changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.found import Boundary, Limits

KIND, FILE = "other_kind_of_work", "other_file"


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Boundary]:
    """Changes of kind first, then changes of the file that is edited."""
    yield from _kinds(acts, limits)
    yield from _files(acts)


def _kinds(acts: Sequence[Act], limits: Limits) -> Iterator[Boundary]:
    """Where `stretch` steps of one family end and as many of another begin."""
    span = limits.stretch
    for at in range(span, len(acts) - span + 1):
        before = {act.family for act in acts[at - span : at]}
        after = {act.family for act in acts[at : at + span]}
        if len(before) == len(after) == 1 and before != after:
            yield Boundary(acts[at - 1].position, KIND, (acts[at - 1].position, acts[at].position))


def _files(acts: Sequence[Act]) -> Iterator[Boundary]:
    """After the last deed before the first edit of another file than the one edited (twice) before."""
    last, times, at = "", 0, 0
    for act in acts:
        if act.family != "edit" or not act.path or act.failed:
            continue
        if act.path == last:
            times += 1
        else:
            if times > 1:
                yield Boundary(at, FILE, (at, act.position))
            last, times = act.path, 1
        at = act.position
