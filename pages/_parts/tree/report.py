"""The report of an import of agent runs, as it is shown before and after it is written."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

import streamlit as st

from memcore.importing import SkippedKind
from memcore.importing.runs.report import RunFileReport
from memcore.view.naming import counted, human_day
from pages._parts.say import plain


def run_report(report: RunFileReport, *, written: bool) -> None:
    """Format, counts, time range, what was skipped and why, and warnings."""
    if not report.format:
        st.warning(plain("; ".join(report.warnings)))
        return
    counts = [counted(report.runs, "run"), f"{counted(report.steps_read, 'step')} read"]
    counts += [f"{report.nested:,} of subagents"] * bool(report.nested)
    counts += [f"{report.failing:,} may have failed"] * bool(report.failing)
    counts += [f"{report.marks:,} marks in the file"] * bool(report.marks)
    counts += [f"{report.repeated:,} repeated and read once"] * bool(report.repeated)
    if written:
        counts += [f"{report.steps_written:,} written", f"{counted(report.runs_known, 'run')} known already"]
    counts += [f"{report.held_back:,} kept out, as they were erased before"] * bool(report.held_back)
    st.markdown(f"**{plain(report.name)}** · {plain(report.format)} · {' · '.join(counts)}")
    if report.first_said and report.last_said:
        first, last = (human_day(at.toordinal()) for at in (report.first_said, report.last_said))
        st.caption(first if first == last else f"{first} to {last}")
    for kind in report.skipped:
        st.markdown(f"- skipped {kind.count:,}: {plain(kind.why)} (first: {plain(kind.first_where)})")
    for warning in report.warnings:
        st.markdown(f"- note: {plain(warning)}")


def is_run_report(report: dict[str, Any]) -> bool:
    """Whether a report that was stored with a file is one of agent runs."""
    return "steps_read" in report


def saved_run_report(report: dict[str, Any]) -> None:
    """The report that was stored with a file of agent runs."""
    given = {f.name: report[f.name] for f in fields(RunFileReport) if f.name in report}
    for name in ("first_said", "last_said"):
        given[name] = datetime.fromisoformat(given[name]) if given.get(name) else None
    given["skipped"] = tuple(SkippedKind(**kind) for kind in given.get("skipped", ()))
    given["warnings"] = tuple(given.get("warnings", ()))
    run_report(RunFileReport(**given), written=True)
