"""The ways to the page Privacy: from a record to erasing it for good, from an erasure to its receipt."""

from __future__ import annotations

import streamlit as st

from pages._parts.viewing import viewer

DIFFERS = (
    "Deleting, as an edit, can be undone and leaves the words in the history. Erasing takes them out of "
    "everything that is stored, for good, and leaves a receipt."
)
LABEL = "Erase for good…"


def erase_link(record: str, memory: str, label: str = LABEL, *, told: bool = False) -> None:
    """A link to the plan for this record or past question; `told` says below it how Delete differs.
    Nothing is drawn for whoever may not erase."""
    if not _may_erase():
        return
    st.page_link(
        "pages/privacy.py",
        label=label,
        query_params={"erase": record, "scope": memory},
        icon=":material/delete_forever:",
        help=None if told else DIFFERS,
    )
    if told:
        st.caption(DIFFERS)


def receipt_link(receipt: str, memory: str) -> None:
    """A link to the receipt that an erasure left. Nothing is drawn for whoever may not erase."""
    if not _may_erase():
        return
    st.page_link(
        "pages/privacy.py",
        label="Open its receipt",
        query_params={"part": "Receipts", "receipt": receipt, "scope": memory},
        icon=":material/verified_user:",
    )


def _may_erase() -> bool:
    return viewer().sees_all and viewer().may_do("erase")
