"""A store of memories: opened, configured, and one memory of it handed to whoever may see it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from memcore.access.permissions import OWNER, Viewer
from memcore.audit import Renamed, SettingChanged
from memcore.configuration import Configuration, checked, differing
from memcore.erasure.completing import complete
from memcore.errors import InputError
from memcore.intake.nothing_yet import NothingYet
from memcore.llm.offline.choose import embedder_named, written_with
from memcore.llm.protocols import Embedder
from memcore.llm.tasks import Role
from memcore.memory import Memory
from memcore.models.at_work import Models, Secrets, no_secrets, scripted_replies
from memcore.models.costing import Costing
from memcore.models.working import For, Work
from memcore.settings import DEFAULT, Settings
from memcore.store import Store
from memcore.store.audit import Audit
from memcore.store.doctor import Finding, examine
from memcore.store.folder import Folder
from memcore.store.scribe import Scribe


class Memories:
    """A store of memories, opened with one embedder, in the hand of a viewer. `models` are those that its
    settings choose."""

    def __init__(self, store: Store, embedder: Embedder, models: Models, viewer: Viewer = OWNER) -> None:
        self.store, self.embedder, self.models, self.viewer = store, embedder, models, viewer
        self._scribe = Scribe(store.audit, "", viewer)

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        embedder: str = "",
        settings: Settings = DEFAULT,
        create: bool = True,
        secrets: Secrets = no_secrets,
    ) -> Memories:
        """The store in this folder. Without `embedder`, the one its memories were written with, or the
        default.

        What was chosen in its settings goes before `settings`; `secrets` are keys beside the environment's.
        Raises StoreMismatch, StoreDamaged, InputError, StoreFull (see Store.open), ModelUnavailable.
        """
        recorded = _recorded(folder)
        place = Folder(Path(folder).expanduser(), settings.lock_seconds)
        models = Models(place, settings, secrets, scripted_replies())
        model = embedder_named(embedder or written_with(recorded), recorded, models.backing)
        store = Store.open(folder, embedder=model, settings=models.settings, create=create)
        return cls(store, model, models)

    @property
    def settings(self) -> Settings:
        """All settings as they are now."""
        return self.models.settings

    def configure(self, chosen: Configuration) -> None:
        """Keeps what was chosen in the settings: from now on it holds for every memory of this store.

        The name of each setting that it changes is entered before. Raises InputError, StoreFull, NotAllowed
        also to who does not see everything; then nothing was changed.
        """
        self.allow_configuring()
        with ExitStack() as entered:
            for name in differing(self.models.configuration, checked(chosen)):
                entered.enter_context(self._scribe.entering(SettingChanged(name)))
            self.models.configure(chosen)

    def allow_configuring(self) -> None:
        """Raises NotAllowed to whom `configure` does: for what would cost something before it."""
        self._scribe.whole("settings")

    def fits(self) -> bool:
        """Whether this can still be used, or has to be opened anew (see Store.fits)."""
        return self.store.fits()

    def held_by(self, viewer: Viewer) -> Memories:
        """The same store in the hand of somebody who may do no more in it than this viewer."""
        return Memories(self.store, self.embedder, self.models, viewer.within(self.viewer))

    def scopes(self, viewer: Viewer | None = None) -> list[str]:
        """The names of all memories in it that this viewer may enter, or who has the store in hand."""
        return self.store.scopes((viewer or self.viewer).within(self.viewer))

    def tables(self, viewer: Viewer | None = None) -> dict[str, str]:
        """The same names, each with what stays the same of its memory when it is renamed."""
        return self.store.tables((viewer or self.viewer).within(self.viewer))

    def scope(self, name: str | None, *, create: bool = False, viewer: Viewer | None = None) -> Memory:
        """One memory, as this viewer sees it, or who has the store in hand; only who sees all can make one.
        Raises ScopeError when none is named, or there is none that they may enter."""
        asked = viewer or self.viewer
        viewer = asked if self.viewer == OWNER else self.viewer.within(asked)
        if create and name and _may_make(name, viewer):
            self.store.create_scope(name)
        return Memory(self.store.scope(name, viewer), self.embedder, self.settings, self.models)

    def rename(self, name: str, to: str, viewer: Viewer | None = None) -> None:
        """Give a memory another name; nothing in the store bears the old one any more. That it was done is
        entered, without a name.

        Raises NotAllowed, ScopeError where there is none of this name, InputError for a name that is taken.
        """
        asked = (viewer or self.viewer).within(self.viewer)
        scope = self.store.scope(name, asked).whole("settings")  # what a role may enter is said by name
        if not asked.may_enter(to):
            raise InputError("You could not enter a memory of this name: choose another.")
        with scope.scribe.entering(Renamed()):
            self.store.rename_scope(name, to)

    def to_fill(self, name: str, roles: Sequence[Role], run: For, viewer: Viewer | None = None) -> Memory:
        """The memory of this name, made if it is not there; but not before the models that do these roles of
        the run, and the embedder, have answered, so that an import which is refused leaves no empty memory
        behind.

        Raises what `scope`, `Work.ready` and `Embedder.embed` raise.
        """
        asked = (viewer or self.viewer).within(self.viewer)
        if name not in self.scopes(viewer) and _may_make(name, asked):  # else `scope` refuses, unpaid
            Work(self.models, run).ready(*roles)
            self.embedder.embed(["Are you there?"])
        return self.scope(name, create=True, viewer=viewer)

    def would_cost(self, name: str) -> Costing:
        """What an import into the memory of this name would cost, which need not be there yet."""
        if name in self.scopes():
            return self.scope(name).would_cost
        return Costing(NothingYet(), self.embedder, self.models)

    def bytes(self) -> int:
        """How much the whole store takes on disk."""
        return self.store.bytes()

    def examined(self, viewer: Viewer | None = None) -> list[Finding]:
        """What is not as it should be in the store itself and in the memories that this viewer may enter."""
        mine = (viewer or self.viewer).within(self.viewer)
        return [found for found in examine(self.store) if not found.scope or mine.may_enter(found.scope)]

    @property
    def audit(self) -> Audit:
        """Who did what in this store: entries, their verification, export (see store.audit). Raises
        NotAllowed."""
        self._scribe.allow("audit")
        return self.store.audit

    def only_scope(self, viewer: Viewer | None = None) -> str | None:
        """The single memory of a store that holds just one, else None: nothing is guessed."""
        names = self.scopes(viewer)
        return names[0] if len(names) == 1 else None


def _may_make(name: str, viewer: Viewer) -> bool:
    return viewer.sees_all and viewer.may_enter(name) and viewer.may_do("import")


def _recorded(folder: str | Path) -> str:
    """The name of the embedder that a store was written with; empty while there is no memory. This opens
    the store first, so an erasure that a crash left unfinished ends here, verified."""
    try:
        store = Store.open(folder, embedder=None, create=False)
    except InputError:
        return ""
    complete(store)
    return store.embedder
