"""`memcore retention`: what is erased once it is old enough: the rules, what is due, and doing it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memcore.cli.emit import Emit
from memcore.cli.parsing import verbs
from memcore.errors import InputError

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.retention import Due, Rule


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is to be done, and the rule that is set."""
    verbs(
        parser,
        {
            "list": "the rules",
            "set": "a rule, in place of the one for the same kind and sensitivity",
            "preview": "what the rules would erase now",
            "apply": "erase what the rules that are on find due",
        },
    )
    kinds = "what the rule is for: conversation, run, trace, unit or episode"
    add = parser.add_argument
    add("kind", nargs="?", default="", metavar="KIND", help=kinds)
    add("--older-than", type=int, default=0, metavar="DAYS", help="how old it has to be")
    add("--least", type=int, default=0, metavar="N", help="only what is at least so sensitive, 0 to 3")
    add("--most", type=int, default=3, metavar="N", help="only what is at most so sensitive, 0 to 3")
    add("--on", action="store_true", help="switch the rule on: it is applied when an import ends")
    add("--remove", action="store_true", help="take the rule for this kind and sensitivity away")


def retention(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    """List the rules, set one, preview all, or apply those that are on; 1 when a check finds something.

    Raises InputError for a rule that means nothing, and what erasing raises.
    """
    if args.action == "set":
        _set(memory, args)
    elif args.action == "preview":
        due = memory.retention.due(datetime.now(UTC))
        emit(_as_dict(due), list(_foreseen(due)))
        return 0
    elif args.action == "apply":
        return _applied(memory, emit)
    rules = memory.retention.rules()
    emit({"rules": [r._asdict() for r in rules]}, [_line(r) for r in rules] or ["There are no rules."])
    return 0


def _set(memory: Memory, args: argparse.Namespace) -> None:
    """A rule takes the place of the one for the same kind and sensitivity."""
    from memcore.editing import Who
    from memcore.retention import Rule
    from memcore.settings import author

    given = Rule(args.kind, args.older_than, args.least, args.most, args.on)
    place = (given.kind, given.least, given.most)
    rules = memory.retention.rules()
    others = [r for r in rules if (r.kind, r.least, r.most) != place]
    if args.remove and len(others) == len(rules):
        raise InputError("There is no rule for this kind and sensitivity: memcore retention list shows them.")
    memory.retention.set([*others, *([] if args.remove else [given])], Who(author(), ""))


def _applied(memory: Memory, emit: Emit) -> int:
    from memcore.cli.erase import outcome
    from memcore.editing import Who
    from memcore.settings import author

    steps = memory.retention.apply(datetime.now(UTC), Who(author(), "a retention rule"))
    receipt = next((step.receipt for step in steps if step.receipt is not None), None)
    if receipt is None:
        emit({"due": False}, ["No rule that is switched on finds anything due."])
        return 0
    emit(receipt.as_dict(), list(outcome(receipt)))
    return int(not receipt.ok)


def _as_dict(due: Due) -> dict[str, Any]:
    counts = {what: of for what, of in due.plan.counts().items() if of}
    rules = [{**r._asdict(), "found": n} for r, n in zip(due.rules, due.found, strict=True)]
    return {"rules": rules, "unknown": dict(due.unknown), "plan": counts}


def _foreseen(due: Due) -> Iterator[str]:
    from memcore.cli.erase import in_numbers

    for rule, found in zip(due.rules, due.found, strict=True):
        yield f"{_line(rule)}: {found:,} due"
    yield from (f"no time is known of {n:,} of kind {kind}: never due" for kind, n in due.unknown.items())
    yield from in_numbers(due.plan)


def _line(rule: Rule) -> str:
    from memcore.view.naming import counted

    days = counted(rule.older_than_days, "day")
    said = f"{rule.kind} older than {days}, sensitivity {rule.least} to {rule.most}"
    return f"{said}, {'on' if rule.on else 'off'}"
