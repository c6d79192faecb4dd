"""`memcore`: everything the pages do, scriptable. `--json` prints JSON lines; failure is exit code 1.

memcore ui      [--store DIR] [--port N] [--window]
memcore import  PATH... --store DIR [--scope NAME] [--embedder NAME]
memcore ask     QUESTION --store DIR [--strategy S] [--budget N | --auto-budget]
memcore traces  list | show ID
memcore history list | undo
memcore doctor  [--repair]
memcore bench   locomo FILE | longmemeval FILE | speed FILE | clue-tree | scale
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, get_args

from memcore.errors import InputError, MemcoreError
from memcore.events import Strategy

Command = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; what goes wrong is one sentence on standard error."""
    args = parser().parse_args(argv)
    try:
        return args.run(args)
    except MemcoreError as error:
        print(json.dumps({"error": str(error)}) if args.json else f"memcore: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("memcore: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 0


def parser() -> argparse.ArgumentParser:
    """The whole command line, as `memcore --help` shows it."""
    top = argparse.ArgumentParser(prog="memcore", description="See what an agent remembers, and why.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    ui = _command(commands, "ui", "open the app", _ui, scoped=False)
    ui.add_argument(
        "--port", type=int, default=0, help="port on this machine (default: a free one from 8765)"
    )
    ui.add_argument("--window", action="store_true", help="open a window of its own instead of a browser tab")
    ui.add_argument("--headless", action="store_true", help="open nothing, only serve")
    bring = _command(commands, "import", "import files or folders", _import)
    bring.add_argument("paths", nargs="+", metavar="PATH")
    bring.add_argument("--embedder", default="", help="multilingual (default), none, or onnx:FOLDER")
    ask = _command(commands, "ask", "ask a question and record how it was answered", _ask)
    ask.add_argument("question")
    ask.add_argument("--strategy", default="active", help=", ".join(get_args(Strategy)))
    ask.add_argument("--budget", type=int, default=20, help="origin turns that may be read")
    ask.add_argument("--auto-budget", action="store_true", help="let the budget grow with the difficulty")
    traces = _command(commands, "traces", "past runs", _traces)
    traces.add_argument("action", choices=("list", "show"))
    traces.add_argument("trace", nargs="?", default="")
    history = _command(commands, "history", "changes of a memory", _history)
    history.add_argument("action", choices=("list", "undo"))
    doctor = _command(commands, "doctor", "check a store, and repair what a crash can leave", _doctor)
    doctor.add_argument("--repair", action="store_true")
    bench = _command(commands, "bench", "measure", _bench, scoped=False)
    bench.add_argument("what", choices=("locomo", "longmemeval", "speed", "clue-tree", "scale"))
    bench.add_argument("file", nargs="?", default="")
    bench.add_argument("--contents", type=int, default=100_000, help="size of the scale benchmark")
    bench.add_argument("--zero-model", action="store_true", help="without an embedder")
    return top


def _command(
    commands: Any, name: str, says: str, run: Command, *, scoped: bool = True
) -> argparse.ArgumentParser:
    sub = commands.add_parser(name, help=says, description=says)
    sub.set_defaults(run=run)
    sub.add_argument("--store", default="", metavar="DIR", help="folder of the store")
    sub.add_argument("--json", action="store_true", help="print JSON")
    if scoped:
        sub.add_argument(
            "--scope", default="", metavar="NAME", help="whose memory, where a store has several"
        )
    return sub


def _ui(args: argparse.Namespace) -> int:
    from memcore.serving import serve

    return serve(store=args.store, port=args.port, window=args.window, headless=args.headless)


def _import(args: argparse.Namespace) -> int:
    from memcore.importing import FileReport
    from memcore.memory import Memories

    memories = Memories.open(_store(args), embedder=args.embedder)
    memory = memories.scope(args.scope or memories.only_scope() or "default", create=True)
    failed = False
    for path in args.paths:
        for step in memory.import_path(path):
            if isinstance(step, FileReport):
                failed |= not step.format
                _print(args, step.as_dict(), _report_lines(step))
            elif not args.json and sys.stderr.isatty():
                print(f"\r{step.name}: {step.turns_written:,} turns written", end="\r", file=sys.stderr)
    return int(failed)


def _ask(args: argparse.Namespace) -> int:
    from memcore.reconstruction import Ask, fold
    from memcore.view.answer import answer_lines

    memory = _memory(args)
    ask = Ask(args.question, args.budget, strategy=args.strategy, auto_budget=args.auto_budget)
    run = memory.ask(ask)
    state = fold(run)
    lines = answer_lines(state, memory.get([*state.evidence, *state.turns]))
    _print(args, {"trace": run.header.id, **lines.as_dict()}, lines.as_text())
    return 0


def _traces(args: argparse.Namespace) -> int:
    from memcore.events import dump

    memory = _memory(args)
    if args.action == "list":
        for header in memory.traces(limit=200):
            when = f"{header.started:%Y-%m-%d %H:%M}"
            line = f"{header.id}  {when}  {header.strategy:7} {header.status:9} {header.question}"
            _print(args, asdict(header), [line])
        return 0
    if not args.trace:
        raise InputError("Name the trace: memcore traces show ID (memcore traces list shows them).")
    header, events = memory.trace(args.trace)
    _print(args, {**asdict(header), "log": [dump(e) for e in events]}, [header.question])
    if not args.json:
        from memcore.view.steps import sentences

        print("\n".join(sentences(events, memory.snapshot().graph)))
    return 0


def _history(args: argparse.Namespace) -> int:
    memory = _memory(args)
    if args.action == "list":
        for change in memory.changes(200):
            what = ", ".join(dict.fromkeys(e.kind for e in change.events))
            state = " (undone)" if change.undone else ""
            counts = f"{change.made} made, {change.updated} changed, {change.deleted} deleted"
            line = f"{change.when:%Y-%m-%d %H:%M}  {what}{state}: {counts}"
            _print(
                args,
                {"group": change.group, "when": change.when, "what": what, "undone": change.undone},
                [line],
            )
        return 0
    taken = memory.undo()
    text = f"Taken back: {taken.removed:,} records removed, {taken.restored:,} restored."
    _print(args, asdict(taken), [text])
    return 0


def _doctor(args: argparse.Namespace) -> int:
    from memcore.store import Store
    from memcore.store.doctor import examine, repair

    store = Store.open(_store(args), embedder=None, create=False)
    found = repair(store) if args.repair else examine(store)
    for finding in found:
        verb = "repaired" if args.repair and finding.repairable else "found"
        where = f" in {finding.scope}" if finding.scope else ""
        line = f"{verb}: {finding.count:,} {finding.problem.replace('_', ' ')}{where}"
        _print(args, {**asdict(finding), "repairable": finding.repairable}, [line])
    serious = [f for f in found if not f.harmless and not (args.repair and f.repairable)]
    if not serious and not args.json:
        print("The store is consistent.")
    return int(bool(serious))


def _bench(args: argparse.Namespace) -> int:
    from memcore.evaluation.bench import run

    for row in run(args.what, args.file, contents=args.contents, zero_model=args.zero_model):
        _print(args, row, ["  ".join(f"{k} {v}" for k, v in row.items())])
    return 0


def _memory(args: argparse.Namespace) -> Any:
    from memcore.memory import Memories

    memories = Memories.open(_store(args), create=False)
    name = args.scope or memories.only_scope()
    if not name and len(memories.scopes()) > 1:
        raise InputError(
            f"The store holds several memories; name one with --scope: {', '.join(memories.scopes())}."
        )
    return memories.scope(name)


def _store(args: argparse.Namespace) -> str:
    if not args.store:
        raise InputError("Name the folder of the store with --store DIR.")
    return args.store


def _report_lines(report: Any) -> list[str]:
    if not report.format:
        return [f"{report.name}: {'; '.join(report.warnings)}"]
    head = (
        f"{report.name}: {report.format}, {report.conversations:,} conversations, "
        f"{report.turns_read:,} turns read, {report.turns_written:,} written, "
        f"{report.turns_known:,} known already, {report.turns_skipped:,} skipped"
    )
    skipped = [f"  skipped {s.count:,}: {s.why} (first: {s.first_where})" for s in report.skipped]
    return [head, *skipped, *(f"  note: {w}" for w in report.warnings)]


def _print(args: argparse.Namespace, row: Mapping[str, Any], lines: Sequence[str]) -> None:
    if args.json:
        print(json.dumps(row, ensure_ascii=False, default=str))
    else:
        print("\n".join(lines))
