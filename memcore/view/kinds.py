"""How each kind of node and edge looks: shape, colours for both themes, name and lane. Nowhere else.

Colours are after Okabe and Ito, told apart by people who cannot tell red from green; every kind has
a shape of its own as well, or a filling (an unconsolidated turn is a grey dot, an episode a blue one).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Shape = Literal["triangle", "diamond", "dot", "square", "hexagon", "star"]
Lane = Literal["cue", "tag", "content"]


class Look(NamedTuple):
    """A kind of node. Colours are (filling, outline)."""

    name: str
    shape: Shape
    light: tuple[str, str]
    dark: tuple[str, str]
    lane: Lane
    says: str


class EdgeLook(NamedTuple):
    """A kind of edge: its colour on each theme, and whether it is dashed."""

    name: str
    light: str
    dark: str
    dashed: bool = False


KINDS: Mapping[str, Look] = MappingProxyType(
    {
        "question": Look(
            "Question", "star", ("#4f46c8", "#37309a"), ("#9a93ff", "#c3beff"), "cue",
            "what was asked",
        ),
        "cue": Look(
            "Cue", "triangle", ("#e69f00", "#a36f00"), ("#f2b134", "#ffd27a"), "cue",
            "a name, place, time or thing by which a memory is found",
        ),
        "tag": Look(
            "Tag", "diamond", ("#cc79a7", "#93467a"), ("#d98dba", "#f0bedb"), "tag",
            "a short phrase that leads from a cue to memories",
        ),
        "episode": Look(
            "Episode", "dot", ("#0072b2", "#004f7c"), ("#56b4e9", "#a3d8f7"), "content",
            "something that happened",
        ),
        "fact": Look(
            "Fact", "square", ("#009e73", "#006b4e"), ("#2cc295", "#8be3c8"), "content",
            "something that holds",
        ),
        "topic": Look(
            "Topic", "hexagon", ("#f0e442", "#8f8600"), ("#f0e442", "#fff9a8"), "content",
            "what several episodes share",
        ),
        "turn": Look(
            "Turn", "dot", ("#9aa0aa", "#656b75"), ("#8d94a0", "#c2c7cf"), "content",
            "said once, not consolidated, still reachable",
        ),
        "growing": Look(
            "Growing", "dot", ("#c3c8d1", "#5c6470"), ("#6b7380", "#d0d5dd"), "content",
            "units that are near each other, but too few yet; the ring fills as more arrive",
        ),
        "triggered": Look(
            "Triggered", "triangle", ("#d55e00", "#8f3f00"), ("#ef8a45", "#ffc79e"), "content",
            "it recurred often enough, but the writer failed: nothing was lost, the units wait",
        ),
        "consolidated": Look(
            "Consolidated", "square", ("#0072b2", "#004f7c"), ("#56b4e9", "#a3d8f7"), "content",
            "units that became an episode",
        ),
        "merged": Look(
            "Merged", "hexagon", ("#009e73", "#006b4e"), ("#2cc295", "#8be3c8"), "content",
            "an episode that later units were merged into",
        ),
        "tree_start": Look(
            "Start", "star", ("#6059d0", "#37309a"), ("#9a93ff", "#c3beff"), "content",
            "where the run begins: a boundary one can go back to",
        ),
        "tree_subgoal": Look(
            "Subgoal", "square", ("#2079b8", "#004f7c"), ("#56b4e9", "#a3d8f7"), "content",
            "a summary that stands for its steps; open it to see them",
        ),
        "tree_flawed": Look(
            "Subgoal with failing steps", "square", ("#e8a77c", "#8f3f00"), ("#b87850", "#ffc79e"), "content",
            "a subgoal some of whose steps show a sign of failure",
        ),
        "tree_failed": Look(
            "Failed subgoal", "diamond", ("#d55e00", "#8f3f00"), ("#ef8a45", "#ffc79e"), "content",
            "a subgoal whose check failed",
        ),
        "tree_step": Look(
            "Step", "dot", ("#a4aab4", "#656b75"), ("#8d94a0", "#c2c7cf"), "content",
            "one executed step",
        ),
        "tree_mistake": Look(
            "Failing step", "triangle", ("#cc5a00", "#8f3f00"), ("#ef8a45", "#ffc79e"), "content",
            "a step that shows a sign of failure",
        ),
        "tree_known": Look(
            "Known path", "hexagon", ("#1aa37a", "#006b4e"), ("#2cc295", "#8be3c8"), "content",
            "a step that a later one repeated with the same result: both are this node",
        ),
        "tree_steps": Look(
            "Folded steps", "square", ("#9aa0aa", "#656b75"), ("#8d94a0", "#c2c7cf"), "content",
            "steps that no subgoal stands for, folded",
        ),
        "tree_stretch": Look(
            "Folded stretch", "hexagon", ("#b9c7de", "#4d6182"), ("#55688a", "#b9c7de"), "content",
            "several subgoals one after the other, folded into one",
        ),
        "tree_note": Look(
            "Diagnosis", "star", ("#d55e00", "#8f3f00"), ("#ef8a45", "#ffc79e"), "content",
            "why the branch above it was left",
        ),
        "tree_subrun": Look(
            "Subagent's run", "diamond", ("#b96f9c", "#93467a"), ("#d98dba", "#f0bedb"), "content",
            "the run of an agent that a step started; open it to go there",
        ),
        "plan_goes": Look(
            "Goes", "diamond", ("#c94f00", "#8f3f00"), ("#ef8a45", "#ffc79e"), "content",
            "erased for good",
        ),
        "plan_again": Look(
            "Made again", "square", ("#1473ad", "#004f7c"), ("#56b4e9", "#a3d8f7"), "content",
            "made again from what remains",
        ),
        "plan_words": Look(
            "Loses words", "triangle", ("#dd9a06", "#a36f00"), ("#f2b134", "#ffd27a"), "content",
            "stays, without the words that are meant",
        ),
        "plan_stays": Look(
            "Stays", "dot", ("#969ca6", "#656b75"), ("#8d94a0", "#c2c7cf"), "content",
            "next to what goes, and not touched",
        ),
    }
)  # fmt: skip

EDGES: Mapping[str, EdgeLook] = MappingProxyType(
    {
        "cue_tag": EdgeLook("cue to tag", "#b9bec8", "#4a515e"),
        "tag_content": EdgeLook("tag to memory", "#b9bec8", "#4a515e"),
        "reverse": EdgeLook("memory back to a cue", "#a36f00", "#f2b134", dashed=True),
        "matched": EdgeLook("question to cue", "#8f89d8", "#6f69c4"),
        "next": EdgeLook("next turn", "#cfd3da", "#3d434e", dashed=True),
        "near": EdgeLook("to its nearest episode", "#b9bec8", "#4a515e", dashed=True),
        "shared": EdgeLook("units of both", "#8f89d8", "#6f69c4"),
        "tree_next": EdgeLook("goes on", "#9aa0aa", "#656b75"),
        "tree_covers": EdgeLook("a step of the subgoal", "#cfd3da", "#3d434e"),
        "tree_branch": EdgeLook("went on from this step", "#b9bec8", "#4a515e", dashed=True),
        "tree_subrun": EdgeLook("started a subagent", "#cc79a7", "#d98dba", dashed=True),
        "plan_rests": EdgeLook("what rests on it, or leads to it", "#b9bec8", "#4a515e"),
    }
)

LANES: tuple[Lane, ...] = ("cue", "tag", "content")


def lane(kind: str) -> Lane:
    """The lane a kind stands in; a kind that is not listed is a content."""
    look = KINDS.get(kind)
    return look.lane if look else "content"
