"""How a command prints: a row as JSON, or the lines that say it to a person.

Where nobody reads any more (`| head`), a command that only looks ends; one that writes goes on in silence,
so that nothing is left half done.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Emit = Callable[[Row | None, Sequence[str]], None]
"""Prints a row, or its lines; None where there is something to say to a person only."""


def printed(as_json: bool, row: Row | None, lines: Sequence[str]) -> None:
    """Print it at once. Raises BrokenPipeError where nobody reads any more."""
    if not as_json:
        from memcore.view.text import neutral

        print(neutral("\n".join(lines)), flush=True)
    elif row is not None:
        print(json.dumps(row, ensure_ascii=False, default=str), flush=True)


def printed_while_read(as_json: bool, row: Row | None, lines: Sequence[str]) -> None:
    """Print it at once, in vain where nobody reads any more."""
    try:
        printed(as_json, row, lines)
    except BrokenPipeError:
        nobody_reads()


def nobody_reads() -> None:
    """From now on what is printed goes nowhere, and what still waits to be printed neither."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
