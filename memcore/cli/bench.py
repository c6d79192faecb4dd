"""`memcore bench locomo FILE --answer MODEL --judge MODEL`: what can be said about answering and judging."""

from __future__ import annotations

import argparse
from typing import Any

_SAID = ("answer", "judge", "strategies", "budget", "max_money", "resume", "dry", "store")


def answering_arguments(bench: argparse.ArgumentParser) -> None:
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
    of.add_argument("--resume", default="", metavar="FOLDER", help="where to go on, or to begin")
    of.add_argument("--dry", action="store_true", help="only foresee the cost; nobody is asked")


def answering(args: argparse.Namespace) -> dict[str, Any]:
    """What was said, as Options of the benchmark; a store is one whose settings choose models and prices."""
    return {name: getattr(args, name) for name in _SAID}
