"""Which marks of an agent run retell a step: the summary of its subgoal, what was said when that was
checked, why the agent went back over it. They are words about the step, and go with its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memcore.events import TreeEvent
from memcore.execution_tree import Tree
from memcore.records import RunMark, RunStep
from memcore.state_tree import replay


def retelling(steps: Sequence[RunStep], marks: Sequence[RunMark], positions: Iterable[int]) -> list[RunMark]:
    """The marks of a run that say something of any of the steps at these positions.

    One that a person dropped counts as if it stood: its words are still stored.
    """
    live = [m for m in marks if not m.dropped]
    sought, told = {*positions}, {**_told(steps, marks), **_told(steps, live)}
    return [m for m in marks if m.summary + m.note and not sought.isdisjoint({*m.evidence, *told[m.id]})]


def _told(steps: Sequence[RunStep], marks: Sequence[RunMark]) -> dict[str, set[int]]:
    """The positions of the steps that each mark is about; a step that was walked again stands for both."""
    tree, nodes = Tree(), dict[str, set[int]]()
    for event in replay(steps, marks, size=len):
        if event.kind != "run_started" and event.kind != "grown" and event.kind != "known_path":
            nodes[event.record] = {*_about(tree, event)}
        tree.apply(event)
    return {record: {p for p, node in tree.node_of.items() if node in its} for record, its in nodes.items()}


def _about(tree: Tree, event: TreeEvent) -> Iterable[int]:
    """The raw nodes that an event is about; the latest subgoal and all since, where it does not say."""
    if event.kind == "compressed":
        return event.covers
    if event.kind == "revised":
        return (node for node in tree.chain() if node > event.target)
    return (*tree.subgoals[tree.subgoal].covers, *tree.segment())
