"""RecMem once more in the plainest way, out of lists and loops, agrees with every decision that is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streams import Middles, Ran, Scripted, clustered, read, run, states, told, units

from memcore.absorbing.units import embedded, units_of
from memcore.errors import ModelError
from memcore.importing import read_file
from memcore.llm.offline.embedder import MultilingualEmbedder
from memcore.llm.offline.writer import ExtractiveWriter
from memcore.records import Near, Spent, Thresholds, Turn, Unit, new_id
from memcore.recurrence import Recurrence
from memcore.tiers import Tiers
from memcore.writing import Passage, Roles

COUNTING: tuple[Any, ...] = ("counts_new_unit", "neighbours_reach", "neighbours_exceed")
ORDERS: tuple[Any, ...] = ("before_gate", "at_consolidation")
STREAMS = 1_000
DIALOGUES = 1


class Plain:
    """One unit after the other; everything is compared with everything."""

    def __init__(self, thresholds: Thresholds, writer: Any, place: Any, reads: Any, cosine: Any) -> None:
        self.t, self.writer, self.place, self.reads, self.cosine = thresholds, writer, place, reads, cosine
        self.units: dict[str, Unit] = {}
        self.live: list[str] = []
        self.state: dict[str, str] = {}
        self.episodes: list[dict[str, Any]] = []
        self.facts: list[dict[str, Any]] = []
        self.made: list[dict[str, Any]] = []

    def absorb(self, unit: Unit) -> tuple[Any, ...]:
        self.units[unit.id] = unit
        self.row: dict[str, Any] = {
            "outcome": "stored", "merge": "none", "recurring": 1, "nearest": None, "neighbours": [],
            "below": None, "consumed": [], "episodes": [], "facts": [], "spent": [], "error": "",
        }  # fmt: skip
        if unit.vector is not None:
            self.compare(unit)
        self.settle(unit)
        return self.told(unit)

    def compare(self, unit: Unit) -> None:
        episode, score = None, 0.0
        for candidate in self.episodes:
            if candidate["vector"] is not None:
                s = self.cosine(unit.vector, candidate["vector"])
                if episode is None or s > score:
                    episode, score = candidate, s
        if episode is not None:
            self.row["nearest"] = (episode["name"], score)
        belongs = episode is not None and score >= self.t.merge
        # 1. merge first
        if belongs and self.t.order == "before_gate" and self.merge(episode, unit, []):
            return
        # 2. the gate: the 2 x theta_count nearest, of them those strictly above theta_sim
        ranked: list[Near] = []
        for other in self.live:
            ranked.append(Near(other, self.cosine(unit.vector, self.units[other].vector)))
        ranked.sort(key=lambda near: (-near.score, self.units[near.id].order))
        kept = [near for near in ranked[: 2 * self.t.theta_count] if near.score > self.t.theta_sim]
        self.row["neighbours"] = kept
        self.row["recurring"] = len(kept) + 1
        if not kept and ranked:
            self.row["below"] = ranked[0]
        if self.t.counting == "counts_new_unit":
            fires = len(kept) + 1 >= self.t.theta_count
        elif self.t.counting == "neighbours_reach":
            fires = len(kept) >= self.t.theta_count
        else:
            fires = len(kept) > self.t.theta_count
        # 3. otherwise it is stored
        if not fires:
            return
        together = [near.id for near in kept]
        if belongs and self.t.order == "at_consolidation" and self.merge(episode, unit, together):
            return
        self.consolidate(unit, together)

    def merge(self, episode: dict[str, Any], unit: Unit, together: list[str]) -> bool:
        others = episode["waiting"] + together
        if len(others) + 1 < self.t.collect:
            self.row |= {"outcome": "pending", "merge": "pending", "episodes": [episode["name"]]}
            episode["waiting"] = [*episode["waiting"], unit.id]
            return True
        inside = [*others, unit.id]
        passages = self.reads(inside)
        try:
            text = self.ask("merge", self.writer.merge, episode["text"], passages)
            if text is None:
                self.row["merge"] = "declined"
                for waited in episode["waiting"]:
                    self.state[waited] = "live"
                    self.live.append(waited)
                episode["waiting"] = []
                return False
            all_units = episode["units"] + [i for i in inside if i not in episode["units"]]
            vector = self.place(text.strip(), all_units)
            facts = self.refine("refine_in_merge", text.strip(), vector, passages, inside, [])
        except ModelError as error:
            self.row |= {"merge": "failed", "error": type(error).__name__}
            return False
        episode |= {"text": text.strip(), "units": all_units, "vector": vector, "waiting": []}
        episode["revision"] += 1
        self.enter([episode], facts, [episode])
        self.row |= {"outcome": "merged", "merge": "accepted", "consumed": others}
        return True

    def consolidate(self, unit: Unit, together: list[str]) -> None:
        inside = [*together, unit.id]
        with_time = [i for i in inside if self.units[i].said.start is not None]
        with_time.sort(key=lambda i: (self.units[i].said.start, self.units[i].order))
        without = [i for i in inside if self.units[i].said.start is None]
        without.sort(key=lambda i: self.units[i].order)
        inside = with_time + without
        passages = self.reads(inside)
        episodes: list[dict[str, Any]] = []
        facts: list[list[dict[str, Any]]] = []
        try:
            drafts = self.ask("consolidate", self.writer.consolidate, passages)
            forgotten = [i for i in range(len(inside)) if all(i not in d.passages for d in drafts)]
            for n, draft in enumerate(drafts):
                own = sorted({*draft.passages, *(forgotten if n == 0 else [])})
                ids = [inside[i] for i in own]
                vector = self.place(draft.text.strip(), ids)
                made = {
                    "text": draft.text.strip(),
                    "units": ids,
                    "vector": vector,
                    "waiting": [],
                    "revision": 1,
                }
                fresh = [f["text"] for some in facts for f in some]
                few = [passages[i] for i in own]
                facts.append(self.refine("refine", made["text"], vector, few, ids, fresh))
                episodes.append(made)
        except ModelError as error:
            self.row |= {"outcome": "failed", "error": type(error).__name__}
            return
        self.enter(
            episodes,
            [f for some in facts for f in some],
            [e for e, some in zip(episodes, facts, strict=True) for _ in some],
        )
        self.episodes += episodes
        self.row |= {"outcome": "consolidated", "consumed": together}

    def refine(
        self,
        operation: str,
        text: str,
        vector: Any,
        passages: list[Passage],
        ids: list[str],
        fresh: list[str],
    ) -> list[dict[str, Any]]:
        ranked = [
            (self.cosine(vector, f["vector"]), f["text"]) for f in self.facts if f["vector"] is not None
        ]
        ranked.sort(key=lambda pair: -pair[0])
        known = [text for _, text in ranked[:10]] if vector is not None else []
        drafts = self.ask(operation, self.writer.refine, text, passages, [*known, *fresh])
        made: list[dict[str, Any]] = []
        for draft in drafts:
            rests = [ids[i] for i in sorted(set(draft.passages))]
            made.append(
                {"text": draft.text.strip(), "units": rests, "vector": self.place(draft.text.strip(), rests)}
            )
        return made

    def ask(self, operation: str, call: Callable[..., Any], *given: Any) -> Any:
        self.row["spent"].append(Spent(operation, 0, 0))  # type: ignore[arg-type]
        reply = call(*given)
        self.row["spent"][-1] = Spent(operation, reply.sent, reply.received)  # type: ignore[arg-type]
        return reply.value

    def enter(
        self, episodes: list[dict[str, Any]], facts: list[dict[str, Any]], of: list[dict[str, Any]]
    ) -> None:
        for made, layer in [*((e, "episode") for e in episodes), *((f, "fact") for f in facts)]:
            if "name" not in made:
                made["name"] = f"{layer}{len(self.made)}"
                self.made.append(made)
        for i, fact in enumerate(facts):
            fact["episode"] = (of * len(facts) if len(of) == 1 else of)[i]["name"]
        self.facts += facts
        self.row["episodes"] = [e["name"] for e in episodes]
        self.row["facts"] = [f["name"] for f in facts]
        self.row["texts"] = tuple((e["text"], tuple(e["units"]), e["revision"]) for e in episodes)
        self.row["stated"] = tuple((f["text"], tuple(f["units"]), f["episode"]) for f in facts)

    def settle(self, unit: Unit) -> None:
        outcome = self.row["outcome"]
        state = "live" if outcome in ("stored", "failed") else outcome
        for id_ in [*self.row["consumed"], unit.id]:
            self.state[id_] = state
            if id_ in self.live:
                self.live.remove(id_)
        if state == "live" and unit.vector is not None:
            self.live.append(unit.id)

    def told(self, unit: Unit) -> tuple[Any, ...]:
        row = {k: tuple(v) if isinstance(v, list) else v for k, v in self.row.items()}
        names = (
            "outcome", "merge", "recurring", "nearest", "neighbours", "below", "consumed", "episodes",
            "facts", "spent", "error",
        )  # fmt: skip
        return (unit.id, *(row[n] for n in names), row.get("texts", ()), row.get("stated", ()))


def cosine(one: Any, other: Any) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += float(a) * float(b)
    return round(total, 6)


def thresholds_of(rng: np.random.Generator, counting: Any, order: Any) -> Thresholds:
    return Thresholds(
        float(rng.choice([0.0, 0.3, 0.5, 0.7, 0.9, 1.0])),
        int(rng.integers(1, 6)),
        float(rng.choice([0.0, 0.5, 0.7, 0.9, 1.0])),
        counting,
        order,
        int(rng.choice([1, 1, 2, 3, 6])),
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("counting", COUNTING)
def test_a_plain_run_agrees_on_every_decision_of_random_streams(counting: Any, order: Any) -> None:
    outcomes: set[tuple[str, str]] = set()
    for seed in range(STREAMS):
        rng = np.random.default_rng(seed)
        vectors = clustered(rng, int(rng.integers(4, 20)))
        days = [None if rng.random() < 0.2 else int(rng.integers(0, 9)) for _ in vectors]
        stream = units([None if rng.random() < 0.05 else v for v in vectors], days)
        thresholds = thresholds_of(rng, counting, order)
        fails = 0.2 if seed % 3 == 0 else 0.0
        asked, plainly = (Scripted(seed, fails=fails) for _ in range(2))
        ran = run(stream, thresholds, asked)
        middles = Middles({u.id: u for u in stream})
        listed = [v.tolist() if v is not None else None for v in vectors]
        assert len(listed) == len(stream)
        plain = Plain(thresholds, plainly, lambda _, ids, of=middles.of: of(ids), read, cosine)
        rows = [plain.absorb(u) for u in stream]
        assert told(ran) == rows, f"stream {seed}, {thresholds}"
        assert asked.calls == plainly.calls
        assert {i: u.state for i, u in ran.tiers.units.items()} == plain.state == states(ran)
        assert sorted(i for i in plain.live) == sorted(u for u in plain.state if u in ran.tiers.live)
        outcomes |= {(a.decision.outcome, a.decision.merge) for a in ran.done}
    assert {o for o, _ in outcomes} == {"stored", "pending", "merged", "consolidated", "failed"}
    assert {m for _, m in outcomes} == {"none", "pending", "declined", "failed", "accepted"}


@dataclass(frozen=True)
class Talks:
    """Units of real dialogues with their vectors, and the words that a writer reads of them."""

    stream: list[Unit]
    passages: dict[str, Passage]
    embedder: MultilingualEmbedder

    def read(self, ids: Sequence[str]) -> list[Passage]:
        return [self.passages[i] for i in ids]


@pytest.fixture(scope="module")
def talks(shared_data: Path) -> Talks:
    """The first dialogue of LoCoMo. Each unit is embedded once for all tests."""
    embedder = MultilingualEmbedder()
    found: list[tuple[Unit, Passage]] = []
    for talk in list(read_file(shared_data / "locomo" / "locomo6.json").conversations)[:DIALOGUES]:
        turns = [
            Turn(new_id(), talk.identity, i, t.speaker, t.role, t.text, t.said, session=t.session)
            for i, t in enumerate(talk.turns)
        ]
        found += units_of(turns, len(found) + 1)
    placed = embedded(found, embedder, Thresholds(0.69, 5, 0.71))
    return Talks(placed, {p.unit_id: p for _, p in found}, embedder)


def nearness(pairs: dict[tuple[int, int], float]) -> Callable[[Any, Any], float]:
    """The same cosine with long vectors, each pair of them multiplied once."""
    kept: list[Any] = []

    def of(one: Any, other: Any) -> float:
        pair = (id(one), id(other))
        if pair not in pairs:
            kept.extend((one, other))
            pairs[pair] = round(float(np.dot(one.astype(float), other.astype(float))), 6)
        return pairs[pair]

    return of


def test_a_plain_run_agrees_on_every_decision_of_locomo(talks: Talks) -> None:
    cosine_of = nearness({})
    by_id = {u.id: u for u in talks.stream}
    middles = Middles(by_id)
    for counting in COUNTING:
        for order in ORDERS:
            thresholds = Thresholds(0.69, 5, 0.78, counting, order)
            asked, plainly = (Scripted(3) for _ in range(2))
            ran = run(talks.stream, thresholds, asked, reads=talks.read)
            plain = Plain(thresholds, plainly, lambda _, ids: middles.of(ids), talks.read, cosine_of)
            rows = [plain.absorb(u) for u in talks.stream]
            assert told(ran) == rows and asked.calls == plainly.calls
            assert {i: u.state for i, u in ran.tiers.units.items()} == plain.state == states(ran)
            assert "consolidated" in plain.state.values()


def test_a_plain_run_agrees_with_the_extractive_writer(talks: Talks) -> None:
    """Here an episode lies where its text does."""
    places: dict[str, Any] = {}

    def place(text: str, _: Sequence[str]) -> Any:
        if text not in places:
            places[text] = talks.embedder.embed([text])[0]
        return places[text]

    thresholds, writer = Thresholds(0.72, 4, 0.74), ExtractiveWriter()
    roles = Roles(writer, talks.read, lambda c: place(c.text, c.units))
    tiers = Tiers(talks.embedder.dimension)
    ran = Ran(tiers, list(Recurrence(tiers, roles, thresholds).absorb(talks.stream)))
    plain = Plain(thresholds, writer, place, talks.read, nearness({}))
    rows = [plain.absorb(u) for u in talks.stream]
    assert told(ran) == rows
    assert {"consolidated", "merged"} <= {row[1] for row in rows}
