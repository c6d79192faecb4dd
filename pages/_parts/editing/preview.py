"""What an edit would do, in plain words, before it is saved; and why it was refused.

A name that is taken shows the other record and offers to merge; a record that somebody else changed
shows what is there now. Nothing is written until Save is pressed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing import Edit, Merge
from memcore.errors import Collision, MemcoreError, Stale
from memcore.settings import author
from memcore.view.consequences import consequences, named_in, sentence
from memcore.view.editing import kind_of, name_of
from memcore.view.naming import counted
from pages._parts.editing import desk, drafts
from pages._parts.editing.drafts import FORM, TABLE
from pages._parts.editing.meanwhile import SHOWN, Ways, meanwhile
from pages._parts.editing.saving import save
from pages._parts.memory import current
from pages._parts.say import plain
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.graph import Graph
    from memcore.memory import Memory


def preview(memory: Memory, graph: Graph) -> None:
    """Draw the proposal of this session: its effect, or what stands in its way."""
    asked = desk.proposal()
    if asked is None:
        return
    st.markdown("**Before you save**")
    try:
        if error := desk.refused():
            raise error
        _refuse_changed(memory, asked)
        plan = desk.planned(memory, asked, again=True)
    except Stale as error:
        st.warning(plain(str(error)), icon=":material/sync_problem:")
        ways = Ways(partial(_take_theirs, error.ids), partial(_insist, error.ids))
        meanwhile(memory, graph, error.ids, ways)
    except Collision as error:
        _taken(memory, graph, asked, error)
    except MemcoreError as error:
        with shown_errors():
            raise error
        _back("Back")
    else:
        for edit in asked.edits[:SHOWN]:
            st.markdown(plain(sentence(edit, plan, graph)))
        if len(asked.edits) > SHOWN:
            st.caption(f"and {counted(len(asked.edits) - SHOWN, 'more edit')}")
        impact = memory.impact(plan)
        for line in consequences(plan, impact, graph, memory.texts(named_in(plan, impact))):
            st.markdown(f"- {plain(line)}")
        told = f"{counted(plan.rows, 'record')} in one step; it can be undone."
        st.caption(told if plan.rows else "It is already that way.")
        signature()
        with st.container(horizontal=True):
            st.button("Save", type="primary", on_click=save, disabled=not plan.rows, key="edit:save")
            _back("Back")


def signature() -> None:
    """Who edits, remembered in the session, and why."""
    st.text_input("Your name", key=desk.AUTHOR, placeholder=author(), max_chars=80, persist_state="session")
    st.text_input("Why (optional)", key=desk.REASON, max_chars=500, persist_state="session")


def _back(label: str) -> None:
    st.button(label, on_click=desk.withdraw, key="edit:back")


def _refuse_changed(memory: Memory, asked: desk.Proposal) -> None:
    """What would be refused at the moment of saving is told now."""
    found = memory.get(asked.seen)
    changed = [i for i, seen in asked.seen.items() if getattr(found.get(i), "revision", 0) != seen]
    if changed:
        raise Stale("Somebody changed this since you opened it; nothing of yours was saved.", changed)


def _take_theirs(ids: tuple[str, ...]) -> None:
    drafts.discard((FORM, TABLE), ids)
    desk.end_task()


def _insist(ids: tuple[str, ...]) -> None:
    """The same edits again, now decided on what is there: shown before it is saved."""
    asked = desk.proposal()
    if asked is None:
        return
    found = current().get(ids)
    now = {i: getattr(record, "revision", 0) for i, record in found.items()}
    seen = {i: r for i, r in asked.seen.items() if i not in ids} | now
    desk.propose(asked.edits, seen, asked.typed)


def _taken(memory: Memory, graph: Graph, asked: desk.Proposal, error: Collision) -> None:
    """The name belongs to another record: it is shown, and merging is one press away."""
    st.warning(plain(str(error)), icon=":material/join:")
    kind = kind_of(graph, error.other)
    relations = memory.relations(error.other)
    st.markdown(plain(f"It was typed for the {kind} “{name_of(graph, error.of)}”."))
    st.caption("The other record")
    st.markdown(
        f"**{plain(name_of(graph, error.other))}**, a {kind} with {counted(len(relations), 'relation')}"
    )
    edits = _merged(asked.edits, error)
    with st.container(horizontal=True):
        if edits:
            seen = {**asked.seen, **_revision(memory, error.other)}
            st.button(
                "Merge the two", type="primary", on_click=desk.propose, args=(edits, seen), key="edit:merge"
            )  # fmt: skip
        _back("Choose another name")


def _merged(edits: tuple[Edit, ...], error: Collision) -> tuple[Edit, ...]:
    """The same edits, with a merge in place of the rename that collided; none where a split did. It comes
    last: what else is said of the one that goes is said while it is there."""
    renames = [e for e in edits if e.action == "set" and e.field == "name" and e.ids == (error.of,)]
    merges = [Merge(e.record_kind, e.ids, error.other) for e in renames]  # pyright: ignore[reportArgumentType]
    return (*(e for e in edits if e not in renames), *merges) if merges else ()


def _revision(memory: Memory, id_: str) -> dict[str, int]:
    return {i: getattr(record, "revision", 0) for i, record in memory.get([id_]).items()}
