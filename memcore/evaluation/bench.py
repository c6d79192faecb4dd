"""`memcore bench`: every benchmark by its name. Every figure of the README comes from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memcore.errors import InputError
from memcore.evaluation.rows import Row

NEED_A_FILE = ("locomo", "longmemeval", "speed", "recurrence", "tokens")
NO_FILE = "."


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may choose.

    `split` of LoCoMo: dev, held-out or all; `first` takes only that many questions of each of its
    conversations (0: all). `workers` are processes. With `answer` a model answers its questions (see
    answers.Conditions); `resume` is the folder to go on in, `dry` only foresees the cost.
    """

    split: str = "held-out"
    first: int = 0
    workers: int = 2
    contents: int = 100_000
    kills: int = 100
    seeds: int = 10
    zero_model: bool = False
    ablate: bool = False
    answer: str = ""
    judge: str = ""
    strategies: str = "active,fusion"
    budget: int = 20
    max_money: float | None = None
    resume: str = ""
    dry: bool = False
    store: str = ""

    @property
    def embedder(self) -> str:
        return "none" if self.zero_model else "multilingual"


def run(what: str, file: str = "", options: Options | None = None) -> Iterator[Row]:
    """Rows of one benchmark. Raises InputError for a file that is missing or not of the benchmark."""
    if what not in _RUN:
        raise InputError(f"There is no benchmark {what!r}: choose one of {', '.join(_RUN)}.")
    if file and not Path(file).exists():
        raise InputError(f"There is no file {file}.")
    if what in NEED_A_FILE and not file:
        raise InputError(f"bench {what} needs the benchmark's file: memcore bench {what} FILE.")
    return _RUN[what](Path(file) if file else Path(NO_FILE), options or Options())


def _locomo(file: Path, options: Options) -> Iterator[Row]:
    if options.answer or options.judge or options.dry or options.resume:
        return _answers(file, options)
    from memcore.evaluation.on_locomo import Plan, bench_locomo

    return bench_locomo(file, Plan(options.split, options.embedder, options.workers, options.first))


def _answers(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.answers import Conditions, bench_answers, preview_answers

    if not options.answer:
        raise InputError("Say which model answers: --answer claude/claude-haiku-5-5, for one.")
    strategies = tuple(dict.fromkeys(s.strip() for s in options.strategies.split(",") if s.strip()))
    conditions = Conditions(
        options.answer, options.judge, strategies, options.budget, options.split, options.first,
        options.embedder, options.max_money, options.store,
    )  # fmt: skip
    bench = preview_answers if options.dry else bench_answers
    return bench(file, conditions, options.resume)


def _longmemeval(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.on_longmemeval import bench_longmemeval

    return bench_longmemeval(file, options.embedder, options.first)


def _recurrence(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.on_recurrence import bench_recurrence

    return bench_recurrence(file, options.embedder, options.first, options.workers)


def _tree(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.on_runs import bench_runs
    from memcore.evaluation.on_tree import ablate
    from memcore.llm.offline.choose import embedder_named

    if options.ablate:
        return ablate(options.seeds)
    if str(file) == NO_FILE:
        raise InputError("bench tree needs a file or folder of agent runs, or --ablate for the demo agent.")
    return bench_runs(file, None if options.zero_model else embedder_named(options.embedder))


def _clue_tree(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.on_clue_tree import bench_clue_tree

    return bench_clue_tree(options.seeds, options.embedder)


def _crash(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.crash import bench_crash

    return bench_crash(options.kills)


def _speed(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.speed import bench_speed

    return bench_speed(file)


def _scale(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.scale import bench_scale

    return bench_scale(options.contents)


def _edits(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.edits import bench_edits

    return bench_edits(options.contents)


def _erase(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.erasing import bench_erase

    return bench_erase(options.contents, options.kills)


def _tokens(file: Path, options: Options) -> Iterator[Row]:
    from memcore.evaluation.on_tokens import bench_tokens

    return bench_tokens(file, options.embedder, options.first)


_RUN: dict[str, Callable[[Path, Options], Iterator[Row]]] = {
    "locomo": _locomo,
    "longmemeval": _longmemeval,
    "recurrence": _recurrence,
    "tree": _tree,
    "clue-tree": _clue_tree,
    "crash": _crash,
    "tokens": _tokens,
    "speed": _speed,
    "scale": _scale,
    "edits": _edits,
    "erase": _erase,
}
