"""What of an execution-state tree is open and what is folded, and so which nodes are drawn.

Subgoals and stretches begin folded, and so do, in a crowded tree, branches that were left. A person's choices
are a set of exceptions from that: the id of what was opened or closed, `below` of what had its branch folded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Literal

from memcore.view.tree_outline import START, Block, Outline, step_id

OPEN_STEPS = 12  # the latest steps, if they are so many at most, begin open


@dataclass(slots=True)
class Entry:
    """A node that is drawn, and the one that it hangs below.

    `steps` are the raw nodes it stands for, `hidden` how many blocks are folded away below it. `inside`
    names the open subgoal that a step belongs to. `lines` begin beside it. A note is the diagnosis of the
    branch that ends above it, `block` its mark.
    """

    id: str
    kind: Literal["start", "subgoal", "steps", "step", "stretch", "subrun", "note"]
    above: str
    steps: tuple[int, ...]
    block: str = ""
    inside: str = ""
    opened: bool = False
    hidden: int = 0
    lines: list[list[Entry]] = field(default_factory=lambda: list[list[Entry]]())


Line = list[Entry]


@dataclass(frozen=True, slots=True)
class Folding:
    """An outline with a person's exceptions. `nested` are the runs of subagents by the step that began
    them, `notes` the marks that hold a diagnosis."""

    outline: Outline
    toggled: Collection[str] = ()
    nested: tuple[tuple[str, int], ...] = ()
    notes: Collection[str] = ()

    def why_left(self, id_: str) -> str:
        """The mark that says why a block was left: its check, else the step back; "" for none."""
        block, tree = self.outline.blocks[id_], self.outline.tree
        subgoal = tree.subgoals[block.subgoal]
        if block.kind == "subgoal" and subgoal.note in self.notes and subgoal.number not in tree.path():
            return subgoal.note
        left = tree.raw[block.steps[-1]].left_by if block.steps else ""
        return left if left in self.notes else ""

    def is_open(self, id_: str) -> bool:
        """Whether the steps of a block, or the blocks of a stretch, are shown."""
        return self._opens(id_) != (id_ in self.toggled)

    def is_shut(self, id_: str) -> bool:
        """Whether what is below a block is folded away."""
        block = self.outline.blocks[id_]
        begins = self.outline.crowded and id_ in self.outline.sides and bool(block.children)
        return begins != (below(id_) in self.toggled)

    def _opens(self, id_: str) -> bool:
        block = self.outline.blocks.get(id_)
        if block is None or block.kind != "steps":
            return False
        if len(block.steps) == 1:
            return True
        return len(block.steps) <= OPEN_STEPS and self.outline.tree.at in block.steps

    def toggle(self, *keys: str) -> frozenset[str]:
        """The exceptions with these turned over."""
        return frozenset(self.toggled) ^ frozenset(keys)

    def folding_of(self, id_: str) -> str:
        """What a person who folds or opens this node means: the key of it, "" for nothing."""
        outline = self.outline
        if id_ in outline.stretches:
            return id_
        block = outline.blocks.get(id_)
        if block is None and id_[:1] == "s" and id_[1:].isdecimal():
            block = outline.blocks.get(outline.block_of.get(int(id_[1:]), ""))
            if block and block.kind != "start" and len(block.steps) > 1:
                return block.id
        if block is None:
            return ""
        if self.is_shut(block.id):
            return below(block.id)
        if block.kind == "start" or (block.kind == "steps" and len(block.steps) == 1) or not block.steps:
            return below(block.id) if block.children else ""
        return block.id

    def revealing(self, node: int) -> frozenset[str]:
        """The exceptions with which the step of this raw node is drawn."""
        block = self.outline.blocks[self.outline.block_of[node]]
        return self._unfolded(block, frozenset(self.toggled), steps=True)

    def revealing_block(self, id_: str) -> frozenset[str]:
        """The exceptions with which this block is drawn, its steps folded or not as they are."""
        return self._unfolded(self.outline.blocks[id_], frozenset(self.toggled), steps=False)

    def _unfolded(self, block: Block, toggled: frozenset[str], *, steps: bool) -> frozenset[str]:
        keys = {block.id} if steps and block.kind != "start" and not self.is_open(block.id) else set[str]()
        for each in (block, *self.outline.above(block.id)):
            stretch = self.outline.stretch_of.get(each.id, "")
            if stretch and not self.is_open(stretch) and not self._past(stretch, each, block):
                keys.add(stretch)
            if each is not block and self.is_shut(each.id):
                keys.add(below(each.id))
        return toggled ^ keys

    def _past(self, stretch: str, each: Block, block: Block) -> bool:
        """Whether the way from `each` down to `block` leaves a folded stretch along its own line."""
        if each is block:
            return False
        last = self.outline.blocks[self.outline.stretches[stretch][-1]].main
        return bool(last) and (last == block.id or any(b.id == last for b in self.outline.above(block.id)))


def below(id_: str) -> str:
    """The key of the branch below a block."""
    return f"below {id_}"


def drawn(folding: Folding) -> list[Line]:
    """The lines that are drawn, each after the one beside which it begins."""
    beginning = list(_line(folding, START, ""))
    found, waiting = list[Line](), [beginning]
    while waiting:
        line = waiting.pop()
        found.append(line)
        waiting += [side for entry in line for side in entry.lines]
    for line in found[1:]:
        _note(folding, line)
    _subruns(folding, found)
    return found


def holders(found: list[Line]) -> dict[int, str]:
    """By raw node, the drawn node that stands for it."""
    by_step: dict[int, str] = {}
    for line in found:
        for entry in line:
            if entry.kind not in ("note", "subrun"):
                by_step |= dict.fromkeys(entry.steps, entry.id)
    for line in found:
        by_step |= {entry.steps[0]: entry.id for entry in line if entry.kind == "step"}
    return by_step


def _line(folding: Folding, first: str, above: str) -> Iterator[Entry]:
    outline, id_ = folding.outline, first
    while id_:
        stretch = outline.stretch_of.get(id_, "")
        if stretch and not folding.is_open(stretch):
            entry, id_ = _stretch(outline, stretch, above)
            yield entry
            above = entry.id
            continue
        block = outline.blocks[id_]
        entries = _block(folding, block, above)
        head = entries[0] if block.kind != "steps" else entries[-1]
        above = head.id
        if folding.is_shut(id_):
            _fold_away(outline, head, id_)
            yield from entries
            return
        for child in block.children:
            if child != block.main:
                head.lines.append(list(_line(folding, child, head.id)))
        yield from entries
        id_ = block.main


def _stretch(outline: Outline, stretch: str, above: str) -> tuple[Entry, str]:
    """A folded stretch with every line that begins beside it; and the block after it."""
    members = outline.stretches[stretch]
    after = outline.blocks[members[-1]].main
    inside = [outline.blocks[id_] for id_ in members]
    for block in list(inside):
        for child in block.children:
            if child != block.main:
                inside += [outline.blocks[child], *outline.below(child)]
    steps = tuple(node for block in inside for node in block.steps)
    return Entry(stretch, "stretch", above, steps, members[0], hidden=len(inside)), after


def _block(folding: Folding, block: Block, above: str) -> list[Entry]:
    """The block's own node, and its steps where it is open. Loose steps need no node above them."""
    opened, steps = folding.is_open(block.id), tuple(block.steps)
    if block.kind == "start":
        return [Entry(block.id, "start", above, (0,), block.id)]
    if block.kind == "subgoal":
        head = Entry(block.id, "subgoal", above, steps, block.id, opened=opened and bool(steps))
        return [head, *_steps(steps, block, block.id, block.id)] if opened else [head]
    if not opened:
        return [Entry(block.id, "steps", above, steps, block.id)]
    return _steps(steps, block, above, "")


def _steps(steps: tuple[int, ...], block: Block, above: str, inside: str) -> list[Entry]:
    entries: list[Entry] = []
    for node in steps:
        entries.append(Entry(step_id(node), "step", above, (node,), block.id, inside))
        above = entries[-1].id
    return entries


def _fold_away(outline: Outline, head: Entry, id_: str) -> None:
    gone = list(outline.below(id_))
    head.hidden = len(gone)
    head.steps = (*head.steps, *(node for block in gone for node in block.steps))


def _note(folding: Folding, line: Line) -> None:
    """A line that was left ends in its diagnosis, if it has one."""
    last = line[-1]
    if mark := folding.why_left(last.block):
        line.append(Entry(f"n{mark}:{last.id}", "note", last.id, last.steps[:1], mark))


def _subruns(folding: Folding, found: list[Line]) -> None:
    """The run of a subagent begins beside the step that started it, or whatever stands for that."""
    by_step = holders(found)
    entries = {entry.id: entry for line in found for entry in line}
    for run, step in folding.nested:
        node = folding.outline.tree.node_of.get(step, 0)
        at = entries[by_step.get(node, START)]
        line = [Entry(f"r{run}", "subrun", at.id, (node,))]
        at.lines.append(line)
        found.append(line)
