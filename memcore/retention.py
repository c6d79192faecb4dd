"""Retention: what is erased once it is old enough, by kind, age and sensitivity. Off until switched on.

A rule never guesses: what states no time is never due, and is counted as such. What is due goes the way of
every erasure (see erasure): planned, journalled, verified, with a receipt. Rules are no memory: they are not
undone, and setting them is entered in the audit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, get_args

from memcore.access.permissions import MOST_SENSITIVE
from memcore.audit import SettingChanged
from memcore.editing.edits import Who
from memcore.erasure import Erasure, Hit, Plan, Progress, Receipt
from memcore.errors import InputError, StoreDamaged
from memcore.store import Scope

Kind = Literal["conversation", "run", "trace", "unit", "episode"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_RULES = 50
MOST_DAYS = 36_525  # a hundred years
RULE = Who("retention", "a rule of this memory")
"""Who erases when an import ends."""


class Rule(NamedTuple):
    """What is due: records of this kind, last said or done more than so many days ago, of a sensitivity from
    `least` to `most` (0 open to 3; of a conversation or run, that of its most sensitive part).

    A unit goes with its turns, an episode leaves the units it was made of. Applied only when `on`.
    """

    kind: Kind
    older_than_days: int
    least: int = 0
    most: int = MOST_SENSITIVE
    on: bool = False
    do: Literal["erase"] = "erase"


class Due(NamedTuple):
    """What rules come to at one moment; nothing is changed. `found` are the records due by each rule, in
    their order; `unknown` those of its kind that no rule can judge, as no time is stated of them."""

    plan: Plan
    rules: tuple[Rule, ...]
    found: tuple[int, ...]
    unknown: Mapping[str, int]


class Dated(NamedTuple):
    """A record, the last moment it can be from (None: not stated) and how sensitive it is."""

    id: str
    when: datetime | None
    sensitivity: int


@dataclass(frozen=True, slots=True)
class Retention:
    """The retention rules of one memory."""

    erasure: Erasure

    def rules(self) -> tuple[Rule, ...]:
        """The rules as they were set last; none in a new memory. Raises StoreDamaged."""
        try:
            rules = tuple(Rule(**said) for said in self.erasure.scope.retention())
            for rule in rules:
                _checked(rule)
        except (TypeError, InputError) as error:
            raise StoreDamaged(
                "A retention rule cannot be read: retention.json was changed, or a newer version wrote it."
            ) from error
        return rules

    def set(self, rules: Sequence[Rule], who: Who) -> None:
        """Put these rules in place of all others. Raises InputError for a rule that means nothing,
        StoreBusy, StoreFull."""
        if len(rules) > MOST_RULES or len({*rules}) < len(rules):
            raise InputError(f"Give each rule once, and {MOST_RULES} of them at most.")
        for rule in rules:
            _checked(rule)
        told = [rule._asdict() for rule in rules]
        self.erasure.scope.set_retention(told, SettingChanged("retention"), who.author)

    def due(self, now: datetime, *, switched_on: bool = False) -> Due:
        """A preview of what all rules, or only those `switched_on`, would erase."""
        rules = tuple(rule for rule in self.rules() if rule.on or not switched_on)
        dated = self._dated(rules)
        due = [[d for d in dated[rule.kind] if _is_due(rule, d, now)] for rule in rules]
        hits = {d.id: _hit(d.id, rule.kind) for rule, its in zip(rules, due, strict=True) for d in its}
        unknown = Counter(kind for kind, its in dated.items() for d in its if d.when is None)
        return Due(self.erasure.plan(hits.values()), rules, tuple(map(len, due)), dict(unknown))

    def waiting(self, now: datetime) -> int:
        """How many records the rules that are on would erase now, without what rests on them."""
        rules = tuple(rule for rule in self.rules() if rule.on)
        dated = self._dated(rules)
        return len({d.id for rule in rules for d in dated[rule.kind] if _is_due(rule, d, now)})

    def _dated(self, rules: Sequence[Rule]) -> dict[Kind, list[Dated]]:
        kinds: dict[Kind, None] = dict.fromkeys(rule.kind for rule in rules)
        return {kind: list(_dated(self.erasure.scope, kind)) for kind in kinds}

    def apply(self, now: datetime, who: Who) -> Iterator[Progress]:
        """Erase what the rules that are switched on find due; the last step carries the receipt. Nothing
        is yielded when nothing is due. Raises what `Erasure.erase` raises."""
        if any(rule.on for rule in self.rules()):
            due = self.due(now, switched_on=True)
            if not due.plan.empty:
                yield from self.erasure.erase(due.plan, who)

    def after_import(self, now: datetime) -> Receipt | None:
        """What is switched on is applied when an import ends; the receipt where something was due."""
        return next((step.receipt for step in self.apply(now, RULE) if step.receipt is not None), None)


def _checked(rule: Rule) -> None:
    if rule.kind not in KINDS:
        raise InputError(f"A rule is for one of these: {', '.join(KINDS)}.")
    if not 1 <= rule.older_than_days <= MOST_DAYS:
        raise InputError(f"A rule is for what is at least one day old, and at most {MOST_DAYS:,} days.")
    if not 0 <= rule.least <= rule.most <= MOST_SENSITIVE:
        raise InputError(f"Sensitivity goes from 0 (open) to {MOST_SENSITIVE}, the least of it first.")


def _is_due(rule: Rule, dated: Dated, now: datetime) -> bool:
    old = dated.when is not None and now - dated.when > timedelta(days=rule.older_than_days)
    return old and rule.least <= dated.sensitivity <= rule.most


def _hit(id_: str, kind: Kind) -> Hit:
    return Hit(id_, "content" if kind == "episode" else kind, "whole", "time")


def _dated(scope: Scope, kind: Kind) -> Iterator[Dated]:
    """Every record of this kind. Of a span of time its end counts: it may be as young as that."""
    if kind == "conversation":
        most = scope.most_sensitive("turn")
        yield from (Dated(c.id, c.ended.end, most.get(c.id, 0)) for c in scope.conversations())
    elif kind == "run":
        most = scope.most_sensitive("step")
        yield from (Dated(r.id, r.started.end, most.get(r.id, 0)) for r in scope.agent_runs())
    elif kind == "trace":
        yield from (Dated(t.id, t.ended or t.started, 0) for t in scope.traces(limit=len(scope.trace_ids())))
    elif kind == "unit":
        yield from (Dated(u.id, u.said.end, u.sensitivity) for u in scope.units())
    else:
        episodes = (c for c in scope.derived() if c.layer == "episode")
        yield from (Dated(c.id, c.said.end, c.sensitivity) for c in episodes)
