"""Importing into a memory: twice changes nothing, newer adds what is new, a stop loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from building import TOWN, changed, own_lines, write_lines

from memcore.errors import InputError, UnknownFormat
from memcore.importing import DraftTurn, FileReport
from memcore.intake.conversations import Progress, batches
from memcore.intake.each_file import STOPPED
from memcore.memories import Memories
from memcore.memory import Memory

SMALL = changed(import_batch=4)


@pytest.fixture
def memories(tmp_path: Path) -> Memories:
    return Memories.open(tmp_path / "store", embedder="none", settings=SMALL)


@pytest.fixture
def memory(memories: Memories) -> Memory:
    return memories.scope("town", create=True)


def bring_in(memory: Memory, path: Path, cancelled: Callable[[], bool] = lambda: False) -> FileReport:
    (report,) = [s for s in memory.import_path(path, cancelled) if isinstance(s, FileReport)]
    return report


def said(memory: Memory) -> list[tuple[str, str]]:
    return [(t.speaker, t.text) for talk in memory.conversations() for t in memory.turns(talk.id)]


def structure(memory: Memory) -> set[tuple[str, str, str]]:
    """The graph by names and texts: what it says, whatever its ids."""
    graph = memory.snapshot().graph
    c = graph.columns
    texts = memory.texts(c.content_ids)
    return {
        (c.cue_keys[a], c.tag_keys[b], texts[c.content_ids[v]])
        for a, b, v in zip(c.relation_cue, c.relation_tag, c.relation_content, strict=True)
    }


def test_the_same_file_twice_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "town.jsonl", own_lines())
    first = bring_in(memory, path)
    seq, counts = memory.snapshot().graph.seq, memory.count()
    second = bring_in(memory, path)
    assert (first.turns_written, first.turns_known) == (len(TOWN), 0)
    assert (second.turns_written, second.turns_known) == (0, len(TOWN))
    assert (memory.snapshot().graph.seq, memory.count()) == (seq, counts)
    assert len(memory.files()) == len(memory.changes()) == 1


@pytest.mark.parametrize("ids", [True, False])
def test_a_newer_export_adds_only_its_new_turns_to_the_same_conversation(
    memory: Memory, tmp_path: Path, ids: bool
) -> None:
    path = tmp_path / "town.jsonl"
    bring_in(memory, write_lines(path, own_lines(TOWN[:7], ids=ids)))
    first = {t.id for t in memory.turns(memory.conversations()[0].id)}
    report = bring_in(memory, write_lines(path, own_lines(TOWN, ids=ids)))
    assert (report.turns_written, report.turns_known) == (len(TOWN) - 7, 7)
    (talk,) = memory.conversations()
    turns = memory.turns(talk.id)
    assert [(t.speaker, t.text) for t in turns] == list(TOWN)
    assert {t.id for t in turns[:7]} == first
    assert talk.turns == len(TOWN)
    assert talk.ended == turns[-1].said


@pytest.mark.parametrize("ids", [True, False])
def test_another_file_goes_on_with_a_conversation_from_its_end(
    memory: Memory, tmp_path: Path, ids: bool
) -> None:
    lines = own_lines(TOWN, ids=ids)
    first = write_lines(tmp_path / "monday.jsonl", lines[:5])
    second = write_lines(tmp_path / "tuesday.jsonl", lines[5:])
    bring_in(memory, first)
    done: list[int] = []
    bring_in(memory, second, lambda: len(done) > 1 or bool(done.append(1)))  # type: ignore[func-returns-value]
    bring_in(memory, second)
    (talk,) = memory.conversations()
    assert said(memory) == list(TOWN)
    assert talk.turns == len(TOWN)


def test_progress_is_told_after_every_batch(memory: Memory, tmp_path: Path) -> None:
    steps = list(memory.import_path(write_lines(tmp_path / "town.jsonl", own_lines())))
    told = [s.turns_written for s in steps if isinstance(s, Progress)]
    assert told == [4, 8, 12]
    assert isinstance(steps[-1], FileReport)


def test_a_cancelled_import_keeps_its_batches_and_another_completes_it(
    memories: Memories, memory: Memory, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "town.jsonl", own_lines())
    done: list[int] = []
    report = bring_in(memory, path, lambda: len(done) > 1 or bool(done.append(1)))  # type: ignore[func-returns-value]
    assert 0 < report.turns_written < len(TOWN)
    assert STOPPED in report.warnings
    assert len(said(memory)) == report.turns_written
    rest = bring_in(memory, path)
    assert rest.turns_written == len(TOWN) - report.turns_written
    assert said(memory) == list(TOWN)
    whole = memories.scope("at once", create=True)
    bring_in(whole, path)
    assert structure(memory) == structure(whole)


def test_an_import_is_taken_back_as_one_change(memory: Memory, tmp_path: Path) -> None:
    bring_in(memory, write_lines(tmp_path / "a.jsonl", own_lines(TOWN[:6], "first")))
    before, graph = memory.count(), structure(memory)
    bring_in(memory, write_lines(tmp_path / "b.jsonl", own_lines(TOWN, "second")))
    assert memory.count()["turn"] == 6 + len(TOWN)
    memory.undo()
    after = memory.count()
    assert {k: v for k, v in after.items() if k != "change"} == {
        k: v for k, v in before.items() if k != "change"
    }
    assert structure(memory) == graph
    assert bring_in(memory, tmp_path / "b.jsonl").turns_written == len(TOWN)


def test_a_newer_export_can_be_taken_back_too(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "town.jsonl"
    bring_in(memory, write_lines(path, own_lines(TOWN[:7])))
    (before,), graph = memory.conversations(), structure(memory)
    bring_in(memory, write_lines(path, own_lines()))
    memory.undo()
    (after,) = memory.conversations()
    assert (after.turns, after.ended) == (before.turns, before.ended)
    assert said(memory) == list(TOWN[:7])
    assert structure(memory) == graph


def test_two_memories_do_not_see_each_other(memories: Memories, memory: Memory, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "town.jsonl", own_lines())
    bring_in(memory, path)
    other = memories.scope("other", create=True)
    assert other.count() == {}
    assert other.search("Saffron") == []
    assert bring_in(other, path).turns_written == len(TOWN)
    one, two = (m.snapshot().graph.columns for m in (memory, other))
    assert not set(one.content_ids) & set(two.content_ids)
    assert not set(one.cue_ids) & set(two.cue_ids)
    assert other.get(one.content_ids) == {}


def test_a_folder_goes_on_behind_a_bad_file(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(b"\x00\x01\x02" * 50)
    (folder / "b.json").write_text("", "utf-8")
    write_lines(folder / "c.jsonl", own_lines())
    reports = {s.name: s for s in memory.import_path(folder) if isinstance(s, FileReport)}
    assert reports["c.jsonl"].turns_written == len(TOWN)
    for bad in ("a.jsonl", "b.json"):
        assert reports[bad].format == ""
        assert reports[bad].warnings


def test_a_single_bad_file_is_an_error_and_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary, nothing of note.", "utf-8")
    with pytest.raises(UnknownFormat):
        bring_in(memory, path)
    with pytest.raises(InputError):
        bring_in(memory, tmp_path / "absent.json")
    assert memory.count() == {}


def test_names_are_shared_between_files_and_batches(memory: Memory, tmp_path: Path) -> None:
    bring_in(memory, write_lines(tmp_path / "a.jsonl", own_lines(TOWN, "first")))
    bring_in(memory, write_lines(tmp_path / "b.jsonl", own_lines(TOWN, "second")))
    columns = memory.snapshot().graph.columns
    assert len(columns.cue_keys) == len(set(columns.cue_keys))
    assert len(columns.tag_keys) == len(set(columns.tag_keys))


def draft(session: str) -> DraftTurn:
    return DraftTurn("Ann", "speaker", "hello", session=session)


def test_batches_are_whole_sessions_and_a_huge_session_is_cut() -> None:
    turns = [draft(s) for s in "1" * 3 + "2" * 3 + "3" * 30]
    parts = list(batches(turns, 4))
    assert [t for part in parts for t in part] == turns
    assert [len(p) for p in parts] == [6, 16, 14]
    assert list(batches([], 4)) == []
