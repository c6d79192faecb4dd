"""The last step before a draft leaves the reader: text that a store cannot hold is mended and noted.

As for conversations (see importing.cleaning): NUL characters go, half characters become the replacement
mark, everything else stays verbatim, control codes of terminals too. Runs with the same id are kept
apart; a run that stands in the file twice is read once.
"""

from __future__ import annotations

from memcore.importing.report import Report
from memcore.importing.runs.draft import DraftMark, DraftRun, DraftStep
from memcore.importing.shapes import fingerprint


class Cleaning:
    """Cleans the runs of one file; remembers which identities it has seen."""

    def __init__(self, report: Report) -> None:
        self._report, self._text = report, report.mended
        self._seen: dict[str, set[str]] = {}

    def clean(self, run: DraftRun) -> DraftRun | None:
        """The run with storable text and an identity of its own; None where it was there already."""
        return self._unique(self._run(run))

    def _run(self, run: DraftRun) -> DraftRun:
        return run._replace(
            source=self._text(run.source),
            title=self._text(run.title),
            task=self._text(run.task),
            agent=self._text(run.agent),
            model=self._text(run.model),
            task_id=self._text(run.task_id),
            outcome=self._text(run.outcome),
            key=self._text(run.key),
            steps=tuple(map(self._step, run.steps)),
            marks=tuple(map(self._mark, run.marks)),
            nested=tuple(map(self._run, run.nested)),
        )

    def _step(self, step: DraftStep) -> DraftStep:
        return step._replace(
            action=self._text(step.action),
            observation=self._text(step.observation),
            thought=self._text(step.thought),
            tool=self._text(step.tool),
            source=self._text(step.source),
            signals=tuple(map(self._text, step.signals)),
        )

    def _mark(self, mark: DraftMark) -> DraftMark:
        return mark._replace(
            summary=self._text(mark.summary), note=self._text(mark.note), rule=self._text(mark.rule)
        )

    def _unique(self, run: DraftRun) -> DraftRun | None:
        content = fingerprint(*(f"{step.tool}\n{step.action}\n{step.observation}" for step in run.steps))
        seen = self._seen.setdefault(run.identity, set())
        if content in seen:
            self._report.repeat(len(run.steps))
            return None
        seen.add(content)
        if len(seen) == 1:
            return run
        self._report.warn("two runs have the same id but not the same steps; both were kept")
        return run._replace(key=f"{run.identity}\n{content}")
