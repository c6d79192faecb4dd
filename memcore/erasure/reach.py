"""How far an erasure reaches: the records that go and those that must be made again, each with its reason.

The order matters: first everything that holds the chosen words, then what rests on it layer by layer (see
resting), then what is left without a purpose (see orphaned), and last the words that go from what stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memcore.erasure.blanking import blanked
from memcore.erasure.find import Hit
from memcore.erasure.orphaned import Orphaned
from memcore.erasure.reached import Reached, Shelf
from memcore.erasure.rebuilding import Rebuilder
from memcore.erasure.resting import Resting
from memcore.erasure.retelling import retelling
from memcore.errors import InputError
from memcore.llm.protocols import Embedder
from memcore.records import AgentRun, Content, Conversation, File, Record, RunStep, Unit

ERASABLE = (
    "file", "conversation", "turn", "content", "unit", "version", "cue", "tag", "relation", "correction",
    "run", "step", "mark", "trace", "change", "receipt",
)  # fmt: skip


def reach(shelf: Shelf, embedder: Embedder, hits: Sequence[Hit]) -> Reached:
    """Everything that these hits reach. Raises InputError for a kind that cannot be erased."""
    if wrong := {h.kind for h in hits} - {*ERASABLE}:
        raise InputError(f"No {min(wrong)} can be erased by itself.")
    reached = Reached()
    chosen = Chosen(shelf, reached)
    meant = shelf.get(h.id for h in hits if h.part == "whole" and h.kind != "trace")
    chosen.frames(meant)
    episodes = chosen.words(meant)
    turns = {*reached.of_kind("turn")}
    Resting(shelf, Rebuilder(shelf, embedder), reached, episodes).take(turns)
    Orphaned(shelf, reached).take(turns)
    chosen.blank(hits)
    return reached


@dataclass
class Chosen:
    """Adds to `reached` the records that were chosen, and those that say the same words."""

    shelf: Shelf
    reached: Reached

    def frames(self, chosen: Mapping[str, Record]) -> None:
        """Files, conversations and runs with all that is in them."""
        files = {i for i, r in chosen.items() if isinstance(r, File)}
        talks = {c.id: c for c in chosen.values() if isinstance(c, Conversation)}
        runs = {r.id: r for r in chosen.values() if isinstance(r, AgentRun)}
        if files:
            talks |= {c.id: c for c in self.shelf.conversations() if c.file_id in files}
            runs |= {r.id: r for r in self.shelf.agent_runs() if r.file_id in files}
        for id_ in files:
            self.reached.drop(chosen[id_], "chosen")
        for talk in talks.values():
            self.reached.drop(talk, "chosen")
            for turn in self.shelf.turns(talk.id):
                self.reached.drop(turn, "part_of")
        for run in runs.values():
            self.reached.drop(run, "chosen")
            for part in (*self.shelf.run_steps(run.id), *self.shelf.run_marks(run.id)):
                self.reached.drop(part, "part_of")

    def words(self, chosen: Mapping[str, Record]) -> dict[str, Content]:
        """The chosen records themselves, and the turns that say the same words; the episodes among them, of
        which something may remain."""
        episodes: dict[str, Content] = {}
        steps = [r for r in chosen.values() if isinstance(r, RunStep)]
        self._steps([s for s in steps if s.id not in self.reached.gone])
        for record in chosen.values():
            if isinstance(record, Content) and record.layer == "episode":
                episodes[record.id] = record
            elif not isinstance(record, RunStep):
                self.reached.drop(record, "chosen")
        spoken = {
            i
            for r in chosen.values()
            if isinstance(r, Unit) or (isinstance(r, Content) and (r.layer == "turn" or r.span is not None))
            for i in r.origin
        }
        for turn in self.shelf.get(spoken - {*self.reached.gone}).values():
            self.reached.drop(turn, "same_words")
        return episodes

    def _steps(self, steps: Sequence[RunStep]) -> None:
        """The words of steps, and of the marks that retell them."""
        for step in steps:
            self._without_words(step, _silent(step), "chosen")
        for run_id in {s.run_id for s in steps}:
            positions = [s.position for s in steps if s.run_id == run_id]
            for mark in retelling(self.shelf.run_steps(run_id), self.shelf.run_marks(run_id), positions):
                silent = replace(mark, summary="", note="", revision=mark.revision + 1)
                self._without_words(mark, silent, "retells")

    def blank(self, hits: Iterable[Hit]) -> None:
        """Words that stand in a record which stays: a title, a label, a summary."""
        wanted = [h for h in hits if h.part == "words" and h.id not in self.reached.gone]
        found = self.shelf.get(h.id for h in wanted)
        for hit in wanted:
            if (record := found.get(hit.id)) is not None:
                now = self.reached.rewritten.get(hit.id, record)
                self._without_words(record, blanked(now, hit, record), hit.why)

    def _without_words(self, record: Record, after: Record, why: str) -> None:
        self.reached.change(record, after, why)
        self.reached.whats[record.id] = ("blank", why)


def _silent(step: RunStep) -> RunStep:
    """A step without its words; its place in the run stays."""
    return replace(
        step, action="", observation="", thought="", tool="", source="", revision=step.revision + 1
    )
