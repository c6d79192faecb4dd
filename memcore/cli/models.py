"""`memcore models`: which model does which task, whether it answers, what things would cost, and the bill."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memcore.cli.emit import Emit
from memcore.cli.parsing import verbs
from memcore.errors import InputError, ModelError

if TYPE_CHECKING:
    from memcore.llm.budget import Bill
    from memcore.memories import Memories
    from memcore.memory import Memory
    from memcore.models.costing import Cost

MODES = ("lazy", "eager")
ROLE_NAMES = "construct, read, choose, route, enough, answer, write, tree or all"
COMPARED = "For comparison, not spent: what an eager system would have taken"
_SAY_BOTH = "Say which role and which model: memcore models set answer=claude/claude-haiku-5-5."


def arguments(command: argparse.ArgumentParser) -> None:
    """What can be said to it."""
    verbs(
        command,
        {
            "list": "the roles and what does each, and where models are",
            "set": "give roles to models, as ROLE=MODEL; all= is every role, =offline gives one to the rules",
            "check": "ask models one cheap question, those chosen if none is named",
            "cost": "what importing files would take, or reading everything again",
            "ledger": "the bill, summed up by task, model, run, day or outcome",
        },
    )
    command.add_argument(
        "of", nargs="*", metavar="ROLE=MODEL, MODEL, FILE or KEY",
        help=f"what the action is for; a role is one of {ROLE_NAMES}",
    )  # fmt: skip
    command.add_argument("--mode", choices=MODES, default="lazy", help="of the import to foresee")
    command.add_argument("--model", default="", metavar="NAME", help="in place of what the settings say")


def models(memories: Memories, memory: Callable[[], Memory], args: argparse.Namespace, emit: Emit) -> int:
    """One of its actions; the exit code. `memory` is the one named, of which costs are asked."""
    if args.action == "cost":
        return _cost(memory(), args, emit)
    if args.action == "ledger":
        return _ledger(memories, memory, args, emit)
    of_store = {"list": _list, "set": _set, "check": _check}
    return of_store[args.action](memories, args, emit)


def _list(memories: Memories, args: argparse.Namespace, emit: Emit) -> int:
    from memcore.llm.choose import PROVIDERS
    from memcore.llm.keys import found_in, variables
    from memcore.llm.tasks import ROLES
    from memcore.view.settings_models import where

    for about in ROLES:
        choice = memories.models.chosen(about.role)
        emit({"role": about.role, "model": choice}, [f"{about.role:10} {choice:32} {about.says}"])
    for provider, known in PROVIDERS.items():
        address = memories.models.configuration.addresses.get(provider, "")
        key = found_in(provider, address)
        row = {"provider": provider, "key": bool(key), "address": address, "suggests": known.suggests}
        key_says = f"key in {key}" if key else f"no key in {' or '.join(variables(provider, address))}"
        emit(row, [f"{provider}: {key_says}; {where(provider, address)}; {', '.join(known.suggests)}"])
    return 0


def _set(memories: Memories, args: argparse.Namespace, emit: Emit) -> int:
    """A model that is newly given a role is asked first whether it is there, but not for somebody who may
    not set it. Raises NotAllowed and ModelError, with nothing set."""
    from dataclasses import replace

    from memcore.configuration import checked
    from memcore.view.settings_models import newly_live

    memories.allow_configuring()
    now = memories.models.configuration
    roles: Any = {**now.roles, **_chosen(args.of)}
    then = checked(replace(now, roles=roles))
    for model in newly_live(now.roles.values(), then.roles.values()):
        memories.models.check(model)
    memories.configure(then)
    return _list(memories, args, emit)


def _chosen(words: Sequence[str]) -> dict[str, str]:
    """The models of roles, as ROLE=MODEL says them. Raises InputError."""
    from memcore.llm.tasks import ROLES

    chosen: dict[str, str] = {}
    for word in words:
        role, _, model = word.partition("=")
        names: list[str] = [about.role for about in ROLES] if role == "all" else [role]
        if unknown := [name for name in names if name not in {about.role for about in ROLES}]:
            raise InputError(f"There is no role {unknown[0][:40]!r}: it is one of {ROLE_NAMES}.")
        if not model.strip():
            raise InputError(_SAY_BOTH)
        chosen.update((name, model) for name in names)
    if not chosen:
        raise InputError(_SAY_BOTH)
    return chosen


def _check(memories: Memories, args: argparse.Namespace, emit: Emit) -> int:
    """1 when one of them does not answer."""
    from memcore.llm.tasks import RECORDED
    from memcore.view.naming import counted

    named = args.of or sorted({*memories.models.configuration.roles.values()})
    live = [name for name in named if not name.startswith(RECORDED)]
    if not live:
        raise InputError("No model is chosen: name one, as in memcore models check claude/claude-haiku-5-5.")
    failed = False
    for name in live:
        try:
            reply = memories.models.check(name)
            says = f"answers, in {reply.milliseconds:,} ms and {counted(sum(reply.usage[:2]), 'token')}"
        except ModelError as error:
            failed, says = True, str(error)
        emit({"model": name, "says": says}, [f"{name}: {says}"])
    return int(failed)


def _cost(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    """Of importing the files named; without any, of reading everything again and of consolidating it."""
    costing = memory.would_cost
    if args.of:
        for path in args.of:
            _emit_cost(path, costing.importing(path, args.mode, args.model), emit)
        return 0
    _emit_cost("reading everything again", costing.reading_again(args.model), emit)
    thresholds = memory.recurrence.thresholds
    _emit_cost("consolidating everything again", costing.consolidating(thresholds, args.model), emit)
    return 0


def _emit_cost(what: str, cost: Cost, emit: Emit) -> None:
    from memcore.view.naming import counted

    for line in cost.lines:
        emit({"of": what, **line._asdict(), "prices": cost.prices_read_in}, [_cost_line(line)])
    money = "no price is known for it" if cost.dollars is None else f"about ${cost.dollars:,.4f}"
    asked = f"{counted(cost.calls, 'call')}, {counted(cost.tokens, 'token')}"
    told = f"{asked}, {money} (prices of {cost.prices_read_in})"
    emit(
        {"of": what, "calls": cost.calls, "tokens": cost.tokens, "dollars": cost.dollars},
        [f"{what}: {told if cost.lines else 'nothing of it would be sent to a model, it costs nothing'}"],
    )


def _cost_line(line: Any) -> str:
    tokens = f"{line.sent:9,} sent {line.received:8,} back"
    return f"  {line.task:12} {line.model:32} {line.calls:6,} calls {tokens}"


def _ledger(memories: Memories, memory: Callable[[], Memory], args: argparse.Namespace, emit: Emit) -> int:
    from memcore.llm.budget import bills
    from memcore.models.counterfactual import priced
    from memcore.view.model_calls import money

    keys = tuple(args.of) or ("day", "task", "model")
    if unknown := [k for k in keys if k not in ("task", "model", "run", "day", "outcome")]:
        raise InputError(f"The bill is summed up by task, model, run, day or outcome, not by {unknown[0]}.")
    for of, bill in bills(memories.models.log.entries(), keys).items():
        emit({**dict(zip(keys, of, strict=True)), **_row(bill)}, ["  ".join((*of, _bill_line(bill)))])
    heading = [COMPARED]
    for held in [memory()] if args.scope else map(memories.scope, memories.scopes()):
        eager = priced(held.recurrence.ledger().eager, memories.models)
        for line in eager.lines:
            row = {"memory": held.name, "eager": True, **line._asdict(), "prices": eager.prices_read_in}
            emit(row, [*heading, f"{_cost_line(line)}  {money(line.dollars)}  {held.name}"])
            heading = []
    return 0


def _row(bill: Bill) -> dict[str, Any]:
    return {
        "calls": bill.calls, "failed": bill.failed, "sent": bill.usage.sent, "received": bill.usage.received,
        "cached": bill.usage.cached, "seconds": round(bill.seconds, 3), "dollars": bill.dollars,
        "unpriced": bill.unpriced,
    }  # fmt: skip


def _bill_line(bill: Bill) -> str:
    from memcore.view.naming import counted

    unpriced = f", {bill.unpriced:,} without a price" if bill.unpriced else ""
    failed = f", {bill.failed:,} failed" if bill.failed else ""
    calls, tokens = counted(bill.calls, "call"), counted(bill.tokens, "token")
    return f"{calls}{failed}, {tokens}, ${bill.dollars:,.4f}{unpriced}"
