"""What something would cost before it is done: calls, tokens and dollars, and nobody is asked.

Prompts are counted as they would be sent; how long the replies will be is an estimate. Lazy consolidation
is foreseen by running RecMem with a writer that writes nothing (see foresight), which needs the embedder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol

from memcore.absorbing.absorption import Mode, thresholds_under, tiers_of
from memcore.absorbing.foresight import foresee, silent_roles
from memcore.absorbing.units import Units, embedded, spoken, units_of
from memcore.importing import find_files
from memcore.intake.coming import Sources, coming
from memcore.llm import prompts
from memcore.llm.asking import Usage
from memcore.llm.budget import dollars
from memcore.llm.expected import EPISODE, RECEIVED, REWRITTEN
from memcore.llm.late import TASK as EMBED
from memcore.llm.late import LateGemini
from memcore.llm.protocols import Embedder
from memcore.llm.tasks import OFFLINE, RECORDED, Role
from memcore.models.at_work import Models
from memcore.passages import paired, passage
from memcore.records import Calibration, Content, Conversation, Spent, Thresholds, Turn, Unit
from memcore.recurrence import Recurrence
from memcore.tokens import count
from memcore.writing import MOST_EPISODES, Passage


class Expected(NamedTuple):
    """One call: its task, the tokens it sends, and about how many it receives."""

    task: str
    sent: int
    received: int


class Line(NamedTuple):
    """One task by one model. `dollars` is None where there is no price for it."""

    task: str
    model: str
    calls: int
    sent: int
    received: int
    dollars: float | None


class Cost(NamedTuple):
    """All that would be asked; without lines no model takes part."""

    lines: tuple[Line, ...]
    prices_read_in: str

    @property
    def calls(self) -> int:
        return sum(line.calls for line in self.lines)

    @property
    def tokens(self) -> int:
        return sum(line.sent + line.received for line in self.lines)

    @property
    def dollars(self) -> float | None:
        """None where a price is missing."""
        priced = [line.dollars for line in self.lines]
        return None if None in priced else sum(p for p in priced if p is not None)


def together(costs: Sequence[Cost]) -> Cost:
    """All of it; without any, nothing."""
    lines = tuple(line for cost in costs for line in cost.lines)
    return Cost(lines, next((cost.prices_read_in for cost in costs), ""))


class Known(Sources, Protocol):
    """What a cost follows from: what a memory holds (see store.Scope), and be it nothing (nothing_yet)."""

    def conversations(self) -> Sequence[Conversation]: ...

    def turns(self, conversation_id: str) -> Sequence[Turn]: ...

    def units(self) -> Sequence[Unit]: ...

    def compared_units(self) -> Sequence[Unit]: ...

    def derived(self) -> Sequence[Content]: ...

    def calibration(self) -> Calibration | None: ...


@dataclass(frozen=True, slots=True)
class Costing:
    """Of one memory. `model` in place of what the settings say, as everywhere."""

    known: Known
    embedder: Embedder
    models: Models

    def importing(self, path: str | Path, mode: Mode = "lazy", model: str = "") -> Cost:
        """A file, or every file of a folder, as `Memory.import_path` would bring it in. Raises InputError."""
        reader = self._live("construct", model) if mode == "eager" else ""
        writer = self._live("write", model)
        most = self.models.settings.import_batch
        spent: list[tuple[str, Expected]] = []
        said = [turns for file in find_files(path) for turns in coming(self.known, file, most)]
        units = [u for turns in said for u in units_of(turns, 1)]
        if reader:
            spent += [(reader, _extracted(p)) for _, p in units]
        if writer and mode == "eager":
            spent += [(writer, s) for turns in said for s in _sessions(turns)]
        elif writer:
            spent += [(writer, s) for s in self._recurring(units)]
        return self._cost([*spent, *self._embedded(units)])

    def reading_again(self, model: str = "") -> Cost:
        """Everything once more, as `Memory.reextract` would."""
        reader = self._live("construct", model)
        talks = self.known.conversations() if reader else ()
        found = (p for talk in talks for p in _passages(self.known.turns(talk.id)))
        return self._cost((reader, _extracted(p)) for p in found)

    def consolidating(self, thresholds: Thresholds, model: str = "") -> Cost:
        """All units once more under these thresholds, as `Recurring.apply` would."""
        writer = self._live("write", model)
        if not writer:
            return self._cost([])
        decisions = foresee(self.known.units(), thresholds).decisions.values()
        return self._cost((writer, _expected(s)) for d in decisions for s in d.spent)

    def _live(self, role: Role, model: str) -> str:
        """The model that would be asked, "" where nobody is."""
        choice = self.models.chosen(role, model)
        return "" if choice == OFFLINE or choice.startswith(RECORDED) else choice

    def _recurring(self, units: Units) -> Iterator[Expected]:
        """What RecMem would call a writer for, after what is stored."""
        embedder, stored = self.embedder, self.known.units()
        thresholds = thresholds_under(self.known.calibration(), embedder, self.models.settings)
        if isinstance(embedder, LateGemini):  # vectors cost money: the share that calibration wants recurs
            yield from _share(units, self.models.settings.share_moved)
            return
        new = [_counted(u, p) for u, (_, p) in zip(embedded(units, embedder, thresholds), units, strict=True)]
        roles = silent_roles({u.id: u for u in (*stored, *new)})
        tiers = tiers_of(self.known.compared_units(), self.known.derived(), embedder.dimension)
        tiers.units |= {u.id: u for u in new}
        for absorbed in Recurrence(tiers, roles, thresholds).absorb(new):
            yield from map(_expected, absorbed.decision.spent)

    def _embedded(self, units: Units) -> Iterator[tuple[str, Expected]]:
        if isinstance(self.embedder, LateGemini):
            model = self.embedder.name.replace(":", "/", 1)
            # each turn once in its unit and once as what can be opened
            yield from ((model, Expected(EMBED, 2 * count(spoken(p)), 0)) for _, p in units)

    def _cost(self, spent: Iterable[tuple[str, Expected]]) -> Cost:
        calls: Counter[tuple[str, str]] = Counter()
        used: dict[tuple[str, str], Usage] = {}
        for model, one in spent:
            key = (one.task, model)
            calls[key] += 1
            used[key] = used.get(key, Usage(0, 0)).plus(Usage(one.sent, one.received))
        prices = self.models.configuration.price_table
        lines = [
            Line(task, model, calls[task, model], u.sent, u.received, dollars(model, u, prices))
            for (task, model), u in used.items()
        ]
        return Cost(tuple(lines), self.models.configuration.prices_read_in)


def _expected(spent: Spent) -> Expected:
    """A call of recurrence; refining is one task, whatever came before it."""
    task = "refine" if spent.operation == "refine_in_merge" else spent.operation
    return Expected(task, spent.sent, spent.received)


def _extracted(told: Passage) -> Expected:
    sent = prompts.extract([told]).tokens
    return Expected("extract", sent, round(REWRITTEN * count(prompts.told([told]))))


def _sessions(turns: Sequence[Turn]) -> Iterator[Expected]:
    """Eager sessions: the episodes of each, and as many refinements as there may be."""
    for _, of_session in groupby(turns, key=lambda t: t.session):
        told = list(_passages([*of_session]))
        if not told:
            continue
        sent = prompts.consolidate(told).tokens
        yield Expected("consolidate", sent, MOST_EPISODES * RECEIVED["consolidate"])
        for _ in range(MOST_EPISODES):
            share = told[: -(-len(told) // MOST_EPISODES)]
            yield _refined(share)


def _share(units: Units, share: float) -> Iterator[Expected]:
    for _, told in units[: round(share * len(units))]:
        yield Expected("merge", EPISODE + prompts.merge("", [told]).tokens, RECEIVED["merge"])
        yield _refined([told])


def _refined(told: Sequence[Passage]) -> Expected:
    return Expected("refine", EPISODE + prompts.refine("", told, []).tokens, RECEIVED["refine"])


def _passages(turns: Sequence[Turn]) -> Iterator[Passage]:
    return (passage("", pair) for pair in paired(turns))


def _counted(unit: Unit, told: Passage) -> Unit:
    return replace(unit, tokens=count(prompts.told([told])))
