"""An erasure being prepared in this session: what was looked for, what is chosen, the plan, and where one is.

    find  ->  choose  ->  plan (nothing changed)  ->  confirmed (see erasing)  ->  receipt

All of it lives in the session and never in the address: a browser remembers addresses, and what is looked
for here is what somebody wants forgotten. It is cleared when the erasure began.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import streamlit as st

from memcore.erasure import MARK, Found, Hit, Plan, Wanted
from memcore.errors import NotFound

if TYPE_CHECKING:
    from memcore.memory import Memory

_FLOW = "privacy:flow"
LINK = "erase"  # in the address: the id of a record that another page leads here with
RECEIPT = "receipt"  # in the address: the id of a receipt
PART = "part"
Way = Literal["erase", "redact"]
Key = tuple[str, str, str]


@dataclass
class Flow:
    """`out` are hits that were unticked, `taken` near matches that were ticked; `seq` is the commit at which
    it was looked, `memory` the key of the memory. `rounds` renews the checkboxes when many are ticked at
    once."""

    memory: str
    wanted: Wanted | None = None
    found: Found | None = None
    seq: int = 0
    out: set[Key] = field(default_factory=set[Key])
    taken: set[Key] = field(default_factory=set[Key])
    rounds: int = 0
    planning: bool = False
    way: Way = "erase"
    put: str = MARK
    plan: Plan | None = None
    planned: tuple[Way, str] = ("erase", "")
    linked: str = ""

    def chosen(self) -> list[Hit]:
        """What is to be erased: hits that are ticked, and near matches that were."""
        if self.found is None:
            return []
        return [
            *(h for h in self.found.hits if h.key not in self.out),
            *(h for h in self.found.near if h.key in self.taken),
        ]

    def words(self) -> tuple[str, ...]:
        """The words that were looked for."""
        return self.wanted.words if self.wanted else ()


def entered(memory: Memory) -> None:
    """Raises NotAllowed for whoever may not erase, or looks at the memory with something left out."""
    memory.erasure.allowed()


def flow(memory: Memory) -> Flow:
    """What is prepared for this memory; for another one it is let go."""
    kept: Flow | None = st.session_state.get(_FLOW)
    if kept is None or kept.memory != memory.key:
        kept = Flow(memory.key)
        st.session_state[_FLOW] = kept
    return kept


def let_go() -> None:
    """Forget everything that was looked for, found and planned, also what was typed."""
    st.session_state.pop(_FLOW, None)
    st.query_params.pop(LINK, None)
    for key in [k for k in st.session_state if str(k).startswith(("privacy:by:", "privacy:show:"))]:
        del st.session_state[key]


def search(memory: Memory, wanted: Wanted) -> None:
    """Look for something else; what was chosen before is let go."""
    st.session_state[_FLOW] = Flow(memory.key, wanted)
    st.query_params.pop(LINK, None)


def found(memory: Memory, now: Flow) -> Found | None:
    """What was found, looked for again when the memory changed since. Raises what finding does."""
    if now.wanted is None:
        return None
    seq = memory.erasure.seq()
    if now.found is None or now.seq != seq:
        with st.spinner("Looking through everything that is stored …"):
            now.found, now.seq = memory.erasure.find(now.wanted), seq
    return now.found


def planned(memory: Memory, now: Flow) -> Plan:
    """The plan for what is chosen, worked out once for each choice. Raises what planning does."""
    asked = (now.way, now.put)
    if now.plan is None or now.planned != asked:
        with st.spinner("Working out what that reaches; nothing is changed …"):
            erasure, hits = memory.erasure, now.chosen()
            now.plan = erasure.plan(hits) if now.way == "erase" else erasure.redaction(hits, now.put)
            now.planned = asked
    return now.plan


def stale(memory: Memory, plan: Plan) -> bool:
    """Whether something was written since it was made."""
    return memory.erasure.seq() != plan.seq


def plan_again(now: Flow) -> None:
    """Make the plan anew; the next drawing does."""
    now.plan = None


def to_plan(now: Flow) -> None:
    """Show what erasing the chosen ones comes to."""
    now.planning, now.plan = True, None


def back(now: Flow) -> None:
    """From the plan to what was found; a plan that a link asked for is let go."""
    if now.linked:
        let_go()
    else:
        now.planning, now.plan = False, None


def take_link(memory: Memory) -> str:
    """A link to a record (?erase=) becomes a plan for it, once; a sentence where there is no such record."""
    asked = st.query_params.get(LINK, "")
    if not asked or flow(memory).linked == asked:
        return ""
    wanted = _record(memory, asked)
    if wanted is None:
        st.query_params.pop(LINK, None)
        return "The record of this link is not in this memory, or not any more."
    now = Flow(memory.key, wanted, planning=True, linked=asked)
    st.session_state[_FLOW] = now
    st.session_state[PART] = "Erase"
    found(memory, now)
    return ""


def _record(memory: Memory, id_: str) -> Wanted | None:
    if memory.get([id_]):
        return Wanted(ids=(id_,))
    try:
        memory.trace(id_)
    except NotFound:
        return None
    return Wanted(trace=id_)
