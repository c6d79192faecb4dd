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

from memcore.absorption import Absorption, Mode
from memcore.construction import Names, construct
from memcore.editing.corrections import Overlay
from memcore.events import Imported
from memcore.extraction import Extractor
from memcore.importing import DraftConversation, DraftTurn, FileReport, language_of, own, read_file
from memcore.llm.protocols import Embedder
from memcore.records import Conversation, Correction, File, Moment, Record, Turn, new_id, now
from memcore.sessions import batches
from memcore.settings import Settings
from memcore.shelf import Committing

STOPPED = "stopped before the end; import it again to complete it"


class Progress(NamedTuple):
    """Where an import stands: turns of this file read, written and known so far."""

    name: str
    conversations: int
    turns_read: int
    turns_written: int
    turns_known: int


class Shelf(Committing, Protocol):
    """The few methods of a store's scope that an import needs."""

    def hash(self, text: str) -> str: ...

    def get(self, ids: Iterable[str]) -> dict[str, Record]: ...

    def ids_of(self, source_hashes: Iterable[str]) -> dict[str, str]: ...

    def held_back(self, source_hashes: Iterable[str]) -> set[str]: ...

    def names(self, kind: str) -> list[tuple[str, str]]: ...

    def corrections(self) -> list[Correction]: ...

    def seq(self) -> int: ...

    def tidy(self) -> None: ...


@dataclass
class Intake:
    """One import into one scope. `written`, `known` and `held_back` (erased once) count turns.

    `onto` is the conversation that all turns are to go on with, "" for the one that each names.
    """

    scope: Shelf
    extractor: Extractor
    embedder: Embedder
    settings: Settings
    absorption: Absorption
    mode: Mode = "lazy"
    onto: str = ""
    cancelled: Callable[[], bool] = lambda: False
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
        for conversation in reading.conversations:
            for batch in batches(conversation.turns, self.settings.import_batch):
                if stopped := self.cancelled():
                    break
                self._write(conversation, batch)
                yield Progress(
                    path.name, reading.report.conversations, reading.report.turns, self.written, self.known
                )
            if stopped:
                break
        yield self._finish(reading.report.freeze(), stopped)

    def absorb(self, talk: DraftConversation) -> int:
        """Turns that come from no file but are said now, the same way; how many were new.

        A conversation of that name goes on. Raises StoreBusy, StoreFull.
        """
        self._begin(File("", "", own.NAME, now()))
        for batch in batches(talk.turns, self.settings.import_batch):
            self._write(talk, batch)
        return self.written

    def _begin(self, file: File) -> None:
        self._file, self._group = file, new_id()
        self._names, self._seq = Names(), -1
        self._opened: DraftConversation | None = None
        self.written = self.known = self.held_back = 0

    def _write(self, talk: DraftConversation, batch: Sequence[DraftTurn]) -> None:
        """One batch under the writer lock: what is known is left out, the rest is one commit."""
        with self.scope.writing():
            talk_hash, hashes = self._hashes(talk, batch)
            ids = self.scope.ids_of([talk_hash, *hashes])
            held = self._held(talk_hash, hashes)
            new = [(t, h) for t, h in zip(batch, hashes, strict=True) if h not in ids and h not in held]
            self.known += len(batch) - len(new) - len(held)
            self.held_back += len(held)
            self._open(talk, self.onto or ids.get(talk_hash), [ids.get(h) for h in hashes])
            if new:
                turns = [_turn(t, self._talk.id, self._places[id(t)]) for t, _ in new]
                sources = {turn.id: h for turn, (_, h) in zip(turns, new, strict=True)}
                self._commit(turns, sources | ({} if self.onto else {self._talk.id: talk_hash}))
                self.written += len(new)

    def _hashes(self, talk: DraftConversation, turns: Sequence[DraftTurn]) -> tuple[str, list[str]]:
        """Where a conversation and these of its turns come from."""
        place = f"{self._file.format}\n{talk.identity}"
        return self.scope.hash(place), [self.scope.hash(f"{place}\n{t.identity}") for t in turns]

    def _held(self, talk_hash: str, hashes: Sequence[str]) -> set[str]:
        """The turns that were erased once, by themselves or with their conversation; what is said now under
        the name of an erased conversation is new."""
        held = self.scope.held_back([talk_hash, *hashes])
        return {*hashes} if talk_hash in held and self._file.id else held - {talk_hash}

    def _heard(self, talk: DraftConversation) -> DraftConversation:
        """A conversation without the people of whom every turn was erased."""
        talk_hash, hashes = self._hashes(talk, talk.turns)
        held = self._held(talk_hash, hashes)
        if not held:
            return talk
        left = {t.speaker for t, h in zip(talk.turns, hashes, strict=True) if h not in held}
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
        taken = self.absorption.take(turns, built, self.mode)
        built = taken.built
        made = [*built.contents, *built.cues, *built.tags, *built.relations, *taken.inserts]
        first: list[Record] = [self._file] if self._file.id and not self.written else []
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
        self._unsaved = []

    def _refresh_names(self) -> None:
        """The names in the store and what corrections make of others, read again only after other writers."""
        if self.scope.seq() != self._seq:
            cues, tags = ({key: id_ for id_, key in self.scope.names(kind)} for kind in ("cue", "tag"))
            self._names = Overlay(self.scope.corrections()).names(Names(cues, tags))

    def _finish(self, report: FileReport, stopped: bool) -> FileReport:
        warnings = (*report.warnings, STOPPED) if stopped else report.warnings
        counts = {"turns_written": self.written, "turns_known": self.known, "held_back": self.held_back}
        report = replace(report, **counts, warnings=warnings)
        if self.written:
            saved = replace(self._file, report=report.as_dict())
            self.scope.commit(Imported(self._file.id, 0), upserts=[saved], group=self._group)
            self.scope.tidy()
        return report


def _turn(draft: DraftTurn, conversation_id: str, position: int) -> Turn:
    return Turn(
        id=new_id(),
        conversation_id=conversation_id,
        position=position,
        speaker=draft.speaker,
        role=draft.role,
        text=draft.text,
        said=draft.said,
        source=draft.source,
        session=draft.session,
        language=language_of(draft.text) or "",
        branch=draft.branch,
        folded=draft.folded,
        attachments=draft.attachments,
    )


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
