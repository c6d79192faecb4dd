"""The units of a cluster: their words, how similar they were to what, when said and when consolidated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import Record, Unit
from memcore.view.clusters import Cluster
from memcore.view.conversations import pages_of
from memcore.view.naming import counted
from memcore.view.recurrence_timeline import Member, members
from memcore.view.times import shown
from pages._parts.clock import zone
from pages._parts.privacy.link import erase_link
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from pages._parts.recurrence.read import Loaded

PAGE = 6
LONG = 700


def members_of(memory: Memory, loaded: Loaded, cluster: Cluster) -> None:
    """One page of them, oldest first."""
    found = members(cluster, loaded.by_id)
    pages, page = pages_of(len(found), PAGE), 1
    st.markdown(f"**{counted(len(found), 'unit')}**")
    if pages > 1:
        page = st.pagination(pages, key=f"recurrence:members:{cluster.id}", max_visible_pages=5)
        page = min(page, pages)
    listed = found[(page - 1) * PAGE : page * PAGE]
    turns = memory.get([t for m in listed for t in loaded.by_id[m.unit].origin])
    for member in listed:
        with st.container(gap=None):
            _member(memory, loaded, member, turns)
    if cluster.waiting:
        st.caption(f"{counted(len(cluster.waiting), 'unit')} more wait until they can be merged by one call.")


def _member(memory: Memory, loaded: Loaded, member: Member, turns: Mapping[str, Record]) -> None:
    unit = loaded.by_id[member.unit]
    st.markdown(f":small[:gray[Unit {unit.order:,} · said {plain(shown(unit.said, zone()))}]]")
    near = f"{member.score:.3f} {member.to}" if member.score is not None else "no similarity was recorded"
    st.markdown(f":small[:gray[{near}{_consolidated(loaded, unit, member)}]]")
    for turn in (turns[t] for t in unit.origin if t in turns):
        who = f"{turn.speaker}: " if turn.speaker else ""
        cut = len(turn.text) > LONG
        st.text(verbatim(who + turn.text[:LONG]) + ("…" if cut else ""))
    address = {"turn": unit.origin[0], "scope": memory.name}
    with st.container(horizontal=True, gap="small"):
        st.page_link(
            "pages/conversations.py", label="Read in context", query_params=address, icon=":material/forum:"
        )
        erase_link(unit.id, memory.name)


def _consolidated(loaded: Loaded, unit: Unit, member: Member) -> str:
    """With which unit it left the live ones, and when that one was said."""
    if not member.how:
        return ""
    if member.joined == unit.order:
        return f" · {member.how} on arrival"
    last = next((u for u in loaded.units if u.order == member.joined), None)
    when = f", said {plain(shown(last.said, zone()))}" if last is not None and last.said.known else ""
    return f" · {member.how} with unit {member.joined:,}{when}"
