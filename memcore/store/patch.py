# pyright: basic, reportAttributeAccessIssue=false
"""The columns of a scope at a new commit, made from those of an older one and the rows written since.

A correction touches few rows and reading a large memory takes seconds. What is patched is counted against
the store: where a row was missed, or where the reading order may have changed, nothing is returned and the
whole is read. `columns.load_columns` gives the same.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from memcore import vectors
from memcore.graph import Columns
from memcore.store.columns import days, ints, ragged
from memcore.store.commit import last_seq
from memcore.store.rows import put_vectors
from memcore.store.tables import Table

MOST_ROWS = 20_000  # of which more are read faster as a whole
_READ = [
    "id", "kind", "name", "name_key", "subkind", "conversation_id", "position", "content_id", "event_start",
    "event_end", "sensitivity", "revision", "origin", "terms", "said_start", "speaker", "session",
]  # fmt: skip
_ENDS = ("cue_id", "tag_id", "content_id")
_STANDS = ("subkind", "conversation_id", "position", "speaker", "session", "origin")

Ints = npt.NDArray[np.int32]


class Moved(NamedTuple):
    """Where rows came from (negative: the changed row -1, -2 ...) and where old ones went (-1: gone)."""

    source: Ints
    place: Ints


def patched(items: Table, old: Columns) -> Columns | None:
    """The columns at the newest commit; None when they must be read as a whole."""
    with items.pinned() as now:
        seq = last_seq(now)
        since = f"seq > {old.seq} AND kind <> 'change'"
        if seq < old.seq or now.count(since) > MOST_ROWS:
            return None
        vector = ["vector"] if "vector" in now.schema.names else []
        rows = now.read([*_READ, *vector], since)
        found = _Patch(now, old, rows).columns()
        return replace(found, seq=seq) if found is not None and _whole(now, found) else None


def _whole(items: Table, c: Columns) -> bool:
    counts = {"cue": c.cue_ids, "tag": c.tag_ids, "content": c.content_ids, "relation": c.relation_cue}
    return all(items.count(f"kind = '{kind}'") == len(of) for kind, of in counts.items())


class _Patch:
    def __init__(self, items: Table, old: Columns, rows: pa.Table) -> None:
        self._items, self._old = items, old
        kinds = rows.column("kind")
        self._rows = {k: rows.filter(pc.equal(kinds, k)) for k in pc.unique(kinds).to_pylist()}
        self._empty = rows.slice(0, 0)
        self._gone = {*self._of("gone").column("id").to_pylist()}

    def _of(self, kind: str) -> pa.Table:
        return self._rows.get(kind, self._empty)

    def columns(self) -> Columns | None:
        old = self._old
        if len(self._of("conversation")) or (contents := self._contents()) is None:
            return None
        cues = self._nodes("cue", old.cue_ids, old.cue_keys)
        tags = self._nodes("tag", old.tag_ids, old.tag_keys)
        c = replace(
            contents[0],
            cue_ids=self._column(old.cue_ids, cues, "cue", "id"),
            cue_names=self._column(old.cue_names, cues, "cue", "name"),
            cue_keys=self._column(old.cue_keys, cues, "cue", "name_key"),
            cue_kinds=self._column(old.cue_kinds, cues, "cue", "subkind"),
            cue_vectors=self._vectors(old.cue_vectors, cues, "cue"),
            tag_ids=self._column(old.tag_ids, tags, "tag", "id"),
            tag_names=self._column(old.tag_names, tags, "tag", "name"),
            tag_keys=self._column(old.tag_keys, tags, "tag", "name_key"),
            tag_vectors=self._vectors(old.tag_vectors, tags, "tag"),
        )
        return self._related(c, cues.place, tags.place, contents[1])

    def _nodes(self, kind: str, ids: list[str], keys: list[str]) -> Moved:
        """Nodes in the order of their keys, of which each is there once."""
        changed = self._of(kind).column("id").to_pylist()
        new = dict(zip(changed, self._of(kind).column("name_key").to_pylist(), strict=True))
        if not new and not self._gone:
            return Moved(np.arange(len(ids), dtype=np.int32), np.arange(len(ids), dtype=np.int32))
        kept = [i for i, id_ in enumerate(ids) if id_ not in new and id_ not in self._gone]
        left = [keys[i] for i in kept]
        order = sorted(range(len(changed)), key=lambda j: new[changed[j]])
        at = [bisect_left(left, new[changed[j]]) for j in order]
        source = np.insert(np.array(kept, np.int32), at, [-1 - j for j in order])
        place = np.full(len(ids), -1, np.int32)
        old = source >= 0
        place[source[old]] = np.flatnonzero(old)
        where = dict(zip((changed[-1 - s] for s in source[~old]), np.flatnonzero(~old), strict=True))
        for i, id_ in enumerate(ids) if where else ():
            if id_ in where:
                place[i] = where[id_]
        return Moved(source, place)

    def _column(self, old: list[Any], moved: Moved, kind: str, column: str) -> list[Any]:
        new = self._of(kind).column(column).to_pylist()
        if not new and len(moved.source) == len(old):
            return old
        return [old[s] if s >= 0 else new[-1 - s] for s in moved.source.tolist()]

    def _vectors(self, old: Any, moved: Moved, kind: str) -> Any:
        rows = self._of(kind)
        if not old.shape[1] or (not len(rows) and len(moved.source) == len(old)):
            return old if old.shape[1] else np.zeros((len(moved.source), 0), np.float32)
        given = np.zeros((len(rows), old.shape[1]), np.float32)
        put_vectors(given, np.arange(len(rows)), rows.column("vector").combine_chunks())
        return vectors.moved(old, moved.source, given)

    def _contents(self) -> tuple[Columns, Ints] | None:
        """Contents keep their places. One that is new, moves, or rests on other turns since (an episode
        that was merged into, or its merge taken back) asks for the whole."""
        old, rows = self._old, self._of("content")
        at = {id_: i for i, id_ in enumerate(old.content_ids)}
        changed = [at.get(i, -1) for i in rows.column("id").to_pylist()]
        given = [rows.column(name).to_pylist() for name in _STANDS]
        now = zip(*given, days(rows, "said_start").tolist(), strict=True)
        for i, stands in zip(changed, now, strict=True):
            if i < 0 or _stood(old, i) != stands:
                return None
        every = np.arange(len(old.content_ids), dtype=np.int32)
        removed = [at[i] for i in self._gone if i in at]
        moved = every.copy()
        moved[changed] = [-1 - j for j in range(len(changed))]
        moved = np.delete(moved, removed)
        place = np.full(len(every), -1, np.int32)
        kept = np.delete(every, removed)
        place[kept] = np.arange(len(kept))
        return self._rewritten(Moved(moved, place), kept), place

    def _rewritten(self, moved: Moved, kept: Ints) -> Columns:
        old, rows, source = self._old, self._of("content"), moved.source
        new = source < 0
        of = -1 - source[new]

        def numbers(column: Any, given: Ints) -> Ints:
            out = column[kept]
            out[new] = given[of]
            return out

        def listed(column: list[Any]) -> list[Any]:
            return column if len(kept) == len(column) else [column[i] for i in kept.tolist()]

        terms = _respliced(old.terms, old.term_offsets, moved, kept, ragged(rows.column("terms")))
        origin, origin_offsets = _respliced(old.origin, old.origin_offsets, Moved(kept, kept), kept, None)
        turns, first, back = np.unique(origin, return_index=True, return_inverse=True)
        order = np.argsort(first)
        return replace(
            old,
            content_ids=listed(old.content_ids),
            layers=listed(old.layers),
            speakers=listed(old.speakers),
            sessions=listed(old.sessions),
            conversation_ids=listed(old.conversation_ids),
            positions=old.positions[kept],
            said_days=old.said_days[kept],
            event_first=numbers(old.event_first, days(rows, "event_start")),
            event_last=numbers(old.event_last, days(rows, "event_end")),
            sensitivity=numbers(old.sensitivity, ints(rows, "sensitivity")),
            revisions=numbers(old.revisions, ints(rows, "revision")),
            content_vectors=self._vectors(old.content_vectors, moved, "content"),
            turn_ids=[old.turn_ids[t] for t in turns[order].tolist()],
            origin=np.argsort(order)[back].astype(np.int32),
            origin_offsets=origin_offsets,
            terms=terms[0],
            term_offsets=terms[1],
        )

    def _related(self, c: Columns, cues: Ints, tags: Ints, contents: Ints) -> Columns:
        """Relations of the contents concerned are read again; all others keep their ends."""
        old = self._old
        concerned = {
            *self._of("relation").column("content_id").to_pylist(),
            *self._of("gone").column("content_id").drop_null().to_pylist(),
        }
        rows = self._items.read_among([*_ENDS, "kind"], "content_id", concerned)
        rows = rows.filter(pc.equal(rows.column("kind"), "relation"))
        at = np.array([i for i, id_ in enumerate(old.content_ids) if id_ in concerned], np.int32)
        touched = np.zeros(len(old.content_ids), bool)
        touched[at] = True
        left = ~touched[old.relation_content]
        ends = (cues, old.relation_cue), (tags, old.relation_tag), (contents, old.relation_content)
        kept = [place[of[left]] for place, of in ends]
        new = [
            pc.index_in(rows.column(name), pa.array(ids, pa.string()))
            .combine_chunks()
            .fill_null(-1)
            .to_numpy()
            for name, ids in zip(_ENDS, (c.cue_ids, c.tag_ids, c.content_ids), strict=True)
        ]
        cue, tag, content = (np.concatenate(both).astype(np.int32) for both in zip(kept, new, strict=True))
        whole = (cue >= 0) & (tag >= 0) & (content >= 0)
        cue, tag, content = cue[whole], tag[whole], content[whole]
        key = (content.astype(np.int64) * len(c.cue_ids) + cue) * len(c.tag_ids) + tag
        order = np.argsort(key, kind="stable")  # nearly in order: quick
        return replace(c, relation_cue=cue[order], relation_tag=tag[order], relation_content=content[order])


def _stood(old: Columns, i: int) -> tuple[Any, ...]:
    """What `_STANDS` names of a content, and the day it was said."""
    turns = old.origin[old.origin_offsets[i] : old.origin_offsets[i + 1]].tolist()
    place = (old.layers[i], old.conversation_ids[i], int(old.positions[i]))
    return (*place, old.speakers[i], old.sessions[i], [old.turn_ids[t] for t in turns], int(old.said_days[i]))


def _respliced(values: Any, offsets: Ints, moved: Moved, kept: Ints, new: Any) -> tuple[Any, Ints]:
    """Ragged rows with those of `new` in the place of changed ones."""
    lengths = np.diff(offsets)[kept]
    at = np.flatnonzero(moved.source < 0)
    if not len(at) and len(kept) == len(offsets) - 1:
        return values, offsets
    given, ends = (new[0].to_numpy(), new[1]) if new else (values[:0], offsets)
    pieces, start = [], 0
    keep = np.zeros(len(offsets) - 1, bool)
    keep[kept] = True
    flat = np.repeat(keep, np.diff(offsets))
    values = values[flat]
    before = np.concatenate(([0], np.cumsum(lengths)))
    for i in at.tolist():
        j = -1 - int(moved.source[i])
        pieces += [values[start : before[i]], given[ends[j] : ends[j + 1]]]
        start, lengths[i] = before[i + 1], ends[j + 1] - ends[j]
    out = np.concatenate([*pieces, values[start:]]).astype(values.dtype)
    return out, np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
