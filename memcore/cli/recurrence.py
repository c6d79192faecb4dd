"""`memcore recurrence`: what recurs in a memory, what other thresholds would do, and a new generation."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from memcore.cli.emit import Emit
from memcore.cli.parsing import verbs

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.records import Thresholds


def arguments(command: argparse.ArgumentParser) -> None:
    """What can be said to it."""
    verbs(
        command,
        {
            "show": "what recurred so far, and what it took",
            "foresee": "what these thresholds would do; nothing is changed",
            "apply": "absorb everything again under them",
        },
    )
    add = command.add_argument
    add("--share", type=float, default=0.0, metavar="S", help="calibrate to this share of the units, 0 to 1")
    add("--theta-sim", type=float, metavar="S", help="how alike two units are that recur, -1 to 1")
    add("--theta-count", type=int, metavar="N", help="how many alike units make an episode")
    add("--merge", type=float, metavar="S", help="how alike a unit and an episode are that is to take it in")


def recurrence(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    """One of its actions. Raises InputError without an embedder, and what applying raises."""
    from memcore.errors import InputError
    from memcore.view.naming import counted, share

    if args.action == "show":
        return _show(memory, emit)
    if memory.recurrence.off:
        raise InputError("This memory has no embedder, so nothing recurs in it.")
    thresholds = _thresholds(memory, args)
    if args.action == "foresee":
        seen = memory.recurrence.foresee(thresholds)
        told = f"{_named(thresholds)}: {share(seen.share)} of the units would be merged or consolidated, "
        asked = f"about {counted(seen.calls, 'call')} and {counted(seen.tokens, 'token')}"
        emit(
            {**thresholds._asdict(), "share": seen.share, "calls": seen.calls, "tokens": seen.tokens},
            [f"{told}for {asked}."],
        )
        return 0
    *_, step = memory.recurrence.apply(thresholds)
    again = f"absorbed {counted(step.total, 'unit')} again"
    emit(
        {**thresholds._asdict(), "units": step.total, "group": step.group},
        [f"{_named(thresholds)}: {again}; memcore history undo takes it back."],
    )
    return 0


def _show(memory: Memory, emit: Emit) -> int:
    from memcore.view.naming import counted, share

    units, ledger = memory.recurrence.units(), memory.recurrence.ledger()
    episodes, facts = len(memory.recurrence.episodes()), len(memory.recurrence.facts())
    states = Counter(u.state for u in units)
    ratio = share(ledger.ratio) if ledger.ratio is not None else "nothing"
    row = {
        **memory.recurrence.thresholds._asdict(),
        "units": len(units),
        "states": dict(states),
        "episodes": episodes,
        "facts": facts,
        "calls": ledger.calls,
        "tokens": ledger.tokens,
        "eager tokens": ledger.eager_tokens,
    }
    by_state = ", ".join(f"{n:,} {state}" for state, n in sorted(states.items())) or "none"
    made = f"{counted(episodes, 'episode')}, {counted(facts, 'fact')}"
    emit(
        row,
        [
            f"Thresholds: {_named(memory.recurrence.thresholds)}",
            f"Units: {by_state}; {made}",
            f"Tokens: {ledger.tokens:,}, {ratio} of what an eager system would take; counted on prompts",
        ],
    )
    return 0


def _thresholds(memory: Memory, args: argparse.Namespace) -> Thresholds:
    found = memory.recurrence.thresholds
    if args.share:
        found = memory.recurrence.calibrated(args.share).thresholds
    given = {"theta_sim": args.theta_sim, "theta_count": args.theta_count, "merge": args.merge}
    return found._replace(**{name: value for name, value in given.items() if value is not None})


def _named(t: Thresholds) -> str:
    return f"theta_sim {t.theta_sim:g}, theta_count {t.theta_count}, merge {t.merge:g}"
