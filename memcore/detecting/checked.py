"""Boundary: the work was checked or put away: tests pass, or a commit was made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memcore.detecting.actions import Act
from memcore.detecting.found import Boundary, Limits

PASSED, COMMITTED = "tests_passed", "committed"
_TESTS = re.compile(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest)\b|runtests"
    r"|\b(?:npm|yarn|pnpm|bun|cargo|go|mix|make|gradle|mvn|dotnet|just)\s+(?:run\s+)?test\b"
)
_GREEN = re.compile(
    r"\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b|^OK\b|\b0 failures\b|test result: ok|^ok\s|\bAll tests pass",
    re.MULTILINE | re.IGNORECASE,
)
_RED = re.compile(r"\b[1-9]\d* (?:failed|failures?|errors?)\b|^FAILED\b|test result: FAILED", re.MULTILINE)
_COMMIT = re.compile(r"(?:^|[;&|\n])[ \t]*git\s+(?:-C\s+\S+\s+)?commit\b")
_TAIL = 2_000  # characters in which a test runner sums up


def find(acts: Sequence[Act], limits: Limits) -> Iterator[Boundary]:
    """After each green run of tests (inferred) and each commit that did not fail (declared)."""
    for act in acts:
        if not act.command or act.failed:
            continue
        if _COMMIT.search(act.command):
            yield Boundary(act.position, COMMITTED, (act.position,), True)
        elif _TESTS.search(act.command) and _is_green(act.step.observation[-_TAIL:]):
            yield Boundary(act.position, PASSED, (act.position,))


def _is_green(text: str) -> bool:
    return _GREEN.search(text) is not None and _RED.search(text) is None
