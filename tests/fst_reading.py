"""Reads the words out of a compiled finite-state transducer (the crate `fst`, formats 1 to 3).

A full-text index keeps its words in such an automaton, where no word lies in one piece: only walking it
shows what it still knows. Nodes lie back to front; an address is that of a node's last byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

COMMON = b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG"  # letters that need no byte
_END = 0  # the address of the node without a way on
_INDEXED_FROM = 32  # ways on above which a node has an index of 256 bytes


class Node(NamedTuple):
    """Whether a word ends here, and the ways on: a letter and an address each."""

    final: bool
    ways: list[tuple[int, int]]


def words(automaton: bytes) -> Iterator[bytes]:
    """Every word, in no order."""
    tail = 12 if _number(automaton, 0, 8) >= 3 else 8  # format 3 ends with a checksum
    root = _number(automaton, len(automaton) - tail, 8)
    waiting = [(root, b"")]
    while waiting:
        address, word = waiting.pop()
        node = _node(automaton, address)
        if node.final:
            yield word
        waiting += [(to, word + bytes([letter])) for letter, to in node.ways]


def _node(data: bytes, at: int) -> Node:
    if at == _END:
        return Node(True, [])
    state = data[at]
    if state & 0b1000_0000:
        return Node(False, [_only_way(data, at, state)])
    return Node(bool(state & 0b0100_0000), _ways(data, at, state & 0b0011_1111))


def _only_way(data: bytes, at: int, state: int) -> tuple[int, int]:
    """A node with one way on: to the node just before it, or to one whose distance is given."""
    common = state & 0b0011_1111
    before = at if common else at - 1  # where the letter stands, or would
    letter = COMMON[common - 1] if common else data[before]
    if state & 0b0100_0000:
        return letter, before - 1
    size, output = data[before - 1] >> 4, data[before - 1] & 0b1111
    start = before - 1 - size
    return letter, _target(data, start, size, start - output)


def _ways(data: bytes, at: int, count: int) -> list[tuple[int, int]]:
    sizes = at - 1
    if not count:  # too many for six bits
        count = 256 if data[at - 1] == 1 else data[at - 1]
        sizes = at - 2
    size, output = data[sizes] >> 4, data[sizes] & 0b1111
    letters = sizes - (256 if count > _INDEXED_FROM else 0)
    final = output if data[at] & 0b0100_0000 else 0
    end = letters - count - count * size - count * output - final
    targets = letters - count
    return [(data[letters - 1 - i], _target(data, targets - (i + 1) * size, size, end)) for i in range(count)]


def _target(data: bytes, start: int, size: int, end: int) -> int:
    """Addresses are kept as distances from where the node begins; none leads to the end."""
    distance = _number(data, start, size)
    return end - distance if distance else _END


def _number(data: bytes, start: int, size: int) -> int:
    return int.from_bytes(data[start : start + size], "little")
