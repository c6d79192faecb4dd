"""Memories whose topics recur: units of two turns each, and an embedder that knows a handful of topics."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from building import FIRST_DAY, write_lines

from memcore.memories import Memories
from memcore.memory import Memory
from memcore.models.at_work import Models
from memcore.records import Content, Thresholds
from memcore.settings import Settings
from memcore.store import Store
from memcore.store.doctor import examine

TOPICS = ("pottery", "marathon", "parrot", "violin", "tomato", "harbour", "chess", "bicycle")
THETA = Thresholds(0.6, 3, 0.6)


@dataclass(frozen=True)
class Topical:
    """A text lies at the topic it names, a little off by its other words; without a topic it is alone."""

    name: str = "topics"
    fingerprint: str = "1"
    dimension: int = 32

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.stack([self._place(t) for t in texts]) if texts else np.zeros((0, 32), np.float32)

    def covers(self, text: str) -> bool:
        return True

    def _place(self, text: str) -> npt.NDArray[np.float32]:
        axes = np.zeros(32)
        for i, topic in enumerate(TOPICS):
            axes[i] = text.lower().count(topic)
        length = float(np.linalg.norm(axes))
        off = np.random.default_rng(zlib.crc32(text.encode("utf-8", "replace"))).normal(size=24)
        axes[8:] = off / np.linalg.norm(off) * (0.5 * length or 1.0)
        return (axes / np.linalg.norm(axes)).astype(np.float32)


def settings_of(t: Thresholds = THETA, **more: Any) -> Settings:
    return Settings(
        theta_sim=t.theta_sim,
        theta_count=t.theta_count,
        merge_threshold=t.merge,
        counting=t.counting,
        merge_order=t.order,
        merge_collect=t.collect,
        **more,
    )


def opened(folder: Path, t: Thresholds = THETA, **more: Any) -> Memory:
    """The memory in this folder, made if there is none."""
    chosen = settings_of(t, **more)
    store = Store.open(folder, embedder=Topical(), settings=chosen, create=True)
    return Memories(store, Topical(), Models(base=chosen)).scope("mine", create=True)


def lines(topics: Iterable[str], talk: str = "talk", *, first: int = 0, per_session: int = 2) -> list[str]:
    """A unit for every topic: somebody likes it, somebody asks. Sessions hold `per_session` units."""
    found: list[str] = []
    for i, topic in enumerate(topics, first):
        at = FIRST_DAY + timedelta(days=i // per_session, minutes=i)
        said = (("Ann", f"I like {topic} {i} more than ever."), ("Bo", f"Tell me of your {topic} {i}, Ann."))
        for j, (speaker, text) in enumerate(said):
            found.append(line(speaker, text, talk, f"{i}.{j}", f"s{i // per_session}", at.isoformat()))
    return found


def line(speaker: str, text: str, talk: str, id_: str, session: str = "s0", at: str = "") -> str:
    record = {"conversation": talk, "speaker": speaker, "text": text, "session": session, "id": id_}
    return json.dumps(record | ({"at": at} if at else {}), ensure_ascii=False)


def brought_in(memory: Memory, folder: Path, given: Sequence[str], mode: Any = "lazy") -> Any:
    """Imports lines as a file of their own; the report."""
    folder.mkdir(parents=True, exist_ok=True)
    path = write_lines(folder / f"{zlib.crc32(repr(given).encode())}.jsonl", given)
    return list(memory.import_path(path, mode=mode))[-1]


def shown(memory: Memory) -> list[Any]:
    """Units, episodes and facts without their random ids."""
    recurring = memory.recurrence
    units = recurring.units()
    names = {u.id: f"u{u.order}" for u in units}
    derived: list[Content] = [*recurring.episodes(), *recurring.facts()]
    names |= {c.id: f"{c.layer}: {c.text}" for c in derived}
    found: list[Any] = []
    for u in units:
        d = u.decision
        assert d is not None
        near = [(names[n.id], n.score) for n in d.neighbours]
        made = ([names.get(i) for i in u.episodes], [names[i] for i in d.consumed], len(d.facts))
        found.append((names[u.id], u.state, d.outcome, d.merge, d.error, d.why, near, made, d.spent))
    told = [(names[c.id], [names[i] for i in c.units], names.get(c.episode_id)) for c in derived]
    texts = [(e.text, [v.text for v in recurring.versions(e.id)]) for e in recurring.episodes()]
    return [found, sorted(told, key=repr), sorted(texts)]


def everything(memory: Memory) -> dict[str, Any]:
    """All that a change can reach, with revisions left out: they only grow."""
    scope = memory._scope
    found: dict[str, Any] = {}
    for record in (*memory.recurrence.units(), *scope.derived(), *scope.all_versions(), *scope.corrections()):
        vector = getattr(record, "vector", None)
        fields = {k: getattr(record, k) for k in record.__slots__ if k not in ("revision", "vector")}
        found[record.id] = (fields, None if vector is None else vector.tobytes())
    contents = [c.id for c in scope.derived()]
    for relation in scope.relations_of(*contents, end="content_id") if contents else []:
        found[relation.id] = (relation.cue_id, relation.tag_id, relation.content_id)
    return found


def sound(memory: Memory, folder: Path) -> None:
    """Units are numbered without a gap and each is in one state that its episodes confirm."""
    units = {u.id: u for u in memory.recurrence.units()}
    episodes = {e.id: e for e in memory.recurrence.episodes()}
    assert sorted(u.order for u in units.values()) == list(range(1, len(units) + 1))
    turns = [t.id for talk in memory.conversations() for t in memory.turns(talk.id)]
    assert sorted(t for u in units.values() for t in u.origin) == sorted(turns)
    for unit in units.values():
        assert (unit.state == "live") == (not unit.episodes)
        for id_ in unit.episodes:
            assert id_ in episodes and (unit.id in episodes[id_].units) == (unit.state != "pending")
    for made in (*episodes.values(), *memory.recurrence.facts()):
        assert made.units and set(made.units) <= units.keys()
        assert all(units[i].state in ("merged", "consolidated") for i in made.units)
        assert made.layer == "episode" or made.episode_id in episodes
    assert [f for f in examine(Store.open(folder, embedder=None, create=False)) if not f.harmless] == []
