"""Several files brought in one after the other, as conversations or as agent runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from memcore.errors import InputError
from memcore.stopping import Stop

STOPPED = "stopped before the end; import it again to complete it"
Step = TypeVar("Step")


def each_file(
    files: Sequence[Path],
    bring_in: Callable[[Path], Iterator[Step]],
    refused: Callable[[str, InputError], Step],
    cancelled: Stop,
) -> Iterator[Step]:
    """The steps of each of these imports, until it is stopped. Of several files, one that cannot be read
    gives the report `refused`; the only one raises what is wrong."""
    for file in files:
        try:
            yield from bring_in(file)
        except InputError as error:
            if len(files) == 1:
                raise
            yield refused(file.name, error)
        if cancelled():
            return
