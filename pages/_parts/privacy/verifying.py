"""Verify a receipt again: in the background, with how far it is, by its hashes and words given once more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memcore.erasure import Progress, Receipt
from memcore.view.privacy_receipt import doing, verified_again
from pages._parts.job import Job
from pages._parts.memory import current
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory

WORDS, _JOB = "privacy:show:words", "privacy:verifying"


@dataclass(frozen=True, slots=True)
class Verifying:
    """A verification under way in this session: of which receipt."""

    job: Job
    receipt: str


def again(memory: Memory, receipt: Receipt) -> None:
    """The form, or how far it is, in the same place."""
    with st.container(key="privacy-verify"):
        now = _of(receipt)
        if now is not None and not now.job.ended:
            _progress(receipt)
            return
        if now is not None:
            _ended(now)
        form = st.form(f"privacy-again-{receipt.id}", border=False)
        with form, st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "Look for these words too (optional)", key=WORDS, autocomplete="off", width=380,
                help="A receipt holds no words. With them, every byte on disk is searched again; without, "
                "the disk is not looked through. A word of under 6 bytes is looked for as a whole word in "
                "texts only. Words are kept nowhere.",
            )  # fmt: skip
            st.form_submit_button(
                "Verify again", on_click=_begin, args=(receipt,), icon=":material/fact_check:"
            )


def _of(receipt: Receipt) -> Verifying | None:
    now: Verifying | None = st.session_state.get(_JOB)
    return now if now is not None and now.receipt == receipt.id else None


def _begin(receipt: Receipt) -> None:
    memory, typed = current(), str(st.session_state.get(WORDS) or "").strip()
    words = [typed] if typed else []
    st.session_state[WORDS] = ""
    job = Job(lambda _: memory.erasure.verifying(receipt, words))
    st.session_state[_JOB] = Verifying(job, receipt.id)


def _ended(now: Verifying) -> None:
    """What came of it, until it is verified once more."""
    if now.job.error:
        st.warning(plain(str(now.job.error)), icon=":material/info:")
    elif now.job.items and (checked := now.job.items[-1].receipt) is not None:
        last = checked.again[-1]
        says = "nothing was found" if last.ok else "something was found: look above"
        icon = "check" if last.ok else "error"
        st.caption(f":material/{icon}: Verified again just now: {says}. {plain(verified_again(last), 400)}")


@st.fragment(run_every=0.3)
def _progress(receipt: Receipt) -> None:
    now = _of(receipt)
    if now is None or now.job.ended:
        st.rerun()
        return
    last: Progress | None = now.job.items[-1] if now.job.items else None
    share = last.done / max(last.total, 1) if last else 0.0
    st.progress(min(share, 1.0), text=f"{doing(last.doing) if last else 'Verifying'} …")
