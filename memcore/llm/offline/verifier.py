"""Maintain without a model: rules that read a finished subgoal against its task.

In this order: the last step failed (a signal, an exit code, an error in its first or last lines); a
dependency is broken (`needs KEY: VALUE` where the latest `gives KEY:` says another value); a limit of the
task is passed (`at most 500` in the task, `total: 520` in what was done); a requirement is not met ("the tent
must be waterproof" where the summary begins with the tent, and nothing done last is waterproof). What
rules cannot read they pass: a model may stand in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from memcore.records import MadeBy, RunStep
from memcore.state_tree import Segment, Verdict
from memcore.words import terms

READ_CHARS = 4_000  # of the beginning and of the end of an observation

_STATED = re.compile(r"\b(gives|needs) ([\w -]{1,40}): *([^;,.\n]{1,60})", re.I)
_AT_MOST = re.compile(r"\bat most (\d[\d,]*)", re.I)
_TOTAL = re.compile(r"\btotal:? *(\d[\d,]*)", re.I)
_MUST = re.compile(r"\b([\w-]+) must (?:be|have|support|fit) ([^.;,\n]{1,60})", re.I)
_BEGINNING = re.compile(r"[:;,.\n]")
_FAILED = re.compile(
    r"^\W*(?:error|fatal|exception|traceback|failed|failure)\b"
    r"|\bexit(?:ed with)?(?: code| status)?:? *[1-9]\d*\b"
    r"|\b(?:command not found|no such file or directory|permission denied)\b",
    re.I | re.M,
)


class RuleVerifier:
    """The rules above, the first that fails gives the note. Deterministic; a check reads kilobytes only."""

    made_by: MadeBy = "rule"

    def verify(self, task: str, segment: Segment) -> Verdict:
        """Passed, or a note that names what is wrong. The target is left to the tree."""
        last = segment.steps[-1] if segment.steps else None
        done = f"{ends_of(last.observation)}\n{segment.summary}" if last else segment.summary
        for note in chain(
            _failed_step(last),
            _broken_dependency(segment, done),
            _passed_limit(task, done),
            _unmet_requirement(task, segment.summary, done),
        ):
            return Verdict(False, note, evidence=(last.position,) if last else ())
        return Verdict(True)


def ends_of(text: str) -> str:
    """The beginning and the end of a long text, else all of it."""
    return text if len(text) <= 2 * READ_CHARS else f"{text[:READ_CHARS]}\n{text[-READ_CHARS:]}"


def failure_in(observation: str) -> str:
    """The line that says that something failed, "" for none; only near both ends of the text."""
    found = _FAILED.search(ends_of(observation))
    if found is None:
        return ""
    line = found.string[found.string.rfind("\n", 0, found.end()) + 1 :]
    return line.split("\n", 1)[0].strip()[:200]


def _failed_step(last: RunStep | None) -> Iterator[str]:
    if last is None:
        return
    if line := failure_in(last.observation):
        yield f"step {last.position} failed: {line}"
    elif last.signals:
        yield f"step {last.position} failed: {', '.join(last.signals)}"


def _broken_dependency(segment: Segment, done: str) -> Iterator[str]:
    """The latest word on each key counts, on either side."""
    given: dict[str, tuple[str, str]] = {}
    needed: dict[str, tuple[str, str]] = {}
    texts = [(f"step {step}", summary) for step, summary in segment.before]
    for where, text in [*texts, ("this subgoal", done)]:
        for verb, key, value in _STATED.findall(text):
            side = given if verb.lower() == "gives" else needed
            side[_plain(key)] = (_plain(value), where)
    for key, (value, where) in needed.items():
        other, source = given.get(key, (value, where))
        if other != value and "this subgoal" in (where, source):
            yield f"{where} needs {key}: {value}, but {source} gives {key}: {other}"


def _passed_limit(task: str, done: str) -> Iterator[str]:
    limits, totals = _AT_MOST.findall(task), _TOTAL.findall(done)
    if limits and totals and _number(totals[-1]) > _number(limits[0]):
        yield f"the total {totals[-1]} is above the {limits[0]} that the task allows"


def _unmet_requirement(task: str, summary: str, done: str) -> Iterator[str]:
    spoken, found = set(terms(_BEGINNING.split(summary, maxsplit=1)[0])), set(terms(done))
    for subject, quality in _MUST.findall(task):
        if set(terms(subject)) & spoken and not set(terms(quality)) <= found:
            yield f"the {subject} must be {quality.strip()}, and is not"


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _number(text: str) -> int:
    return int(text.replace(",", ""))
