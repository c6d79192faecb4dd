"""What was done last, with the press that takes it back, and how far a save in the background is."""

from __future__ import annotations

import streamlit as st

from pages._parts.editing import desk, saving
from pages._parts.memory import current
from pages._parts.say import plain


def notice() -> None:
    """What was done last, and its undo; nothing while the next change is being written."""
    told = desk.notice()
    if told is None or saving.busy():
        return
    with st.container(border=True, key="edit-notice"):
        st.markdown(plain(told.text, 400))
        if told.group:
            label = f"Undo those too ({told.resting:,})" if told.resting else "Redo" if told.redo else "Undo"
            st.button(label, on_click=saving.turn, args=(told,), key="edit:turn")


@st.fragment(run_every=0.3)
def saving_progress() -> None:
    """How far the save is; the page is drawn again when it ended."""
    under_way = saving.under_way()
    if under_way is None or under_way.job.ended:
        saving.saving_ended(current())
        st.rerun()
        return
    job = under_way.job
    done, total = job.items[-1] if job.items else (0, job.total)
    st.progress(min(done / max(total, 1), 1.0), text=f"Saving: {done:,} of {total:,} records")
