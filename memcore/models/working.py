"""Who does the work of one run: a model where the settings say so, rules everywhere else.

A model that a run needs is asked one cheap question before anything is written, so that a wrong key or a
lost connection changes nothing. What a model then fails at is done by rules or waits, and `notes` says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memcore.absorbing.absorption import Mode
from memcore.extraction import Extractor
from memcore.llm import choose
from memcore.llm.giving_up import GivingUp
from memcore.llm.listening import Listening
from memcore.llm.model_extractor import ModelExtractor
from memcore.llm.model_tree import ModelSummariser, ModelVerifier
from memcore.llm.model_writer import ModelWriter
from memcore.llm.offline.summariser import ExtractiveSummariser
from memcore.llm.offline.verifier import RuleVerifier
from memcore.llm.tasks import OFFLINE, RECORDED, Role
from memcore.models.at_work import Models
from memcore.records import new_id
from memcore.state_tree import Summariser, Verifier
from memcore.writing import Writer

IMPORTING: dict[Mode, tuple[Role, ...]] = {"lazy": ("write",), "eager": ("construct", "write")}
"""The roles that are done when conversations are imported, by what becomes an episode."""
_WENT_ON: dict[Role, str] = {
    "construct": "what was to be read then was read by rules",
    "write": "what was to be written then waits until it recurs",
}


class For(NamedTuple):
    """One run: who follows and can stop it, a model that does all of its roles, its number in the bill."""

    listening: Listening = Listening()
    instead: str = ""
    run: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """The workers of one run."""

    models: Models
    run: For = field(default_factory=lambda: For(run=new_id()))
    _asked: dict[Role, GivingUp] = field(default_factory=dict[Role, GivingUp])

    def extractor(self, rules: Extractor) -> Extractor:
        """Construction; by these rules where no model is chosen.

        Raises InputError, KeyRefused, ModelUnavailable, as all of these do.
        """
        llm = self._llm("construct")
        return ModelExtractor(llm, rules) if llm else rules

    def writer(self, rules: Writer) -> Writer:
        """Merging, writing episodes, refining."""
        llm = self._llm("write")
        return ModelWriter(llm) if llm else rules

    def summariser(self) -> Summariser:
        """Compress."""
        llm = self._llm("tree")
        return ModelSummariser(llm, self.models.settings) if llm else ExtractiveSummariser()

    def verifier(self) -> Verifier:
        """Maintain."""
        llm = self._llm("tree")
        return ModelVerifier(llm, self.models.settings) if llm else RuleVerifier()

    def ready(self, *roles: Role) -> bool:
        """Whether models take part in these roles; each was asked one cheap question.

        Raises ModelError, Cancelled.
        """
        choices = {self.models.chosen(role, self.run.instead) for role in roles} - {OFFLINE}
        for choice in sorted(choices):
            if not choice.startswith(RECORDED):
                choose.check(self.models.model(choice, self.run.run, self.run.listening))
        return bool(choices)

    def notes(self) -> Sequence[str]:
        """What models failed at, and how it went on: a sentence for each reason."""
        return [
            f"{why} ({times:,} {'time' if times == 1 else 'times'}; {_WENT_ON.get(role, 'rules went on')})"
            for role, llm in self._asked.items()
            for why, times in llm.failed.items()
        ]

    def _llm(self, role: Role) -> GivingUp | None:
        if role not in self._asked:
            llm = self.models.of(role, self.run.run, self.run.listening, self.run.instead)
            if llm is None:
                return None
            self._asked[role] = GivingUp(llm)
        return self._asked[role]
