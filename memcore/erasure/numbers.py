"""Numbers however they are written: 1250 and 1,250, or 010-1234-5678 and +82 10 1234 5678.

A number is a run of digits with what people put between its groups. Long ones may be telephone numbers, which
are written with and without the code of a country or a town: their last eight digits tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_FEWEST = 4  # digits; shorter ones are the same by chance
_PHONE = 9  # digits from which a number may be one of a telephone
_LOCAL = 8  # last digits by which it is known
_MOST = 15  # digits of a telephone number, by E.164

_GROUP = re.compile(r"[0-9]+")
_RUN = re.compile(r"[0-9]+(?:(?:[.,'’](?=[0-9])|[\s\-‐-―()/·]{1,3})[0-9]+)*")


def numbers(text: str) -> Mapping[str, frozenset[str]]:
    """The digits of each number in a text, and the groups in which it writes them; short ones left out."""
    found = [_GROUP.findall(run) for run in _RUN.findall(text)]
    return {"".join(groups): frozenset(groups) for groups in found if sum(map(len, groups)) >= _FEWEST}


def written(text: str, number: str) -> Iterator[str]:
    """How a text writes a number, wherever it does."""
    for run in _RUN.finditer(text):
        groups = [m.span() for m in _GROUP.finditer(text, *run.span())]
        for last, (_, end) in enumerate(groups):
            if (start := _start(text, groups, last, number)) is not None:
                yield text[start:end]


def _start(text: str, groups: Sequence[tuple[int, int]], last: int, number: str) -> int | None:
    """Where the number begins that ends with this group; of a telephone's with all that can belong to it."""
    digits, found = "", None
    for at in range(last, -1, -1):
        digits = text[slice(*groups[at])] + digits
        if len(digits) > max(_MOST, len(number)):
            break
        if digits == number or (len(number) >= _PHONE and _same_line(digits, number)):
            found = groups[at][0]
    return found


def _same_line(one: str, other: str) -> bool:
    return len(one) >= _LOCAL and one[-_LOCAL:] == other[-_LOCAL:]
