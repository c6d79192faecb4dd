"""Hits with a checkbox each, in groups: the words marked in what surrounds them, who and when before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from memcore.erasure import Hit
from memcore.records import Record
from memcore.view.conversations import pages_of
from memcore.view.naming import share
from memcore.view.privacy_hits import Group, head, looked_up, marked, text_of
from pages._parts.clock import zone
from pages._parts.privacy.flow import Flow, Key
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory

PAGE = 8
WORDS, BESIDE = 240, 90


def group(memory: Memory, now: Flow, shown: Group, *, near: bool) -> None:
    """A heading with its number, all and none, and a page of rows."""
    ticked = sum(_ticked(now, h, near) for h in shown.hits)
    with st.container(border=True, gap="small", key=f"privacy-{'near' if near else 'hits'}-{shown.key}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(
                f"**{plain(shown.title)}** · {ticked:,} of {len(shown.hits):,} chosen  \n"
                f":small[:gray[{plain(shown.says)}]]",
                width="stretch",
            )
            _bulk(now, shown, ticked, near)
        pages, page = pages_of(len(shown.hits), PAGE), 1
        if pages > 1:
            page = st.pagination(pages, key=f"privacy:show:{near}:{shown.key}", max_visible_pages=7)
            page = min(page, pages)
        listed = shown.hits[(page - 1) * PAGE : page * PAGE]
        records = memory.get(looked_up(listed))
        with st.container(gap=None):
            for hit in listed:
                _row(now, hit, records, near)


def _bulk(now: Flow, shown: Group, ticked: int, near: bool) -> None:
    """All and none; what would change nothing cannot be pressed."""
    for label, on in (("Choose all", True), ("Choose none", False)):
        st.button(
            label, key=f"privacy:{near}:{shown.key}:{on}", on_click=_all, args=(now, shown.hits, near, on),
            disabled=ticked == (len(shown.hits) if on else 0), type="tertiary",
        )  # fmt: skip


def _row(now: Flow, hit: Hit, records: Mapping[str, Record], near: bool) -> None:
    key = f"privacy:show:{now.seq}:{now.rounds}:{near}:{'/'.join(hit.key)}"
    st.checkbox(
        _label(now, hit, records, near), value=_ticked(now, hit, near), key=key, on_change=_tick,
        args=(now, hit.key, near, key), wrap=True,
    )  # fmt: skip


def _label(now: Flow, hit: Hit, records: Mapping[str, Record], near: bool) -> str:
    """Who and when, then the words with those that were looked for marked."""
    said = marked(text_of(hit, records), hit.said or now.words(), near)
    found = f":orange-background[{plain(said.found, WORDS)}]" if said.found.strip() else ""
    before = head(hit, records, zone())
    score = f" · {share(hit.score)} alike" if hit.why == "similar" else ""
    first = f":small[:gray[{plain(before + score, BESIDE)}]] " if before or score else ""
    words = f"{_part(said.before)}{found}{_part(said.after)}"
    return f"{first}{words}".strip() or "(no words)"


def _part(text: str) -> str:
    """A piece beside the marked words; the spaces at its ends matter."""
    ends = (" " if text[:1].isspace() else "", " " if text[-1:].isspace() and text.strip() else "")
    return f"{ends[0]}{plain(text, WORDS)}{ends[1]}" if text.strip() else text[:1]


def _ticked(now: Flow, hit: Hit, near: bool) -> bool:
    return hit.key in now.taken if near else hit.key not in now.out


def _tick(now: Flow, hit: Key, near: bool, key: str) -> None:
    on = bool(st.session_state[key])
    kept = now.taken if near else now.out
    (kept.add if on == near else kept.discard)(hit)


def _all(now: Flow, hits: tuple[Hit, ...], near: bool, on: bool) -> None:
    keys = {h.key for h in hits}
    kept = now.taken if near else now.out
    (kept.update if on == near else kept.difference_update)(keys)
    now.rounds += 1
