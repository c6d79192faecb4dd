"""Importing recorded agent runs: a file becomes runs of steps and a report; nothing is written or run here.

`read_runs` recognises a file by its content and yields its runs one by one; `records_of` makes the
records of one. Every format is one file; `registry` lists them.
"""

from memcore.importing.runs.draft import DraftMark, DraftRun, DraftStep, all_runs
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.records import RunRecords, flat, records_of
from memcore.importing.runs.registry import (
    RUN_FORMATS,
    RunReading,
    preview_runs,
    read_runs,
)
from memcore.importing.runs.report import RunFileReport, RunReport

__all__ = [
    "RUN_FORMATS",
    "DraftMark",
    "DraftRun",
    "DraftStep",
    "RunFile",
    "RunFileReport",
    "RunReading",
    "RunRecords",
    "RunReport",
    "all_runs",
    "flat",
    "preview_runs",
    "read_runs",
    "records_of",
]
