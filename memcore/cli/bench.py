"""`memcore bench`: everything that is measured, row by row."""

from __future__ import annotations

import argparse

from memcore.cli.emit import Emit

MEASURED = (
    "locomo", "longmemeval", "recurrence", "tree", "clue-tree", "crash", "speed", "scale", "edits", "erase",
    "tokens",
)  # fmt: skip
_ANSWERING = ("answer", "judge", "strategies", "budget", "max_money", "resume", "dry", "store")


def arguments(bench: argparse.ArgumentParser) -> None:
    """What is measured, on what, and how much of it."""
    bench.add_argument("what", choices=MEASURED, metavar="BENCHMARK", help=", ".join(MEASURED))
    file = "file of locomo, longmemeval, speed, recurrence and tokens; runs of tree"
    bench.add_argument("file", nargs="?", default="", metavar="FILE", help=file)
    bench.add_argument(
        "--split", choices=("dev", "held-out", "all"), default="held-out", help="conversations of LoCoMo"
    )
    bench.add_argument("--first", type=int, default=0, metavar="N", help="only the first N questions")
    bench.add_argument("--workers", type=int, default=2, help="processes")
    bench.add_argument("--contents", type=int, default=100_000, help="size of the memory that is made up")
    bench.add_argument("--kills", type=int, default=100, help="of the crash and erase benchmarks")
    bench.add_argument("--seeds", type=int, default=0, help="of the clue tree (10) or the demo shop (200)")
    bench.add_argument("--ablate", action="store_true", help="the demo agent with and without each part")
    bench.add_argument("--zero-model", action="store_true", help="without an embedder")
    _answering_arguments(bench)


def _answering_arguments(bench: argparse.ArgumentParser) -> None:
    """They join those of the command."""
    of = bench.add_argument_group("answering LoCoMo's questions by a model")
    of.add_argument("--answer", default="", metavar="MODEL", help="a model answers, from what was found")
    of.add_argument("--judge", default="", metavar="MODEL", help="a model says which answers are right")
    of.add_argument(
        "--strategies", default="active,fusion", metavar="A,B", help="those compared; the first with the rest"
    )
    of.add_argument("--budget", type=int, default=20, metavar="N", help="turns that each of them may read")
    of.add_argument(
        "--max-money", type=float, default=None, metavar="D",
        help="dollars that all may cost, 0 for no limit; as the settings allow a day if unset",
    )  # fmt: skip
    of.add_argument("--resume", default="", metavar="FOLDER", help="folder to resume from, or to begin in")
    of.add_argument("--dry", action="store_true", help="only foresee the cost; nobody is asked")


def bench(args: argparse.Namespace, emit: Emit) -> int:
    """Print the rows as they come; 1 where one of them says that a limit does not hold. Raises InputError,
    and what is measured raises."""
    from memcore.evaluation.bench import Options, run
    from memcore.evaluation.limits import broken

    options = Options(
        split=args.split,
        first=args.first,
        workers=args.workers,
        contents=args.contents,
        kills=args.kills,
        seeds=args.seeds or (200 if args.ablate else 10),
        zero_model=args.zero_model,
        ablate=args.ablate,
        **{name: getattr(args, name) for name in _ANSWERING},
    )
    failed = False
    for row in run(args.what, args.file, options):
        emit(row, ["  ".join(f"{k} {v}" for k, v in row.items())])
        failed |= broken(row)
    return int(failed)
