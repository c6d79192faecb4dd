"""What of a file can be opened: the file itself, or the members of a ZIP one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from memcore.errors import InputError, UnknownFormat
from memcore.importing.document import Member
from memcore.importing.report import Report

File = TypeVar("File")


def opened(
    inside: Sequence[Member], open_: Callable[[Member], File], report: Report, looked_for: str
) -> Iterator[File]:
    """Each member as `open_` gives it. Of several, the report says which cannot be read.

    Raises what is wrong with the only one: InputError, or UnknownFormat with what was looked for.
    """
    if len(inside) == 1:
        yield _only(inside[0], open_, looked_for)
        return
    for member in inside:
        try:
            file = open_(member)
        except InputError as error:
            report.skip(member.name, "a file in the ZIP cannot be read")
            report.warn(str(error))
            continue
        yield file


def _only(member: Member, open_: Callable[[Member], File], looked_for: str) -> File:
    try:
        return open_(member)
    except UnknownFormat as error:
        raise UnknownFormat(f"{error} {looked_for}") from error
