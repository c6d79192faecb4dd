"""The seam: store, models and papers wired together. Pages and the command line hold this and no more.

`Memories` is a store; `Memories.scope(name)` is one `Memory`, and everything is asked of that.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memcore.absorption import Absorption, Mode
from memcore.agent_runs import AgentRuns
from memcore.asking import Asking, Run, Snapshot
from memcore.channels import Lexical
from memcore.editing import Edit, Editor, Plan, Who
from memcore.editing.corrections import Overlay
from memcore.editing.exporting import exported
from memcore.editing.impact import Impact, impact
from memcore.editing.outcomes import Outcome
from memcore.editing.portable import dumped
from memcore.editing.replay import replay
from memcore.erasure import Erasure
from memcore.errors import InputError
from memcore.events import TraceEvent
from memcore.extraction import Extractor
from memcore.graph import Graph
from memcore.importing import DraftConversation, DraftTurn, FileReport, find_files
from memcore.intake import Intake, Progress
from memcore.llm.offline.choose import embedder_named, written_with
from memcore.llm.offline.extractor import RuleExtractor
from memcore.llm.offline.writer import ExtractiveWriter
from memcore.llm.protocols import Embedder
from memcore.question import Question
from memcore.reconstruction import Ask
from memcore.records import (
    UNKNOWN,
    Conversation,
    File,
    Moment,
    Record,
    Relation,
    TraceHeader,
    Turn,
    new_id,
)
from memcore.recurring import Recurring
from memcore.reextraction import Reextraction, Step
from memcore.settings import DEFAULT, Settings
from memcore.store import ChangeRow, Scope, Store, TakenBack, Underway

Never = Callable[[], bool]


def settle() -> None:
    """Tell the collector that what is loaded by now stays: it walks a few hundred thousand objects less,
    each time that a long import or a page makes it look."""
    gc.collect()
    gc.freeze()


def _never() -> bool:
    return False


class Memories:
    """A store of memories, opened with one embedder."""

    def __init__(self, store: Store, embedder: Embedder, settings: Settings) -> None:
        self.store, self.embedder, self.settings = store, embedder, settings

    @classmethod
    def open(
        cls, folder: str | Path, *, embedder: str = "", settings: Settings = DEFAULT, create: bool = True
    ) -> Memories:
        """The store in this folder. Without `embedder`, the one it was written with, or the default.

        Raises StoreMismatch, InputError, StoreFull (see Store.open), ModelUnavailable.
        """
        recorded = _recorded(folder)
        model = embedder_named(embedder or written_with(recorded), recorded)
        return cls(Store.open(folder, embedder=model, settings=settings, create=create), model, settings)

    def scopes(self) -> list[str]:
        """The names of all memories in it."""
        return self.store.scopes()

    def scope(self, name: str | None, *, create: bool = False) -> Memory:
        """One memory. Raises ScopeError when none is named or there is none."""
        found = self.store.create_scope(name) if create and name else self.store.scope(name)
        return Memory(found, self.embedder, self.settings)

    def only_scope(self) -> str | None:
        """The single memory of a store that holds just one, else None: nothing is guessed."""
        names = self.scopes()
        return names[0] if len(names) == 1 else None


class Memory:
    """One scope of a store: whose memory it is decides what can be seen at all."""

    def __init__(self, scope: Scope, embedder: Embedder, settings: Settings) -> None:
        self._scope, self._embedder, self.settings = scope, embedder, settings
        self._snapshot: Snapshot | None = None
        self._absorption = Absorption(scope, ExtractiveWriter(), embedder, settings)

    @property
    def name(self) -> str:
        return self._scope.name

    @property
    def embedder(self) -> str:
        return self._embedder.name

    # reading

    def snapshot(self) -> Snapshot:
        """The graph as of the last commit, read again only when something was written."""
        if self._snapshot is None or self._snapshot.graph.seq != self._scope.seq():
            before = self._snapshot.graph if self._snapshot else None
            graph = Graph(self._scope.columns(before.columns if before else None), before)
            self._snapshot = Snapshot(graph, Lexical(graph))
        return self._snapshot

    def count(self) -> dict[str, int]:
        """How many records of each kind there are."""
        return self._scope.count()

    def get(self, ids: Iterable[str]) -> dict[str, Record]:
        """Records by id; ids that name nothing (any more) are absent."""
        return self._scope.get(ids)

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Texts of turns and contents by id."""
        return self._scope.texts(ids)

    def files(self) -> list[File]:
        """Imported files with their reports, oldest first."""
        return self._scope.files()

    def conversations(self) -> list[Conversation]:
        """Conversations by their start."""
        return self._scope.conversations()

    def turns(self, conversation_id: str, offset: int = 0, limit: int | None = None) -> list[Turn]:
        """Turns of a conversation in order, alternatives and folded ones included."""
        return self._scope.turns(conversation_id, offset, limit)

    def search(
        self, text: str, kinds: Sequence[str] = ("turn", "content"), limit: int = 50
    ) -> list[tuple[str, float]]:
        """Full text, English by stems, Korean also inside an eojeol: (id, score), best first."""
        return self._scope.search(text, kinds=kinds, limit=limit)

    def term_hashes(self, words: Sequence[str]) -> tuple[int, ...]:
        """Keyed hashes of words, as a question carries them."""
        return tuple(int(h) for h in self._scope.term_hashes(words))

    # importing

    def import_path(
        self, path: str | Path, cancelled: Never = _never, mode: Mode = "lazy", append_to: str = ""
    ) -> Iterator[Progress | FileReport]:
        """Import a file, or every file of a folder: progress after each batch, a report per file.

        `mode` lazy consolidates what recurs (RecMem), eager every session. With `append_to`, the name of a
        conversation, all turns go on with that one. Raises InputError or UnknownFormat for a single file
        that cannot be read; in a folder such a file gives a report that says why.
        """
        files = list(find_files(path))
        if not files:
            raise InputError(
                f"There is no file in the folder {Path(path).name}: name one with conversations."
            )
        intake = self._intake(mode, self._named(append_to) if append_to else "", cancelled)
        for file in files:
            try:
                yield from intake.bring_in(file)
            except InputError as error:
                if len(files) == 1:
                    raise
                yield FileReport(file.name, "", warnings=(str(error),))
            if cancelled():
                return

    def absorb(self, conversation: str, turns: Iterable[DraftTurn], mode: Mode = "lazy") -> int:
        """Turns as they are said, at the end of the conversation of that name, which is made if there is
        none; how many. They take the way of every import. Raises what a commit raises."""
        said = tuple(t if t.source else t._replace(source=new_id()) for t in turns)
        speakers = tuple(dict.fromkeys(t.speaker for t in said if not t.folded))
        talk = DraftConversation(conversation, conversation, speakers, said)
        known = [c.id for c in self.conversations() if conversation in (c.title, c.source)]
        return self._intake(mode, known[0] if len(known) == 1 else "", _never).absorb(talk)

    def _intake(self, mode: Mode, onto: str, cancelled: Never) -> Intake:
        roles = (RuleExtractor(), self._embedder, self.settings, self._absorption)
        return Intake(self._scope, *roles, mode, onto, cancelled)

    def _named(self, conversation: str) -> str:
        found = [c.id for c in self.conversations() if conversation in (c.title, c.source)]
        if len(found) != 1:
            many = "There is no" if not found else "There is more than one"
            raise InputError(f"{many} conversation called {conversation[:80]!r} in this memory.")
        return found[0]

    # asking

    def ask(self, ask: Ask, *, settings: Settings | None = None, cancelled: Never = _never) -> Run:
        """A recorded run of one question; iterate it for its events.

        Raises InputError for an empty question, a budget below 1 or an unknown strategy.
        """
        return self._asking.ask(ask, settings or self.settings, cancelled)

    def prepared(self, text: str, asked: Moment = UNKNOWN) -> Question:
        """A question read and embedded, to be asked more than once. Raises InputError."""
        return self._asking.prepared(text, asked)

    def events(
        self,
        ask: Ask,
        *,
        settings: Settings | None = None,
        cancelled: Never = _never,
        question: Question | None = None,
    ) -> Iterator[TraceEvent]:
        """The same without a trace, for benchmarks and what-if; `question` if it was prepared already."""
        return self._asking.events(ask, settings or self.settings, cancelled, question)

    @property
    def _asking(self) -> Asking:
        return Asking(self._scope, self._embedder, self.snapshot, self._absorption.now)

    def traces(self, limit: int = 50, offset: int = 0) -> list[TraceHeader]:
        """Past runs, newest first."""
        return self._scope.traces(limit, offset)

    def trace(self, trace_id: str) -> tuple[TraceHeader, list[TraceEvent]]:
        """One past run with its events. Raises NotFound."""
        return self._scope.trace(trace_id)

    # changing

    def changes(self, limit: int = 50) -> list[ChangeRow]:
        """The journal, newest first."""
        return self._scope.changes(limit)

    def undo(self, group: str | None = None, *, also_later: bool = False) -> TakenBack:
        """Take back the last change, or the one named; `also_later` those first that rest on it.

        Raises NotFound when there is none, InTheWay.
        """
        return self._scope.undo(group, also_later=also_later)

    def undoing(self, group: str | None = None, *, also_later: bool = False) -> Iterator[Underway]:
        """The same as it goes on: it is carried out by iterating over it."""
        return self._scope.undoing(group, also_later=also_later)

    def redo(self, group: str | None = None) -> TakenBack:
        """Bring back what was undone last, or the change named. Raises NotFound, InTheWay, InputError."""
        return self._scope.redo(group)

    def redoing(self, group: str | None = None) -> Iterator[Underway]:
        """The same as it goes on."""
        return self._scope.redoing(group)

    def blockers(self, group: str) -> list[ChangeRow]:
        """The later changes that rest on this one, newest first."""
        return self._scope.blockers(group)

    def difference(self, group: str) -> tuple[list[Record], list[Record]]:
        """What a change concerned, as it was before and as it left it. Raises NotFound."""
        return self._scope.difference(group)

    def tidy(self) -> None:
        """Compact the store and take what is new into its indexes; imports do so at their end."""
        self._scope.tidy()

    # recurrence

    @property
    def recurrence(self) -> Recurring:
        """Units, episodes, thresholds and what they cost (see recurring)."""
        return Recurring(self._scope, self._absorption)

    @property
    def runs(self) -> AgentRuns:
        """Agent runs and their execution-state trees (see agent_runs)."""
        return AgentRuns(self._scope, self.settings)

    # erasing

    @property
    def erasure(self) -> Erasure:
        """Finds, plans, erases for good, verifies (see erasure)."""
        return Erasure(self._scope, self._embedder, lambda: self.snapshot().graph.columns, self.settings)

    # correcting

    @property
    def editor(self) -> Editor:
        """Plans and applies edits by hand (see editing)."""
        return Editor(self._scope, self._embedder)

    def edit(self, edit: Edit | Sequence[Edit], who: Who, seen: Mapping[str, int] | None = None) -> str:
        """Carry an edit, or several as one change, out at once; the change's id (see `undo`).

        `editor.apply` yields its progress. Raises what that raises.
        """
        group = new_id()
        for _ in self.editor.apply(edit, who, seen, group):
            pass
        return group

    def impact(self, plan: Plan) -> Impact:
        """What a plan would change in how memories are reached."""
        return impact(self.snapshot().graph, plan)

    def corrections(self) -> Overlay:
        """All corrections, by what they are about."""
        return Overlay(self._scope.corrections())

    def relations(self, *ids: str) -> list[Relation]:
        """Every relation that one of these cues, tags, contents or turns takes part in."""
        return self._scope.relations_of(*ids)

    def reextract(self, extractor: Extractor | None = None, cancelled: Never = _never) -> Iterator[Step]:
        """Run extraction over everything again, under the corrections; a step per conversation."""
        made = extractor or RuleExtractor()
        return Reextraction(self._scope, made, self._embedder, self.settings, cancelled).run()

    def exported(self) -> Iterator[str]:
        """All corrections as lines of JSON that mean the same in another store (see editing.portable)."""
        return map(dumped, exported(self._scope))

    def replay(self, lines: Iterable[str], *, dry: bool = False) -> Iterator[Outcome]:
        """Carry out exported corrections here as one change; `dry` only says what would fit."""
        return replay(self._scope, self._embedder, lines, dry=dry)


def _recorded(folder: str | Path) -> str:
    """The name of the embedder that a store was written with; empty for a new one."""
    try:
        return Store.open(folder, embedder=None, create=False).embedder["name"]
    except InputError:
        return ""
