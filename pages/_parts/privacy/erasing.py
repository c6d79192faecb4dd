"""An erasure in the background: one at a time for each memory, on the server and not in the session.

So it goes on when a tab is closed, a page is left or reloaded, and every tab that opens this page sees it.
It cannot be stopped: what was begun is completed, by whoever opens the store next if need be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import streamlit as st

from memcore.erasure import Progress, Receipt
from memcore.settings import store_folder
from memcore.view.privacy_receipt import doing
from pages._parts.job import Job
from pages._parts.privacy import flow
from pages._parts.say import plain

_WATCHED = "privacy:watched"
LOOK = 0.4  # seconds


@dataclass(frozen=True, slots=True)
class Erasing:
    """One that is under way, or ended and not yet looked at. It keeps none of the words."""

    job: Job
    way: flow.Way
    author: str

    @property
    def receipt(self) -> Receipt | None:
        """What it left, once it ended well."""
        last: Progress | None = self.job.items[-1] if self.job.items else None
        return last.receipt if last else None


def begin(memory: str, steps: Callable[[], Iterator[Progress]], way: flow.Way, author: str) -> bool:
    """Start what `steps` does to the memory of this id, and look at it; False where another one of it is
    under way."""
    if under_way(memory):
        return False
    once = [steps]  # taken out when it begins, so that nothing holds plan and words when it ended
    job = Job(lambda _: once.pop()())
    _desk(store_folder())[memory] = Erasing(job, way, author)
    st.session_state[_WATCHED] = job  # it may have ended before the page is drawn
    return True


def under_way(memory: str) -> Erasing | None:
    """The one that goes on now."""
    found = _desk(store_folder()).get(memory)
    return found if found is not None and not found.job.ended else None


def watched() -> bool:
    """Whether this session looks at one, and is shown its receipt."""
    return _WATCHED in st.session_state


def taken_over(memory: str) -> Erasing | None:
    """The one that ended while this session looked at it: once, for each session that did."""
    found = _desk(store_folder()).get(memory)
    if found is None or not found.job.ended or st.session_state.get(_WATCHED) is not found.job:
        return None
    del st.session_state[_WATCHED]
    if found.receipt is not None:
        st.query_params[flow.RECEIPT] = found.receipt.id
    return found


@st.fragment(run_every=LOOK)
def progress(memory: str) -> None:
    """How far it is; the page is drawn again when it ended."""
    now = under_way(memory)
    if now is None:
        st.rerun()
        return
    st.session_state[_WATCHED] = now.job
    last: Progress | None = now.job.items[-1] if now.job.items else None
    share = last.done / max(last.total, 1) if last else 0.0
    says = doing(last.doing) if last else "Waiting until nobody else is writing"
    what = "erased" if now.way == "erase" else "redacted"
    st.markdown(f"**Something in this memory is being {what}**, asked for by {plain(now.author, 60)}")
    st.progress(min(share, 1.0), text=f"{says}: {last.done:,} of {last.total:,}" if last else f"{says} …")
    st.caption(
        "It goes on when you leave this page or close it, and cannot be stopped: what was begun is "
        "completed. Other tabs are told when it ends."
    )


@st.cache_resource(show_spinner=False)
def _desk(folder: str) -> dict[str, Erasing]:
    """What goes on in one store: it outlives a page, a session and a reload."""
    return {}
