"""Bringing a file in: read -> turns -> construction -> recurrence -> one commit per batch of sessions.

What was imported before is recognised by a keyed hash of where it came from, so the same file twice
changes nothing and a newer export adds only what is new. A crash between two batches loses nothing:
importing again goes on where it stopped. All batches of a file are one change, undone together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from memcore.absorbing.absorption import Absorption, Mode
from memcore.construction import construct
from memcore.editing.corrections import Overlay
from memcore.errors import Cancelled
from memcore.events import Imported
from memcore.extraction import Extractor
from memcore.importing import DraftConversation, DraftTurn, FileReport, own, read_file
from memcore.intake.coming import Sources, hashed, held, turn_of
from memcore.intake.each_file import STOPPED
from memcore.intake.sessions import batches
from memcore.llm.protocols import Embedder
from memcore.records import Conversation, File, Moment, Record, Turn, new_id, now
from memcore.settings import Settings
from memcore.shelf import Committing, Named, Records, names_of
from memcore.stopping import Stop, never
from memcore.triples import Names
from memcore.writing import Writer


class Progress(NamedTuple):
    """Where an import stands: turns of this file read, written and known so far."""

    name: str
    conversations: int
    turns_read: int
    turns_written: int
    turns_known: int


class Shelf(Committing, Records, Named, Sources, Protocol):
    """The few methods of a store's scope that an import needs."""

    def seq(self) -> int: ...

    def tidy(self) -> None: ...


@dataclass
class Intake:
    """One import into one scope. `written`, `known` and `held_back` (erased once) count turns.

    `onto` is the conversation that all turns are to go on with, "" for the one that each names. `writer`
    writes in place of the one that always does, `batch` turns are one commit (0 for the setting), and
    `notes` are sentences for the report of what did not go as it should.
    """

    scope: Shelf
    extractor: Extractor
    embedder: Embedder
    settings: Settings
    absorption: Absorption
    mode: Mode = "lazy"
    onto: str = ""
    cancelled: Stop = never
    writer: Writer | None = None
    batch: int = 0
    notes: Callable[[], Sequence[str]] = tuple[str, ...]
    written: int = 0
    known: int = 0
    held_back: int = 0

    def bring_in(self, path: Path) -> Iterator[Progress | FileReport]:
        """Import one file, yielding progress after every batch and its report at the end.

        Raises InputError or UnknownFormat before anything is written, StoreBusy or StoreFull with all
        batches so far in place.
        """
        reading = read_file(path)
        self._begin(File(new_id(), path.name, reading.format, now()))
        stopped = False
        try:
            for batch in self._batches(reading.conversations):
                self._write(*batch)
                report = reading.report
                yield Progress(path.name, report.conversations, report.turns, self.written, self.known)
        except Cancelled:
            stopped = True
        yield self._finish(reading.report.freeze(), stopped)

    def absorb(self, talk: DraftConversation) -> int:
        """Turns that come from no file but are said now, the same way; how many were new.

        A conversation of that name goes on. Raises StoreBusy, StoreFull.
        """
        self._begin(File("", "", own.NAME, now()))
        for batch in batches(talk.turns, self._size):
            self._write(talk, batch)
        return self.written

    @property
    def _size(self) -> int:
        return self.batch or self.settings.import_batch

    def _batches(
        self, talks: Iterable[DraftConversation]
    ) -> Iterator[tuple[DraftConversation, list[DraftTurn]]]:
        """What is written at once. Raises Cancelled between two of them where the person stopped it."""
        for talk in talks:
            for batch in batches(talk.turns, self._size):
                if self.cancelled():
                    raise Cancelled("The import was stopped.")
                yield talk, batch

    def _begin(self, file: File) -> None:
        self._file, self._group = file, new_id()
        self._names, self._seq = Names(), -1
        self._opened: DraftConversation | None = None
        self._filed = False
        self.written = self.known = self.held_back = 0

    def _write(self, talk: DraftConversation, batch: Sequence[DraftTurn]) -> None:
        """One batch under the writer lock: what is known is left out, the rest is one commit."""
        with self.scope.writing():
            talk_hash, hashes = self._hashes(talk, batch)
            ids = self.scope.ids_of([talk_hash, *hashes])
            erased = self._held(talk_hash, hashes)
            new = [(t, h) for t, h in zip(batch, hashes, strict=True) if h not in ids and h not in erased]
            self.known += len(batch) - len(new) - len(erased)
            self.held_back += len(erased)
            self._look_again()
            self._open(talk, self.onto or ids.get(talk_hash), [ids.get(h) for h in hashes])
            if new:
                turns = [turn_of(t, self._talk.id, self._places[id(t)]) for t, _ in new]
                sources = {turn.id: h for turn, (_, h) in zip(turns, new, strict=True)}
                self._commit(turns, sources | ({} if self.onto else {self._talk.id: talk_hash}))
                self.written += len(new)

    def _look_again(self) -> None:
        """What was written so far, as it is after somebody else wrote: an erasure may have taken the
        conversation, or with all its turns the file."""
        if self._seq not in (-1, self.scope.seq()):
            there = self.scope.get([self._file.id, self._talk.id])
            if self._file.id not in there:
                self._file, self._filed = replace(self._file, id=self._file.id and new_id()), False
            if self._talk.id not in there:
                self._opened = None

    def _hashes(self, talk: DraftConversation, turns: Sequence[DraftTurn]) -> tuple[str, list[str]]:
        """Where a conversation and these of its turns come from."""
        return hashed(self.scope, self._file.format, talk, turns)

    def _held(self, talk_hash: str, hashes: Sequence[str]) -> set[str]:
        """The turns that were erased once; what is said now comes of no file."""
        return held(self.scope, talk_hash, hashes, of_file=bool(self._file.id))

    def _heard(self, talk: DraftConversation) -> DraftConversation:
        """A conversation without the people of whom every turn was erased."""
        talk_hash, hashes = self._hashes(talk, talk.turns)
        erased = self._held(talk_hash, hashes)
        if not erased:
            return talk
        left = {t.speaker for t, h in zip(talk.turns, hashes, strict=True) if h not in erased}
        return talk._replace(speakers=tuple(s for s in talk.speakers if s in left))

    def _open(self, talk: DraftConversation, talk_id: str | None, turn_ids: Sequence[str | None]) -> None:
        """The conversation as it will be stored, and where its turns go.

        `turn_ids` are those of its first batch, None where new. A file that goes on with a conversation,
        without a turn that is known, counts on from its end.
        """
        if self._opened is talk:
            return
        at, turn_id = next(((i, known) for i, known in enumerate(turn_ids) if known), (0, ""))
        found = self.scope.get([i for i in (talk_id, turn_id) if i])
        stored, before = found.get(talk_id or ""), found.get(turn_id)
        self._talk, offset = _conversation(self._heard(talk), talk_id or new_id(), self._file.id), 0
        if isinstance(stored, Conversation):
            offset = before.position - at if isinstance(before, Turn) else stored.turns
            self._talk = _longer(stored, self._talk, offset)
        self._opened, self._unsaved = talk, [] if self._talk == stored else [self._talk]
        self._unheard = stored is None
        self._places = {id(turn): offset + i for i, turn in enumerate(talk.turns)}

    def _commit(self, turns: list[Turn], sources: dict[str, str]) -> None:
        self._refresh_names()
        built = construct(turns, self._names, self.extractor, self.embedder, self.settings)
        taken = self.absorption.take(turns, built, self.mode, self.writer)
        built = taken.built
        made = [*built.contents, *built.cues, *built.tags, *built.relations, *taken.inserts]
        first: list[Record] = [self._file] if self._file.id and not self._filed else []
        new, longer = (self._unsaved, []) if self._unheard else ([], self._unsaved)
        self._seq = self.scope.commit(
            Imported(self._file.id, len(turns)),
            inserts=[*first, *new, *turns, *made],
            upserts=[*longer, *taken.upserts],
            deletes=taken.deletes,
            group=self._group,
            source_hashes=sources,
        )
        self.absorption.kept(self._seq)
        self._unsaved, self._filed = [], True

    def _refresh_names(self) -> None:
        """The names in the store and what corrections make of others, read again only after other writers."""
        if self.scope.seq() != self._seq:
            self._names = Overlay(self.scope.corrections()).names(names_of(self.scope))

    def _finish(self, report: FileReport, stopped: bool) -> FileReport:
        warnings = (*report.warnings, *self.notes(), *([STOPPED] if stopped else ()))
        counts = {"turns_written": self.written, "turns_known": self.known, "held_back": self.held_back}
        report = replace(report, **counts, warnings=warnings)
        if self.written:
            self._save_report(report)
            self.scope.tidy()
        return report

    def _save_report(self, report: FileReport) -> None:
        """With the file, unless that was erased meanwhile."""
        with self.scope.writing():
            if self.scope.get([self._file.id]):
                saved = replace(self._file, report=report.as_dict())
                self.scope.commit(Imported(self._file.id, 0), upserts=[saved], group=self._group)


def _conversation(talk: DraftConversation, talk_id: str, file_id: str) -> Conversation:
    times = [t.said for t in talk.turns if t.said.start is not None]
    unknown = Moment()
    return Conversation(
        id=talk_id,
        file_id=file_id,
        title=talk.title,
        source=talk.source,
        speakers=talk.speakers,
        started=min(times, key=lambda m: m.start, default=unknown),  # type: ignore[arg-type,return-value]
        ended=max(times, key=lambda m: m.start, default=unknown),  # type: ignore[arg-type,return-value]
        turns=len(talk.turns),
    )


def _longer(stored: Conversation, given: Conversation, offset: int) -> Conversation:
    """A stored conversation with the turns of another file, the first of them at position `offset`."""
    starts = [m for m in (stored.started, given.started) if m.start is not None]
    ends = [m for m in (stored.ended, given.ended) if m.start is not None]
    longer = replace(
        stored,
        speakers=tuple(dict.fromkeys((*stored.speakers, *given.speakers))),
        started=min(starts, key=lambda m: m.start, default=stored.started),  # type: ignore[arg-type,return-value]
        ended=max(ends, key=lambda m: m.start, default=stored.ended),  # type: ignore[arg-type,return-value]
        turns=max(stored.turns, offset + given.turns),
    )
    return stored if longer == stored else replace(longer, revision=stored.revision + 1)
