"""Audit: who did what, filtered by kind and time; whether all of it is as it was written; the whole of it.

No more of the record is read than is shown: so how many entries fit a filter is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

import streamlit as st

from memcore.audit import Entry, Verdict
from memcore.settings import author
from memcore.view.audited import GROUPS, sentence
from memcore.view.history import authors
from memcore.view.naming import counted
from memcore.view.times import instant, midnight
from pages._parts.clock import zone
from pages._parts.editing import desk
from pages._parts.memory import memories
from pages._parts.say import plain, verbatim
from pages._parts.states import filtered_away

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store.audit import Audit, Sought

KINDS, WHEN, ALL = "privacy:audit:kinds", "privacy:audit:when", "privacy:audit:all"
NOTED, _VERDICT, PAGE = "privacy:show:noted", "privacy:verdict", "privacy:audit:page"
_ROLES = {
    "owner": "whoever holds the store",
    "seen": "somebody in this app",
    "viewer": "a viewer",
    "editor": "an editor",
    "officer": "a privacy officer",
    "retention": "a retention rule",
}
AT_ONCE = 50
_Column = st.column_config


def audit(memory: Memory) -> None:
    """Draw the part."""
    kept = memories().audit
    st.markdown(
        "Everything that was done, entered as it happened. An entry holds numbers and keyed hashes, no words "
        "and no names, so that nothing in it ever needs erasing; each is bound to the one before it."
    )
    _verifying(kept)
    sought, start = _sought(memory), int(st.session_state.get(PAGE, 0)) * AT_ONCE
    found = kept.entries(AT_ONCE + 1, start, **sought)
    if start and not found:  # of another memory there are fewer
        _first()
        start, found = 0, kept.entries(AT_ONCE + 1, **sought)
    if not found:
        filtered_away(kept.count(), _clear)
        return
    _paging(start, found, kept.count())
    _table(kept, memory, found[:AT_ONCE])


def _paging(start: int, found: list[Entry], total: int) -> None:
    """Which of the entries are shown, how long the record is, and the way to others."""
    shown = min(len(found), AT_ONCE)
    with st.container(horizontal=True, vertical_alignment="center"):
        if start:
            st.button(
                "Newer", on_click=_turn, args=(-1,), key="privacy:audit:newer", icon=":material/arrow_back:"
            )
        if len(found) > shown:
            st.button(
                "Older", on_click=_turn, args=(1,), key="privacy:audit:older", icon=":material/arrow_forward:"
            )
        which = f"{start + 1:,} to {start + shown:,} of those that fit the filters, newest first"
        st.caption(f"{which}; the record holds {counted(total, 'entry', 'entries')}", width="content")


def _turn(by: int) -> None:
    st.session_state[PAGE] = int(st.session_state.get(PAGE, 0)) + by


def _first() -> None:
    """With other filters one begins at the newest."""
    st.session_state[PAGE] = 0


def _sought(memory: Memory) -> Sought:
    """The filters: which entries are wanted."""
    left, middle, right = st.columns([3, 4, 3], vertical_alignment="bottom")
    groups = left.multiselect(
        "Show only", list(GROUPS), key=KINDS, placeholder="All kinds", persist_state="session",
        on_change=_first,
    )  # fmt: skip
    when = middle.date_input(
        "Between", value=(), key=WHEN, persist_state="session", min_value=date(2000, 1, 1),
        max_value=date(9999, 12, 30), on_change=_first,
    )  # fmt: skip
    every = right.toggle("Of all memories", key=ALL, persist_state="session", on_change=_first)
    return {
        "kinds": {kind for group in groups for kind in GROUPS[group]},
        "scope": "" if every else memory.name,
        "since": midnight(when[0], zone()) if when else None,
        "before": midnight(when[1] + timedelta(days=1), zone()) if len(when) > 1 else None,
    }


def _clear() -> None:
    st.session_state[KINDS], st.session_state[WHEN], st.session_state[PAGE] = [], (), 0


def _table(kept: Audit, memory: Memory, listed: list[Entry]) -> None:
    """Who is told where this session knows the name: an entry holds only its hash."""
    names = {author(), desk.who().author, *(a for row in memory.changes(500) for a in authors(row))}
    names |= {receipt.author for receipt in memory.erasure.receipts()}
    known = kept.known_as([*names, memory.viewer.name, *_ROLES])
    rows = [
        {
            "number": e.number,
            "when": instant(e.at, zone()),
            "what": verbatim(sentence(e), 200),
            "who": verbatim(_who(e, known), 60),
            "memory": verbatim(e.memory, 40) or ("one that is gone" if e.scope else ""),
        }
        for e in listed
    ]
    layout = {
        "number": _Column.NumberColumn("Number", width=60),
        "when": _Column.TextColumn("When", width=175),
        "who": _Column.TextColumn("Who", width=160),
        "memory": _Column.TextColumn("Memory", width=130),
        "what": _Column.TextColumn("What", width=520),
    }
    order = [name for name in layout if name != "memory" or st.session_state.get(ALL)]
    st.dataframe(
        rows,
        hide_index=True,
        column_config=layout,
        column_order=order,
        height=560 if len(rows) > 15 else "content",
    )


def _who(entry: Entry, known: Mapping[str, str]) -> str:
    """The name or the role, where this session knows it."""
    name = known.get(entry.who, "somebody not known here" if entry.who else "the program")
    return _ROLES.get(name, name)


def _verifying(kept: Audit) -> None:
    """Verify the whole chain, and download it."""
    who = memories().viewer.name
    with st.container(horizontal=True, vertical_alignment="bottom", key="privacy-audit"):
        st.text_input(
            "A hash that you noted earlier (optional)", key=NOTED, autocomplete="off", width=380,
            help="It must still be there: that shows that nobody put an older audit in place of this one.",
        )  # fmt: skip
        st.button(
            "Verify the audit", on_click=_verify, icon=":material/fact_check:", key="privacy:audit:verify"
        )
        st.download_button(
            "Download the audit", lambda: "\n".join(kept.exported(who)) + "\n", file_name="audit.jsonl",
            mime="application/jsonl", key="privacy:audit:download", icon=":material/download:",
            on_click="ignore", help="All entries as lines of JSON. That it was downloaded is entered too.",
        )  # fmt: skip
    verdict: Verdict | None = st.session_state.get(_VERDICT)
    if verdict is None:
        return
    show = st.success if verdict.ok else st.error
    show(plain(verdict.says), icon=":material/verified_user:" if verdict.ok else ":material/error:")
    if verdict.ok and verdict.hash:
        st.caption("The hash of the last entry, to be noted somewhere else and given above later:")
        st.code(verdict.hash, language=None)


def _verify() -> None:
    st.session_state[_VERDICT] = memories().audit.verify(str(st.session_state.get(NOTED) or "").strip())
