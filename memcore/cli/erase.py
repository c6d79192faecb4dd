"""`memcore erase`: find, show the plan, erase or redact, keep the receipt; `memcore erase verify RECEIPT`.

What erasures left behind is listed and lifted elsewhere (see cli.erased).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcore.cli.emit import Emit
from memcore.cli.parsing import day, verbs
from memcore.errors import InputError

if TYPE_CHECKING:
    from memcore.erasure import Found, Hit, Plan, Receipt, Wanted
    from memcore.memory import Memory
    from memcore.records import Record

SHOWN = 20
_NAMED = {
    "person": "what somebody of this name said, the cue of that name, and questions that name it",
    "cue": "a cue by its name, and every memory that it leads to",
    "tag": "a tag by its name, and every memory that it leads to",
    "conversation": "a whole conversation, or only what is found in it",
    "file": "all that came from this file, or only what is found of it",
    "run": "a whole agent run, or only what is found in it",
    "trace": "a past question, by its id",
}
_ACTIONS = {
    "verify": "look again for what a receipt says is gone",
    "receipts": "list the erasures",
    "held": "what is kept out of later imports",
    "lift": "let it in again",
}
_DONE = {"erase": "erased", "redact": "redacted"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked for, and how sure one is."""
    verbs(parser, _ACTIONS, optional=True)
    parser.add_argument("of", nargs="?", default="", metavar="RECEIPT", help="to verify, or ID to lift")
    parser.add_argument("--match", default="", metavar="TEXT", help="a text, wherever it stands in one turn")
    parser.add_argument("--like", default="", metavar="TEXT", help="what is much like it, as near matches")
    parser.add_argument("--regex", default="", metavar="PATTERN", help="a regular expression")
    for name, says in _NAMED.items():
        parser.add_argument(f"--{name}", default="", metavar="NAME", dest=f"in_{name}", help=says)
    parser.add_argument("--since", type=day, metavar="DAY", help="only what was said from this day on")
    parser.add_argument("--until", type=day, metavar="DAY", help="only what was said up to this day")
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
    from memcore.view.privacy_words import CALLED_SO

    wanted = _wanted(args)
    found = memory.erasure.find(wanted)
    hits = [*found.hits, *(found.near if args.near else ())]
    erasure = memory.erasure
    planned = erasure.redaction(hits, args.redact) if args.redact and hits else erasure.plan(hits)
    said = [CALLED_SO] if erasure.called_so(planned, wanted.words) else []
    emit(_as_dict(found, planned), [*_lines(memory, found), *in_numbers(planned), *said])
    if args.plan:
        return 0
    if planned.empty:
        raise InputError("Nothing was found, so nothing is erased.")
    _confirmed(args)
    _room_for(args.receipt)
    receipt = _carried_out(memory, planned, args, wanted.words)
    if args.receipt:
        memory.handed_out("receipt", 1, receipt.id)
        written(receipt, memory.name, Path(args.receipt))
    emit(receipt.as_dict(), list(outcome(receipt)))
    return int(not receipt.ok)


def written(receipt: Receipt, memory: str, path: Path) -> None:
    """A receipt as JSON, or as a page where the file is called so. Raises InputError."""
    from memcore.erasure.receipt import save
    from memcore.view.printed_receipt import page

    if path.suffix.lower() not in (".html", ".htm"):
        save(receipt, path)
        return
    try:
        path.write_text(page(receipt, memory), "utf-8")
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
        raise InputError(f"Nothing was {_DONE[act]}.")


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
    if not args.of:
        raise InputError("Name the receipt: memcore erase verify FILE, or the id that stands in it.")
    receipt = memory.erasure.verify(_receipt(memory, args.of), _wanted(args).words)
    emit(receipt.as_dict(), list(outcome(receipt)))
    return int(not receipt.ok)


def _receipt(memory: Memory, of: str) -> Receipt:
    """The receipt in this file, or the one of this id that the store keeps: a printed one bears it."""
    from memcore.erasure import loaded

    if not Path(of).exists() and of in {receipt.id for receipt in memory.erasure.receipts()}:
        return memory.erasure.receipt(of)
    try:
        return loaded(Path(of).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The receipt {Path(of).name} cannot be read.") from error


def _as_dict(found: Found, planned: Plan) -> dict[str, Any]:
    return {
        "hits": [h._asdict() for h in found.hits],
        "near": [h._asdict() for h in found.near],
        "plan": {what: of for what, of in planned.counts().items() if of},
        "touched": [t._asdict() for t in planned.touched if t.kind != "relation"],
        "undo_lost": planned.undo_lost,
    }


def _lines(memory: Memory, found: Found) -> list[str]:
    from memcore.view.naming import counted

    records = memory.get([h.id for h in (*found.hits, *found.near) if not h.text])
    near = (f"near ({h.why.replace('_', ' ')}): {_line(h, records)}" for h in found.near)
    return [
        f"{len(found.hits):,} found, {counted(len(found.near), 'near match', 'near matches')}",
        *_listed(_line(h, records) for h in found.hits),
        *_listed(near),
    ]


def _listed(lines: Iterable[str]) -> list[str]:
    """Each line once, with how often it stands there, and at the end how many there are beyond."""
    told = Counter(lines).most_common()
    more = sum(times for _, times in told[SHOWN:])
    rest = [f"  … and {more:,} more: --json lists all"] if more else []
    return [*(f"  {line}{f' ({times:,} times)' if times > 1 else ''}" for line, times in told[:SHOWN]), *rest]


def in_numbers(planned: Plan) -> tuple[str, ...]:
    """What a plan comes to, a sentence for each thing that happens to records."""
    from memcore.view.privacy_plan import told

    return told(planned).lines


def _line(hit: Hit, records: Mapping[str, Record]) -> str:
    """What a hit is and says; of a whole record, what it is called."""
    from memcore.view.privacy_hits import name_of
    from memcore.view.privacy_words import NOUNS

    what = " ".join(filter(None, (NOUNS.get(hit.kind, (hit.kind,))[0], hit.field)))
    return f"{what}: {' '.join((hit.text or name_of(records.get(hit.id))).split())[:80]}"


def outcome(receipt: Receipt) -> list[str]:
    """A receipt in lines: how it ended and what was done, each check as it stands now, and what each later
    verification looked for."""
    from memcore.view.privacy_receipt import again, checks, done, status

    lines = [f"Receipt {receipt.id}", status(receipt), *done(receipt)]
    lines += [f"  {c.says}: {c.looked:,} looked at, {c.found} found" for c in checks(receipt.standing)]
    return [*lines, *(f"  {says}" for says, _ in again(receipt))]
