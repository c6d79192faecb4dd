"""The report of an import, as it is shown before and after it is written."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from memcore.access.permissions import IN_PART
from memcore.importing import FileReport, SkippedKind
from memcore.view.naming import counted, human_day
from memcore.view.overview import LANGUAGES
from pages._parts.say import plain
from pages._parts.tree.report import is_run_report, saved_run_report

if TYPE_CHECKING:
    from memcore.records import File


def report_view(report: FileReport, *, written: bool) -> None:
    """Format, counts, time range, languages, what was skipped and why, and warnings."""
    if not report.format:
        st.warning(plain("; ".join(report.warnings)))
        return
    counts = [counted(report.conversations, "conversation"), f"{counted(report.turns_read, 'turn')} read"]
    if written:
        counts += [f"{report.turns_written:,} written", f"{report.turns_known:,} known already"]
    counts += [f"{report.held_back:,} kept out, as they were erased before"] * bool(report.held_back)
    counts += [f"{report.folded:,} folded"] * bool(report.folded)
    counts += [f"{report.alternatives:,} on other branches"] * bool(report.alternatives)
    counts += [f"{report.turns_skipped:,} skipped"] * bool(report.turns_skipped)
    st.markdown(f"**{plain(report.name)}** · {plain(report.format)} · {' · '.join(counts)}")
    st.caption(plain(f"{_when(report)}{_languages(report)}"))
    for kind in report.skipped:
        st.markdown(f"- skipped {kind.count:,}: {plain(kind.why)} (first: {plain(kind.first_where)})")
    for warning in report.warnings:
        st.markdown(f"- note: {plain(warning)}")


def saved_report_view(file: File) -> None:
    """The report that was stored with a file; one that was cut off before its end has none."""
    report = file.report
    if not report:
        st.markdown(f"**{plain(file.name)}** · {plain(file.format)}")
        if file.name == IN_PART:
            st.caption("Some of what it brought is left out of this view, so its report is not shown.")
        else:
            st.caption("Its import did not reach the end: importing the file again completes it.")
        return
    if is_run_report(report):
        saved_run_report(report)
        return
    given = {f.name: report[f.name] for f in fields(FileReport) if f.name in report}
    for name in ("first_said", "last_said"):
        given[name] = datetime.fromisoformat(given[name]) if given.get(name) else None
    given["skipped"] = tuple(SkippedKind(**kind) for kind in given.get("skipped", ()))
    report_view(FileReport(**given), written=True)


def _when(report: FileReport) -> str:
    if report.first_said is None or report.last_said is None:
        return "No time is stated"
    return f"{human_day(report.first_said.toordinal())} to {human_day(report.last_said.toordinal())}"


def _languages(report: FileReport) -> str:
    return "".join(f" · {LANGUAGES.get(name, name)} {n:,}" for name, n in report.languages.items())
