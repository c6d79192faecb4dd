"""What the inspector tells of a node of an execution-state tree: plain values, nothing is drawn here.

Texts are verbatim but for terminal codes and control characters, and lie whole behind what is shown of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from memcore.execution_tree import Tree
from memcore.records import RunMark
from memcore.state_text import clean
from memcore.view.naming import counted, human_time
from memcore.view.tree_graph import Source
from memcore.view.tree_outline import START
from memcore.view.tree_words import rule_words, run_line, signal_words


@dataclass(frozen=True, slots=True)
class Told:
    """A text of a record: its label, and all of it."""

    label: str
    text: str

    def shown(self, most: int) -> tuple[str, int]:
        """Its beginning, cleaned for display, and how many characters are left out."""
        return clean(self.text[:most]), max(0, len(self.text) - most)


@dataclass(frozen=True, slots=True)
class Reason:
    """A mark: what it is, why it is there, and the steps that it was read from."""

    mark: RunMark
    what: str
    why: str
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A node in words. `links` are steps one can go to, with what they are."""

    sentence: str
    texts: tuple[Told, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    reasons: tuple[Reason, ...] = ()
    links: tuple[tuple[int, str], ...] = field(default_factory=tuple)


def seen(source: Source, node: str, tree: Tree) -> Seen | None:
    """The node as it stood in `tree`; None for one that is not in the run."""
    outline = source.outline
    if node == START:
        return Seen("Here the run begins. Step 0 is a boundary, so that there is always one to go back to.")
    if node in outline.stretches:
        parts = counted(len(outline.stretches[node]), "part")
        return Seen(f"{parts} of the run, folded into one. Open it to see them.")
    if node[:1] == "r" and node[1:] in source.nested:
        run = source.nested[node[1:]]
        return Seen(f"A subagent's run: {run_line(run)}.", (Told("Its task", run.task),))
    if node in outline.blocks:
        block = outline.blocks[node]
        return _subgoal(source, node, tree) if block.kind == "subgoal" else _steps(block.steps)
    if node[:1] == "s" and node[1:].isdecimal() and int(node[1:]) in source.steps:
        return _step(source, int(node[1:]), tree)
    return None


def _step(source: Source, position: int, tree: Tree) -> Seen:
    step, raw = source.steps[position], tree.raw.get(tree.node_of.get(position, position))
    texts = [Told("Action", step.action), Told("Observation", step.observation)]
    texts += [Told("Thought", step.thought)] if step.thought else []
    rows = [("Tool", step.tool)] if step.tool else []
    rows += [("May have failed", "; ".join(signal_words(step.signals)))] if step.signals else []
    rows += [("Tokens", f"{raw.tokens:,}")] if raw else []
    rows += [("When", human_time(step.said))] if step.said.known else []
    links = [(visit, "walked again by") for visit in raw.visits] if raw else []
    left = source.marks.get(raw.left_by) if raw else None
    return Seen(_where(position, tree), tuple(texts), tuple(rows), _reasons([left]), tuple(links))


def _where(position: int, tree: Tree) -> str:
    node = tree.node_of.get(position)
    if node is None:
        return f"Step {position} is still to come."
    if node != position:
        return f"Step {position} did and saw the same as step {node}."
    if node == tree.at:
        return f"Step {position}: here the agent stands."
    if node in tree.chain():
        folded = node not in tree.segment()
        return f"Step {position}, on the active path" + (", summed up by its subgoal." if folded else ".")
    return f"Step {position} was abandoned: the agent went back, and does not see it any more."


def _subgoal(source: Source, record: str, tree: Tree) -> Seen:
    subgoal = next((s for s in tree.subgoals.values() if s.record == record), None)
    mark = source.marks.get(record)
    if subgoal is None:
        return Seen("These steps are not summed up yet." if mark else "Not stored.")
    note = source.marks.get(subgoal.note)
    texts = [Told("Summary", mark.summary if mark else "")]
    texts += [Told("Diagnosis", note.note)] if note and note.note else []
    verdict = {None: "not checked", True: "passed", False: "failed"}[subgoal.passed]
    size = sum(tree.raw[node].tokens for node in subgoal.covers)
    rows = [
        ("Check", verdict),
        ("Covers", f"{counted(len(subgoal.covers), 'step')}: {_span(subgoal.covers)}"),
        ("Tokens", f"{subgoal.tokens:,} instead of {size:,}"),
    ]
    if subgoal.target is not None:
        rows.append(("To go back to", f"step {subgoal.target}"))
    left = source.marks.get(tree.raw[subgoal.boundary].left_by)
    active = subgoal.number in tree.path()
    sentence = "Done, and on the active path: the agent reads this summary in place of its steps."
    if not active:
        sentence = "Abandoned: the agent went back. It sees no more of it than a hint."
    links = tuple((node, "failed") for node in subgoal.covers if source.steps[node].signals)[:12]
    return Seen(sentence, tuple(texts), tuple(rows), _reasons([mark, note, left]), links)


def _steps(steps: list[int]) -> Seen:
    return Seen(f"{counted(len(steps), 'step')} that no subgoal stands for: {_span(steps)}.")


def _span(steps: list[int] | tuple[int, ...]) -> str:
    if len(steps) == steps[-1] - steps[0] + 1:
        return f"{steps[0]}" if len(steps) == 1 else f"{steps[0]} to {steps[-1]}"
    return ", ".join(map(str, steps[:12])) + (" …" if len(steps) > 12 else "")


def _reasons(marks: list[RunMark | None]) -> tuple[Reason, ...]:
    what = {"compress": "Ended because", "maintain": "Checked because", "revise": "Abandoned because"}
    return tuple(
        Reason(mark, what[mark.action], rule_words(mark), mark.evidence)
        for mark in dict.fromkeys(marks)
        if mark is not None
    )
