"""Corrections made on a copy, carried out on another store: the same graph, and what did not fit."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from building import TOWN, own_lines, write_lines
from by_name import content, cue
from some_edits import some_edit

from memcore.editing import Delete, Edit, Merge, Relate, Set, Split, Who
from memcore.editing.outcomes import Outcome
from memcore.errors import InputError
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Moment

ANN = Who("ann", "it was misread")
HOSTILE = '<img src=x onerror="alert(1)"> ![x](http://a.b/c.png)'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "town.jsonl", own_lines(TOWN, "town"))


@pytest.fixture
def fresh(tmp_path: Path, path: Path) -> Callable[[str], Memory]:
    """A new store with the same file in it, and so with other ids."""

    def made(name: str) -> Memory:
        found = Memories.open(tmp_path / name, embedder="none").scope("town", create=True)
        list(found.import_path(path))
        return found

    return made


def shown(memory: Memory) -> tuple[Any, ...]:
    """Names, relations and texts; what leads to nothing is left out, since no memory shows it."""
    graph = memory.snapshot().graph
    c = graph.columns
    texts = memory.texts(c.content_ids)
    contents = [(texts[i], layer) for i, layer in zip(c.content_ids, c.layers, strict=True)]
    pairs = zip(c.relation_cue, c.relation_tag, c.relation_content, strict=True)
    triples = [(c.cue_names[q], c.tag_names[t], contents[v]) for q, t, v in pairs]
    events = [(texts[i], d) for i, d in zip(c.content_ids, c.event_first.tolist(), strict=True)]
    return sorted(contents), sorted(triples), sorted(events)


def tag_of(memory: Memory, cue_name: str) -> str:
    return memory.relations(cue(memory, cue_name))[0].tag_id


def states(outcomes: list[Outcome]) -> list[str]:
    return [o.state for o in sorted(outcomes)]


def every_kind_of_edit(memory: Memory) -> None:
    """One of each, in an order in which later ones rest on earlier ones."""
    day = datetime(2024, 4, 1, tzinfo=UTC)
    felix = memory.relations(cue(memory, "Felix"))
    edits: list[Callable[[], Edit]] = [
        lambda: Set("relation", (felix[0].id,), "tag", "first lesson"),
        lambda: Set("cue", (cue(memory, "Felix"),), "name", "Felice"),
        lambda: Split("cue", cue(memory, "Felice"), (felix[1].id,), "Felix of the studio"),
        lambda: Set("cue", (cue(memory, "Lisbon"),), "cue_kind", "entity"),
        lambda: Merge("cue", (cue(memory, "Lisbon"),), cue(memory, "Madrid")),
        lambda: Delete("cue", (cue(memory, "Kyoto"),)),
        lambda: Set("tag", (tag_of(memory, "Saffron"),), "name", "고양이 이름"),
        lambda: Relate(content(memory, "green tea").id, "Bo's habit", HOSTILE, "task"),
        lambda: Delete("relation", (memory.relations(cue(memory, "Dr. Okafor"))[0].id,)),
        lambda: Set("content", (content(memory, "pottery lessons").id,), "event", Moment(day, day, "day")),
        lambda: Set("content", (content(memory, "pottery studio").id,), "text", "A studio, 도자기."),
        lambda: Set("content", (content(memory, "marathon").id,), "pinned", True),
        lambda: Set("cue", (cue(memory, "Madrid"),), "pinned", True),
        lambda: Delete("content", (content(memory, "parrot").id,)),
    ]
    for edit in edits:
        memory.edit(edit(), ANN)


def test_a_replay_onto_a_fresh_import_gives_the_same_graph(fresh: Callable[[str], Memory]) -> None:
    made, other = fresh("a"), fresh("b")
    untouched = shown(other)
    every_kind_of_edit(made)
    lines = list(made.exported())
    outcomes = list(other.replay(lines))
    assert [o for o in outcomes if o.state not in ("applied", "already")] == []
    assert shown(other) == shown(made) != untouched


def test_a_replay_is_one_change_and_its_undo_gives_the_memory_as_it_was(
    fresh: Callable[[str], Memory],
) -> None:
    made, other = fresh("a"), fresh("b")
    every_kind_of_edit(made)
    before, changes = shown(other), len(other.changes())
    list(other.replay(made.exported()))
    after = shown(other)
    assert len(other.changes()) == changes + 1
    assert {e.author for e in other.changes()[0].events if e.kind == "edited"} == {"ann"}
    other.undo()
    assert shown(other) == before and other.corrections().all == []
    other.redo()
    assert shown(other) == after


def test_a_merge_into_what_is_called_otherwise_again_is_carried_over_as_a_merge(
    fresh: Callable[[str], Memory],
) -> None:
    """The merge is kept under the name of that day; the rename before it was undone."""
    made, other = fresh("a"), fresh("b")
    felix, lisbon = cue(made, "Felix"), cue(made, "Lisbon")
    renamed = made.edit(Set("cue", (felix,), "name", "Felice"), ANN)
    made.edit(Merge("cue", (lisbon,), felix), ANN)
    made.undo(renamed)
    assert states(list(other.replay(made.exported()))) == ["applied"]
    assert shown(other) == shown(made)
    assert not {"Lisbon", "Felice"} & set(other.snapshot().graph.columns.cue_names)


def test_a_merge_into_what_is_not_here_renames_nothing(fresh: Callable[[str], Memory]) -> None:
    memory = fresh("a")
    line = {"target": "cue", "slot": "merged", "extracted": "Felix", "corrected": "Nobody", "author": "bo"}
    (outcome,) = memory.replay([json.dumps(line)])
    assert outcome.state == "not_found" and "merge it into" in outcome.says
    assert "Felix" in memory.snapshot().graph.columns.cue_names


def test_a_preview_counts_what_will_be_carried_out(fresh: Callable[[str], Memory]) -> None:
    """What a person made by hand comes with the relation that leads to it, and is not counted twice."""
    made, other = fresh("a"), fresh("b")
    every_kind_of_edit(made)
    lines = list(made.exported())
    tried = sorted(other.replay(lines, dry=True))
    assert states(tried) == states(list(other.replay(lines)))
    assert "already" in states(tried)


def test_a_second_replay_finds_everything_done(fresh: Callable[[str], Memory]) -> None:
    made, other = fresh("a"), fresh("b")
    every_kind_of_edit(made)
    lines = list(made.exported())
    list(other.replay(lines))
    after, changes = shown(other), len(other.changes())
    again = list(other.replay(lines))
    assert set(states(again)) == {"already"}, [o for o in again if o.state != "already"]
    assert shown(other) == after and len(other.changes()) == changes


def test_what_was_replayed_stands_after_the_next_extraction(fresh: Callable[[str], Memory]) -> None:
    made, other = fresh("a"), fresh("b")
    made.edit(Set("cue", (cue(made, "Felix"),), "name", "Felice"), ANN)
    made.edit(Set("relation", (made.relations(cue(made, "Saffron"))[0].id,), "tag", "the cat's name"), ANN)
    list(other.replay(made.exported()))
    *_, last = other.reextract()
    assert (last.made, last.removed, last.conflicts) == (0, 0, 0)


def test_a_preview_changes_nothing(fresh: Callable[[str], Memory]) -> None:
    made, other = fresh("a"), fresh("b")
    every_kind_of_edit(made)
    before, changes = shown(other), len(other.changes())
    outcomes = list(other.replay(made.exported(), dry=True))
    assert set(states(outcomes)) <= {"applied", "already"}, outcomes
    assert shown(other) == before and len(other.changes()) == changes


def test_an_export_names_no_row(fresh: Callable[[str], Memory]) -> None:
    made = fresh("a")
    every_kind_of_edit(made)
    text = "\n".join(made.exported())
    c = made.snapshot().graph.columns
    ids = [*c.cue_ids, *c.tag_ids, *c.content_ids, *c.turn_ids, *c.conversation_ids]
    assert not [i for i in {*ids, *(x.id for x in made.corrections().all)} if i in text]
    assert "고양이 이름" in text and "\\u" not in text


def test_a_name_that_two_cues_exchange_is_reported_and_the_rest_is_carried_out(
    fresh: Callable[[str], Memory],
) -> None:
    made, other = fresh("a"), fresh("b")
    felix, lisbon = cue(made, "Felix"), cue(made, "Lisbon")
    for id_, name in ((felix, "for a moment"), (lisbon, "Felix"), (felix, "Lisbon")):
        made.edit(Set("cue", (id_,), "name", name), ANN)
    made.edit(Set("cue", (cue(made, "Saffron"),), "name", "Safran"), ANN)
    outcomes = list(other.replay(made.exported()))
    assert sorted(states(outcomes)) == ["applied", "collides", "collides"]
    assert "Safran" in other.snapshot().graph.columns.cue_names


def test_another_correction_of_the_same_place_is_not_written_over(fresh: Callable[[str], Memory]) -> None:
    made, other = fresh("a"), fresh("b")
    for memory, name, text in ((made, "Felice", "One."), (other, "Felipe", "Two.")):
        shown_ = content(memory, "pottery studio")
        memory.edit(Set("cue", (cue(memory, "Felix"),), "name", name), ANN)
        memory.edit(Set("content", (shown_.id,), "text", text), ANN)
    before = shown(other)
    outcomes = list(other.replay(made.exported()))
    assert states(outcomes) == ["collides", "collides"] and "Somebody" in outcomes[0].says
    assert shown(other) == before


def test_what_is_not_in_the_other_store_is_said_to_be_missing(
    fresh: Callable[[str], Memory], tmp_path: Path
) -> None:
    made = fresh("a")
    every_kind_of_edit(made)
    other = Memories.open(tmp_path / "c", embedder="none").scope("c", create=True)
    list(other.import_path(write_lines(tmp_path / "x.jsonl", own_lines([("Cy", "It rains.")], "elsewhere"))))
    before = shown(other)
    outcomes = list(other.replay(made.exported()))
    assert set(states(outcomes)) == {"not_found"} and all(o.says.endswith(".") for o in outcomes)
    assert shown(other) == before


BAD: list[tuple[str, str]] = [
    ("not a line of JSON", "{"),
    ("not a line of JSON", "[" * 100_000),
    ("an object", "[1, 2]"),
    ("“target”", '{"target": "turn", "slot": "text"}'),
    ("“slot”", '{"target": "cue", "slot": "id"}'),
    ("“at”", '{"target": "content", "slot": "text", "extracted": "a", "corrected": "b"}'),
    ("before and after", '{"target": "cue", "slot": "name", "extracted": null, "corrected": 7}'),
    ("half a character", '{"target": "cue", "slot": "name", "extracted": "a", "corrected": "\\ud83d"}'),
    ("“author”", '{"target": "cue", "slot": "name", "extracted": "a", "corrected": "b", "author": []}'),
    ("at most 2,000,000", "x" * 2_000_001),
]


@pytest.mark.parametrize(("says", "line"), BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_a_malformed_line_is_refused_and_the_next_is_carried_out(
    fresh: Callable[[str], Memory], says: str, line: str
) -> None:
    memory = fresh("a")
    good = {"target": "cue", "slot": "name", "extracted": "Felix", "corrected": "Felice", "author": "bo"}
    outcomes = sorted(memory.replay([line, "", json.dumps(good)]))
    assert [(o.number, o.state) for o in outcomes] == [(1, "refused"), (3, "applied")]
    assert says in outcomes[0].says
    assert "Felice" in memory.snapshot().graph.columns.cue_names


@pytest.mark.parametrize(
    ("slot", "value", "says"),
    [
        ("name", "x" * 300, "at most 200"),
        ("name", "abc\u202egpj.exe", "reading direction"),
        ("cue_kind", "mood", "Choose one of"),
        ("pinned", 1, ""),
    ],
)
def test_a_value_from_a_file_is_checked_like_a_typed_one(
    fresh: Callable[[str], Memory], slot: str, value: Any, says: str
) -> None:
    memory = fresh("a")
    line = {"target": "cue", "slot": slot, "extracted": "Felix", "corrected": value, "name": "Felix"}
    (outcome,) = memory.replay([json.dumps(line)])
    assert outcome.state == ("refused" if says else "applied") and says in outcome.says


def test_a_relation_whose_cue_would_be_of_no_kind_is_refused(fresh: Callable[[str], Memory]) -> None:
    made, other = fresh("a"), fresh("b")
    made.edit(Relate(content(made, "green tea").id, "a habit", "after running", "task"), ANN)
    line = json.loads(next(x for x in made.exported() if '"triple"' in x))
    odd = line | {"corrected": line["corrected"] | {"cue_kind": "mood"}}
    before = shown(other)
    (outcome,) = other.replay([json.dumps(odd)])
    assert outcome.state == "refused" and "one of people, entity" in outcome.says
    assert shown(other) == before
    (outcome,) = other.replay([json.dumps(line)])
    assert outcome.state == "applied"


@pytest.mark.parametrize("corrected", [["yesterday", None, "day", 1], ["2024-04-01", "2024-04-01", "day", 0],
                                       [None, None, "era", 0], [1, 2, 3, 4]])  # fmt: skip
def test_a_time_that_is_none_is_refused(fresh: Callable[[str], Memory], corrected: list[Any]) -> None:
    made = fresh("a")
    day = datetime(2024, 4, 1, tzinfo=UTC)
    made.edit(Set("content", (content(made, "green tea").id,), "event", Moment(day, day, "day")), ANN)
    line = json.loads(next(made.exported())) | {"corrected": corrected}
    (outcome,) = fresh("b").replay([json.dumps(line)])
    assert outcome.state == "refused"


@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_edited_a_replay_gives_the_same_graph(fresh: Callable[[str], Memory], seed: int) -> None:
    made, other = fresh("a"), fresh("b")
    chance = random.Random(seed)
    done = 0
    for n in range(30):
        try:
            made.edit(some_edit(made, chance, n), ANN)
            done += 1
        except InputError:
            continue
    assert done > 10
    outcomes = list(other.replay(made.exported()))
    odd = [o for o in outcomes if o.state not in ("applied", "already")]
    assert shown(other) == shown(made), odd
