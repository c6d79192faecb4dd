"""What is left without a purpose: cues and tags that lead nowhere, corrections of what goes, empty frames."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from memcore.erasure.reached import Reached, Shelf
from memcore.records import AgentRun, Conversation, Relation, Turn


@dataclass
class Orphaned:
    """Adds to `reached` what only served what goes."""

    shelf: Shelf
    reached: Reached

    def take(self, turns: set[str]) -> None:
        """Cues and tags without a relation, corrections of what goes, frames without content."""
        self._orphans()
        episodes = {e.id for e in self.reached.episodes()}
        for correction in self.shelf.corrections():
            if correction.record_id in self.reached.gone or correction.origin in turns:
                self.reached.drop(correction, "rests_on_erased")
            elif correction.record_id in episodes and correction.slot == "text":
                self.reached.drop(correction, "corrected_text")
        self._talks(turns)
        self._files()

    def _orphans(self) -> None:
        before, gone = self.reached.before, self.reached.gone
        lost = [r for i, r in before.items() if isinstance(r, Relation) and i in gone]
        new = [r for i, r in self.reached.rewritten.items() if isinstance(r, Relation) and r is before[i]]
        for end in ("cue_id", "tag_id"):
            less = Counter(getattr(r, end) for r in lost)
            less.subtract(Counter(getattr(r, end) for r in new))
            there = self.shelf.relation_counts(end, [i for i in less if i not in self.reached.gone])
            alone = [i for i, count in there.items() if count <= less[i]]
            for node in self.shelf.get(alone).values():
                self.reached.drop(node, "orphaned")

    def _talks(self, turns: set[str]) -> None:
        of = {t.conversation_id for i, t in self.reached.before.items() if i in turns and isinstance(t, Turn)}
        for talk in self.shelf.get(of - {*self.reached.gone}).values():
            if not isinstance(talk, Conversation):
                continue
            left = [t for t in self.shelf.turns(talk.id) if t.id not in turns]
            speakers = tuple(s for s in talk.speakers if s in {t.speaker for t in left})
            if not left:
                self.reached.drop(talk, "left_empty")
            elif speakers != talk.speakers:
                self.reached.change(
                    talk, replace(talk, speakers=speakers, revision=talk.revision + 1), "rests_on_others"
                )

    def _files(self) -> None:
        of = {
            r.file_id
            for i, r in self.reached.before.items()
            if i in self.reached.gone and isinstance(r, Conversation | AgentRun)
        }
        if not of - {*self.reached.gone, ""}:
            return
        all_frames = [*self.shelf.conversations(), *self.shelf.agent_runs()]
        used = {f.file_id for f in all_frames if f.id not in self.reached.gone}
        for file in self.shelf.get(of - used - {*self.reached.gone}).values():
            self.reached.drop(file, "left_empty")
