"""MAGE, section 3: the active state, what the agent sees of its execution-state tree.

Only the active path from the root to the pointers is in it: `compressed`, the subgoals on the way to p_t,
each with the step id that Revise accepts; `raw`, the nodes since the last boundary. What was left is in it
through the hints alone, and they are computed, never stored:

    diagnoses     notes of subgoals that are not on the active path, those that hang nearest to it first
    alternatives  what was tried from a raw node of the current stretch (its boundary included) and left,
                  the nearest first
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from memcore.execution_tree import Subgoal, Tree
from memcore.settings import DEFAULT, Settings

_CHARS = 4  # of a token, about, where a text is cut after so many


class Summary(NamedTuple):
    """A subgoal on the active path. `record` and `note` are marks: the summary's, and the diagnosis's."""

    step: int
    subgoal: int
    covers: tuple[int, ...]
    record: str
    passed: bool | None
    note: str
    tokens: int


class Diagnosis(NamedTuple):
    """Why a subgoal that was left had failed. `here`: the agent stands on one of its steps again."""

    step: int
    subgoal: int
    note: str
    here: bool
    tokens: int


class Alternative(NamedTuple):
    """What was tried below the raw node `below` and left: its first step, and the last before it was left.

    `subgoal` is the first subgoal of that branch that failed (0 for none), `left_by` the mark that left it.
    """

    below: int
    first: int
    last: int
    subgoal: int
    left_by: str
    tokens: int


class Sizes(NamedTuple):
    """Tokens of the parts of an active state, and of everything executed so far: the full history."""

    compressed: int
    raw: int
    hints: int
    full_history: int

    @property
    def total(self) -> int:
        return self.compressed + self.raw + self.hints


@dataclass(frozen=True, slots=True)
class ActiveState:
    """What the agent sees: positions and records; the texts are looked up when it is shown.

    `boundaries` are the steps it can go back to. `sizes` counts verbatim texts, without what surrounds
    them in a prompt.
    """

    compressed: tuple[Summary, ...]
    raw: tuple[int, ...]
    diagnoses: tuple[Diagnosis, ...]
    alternatives: tuple[Alternative, ...]
    boundaries: tuple[int, ...]
    sizes: Sizes


def active_state(tree: Tree, settings: Settings = DEFAULT) -> ActiveState:
    """The active state now. Hints count as long as they are shown (see the settings `tree_hints`,
    `tree_note_chars`, `tree_hint_chars`).

    Without `tree_compress` the summaries are left out and all steps of the path are in: the state of an agent
    that does not compress. It can go back to the same boundaries.
    """
    path = [tree.subgoals[number] for number in tree.path()]
    compressed = tuple(_summary(subgoal) for subgoal in path[1:]) if settings.tree_compress else ()
    raw = tuple(tree.segment() if settings.tree_compress else tree.chain()[1:])
    state = ActiveState(
        compressed,
        raw,
        diagnoses=_diagnoses(tree, settings),
        alternatives=_alternatives(tree, settings),
        boundaries=tuple(subgoal.boundary for subgoal in path),
        sizes=Sizes(0, 0, 0, 0),
    )
    return replace(state, sizes=_sizes(tree, state))


def _summary(subgoal: Subgoal) -> Summary:
    return Summary(
        subgoal.boundary,
        subgoal.number,
        subgoal.covers,
        subgoal.record,
        subgoal.passed,
        subgoal.note,
        subgoal.tokens + subgoal.note_tokens,
    )


def _diagnoses(tree: Tree, settings: Settings) -> tuple[Diagnosis, ...]:
    """Nearest to p_t first: by the depth at which they hang below the active path, then the latest."""
    depth = {number: i for i, number in enumerate(tree.path())}
    found: list[tuple[bool, int, int]] = []
    for subgoal in tree.subgoals.values():
        if subgoal.note and subgoal.number not in depth:
            hangs = subgoal.parent
            while hangs not in depth:
                hangs = tree.subgoals[hangs].parent
            found.append((tree.at in subgoal.covers, depth[hangs], subgoal.number))
    nearest = sorted(found, reverse=True)[: settings.tree_hints]
    most = settings.tree_note_chars // _CHARS
    return tuple(_diagnosis(tree.subgoals[number], here, most) for here, _, number in nearest)


def _diagnosis(subgoal: Subgoal, here: bool, most: int) -> Diagnosis:
    return Diagnosis(subgoal.boundary, subgoal.number, subgoal.note, here, min(subgoal.note_tokens, most))


def _alternatives(tree: Tree, settings: Settings) -> tuple[Alternative, ...]:
    """Children of the current stretch that are not on it, from p_b back to the boundary, latest first."""
    nodes = [tree.subgoals[tree.subgoal].boundary, *tree.segment()]
    active = set(nodes)
    most = 2 * settings.tree_hint_chars // _CHARS  # an action and its outcome
    found: list[Alternative] = []
    for node in reversed(nodes):
        for child in reversed(tree.raw[node].children):
            if len(found) == settings.tree_hints:
                return tuple(found)
            if child not in active:
                found.append(_alternative(tree, node, child, most))
    return tuple(found)


def _alternative(tree: Tree, below: int, first: int, most: int) -> Alternative:
    """Follows the branch along its latest steps, as far as it went."""
    last, failed = first, 0
    while True:
        failed = failed or next((n for n in tree.raw[last].ends if tree.subgoals[n].passed is False), 0)
        if not tree.raw[last].children:
            break
        last = tree.raw[last].children[-1]
    branch = tree.raw[first]
    return Alternative(below, first, last, failed, branch.left_by, min(branch.tokens, most))


def _sizes(tree: Tree, state: ActiveState) -> Sizes:
    hints = sum(d.tokens for d in state.diagnoses) + sum(a.tokens for a in state.alternatives)
    return Sizes(
        compressed=sum(s.tokens for s in state.compressed),
        raw=sum(tree.raw[n].tokens for n in state.raw),
        hints=hints,
        full_history=tree.history_tokens,
    )
