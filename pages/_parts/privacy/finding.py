"""Find: the search form, what was found in groups, near matches for review, and the way to the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.erasure import Found
from memcore.view.naming import counted, listed
from memcore.view.privacy_hits import Group, by_kind, by_reason, holding, looked_up
from memcore.view.privacy_words import noun
from pages._parts.privacy import flow
from pages._parts.privacy.rows import group
from pages._parts.privacy.search_form import search_form
from pages._parts.say import verbatim
from pages._parts.states import Action, filtered_away, nothing_stored, shown_errors

if TYPE_CHECKING:
    from memcore.memory import Memory

KINDS, WITH = "privacy:show:kinds", "privacy:show:with"


def finding(memory: Memory) -> None:
    """Draw the step; an error of the search stands below the form, which stays as it was filled in."""
    search_form(memory)
    with shown_errors():
        now = flow.flow(memory)
        found = flow.found(memory, now)
        if found is None:
            st.caption("What is found is listed here with what surrounds it, to be chosen.")
        elif not found.hits and not found.near:
            _nothing()
        else:
            _found(memory, now, found)


def _nothing() -> None:
    """A search that found nothing: not an empty memory, not a filter, not an outage."""
    nothing_stored(
        Action("Look for something else", act=flow.let_go),
        Action("See what is stored", page="pages/overview.py"),
        "Nothing in this memory holds that",
        "Turns, memories, cues, tags, earlier versions, past questions and agent runs were looked through, "
        "and near matches too. Try a part of the word, another spelling, or fewer fields.",
    )


def _found(memory: Memory, now: flow.Flow, found: Found) -> None:
    _headline(now, found)
    kinds, words = _filters(found)
    records = memory.get(looked_up((*found.hits, *found.near))) if words.strip() else {}
    groups = [g for g in by_kind(holding(found.hits, words, records)) if not kinds or g.key in kinds]
    near = by_reason(h for h in holding(found.near, words, records) if not kinds or h.kind in kinds)
    if not groups and not near:
        filtered_away(len(found.hits) + len(found.near), _clear)
        return
    for shown in groups:
        group(memory, now, shown, near=False)
    if near:
        _near(memory, now, near)


def _headline(now: flow.Flow, found: Found) -> None:
    """How much was found and chosen, and the way on: it stays in one place."""
    chosen = len(now.chosen())
    kinds = [noun(g.key, len(g.hits)) for g in by_kind(found.hits)]
    hits = f"Found {listed(kinds)}." if kinds else "Nothing holds exactly that."
    near = counted(len(found.near), "near match", "near matches")
    review = f" {near} below, for you to look through." if found.near else ""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f"**{hits}**{review}", width="stretch")
        st.button(
            f"Show the plan for {chosen:,} chosen", type="primary", on_click=flow.to_plan, args=(now,),
            disabled=not chosen, key="privacy:plan", icon=":material/checklist:",
            help="Nothing is changed by it." if chosen else "Choose something first.",
        )  # fmt: skip


def _filters(found: Found) -> tuple[list[str], str]:
    """Show only some of it; what is not shown stays chosen."""
    there = [g.key for g in by_kind((*found.hits, *found.near))]
    if len(found.hits) + len(found.near) < 9:
        return [], ""
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    kinds = left.multiselect(
        "Show only", there, format_func=lambda kind: noun(kind, 2).split(" ", 1)[1], key=KINDS,
        placeholder="All kinds", help="What is not shown stays chosen.",
    )  # fmt: skip
    words = right.text_input(
        "Show only those with", key=WITH, placeholder="words among those found", autocomplete="off"
    )
    return kinds, verbatim(words or "")


def _clear() -> None:
    st.session_state[KINDS], st.session_state[WITH] = [], ""


def _near(memory: Memory, now: flow.Flow, groups: list[Group]) -> None:
    st.subheader("Near matches", anchor=False)
    st.caption("They may mean the same, or not: none is chosen until you tick it.")
    for shown in groups:
        group(memory, now, shown, near=True)
