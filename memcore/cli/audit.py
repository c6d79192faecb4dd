"""`memcore audit`: who did what in a store, whether that record is whole, and a copy of it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcore.access.permissions import OWNER
from memcore.access.roles import ROLES
from memcore.audit import Entry, dumped, kinds
from memcore.cli.emit import Emit
from memcore.cli.parsing import verbs
from memcore.errors import InputError
from memcore.settings import author
from memcore.view.audited import sentence
from memcore.view.naming import counted

if TYPE_CHECKING:
    from memcore.store.audit import Audit

LISTED = 200


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be listed, and what a verification is held against."""
    verbs(
        parser,
        {
            "list": "the entries, newest first",
            "verify": "whether any was changed, removed or added by hand",
            "export": "write all of them into a file",
        },
    )
    parser.add_argument("of", nargs="?", default="", metavar="FILE", help="where the copy goes")
    parser.add_argument("--who", default="", metavar="NAME", help="only by this person or role")
    parser.add_argument(
        "--kind", default=[], action="append", choices=kinds(), metavar="KIND", help="only these"
    )
    parser.add_argument("--scope", default="", metavar="NAME", help="only of this memory")
    parser.add_argument("--limit", type=int, default=LISTED, metavar="N", help="the newest N")
    parser.add_argument("--noted", default="", metavar="HASH", help="a last hash that was noted elsewhere")


def audit(record: Audit, args: argparse.Namespace, emit: Emit) -> int:
    """List the entries, newest first; verify, 1 when one is not as it was written; or copy all of them.

    Raises InputError for a file that cannot be written, StoreDamaged for a record that cannot be read.
    """
    if args.action == "verify":
        verdict = record.verify(args.noted)
        note = (
            f" Its last hash, to be noted elsewhere: {verdict.hash}" if verdict.ok and verdict.entries else ""
        )
        emit(asdict(verdict), [verdict.says + note])
        return int(not verdict.ok)
    if args.action == "export":
        return _exported(record, args.of, emit)
    names = record.known_as((*ROLES, OWNER.name, author(), args.who))
    found = list(record.entries(max(args.limit, 0), kinds=args.kind, who=args.who, scope=args.scope))
    for entry in found:
        emit(_as_dict(entry), [_line(entry, names)])
    if not found:
        emit(None, ["No entry matches."])
    return 0


def _as_dict(entry: Entry) -> dict[str, Any]:
    return {**asdict(entry), "fact": dumped(entry.fact), "what": entry.what, "says": sentence(entry)}


def _line(entry: Entry, names: Mapping[str, str]) -> str:
    number = f"{entry.number}" if entry.together == 1 else f"{entry.number} (+{entry.together - 1})"
    who = f" by {names.get(entry.who, 'somebody called ' + entry.who[:8])}" if entry.who else ""
    where = f" [{entry.memory or 'a memory that is gone'}]" if entry.scope else ""
    return f"{number:10}  {entry.at:%Y-%m-%d %H:%M:%S}  {sentence(entry).removesuffix('.')}{where}{who}"


def _exported(record: Audit, of: str, emit: Emit) -> int:
    if not of:
        raise InputError("Name the file: memcore audit export FILE.jsonl.")
    path, lines = Path(of), list(record.exported(OWNER.name))
    try:
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    except OSError as error:
        raise InputError(f"The file {path.name} cannot be written: {error.strerror}.") from error
    emit({"file": str(path), "entries": len(lines)}, [f"{counted(len(lines), 'entry', 'entries')} written."])
    return 0
