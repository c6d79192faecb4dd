"""LoCoMo answered and judged by models: F1 and the share held for right, by strategy at equal turns read.

    conditions  by whom, under which settings       log    what was answered and judged so far
    run         going through the questions         score  what came of the answers
    answering   one answer, one verdict             cost   what is left would cost

Every answer and every verdict is written down at once. It can be ended at any point, by a person, a crash or
the cap of dollars, and goes on where it was; at most the call under way is paid for again. A question at
which a model failed is not answered, which is something else than wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from memcore.errors import InputError
from memcore.evaluation.answers.conditions import Conditions, admitted
from memcore.evaluation.answers.cost import preview, rehearsed
from memcore.evaluation.answers.log import FILE
from memcore.evaluation.answers.run import Run, as_kept, begun
from memcore.evaluation.answers.score import scores
from memcore.evaluation.on_locomo import of_split, samples_of
from memcore.evaluation.reported import reported
from memcore.evaluation.rows import Row
from memcore.records import now


def bench_answers(file: Path, conditions: Conditions, resume: str = "") -> Iterator[Row]:
    """What is asked of whom, progress, the table, the differences, the bill, the paper's own figures.

    `resume` is the folder to go on in, or the file of answers in it; without it a new one is made here.
    Raises InputError, KeyRefused, ModelUnavailable before anything is imported or asked.
    """
    chosen = admitted(conditions)
    samples = of_split(samples_of(file), conditions.split)
    at = folder_named(resume, now())
    run = begun(conditions, chosen, file, samples, at)
    try:
        yield {**_measured_on(run), "kept in": str(at)}
        yield from run.all()
    finally:
        run.memories.models.close()
    yield from scores(run)
    if run.stopped:
        yield {"stopped": run.stopped, **run.left(), "go on": f"the same command with --resume {at}"}
    yield from reported()


def preview_answers(file: Path, conditions: Conditions, resume: str = "") -> Iterator[Row]:
    """What is left to be asked and about what it would cost; nobody is asked, no key is needed, and what was
    begun stays as it is."""
    samples = of_split(samples_of(file), conditions.split)
    chosen = conditions.checked()
    with TemporaryDirectory() as draft:
        run = begun(conditions, chosen, file, samples, Path(draft))
        run.memories.configure(rehearsed(chosen))
        run = as_kept(run, file, folder_named(resume, now()))
        yield _measured_on(run)
        yield from preview(run)


def folder_named(resume: str, at: datetime) -> Path:
    """The folder to go on in, or a new one in this folder."""
    if not resume:
        return Path(f"locomo-answers-{at:%Y%m%d-%H%M%S}")
    path = Path(resume).expanduser()
    if path.is_file() and path.name != FILE:
        raise InputError(f"--resume names a folder, or the file {FILE} in one.")
    return path.parent if path.name == FILE else path


def _measured_on(run: Run) -> Row:
    given, categories = run.conditions, [q.asked.category for q in run.questions]
    return {
        "split": given.split,
        "measured": list(run.scopes),
        "answerable questions": sum(c != "adversarial" for c in categories),
        "adversarial questions": categories.count("adversarial"),
        "strategies": list(given.strategies),
        "turns each may read": given.budget,
        "memories the model is shown": run.memories.settings.model_contents,
        "answered by": given.answer,
        "judged by": given.judge or "nobody",
        "models on the way": {r: m for r, m in run.chosen.roles.items() if r != "answer"} or "none, rules",
        "embedder": given.embedder,
        "limit in dollars": given.cap(run.chosen) or "none",
        **run.left(),
    }
