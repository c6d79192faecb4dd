"""Hand-correction: six edits, checked, planned, committed as one change, and kept by every later run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from building import TOWN, own_lines, write_lines
from by_name import content

from memcore.editing import Delete, Edit, Editor, Merge, Relate, Resolve, Set, Split, Who
from memcore.errors import Collision, InputError, InTheWay, NotFound, Stale
from memcore.extraction import Extraction, FoundTopic
from memcore.llm.offline.extractor import RuleExtractor
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Content, Correction, Cue, Moment, Record, Relation, Tag, Turn
from memcore.store.doctor import examine

ANN = Who("ann", "it was misread")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "town.jsonl", own_lines(TOWN, "town"))


@pytest.fixture
def memory(town_memory: Memory) -> Memory:
    return town_memory


def cue(memory: Memory, name: str) -> Cue:
    c = memory.snapshot().graph.columns
    found = memory.get([c.cue_ids[c.cue_names.index(name)]]).popitem()[1]
    assert isinstance(found, Cue)
    return found


def tags_of(memory: Memory, name: str) -> list[str]:
    graph = memory.snapshot().graph
    at = graph.columns.cue_names.index(name)
    return sorted(graph.columns.tag_names[t] for t in graph.tags_of(at).tolist())


def cue_names(memory: Memory) -> set[str]:
    return set(memory.snapshot().graph.columns.cue_names)


def everything(memory: Memory) -> dict[str, Record]:
    """All records but their revisions, which an undo raises."""
    c = memory.snapshot().graph.columns
    ids = [*c.cue_ids, *c.tag_ids, *c.content_ids]
    records = [*memory.get(ids).values(), *memory.relations(*c.content_ids)]
    return {r.id: replace(r, revision=1) for r in records}  # type: ignore[call-arg]


def relations(memory: Memory, name: str) -> list[Relation]:
    return memory.relations(cue(memory, name).id)


def reextracted(memory: Memory, extractor: RuleExtractor | None = None) -> tuple[int, int, int]:
    *_, last = memory.reextract(extractor)
    return last.made, last.removed, last.conflicts


def test_extraction_again_without_corrections_changes_nothing(memory: Memory) -> None:
    before, changes = everything(memory), len(memory.changes())
    assert reextracted(memory) == (0, 0, 0)
    assert everything(memory) == before and len(memory.changes()) == changes


def test_a_renamed_cue_keeps_its_relations_and_is_found_by_the_old_name_in_new_imports(
    memory: Memory, tmp_path: Path
) -> None:
    felix, before = cue(memory, "Felix"), tags_of(memory, "Felix")
    memory.edit(Set("cue", (felix.id,), "name", "Felix Aldine"), ANN)
    assert tags_of(memory, "Felix Aldine") == before
    more = write_lines(tmp_path / "more.jsonl", own_lines([("Ann", "Felix sold the studio.")], "more"))
    list(memory.import_path(more))
    assert "Felix" not in cue_names(memory)
    assert len(relations(memory, "Felix Aldine")) > len(before)
    (kept,) = memory.corrections().of(felix.id)
    assert (kept.extracted, kept.corrected, kept.author, kept.reason) == ("Felix", "Felix Aldine", *ANN)


def test_a_correction_stands_after_the_same_import_and_a_new_extraction(memory: Memory, path: Path) -> None:
    wrong = next(r for r in relations(memory, "Saffron"))
    old = tags_of(memory, "Saffron")
    memory.edit(Set("relation", (wrong.id,), "tag", "name of the cat"), ANN)
    memory.edit(Set("cue", (cue(memory, "Lisbon").id,), "name", "Lisboa"), ANN)
    memory.edit(Delete("cue", (cue(memory, "Kyoto").id,)), ANN)
    memory.edit(Relate(content(memory, "green tea").id, "Bo's habit", "after running"), ANN)
    shown = content(memory, "glaze a bowl")
    memory.edit(Set("content", (shown.id,), "text", "Felix taught Ann to glaze a plate."), ANN)
    before = everything(memory)
    list(memory.import_path(path))
    assert reextracted(memory) == (0, 0, 0)
    assert everything(memory) == before
    assert "name of the cat" in tags_of(memory, "Saffron") != old
    assert {"Lisboa", "Bo's habit"} <= cue_names(memory) and not {"Lisbon", "Kyoto"} & cue_names(memory)


def test_a_name_that_exists_is_refused_and_merging_moves_every_relation(memory: Memory) -> None:
    felix, okafor = cue(memory, "Felix"), cue(memory, "Dr. Okafor")
    with pytest.raises(Collision, match="merge the two") as refused:
        memory.edit(Set("cue", (felix.id,), "name", "dr. okafor"), ANN)
    assert refused.value.other == okafor.id
    both = {r.content_id for r in (*relations(memory, "Felix"), *relations(memory, "Dr. Okafor"))}
    memory.edit(Merge("cue", (felix.id,), okafor.id), ANN)
    assert {r.content_id for r in relations(memory, "Dr. Okafor")} == both
    assert "Felix" not in cue_names(memory)
    triples = [(r.cue_id, r.tag_id, r.content_id) for r in relations(memory, "Dr. Okafor")]
    assert len(triples) == len(set(triples))
    assert reextracted(memory) == (0, 0, 0)


def test_a_name_may_change_its_case_and_its_unicode_form(memory: Memory) -> None:
    felix = cue(memory, "Felix")
    memory.edit(Set("cue", (felix.id,), "name", "FELIX"), ANN)
    memory.edit(Set("cue", (cue(memory, "Lisbon").id,), "name", "Ca\u0301diz"), ANN)
    assert {"FELIX", "C\u00e1diz"} <= cue_names(memory)
    with pytest.raises(Collision):
        memory.edit(Set("cue", (felix.id,), "name", "C\u00e1diz"), ANN)


def test_back_to_the_extracted_name_ends_the_correction_and_a_third_name_begins_a_new_one(
    memory: Memory,
) -> None:
    felix = cue(memory, "Felix")
    for name, kept in (("Felice", 1), ("Felix", 0), ("Felipe", 1)):
        memory.edit(Set("cue", (felix.id,), "name", name), ANN)
        assert len(memory.corrections().of(felix.id)) == kept
    assert memory.corrections().of(felix.id)[0].extracted == "Felix"


def test_a_cue_is_split_by_its_relations(memory: Memory) -> None:
    some = [r.id for r in relations(memory, "Felix")][:1]
    count = len(relations(memory, "Felix"))
    memory.edit(Split("cue", cue(memory, "Felix").id, tuple(some), "Felix the cat"), ANN)
    assert [r.id for r in relations(memory, "Felix the cat")] == some
    assert len(relations(memory, "Felix")) == count - 1
    assert reextracted(memory) == (0, 0, 0)


def test_a_tag_is_renamed_everywhere_or_on_one_relation(memory: Memory) -> None:
    one = relations(memory, "Felix")[0]
    tag = memory.get([one.tag_id])[one.tag_id]
    assert isinstance(tag, Tag)
    memory.edit(Set("tag", (tag.id,), "name", "everywhere"), ANN)
    assert "everywhere" in tags_of(memory, "Felix")
    memory.edit(Set("relation", (one.id,), "tag", "only here"), ANN)
    assert "only here" in tags_of(memory, "Felix")
    assert reextracted(memory) == (0, 0, 0)


def test_the_time_and_layer_of_a_memory_are_corrected_and_kept(memory: Memory) -> None:
    shown = content(memory, "pottery lessons")
    day = datetime(2024, 4, 1, tzinfo=UTC)
    moment = Moment(day, day, "day")
    memory.edit(Set("content", (shown.id,), "event", moment), ANN)
    memory.edit(Set("content", (shown.id,), "layer", "fact"), ANN)
    assert reextracted(memory) == (0, 0, 0)
    kept = memory.get([shown.id])[shown.id]
    assert isinstance(kept, Content) and (kept.event, kept.layer) == (moment, "fact")
    turn = memory.get(shown.origin)[shown.origin[0]]
    assert isinstance(turn, Turn) and turn.text == shown.text


def test_the_word_index_follows_an_edited_text_and_its_undo(memory: Memory) -> None:
    shown = content(memory, "pottery lessons")
    memory.edit(Set("content", (shown.id,), "text", "Ann started 도자기 수업."), ANN)
    assert memory.search("도자기", ("content",))[0][0] == shown.id
    assert shown.id not in dict(memory.search("lessons", ("content",)))
    memory.undo()
    assert memory.search("도자기", ("content",)) == []
    assert shown.id in dict(memory.search("lessons", ("content",)))


def test_what_nothing_says_any_more_stays_where_a_person_touched_it_and_is_disputed(memory: Memory) -> None:
    class Silent(RuleExtractor):
        """Says nothing of what Felix taught."""

        def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
            said = super().extract(turns)
            return [
                Extraction((), (), ()) if "taught" in t.text else e for t, e in zip(turns, said, strict=True)
            ]

        def topics(self, turns: Sequence[Turn], extractions: Sequence[Extraction]) -> list[FoundTopic]:
            return []

    one = next(
        r for r in relations(memory, "Felix") if "taught" in memory.texts([r.content_id])[r.content_id]
    )
    memory.edit(Set("relation", (one.id,), "tag", "glazing lesson"), ANN)
    made, removed, conflicts = reextracted(memory, Silent())
    assert made == 0 and removed > 0 and conflicts == 1
    (disputed,) = [c for c in memory.corrections().all if c.disputed is not None]
    assert disputed.record_id == one.id and "glazing lesson" in tags_of(memory, "Felix")
    memory.edit(Resolve(disputed.id, "mine"), ANN)
    assert reextracted(memory, Silent())[2] == 0 and "glazing lesson" in tags_of(memory, "Felix")
    memory.undo()
    memory.edit(Resolve(disputed.id, "new"), ANN)
    assert "glazing lesson" not in tags_of(memory, "Felix")


def test_another_reading_of_a_corrected_time_is_listed_and_can_be_taken(memory: Memory) -> None:
    shown = content(memory, "pottery lessons")
    day, other = (
        Moment(d, d, "day") for d in (datetime(2024, 4, 1, tzinfo=UTC), datetime(2023, 1, 2, tzinfo=UTC))
    )

    class Later(RuleExtractor):
        def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
            said = super().extract(turns)
            return [e._replace(times=tuple(t._replace(moment=other) for t in e.times)) for e in said]

    memory.edit(Set("content", (shown.id,), "event", day), ANN)
    assert reextracted(memory, Later())[2] == 1
    (disputed,) = [c for c in memory.corrections().all if c.disputed is not None]
    with pytest.raises(InputError, match="Both cannot stand"):
        memory.edit(Resolve(disputed.id, "both"), ANN)
    memory.edit(Resolve(disputed.id, "new"), ANN)
    kept = memory.get([shown.id])[shown.id]
    assert isinstance(kept, Content) and kept.event == other
    assert memory.corrections().of(shown.id) == []


def test_a_plan_changes_nothing_and_says_what_would_become_unreachable(memory: Memory) -> None:
    before = everything(memory)
    shown = content(memory, "green tea")
    all_of_it = tuple(r.id for r in memory.relations(shown.id))
    found = memory.impact(memory.editor.plan(Delete("relation", all_of_it), ANN))
    assert shown.id in found.unreachable and found.removed == len(all_of_it)
    assert set(found.idle_cues) <= set(memory.snapshot().graph.cue_index)
    assert everything(memory) == before
    memory.edit(Delete("relation", all_of_it), ANN)
    graph = memory.snapshot().graph
    assert len(graph.handles_of(graph.content_index[shown.id])[0]) == 0
    again = memory.impact(memory.editor.plan(Relate(shown.id, "tea", "drink"), ANN))
    assert again.reachable == (shown.id,) and again.added == 1


def test_who_edits_a_record_that_another_changed_since_is_told(memory: Memory) -> None:
    felix = cue(memory, "Felix")
    memory.edit(Set("cue", (felix.id,), "name", "Felice"), Who("bo"))
    with pytest.raises(Stale) as told:
        memory.edit(Set("cue", (felix.id,), "name", "Felipe"), ANN, {felix.id: felix.revision})
    assert told.value.ids == (felix.id,)
    assert "Felice" in cue_names(memory)


def test_a_plan_that_was_shown_is_carried_out_as_it_is_and_planned_again_once_it_is_old(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    felix, lisbon = cue(memory, "Felix"), cue(memory, "Lisbon")
    edit = Set("cue", (felix.id,), "name", "Felice")
    shown = memory.editor.plan(edit, ANN)
    planned: list[str] = []
    again = Editor.plan
    monkeypatch.setattr(Editor, "plan", lambda self, *of: planned.append("again") or again(self, *of))
    list(memory.editor.apply(edit, ANN, planned=shown))
    assert not planned and "Felice" in cue_names(memory)
    memory.undo()
    list(memory.editor.apply(edit, ANN, planned=shown))  # it was made before the undo
    assert planned == ["again"] and "Felice" in cue_names(memory)
    fresh = again(memory.editor, other := Set("cue", (lisbon.id,), "name", "Lisboa"), ANN)
    list(memory.editor.apply(other, Who("bo", "so it is called"), planned=fresh))
    assert planned == ["again"] * 2
    assert memory.changes(1)[0].events[-1].author == "bo"  # type: ignore[union-attr]


def test_several_edits_are_one_change_and_each_finds_what_those_before_it_left(memory: Memory) -> None:
    before = everything(memory)
    felix, lisbon, madrid = cue(memory, "Felix"), cue(memory, "Lisbon"), cue(memory, "Madrid")
    one, two = relations(memory, "Felix")[:2]
    edits: list[Edit] = [
        Set("cue", (felix.id,), "name", "Felice"),
        Set("cue", (felix.id,), "cue_kind", "topic"),
        Set("cue", (lisbon.id,), "name", "Felix"),
        Set("relation", (one.id,), "tag", "a new tag"),
        Set("relation", (two.id,), "tag", "a new tag"),
        Relate(content(memory, "green tea").id, "Felice", "a new tag"),
        Delete("cue", (madrid.id,)),
    ]
    group = memory.edit(edits, ANN, {felix.id: felix.revision, lisbon.id: lisbon.revision})
    assert {"Felice", "Felix"} <= cue_names(memory) and "Madrid" not in cue_names(memory)
    assert (cue(memory, "Felice").id, cue(memory, "Felice").cue_kind) == (felix.id, "topic")
    assert cue(memory, "Felix").id == lisbon.id
    assert tags_of(memory, "Felice").count("a new tag") == 1
    change = memory.changes()[0]
    assert (change.group, len(change.seqs), change.events[0].kind) == (group, 1, "edited")
    assert reextracted(memory) == (0, 0, 0)
    memory.undo(group)
    assert everything(memory) == before


def test_of_several_edits_none_is_made_when_one_is_refused(memory: Memory) -> None:
    before = everything(memory)
    felix, lisbon = cue(memory, "Felix"), cue(memory, "Lisbon")
    edits: list[Edit] = [
        Set("cue", (felix.id,), "name", "Felice"),
        Set("cue", (lisbon.id,), "name", "felice"),
    ]
    with pytest.raises(Collision):
        memory.edit(edits, ANN)
    assert everything(memory) == before and memory.corrections().all == []


EDITS: list[tuple[str, Edit]] = [
    ("empty", Set("cue", ("?",), "name", "  ")),
    ("at most 200", Set("cue", ("?",), "name", "x" * 102_400)),
    ("control characters", Set("cue", ("?",), "name", "a\u0000b")),
    ("reading direction", Set("cue", ("?",), "name", "abc\u202egpj.exe")),
    ("letter, digit", Set("tag", ("?",), "name", "...!")),
    ("half a character", Set("tag", ("?",), "name", "\ud83d")),
    ("Choose one of", Set("cue", ("?",), "cue_kind", "mood")),
    ("cannot be edited", Set("turn", ("?",), "text", "never")),
    ("cannot be edited", Set("cue", ("?",), "id", "deadbeef00000000")),
    ("cannot be empty", Set("content", ("?",), "text", "\n \t")),
    ("at most 200,000", Set("content", ("?",), "text", "x" * 200_001)),
    ("A time is", Set("content", ("?",), "event", "yesterday")),
    ("0 \\(open\\) to 3", Set("content", ("?",), "sensitivity", 9)),
    ("at least one other", Merge("cue", (), "?")),
    ("cannot be empty", Set("cue", ("?",), "name", "\u200b\u3164")),
    ("cannot be empty", Set("content", ("?",), "text", "\u200b \u2060")),
    ("Choose one of", Relate("?", "tea", "a drink", "mood")),  # type: ignore[arg-type]
]


def test_a_turn_cannot_be_made_an_episode_of_nothing(memory: Memory) -> None:
    before = everything(memory)
    turn, fact = content(memory, "glaze a bowl"), content(memory, "green tea")
    for shown in (turn, fact):
        with pytest.raises(InputError, match="no other memory can become one"):
            memory.edit(Set("content", (shown.id,), "layer", "episode"), ANN)
    assert everything(memory) == before and memory.recurrence.episodes() == []
    memory.edit(Set("content", (turn.id,), "text", "episode"), ANN)


@pytest.mark.parametrize(
    ("says", "who"),
    [
        ("author has at most 2,000", Who("x" * 200_000)),
        ("reason has at most 2,000", Who("ann", "x" * 200_000)),
        ("half a character", Who("\ud83d")),
        ("half a character", Who("ann", "\ud83d")),
    ],
    ids=["author", "reason", "half author", "half reason"],
)
def test_who_edits_and_why_is_checked_before_it_is_journalled(memory: Memory, says: str, who: Who) -> None:
    before = len(memory.changes())
    with pytest.raises(InputError, match=says):
        memory.edit(Set("cue", (cue(memory, "Felix").id,), "pinned", True), who)
    assert len(memory.changes()) == before


def test_no_edit_at_all_is_refused(memory: Memory) -> None:
    with pytest.raises(InputError, match="Nothing was chosen"):
        memory.edit([], ANN)


@pytest.mark.parametrize("name", ["Sa\u200bffron", "Saf\u00adfron", "Saffron\u2060", "Saffron\ufe0f"])
def test_a_name_that_only_looks_like_another_is_that_one(memory: Memory, name: str) -> None:
    with pytest.raises(Collision):
        memory.edit(Set("cue", (cue(memory, "Felix").id,), "name", name), ANN)


@pytest.mark.parametrize(("says", "edit"), EDITS, ids=[s for s, _ in EDITS])
def test_a_value_that_cannot_be_is_refused_with_what_is_wrong(memory: Memory, says: str, edit: Edit) -> None:
    before = len(memory.changes())
    with pytest.raises(InputError, match=says):
        memory.edit(edit, ANN)
    assert len(memory.changes()) == before


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>", "![x](http://a.b/c.png)", "고양이 사프란", "🐈 Saffron", "חתול", "x" * 200,
     "👍", "→", "€", "C#", "❤\ufe0f\u200d🔥", "می\u200cخواهم"],
)  # fmt: skip
def test_a_name_of_any_script_is_kept_as_it_was_typed(memory: Memory, name: str) -> None:
    memory.edit(Set("cue", (cue(memory, "Saffron").id,), "name", name), ANN)
    assert name in cue_names(memory)
    memory.undo()
    assert "Saffron" in cue_names(memory)


def test_what_is_no_longer_there_cannot_be_edited(memory: Memory) -> None:
    felix = cue(memory, "Felix")
    memory.edit(Delete("cue", (felix.id,)), ANN)
    for edit in (Set("cue", (felix.id,), "name", "x1"), Merge("cue", (felix.id,), cue(memory, "Lisbon").id)):
        with pytest.raises(NotFound, match="no longer there"):
            memory.edit(edit, ANN)


def test_undoing_every_edit_gives_the_memory_as_it_was(memory: Memory) -> None:
    before, asked = everything(memory), [i for i, _ in memory.search("pottery studio")]
    edits: list[Edit] = [
        Set("cue", (cue(memory, "Felix").id,), "name", "Felice"),
        Merge("cue", (cue(memory, "Lisbon").id,), cue(memory, "Madrid").id),
        Delete("cue", (cue(memory, "Saffron").id,)),
        Relate(content(memory, "green tea").id, "a new cue", "a new tag"),
        Set("content", (content(memory, "pottery studio").id,), "pinned", True),
        Set("content", (content(memory, "pottery studio").id,), "text", "A studio."),
        Delete("content", (content(memory, "parrot").id,)),
    ]
    for edit in edits:
        memory.edit(edit, ANN)
    states = everything(memory)
    for _ in edits:
        memory.undo()
    assert everything(memory) == before
    memory.tidy()  # until then the full text index counts what is new apart, which moves its scores
    assert [i for i, _ in memory.search("pottery studio")] == asked
    assert memory.corrections().all == []
    for _ in edits:
        memory.redo()
    assert everything(memory) == states


def test_an_old_edit_that_later_ones_rest_on_is_undone_with_them(memory: Memory) -> None:
    felix = cue(memory, "Felix")
    memory.edit(Set("cue", (felix.id,), "name", "Felice"), ANN)
    first = memory.changes()[0].group
    memory.edit(Set("cue", (felix.id,), "name", "Felipe"), ANN)
    with pytest.raises(InTheWay):
        memory.undo(first)
    memory.undo(first, also_later=True)
    assert cue(memory, "Felix").id == felix.id


def test_the_difference_of_a_change_is_what_it_found_and_what_it_left(memory: Memory) -> None:
    felix = cue(memory, "Felix")
    for name in ("Felice", "Felipe"):
        memory.edit(Set("cue", (felix.id,), "name", name), ANN)
    first = memory.changes()[1].group
    before, after = memory.difference(first)
    assert [r.name for r in before if isinstance(r, Cue)] == ["Felix"]
    assert [r.name for r in after if isinstance(r, Cue)] == ["Felice"]
    assert [r.corrected for r in after if isinstance(r, Correction)] == ["Felice"]


def test_an_edit_of_very_many_records_is_one_change(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memcore.editing.ROWS_A_COMMIT", 3)
    before = everything(memory)
    some = tuple(r.id for r in relations(memory, "Felix"))
    steps = list(memory.editor.apply(Set("relation", some, "tag", "about Felix"), ANN))
    assert len(steps) > 1 and steps[-1][0] == steps[-1][1]
    assert tags_of(memory, "Felix") == ["about Felix"]
    assert len(memory.changes()[0].seqs) == len(steps)
    memory.undo()
    assert everything(memory) == before


def test_a_relation_corrected_before_its_cue_is_renamed_twice_is_not_said_again(memory: Memory) -> None:
    one = relations(memory, "Felix")[0]
    memory.edit(Set("cue", (one.cue_id,), "name", "Felice"), ANN)
    memory.edit(Set("relation", (one.id,), "tag", "only here"), ANN)
    memory.edit(Set("cue", (one.cue_id,), "name", "Felipe"), ANN)
    before = everything(memory)
    assert reextracted(memory) == (0, 0, 0) and everything(memory) == before


def test_a_name_that_came_free_by_a_correction_still_leads_to_the_corrected_cue(memory: Memory) -> None:
    felix, lisbon = cue(memory, "Felix"), cue(memory, "Lisbon")
    memory.edit(Set("cue", (felix.id,), "name", "Felice"), ANN)
    memory.edit(Set("cue", (lisbon.id,), "name", "Felix"), ANN)
    before = everything(memory)
    assert reextracted(memory) == (0, 0, 0) and everything(memory) == before


def test_a_name_given_by_hand_and_read_by_a_later_import_leads_on_after_another_rename(
    memory: Memory, tmp_path: Path
) -> None:
    felix = cue(memory, "Felix")
    memory.edit(Set("cue", (felix.id,), "name", "Felice"), ANN)
    more = write_lines(tmp_path / "more.jsonl", own_lines([("Ann", "Felice sold the studio.")], "more"))
    list(memory.import_path(more))
    memory.edit(Set("cue", (felix.id,), "name", "Felipe"), ANN)
    before = everything(memory)
    assert reextracted(memory) == (0, 0, 0) and everything(memory) == before


def test_a_relation_that_met_another_one_is_removed_with_it_for_good(memory: Memory) -> None:
    shown = content(memory, "glaze a bowl")
    first = next(r for r in memory.relations(shown.id) if r.cue_id == cue(memory, "Felix").id)
    memory.edit(Relate(shown.id, "Felix", "another tag"), ANN)
    second = next(r for r in memory.relations(shown.id) if r.made_by == "person")
    memory.edit(Set("relation", (first.id,), "tag", "another tag"), ANN)
    assert first.id not in {r.id for r in memory.relations(shown.id)}
    memory.edit(Delete("relation", (second.id,)), ANN)
    before = everything(memory)
    assert reextracted(memory) == (0, 0, 0) and everything(memory) == before


def test_a_rename_is_not_undone_into_a_name_that_was_given_away_since(memory: Memory) -> None:
    memory.edit(Set("cue", (cue(memory, "Felix").id,), "name", "Felice"), ANN)
    first = memory.changes()[0].group
    memory.edit(Set("cue", (cue(memory, "Lisbon").id,), "name", "Felix"), ANN)
    with pytest.raises(InTheWay) as told:
        memory.undo(first)
    assert told.value.groups == {memory.changes()[0].group}
    memory.undo(first, also_later=True)
    assert {"Felix", "Lisbon"} <= cue_names(memory)


def test_a_cue_made_by_hand_is_not_undone_under_a_relation_that_was_moved_to_it(memory: Memory) -> None:
    memory.edit(Relate(content(memory, "green tea").id, "a habit", "after running"), ANN)
    made = memory.changes()[0].group
    memory.edit(Set("relation", (relations(memory, "Felix")[0].id,), "cue", "a habit"), ANN)
    with pytest.raises(InTheWay):
        memory.undo(made)


def test_a_deleted_relation_is_not_brought_back_beside_the_same_one_made_since(memory: Memory) -> None:
    one = relations(memory, "Felix")[0]
    tag = memory.get([one.tag_id])[one.tag_id]
    assert isinstance(tag, Tag)
    memory.edit(Delete("relation", (one.id,)), ANN)
    deleted = memory.changes()[0].group
    memory.edit(Relate(one.content_id, "Felix", tag.name), ANN)
    with pytest.raises(InTheWay):
        memory.undo(deleted)


def test_a_change_is_not_redone_on_what_was_undone_below_it(memory: Memory) -> None:
    memory.edit(Relate(content(memory, "green tea").id, "a habit", "after running"), ANN)
    memory.edit(Relate(content(memory, "parrot").id, "a habit", "of a bird"), ANN)
    later = memory.changes()[0].group
    memory.undo()
    memory.undo()
    with pytest.raises(InputError, match="itself been undone"):
        memory.redo(later)
    memory.redo()
    memory.redo()
    assert len(relations(memory, "a habit")) == 2


def test_two_writers_lose_nothing_and_the_slower_is_told(memory: Memory, tmp_path: Path) -> None:
    other = Memories.open(tmp_path / "store", embedder="none").scope("town")
    felix, lisbon = cue(memory, "Felix"), cue(other, "Lisbon")
    other.edit(Set("cue", (felix.id,), "name", "Felice"), Who("bo"), {felix.id: felix.revision})
    with pytest.raises(Stale):
        memory.edit(Set("cue", (felix.id,), "name", "Felipe"), ANN, {felix.id: felix.revision})
    memory.edit(Set("cue", (lisbon.id,), "name", "Lisboa"), ANN, {lisbon.id: lisbon.revision})
    assert {"Felice", "Lisboa"} <= cue_names(other) == cue_names(memory)


_KILLED = """
import sys
from memcore import editing
from memcore.memories import Memories
editing.ROWS_A_COMMIT = 2
memory = Memories.open(sys.argv[1], embedder="none").scope("town")
for done, _ in memory.editor.apply(editing.Delete("cue", (sys.argv[2],)), editing.Who("bo")):
    print(done, flush=True)
"""


def test_a_bulk_edit_that_is_killed_half_way_is_one_change_that_can_be_undone(
    memory: Memory, tmp_path: Path
) -> None:
    before, name = everything(memory), cue(memory, "Felix").id
    command = [sys.executable, "-c", _KILLED, str(tmp_path / "store"), name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        process.stdout.readline()
        process.stdout.readline()
        process.kill()
    process.wait()
    opened = Memories.open(tmp_path / "store", embedder="none")
    assert not [f for f in examine(opened.store) if not f.harmless]
    again = opened.scope("town")
    assert again.changes()[0].events[0].kind == "edited" and everything(again) != before
    again.undo()
    assert everything(again) == before


def test_a_relation_split_off_under_the_name_its_cue_once_had_is_not_said_again(memory: Memory) -> None:
    felix, one = cue(memory, "Felix"), relations(memory, "Felix")[0]
    memory.edit(Set("cue", (felix.id,), "name", "Felice"), ANN)
    memory.edit(Split("cue", felix.id, (one.id,), "Felix"), ANN)
    before = everything(memory)
    assert reextracted(memory) == (0, 0, 0) and everything(memory) == before


def test_a_name_is_looked_up_in_the_snapshot_only_while_nothing_was_written_since(
    memory: Memory, tmp_path: Path
) -> None:
    relation, other = relations(memory, "Felix")[0], Memories.open(tmp_path / "store", embedder="none")
    known = memory.snapshot().graph.columns
    taken = known.tag_names[0]
    elsewhere = other.scope("town")
    elsewhere.edit(Set("tag", (known.tag_ids[0],), "name", "called otherwise"), ANN)
    memory.edit(Set("relation", (relation.id,), "tag", "called otherwise"), ANN)
    moved = next(r for r in relations(memory, "Felix") if r.id == relation.id)
    assert moved.tag_id == known.tag_ids[0]
    memory.edit(Set("relation", (relation.id,), "tag", taken), ANN)
    moved = next(r for r in relations(memory, "Felix") if r.id == relation.id)
    assert moved.tag_id not in known.tag_ids


@pytest.mark.parametrize("kind", ["cue", "tag"])
def test_the_snapshot_and_the_store_know_the_same_names(memory: Memory, kind: str) -> None:
    shown = content(memory, "glaze a bowl")
    memory.edit(Relate(shown.id, "Zoë 😀", "Ünder"), ANN)
    memory.edit(Relate(shown.id, "가게", "오래된"), ANN)
    columns = memory.snapshot().graph.columns
    stored = dict(memory._scope.names(kind))
    assert {key: columns.named(kind, key) for key in stored.values()} == {k: i for i, k in stored.items()}
    assert columns.named(kind, "no such name") is None
    assert columns.named(kind, "") is None
