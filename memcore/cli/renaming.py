"""`memcore rename OLD NEW`: another name for a memory, everywhere in its store."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memcore.cli.emit import Emit

if TYPE_CHECKING:
    from memcore.memories import Memories


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which memory, and what it is to be called."""
    parser.add_argument("old", metavar="OLD", help="the name that the memory has")
    parser.add_argument("new", metavar="NEW", help="the name that it gets")


def rename(memories: Memories, args: argparse.Namespace, emit: Emit) -> int:
    """Rename it. Raises what `Memories.rename` raises."""
    memories.rename(args.old, args.new)
    emit({"renamed": args.new}, ["Renamed: nothing in the store bears the old name any more."])
    return 0
