"""The quality monitor: each kind of fault is found where it was put, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from building import TOWN, Town, town, turns

from memcore.graph import Graph
from memcore.llm.offline.facts import find_facts
from memcore.records import UNKNOWN, Conversation, File, Turn
from memcore.view import near_names
from memcore.view.near_names import pairs
from memcore.view.quality import Finding, Source, quality

Said = Sequence[tuple[str, str]]


def source(found: Town, files: Sequence[File] = (), spoken: Sequence[Turn] = ()) -> Source:
    talks = {
        t.conversation_id: Conversation(t.conversation_id, "f", "town", "town", (), UNKNOWN, UNKNOWN, 0)
        for t in spoken
    }
    talks = {i: replace(c, turns=sum(t.conversation_id == i for t in spoken)) for i, c in talks.items()}

    def texts(ids: Iterable[str]) -> Mapping[str, str]:
        return found.texts_of(ids)

    def of(talk: str) -> list[Turn]:
        return [t for t in spoken if t.conversation_id == talk]

    return Source(found.graph, files, list(talks.values()), texts, of, find_facts)


def finding(made: Source, kind: str) -> Finding:
    return next(f for f in quality(made) if f.kind == kind)


def named(cues: Sequence[str], kinds: str = "people") -> Graph:
    """The town with its first cues under these names."""
    c = town().graph.columns
    count = len(cues)
    return Graph(
        replace(
            c,
            cue_names=[*cues, *c.cue_names[count:]],
            cue_keys=[*cues, *(f"\u0000{i}" for i in range(len(c.cue_keys) - count))],
            cue_kinds=[kinds] * count + ["time"] * (len(c.cue_keys) - count),
        )
    )


def near(*cues: str, kinds: str = "people") -> list[tuple[str, str, str]]:
    graph = named(cues, kinds)
    names = graph.columns.cue_names
    return [(*sorted((names[p.first], names[p.second])), p.why) for p in pairs(graph)]  # type: ignore[misc]


def test_a_sound_memory_has_next_to_nothing_to_mend() -> None:
    spoken = turns()
    found = {f.kind: f.count for f in quality(source(town(spoken), spoken=spoken))}
    assert {k: n for k, n in found.items() if k not in ("handles", "near", "dates")} == dict.fromkeys(
        ("failures", "skipped", "contradictions", "broad", "orphans"), 0
    )


def test_an_empty_memory_has_nothing_to_mend() -> None:
    assert [f.count for f in quality(source(town([])))] == [0] * 8


def test_cues_and_tags_without_relations_are_orphans() -> None:
    t = town()
    c = t.graph.columns
    kept = (c.relation_cue != 0) & (c.relation_tag != 1)
    cut = {n: getattr(c, n)[kept] for n in ("relation_cue", "relation_tag", "relation_content")}
    t.graph = Graph(replace(c, **cut))
    items = finding(source(t), "orphans").items
    assert (c.cue_names[0], "cue") in [(i.names[0], i.note) for i in items]
    assert (c.tag_names[1], "tag") in [(i.names[0], i.note) for i in items]


def test_a_memory_without_a_handle_stands_before_one_with_a_single_one() -> None:
    t = town()
    c = t.graph.columns
    first = np.flatnonzero(c.relation_content == 1)[0]
    kept = (c.relation_content != 0) & ((c.relation_content != 1) | (np.arange(len(c.relation_cue)) == first))
    cut = {n: getattr(c, n)[kept] for n in ("relation_cue", "relation_tag", "relation_content")}
    t.graph = Graph(replace(c, **cut))
    items = finding(source(t), "handles").items
    assert items[0].nodes == (c.content_ids[0],) and items[0].note == "no cue leads here"
    assert (c.content_ids[1],) in [i.nodes for i in items if "single" in i.note]


def test_a_tag_on_very_many_memories_is_too_broad_and_a_speaker_is_not() -> None:
    said = [("Ann", f"I saw the harbour on walk {n}, and then a {w}.") for n, w in enumerate("abcdefgh" * 6)]
    t = town(turns(said, per_session=6))
    names = [i.names[0] for i in finding(source(t), "broad").items]
    assert any("harbour" in name.lower() for name in names) and "Ann" not in names


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("okafor", "okafer", "people"),
        ("okafor", "okafoor", "people"),
        ("felix aldine", "aldine felix", "topic"),
        ("ice-cream", "ice cream", "topic"),
        ("icecream", "ice cream", "topic"),
        ("marathon trainning", "marathon training", "topic"),
        ("김철수민박", "김철주민박", "people"),
        ("김민수", "김민슈", "people"),
        ("새 집", "새집", "topic"),
    ],
)
def test_names_that_were_probably_meant_as_one_are_a_pair(one: str, other: str, kinds: str) -> None:
    found = near(one, other, "something else", kinds=kinds)
    assert [pair[:2] for pair in found] == [tuple(sorted((one, other)))]


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("room 12", "room 13", "location"),
        ("3 may 2024", "4 may 2024", "time"),
        ("winner", "winter", "topic"),
        ("dream", "dreamy", "topic"),
        ("storm", "store", "topic"),
        ("bob", "rob", "people"),
        ("lisbon", "madrid", "location"),
        ("hte harbour", "the harbour", "people"),
        ("먹었다", "먹었어", "topic"),
    ],
)
def test_other_names_are_no_pair(one: str, other: str, kinds: str) -> None:
    assert near(one, other, kinds=kinds) == []


def test_near_vectors_make_a_pair_and_numbers_do_not() -> None:
    graph = named(["film", "movie", "room 12", "room 13"], "topic")
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((len(graph.columns.cue_ids), 64)).astype(np.float32)
    vectors[1] = vectors[0] * 2 + 0.2 * rng.standard_normal(64).astype(np.float32)
    vectors[3] = vectors[2]
    near_ = pairs(Graph(replace(graph.columns, cue_vectors=vectors)))
    names = graph.columns.cue_names
    assert [{names[p.first], names[p.second]} for p in near_] == [{"film", "movie"}]
    assert "near in meaning" in near_[0].why


def test_names_that_the_embedder_takes_for_one_another_are_near_to_nothing() -> None:
    graph = named(["봄에", "곁에", "댁에", "강", "café", "cafe"], "topic")
    vectors = np.random.default_rng(1).standard_normal((len(graph.columns.cue_ids), 64)).astype(np.float32)
    vectors[1] = vectors[2] = vectors[0]
    vectors[3] = vectors[0] + 0.2 * vectors[3]
    vectors[5] = vectors[4]
    near_ = pairs(Graph(replace(graph.columns, cue_vectors=vectors)))
    names = graph.columns.cue_names
    assert [{names[p.first], names[p.second]} for p in near_] == [{"café", "cafe"}]


def test_no_name_is_compared_with_every_other(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    apart = near_names._one_apart  # pyright: ignore[reportPrivateUsage]

    def counting(a: str, b: str, *, names: bool) -> bool:
        nonlocal compared
        compared += 1
        return apart(a, b, names=names)

    monkeypatch.setattr(near_names, "_one_apart", counting)
    rng = np.random.default_rng(2)
    letters = np.array(list("abcdefghijklmnop"))
    c = town().graph.columns
    count = 3000
    keys = ["".join(rng.choice(letters, 12)) for _ in range(count)]
    many = Graph(
        replace(
            c,
            cue_ids=[f"{i}" for i in range(count)],
            cue_names=keys,
            cue_keys=keys,
            cue_kinds=["people"] * count,
            cue_vectors=np.zeros((count, 0), np.float32),
        )
    )
    assert pairs(many) == []
    assert compared < count


def test_facts_of_one_person_that_cannot_both_hold_are_beside_each_other() -> None:
    said = [
        ("Ann", "I live in Lisbon."),
        ("Bo", "I live in Oslo."),
        ("Ann", "I like tea."),
        ("Ann", "I like coffee."),
        ("Ann", "I live in Porto now."),
        ("Ann", "I live in Lisbon!"),
    ]
    t = town(turns(said))
    items = finding(source(t), "contradictions").items
    assert [i.note for i in items] == ["Ann: lives in"]
    assert {t.texts[n] for n in items[0].nodes} == {"I live in Lisbon.", "I live in Porto now."}


def test_dates_that_are_missing_wide_or_far_off_are_not_sure() -> None:
    t = town()
    c = t.graph.columns
    said, first, last = (a.copy() for a in (c.said_days, c.event_first, c.event_last))
    first[:], last[:] = 0, 0
    day = int(said[3])
    said[0] = 0
    first[1], last[1] = day, day + 30
    first[2], last[2] = day - 4000, day - 4000
    first[3], last[3] = day, day
    t.graph = Graph(replace(c, said_days=said, event_first=first, event_last=last))
    items = finding(source(t), "dates").items
    assert [(i.nodes[0], i.note.split()[0]) for i in items] == [
        (c.content_ids[0], "no"),
        (c.content_ids[2], "far"),
        (c.content_ids[1], "known"),
    ]


def test_turns_with_text_that_gave_nothing_are_failures_and_folded_ones_are_not() -> None:
    spoken = turns()
    lost = replace(spoken[0], id="a" * 16, position=len(TOWN), text="Nobody read this.")
    thought = replace(lost, id="b" * 16, folded=True)
    silent = replace(lost, id="c" * 16, text="  ")
    items = finding(source(town(spoken), spoken=[*spoken, lost, thought, silent]), "failures").items
    assert [(i.turn, i.names) for i in items] == [("a" * 16, ("Nobody read this.",))]


def test_a_file_with_records_left_out_is_told_with_the_reason() -> None:
    skipped = [{"why": "it has no text", "count": 2, "first_where": "line 3"}]
    files = [
        File("1", "a.json", "x", datetime.now(UTC), {"skipped": skipped}),
        File("2", "b.json", "x", datetime.now(UTC), {"skipped": []}),
    ]
    items = finding(source(town(), files), "skipped").items
    assert [(i.names, i.note) for i in items] == [(("a.json",), "2 records left out: it has no text")]
