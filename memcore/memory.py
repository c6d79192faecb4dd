"""The seam: store, models and papers wired together. Pages and the command line hold this and no more.

`memories.Memories` is a store; its `scope(name)` is one `Memory`, and everything is asked of that. What is
read as it stands is in `reading`, what is changed by hand in `changing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from memcore.absorbing.absorption import Absorption, Mode
from memcore.access.permissions import Viewer
from memcore.agent_runs import AgentRuns
from memcore.asking import Asking, Snapshot
from memcore.changing import Changeable
from memcore.channels import Lexical
from memcore.erasure import Erasure, Receipt
from memcore.errors import InputError
from memcore.events import TraceEvent
from memcore.extraction import Extractor
from memcore.forking import Override
from memcore.graph import Graph
from memcore.importing import DraftConversation, DraftTurn, FileReport, find_files
from memcore.intake.after_import import with_rules
from memcore.intake.conversations import Intake, Progress
from memcore.intake.each_file import each_file
from memcore.llm.listening import Listening
from memcore.llm.offline.extractor import RuleExtractor
from memcore.llm.offline.writer import ExtractiveWriter
from memcore.llm.protocols import Embedder
from memcore.models.at_work import Models
from memcore.models.costing import Costing
from memcore.models.working import IMPORTING, For, Work
from memcore.question import Question
from memcore.reading import Readable
from memcore.reconstruction import Ask
from memcore.recorded_run import Run
from memcore.records import UNKNOWN, Moment, new_id, now
from memcore.recurring import Recurring
from memcore.reextraction import Reextraction, Step
from memcore.retention import Retention
from memcore.settings import Settings
from memcore.stopping import Stop, never
from memcore.store import Scope


class Memory(Readable, Changeable):
    """One scope of a store: whose memory it is decides what can be seen at all.

    Without `models` all roles are done by rules, under these settings. `listening` follows those of its
    imports, of reading again, of consolidating and of agents (see llm.listening).
    """

    def __init__(
        self,
        scope: Scope,
        embedder: Embedder,
        settings: Settings,
        models: Models | None = None,
        listening: Listening | None = None,
    ) -> None:
        self._scope, self._embedder, self.models = scope, embedder, models or Models(base=settings)
        self._snapshot: Snapshot | None = None
        self._listening = listening or Listening()
        self._absorbed = Absorption(scope, ExtractiveWriter(), embedder, self.settings)

    @property
    def settings(self) -> Settings:
        """All settings as they are now."""
        return self.models.settings

    @property
    def _absorption(self) -> Absorption:
        """The units as they are absorbed, under the settings as they are now."""
        if self._absorbed.settings is not self.settings:
            self._absorbed = Absorption(self._scope, ExtractiveWriter(), self._embedder, self.settings)
        return self._absorbed

    @property
    def id(self) -> str:
        """What tells this memory from others of the store, whatever it is called."""
        return self._scope.table

    @property
    def key(self) -> str:
        """The same, and how much of it this viewer sees: for what is cached."""
        return self.id if self.viewer.sees_all else f"{self.id}\n{self.viewer.clearance}"

    def seen_by(self, viewer: Viewer) -> Memory:
        """The same memory as this viewer sees it; what was withheld here stays so. Raises ScopeError."""
        return Memory(self._scope.seen_by(viewer), self._embedder, self.settings, self.models)

    def followed_by(self, listening: Listening) -> Memory:
        """The same memory, with somebody who follows its models."""
        return Memory(self._scope, self._embedder, self.settings, self.models, listening)

    # reading

    def snapshot(self) -> Snapshot:
        """The graph as of the last commit, read again only when something was written."""
        if self._snapshot is None or self._snapshot.graph.seq != self._scope.seq():
            before = self._snapshot.graph if self._snapshot else None
            graph = Graph(self._scope.columns(before.columns if before else None), before)
            self._snapshot = Snapshot(graph, Lexical(graph))
        return self._snapshot

    # importing

    def import_path(
        self,
        path: str | Path,
        cancelled: Stop = never,
        mode: Mode = "lazy",
        append_to: str = "",
        model: str = "",
    ) -> Iterator[Progress | FileReport]:
        """Import a file, or every file of a folder: progress after each batch, a report per file.

        `mode` lazy consolidates what recurs (RecMem), eager every session, read by a model where the
        settings, or `model` in their place, say so. With `append_to`, the name of a conversation, all turns
        go on with that one. Raises InputError or UnknownFormat for a single file that cannot be read; in a
        folder such a file gives a report that says why. Raises ModelError, or Cancelled while a model is
        asked whether it is there, before anything is written.
        """
        files = list(find_files(path))
        if not files:
            raise InputError(
                f"There is no file in the folder {Path(path).name}: name one with conversations."
            )
        work = self.work(cancelled, model)
        onto = self._named(append_to) if append_to else ""
        intake = self._intake(mode, onto, work, slow=work.ready(*IMPORTING[mode]))
        steps = each_file(files, intake.bring_in, FileReport.refused, cancelled)
        yield from with_rules(steps, self._keep_rules)

    def absorb(self, conversation: str, turns: Iterable[DraftTurn], mode: Mode = "lazy") -> int:
        """Turns as they are said, at the end of the conversation of that name, which is made if there is
        none; how many. They take the way of every import. Raises what a commit raises."""
        said = tuple(t if t.source else t._replace(source=new_id()) for t in turns)
        speakers = tuple(dict.fromkeys(t.speaker for t in said if not t.folded))
        talk = DraftConversation(conversation, conversation, speakers, said)
        known = self._called(conversation)
        new = self._intake(mode, known[0] if len(known) == 1 else "", self.work()).absorb(talk)
        self._keep_rules()
        return new

    def work(self, cancelled: Stop = never, model: str = "") -> Work:
        """Who does the work of one run (see working); `model` in place of what the settings say."""
        return Work(self.models, For(self._listening._replace(cancelled=cancelled), model, new_id()))

    def _intake(self, mode: Mode, onto: str, work: Work, slow: bool = False) -> Intake:
        """`slow`: models take part, so that fewer turns are written at once."""
        rules, absorption = RuleExtractor(), self._absorption
        return Intake(
            self._scope,
            work.extractor(rules) if mode == "eager" else rules,
            self._embedder,
            self.settings,
            absorption,
            mode,
            onto,
            work.run.listening.cancelled,
            writer=work.writer(absorption.writer),
            batch=self.settings.model_batch if slow else 0,
            notes=work.notes,
        )

    @property
    def would_cost(self) -> Costing:
        """What imports, reading again and consolidating would cost; nobody is asked (see costing)."""
        return Costing(self._scope, self._embedder, self.models)

    def _named(self, conversation: str) -> str:
        found = self._called(conversation)
        if len(found) != 1:
            many = "There is no" if not found else "There is more than one"
            raise InputError(f"{many} conversation called {conversation[:80]!r} in this memory.")
        return found[0]

    def _called(self, name: str) -> list[str]:
        """The conversations of this name, or from the file of this name."""
        return [c.id for c in self.conversations() if name in (c.title, c.source)]

    # asking

    def ask(
        self,
        ask: Ask,
        *,
        settings: Settings | None = None,
        cancelled: Stop = never,
        listening: Listening | None = None,
    ) -> Run:
        """A recorded run of one question; iterate it for its events. `listening` follows its models.

        Raises InputError for an empty question, a budget below 1, an unknown strategy or model.
        """
        following = (listening or Listening())._replace(cancelled=cancelled)
        return self._asking.ask(ask, settings or self.settings, following)

    def fork(
        self,
        trace_id: str,
        step: int,
        override: Override,
        *,
        cancelled: Stop = never,
        listening: Listening | None = None,
    ) -> Run:
        """A run that goes on from a step of another as a person decides there (see forking); both stay.

        Raises NotFound, InputError, Stale where what it rests on is gone.
        """
        following = (listening or Listening())._replace(cancelled=cancelled)
        return self._asking.fork(trace_id, step, override, self.settings, following)

    def prepared(self, text: str, asked: Moment = UNKNOWN) -> Question:
        """A question read and embedded, to be asked more than once. Raises InputError."""
        return self._asking.prepared(text, asked)

    def events(
        self,
        ask: Ask,
        *,
        settings: Settings | None = None,
        cancelled: Stop = never,
        question: Question | None = None,
    ) -> Iterator[TraceEvent]:
        """The same without a trace and by rules alone, for benchmarks and what-if; `question` if it was
        prepared already."""
        return self._asking.events(ask, settings or self.settings, cancelled, question)

    @property
    def _asking(self) -> Asking:
        return Asking(self._scope, self._embedder, self.snapshot, self._absorption.now, self.models.of)

    # recurrence

    @property
    def recurrence(self) -> Recurring:
        """Units, episodes, thresholds and what they cost (see recurring)."""
        return Recurring(self._scope, self._absorption, self.work)

    @property
    def runs(self) -> AgentRuns:
        """Agent runs and their execution-state trees (see agent_runs)."""
        return AgentRuns(self._scope, self.settings, self._keep_rules)

    # erasing

    @property
    def erasure(self) -> Erasure:
        """Finds, plans, erases for good, verifies (see erasure). Raises NotAllowed."""
        return self._erasure(self._scope.whole("erase"))

    @property
    def retention(self) -> Retention:
        """What is erased once it is old enough (see retention). Raises NotAllowed."""
        return Retention(self.erasure)

    def _keep_rules(self) -> Receipt | None:
        """What a privacy officer's rules erase after an import, whoever it was that imported."""
        return Retention(self._erasure(self._scope.unrestricted())).after_import(now())

    def _erasure(self, scope: Scope) -> Erasure:
        return Erasure(scope, self._embedder, lambda: self.snapshot().graph.columns, self.settings)

    # correcting

    def reextract(
        self, extractor: Extractor | None = None, cancelled: Stop = never, model: str = ""
    ) -> Iterator[Step]:
        """Run extraction over everything again, under the corrections; a step per conversation.

        By `extractor`, or the model that the settings, or `model` in their place, say. Raises ModelError
        before anything is written.
        """
        work = self.work(cancelled, model)
        slow = extractor is None and work.ready("construct")
        made = extractor or work.extractor(RuleExtractor())
        again = Reextraction(self._scope, made, self._embedder, self.settings, cancelled)
        return replace(again, batch=self.settings.model_batch if slow else 0, notes=work.notes).run()
