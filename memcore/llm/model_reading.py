"""A question read by a model: its cues, the people it names and the days it asks about.

A cue that stands in the question is kept as its span. Other names, which the model thinks the memory may
use, count only where the memory has a cue of that name: they are kept as its id. So the event holds no text
of the model's, and the question can be made ready again from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any, get_args

from memcore.errors import ReplyInvalid
from memcore.events import QueryCue, QueryRead, Window
from memcore.extraction import Extraction, FoundCue, FoundTime
from memcore.graph import Graph
from memcore.llm.prompts.route_schemas import record, several
from memcore.llm.strict_json import Schema
from memcore.question import Question
from memcore.records import CueKind, Moment
from memcore.words import fold, normalise

_MOST, _MOST_NAMES, _MOST_WINDOWS = 30, 5, 5
_A_SEASON = 100  # days; what is longer counts as a year
_TEXT: Schema = {"type": "string", "minLength": 1}
_DAY: Schema = {"type": "string", "minLength": 10}


SCHEMA: Schema = record(
    cues=several(
        record(name=_TEXT, kind={"enum": list(get_args(CueKind))}, also=several(_TEXT, _MOST_NAMES)), _MOST
    ),
    people=several(_TEXT, _MOST),
    windows=several(record(**{"from": _DAY, "to": _DAY}), _MOST_WINDOWS),
)


def sound(value: Any) -> None:
    """Raises ReplyInvalid for days that are none."""
    for window in value["windows"]:
        try:
            first, last = date.fromisoformat(window["from"]), date.fromisoformat(window["to"])
        except ValueError:
            raise ReplyInvalid("The model's reply names a day that is not an ISO date.") from None
        if first > last:
            raise ReplyInvalid("The model's reply names days that end before they begin.")


def query_of(value: Any, question: Question, graph: Graph) -> QueryRead:
    """The event of a sound reply."""
    spans = [_span(cue["name"], question.text) for cue in value["cues"]]
    cues = [QueryCue(*span, cue["kind"]) for cue, span in zip(value["cues"], spans, strict=True) if span]
    others = [
        name
        for cue, span in zip(value["cues"], spans, strict=True)
        for name in (*([] if span else [cue["name"]]), *cue["also"])
    ]
    windows = [_window(w) for w in value["windows"]]
    return QueryRead(
        tuple(dict.fromkeys(cues)),
        tuple(dict.fromkeys(windows)),
        tuple(_known(value["people"], graph)),
        tuple(_known(others, graph)),
        "model",
    )


def reread(question: Question, query: QueryRead, graph: Graph) -> Question:
    """The question as the model read it, for the rules that go on from there."""
    at = {id_: i for i, id_ in enumerate(graph.columns.cue_ids)}
    people = {fold(graph.columns.cue_names[at[id_]]) for id_ in query.speakers if id_ in at}
    found = Extraction(
        (*_in_question(question, query), *_in_memory(query, graph)), (), (), tuple(_times(query))
    )
    speakers = tuple(sorted(s for s in graph.speakers if fold(s) in people))
    return replace(question, found=found, speakers=speakers)


def _in_question(question: Question, query: QueryRead) -> Iterable[FoundCue]:
    return (FoundCue(question.text[c.start : c.end], _kind(c.cue_kind), c.start, c.end) for c in query.cues)


def _in_memory(query: QueryRead, graph: Graph) -> Iterable[FoundCue]:
    """Cues that stand under other names in the question, and those of the people it names."""
    for id_ in dict.fromkeys((*query.also, *query.speakers)):
        at = graph.cue_index.get(id_)
        if at is not None:
            yield FoundCue(graph.columns.cue_names[at], _kind(graph.columns.cue_kinds[at]), 0, 0)


def _times(query: QueryRead) -> Iterable[FoundTime]:
    for window in query.windows:
        start, end = (
            datetime.combine(date.fromordinal(day), time(), UTC) for day in (window.first, window.last)
        )
        yield FoundTime(0, 0, Moment(start, end, window.precision, False))  # type: ignore[arg-type]


def _kind(name: str) -> CueKind:
    return next((kind for kind in get_args(CueKind) if kind == name), "entity")


def _span(name: str, text: str) -> tuple[int, int] | None:
    at = text.casefold().find(name.strip().casefold())
    found = at >= 0 and len(text.casefold()) == len(text)
    return (at, at + len(name.strip())) if found else None


def _known(names: Iterable[str], graph: Graph) -> list[str]:
    """Ids of the cues that have one of these names."""
    found = (graph.cue_keys.get(normalise(name), -1) for name in names)
    return list(dict.fromkeys(graph.columns.cue_ids[i] for i in found if i >= 0))


def _window(said: dict[str, str]) -> Window:
    first, last = date.fromisoformat(said["from"]), date.fromisoformat(said["to"])
    days = (last - first).days + 1
    return Window(first.toordinal(), last.toordinal(), "day" if days <= _A_SEASON else "year")
