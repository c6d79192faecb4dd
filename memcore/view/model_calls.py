"""The models of a run, call by call: in which role, what it took, and where rules went on in their place.

What a call cost is what the book entered for it when it was made; nothing is priced again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import ceil
from typing import NamedTuple

from memcore.events import ModelAsked, RoleFailed, TraceEvent
from memcore.llm.asking import Usage
from memcore.llm.budget import Bill
from memcore.llm.call_log import Entry
from memcore.llm.patience import Wait
from memcore.llm.tasks import ROLES
from memcore.models.at_work import SCRIPTED
from memcore.settings import Settings
from memcore.view.naming import counted, listed

RULES = "rules"
ROLE_NAMES: dict[str, str] = {
    **{about.role: about.name for about in ROLES},
    "reader": "Reading the question",
    "router": "Routing",
}
OUTCOMES = {
    "RateLimited": "the service had too many calls",
    "Overloaded": "the service was overloaded",
    "TimedOut": "no reply came in time",
    "Unreachable": "there was no connection, or it broke off",
    "KeyRefused": "there is no key, or it was not accepted",
    "ModelUnavailable": "the model is not there",
    "NotRecorded": "there is no recorded reply to this",
    "ReplyInvalid": "its reply could not be used",
    "ContentRefused": "the model declined to answer",
    "TooLong": "the prompt or the reply was too long",
    "BudgetExceeded": "a budget was used up, so it was not asked",
    "Cancelled": "it was stopped",
}
FROM_HERE = "offline from here"
_WENT_ON = {
    "offline": "rules did it in this step",
    FROM_HERE: "rules did it from here on",
    "answered from evidence": "the answer rests on the evidence there was",
    "left the evidence": "there is evidence, but no answer",
}


class CallView(NamedTuple):
    """One question to a model; `earlier` ones were asked in the run that this one was forked from.

    `dollars` is None where no price was known, or the book has no entry (any more).
    """

    event: ModelAsked
    dollars: float | None
    earlier: bool

    @property
    def role(self) -> str:
        return ROLE_NAMES[self.event.role]

    @property
    def replayed(self) -> bool:
        """A recorded reply was given: nobody was asked."""
        return not self.event.attempts and self.event.outcome == "ok"

    @property
    def outcome(self) -> str:
        """How it ended, in words."""
        if self.event.outcome != "ok":
            return OUTCOMES.get(self.event.outcome, "it failed")
        return "a recorded reply" if self.replayed else "answered"

    @property
    def took(self) -> str:
        """Tokens, money, time and attempts, as one line."""
        e = self.event
        if not e.attempts:
            return "nothing was spent"
        tries = counted(e.attempts, "call") if e.attempts != 1 else ""
        spent = (tokens(Usage(e.sent, e.received, e.cached)), money(self.dollars), seconds(e.milliseconds))
        return " · ".join(filter(None, (*spent, tries)))


def calls_of(events: Iterable[TraceEvent], entries: Iterable[Entry] = ()) -> list[CallView]:
    """All questions to models of a run. `entries` are those the book has of this run, in order."""
    run = list(events)
    forked = max((i for i, e in enumerate(run) if e.kind == "overridden"), default=-1)
    book = iter(entries)
    return [
        CallView(e, None if i < forked else _charged(book, e.attempts), i < forked)
        for i, e in enumerate(run)
        if e.kind == "model_asked"
    ]


def calls_at(calls: Iterable[CallView], step: int, last: int) -> list[CallView]:
    """Those of one step. Reading the question belongs to the first; a call that led to none to the last."""
    return [c for c in calls if min(max(c.event.step, 1), last) == step]


def bill_line(calls: Sequence[CallView]) -> str:
    """What the models of a run took in all, as one line; "" where none was asked."""
    own = [c for c in calls if not c.earlier]
    before = len(calls) - len(own)
    more = [f"{counted(before, 'question')} to models before the fork"] if before else []
    if not own:
        return "; ".join(["no model was asked since the fork", *more]) if before else ""
    made = sum(c.event.attempts for c in own)
    if not made:
        return "; ".join([_unspent(own), *more])
    priced = [c.dollars for c in own if not c.replayed and c.event.attempts]
    dollars = None if None in priced else sum(p for p in priced if p is not None)
    used = Usage(
        sum(c.event.sent for c in own), sum(c.event.received for c in own), sum(c.event.cached for c in own)
    )
    took = [tokens(used), money(dollars), seconds(sum(c.event.milliseconds for c in own))]
    line = " · ".join([f"{counted(made, 'call')} of {models_named(own)}", *took])
    return "; ".join([line, *more])


def _unspent(calls: Sequence[CallView]) -> str:
    """Of questions for which nobody was asked."""
    given = sum(c.replayed for c in calls)
    replies = f"{counted(given, 'recorded reply', 'recorded replies')} of {models_named(calls)}"
    return f"{replies if given else f'{models_named(calls)} was not asked'}, nothing was spent"


def models_named(calls: Iterable[CallView]) -> str:
    """The models of these calls, each once."""
    return ", ".join(dict.fromkeys(model_name(c.event.model) for c in calls))


def model_name(model: str) -> str:
    """A model as a person reads it; that of the samples is none, but what people wrote."""
    return "the demo's script" if model == SCRIPTED else model


def who_answered(events: Iterable[TraceEvent]) -> str:
    """ "rules", "local/x", or "local/x and rules": who did the roles of a run."""
    run = list(events)
    models = [e for e in run if e.kind == "model_asked"]
    names = list(dict.fromkeys(model_name(e.model) for e in models if e.outcome == "ok"))
    fell = any(e.kind == "role_failed" for e in run)
    return " and ".join([*([", ".join(names)] if names else []), *([RULES] if fell or not names else [])])


def fell_back(event: RoleFailed) -> str:
    """What happened to a role that a model was to do, as a sentence."""
    why = OUTCOMES.get(event.error, "it failed")
    went_on = _WENT_ON.get(event.went_on, event.went_on)
    return f"{ROLE_NAMES.get(event.role, event.role)}: {why}; {went_on}."


def fallbacks(events: Iterable[TraceEvent]) -> list[str]:
    """Why rules went on in the place of models: a sentence for each reason, with its roles and steps."""
    parts: dict[tuple[str, str], list[RoleFailed]] = {}
    for event in events:
        if event.kind == "role_failed":
            parts.setdefault((event.error, event.went_on), []).append(event)
    return [_fallback(part) for part in parts.values()]


def _fallback(failed: Sequence[RoleFailed]) -> str:
    """Events of one reason as a sentence."""
    roles = listed(dict.fromkeys(ROLE_NAMES.get(e.role, e.role) for e in failed))
    steps = list(dict.fromkeys(max(e.step, 1) for e in failed))
    many = "step" if len(steps) == 1 else "steps"
    since = f"step {steps[0]} on" if steps[0] > 1 else "the start"
    went_on = {
        **_WENT_ON,
        "offline": f"rules took the model's place in {many} {listed(map(str, steps))}",
        FROM_HERE: f"rules took the model's place from {since}",
    }
    why, then = OUTCOMES.get(failed[0].error, "it failed"), failed[0].went_on
    return f"{roles}: {why}; {went_on.get(then, then)}."


def not_asked(events: Iterable[TraceEvent], step: int) -> str:
    """That no model was asked at a step, and why where one was out before it."""
    out = [e for e in events if e.kind == "role_failed" and e.went_on == FROM_HERE and max(e.step, 1) < step]
    return " ".join(["Rules did this step; no model was asked.", *fallbacks(out)])


def by_whom(events: Iterable[TraceEvent]) -> str:
    """ "by local/x and rules"; "" where rules did it and no model was to, or one was stopped at once."""
    run = list(events)
    who, fell = who_answered(run), any(e.kind == "role_failed" for e in run)
    return f"by {who}" if fell or who != RULES else ""


def asked_again(wait: Wait) -> str:
    """ "asked again in 4 s, 2 of 3": a countdown."""
    return f"asked again in {ceil(wait.seconds)} s, {wait.attempt} of {wait.attempts}"


def tokens(usage: Usage) -> str:
    """ "1,200 tokens sent (80 from the cache), 30 received"."""
    cached = f" ({usage.cached:,} from the cache)" if usage.cached else ""
    return f"{counted(usage.sent, 'token')} sent{cached}, {usage.received:,} received"


def money(dollars: float | None) -> str:
    """US dollars, as exact as they are read."""
    if dollars is None:
        return "no price known"
    if not dollars:
        return "$0"
    return "under $0.0001" if dollars < 0.0001 else f"${dollars:,.4f}" if dollars < 1 else f"${dollars:,.2f}"


def seconds(milliseconds: int) -> str:
    """0.8 s, 14 s."""
    if 0 < milliseconds < 50:
        return "under 0.1 s"
    return f"{milliseconds / 1000:.1f} s" if milliseconds < 10_000 else f"{milliseconds / 1000:,.0f} s"


def _charged(book: Iterator[Entry], attempts: int) -> float | None:
    """What the next calls in the book cost together; None where one had no price or is missing."""
    entered = [entry.dollars for entry in islice(book, attempts)]
    known = [dollars for dollars in entered if dollars is not None]
    return sum(known) if len(known) == attempts else None


def allowance(settings: Settings, today: Bill) -> str:
    """What models may take in one run, and what is left of the day, as sentences."""
    limits = (
        f"{settings.run_calls:,} calls" if settings.run_calls else "",
        f"{settings.run_tokens:,} tokens" if settings.run_tokens else "",
        money(settings.run_money) if settings.run_money else "",
    )
    run = " and ".join(filter(None, (", ".join(filter(None, limits[:2])), limits[2])))
    day = f" of {money(settings.day_money)}" if settings.day_money else ""
    most = f"A model may take up to {run} in one run" if run else "No limit is set for one run"
    return f"{most}; today {money(today.dollars)}{day} are spent."
