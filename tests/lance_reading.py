"""Everything that Lance has on disk, searched three ways: raw bytes, decoded columns, full-text automata.

Unlike the product's own check this reads every file by itself, whether a table names it or not, with
Lance's file reader (the package pylance, for tests only).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import fst_reading
import pyarrow as pa
from extras import needed

from memcore.words import stem_word

Needle = tuple[Sequence[str], Sequence[bytes]]


def traces_of(root: Path, needles: Mapping[str, Needle]) -> dict[str, list[tuple[str, str]]]:
    """For each needle, texts and slices of vectors: (file, how) of every place where it is still found."""
    spelled = {
        name: [*(t.encode() for t in texts), *(t.casefold().encode() for t in texts), *slices]
        for name, (texts, slices) in needles.items()
    }
    words = {
        name: {w for t in texts for w in (t.casefold(), stem_word(t.casefold()))}
        for name, (texts, _) in needles.items()
    }
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in needles}
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        where = path.relative_to(root).as_posix()
        contents = [("raw", path.read_bytes())]
        known: set[str] = set()
        if path.suffix == ".lance":
            contents += _decoded(path)
            known = {*indexed(path)}
        for name, its in spelled.items():
            found[name] += [(where, how) for how, content in contents if any(n in content for n in its)]
            found[name] += [(where, "automaton")] if words[name] & known else []
    return found


def indexed(path: Path) -> list[str]:
    """The words that a file of a full-text index knows."""
    table = _table(path)
    if table is None or "_token_fst_bytes" not in table.column_names:
        return []
    automata = table.column("_token_fst_bytes").to_pylist()
    return [word.decode() for automaton in automata for word in fst_reading.words(automaton)]


def _table(path: Path) -> Any:
    reading = needed("lance.file", "test")
    try:
        return reading.LanceFileReader(str(path)).read_all().to_table()
    except (OSError, ValueError, RuntimeError):
        return None


def _decoded(path: Path) -> Iterator[tuple[str, bytes]]:
    table = _table(path)
    for name in table.column_names if table is not None else ():
        for chunk in table.column(name).chunks:
            yield from ((name, content) for content in _contents(chunk))


def _contents(values: pa.Array) -> Iterator[bytes]:
    of = values.type
    if pa.types.is_struct(of):
        for i in range(of.num_fields):
            yield from _contents(values.field(i))
    elif pa.types.is_list(of) or pa.types.is_large_list(of) or pa.types.is_fixed_size_list(of):
        yield from _contents(values.values)
    elif pa.types.is_dictionary(of):
        yield from _contents(values.dictionary)
    else:
        for content in values.buffers():
            if content is not None:
                data = content.to_pybytes()
                yield data
                yield from _images(values, of)


def _images(values: pa.Array, of: pa.DataType) -> Iterator[bytes]:
    """Rows that a journal row keeps, which are packed once more."""
    if pa.types.is_binary(of) or pa.types.is_large_binary(of):
        for packed in values.to_pylist():
            if packed and packed[:4] == b"\xff\xff\xff\xff":
                rows = pa.ipc.open_stream(packed).read_all()
                for column in rows.columns:
                    for chunk in column.chunks:
                        yield from _contents(chunk)
