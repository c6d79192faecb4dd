"""The formats of one kind of file, in the order in which they are tried.

A format is recognised by what the file holds, never by what it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

File = TypeVar("File")
Report = TypeVar("Report")
Draft = TypeVar("Draft")


class Format(NamedTuple, Generic[File, Report, Draft]):
    """One family of files. `says` tells a person what is looked for."""

    name: str
    says: str
    recognises: Callable[[File], bool]
    read: Callable[[File, Report], Iterator[Draft]]


@dataclass(frozen=True, slots=True)
class Formats(Generic[File, Report, Draft]):
    """All of them; where two know a file, the first has it."""

    known: tuple[Format[File, Report, Draft], ...]

    def recognise(self, file: File) -> Format[File, Report, Draft] | None:
        """The format of a file; None where no format knows it."""
        return next((known for known in self.known if known.recognises(file)), None)

    @property
    def looked_for(self) -> str:
        """One sentence naming every format."""
        return f"Looked for: {'; '.join(known.says for known in self.known)}."
