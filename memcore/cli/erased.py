"""`memcore erase receipts | held | lift ID`: what erasures left, what they keep out of imports."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from memcore.cli.emit import Emit
from memcore.errors import InputError

if TYPE_CHECKING:
    from memcore.memory import Memory


def erased(memory: Memory, args: argparse.Namespace, emit: Emit) -> int:
    """List the receipts or what is held back, or let in again what one erasure took out. Raises InputError
    for an id that holds nothing back, or when it is not confirmed."""
    if args.action == "receipts":
        _receipts(memory, emit)
    elif args.action == "held":
        _held(memory, emit)
    else:
        _lift(memory, args, emit)
    return 0


def _receipts(memory: Memory, emit: Emit) -> None:
    from memcore.view.naming import counted
    from memcore.view.privacy_receipt import badge

    found, lost = memory.erasure.receipts(), memory.erasure.lost()
    told = [
        {
            "id": r.id, "begun": r.started.isoformat(), "author": r.author, "reason": r.reason,
            "status": r.status, "erased": dict(r.counts.get("erase", {})), "held_back": r.held_back,
        }
        for r in found
    ]  # fmt: skip
    lines = [f"{r.id}  {r.started:%Y-%m-%d %H:%M}  {badge(r)}  {r.author}  {r.reason}" for r in found]
    missing = [f"The receipts of {counted(lost, 'erasure')} are not there any more."] if lost else []
    nothing = ["Nothing was erased from this memory yet."]
    emit({"receipts": told, "lost": lost}, [line.rstrip() for line in (*lines, *missing)] or nothing)


def _held(memory: Memory, emit: Emit) -> None:
    from memcore.view.naming import counted

    found = memory.erasure.held_back()
    told = [{"id": h.erasure, "since": h.when.isoformat(), "sources": h.records} for h in found]
    lines = [f"{h.erasure}  {h.when:%Y-%m-%d %H:%M}  {counted(h.records, 'source')}" for h in found]
    emit({"held": told}, lines or ["Nothing is kept out of later imports."])


def _lift(memory: Memory, args: argparse.Namespace, emit: Emit) -> None:
    from memcore.view.naming import counted

    if args.of not in {h.erasure for h in memory.erasure.held_back()}:
        raise InputError("Nothing is held back under this id: memcore erase held lists what is.")
    _confirmed(args)
    number = memory.erasure.lift([args.of])
    emit({"lifted": args.of, "sources": number}, [f"{counted(number, 'source')} can be imported again."])


def _confirmed(args: argparse.Namespace) -> None:
    """Raises InputError unless somebody says yes: at the terminal, or with --yes."""
    if args.yes:
        return
    if args.json or not sys.stdin.isatty():
        raise InputError("Nothing was lifted: add --yes to let it be imported again.")
    if input("A later import may bring it back. Type lift to go on: ").strip() != "lift":
        raise InputError("Nothing was lifted.")
