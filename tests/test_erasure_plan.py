"""What an erasure reaches: what rests only on it goes, what rests on others too is made again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from building import TOWN
from by_name import cue
from secrets_said import (
    CUE,
    OFFICER,
    SAID,
    SETTINGS,
    TAG,
    TEXT,
    Numbers,
    consolidated,
    content_of,
    erased,
    everything,
    fresh,
    imported,
    in_an_agent_run,
    opened,
    sound,
)  # fmt: skip

from memcore.editing import Set
from memcore.erasure import Hit, Plan, Wanted, loaded
from memcore.errors import InputError, NotFound
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import Content, Unit
from memcore.run_state import fold
from memcore.store import Store
from memcore.view.printed_receipt import page


def reasons(plan: Plan, kind: str) -> dict[str, str]:
    return {t.id: t.why for t in plan.touched if t.kind == kind}


def turn_hit(memory: Memory, text: str) -> Hit:
    turns = [t for talk in memory.conversations() for t in memory.turns(talk.id)]
    return Hit(next(t.id for t in turns if text in t.text), "turn", "whole", "named")


def test_a_turn_takes_its_contents_handles_and_orphans_along(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    plan = memory.erasure.plan([turn_hit(memory, TEXT)])
    assert plan.counts()["erase"].keys() >= {"turn", "content", "relation", "cue", "tag", "correction"}
    assert set(reasons(plan, "content").values()) == {"rests_on_erased"}
    assert reasons(plan, "cue")[cue(memory, CUE)] == "orphaned"
    names = {getattr(plan.before[i], "name", "") for i in (*reasons(plan, "cue"), *reasons(plan, "tag"))}
    assert {CUE, TAG} <= names and "Felix" not in names


def test_a_raw_content_means_the_turn_that_says_the_same(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    content = content_of(memory, TEXT)
    plan = memory.erasure.plan([Hit(content.id, "content", "whole", "named")])
    assert reasons(plan, "turn") == {content.origin[0]: "same_words"}


def test_a_unit_is_made_again_from_the_turn_it_keeps(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN)
    hit = turn_hit(memory, "What will you call the cat?")
    unit = next(u for u in memory.erasure.scope.units() if hit.id in u.origin)
    assert erased(memory, [hit]).ok
    again = memory.get([unit.id])[unit.id]
    assert isinstance(again, Unit)
    assert again.origin == tuple(i for i in unit.origin if i != hit.id)
    assert (again.speakers, again.order, again.revision) == (("Ann",), unit.order, unit.revision + 1)
    assert again.vector is not None and unit.vector is not None and (again.vector != unit.vector).any()
    assert sound(memory)


def test_an_episode_is_written_again_from_the_units_it_keeps(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    consolidated(memory, tmp_path)
    hit = turn_hit(memory, TEXT)
    plan = memory.erasure.plan([hit])
    episodes = [r for r in plan.after.values() if isinstance(r, Content) and r.layer == "episode"]
    assert episodes and all(TEXT not in e.text and hit.id not in e.origin and e.text for e in episodes)
    assert {reasons(plan, "content")[e.id] for e in episodes} == {"rests_on_others"}
    assert erased(memory, [hit]).ok
    (episode,) = memory.get([episodes[0].id]).values()
    assert isinstance(episode, Content) and episode == episodes[0]
    assert memory.relations(episode.id) != []
    assert sound(memory)


def test_an_episode_erased_alone_sets_its_units_free(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    consolidated(memory, tmp_path)
    episode = next(c for c in memory.erasure.scope.derived() if c.layer == "episode")
    assert erased(memory, [Hit(episode.id, "content", "whole", "named")]).ok
    units = memory.get(episode.units)
    assert {u.state for u in units.values() if isinstance(u, Unit)} == {"live"}
    assert len(units) == len(episode.units) and sound(memory)


def test_a_text_that_a_person_wrote_over_a_rebuilt_episode_goes(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    consolidated(memory, tmp_path)
    hit = turn_hit(memory, TEXT)
    scope = memory.erasure.scope
    episode = next(c for c in scope.derived() if c.layer == "episode" and hit.id in c.origin)
    memory.edit(Set("content", (episode.id,), "text", "Somebody spoke of a shed."), OFFICER)
    plan = memory.erasure.plan([hit])
    assert "corrected_text" in reasons(plan, "correction").values()
    assert erased(memory, [hit]).ok
    assert all(c.record_id != episode.id for c in scope.corrections())


def test_words_in_a_record_that_stays_are_taken_out(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    in_an_agent_run(memory, tmp_path)
    run = memory.runs.all()[0]
    assert erased(memory).ok
    whole = memory.runs.get(run.id)
    assert (whole.run.title, whole.run.task, whole.run.outcome) == ("[erased]", "", "")
    assert [(s.position, s.action, s.observation) for s in whole.steps] == [
        (1, "", ""), (2, "go home", "at home"),
    ]  # fmt: skip
    assert (whole.marks[0].summary, whole.marks[0].note) == ("", "")
    assert whole.events()


def test_an_erased_memory_shows_as_erased_in_an_old_trace(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    run = memory.ask(Ask("What opens the shed?", 10))
    state = fold(run)
    gone = content_of(memory, TEXT).id
    assert gone in state.evidence
    assert erased(memory).ok
    _, events = memory.trace(run.header.id)
    assert gone in fold(events).evidence and gone not in memory.get([gone])


def test_what_undo_loses_is_said_and_undo_brings_nothing_back(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    content = content_of(memory, TEXT)
    group = memory.edit(Set("content", (content.id,), "text", "Nothing to see."), OFFICER)
    plan = memory.erasure.plan(everything(memory))
    assert plan.undo_lost > 0
    erased(memory)
    before, after = memory.difference(group)
    assert [r for r in (*before, *after) if TEXT in repr(r)] == []
    for change in memory.changes():
        try:
            memory.undo(change.group, also_later=True)
        except (InputError, NotFound):
            continue
    assert memory.search(TEXT) == []
    assert [h for h in memory.erasure.scope.holdings() if TEXT in h.text] == []


def test_an_import_can_still_be_undone_after_an_erasure_in_it(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    consolidated(memory, tmp_path)
    erased(memory)
    change = next(c for c in memory.changes() if c.events[0].kind == "imported")
    memory.undo(change.group, also_later=True)
    assert memory.count().keys() <= {"change", "correction"}


def test_the_erasure_is_in_the_history_and_cannot_be_undone(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    receipt = erased(memory)
    newest = memory.changes()[0]
    assert (newest.group, newest.events[-1].kind, newest.undoable) == (receipt.id, "erased", False)
    with pytest.raises(InputError):
        memory.undo(receipt.id)


def test_the_receipt_tells_counts_and_checks_and_no_word(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    receipt = erased(memory)
    saved = memory.erasure.receipt(receipt.id)
    assert saved == receipt == loaded((memory.erasure.scope.receipts / f"{receipt.id}.json").read_text())
    shown = page(replace(receipt, author="<b>x</b>"), memory.name)
    assert "&lt;b&gt;x&lt;/b&gt;" in shown and "<b>" not in shown
    assert "backups" in shown and f"{receipt.counts['erase']['turn']:,}" in shown
    for word in (TEXT, TAG, CUE, SAID):
        assert word not in shown and word not in repr(receipt)
    assert memory.erasure.verify(receipt).ok


def test_a_reason_that_names_what_is_erased_is_refused(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    planned = memory.erasure.plan(everything(memory))
    naming = replace(OFFICER, reason=f"forget {TEXT}") if hasattr(OFFICER, "__dataclass_fields__") else None
    who = naming or OFFICER._replace(reason=f"forget {TEXT}")
    with pytest.raises(InputError, match="leave that out"):
        list(memory.erasure.erase(planned, who, wanted=[TEXT]))
    assert memory.search(TEXT) != []


def test_a_plan_is_made_again_when_somebody_wrote_meanwhile(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    planned = memory.erasure.plan([turn_hit(memory, TEXT)])
    memory.edit(Set("content", (content_of(memory, "Kyoto").id,), "text", f"{CUE} is in Kyoto."), OFFICER)
    *_, last = memory.erasure.erase(planned, OFFICER)
    assert last.receipt is not None and last.receipt.ok
    with pytest.raises(InputError, match="Nothing of this"):
        list(memory.erasure.erase(planned, OFFICER))


def test_one_person_goes_and_the_other_keeps_every_word(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN, mode="eager")
    kept = {t.id: t.text for t in memory.turns(memory.conversations()[0].id) if t.speaker == "Ann"}
    found = memory.erasure.find(Wanted(person="Bo"))
    assert erased(memory, list(found.hits)).ok
    talk = memory.conversations()[0]
    assert {t.id: t.text for t in memory.turns(talk.id)} == kept
    assert talk.speakers == ("Ann",)
    assert {c.speaker for c in memory.erasure.scope.contents(talk.id) if c.layer == "turn"} == {"Ann"}
    assert sound(memory)


def test_the_memory_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    store = Store.open(tmp_path / "store", embedder=Numbers(), settings=SETTINGS)
    other = Memory(store.create_scope("theirs"), Numbers(), SETTINGS)
    fresh(other, tmp_path)
    before = other.count(), other.erasure.scope.seq()
    receipt = erased(memory)
    assert receipt.ok and (other.count(), other.erasure.scope.seq()) == before
    assert other.search(TEXT) != [] == other.erasure.held_back()
    with pytest.raises(InputError, match="another memory"):
        other.erasure.verify(receipt)
