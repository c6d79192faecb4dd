"""What the history says of each change: what was done to what, in the names that held then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from by_name import cue
from secrets_said import erased

from memcore.editing import Delete, Edit, Merge, Relate, Resolve, Set, Split, Who
from memcore.erasure import Wanted
from memcore.memory import Memory
from memcore.records import Cue, Tag
from memcore.view.before_after import in_words
from memcore.view.change_titles import named_in, title
from memcore.view.history import authors
from memcore.view.record_words import ends_of

ANN = Who("ann", "")


@pytest.fixture
def memory(town_memory: Memory) -> Memory:
    return town_memory


def called(memory: Memory, id_: str) -> str:
    record = memory.get([id_])[id_]
    assert isinstance(record, Cue | Tag)
    return record.name


def edit(memory: Memory, *edits: Edit) -> str:
    """The group of the change."""
    return memory.edit(edits, ANN)


def titles(memory: Memory) -> list[str]:
    """Newest first."""
    rows = memory.changes(None)
    stood = memory.stood(named_in(rows))
    return [title(row, stood, {row.group: row for row in rows}) for row in rows]


def sides(memory: Memory, group: str) -> Sequence[tuple[str, str]]:
    before, after = memory.difference(group)
    around = memory.stood({group: ends_of((*before, *after))})[group]
    return [(line.before, line.after) for line in in_words(before, after, around, 50)]


def test_two_renames_of_one_cue_are_told_apart(memory: Memory) -> None:
    felix = cue(memory, "Felix")
    edit(memory, Set("cue", (felix,), "name", "Felice"))
    edit(memory, Set("cue", (felix,), "name", "Felipe"))
    memory.undo(author="bo")
    assert titles(memory)[:3] == [
        "Took back: Changed the name of the cue: “Felice” → “Felipe”",
        "Changed the name of the cue: “Felice” → “Felipe”",
        "Changed the name of the cue: “Felix” → “Felice”",
    ]
    assert authors(memory.changes()[0]) == ["bo"]


def test_a_relation_retagged_names_both_tags_when_the_old_one_is_gone(memory: Memory) -> None:
    relation = memory.relations(cue(memory, "Felix"))[0]
    old = called(memory, relation.tag_id)
    group = edit(memory, Set("relation", (relation.id,), "tag", "first lesson"))
    edit(memory, Delete("tag", (relation.tag_id,)))
    edit(memory, Set("cue", (relation.cue_id,), "name", "Felice"))
    said = titles(memory)
    assert said[2] == f"Changed the tag of a relation from “Felix”: “{old}” → “first lesson”"
    assert said[1] == f"Deleted the tag “{old}”"
    (before, after), *_ = sides(memory, group)
    assert before.startswith(f"“Felix” leads by “{old}” to “")
    assert after.startswith("“Felix” leads by “first lesson” to “")


def test_what_was_deleted_is_named(memory: Memory) -> None:
    relation = memory.relations(cue(memory, "Felix"))[0]
    tag = called(memory, relation.tag_id)
    edit(memory, Delete("relation", (relation.id,)))
    lisbon, kyoto, madrid, saffron = (cue(memory, n) for n in ("Lisbon", "Kyoto", "Madrid", "Saffron"))
    edit(memory, Delete("cue", (lisbon, kyoto, madrid, saffron)))
    assert titles(memory)[:2] == [
        "Deleted 4 cues: “Lisbon”, “Kyoto”, “Madrid” and 1 more",
        f"Deleted the relation “Felix” — “{tag}”",
    ]


def test_a_merge_a_split_and_a_new_relation_say_of_what(memory: Memory) -> None:
    lisbon, kyoto, madrid, felix = (cue(memory, n) for n in ("Lisbon", "Kyoto", "Madrid", "Felix"))
    content = memory.relations(madrid)[0].content_id
    edit(memory, Merge("cue", (lisbon, kyoto), madrid))
    edit(memory, Set("cue", (madrid,), "name", "Toledo"))
    edit(memory, Split("cue", felix, (memory.relations(felix)[0].id,), "Felix of the studio"))
    edit(memory, Relate(content, "Bo's habit", "after running"))
    related, split, _, merged = titles(memory)[:4]
    assert related.startswith("Added a relation from “Bo's habit” to the memory “")
    assert split == "Split the cue “Felix”"
    assert merged == "Merged “Lisbon”, “Kyoto” into the cue “Madrid”"


def test_the_same_value_for_several_is_told_with_their_names(memory: Memory) -> None:
    lisbon, kyoto = cue(memory, "Lisbon"), cue(memory, "Kyoto")
    edit(memory, Set("cue", (lisbon, kyoto), "pinned", True))
    edit(memory, Set("cue", (lisbon,), "name", "Porto"), Set("cue", (kyoto,), "name", "Nara"))
    edit(memory, Set("cue", (lisbon,), "pinned", False))
    assert titles(memory)[:3] == [
        "Changed the pin of the cue “Porto”: yes → no",
        "Changed 2 cues: “Lisbon”, “Kyoto”",
        "Changed the pin of 2 cues to yes: “Lisbon”, “Kyoto”",
    ]


def test_a_decision_names_what_was_disputed_and_what_stands_now(memory: Memory) -> None:
    felix = memory.relations(cue(memory, "Felix"))[:3]
    for at, relation in enumerate(felix):
        edit(memory, Set("relation", (relation.id,), "tag", f"lesson {at}"))
    content = felix[0].content_id
    edit(memory, Set("content", (content,), "text", "What I wrote."))
    disputed = {"": [c for c in memory.corrections().all if c.slot == "triple"][:2]}
    disputed["What it says."] = [c for c in memory.corrections().of(content) if c.slot == "text"]
    said_now = [replace(c, disputed=words, revision=2) for words, all_ in disputed.items() for c in all_]
    memory._scope.commit(memory.changes(1)[0].events[-1], upserts=said_now)
    for correction, choice in zip(said_now, ("mine", "new", "new"), strict=True):
        edit(memory, Resolve(correction.id, choice))
    assert titles(memory)[:3] == [
        "Took the new reading of the text of the memory “What I wrote.”",
        "Removed the relation “Felix” — “lesson 1”, which is read no more",
        "Kept the correction of the relation “Felix” — “lesson 0”",
    ]
    memory.undo(author="bo")
    assert titles(memory)[0] == "Took back: Took the new reading of the text of the memory “What I wrote.”"


def test_what_was_deleted_together_is_called_deleted(memory: Memory) -> None:
    lisbon, kyoto = memory.relations(cue(memory, "Lisbon"))[0], cue(memory, "Kyoto")
    tag = called(memory, lisbon.tag_id)
    edit(memory, Delete("cue", (kyoto,)), Delete("tag", (lisbon.tag_id,)))
    memory.undo(author="bo")
    assert titles(memory)[0] == f"Took back: Deleted 2 records: “Kyoto”, “{tag}”"


def test_an_erasure_of_words_alone_says_that_the_record_stays(memory: Memory) -> None:
    hits = [h for h in memory.erasure.find(Wanted(text="town.jsonl")).hits if h.part == "words"]
    erased(memory, hits)
    assert titles(memory)[0] == "Took words out of 1 record for good"
