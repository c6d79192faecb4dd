"""Words that begin in one turn and end in the next: a conversation read as one text, turn after turn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from memcore.erasure.find import Hit, Holding, hit_of
from memcore.erasure.spelling import short
from memcore.words import fold


def across(text: str, held: Sequence[Holding], inside: Callable[[Holding], bool]) -> Iterator[Hit]:
    """The turns over which a text is split, each with its part of the words; of a few letters only, which
    stand elsewhere too, a turn has no words that could be replaced.

    All that is held is read, for only so are neighbours neighbours; told are the turns `inside`.
    """
    asked = _in_line(text)
    if " " not in asked:
        return
    talks: dict[str, list[Holding]] = {}
    for h in held:
        if h.kind == "turn" and h.part == "text":
            talks.setdefault(h.talk, []).append(h)
    for talk in talks.values():
        turns = sorted(talk, key=lambda h: h.at or 0)
        yield from (hit for turn, hit in _split(asked, turns) if inside(turn))


def _split(asked: str, turns: Sequence[Holding]) -> Iterator[tuple[Holding, Hit]]:
    lines = [_in_line(turn.text) for turn in turns]
    whole = " ".join(lines)
    starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    at = whole.find(asked)
    while at >= 0:
        end = at + len(asked)
        first, last = bisect_right(starts, at) - 1, bisect_right(starts, end - 1) - 1
        for i in range(first, last + 1) if first < last else ():
            part = whole[max(at, starts[i]) : min(end, starts[i + 1] - 1)].strip()
            yield turns[i], hit_of(turns[i], "across", said=() if short(part) else (part,))
        at = whole.find(asked, at + 1)


def _in_line(text: str) -> str:
    return " ".join(fold(text).split())
