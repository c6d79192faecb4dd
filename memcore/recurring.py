"""What pages and the command line ask of recurrence: units, thresholds, what-if, generations, the bill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import isfinite

from memcore.absorbing.absorption import Absorption
from memcore.absorbing.foresight import Foreseen, calibrated, foresee
from memcore.absorbing.generations import Generation, Step
from memcore.absorbing.ledger import Ledger, ledger
from memcore.errors import InputError
from memcore.models.working import Work
from memcore.records import Calibration, Content, Thresholds, Unit, Version
from memcore.stopping import Stop, never
from memcore.store import Scope

EACH_SLOW = 10  # units between two steps of progress where a model writes


@dataclass(frozen=True, slots=True)
class Recurring:
    """One scope's recurrence. `off` says why nothing is compared: there is no embedder. `work` says who
    writes."""

    scope: Scope
    absorption: Absorption
    work: Callable[[Stop, str], Work]

    @property
    def thresholds(self) -> Thresholds:
        """Those in force: what this scope was calibrated to, else the settings'."""
        return self.absorption.thresholds

    @property
    def off(self) -> bool:
        return not self.absorption.embedder.dimension

    def calibration(self) -> Calibration | None:
        """How and when the thresholds were chosen, None where they are the settings'."""
        return self.scope.calibration()

    def units(self) -> list[Unit]:
        """All units with their decisions, as they arrived."""
        return self.scope.units()

    def derived(self) -> list[Content]:
        """Episodes and facts with the units they rest on, in the order in which they were made."""
        return [c for c in self.scope.derived() if c.units]

    def episodes(self) -> list[Content]:
        """All episodes, in the order in which they were made."""
        return [c for c in self.scope.derived() if c.layer == "episode"]

    def facts(self) -> list[Content]:
        """The facts that came of episodes."""
        return [c for c in self.scope.derived() if c.layer == "fact" and c.units]

    def versions(self, episode_id: str) -> list[Version]:
        """An episode as it was before each merge, oldest first."""
        return self.scope.versions(episode_id)

    def ledger(self) -> Ledger:
        """What was spent, beside what an eager system would have."""
        return ledger(self.units())

    def foresee(self, thresholds: Thresholds) -> Foreseen:
        """What would have been consolidated; nothing is changed. Raises InputError."""
        return foresee(self.units(), _checked(thresholds))

    def calibrated(self, share: float | None = None) -> Foreseen:
        """The thresholds that would move about this share of the units, or the settings' share.

        Raises InputError for what is no share.
        """
        wanted = self.absorption.settings.share_moved if share is None else share
        if not 0 <= wanted <= 1:
            raise InputError("The share of the units that should move lies between 0 and 1.")
        return calibrated(self.units(), wanted, self.thresholds)

    def apply(self, thresholds: Thresholds, cancelled: Stop = never, model: str = "") -> Iterator[Step]:
        """Absorb all units once more under these thresholds, as one change that can be undone.

        `model` writes in place of what the settings say. Raises InputError for thresholds that nothing can be
        measured by, ModelError where the writer does not answer: nothing was changed then.
        """
        checked, work = _checked(thresholds), self.work(cancelled, model)
        slow = work.ready("write")
        writer = work.writer(self.absorption.writer)
        again = Generation(self.scope, self.absorption, checked, cancelled, writer, work.notes)
        return replace(again, every=EACH_SLOW if slow else again.every).run()


def _checked(t: Thresholds) -> Thresholds:
    if not (isfinite(t.theta_sim) and isfinite(t.merge)):
        raise InputError("Similarities are compared with numbers: theta_sim and merge must be one each.")
    if t.theta_count < 1 or t.collect < 1:
        raise InputError("At least one unit must recur, and one must be merged by a call.")
    return t
