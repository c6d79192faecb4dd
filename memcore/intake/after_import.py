"""When an import ends, however it ends, what the retention rules of the memory find due is erased.

An import that was stopped or failed half-way ends too: what is due does not wait for one that goes well. The
last report says what went.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from memcore.erasure import Receipt
from memcore.errors import MemcoreError
from memcore.importing import FileReport
from memcore.importing.runs.report import RunFileReport

Step = TypeVar("Step")


def with_rules(steps: Iterator[Step], keep: Callable[[], Receipt | None]) -> Iterator[Step]:
    """The steps of an import; `keep` applies the rules and gives the receipt where something was due.

    What made the import fail is raised, whatever comes of the rules.
    """
    last: Step | None = None
    try:
        for step in steps:
            if last is not None:
                yield last
            last = step if isinstance(step, FileReport | RunFileReport) else None
            if last is None:
                yield step
    except (MemcoreError, GeneratorExit):
        with suppress(MemcoreError):
            keep()
        raise
    receipt = keep()
    if last is not None:
        yield _told(last, receipt)


def _told(report: Step, receipt: Receipt | None) -> Step:
    if receipt is None or not isinstance(report, FileReport | RunFileReport):
        return report
    return replace(report, warnings=(*report.warnings, _says(receipt)))


def _says(receipt: Receipt) -> str:
    gone = sum(number for kind, number in receipt.counts.get("erase", {}).items() if kind != "relation")
    proved = "and verified" if receipt.ok else "but a check found something"
    return (
        f"Then the retention rules of this memory erased for good what was due ({gone:,} records), {proved}: "
        "the receipt lies with the others (page Privacy, memcore erase receipts)."
    )
