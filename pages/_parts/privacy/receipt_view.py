"""A receipt as a person reads it: how it ended, what was done and checked, what that does not prove."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memcore.erasure import Receipt
from memcore.erasure.receipt import HASHES, TOMBSTONES, not_proved
from memcore.view.naming import counted
from memcore.view.printed_receipt import page
from memcore.view.privacy_receipt import (
    Line,
    again,
    as_json,
    asked_by,
    checks,
    done,
    file_name,
    reason,
    status,
    steps,
)
from memcore.view.times import instant
from pages._parts.clock import zone
from pages._parts.privacy import verifying
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.memory import Memory


def receipt_view(memory: Memory, receipt: Receipt) -> None:
    """Draw it, with its downloads and the way to verify it again."""
    with st.container(border=True, key="privacy-receipt"):
        st.markdown("**Receipt of an erasure**")
        _status(receipt)
        _facts(memory, receipt)
        _downloads(memory, receipt)
        st.markdown("**What was done**")
        st.markdown("\n".join(f"- {plain(line)}" for line in done(receipt, zone())))
        _checks(receipt)
        _again(receipt)
        verifying.again(memory, receipt)
        st.markdown("**What this does not prove**")
        st.markdown("\n".join(f"- {plain(line)}" for line in not_proved(receipt)))
        st.caption(plain(f"{HASHES} {TOMBSTONES}"))


def _status(receipt: Receipt) -> None:
    unfinished = {
        "found": (st.error, "error"),
        "altered": (st.error, "error"),
        "underway": (st.info, "hourglass_top"),
    }
    show, icon = unfinished.get(receipt.status, (st.success, "verified_user"))
    show(plain(status(receipt)), icon=f":material/{icon}:")


def _facts(memory: Memory, receipt: Receipt) -> None:
    ended = instant(receipt.verified, zone()) if receipt.verified else "not yet"
    facts = [
        ("Memory", memory.name),
        ("Asked for by", asked_by(receipt)),
        ("Why", reason(receipt)),
        ("Started", instant(receipt.started, zone())),
        ("Last verified", ended),
    ]
    st.markdown("  \n".join(f":small[:gray[{name}]] {plain(value, 300)}" for name, value in facts))


def _downloads(memory: Memory, receipt: Receipt) -> None:
    printed = partial(page, memory=memory.name, zone=zone())
    with st.container(horizontal=True):
        for label, ending, mime, written in (
            ("Download as a page to print", "html", "text/html", printed),
            ("Download as JSON", "json", "application/json", as_json),
        ):
            st.download_button(
                label, partial(_handed_out, memory, receipt, written), file_name=file_name(receipt, ending),
                mime=mime, key=f"privacy:{ending}:{receipt.id}", icon=":material/download:",
                on_click="ignore",
            )  # fmt: skip


def _handed_out(memory: Memory, receipt: Receipt, written: Callable[[Receipt], str]) -> str:
    """The file, made when it is asked for; that it left is entered in the audit."""
    made = written(receipt)
    memory.handed_out("receipt", made.count("\n") + 1, receipt.id)
    return made


def _checks(receipt: Receipt) -> None:
    found = checks(receipt.checks)
    if not found:
        return
    seconds = sum(took for _, took in receipt.steps)
    st.markdown(f"**{counted(len(found), 'check')}**")
    _lines(found)
    if receipt.steps:
        with st.expander(f"The steps, {seconds:.1f} seconds in all"):
            st.markdown("\n".join(f"- {plain(name)}: {took:.2f} s" for name, took in steps(receipt)))


def _again(receipt: Receipt) -> None:
    """Each later verification with what was looked for; none takes the place of another."""
    for says, verified in again(receipt, zone()):
        icon = ":material/check:" if verified.ok else ":material/error:"
        with st.expander(f"{icon} {plain(says, 400)}"):
            _lines(checks(verified.checks))


def _lines(found: list[Line]) -> None:
    """Each check with what was asked, how much was looked at and what was found, whole at any width."""
    with st.container(gap="xsmall"):
        for line in found:
            icon = "check" if line.ok else "error"
            result = f"{plain(line.found, 120)} found in {line.looked:,}"
            st.markdown(
                f":material/{icon}: **{plain(line.name)}** · {result}  \n:small[:gray[{plain(line.says)}]]"
            )
