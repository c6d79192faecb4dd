"""Plan: what erasing or redacting the chosen ones comes to, as a graph and as tables; nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.erasure import Plan
from memcore.view.privacy_plan import Row, Told, around, rows, staying, told
from memcore.view.privacy_words import CALLED_SO, FATES
from pages._parts.clock import zone
from pages._parts.privacy import flow
from pages._parts.privacy.confirming import confirming
from pages._parts.privacy.plan_view import drawing, listing, side_by_side
from pages._parts.say import plain
from pages._parts.states import shown_errors

if TYPE_CHECKING:
    from memcore.memory import Memory

WAY, PUT, VIEW = "privacy:show:way", "privacy:show:put", "privacy:show:view"
WAYS = {"erase": "Erase", "redact": "Redact"}
VIEWS = ("Graph", "Table", "Before and after")
QUESTIONS = 1_000_000  # all headers of traces: each that goes is told by its question


def planning(memory: Memory, now: flow.Flow) -> None:
    """Draw the step."""
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Back to the search" if now.linked else "Back to what was found"
        st.button(label, on_click=flow.back, args=(now,), icon=":material/arrow_back:", key="privacy:back")
        _way(now)
    with shown_errors():
        plan = flow.planned(memory, now)
        if plan.empty:
            st.info("Nothing of this is in the memory any more.", icon=":material/info:")
            return
        said = told(plan, zone())
        _headline(said)
        if memory.erasure.called_so(plan, now.words()):
            st.warning(CALLED_SO, icon=":material/badge:")
        if flow.stale(memory, plan):
            _changed_meanwhile(now)
        _views(memory, plan, said)
        confirming(memory, now, plan)


def _way(now: flow.Flow) -> None:
    """Erase, or the lighter choice; the first thing to decide, since all else follows from it."""
    st.session_state.setdefault(WAY, now.way)
    st.segmented_control(
        "What to do", list(WAYS), format_func=WAYS.get, key=WAY, required=True, on_change=_chosen,
        args=(now,), label_visibility="collapsed",
    )  # fmt: skip
    if now.way == "redact":
        st.session_state.setdefault(PUT, now.put)
        st.text_input(
            "Put in their place", key=PUT, on_change=_chosen, args=(now,), max_chars=40, width=220,
            label_visibility="collapsed", placeholder="put in their place",
        )  # fmt: skip
        says = "is put in place of the words that were looked for, wherever they stand; the rest stays."
    else:
        says = "The whole records go, with everything that rests only on them."
    st.caption(says, width="stretch")


def _chosen(now: flow.Flow) -> None:
    now.way = st.session_state.get(WAY) or "erase"
    now.put = str(st.session_state.get(PUT) or "").strip() or now.put


def _headline(said: Told) -> None:
    with st.container(border=True, key="privacy-plan"):
        st.markdown("**A plan: nothing has been changed yet.** Carried out, it would come to this:")
        st.markdown("\n".join(f"- {plain(line)}" for line in said.lines))


def _changed_meanwhile(now: flow.Flow) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="privacy-stale"):
        st.markdown(
            ":material/sync_problem: Somebody changed this memory since the plan was made. Plan again before "
            "you erase anything.",
            width="stretch",
        )
        st.button("Plan again", on_click=flow.plan_again, args=(now,), key="privacy:again", type="primary")


def _views(memory: Memory, plan: Plan, said: Told) -> None:
    """Graph, table, or the words before and after."""
    questions = {h.id: h.question for h in memory.traces(QUESTIONS)} if plan.removal.traces else {}
    records = memory.get(around(plan))
    touched, stays = rows(plan, questions), staying(plan, records)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        view = st.segmented_control(
            "View", VIEWS, default=VIEWS[0], key=VIEW, required=True, label_visibility="collapsed"
        )
        st.caption(_amounts(said, stays), width="content")
    if view == VIEWS[0]:
        drawing(plan, [*touched, *stays], records)
    elif view == VIEWS[1]:
        listing([*touched, *stays])
    else:
        side_by_side(plan)


def _amounts(said: Told, stays: list[Row]) -> str:
    parts = [f"{FATES[fate]}: {amount}" for fate, amount in said.amounts.items()]
    return " · ".join([*parts, f"{FATES['stays']} beside it: {len(stays):,}"] if stays else parts)
