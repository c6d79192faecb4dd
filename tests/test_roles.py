"""Roles: what each may do is refused or let through by the memory itself, whichever page or command asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from building import own_lines, write_lines

from memcore.access.permissions import MOST_SENSITIVE, OWNER, Viewer
from memcore.access.roles import ACTS, MAY, NOT_ALLOWED, ROLES, Role, act_of, viewer_of
from memcore.configuration import Configuration
from memcore.editing import Set, Who
from memcore.erasure import Wanted
from memcore.errors import MemcoreError, NotAllowed
from memcore.events import ChangeEvent
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.settings import DEFAULT

SEES_ALL = replace(DEFAULT, clearance_viewer=MOST_SENSITIVE)
SAID = [("Ann", "The boat is red."), ("Bo", "The harbour opens at nine.")]


@pytest.fixture
def memories(tmp_path: Path) -> Memories:
    """A store with one memory, in its owner's hand."""
    found = Memories.open(tmp_path / "store", embedder="none")
    list(found.scope("mine", create=True).import_path(write_lines(tmp_path / "said.jsonl", own_lines(SAID))))
    return found


def held(memories: Memories, role: Role) -> Memory:
    """The memory in the hand of somebody of this role, even a viewer seeing all of it."""
    return memories.held_by(viewer_of(role, SEES_ALL)).scope("mine")


def cue(memory: Memory) -> Set:
    return Set("cue", (memory.snapshot().graph.columns.cue_ids[0],), "name", "ferry")


def correct(memory: Memory, _: Path) -> None:
    memory.edit(cue(memory), Who("ann"))


def undo(memory: Memory, _: Path) -> None:
    memory.undo()


def bring_in(memory: Memory, folder: Path) -> None:
    list(memory.import_path(write_lines(folder / "more.jsonl", own_lines([("Ann", "It snows.")], "more"))))


def carry(memory: Memory, _: Path) -> None:
    list(memory.exported())


def erase(memory: Memory, _: Path) -> None:
    found = memory.erasure.find(Wanted(text="harbour"))
    list(memory.erasure.erase(memory.erasure.plan(found.hits), Who("ann")))


def rules(memory: Memory, _: Path) -> None:
    memory.retention.set((), Who("ann"))


DOES = {"correct": (correct, undo), "import": (bring_in,), "export": (carry,), "erase": (erase, rules)}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("act", "do"), [(act, do) for act, of in DOES.items() for do in of])
def test_a_role_does_what_it_may_and_nothing_else(
    memories: Memories, tmp_path: Path, role: Role, act: str, do: object
) -> None:
    memory = held(memories, role)
    before = memories.scope("mine").count()
    if act in MAY[role]:
        entered = len(memories.audit.entries())
        do(memory, tmp_path)  # type: ignore[operator]
        assert len(memories.audit.entries()) > entered and memories.audit.entries(kinds=["refused"]) == []
        return
    with pytest.raises(NotAllowed) as refused:
        do(memory, tmp_path)  # type: ignore[operator]
    assert str(refused.value) == NOT_ALLOWED[act]  # type: ignore[index]
    assert memories.scope("mine").count() == before
    (entry, *_) = memories.audit.entries(kinds=["refused"], who=role)
    assert entry.fact.kind == "refused" and entry.fact.act == act


@pytest.mark.parametrize("role", ROLES)
def test_everybody_may_ask_and_it_is_entered_as_whom(memories: Memories, role: Role) -> None:
    memory = held(memories, role)
    assert [e for e in memory.ask(Ask("What is red?", 3)) if e.kind == "answered"]
    assert [e.what for e in memories.audit.entries(who=role)] == ["read"]


@pytest.mark.parametrize("role", ROLES)
def test_audit_and_settings_are_the_officers(memories: Memories, role: Role) -> None:
    in_hand = memories.held_by(viewer_of(role, DEFAULT))
    chosen = Configuration(changed={"idle_minutes": 5.0, "budget": 12})
    if role == "officer":
        in_hand.configure(chosen)
        assert in_hand.audit.verify().ok and memories.settings.idle_minutes == 5
        changed = memories.audit.entries(kinds=["setting_changed"])
        assert {e.fact.setting for e in changed if e.fact.kind == "setting_changed"} == {
            "budget",
            "idle_minutes",
        }
        return
    with pytest.raises(NotAllowed):
        in_hand.configure(chosen)
    with pytest.raises(NotAllowed):
        _ = in_hand.audit
    assert memories.settings == DEFAULT


def test_settings_are_changed_only_by_who_sees_everything(memories: Memories) -> None:
    chosen = Configuration(changed={"budget": 12})
    for viewer in (viewer_of("editor", SEES_ALL), Viewer("owner", 2)):
        with pytest.raises(NotAllowed):
            memories.held_by(viewer).configure(chosen)
    assert memories.settings == DEFAULT
    memories.configure(chosen)
    assert memories.settings.budget == 12
    assert [e.what for e in memories.audit.entries(limit=1)] == ["setting_changed"]


def test_a_view_that_leaves_something_out_is_refused_a_change_and_which_is_entered(
    memories: Memories, tmp_path: Path
) -> None:
    lesser = memories.held_by(Viewer("somebody", 1)).scope("mine")
    for act, do in (("correct", undo), ("export", carry), ("erase", erase)):
        with pytest.raises(NotAllowed):
            do(lesser, tmp_path)
        (entry, *_) = memories.audit.entries(kinds=["refused"], who="somebody")
        assert entry.fact.kind == "refused" and entry.fact.act == act


def test_who_may_not_import_makes_no_memory_either(memories: Memories) -> None:
    with pytest.raises(MemcoreError, match="no memory"):
        memories.held_by(viewer_of("viewer", SEES_ALL)).scope("new", create=True)
    assert memories.scopes() == ["mine"]


def test_an_editors_import_lets_the_officers_rules_work(memories: Memories, tmp_path: Path) -> None:
    from memcore.retention import Rule

    officer, editor = held(memories, "officer"), held(memories, "editor")
    officer.retention.set((Rule("conversation", 30, on=True),), Who("officer"))
    old = own_lines([("Ann", "It snowed then.")], "old")
    list(editor.import_path(write_lines(tmp_path / "old.jsonl", old)))
    assert "erased" in {e.what for e in memories.audit.entries()}


def test_an_editor_of_less_clearance_can_only_read(memories: Memories, tmp_path: Path) -> None:
    lesser = viewer_of("editor", replace(DEFAULT, clearance_editor=1))
    with pytest.raises(NotAllowed):
        bring_in(memories.held_by(lesser).scope("mine"), tmp_path)


def test_no_hand_gives_on_more_than_it_has(memories: Memories) -> None:
    viewer = viewer_of("viewer", DEFAULT)
    again = memories.held_by(viewer).held_by(OWNER).scope("mine", viewer=OWNER)
    assert (again.viewer.clearance, again.viewer.may) == (viewer.clearance, viewer.may)
    assert again.seen_by(Viewer("somebody", 3, may=frozenset(ACTS))).viewer.may == frozenset({"read"})


def test_a_kind_of_change_that_nobody_thought_of_needs_the_officer() -> None:
    assert act_of("dreamt") == "erase"
    kinds = {t.__dataclass_fields__["kind"].default for t in get_args(ChangeEvent)}
    assert {k for k in kinds if act_of(k) == "erase"} == {"erased", "lifted"}
    assert all(MAY["viewer"] < MAY["editor"] < MAY["officer"] == frozenset(ACTS) for _ in ROLES)
