"""The report of an import, as it is shown before and after it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.view.naming import counted, human_day
from pages._parts.say import plain

if TYPE_CHECKING:
    from memcore.importing import FileReport


def report_view(report: FileReport, *, written: bool) -> None:
    """Format, counts, time range, languages, what was skipped and why, and warnings."""
    if not report.format:
        st.warning(plain("; ".join(report.warnings)))
        return
    counts = [counted(report.conversations, "conversation"), f"{counted(report.turns_read, 'turn')} read"]
    if written:
        counts += [f"{report.turns_written:,} written", f"{report.turns_known:,} known already"]
    counts += [f"{report.folded:,} folded"] * bool(report.folded)
    counts += [f"{report.alternatives:,} on other branches"] * bool(report.alternatives)
    counts += [f"{report.turns_skipped:,} skipped"] * bool(report.turns_skipped)
    st.markdown(f"**{plain(report.name)}** · {plain(report.format)} · {' · '.join(counts)}")
    st.caption(plain(f"{_when(report)}{_languages(report)}"))
    for kind in report.skipped:
        st.markdown(f"- skipped {kind.count:,}: {plain(kind.why)} (first: {plain(kind.first_where)})")
    for warning in report.warnings:
        st.markdown(f"- note: {plain(warning)}")


def _when(report: FileReport) -> str:
    if report.first_said is None or report.last_said is None:
        return "No time is stated"
    return f"{human_day(report.first_said.toordinal())} to {human_day(report.last_said.toordinal())}"


def _languages(report: FileReport) -> str:
    return "".join(f" · {name} {n:,}" for name, n in report.languages.items())
