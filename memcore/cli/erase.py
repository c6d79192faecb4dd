"""`memcore erase`: find, show the plan, erase or redact, keep the receipt; `memcore erase verify RECEIPT`.

What erasures left behind is listed and lifted elsewhere (see cli_erased).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcore.cli.emit import Emit
from memcore.errors import InputError

if TYPE_CHECKING:
    from memcore.erasure import Found, Hit, Plan, Receipt, Wanted
    from memcore.memory import Memory

SHOWN = 20
_NAMED = ("person", "cue", "tag", "conversation", "file", "run", "trace")
_ACTIONS = ("verify", "receipts", "held", "lift")
_WHAT = {
    "erase": "erased",
    "redact": "words replaced",
    "rebuild": "made again",
    "blank": "words taken out",
    "strip": "undo lost",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked for, and how sure one is."""
    names = " | ".join(_ACTIONS)
    parser.add_argument("action", nargs="?", default="", choices=("", *_ACTIONS), metavar=names)
    parser.add_argument("of", nargs="?", default="", metavar="RECEIPT", help="to verify, or ID to lift")
    parser.add_argument("--match", default="", metavar="TEXT", help="a text, wherever it stands")
    parser.add_argument("--like", default="", metavar="TEXT", help="what is much like it, as near matches")
    parser.add_argument("--regex", default="", metavar="PATTERN", help="a regular expression")
    for name in _NAMED:
        parser.add_argument(f"--{name}", default="", metavar="NAME", dest=f"in_{name}")
    parser.add_argument("--since", type=date.fromisoformat, default=None, metavar="DAY")
    parser.add_argument("--until", type=date.fromisoformat, default=None, metavar="DAY")
    parser.add_argument("--near", action="store_true", help="the near matches too, without looking at them")
    parser.add_argument(
        "--redact",
        nargs="?",
        const="[redacted]",
        default="",
        metavar="MARK",
        help="only replace the words found by a mark, and keep the rest",
    )
    parser.add_argument("--plan", action="store_true", help="only show what would go")
    parser.add_argument("--yes", action="store_true", help="erase without asking once more")
    parser.add_argument("--importable", action="store_true", help="let a later import bring it back")
    parser.add_argument("--reason", default="", help="for the receipt; must not name what is erased")
    parser.add_argument("--receipt", default="", metavar="FILE", help=".json, or .html to print")


def erase(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    """Verify a receipt, list or lift what erasures left, show a plan, or erase; 1 when a check finds
    something.

    Raises InputError when it is not confirmed, and what finding and erasing raise.
    """
    if args.action == "verify":
        return _verified(memory, args, emit)
    if args.action:
        from memcore.cli.erased import erased

        return erased(memory, args, emit)
    wanted = _wanted(args)
    found = memory.erasure.find(wanted)
    hits = [*found.hits, *(found.near if args.near else ())]
    erasure = memory.erasure
    planned = erasure.redaction(hits, args.redact) if args.redact and hits else erasure.plan(hits)
    emit(_as_dict(found, planned), list(_lines(found, planned)))
    if args.plan:
        return 0
    if planned.empty:
        raise InputError("Nothing was found, so nothing is erased.")
    _confirmed(args)
    _room_for(args.receipt)
    receipt = _carried_out(memory, planned, args, [wanted.text] if wanted.text else [])
    if args.receipt:
        memory.handed_out("receipt", 1, receipt.id)
        written(receipt, Path(args.receipt))
    emit(receipt.as_dict(), list(outcome(receipt)))
    return int(not receipt.ok)


def written(receipt: Receipt, path: Path) -> None:
    """A receipt as JSON, or as a page where the file is called so. Raises InputError."""
    from memcore.erasure import page
    from memcore.erasure.receipt import save

    if path.suffix.lower() not in (".html", ".htm"):
        save(receipt, path)
        return
    try:
        path.write_text(page(receipt), "utf-8")
    except OSError as error:
        raise InputError("The receipt cannot be written there: name another file.") from error


def _wanted(args: argparse.Namespace) -> Wanted:
    from memcore.erasure import Wanted

    given: dict[str, Any] = {name: getattr(args, f"in_{name}") for name in _NAMED}
    given |= {"text": args.match, "like": args.like, "pattern": args.regex}
    return Wanted(since=args.since, until=args.until, **given)


def _room_for(receipt: str) -> None:
    """Raises InputError where a receipt could not be written, before anything is erased."""
    path = Path(receipt)
    if receipt and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise InputError("Nothing was erased: name a file in a folder that is there for the receipt.")


def _confirmed(args: argparse.Namespace) -> None:
    """Raises InputError unless somebody says yes: at the terminal, or with --yes."""
    if args.yes:
        return
    if args.json or not sys.stdin.isatty():
        raise InputError("Nothing was erased: add --yes once the plan is what you want.")
    act = "redact" if args.redact else "erase"
    if input(f"{act.capitalize()} this for good? Type {act} to go on: ").strip() != act:
        raise InputError(f"Nothing was {act.rstrip('e')}ed.")


def _carried_out(memory: Memory, planned: Plan, args: argparse.Namespace, words: Sequence[str]) -> Receipt:
    from memcore.editing import Who
    from memcore.settings import author

    receipt: Receipt | None = None
    shown = not args.json and sys.stderr.isatty()
    who = Who(author(), args.reason)
    for step in memory.erasure.erase(planned, who, wanted=words, hold_back=not args.importable):
        receipt = step.receipt or receipt
        if shown:
            print(f"\r{step.doing}: {step.done} of {step.total}".ljust(60), end="\r", file=sys.stderr)
    if receipt is None:
        raise InputError("The erasure did not end; open the store again to complete it.")
    return receipt


def _verified(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    from memcore.erasure import loaded

    if not args.of:
        raise InputError("Name the receipt: memcore erase verify FILE.")
    try:
        text = Path(args.of).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The receipt {Path(args.of).name} cannot be read.") from error
    receipt = memory.erasure.verify(loaded(text), [args.match] if args.match else [])
    emit(receipt.as_dict(), list(outcome(receipt)))
    return int(not receipt.ok)


def _as_dict(found: Found, planned: Plan) -> dict[str, Any]:
    return {
        "hits": [h._asdict() for h in found.hits],
        "near": [h._asdict() for h in found.near],
        "plan": {what: of for what, of in planned.counts().items() if of},
        "touched": [t._asdict() for t in planned.touched if t.kind != "relation"],
        "undo_lost": planned.undo_lost,
    }


def _lines(found: Found, planned: Plan) -> list[str]:
    lines = [f"{len(found.hits):,} found, {len(found.near):,} near matches"]
    lines += [f"  {_line(h)}" for h in found.hits[:SHOWN]]
    lines += [f"  near ({h.why.replace('_', ' ')}): {_line(h)}" for h in found.near[:SHOWN]]
    return [*lines, *counted(planned)]


def counted(planned: Plan) -> Iterator[str]:
    """What a plan comes to, a line for each thing that happens to records."""
    for what, of in planned.counts().items():
        if of:
            yield f"{_WHAT[what]}: " + ", ".join(f"{n:,} {kind}" for kind, n in of.items())


def _line(hit: Hit) -> str:
    return f"{hit.kind} {hit.field}: {' '.join(hit.text.split())[:80]}"


def outcome(receipt: Receipt) -> list[str]:
    """A receipt in lines: each check as it stands now, and what each later verification looked for."""
    from memcore.erasure.printed import verified_again

    lines = [f"Receipt {receipt.id}: {receipt.status}"]
    for check in receipt.standing:
        said = "nothing" if check.ok else f"{check.found:,} ({', '.join(check.where)})"
        lines.append(f"  {check.says}: {check.looked:,} looked at, {said} found")
    for again in receipt.again:
        lines.append(f"  verified again {again.when:%Y-%m-%d %H:%M}: {verified_again(again)}")
    if receipt.held_back:
        lines.append(f"{receipt.held_back:,} sources are kept out of later imports.")
    return lines
