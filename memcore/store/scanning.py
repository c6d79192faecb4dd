# pyright: basic, reportAttributeAccessIssue=false
"""Looking for bytes in everything a scope has on disk, raw and as Lance reads it.

Raw finds what lies in the open, in files nobody reads any more too; Lance packs texts, so every column is
read as well, and the earlier versions within the journal. What full-text indexes hold cannot be read here:
they are built anew from the rows, which are looked through.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from memcore.audit import words_of_its_own as audit_words
from memcore.events import ChangeEvent, TraceEvent
from memcore.store.commit import unpacked
from memcore.store.folder import Folder
from memcore.store.rows import CLASSES
from memcore.store.tables import Table

_TOGETHER = 8_192  # rows
EVENT_CLASSES = (*get_args(ChangeEvent), *get_args(TraceEvent))


class Scanned(NamedTuple):
    """How much was looked through, where something was found (files by name, columns as table.column), and
    what was."""

    files: int
    bytes: int
    found: tuple[str, ...]
    needles: tuple[bytes, ...] = ()


def scan_files(folder: Folder, tables: Sequence[Table], needles: Sequence[bytes]) -> Scanned:
    """Every byte of these tables' files and of all files beside them."""
    files = size = 0
    found, said = list[str](), dict[bytes, None]()
    for path in _files(folder, tables):
        try:
            with open(path, "rb") as opened:
                length = path.stat().st_size
                files, size = files + 1, size + length
                if length:
                    with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
                        if there := [n for n in needles if content.find(n) >= 0]:
                            said |= dict.fromkeys(there)
                            found.append(path.relative_to(folder.path).as_posix())
        except FileNotFoundError:
            continue
    return Scanned(files, size, tuple(found), tuple(said))


def scan_columns(tables: Sequence[Table], words: Sequence[bytes], numbers: Sequence[bytes]) -> Scanned:
    """Every column that can hold text or bytes, as Lance reads it now: for words, or vectors for numbers."""
    columns = size = 0
    found, said = dict[str, None](), dict[bytes, None]()
    for table in tables:
        names = [f.name for f in table.schema if _holds_bytes(f.type)]
        columns += len(names)
        for batch in table.batches(names, rows=_TOGETHER):
            for name in names:
                for of, values in _flat(name, batch.column(name)):
                    size += len(values)
                    sought = numbers if of == "vector" else words
                    if there := [n for n in sought if values.find(n) >= 0]:
                        said |= dict.fromkeys(there)
                        found[f"{table.name.partition('_')[0]}.{name}"] = None
    return Scanned(columns, size, tuple(found), tuple(said))


def structure(tables: Sequence[Table]) -> str:
    """The words that files of these tables hold whatever is remembered."""
    names = {name for table in tables for name in table.schema.names}
    names |= {str(index) for table in tables for index in table.newest().list_indices()}
    names |= {f.name for of in (*CLASSES.values(), *EVENT_CLASSES) for f in fields(of)}
    names |= {word for of in (*CLASSES.values(), *EVENT_CLASSES) for word in _codes(of)}
    ours = "kind IN ('cue', 'content', 'unit', 'correction', 'mark')"
    words = tables[0].read(["subkind", "made_by", "said_precision"], ours)
    names |= {w for column in words.columns for w in pc.unique(column).to_pylist() if w}
    return " ".join(sorted(names | audit_words()))


@cache
def _codes(of: Any) -> frozenset[str]:
    """Every code that a record or an event can hold: the values of its literals, nested ones too."""
    if get_origin(of) is Literal:
        return frozenset(str(code) for code in get_args(of))
    nested = get_type_hints(of).values() if hasattr(of, "__annotations__") else get_args(of)
    return frozenset(code for hint in nested for code in _codes(hint))


def _files(folder: Folder, tables: Sequence[Table]) -> Iterator[Path]:
    for table in tables:
        yield from (p for p in table.folder.rglob("*") if p.is_file())
    for path in folder.path.rglob("*"):
        if path.is_file() and folder.tables not in path.parents:
            yield path


def _holds_bytes(of: pa.DataType) -> bool:
    plain = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return any(test(of) for test in plain) or (pa.types.is_list(of) and _holds_bytes(of.value_type))


def _flat(name: str, column: pa.Array) -> Iterator[tuple[str, bytes]]:
    """The bytes of a column, and of every column of the earlier versions that it packs."""
    if pa.types.is_list(column.type):
        column = column.flatten()
    if name == "before":
        for image in (image for image in column.to_pylist() if image):
            rows = unpacked(image)
            for field in rows.schema:
                if _holds_bytes(field.type) and field.name != "before":
                    for chunk in rows.column(field.name).chunks:
                        yield from _flat(field.name, chunk)
    elif len(column):
        _, offsets, data = column.buffers()
        wide = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
        ends = np.frombuffer(offsets, np.int64 if wide else np.int32)[column.offset :]
        if data is not None:
            yield name, memoryview(data)[ends[0] : ends[len(column)]].tobytes()
