"""`memcore`: everything the pages do, scriptable. `--json` prints JSON lines, errors too.

Exit codes: 0 done, 1 something is wrong (one sentence on standard error), 2 the command was written
wrongly, 130 stopped by the person, 141 nobody reads any more what it prints.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from memcore.cli.emit import Emit, nobody_reads, printed, printed_while_read
from memcore.cli.parsing import Parser, Version, WrittenWrongly
from memcore.errors import InputError, MemcoreError, ScopeError

Command = Callable[[argparse.Namespace], int]
Arguments = Callable[[argparse.ArgumentParser], None]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; what goes wrong is one sentence on standard error."""
    given = sys.argv[1:] if argv is None else argv
    as_json = "--json" in given
    try:
        args = parser().parse_args(given)
        return args.run(args)
    except WrittenWrongly as error:
        _complain(str(error), as_json)
        return 2
    except MemcoreError as error:
        _complain(str(error), as_json)
        return 1
    except KeyboardInterrupt:
        _complain("stopped", as_json)
        return 130
    except BrokenPipeError:
        nobody_reads()
        return 141


def parser() -> argparse.ArgumentParser:
    """The whole command line, as `memcore --help` shows it."""
    from memcore.cli import arguments, audit, bench, erase, models, recurrence, renaming, retention, runs

    top = Parser(prog="memcore", description="See what an agent remembers, and why.")
    top.add_argument("--version", action=Version, help="say which version is installed")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _command(commands, "ui", "open the app", _ui, arguments.ui, scoped=False)
    _command(commands, "import", "import files or folders", _import, arguments.bring)
    _command(commands, "ask", "ask a question and record how it was answered", _ask, arguments.ask)
    _command(commands, "traces", "past runs", _traces, arguments.traces)
    _command(commands, "history", "changes of a memory", _history, arguments.history)
    again = "read everything again, under the corrections"
    _command(commands, "reextract", again, _reextract, arguments.model)
    _command(commands, "recurrence", "what recurs, and what it costs", _recurrence, recurrence.arguments)
    _command(commands, "runs", "agent runs and their state trees", _runs, runs.arguments)
    _command(commands, "models", "which model does what, and its bill", _models, models.arguments)
    _command(commands, "erase", "erase for good, with a receipt", _erase, erase.arguments)
    kept = "what is erased once it is old enough"
    _command(commands, "retention", kept, _retention, retention.arguments)
    _command(commands, "audit", "who did what, and proof of it", _audit, audit.arguments, scoped=False)
    another = "another name for a memory"
    _command(commands, "rename", another, _rename, renaming.arguments, scoped=False)
    mend = "check a store, and repair what a crash can leave"
    _command(commands, "doctor", mend, _doctor, arguments.doctor)
    _command(commands, "bench", "measure", _bench, bench.arguments, scoped=False)
    return top


def _command(
    commands: Any, name: str, says: str, run: Command, own: Arguments, *, scoped: bool = True
) -> None:
    """A command with its own arguments and those that all have."""
    unset = "; MEMCORE_STORE, else ~/.memcore/store, if unset" if name == "ui" else ""
    lines = argparse.RawDescriptionHelpFormatter
    sub = commands.add_parser(name, help=says, description=says, formatter_class=lines)
    sub.set_defaults(run=run)
    sub.add_argument("--store", default="", metavar="DIR", help=f"folder of the store{unset}")
    sub.add_argument("--json", action="store_true", help="print JSON")
    if scoped:
        sub.add_argument("--scope", default="", metavar="NAME", help="whose memory, if a store has several")
        sub.add_argument(
            "--embedder", default="", metavar="NAME",
            help="multilingual, none, onnx:FOLDER or gemini/MODEL; as the memory was written if unset",
        )  # fmt: skip
        sub.add_argument(
            "--clearance", type=int, choices=range(4), default=3, metavar="N",
            help="leave out what is more sensitive than this, 0 to 3; less than 3 is read only",
        )  # fmt: skip
    own(sub)


def _ui(args: argparse.Namespace) -> int:
    from memcore.serving import Serving, serve

    wanted = Serving(
        store=args.store,
        port=args.port,
        window=args.window,
        headless=args.headless,
        address=args.address,
        hosts=tuple(args.host),
        unsafe_public=args.unsafe_public,
    )
    return serve(wanted)


def _import(args: argparse.Namespace) -> int:
    from memcore.cli.importing import CONVERSATIONS, bring_in, some_can_be_read
    from memcore.models.working import IMPORTING, For

    _store(args)
    some_can_be_read(CONVERSATIONS, args.paths)
    memories, name = _to_fill(args)
    memory = memories.to_fill(name, IMPORTING[args.mode], For(instead=args.model), _viewer(args))
    imported = partial(memory.import_path, mode=args.mode, append_to=args.append, model=args.model)
    return bring_in(CONVERSATIONS, args.paths, imported, _say_on(args), _progress(args))


def _ask(args: argparse.Namespace) -> int:
    from memcore.cli.asking import ask

    return ask(_memory(args), args, _say(args))


def _traces(args: argparse.Namespace) -> int:
    from memcore.cli.asking import traces

    return traces(_memory(args), args, _say(args))


def _history(args: argparse.Namespace) -> int:
    from memcore.cli.history import history

    return history(_memory(args), args.action, args.of, args.with_later, _say_on(args))


def _reextract(args: argparse.Namespace) -> int:
    from memcore.cli.history import reextract

    return reextract(_memory(args), _say_on(args), _progress(args), args.model)


def _models(args: argparse.Namespace) -> int:
    from memcore.cli.models import models

    memories = _memories(args).held_by(_viewer(args))
    return models(memories, partial(_named, memories, args), args, _say_on(args))


def _recurrence(args: argparse.Namespace) -> int:
    from memcore.cli.recurrence import recurrence

    return recurrence(_memory(args), args, _say_on(args))


def _runs(args: argparse.Namespace) -> int:
    from memcore.cli.runs import runs

    if args.action == "import":
        return _import_runs(args)
    return runs(_memory(args), args.action, args.of, _say(args))


def _import_runs(args: argparse.Namespace) -> int:
    from memcore.cli.importing import RUNS, bring_in, some_can_be_read

    _store(args)
    if not args.of:
        raise InputError("Name the files to import: memcore runs import PATH.")
    some_can_be_read(RUNS, args.of)
    memories, name = _to_fill(args)
    memory = memories.scope(name, create=True, viewer=_viewer(args))
    return bring_in(RUNS, args.of, memory.runs.import_path, _say_on(args), progress=False)


def _retention(args: argparse.Namespace) -> int:
    from memcore.cli.retention import retention

    return retention(_memory(args), args, _say_on(args))


def _erase(args: argparse.Namespace) -> int:
    from memcore.cli.erase import erase

    return erase(_memory(args), args, _say_on(args))


def _audit(args: argparse.Namespace) -> int:
    from memcore.cli.audit import audit
    from memcore.store import Store

    return audit(Store.open(_store(args), embedder=None, create=False).audit, args, _say(args))


def _rename(args: argparse.Namespace) -> int:
    from memcore.cli.renaming import rename
    from memcore.memories import Memories

    return rename(Memories.open(_store(args), create=False), args, _say_on(args))


def _doctor(args: argparse.Namespace) -> int:
    from memcore.cli.doctor import doctor

    return doctor(_store(args), args, _say(args))


def _bench(args: argparse.Namespace) -> int:
    from memcore.cli.bench import bench

    return bench(args, _say(args))


def _memory(args: argparse.Namespace) -> Any:
    return _named(_memories(args), args)


def _memories(args: argparse.Namespace) -> Any:
    from memcore.memories import Memories

    return Memories.open(_store(args), embedder=args.embedder, create=False)


def _named(memories: Any, args: argparse.Namespace) -> Any:
    """The memory named, or the only one."""
    name, names = args.scope or memories.only_scope(), memories.scopes()
    if not names:
        raise InputError("There is no memory in this store yet: import something into it first.")
    if not name:
        raise InputError(f"The store holds several memories; name one with --scope: {', '.join(names)}.")
    viewer = _viewer(args)
    try:
        return memories.scope(name, viewer=viewer)
    except ScopeError as error:
        if not viewer.sees_all:
            raise
        raise ScopeError(f"There is no memory called {name!r}; there is: {', '.join(names)}.") from error


def _to_fill(args: argparse.Namespace) -> tuple[Any, str]:
    """The store, made if it is not there, and the name given, or of the only memory, or of a new one."""
    from memcore.memories import Memories

    memories = Memories.open(_store(args), embedder=args.embedder)
    return memories, args.scope or memories.only_scope() or "default"


def _viewer(args: argparse.Namespace) -> Any:
    """Whoever has the store in hand, or somebody who may see less of it."""
    from memcore.access.permissions import OWNER, Viewer

    return OWNER.within(Viewer(OWNER.name, args.clearance))


def _store(args: argparse.Namespace) -> str:
    if not args.store:
        raise InputError("Name the folder of the store with --store DIR; the app's own is ~/.memcore/store.")
    return args.store


def _say(args: argparse.Namespace) -> Emit:
    return partial(printed, args.json)


def _say_on(args: argparse.Namespace) -> Emit:
    return partial(printed_while_read, args.json)


def _progress(args: argparse.Namespace) -> bool:
    return not args.json and sys.stderr.isatty()


def _complain(sentence: str, as_json: bool) -> None:
    print(json.dumps({"error": sentence}) if as_json else f"memcore: {sentence}", file=sys.stderr)
