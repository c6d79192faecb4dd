"""The embedder, what changing it would mean, and what is recorded of models and can be replayed."""

from __future__ import annotations

import streamlit as st

from memcore.view.settings_models import embedder_of, recorded_of
from pages._parts.memory import memories
from pages._parts.say import plain
from pages._parts.settings.roles import kept_replies
from pages._parts.settings.saving import now, save

RECORD = "settings:recording"


def embedder() -> None:
    """Which one wrote this store, and how to get another."""
    made = memories().embedder
    st.subheader("Embedder", anchor=False)
    st.markdown(plain(embedder_of(made.name, made.dimension)))
    st.caption(
        "Every text of this store lies where this embedder put it, and places of two embedders cannot be "
        "compared. Another one therefore needs a store of its own: import again into a new folder, with "
        "`memcore import FILE --store FOLDER --embedder NAME`, where NAME is multilingual, none, onnx:FOLDER "
        "or gemini/gemini-embedding-2."
    )


def replies() -> None:
    """Recording on or off, and what there is to replay."""
    st.subheader("Recorded replies", anchor=False)
    st.session_state.setdefault(RECORD, now().recording)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.toggle("Record every reply of a model", key=RECORD)
        changed = st.session_state[RECORD] != now().recording
        st.button("Save", type="primary", key="settings:recording:save", disabled=not changed, on_click=_save)
    st.caption(
        "A recorded reply is given again when the same is asked of the same model, without asking anybody: "
        "choose “Recorded replies of …” for a role. Replies retell memories, so the whole file is deleted "
        "with any erasure."
    )
    found = kept_replies()
    if not found:
        st.markdown("Nothing is recorded yet.")
    for one in found:
        st.markdown(f"- {plain(recorded_of(one))}")


def _save() -> None:
    wanted = bool(st.session_state[RECORD])
    says = "From now on every reply is recorded." if wanted else "Replies are not recorded any more."
    if not save(says, recording=wanted):
        del st.session_state[RECORD]
