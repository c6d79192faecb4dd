"""An erasure in the history: who asked for it and what it came to, as its receipt says.

The rows that the journal counts are no measure of it: what it rewrote is in there, and what it took is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.privacy_receipt import asked_by, done, reason
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.privacy.link import receipt_link
from pages._parts.say import plain
from pages._parts.viewing import may

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow


NOT_THEIRS = "what went, who asked for it and why is in its receipt, which a privacy officer can open"


def erased(memory: Memory, row: ChangeRow) -> None:
    """What its receipt says, and the way to it; that there is none any more where that is so. Whoever may
    not erase is told when it was: the receipt names what went."""
    when = plain(instant(row.when, zone()))
    if not may(memory, "erase"):
        st.caption(f"{when} · {NOT_THEIRS}")
        return
    receipt = next((r for r in memory.erasure.receipts() if r.id == row.group), None)
    if receipt is None:
        st.caption(f"{when} · its receipt is not there any more")
        return
    st.caption(f"{plain(asked_by(receipt), 60)} · {when}")
    if receipt.reason:
        st.markdown(f"Why: {plain(reason(receipt), 600)}")
    st.markdown("\n".join(f"- {plain(line)}" for line in done(receipt, zone())))
    receipt_link(row.group, memory.name)
