"""Searching turns in all conversations: the best hits that pass the filters, each with a way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.conversations import filtered
from memcore.view.naming import counted
from pages._parts.conversations.browse import SEARCH, browse, open_turn, opened
from pages._parts.conversations.filters import clear_filters, turn_filters
from pages._parts.conversations.turns import draw_hit
from pages._parts.states import Action, filtered_away, nothing_found

if TYPE_CHECKING:
    from memcore.memory import Memory

HITS = 40
LOOKED_AT = 1000


def searching(memory: Memory) -> None:
    """The search box stays whatever it finds; without a search, the conversations."""
    text = st.text_input(
        "Search turns",
        key=SEARCH,
        persist_state="session",
        placeholder="Search turns: words, in any language",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    if text.strip():
        _hits(memory, text)
    else:
        browse(memory)


def _hits(memory: Memory, text: str) -> None:
    talks = memory.conversations()
    talk = opened(talks)
    wanted = turn_filters(memory, talks, talk, searching=True)
    found = [id_ for id_, _ in memory.search(text, ("turn",), LOOKED_AT if wanted else HITS)]
    records = memory.get(found)
    turns = [records[id_] for id_ in found if id_ in records]
    passed = filtered(turns, wanted)
    if not turns:
        nothing_found(text, _clear_search)
    elif not passed:
        filtered_away(
            len(turns), lambda: clear_filters(talk.id), Action("Clear the search", act=_clear_search)
        )
    else:
        _count(len(passed), len(turns) - len(passed))
        titles = {talk.id: talk.title or talk.source for talk in talks}
        for turn in passed[:HITS]:
            draw_hit(memory, turn, text, titles.get(turn.conversation_id, ""), open_turn)


def _count(passed: int, hidden: int) -> None:
    many = f"The best {HITS} turns" if passed >= HITS else counted(passed, "turn")
    more = f"; {hidden:,} more hidden by the filters" if hidden else ""
    st.caption(f"{many} with these words, best first{more}")


def _clear_search() -> None:
    st.session_state[SEARCH] = ""
