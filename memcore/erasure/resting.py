"""What rests on erased turns, layer by layer: units, episodes, facts, handles.

What rests only on them goes; what rests on others too is made again out of the others (see rebuilding).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memcore.construction import shown_text
from memcore.erasure.reached import Reached, Shelf
from memcore.erasure.rebuilding import Rebuilder, anchored
from memcore.records import Content, Record, Tag, Turn, Unit
from memcore.words import says


@dataclass
class Resting:
    """Adds to `reached` what rests on the turns that go; `chosen` are episodes that are meant themselves."""

    shelf: Shelf
    rebuilder: Rebuilder
    reached: Reached
    chosen: Mapping[str, Content]

    def take(self, turns: set[str]) -> None:
        """Everything that rests on these turns, and the relations of all that goes."""
        derived = self.shelf.get(self.shelf.resting_on(turns))
        self._derived(turns, derived)
        self._told_together(turns, derived.values())
        self._relations(turns)

    def _derived(self, turns: set[str], derived: dict[str, Record]) -> None:
        """What rests on these turns goes, or is made again from the others."""
        others = {i for r in derived.values() if isinstance(r, Unit | Content) for i in r.origin} - turns
        told = {i: t for i, t in self.shelf.get(others).items() if isinstance(t, Turn)}
        episodes = {i: r for i, r in derived.items() if isinstance(r, Content) and r.layer == "episode"}
        for record in derived.values():
            if isinstance(record, Unit):
                self._unit(record, told)
            elif isinstance(record, Content) and record.id not in episodes:
                self._content(record, told)
        for episode in self.chosen.values():
            if episode.id not in episodes:
                self.reached.drop(episode, "chosen")
        self._rebuild(episodes, told)
        self._follow({**self.chosen, **episodes})

    def _unit(self, unit: Unit, told: dict[str, Turn]) -> None:
        left = [told[i] for i in unit.origin if i in told]
        if left:
            self.reached.change(unit, self.rebuilder.unit(unit, left), "rests_on_others")
        else:
            self.reached.drop(unit, "rests_on_erased")

    def _content(self, content: Content, told: dict[str, Turn]) -> None:
        """A topic keeps the turns that remain, if they say its name; a fact of several turns cannot be told
        apart, and goes."""
        left = tuple(i for i in content.origin if i in told)
        named = content.layer == "topic" and says(" ".join(_said(told[i]) for i in left), content.text)
        if not left or not named:
            self.reached.drop(content, "rests_on_erased" if not left else "cannot_be_rebuilt")
        elif content.id not in self.reached.gone:
            self.reached.change(
                content, replace(content, origin=left, revision=content.revision + 1), "rests_on_others"
            )

    def _rebuild(self, episodes: dict[str, Content], told: dict[str, Turn]) -> None:
        wanted = {i for e in episodes.values() for i in e.units}
        units = {i: u for i, u in self.shelf.get(wanted).items() if isinstance(u, Unit)}
        units |= {i: u for i, u in self.reached.rewritten.items() if isinstance(u, Unit)}
        for episode in episodes.values():
            left = [units[i] for i in episode.units if i in units and i not in self.reached.gone]
            if any(t in told for u in left for t in u.origin):
                rebuilt = self.rebuilder.episode(episode, left, told)
                self.reached.change(episode, rebuilt, "rests_on_others")
            else:
                self.reached.drop(episode, "rests_on_erased")

    def _follow(self, episodes: dict[str, Content]) -> None:
        """What names these episodes: their facts, their units, their earlier versions."""
        near = self.shelf.get(self.shelf.resting_on({t for e in episodes.values() for t in e.origin}))
        gone = {i for i in episodes if i in self.reached.gone}
        for record in near.values():
            if isinstance(record, Unit) and not gone.isdisjoint(record.episodes):
                now: Any = self.reached.rewritten.get(record.id, record)
                left = tuple(e for e in now.episodes if e not in self.reached.gone)
                state = now.state if left else "live"
                self.reached.change(
                    record,
                    replace(now, episodes=left, state=state, revision=record.revision + 1),
                    "set_free",
                )
            elif isinstance(record, Content) and record.layer == "fact" and record.episode_id in episodes:
                self._fact(record)
        for episode in episodes.values():
            for version in self.shelf.versions(episode.id):
                self.reached.drop(version, "earlier_version")

    def _fact(self, fact: Content) -> None:
        """A fact of an episode: told word for word it stays, phrased by a writer it goes with a unit."""
        left = tuple(u for u in fact.units if u not in self.reached.gone)
        if left == fact.units and fact.episode_id not in self.reached.gone:
            return
        if not fact.span:
            self.reached.drop(fact, "cannot_be_rebuilt")
            return
        episode_id = "" if fact.episode_id in self.reached.gone or not left else fact.episode_id
        after = replace(
            fact, units=left if episode_id else (), episode_id=episode_id, revision=fact.revision + 1
        )
        self.reached.change(fact, after, "rests_on_others")

    def _told_together(self, turns: set[str], derived: Iterable[Record]) -> None:
        """A model reads two turns at once: of the tags it gave to one that stays, those go that this one does
        not say by itself."""
        pairs = (r for r in derived if isinstance(r, Unit) or (isinstance(r, Content) and _retold(r)))
        beside = self.shelf.get({i for r in pairs for i in r.origin} - turns)
        read = self.shelf.relations_of(*beside, end="turn_id") if beside else []
        given = [r for r in read if r.made_by == "model"]
        tags = self.shelf.get({r.tag_id for r in given})
        for relation in given:
            turn, tag = beside[relation.turn_id], tags.get(relation.tag_id)
            if isinstance(turn, Turn) and isinstance(tag, Tag) and not says(_said(turn), tag.name):
                self.reached.drop(relation, "cannot_be_rebuilt")

    def _relations(self, turns: set[str]) -> None:
        """Relations of what goes go too; those read from a turn that goes, of a content that stays, move."""
        by_kind = {kind: self.reached.of_kind(kind) for kind in ("cue", "tag", "content")}
        for kind, ids in by_kind.items():
            for relation in self.shelf.relations_of(*ids, end=f"{kind}_id") if ids else ():
                self.reached.drop(relation, "rests_on_erased")
        read = self.shelf.relations_of(*turns, end="turn_id") if turns else []
        left = [r for r in read if r.id not in self.reached.gone]
        contents = {**self.shelf.get({r.content_id for r in left}), **self.reached.rewritten}
        for relation in left:
            content = contents.get(relation.content_id)
            if isinstance(content, Content) and content.layer != "episode" and content.origin:
                self.reached.change(relation, anchored(relation, content), "rests_on_others")
        for episode in self.reached.episodes():
            self._handles(episode)

    def _handles(self, episode: Content) -> None:
        """The relations of an episode that is written again."""
        made, gone = self.rebuilder.handles(episode, self.reached.gone.keys())
        for relation in self.shelf.get(gone).values():
            self.reached.drop(relation, "rests_on_erased")
        for relation in made:
            self.reached.change(relation, relation, "rests_on_others")


def _said(turn: Turn) -> str:
    return f"{turn.speaker} {shown_text(turn)}"


def _retold(content: Content) -> bool:
    """Whether it is a model's rewriting of turns, and no episode of units."""
    return content.layer == "episode" and content.made_by == "model" and not content.units
