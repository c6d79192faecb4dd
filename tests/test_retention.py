"""What is old enough is erased by rules: never unasked until switched on, never where no time is known."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from building import FIRST_DAY, TOWN, own_lines, write_lines
from secrets_said import OFFICER, consolidated, imported, opened

from memcore.cli import main
from memcore.editing import Set
from memcore.errors import InputError, StoreDamaged
from memcore.importing import DraftTurn, FileReport
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import now
from memcore.retention import KINDS, Rule

LATER = FIRST_DAY + timedelta(days=100)


def undated(folder: Path) -> Path:
    lines = [json.loads(line) for line in own_lines(TOWN[:3], "village")]
    return write_lines(folder / "undated.jsonl", [json.dumps(_without_time(line)) for line in lines])


def _without_time(line: dict[str, object]) -> dict[str, object]:
    return {name: of for name, of in line.items() if name not in ("said", "time", "timestamp", "date", "at")}


def titles(memory: Memory) -> list[str]:
    return [c.title for c in memory.conversations()]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN)
    list(memory.import_path(undated(tmp_path)))
    return memory


def test_a_preview_changes_nothing_and_counts_what_has_no_time(memory: Memory) -> None:
    memory.retention.set([Rule("conversation", 30)], OFFICER)
    before = memory.erasure.scope.seq()
    due = memory.retention.due(LATER)
    assert (due.found, due.unknown) == ((1,), {"conversation": 1})
    assert due.plan.counts()["erase"]["turn"] == 12
    assert memory.erasure.scope.seq() == before
    assert memory.retention.due(FIRST_DAY + timedelta(days=30)).found == (0,)


def test_a_rule_that_is_off_is_never_applied(memory: Memory, tmp_path: Path) -> None:
    memory.retention.set([Rule("conversation", 30)], OFFICER)
    assert list(memory.retention.apply(LATER, OFFICER)) == []
    again = write_lines(tmp_path / "more.jsonl", own_lines(TOWN, "hamlet"))
    list(memory.import_path(again))
    assert titles(memory) == ["town", "hamlet", "village"]


def test_a_rule_that_is_on_is_applied_when_an_import_ends(memory: Memory, tmp_path: Path) -> None:
    memory.retention.set([Rule("conversation", 30, on=True)], OFFICER)
    more = write_lines(tmp_path / "more.jsonl", own_lines(TOWN, "hamlet"))
    (report,) = (s for s in memory.import_path(more) if isinstance(s, FileReport))
    assert report.turns_written == 12
    assert titles(memory) == ["village"]  # of which no time is known
    (receipt,) = memory.erasure.receipts()
    assert receipt.ok and (receipt.author, receipt.counts["erase"]["conversation"]) == ("retention", 2)
    report = next(s for s in memory.import_path(more) if isinstance(s, FileReport))
    assert (report.turns_written, report.held_back) == (0, 12)


def test_what_is_due_goes_with_a_receipt_and_then_nothing_is_due(memory: Memory) -> None:
    memory.retention.set([Rule("conversation", 30, on=True)], OFFICER)
    *_, last = memory.retention.apply(LATER, OFFICER)
    assert last.receipt is not None and last.receipt.ok
    assert list(memory.retention.apply(LATER, OFFICER)) == []


def test_units_episodes_and_traces_have_rules_of_their_own(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    consolidated(memory, tmp_path)
    list(memory.ask(Ask("Who is Felix?", 3)))
    episodes = [c for c in memory.erasure.scope.derived() if c.layer == "episode"]
    rules = [Rule("unit", 30), Rule("episode", 30), Rule("trace", 30)]
    memory.retention.set(rules, OFFICER)
    units = len(memory.erasure.scope.units())
    assert memory.retention.due(LATER).found == (units, len(episodes), 0)
    assert memory.retention.due(now() + timedelta(days=31)).found == (units, len(episodes), 1)
    memory.retention.set([Rule("episode", 30, on=True), Rule("trace", 30)], OFFICER)
    assert list(memory.retention.apply(LATER, OFFICER))[-1].doing == "done"
    assert [c for c in memory.erasure.scope.derived() if c.layer == "episode"] == []
    assert len(memory.erasure.scope.units()) == units and len(memory.traces()) == 1


def test_sensitivity_narrows_a_rule(memory: Memory) -> None:
    unit = memory.erasure.scope.units()[0]
    memory.edit(Set("unit", (unit.id,), "sensitivity", 2), OFFICER)
    memory.retention.set([Rule("unit", 30, least=2), Rule("unit", 30, most=1)], OFFICER)
    total = sum(u.said.known for u in memory.erasure.scope.units())
    assert memory.retention.due(LATER).found == (1, total - 1)


def test_rules_are_kept_for_each_memory_and_stay_when_it_is_erased(tmp_path: Path) -> None:
    store = Memories.open(tmp_path / "store", embedder="none")
    one, other = (store.scope(name, create=True) for name in ("one", "other"))
    rules = (Rule("conversation", 30, on=True), Rule("trace", 7))
    one.retention.set(rules, OFFICER)
    assert (one.retention.rules(), other.retention.rules()) == (rules, ())
    list(one.import_path(write_lines(tmp_path / "said.jsonl", own_lines(TOWN))))
    assert one.conversations() == [] and one.retention.rules() == rules
    assert OFFICER.author not in (tmp_path / "store" / "retention.json").read_text()


@pytest.mark.parametrize(
    "rules",
    [
        [Rule("file", 30)],  # type: ignore[arg-type]
        [Rule("trace", 0)],
        [Rule("trace", 1, least=2, most=1)],
        [Rule("trace", 1, most=4)],
        [Rule("trace", 1), Rule("trace", 1)],
    ],
)
def test_a_rule_that_means_nothing_is_refused(tmp_path: Path, rules: list[Rule]) -> None:
    memory = opened(tmp_path)
    with pytest.raises(InputError):
        memory.retention.set(rules, OFFICER)
    assert memory.retention.rules() == ()


def test_the_command_line_sets_previews_and_applies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    memory = Memories.open(store, embedder="none").scope("one", create=True)
    list(memory.import_path(write_lines(tmp_path / "said.jsonl", own_lines(TOWN))))

    def said(*words: str) -> str:
        assert main(["retention", *words, "--store", store]) == 0
        return capsys.readouterr().out

    assert "no rules" in said("list")
    assert "off" in said("set", "conversation", "--older-than", "30")
    assert "1 due" in said("preview")
    assert "No rule" in said("apply") and memory.count()["turn"] == 12
    assert "on" in said("set", "conversation", "--older-than", "30", "--on")
    assert "Verified" in said("apply")
    assert set(memory.count()) <= {"change"}
    assert "no rules" in said("set", "conversation", "--remove", "--older-than", "30")
    for kind in ("conversation", "bogus"):
        assert main(["retention", "set", kind, "--remove", "--store", store]) == 1
        assert "There is no rule for this kind" in capsys.readouterr().err
    assert datetime.now(UTC) > LATER


@pytest.mark.parametrize("days", [0, -1, 36_526, 10**12])
def test_a_rule_for_an_age_that_nothing_can_have_is_refused(memory: Memory, days: int) -> None:
    with pytest.raises(InputError, match="at least one day"):
        memory.retention.set([Rule("conversation", days, on=True)], OFFICER)


@pytest.mark.parametrize(
    "changed",
    [{"older_than_days": "x"}, {"older_than_days": 0}, {"kind": "turn"}, {"on": "no"}, {"most": 9}, {"x": 1}],
)
def test_rules_that_somebody_changed_by_hand_erase_nothing(
    memory: Memory, tmp_path: Path, changed: dict[str, object]
) -> None:
    memory.retention.set([Rule("conversation", 30, on=True)], OFFICER)
    path = tmp_path / "store" / "retention.json"
    told = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({name: [{**its[0], **changed}] for name, its in told.items()}), "utf-8")
    with pytest.raises(StoreDamaged, match="retention"):
        list(memory.retention.apply(LATER, OFFICER))
    path.write_text("[1]", "utf-8")
    with pytest.raises(StoreDamaged, match="retention"):
        list(memory.retention.apply(LATER, OFFICER))
    assert len(titles(memory)) == 2


def test_what_is_due_goes_after_an_import_that_was_stopped_or_failed(memory: Memory, tmp_path: Path) -> None:
    memory.retention.set([Rule("conversation", 30, on=True)], OFFICER)
    assert memory.retention.waiting(now()) == 1
    more = write_lines(tmp_path / "more.jsonl", own_lines(TOWN, "hamlet"))
    (report,) = (s for s in memory.import_path(more, lambda: True) if isinstance(s, FileReport))
    assert titles(memory) == ["village"] and memory.retention.waiting(now()) == 0
    assert any("retention rules" in told and "verified" in told for told in report.warnings)


def test_what_is_due_goes_where_the_import_cannot_be_read(memory: Memory, tmp_path: Path) -> None:
    memory.retention.set([Rule("conversation", 30, on=True)], OFFICER)
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"\x00\x01")
    with pytest.raises(InputError):
        list(memory.import_path(broken))
    assert titles(memory) == ["village"]


def test_what_is_due_goes_when_turns_are_absorbed_as_they_are_said(memory: Memory) -> None:
    memory.retention.set([Rule("conversation", 30, on=True)], OFFICER)
    memory.absorb("today", [DraftTurn("Ann", "user", "Good morning.")])
    assert titles(memory) == ["village", "today"] and memory.erasure.receipts()[0].author == "retention"


def test_a_rule_that_is_off_makes_nothing_wait(memory: Memory) -> None:
    memory.retention.set([Rule("conversation", 30)], OFFICER)
    assert memory.retention.waiting(now()) == 0


def test_the_command_line_takes_every_kind_and_names_them_where_it_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    Memories.open(store, embedder="none").scope("one", create=True)
    for kind in KINDS:
        assert main(["retention", "set", kind, "--older-than", "30", "--store", store]) == 0
    for kind in ("", "file"):
        capsys.readouterr()
        assert main(["retention", "set", kind, "--older-than", "30", "--store", store]) == 1
        assert "episode" in capsys.readouterr().err
