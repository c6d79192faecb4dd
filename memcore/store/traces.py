# pyright: basic
"""Traces of one scope: a header per run and a row per event, appended step by step while it runs.

Traces take no writer lock, so that a question is never held up by an import, but one of their own, held
for the moment of a write: what is erased from them must not be written to meanwhile. A run whose process was
killed stays "running" until `doctor` marks it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any, cast

import pyarrow as pa

from memcore.audit import Asked, Read
from memcore.errors import NotFound, StoreBusy
from memcore.events import TraceEvent, dump, load
from memcore.records import TraceHeader
from memcore.store.folder import Folder
from memcore.store.scribe import Scribe
from memcore.store.tables import Table, is_id

_HEADER = [f.name for f in fields(TraceHeader)]
_AT = "position"


class Traces:
    """The trace table of a scope. What a run is about to read and has read is entered in the audit."""

    def __init__(self, table: Table, folder: Folder, optimize_every: int, scribe: Scribe) -> None:
        self.table = table
        self._scribe = scribe
        self._folder = folder
        self._optimize_every = optimize_every
        self._begun: set[str] = set()

    def save(self, header: TraceHeader) -> None:
        """Writes the header, new or over the old one."""
        if header.status == "running" and header.id not in self._begun:
            self._scribe.enter(Asked(header.id, header.strategy, header.budget))
        self._begun.add(header.id)
        row = {name: getattr(header, name) for name in _HEADER}
        with self._folder.tracing():
            self.table.merge(self._rows([{**row, "kind": "header", "trace_id": header.id}]))

    def append(self, trace_id: str, start: int, events: Sequence[TraceEvent]) -> None:
        """Adds the events number `start`, `start` + 1 ...; once per step."""
        rows = [
            {
                "id": f"{trace_id}.{start + n}",
                "kind": "event",
                "trace_id": trace_id,
                _AT: start + n,
                "body": json.dumps(dump(event), ensure_ascii=False),
            }
            for n, event in enumerate(events)
        ]
        if rows:
            with self._folder.tracing():
                self.table.add(self._rows(rows))

    def finish(self, header: TraceHeader, events: Sequence[TraceEvent], read: Read) -> None:
        """Once more at the end: adds those of all `events` that are not stored yet, and the header.

        Of a trace that was erased meanwhile nothing is stored.
        """
        self._scribe.enter(read)
        with self._folder.tracing():  # nothing is erased between looking and writing
            rows = self._read(header.id, [_AT, "kind"]).to_pylist()
            if header.id in self._begun and not any(row["kind"] == "header" for row in rows):
                self._forget(header.id)
                return
            stored = {row[_AT] for row in rows}
            for start, event in enumerate(events):
                if start not in stored:
                    self.append(header.id, start, [event])
            self.save(replace(header, events=len(events)))
        self._begun.discard(header.id)
        self._tidy_now_and_then()

    def _forget(self, trace_id: str) -> None:
        """The trace was erased while it ran: nothing of it comes back."""
        if is_id(trace_id):
            with self._folder.tracing():
                self.table.remove(f"trace_id = '{trace_id}'")

    def headers(self, limit: int = 50, offset: int = 0) -> list[TraceHeader]:
        """The newest first. One that is "running" may have been interrupted."""
        rows = self.table.read(_HEADER, "kind = 'header'")
        rows = rows.sort_by([("started", "descending"), ("id", "ascending")]).slice(offset, limit)
        return [TraceHeader(**row) for row in rows.to_pylist()]

    def get(self, trace_id: str) -> tuple[TraceHeader, list[TraceEvent]]:
        """One trace with all its events in order, each once.

        Raises NotFound; StoreMismatch when a newer version wrote it.
        """
        rows = self._read(trace_id, [*_HEADER, "kind", _AT, "body"]).to_pylist()
        header = next(
            (TraceHeader(**{n: r[n] for n in _HEADER}) for r in rows if r["kind"] == "header"), None
        )
        if header is None:
            raise NotFound("There is no such trace in this memory.")
        bodies = {r[_AT]: r["body"] for r in rows if r["kind"] == "event"}
        events = [cast(TraceEvent, load(json.loads(bodies[at]))) for at in sorted(bodies)]
        return replace(header, events=len(events)), events

    def _read(self, trace_id: str, columns: list[str]) -> pa.Table:
        if not is_id(trace_id):
            raise NotFound("There is no such trace in this memory.")
        return self.table.read(columns, f"trace_id = '{trace_id}'")

    def _rows(self, rows: list[dict[str, Any]]) -> pa.Table:
        return pa.Table.from_pylist(rows, schema=self.table.schema)

    def _tidy_now_and_then(self) -> None:
        if self.table.fragments() > self._optimize_every:
            # whoever is writing now will leave it to the next trace
            with suppress(StoreBusy), self._folder.writing(wait=0), self._folder.tracing():
                self.table.tidy()
