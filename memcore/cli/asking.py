"""`memcore ask` and `memcore traces`: a question answered, and past runs."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from memcore.cli.emit import Emit
from memcore.errors import InputError

if TYPE_CHECKING:
    from memcore.memory import Memory


def ask(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    """Ask a question, and print its answer with the evidence."""
    from memcore.prompted import answer_text
    from memcore.reconstruction import Ask
    from memcore.run_state import fold
    from memcore.view.answer import answer_lines
    from memcore.view.model_calls import fallbacks

    budget = memory.settings.budget if args.budget is None else args.budget
    wanted = Ask(
        args.question, budget, strategy=args.strategy, auto_budget=args.auto_budget, model=args.model
    )
    run = memory.ask(wanted)
    events = list(run)
    state = fold(events)
    written = answer_text(memory, state.answer) if state.answer else None
    lines = answer_lines(state, memory.get([*state.evidence, *state.turns]), written)
    notes = fallbacks(events)
    told = {"trace": run.header.id, **lines.as_dict(), **({"notes": notes} if notes else {})}
    emit(told, [*lines.as_text(), *(f"note: {note}" for note in notes)])
    return 0


def traces(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    """Past runs, or the steps of one in sentences. Raises InputError, NotFound."""
    from memcore.events import dump

    if args.action == "list":
        for header in memory.traces(limit=200):
            when = f"{header.started:%Y-%m-%d %H:%M}"
            line = f"{header.id}  {when}  {header.strategy:7} {header.status:9} {header.question}"
            emit(asdict(header), [line])
        return 0
    if not args.trace:
        raise InputError("Name the trace: memcore traces show ID (memcore traces list shows them).")
    header, events = memory.trace(args.trace)
    emit({**asdict(header), "log": [dump(e) for e in events]}, [header.question])
    if not args.json:
        from memcore.view.steps import sentences

        emit(None, list(sentences(events, memory.snapshot().graph)))
    return 0
