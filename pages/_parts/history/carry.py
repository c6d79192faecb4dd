"""Corrections carried over: all of them as a file; a file of another store tried, then carried out here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memcore.editing.outcomes import Outcome
from memcore.errors import MemcoreError
from memcore.view.carried import STATES, about, left_out
from memcore.view.naming import counted
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.store import ChangeRow

REPORT = "history:report"  # what the last replay came to
UPLOADS = "history:uploads"  # how many files were done with: a new number empties the field
SHOWN = 500
WIDTHS = {"line": 50, "correction": 380, "what became of it": 260, "why": 380}  # pixels


def carrying(memory: Memory, rows: Sequence[ChangeRow]) -> None:
    """Export on the left, replay on the right, and below both what became of each line."""
    left, right = st.columns(2, gap="large")
    with left:
        _export(memory, rows)
    with right:
        told = _replay(memory)
    if told:
        _table(*told)


def download(memory: Memory) -> None:
    """The button that hands all corrections out as a file."""
    st.download_button(
        "Download the corrections",
        lambda: "".join(f"{line}\n" for line in memory.exported()).encode(),  # entered when it is taken
        file_name="corrections.jsonl",
        mime="application/jsonl",
        icon=":material/download:",
        on_click="ignore",
    )


def _export(memory: Memory, rows: Sequence[ChangeRow]) -> None:
    """What is in it, and what was changed by hand and is not."""
    st.subheader("Export", anchor=False)
    lines, others = memory.exportable(), left_out(rows)
    if lines:
        st.markdown(
            f"{counted(lines, 'correction')}, a line each. Places are named by conversation and turn, so "
            "they can be carried out on another store with the same conversations."
        )
        download(memory)
    else:
        st.markdown("Nothing was corrected by hand in this memory yet that could be carried over.")
    if others:
        st.caption(
            f"Not in it, because no turn says where it would belong elsewhere: {', '.join(others)}.",
        )


def _replay(memory: Memory) -> tuple[list[Outcome], str] | None:
    """A file tried, or what the last one came to; the outcomes, and what a line that fits is said to be."""
    st.subheader("Replay", anchor=False)
    if st.session_state.get(REPORT, ("",))[0] == memory.id:
        return _done(), STATES["applied"]
    key = f"history:file:{st.session_state.get(UPLOADS, 0)}"
    file = st.file_uploader("Corrections of another store (.jsonl)", type=["jsonl"], key=key)
    if file is None:
        st.caption("You first see what would fit; nothing is changed until you say so.")
        return None
    lines = file.getvalue().decode("utf-8-sig", "replace").split("\n")
    with st.spinner("Looking for the places …"):
        outcomes = sorted(memory.replay(lines, dry=True))
    fit = sum(o.state == "applied" for o in outcomes)
    st.markdown(f"**{fit:,} of {counted(len(outcomes), 'line')} would be carried out**, as one change.")
    st.button(
        f"Carry out {counted(fit, 'correction')}",
        type="primary",
        disabled=not fit,
        key="history:replay",
        on_click=_carry_out,
        args=(memory, lines, len(outcomes)),
    )
    return outcomes, "would be carried out"


def _carry_out(memory: Memory, lines: list[str], total: int) -> None:
    """What fits is carried out; what does not stands in the report."""
    done: list[Outcome] = []
    says = ""
    bar = st.progress(0.0, "Carrying out …")
    try:
        for outcome in memory.replay(lines):
            done.append(outcome)
            bar.progress(min(len(done) / max(total, 1), 1.0), f"{len(done):,} of {total:,}")
    except MemcoreError as error:
        says = f"{error} {counted(len(done), 'line')} done before that; doing it again goes on from there."
    st.session_state[REPORT] = (memory.id, sorted(done), says)
    st.session_state[UPLOADS] = st.session_state.get(UPLOADS, 0) + 1


def _done() -> list[Outcome]:
    _, outcomes, says = st.session_state[REPORT]
    applied = sum(o.state == "applied" for o in outcomes)
    if says:
        st.error(plain(says), icon=":material/error:")
    elif applied == len(outcomes):
        st.success(f"All {counted(applied, 'correction')} carried out.", icon=":material/check_circle:")
    else:
        st.info(f"{applied:,} of {counted(len(outcomes), 'line')} carried out.", icon=":material/info:")
    st.button("Replay another file", on_click=st.session_state.pop, args=(REPORT, None), key="history:again")
    return outcomes


def _table(outcomes: list[Outcome], applied: str) -> None:
    """What did not fit stands first."""
    words = {**STATES, "applied": applied}
    counts = Counter(o.state for o in outcomes)
    st.caption(" · ".join(f"{counts[s]:,} {words[s]}" for s in words if counts[s]))
    ranked = sorted(outcomes, key=lambda o: (o.state in ("applied", "already"), o.number))
    rows = [
        {
            "line": o.number,
            "correction": verbatim(about(o.line), 120),
            "what became of it": words[o.state],
            "why": verbatim(o.says, 160) if o.state != "applied" else "",
        }
        for o in ranked[:SHOWN]
    ]
    st.dataframe(rows, hide_index=True, column_config={c: {"width": w} for c, w in WIDTHS.items()})
    if len(ranked) > SHOWN:
        st.caption(f"and {len(ranked) - SHOWN:,} more lines")
