"""Models at work: what the settings choose for each role, with its key, its budget, its bill and its records.

    of(role)  ->  recorded replies only, or a model behind: recording -> asking -> the provider's wire

Keys come from the environment or from a page's secrets and are in no file. Connections live as long as this
object: what is under way when the settings change goes on as it began.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Protocol
from weakref import finalize

from memcore import configuration
from memcore.configuration import Configuration
from memcore.errors import InputError, NotRecorded
from memcore.installed import installed
from memcore.llm import choose
from memcore.llm.asking import LLM, Model, Reply, Tallied, Wire
from memcore.llm.budget import Budget
from memcore.llm.call_log import CallLog
from memcore.llm.keys import access
from memcore.llm.late import Backing
from memcore.llm.listening import Listening
from memcore.llm.patience import Patience
from memcore.llm.recording import Recording, Replay
from memcore.llm.tasks import OFFLINE, RECORDED, Role, checked
from memcore.records import new_id
from memcore.settings import DEFAULT, Settings
from memcore.store.folder import CALLS, REPLIES

SCRIPTED = "local/scripted"  # whose recorded replies are part of the samples
Secrets = Callable[[], Mapping[str, str]]


class Folder(configuration.Place, Protocol):
    """Where settings, bill and recorded replies lie (see store.folder.Folder)."""

    @property
    def path(self) -> Path: ...


def no_secrets() -> Mapping[str, str]:
    """Keys come from the environment alone."""
    return {}


def scripted_replies() -> Path | None:
    """The replies that people wrote for the sample memories, None where the samples are not installed."""
    return installed(f"sample_data/{REPLIES}")


class Models:
    """All models of one store; without a folder nothing outlives the program.

    `secrets` gives keys by the name of their variable; `scripted` is where the replies of the samples lie.
    """

    def __init__(
        self,
        folder: Folder | None = None,
        base: Settings = DEFAULT,
        secrets: Secrets = no_secrets,
        scripted: Path | None = None,
    ) -> None:
        self._folder, self._base, self._secrets, self._scripted = folder, base, secrets, scripted
        self.log = CallLog(folder.path / CALLS if folder else None)
        self._wires: dict[tuple[object, ...], Wire] = {}
        self._making = Lock()
        finalize(self, _closed, self._wires)
        self._take(configuration.read(folder) if folder else Configuration())

    def configure(self, chosen: Configuration) -> None:
        """Keeps these settings from now on. Raises InputError, StoreFull; then nothing was changed."""
        kept = configuration.write(self._folder, chosen) if self._folder else configuration.checked(chosen)
        self._take(kept)

    def chosen(self, role: Role, instead: str = "") -> str:
        """The choice for a role: `instead` where one is given, else what the settings say."""
        return checked(instead) if instead else self.configuration.roles.get(role, OFFLINE)

    def of(
        self, role: Role, run: str = "", listening: Listening | None = None, instead: str = ""
    ) -> LLM | None:
        """The model of a role for one run, None where rules do the work. Nobody is asked yet.

        Raises InputError, KeyRefused, ModelUnavailable (see choose.model_named).
        """
        choice = self.chosen(role, instead)
        if choice == OFFLINE:
            return None
        if choice.startswith(RECORDED):
            return self._recorded(choice.removeprefix(RECORDED))
        model = self.model(choice, run, listening)
        kept = self.configuration.recording or role == "answer"  # or nobody could look it up afterwards
        return Recording(model, self._replies) if kept and self._folder else model

    def model(self, name: str, run: str = "", listening: Listening | None = None) -> Model:
        """A model by name, on the budget of a run."""
        follow = listening or Listening()
        patience = Patience(self.settings, follow.waiting, follow.cancelled)
        return Model(self._wire(name), Tallied(self.budget(run), follow.called), patience)

    def check(self, name: str, run: str = "", address: str | None = None) -> Reply:
        """One cheap question to a model: what it took. At this address, or where the settings say.

        Raises ModelError, InputError.
        """
        if address is None:
            return choose.check(self.model(name, run))
        place = access(choose.named(name)[0], address, self._secrets())
        with choose.model_named(name, place, self.budget(run), Patience(self.settings)) as model:
            return choose.check(model)

    def budget(self, run: str = "") -> Budget:
        """The book of a run, a new one where none is named."""
        return Budget(self.log, self.settings, run or new_id(), self.configuration.price_table)

    def access(self, provider: str) -> choose.Access:
        """Where a provider is, by the settings, and with which key."""
        return access(provider, self.configuration.addresses.get(provider, ""), self._secrets())

    @property
    def backing(self) -> Backing:
        """What an embedder over the network needs (see llm.late)."""
        return Backing(self.access, lambda: self.settings, self.budget)

    def replied(
        self, task: str, model: str, prompt: str, reply: str = "", known_as: Callable[[str], str] = str
    ) -> Any | None:
        """What a model replied to the prompt of this hash; None where that is not kept (any more).

        With the id of a recorded reply, that one: the same prompt may have been answered again since.
        `known_as` makes of a prompt's hash what it is named by here (see prompted.named).
        """
        try:
            return self._recorded(model).given(task, prompt, reply, known_as) if self._folder else None
        except NotRecorded:
            return None

    @property
    def secrets(self) -> Mapping[str, str]:
        """The keys that a page handed in, by the name of their variable."""
        return self._secrets()

    @property
    def recorded_in(self) -> list[Path]:
        """The files in which replies can be recorded: this store's, and the samples'."""
        own = [self._folder.path / REPLIES] if self._folder else []
        return [*own, *([self._scripted] if self._scripted else [])]

    def close(self) -> None:
        """Ends all connections; the next question makes new ones."""
        with self._making:
            _closed(self._wires)

    def _take(self, kept: Configuration) -> None:
        self.settings = kept.settings(self._base)
        self.configuration = kept

    def _wire(self, name: str) -> Wire:
        provider, model = choose.named(name)
        place = self.access(provider)
        key = (provider, model, tuple(place), self.settings)
        with self._making:
            if key not in self._wires:
                self._wires[key] = choose.wire_named(name, place, self.settings)
            return self._wires[key]

    @property
    def _replies(self) -> Path:
        if self._folder is None:
            raise InputError("Nothing is recorded here: there is no store.")
        return self._folder.path / REPLIES

    def _recorded(self, model: str) -> Replay:
        if model == SCRIPTED and self._scripted is not None:
            return Replay(self._scripted, model)
        return Replay(self._replies, model)


def _closed(wires: dict[tuple[object, ...], Wire]) -> None:
    for wire in wires.values():
        wire.close()
    wires.clear()
