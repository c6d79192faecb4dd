"""How far an erasure reaches: the records that go and those that must be made again, each with its reason.

The order matters: first everything that holds the chosen words, then what rests on it layer by layer
(units, episodes, facts, handles), then what is left without a purpose (cues, tags, corrections, frames).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from memcore.erasure.blanking import blanked
from memcore.erasure.find import Hit
from memcore.erasure.rebuilding import Rebuilder, anchored
from memcore.errors import InputError
from memcore.llm.protocols import Embedder
from memcore.records import (
    AgentRun,
    Content,
    Conversation,
    Correction,
    File,
    Record,
    Relation,
    RunMark,
    RunStep,
    Turn,
    Unit,
    Version,
)

ERASABLE = (
    "file", "conversation", "turn", "content", "unit", "version", "cue", "tag", "relation", "correction",
    "run", "step", "mark", "trace", "change",
)  # fmt: skip


class Shelf(Protocol):
    """What this reads of a store (see store.Scope)."""

    def get(self, ids: Iterable[str]) -> dict[str, Record]: ...

    def turns(self, conversation_id: str) -> list[Turn]: ...

    def files(self) -> list[File]: ...

    def conversations(self) -> list[Conversation]: ...

    def agent_runs(self) -> list[AgentRun]: ...

    def run_steps(self, run_id: str) -> list[RunStep]: ...

    def run_marks(self, run_id: str) -> list[RunMark]: ...

    def versions(self, content_id: str) -> list[Version]: ...

    def corrections(self) -> list[Correction]: ...

    def relations_of(self, *ids: str, end: str = "") -> list[Relation]: ...

    def resting_on(self, turn_ids: Collection[str]) -> list[str]: ...

    def relation_counts(self, end: str, ids: Collection[str]) -> dict[str, int]: ...


@dataclass
class Closure:
    """Filled by `take`: `gone` are ids with their reason, `rewritten` records as they will stay."""

    shelf: Shelf
    embedder: Embedder
    gone: dict[str, str] = field(default_factory=dict[str, str])
    kinds: dict[str, str] = field(default_factory=dict[str, str])
    rewritten: dict[str, Record] = field(default_factory=dict[str, Record])
    whats: dict[str, tuple[Literal["rebuild", "blank"], str]] = field(
        default_factory=dict[str, tuple[Literal["rebuild", "blank"], str]]
    )
    before: dict[str, Record] = field(default_factory=dict[str, Record])

    def take(self, hits: Sequence[Hit]) -> None:
        """Everything that these hits reach. Raises InputError for a kind that cannot be erased."""
        if wrong := {h.kind for h in hits} - {*ERASABLE}:
            raise InputError(f"A {min(wrong)} cannot be erased by itself.")
        self._rebuilder = Rebuilder(self.shelf, self.embedder)
        chosen = self.shelf.get(h.id for h in hits if h.part == "whole" and h.kind != "trace")
        self._frames(chosen)
        self._words(chosen)
        turns = {i for i in self.gone if self.kinds[i] == "turn"}
        derived = self.shelf.get(self.shelf.resting_on(turns))
        self._derived(turns, derived)
        self._relations(turns)
        self._left_over(turns)
        self._blank(hits)

    def _drop(self, record: Record, why: str) -> None:
        self.gone.setdefault(record.id, why)
        self.kinds[record.id] = record.kind
        self.before.setdefault(record.id, record)
        self.rewritten.pop(record.id, None)

    def _change(self, record: Record, after: Any, why: str) -> None:
        if record.id not in self.gone:
            self.before.setdefault(record.id, record)
            self.rewritten[record.id] = after
            self.whats.setdefault(record.id, ("rebuild", why))

    def _frames(self, chosen: dict[str, Record]) -> None:
        """Files, conversations and runs with all that is in them."""
        files = {i for i, r in chosen.items() if isinstance(r, File)}
        talks = {c.id: c for c in chosen.values() if isinstance(c, Conversation)}
        runs = {r.id: r for r in chosen.values() if isinstance(r, AgentRun)}
        if files:
            talks |= {c.id: c for c in self.shelf.conversations() if c.file_id in files}
            runs |= {r.id: r for r in self.shelf.agent_runs() if r.file_id in files}
        for id_ in files:
            self._drop(chosen[id_], "chosen")
        for talk in talks.values():
            self._drop(talk, "chosen")
            for turn in self.shelf.turns(talk.id):
                self._drop(turn, "part_of")
        for run in runs.values():
            self._drop(run, "chosen")
            for part in (*self.shelf.run_steps(run.id), *self.shelf.run_marks(run.id)):
                self._drop(part, "part_of")

    def _words(self, chosen: dict[str, Record]) -> None:
        """The chosen records themselves, and the turns that say the same words."""
        self._episodes: dict[str, Content] = {}
        for record in chosen.values():
            if isinstance(record, Content) and record.layer == "episode":
                self._episodes[record.id] = record
            elif isinstance(record, RunStep):
                self._change(record, _silent(record), "chosen")
                self.whats[record.id] = ("blank", "chosen")
            else:
                self._drop(record, "chosen")
        spoken = {
            i
            for r in chosen.values()
            if isinstance(r, Unit) or (isinstance(r, Content) and (r.layer == "turn" or r.span is not None))
            for i in r.origin
        }
        for turn in self.shelf.get(spoken - {*self.gone}).values():
            self._drop(turn, "same_words")

    def _derived(self, turns: set[str], derived: dict[str, Record]) -> None:
        """What rests on these turns goes, or is made again from the others."""
        others = {i for r in derived.values() if isinstance(r, Unit | Content) for i in r.origin} - turns
        told = {i: t for i, t in self.shelf.get(others).items() if isinstance(t, Turn)}
        episodes = {i: r for i, r in derived.items() if isinstance(r, Content) and r.layer == "episode"}
        for record in derived.values():
            if isinstance(record, Unit):
                self._unit(record, told)
            elif isinstance(record, Content) and record.id not in episodes:
                self._content(record, turns)
        for episode in self._episodes.values():
            if episode.id not in episodes:
                self._drop(episode, "chosen")
        self._rebuild(episodes, told)
        self._follow({**self._episodes, **episodes})

    def _unit(self, unit: Unit, told: dict[str, Turn]) -> None:
        left = [told[i] for i in unit.origin if i in told]
        if left:
            self._change(unit, self._rebuilder.unit(unit, left), "rests_on_others")
        else:
            self._drop(unit, "rests_on_erased")

    def _content(self, content: Content, turns: set[str]) -> None:
        """A topic keeps the turns that remain; a fact of several turns cannot be told apart, and goes."""
        left = tuple(i for i in content.origin if i not in turns)
        if not left or content.layer != "topic":
            self._drop(content, "rests_on_erased" if not left else "cannot_be_rebuilt")
        elif content.id not in self.gone:
            self._change(
                content, replace(content, origin=left, revision=content.revision + 1), "rests_on_others"
            )

    def _rebuild(self, episodes: dict[str, Content], told: dict[str, Turn]) -> None:
        wanted = {i for e in episodes.values() for i in e.units}
        units = {i: u for i, u in self.shelf.get(wanted).items() if isinstance(u, Unit)}
        units |= {i: u for i, u in self.rewritten.items() if isinstance(u, Unit)}
        for episode in episodes.values():
            left = [units[i] for i in episode.units if i in units and i not in self.gone]
            if any(t in told for u in left for t in u.origin):
                rebuilt = self._rebuilder.episode(episode, left, told)
                self._change(episode, rebuilt, "rests_on_others")
            else:
                self._drop(episode, "rests_on_erased")

    def _follow(self, episodes: dict[str, Content]) -> None:
        """What names these episodes: their facts, their units, their earlier versions."""
        near = self.shelf.get(self.shelf.resting_on({t for e in episodes.values() for t in e.origin}))
        for record in near.values():
            if isinstance(record, Unit) and not {*record.episodes}.isdisjoint({*episodes} & {*self.gone}):
                now: Any = self.rewritten.get(record.id, record)
                left = tuple(e for e in now.episodes if e not in self.gone)
                state = now.state if left else "live"
                self._change(
                    record,
                    replace(now, episodes=left, state=state, revision=record.revision + 1),
                    "set_free",
                )
            elif isinstance(record, Content) and record.layer == "fact" and record.episode_id in episodes:
                self._fact(record)
        for episode in episodes.values():
            for version in self.shelf.versions(episode.id):
                self._drop(version, "earlier_version")

    def _fact(self, fact: Content) -> None:
        """A fact of an episode: told word for word it stays, phrased by a writer it goes with a unit."""
        left = tuple(u for u in fact.units if u not in self.gone)
        if left == fact.units and fact.episode_id not in self.gone:
            return
        if not fact.span:
            self._drop(fact, "cannot_be_rebuilt")
            return
        episode_id = "" if fact.episode_id in self.gone or not left else fact.episode_id
        after = replace(
            fact, units=left if episode_id else (), episode_id=episode_id, revision=fact.revision + 1
        )
        self._change(fact, after, "rests_on_others")

    def _relations(self, turns: set[str]) -> None:
        by_kind = {k: [i for i in self.gone if self.kinds[i] == k] for k in ("cue", "tag", "content")}
        for kind, ids in by_kind.items():
            for relation in self.shelf.relations_of(*ids, end=f"{kind}_id") if ids else ():
                self._drop(relation, "rests_on_erased")
        read = (
            [r for r in self.shelf.relations_of(*turns, end="turn_id") if r.id not in self.gone]
            if turns
            else []
        )
        contents = {**self.shelf.get({r.content_id for r in read}), **self.rewritten}
        for relation in read:
            content = contents.get(relation.content_id)
            if isinstance(content, Content) and content.layer != "episode" and content.origin:
                self._change(relation, anchored(relation, content), "rests_on_others")
        for episode in [
            r for r in self.rewritten.values() if isinstance(r, Content) and r.layer == "episode"
        ]:
            made, gone = self._rebuilder.handles(episode, {*self.gone})
            for relation in self.shelf.get(gone).values():
                self._drop(relation, "rests_on_erased")
            for relation in made:
                self._change(relation, relation, "rests_on_others")

    def _rebuilt_episodes(self) -> list[Content]:
        contents = [r for r in self.rewritten.values() if isinstance(r, Content)]
        return [c for c in contents if c.layer == "episode"]

    def _left_over(self, turns: set[str]) -> None:
        """Cues and tags without a relation, corrections of what goes, frames without content."""
        self._orphans()
        episodes = {e.id for e in self._rebuilt_episodes()}
        for correction in self.shelf.corrections():
            if correction.record_id in self.gone or correction.origin in turns:
                self._drop(correction, "rests_on_erased")
            elif correction.record_id in episodes and correction.slot == "text":
                self._drop(correction, "corrected_text")
        self._talks(turns)
        self._files()

    def _orphans(self) -> None:
        lost = [r for i, r in self.before.items() if isinstance(r, Relation) and i in self.gone]
        new = [r for i, r in self.rewritten.items() if isinstance(r, Relation) and r is self.before[i]]
        for end in ("cue_id", "tag_id"):
            less = Counter(getattr(r, end) for r in lost)
            less.subtract(Counter(getattr(r, end) for r in new))
            there = self.shelf.relation_counts(end, [i for i in less if i not in self.gone])
            alone = [i for i, count in there.items() if count <= less[i]]
            for node in self.shelf.get(alone).values():
                self._drop(node, "orphaned")

    def _talks(self, turns: set[str]) -> None:
        of = {t.conversation_id for i, t in self.before.items() if i in turns and isinstance(t, Turn)}
        for talk in self.shelf.get(of - {*self.gone}).values():
            if not isinstance(talk, Conversation):
                continue
            left = [t for t in self.shelf.turns(talk.id) if t.id not in turns]
            speakers = tuple(s for s in talk.speakers if s in {t.speaker for t in left})
            if not left:
                self._drop(talk, "left_empty")
            elif speakers != talk.speakers:
                self._change(
                    talk, replace(talk, speakers=speakers, revision=talk.revision + 1), "rests_on_others"
                )

    def _files(self) -> None:
        of = {
            r.file_id
            for i, r in self.before.items()
            if i in self.gone and isinstance(r, Conversation | AgentRun)
        }
        if not of - {*self.gone, ""}:
            return
        all_frames = [*self.shelf.conversations(), *self.shelf.agent_runs()]
        used = {f.file_id for f in all_frames if f.id not in self.gone}
        for file in self.shelf.get(of - used - {*self.gone}).values():
            self._drop(file, "left_empty")

    def _blank(self, hits: Iterable[Hit]) -> None:
        """Words that stand in a record which stays: a title, a label, a summary."""
        wanted = [h for h in hits if h.part == "words" and h.id not in self.gone]
        found = self.shelf.get(h.id for h in wanted)
        for hit in wanted:
            if (record := found.get(hit.id)) is not None:
                now = self.rewritten.get(hit.id, record)
                self._change(record, blanked(now, hit, record), hit.why)
                self.whats[hit.id] = ("blank", hit.why)


def _silent(step: RunStep) -> RunStep:
    """A step without its words; its place in the run stays."""
    return replace(
        step, action="", observation="", thought="", tool="", source="", revision=step.revision + 1
    )
