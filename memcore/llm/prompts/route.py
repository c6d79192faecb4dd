"""What a model is asked in the roles of a reconstruction, one function per role.

Tags come before contents: paths are chosen by the names of cues and tags alone, and a content is shown only
once its path was chosen and it was opened. Everything to choose from has a number; the model never sees an
id. A prompt follows from the question, the lines that were shown (events.Shown) and what these are called,
so that it can be made again from a trace, which holds no text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, get_args

from memcore.events import ActionKind, ModelRole, Shown
from memcore.llm.prompts.parts import DATA, Prompt, day_named, days_named, fenced, indented

NO_LONGER_KEPT = "(no longer kept)"
ACTIONS = frozenset(get_args(ActionKind))

_READ = f"""Read the question to a memory of conversations and say by what it can be looked up.
1. cues: each name, thing, place, event, activity or time the question asks by, as it is written there, with
one kind of: people, entity, location, time, event, task, topic, verb; and as "also" up to three other names
that the memory may use for it.
2. people: the persons it names.
3. windows: the days it asks about, if it names any, as ISO dates from and to, counted from the day it was
asked on.
Answer {{"cues": [{{"name": "...", "kind": "...", "also": []}}], "people": [], "windows": [{{"from":
"2023-05-01", "to": "2023-05-31"}}]}}. {DATA}"""

_CHOOSE = f"""Choose which paths into a memory of conversations to follow for the question. A path is a cue
and one of its tags: the tag says what the memories behind it tell of that cue. You see no memory that was
not opened yet, so choose by tags. Take every path that may lead to what is still missing, and none that does
not: what you take is read at a price. Answer {{"take": [0, 4]}} with the numbers of the paths, each at most
once. {DATA}"""

_ROUTE = f"""Decide for each numbered memory whether it is evidence for the question: it helps to answer it,
or leads to who or what does. Prune the others, each with one reason of: off_topic, other_person, other_time,
says_again. Answer {{"keep": [0], "prune": [{{"memory": 1, "why": "off_topic"}}]}}; every number stands in
exactly one of them. {DATA}"""

_ENOUGH = f"""Judge whether the evidence answers the question in full. If it does, answer {{"enough": true,
"missing": [], "follow": []}}. If not, give as missing the numbers of the question's cues that it does not
settle, and as follow the numbers of the evidence's cues that may lead to the rest: {{"enough": false,
"missing": [0], "follow": [2]}}. {DATA}"""

_ANSWER = f"""Answer the question from the evidence alone, in as few words as are true: names, absolute
dates, counts. Cite the numbers of the evidence that the answer rests on. Answer {{"found": true, "answer":
"...", "cites": [0]}}, or {{"found": false, "answer": "", "cites": []}} where the evidence does not answer it.
{DATA}"""


class Names(Protocol):
    """What ids are called: as the snapshot of the memory says it, or later the store."""

    def cue(self, cue_id: str) -> str: ...

    def tag(self, tag_id: str) -> str: ...

    def content(self, content_id: str, chars: int) -> str:
        """One content with its day and speaker, its text cut to so many characters."""
        ...


class Sheet(NamedTuple):
    """All that a prompt follows from; `chars` are those shown of one content."""

    question: str
    shown: Sequence[Shown]
    names: Names
    chars: int

    def of(self, *parts: str) -> list[Shown]:
        return [s for s in self.shown if s.part in parts]


def prompt_of(role: ModelRole, sheet: Sheet) -> Prompt:
    """What a model is asked in a role."""
    return _PROMPTS[role](sheet)


def read(sheet: Sheet) -> Prompt:
    """Cues, people and times of the question."""
    days = [day_named(s.many) for s in sheet.of("asked_on")]
    return Prompt(_READ, fenced(("asked on", days[0] if days else "no date"), _question(sheet)))


def choose(sheet: Sheet) -> Prompt:
    """Which (cue, tag) pairs and other paths are followed: names only, and what is evidence already."""
    evidence = _lines("E", sheet, "evidence") or ["none yet"]
    missing = [_span(s, sheet.question) for s in sheet.of("missing")]
    return Prompt(
        _CHOOSE,
        fenced(
            _question(sheet),
            ("evidence", "\n".join(evidence)),
            ("still missing", "; ".join(missing) or "not said"),
            ("paths", "\n".join(_paths(sheet))),
        ),
    )


def route(sheet: Sheet) -> Prompt:
    """Which of the opened contents are evidence."""
    opened = "\n".join(_lines("", sheet, "content"))
    return Prompt(_ROUTE, fenced(_question(sheet), ("memories", opened)))


def enough(sheet: Sheet) -> Prompt:
    """Is the evidence sufficient, what is missing, and which cues of it lead on?"""
    missing = [f"({i}) {_span(s, sheet.question)}" for i, s in enumerate(sheet.of("missing"))]
    cues = [f"({i}) {sheet.names.cue(s.cue_id)}" for i, s in enumerate(sheet.of("cue"))]
    return Prompt(
        _ENOUGH,
        fenced(
            _question(sheet),
            ("evidence", "\n".join(_lines("E", sheet, "evidence"))),
            ("cues of the question", "\n".join(missing) or "none"),
            ("cues of the evidence", "\n".join(cues) or "none"),
        ),
    )


def answer(sheet: Sheet) -> Prompt:
    """A short answer that rests on cited evidence."""
    evidence = "\n".join(_lines("", sheet, "evidence"))
    return Prompt(_ANSWER, fenced(_question(sheet), ("evidence", evidence)))


def options(shown: Iterable[Shown]) -> list[Shown]:
    """The lines that are paths to choose, in the order of their numbers."""
    return [s for s in shown if s.part in ACTIONS]


def _question(sheet: Sheet) -> tuple[str, str]:
    return "question", indented(sheet.question)


def _lines(letter: str, sheet: Sheet, part: str) -> list[str]:
    """Contents, numbered, each with its day and speaker; how many more there are."""
    lines = [
        f"({letter}{i}) {sheet.names.content(s.content_id, sheet.chars)}"
        for i, s in enumerate(sheet.of(part))
    ]
    return lines + [f"and {s.many} more that are not shown" for s in sheet.of("left_out")]


def _paths(sheet: Sheet) -> Iterator[str]:
    """The paths to choose: those of one cue on a line, each with its number."""
    rows: dict[str, list[str]] = {}
    evidence = {s.content_id: f"E{i}" for i, s in enumerate(sheet.of("evidence"))}
    for number, line in enumerate(options(sheet.shown)):
        head, words = _WORDS[line.part](line, sheet.names, evidence.get(line.content_id, "older evidence"))
        rows.setdefault(head, []).append(f"({number}) {words}")
    for head, paths in rows.items():
        yield f"{head}: {'; '.join(paths)}"


_Words = Callable[[Shown, Names, str], tuple[str, str]]
_WORDS: dict[str, _Words] = {
    "pair_contents": lambda s, names, _: (names.cue(s.cue_id), names.tag(s.tag_id)),
    "cue_tags": lambda s, names, _: (names.cue(s.cue_id), f"show {s.many} more of its tags"),
    "cue_contents": lambda s, names, _: (names.cue(s.cue_id), "all that it leads to"),
    "person_facts": lambda s, names, _: (names.cue(s.cue_id), "the facts known of this person"),
    "tag_contents": lambda s, names, _: ("whatever the cue", names.tag(s.tag_id)),
    "window_contents": lambda s, names, _: ("days", _days(s.tag_id)),
    "topic_episodes": lambda s, names, _: ("topics", names.tag(s.tag_id) if s.tag_id else "one near by"),
    "content_neighbours": lambda s, names, at: (f"beside {at}", "what was said before and after it"),
    "content_time": lambda s, names, at: (f"beside {at}", "what else happened on its day"),
    "content_handles": lambda s, names, at: (f"beside {at}", "its own cues"),
    "search": lambda s, names, _: ("search", "a memory that a search of everything found"),
}


def _span(shown: Shown, question: str) -> str:
    start, end = (int(part) for part in shown.tag_id.split(":"))
    return " ".join(question[start:end].split())


def _days(window: str) -> str:
    first, last = (int(part) for part in window.split(":"))
    return days_named(first, last)


_PROMPTS: dict[ModelRole, Callable[[Sheet], Prompt]] = {
    "read": read,
    "choose": choose,
    "route": route,
    "enough": enough,
    "answer": answer,
}
