"""LongMemEval: all sessions pooled into one memory, and how many evidence sessions are met in n turns read.

Two forms are read: the original (a list of questions with their haystacks in one JSON file), and a
converted one (`questions.jsonl` beside `sessions.jsonl`; the folder or either file may be named).
Relative times in a question are counted from the day it was asked. Abstentions are left out.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from memcore.errors import InputError
from memcore.evaluation.lanes import ACTIVE, Exam, exam, passive_lanes, scores
from memcore.evaluation.questions import Asked
from memcore.evaluation.rows import Row, against, joined, table
from memcore.importing import moment
from memcore.memories import Memories

QUESTIONS, SESSIONS = "questions.jsonl", "sessions.jsonl"
TOGETHER = "all"


class Pool(NamedTuple):
    """The file with the sessions, the questions about them, and how many had no answer to find."""

    sessions: Path
    asked: list[Asked]
    abstentions: int


def bench_longmemeval(file: Path, embedder: str, first: int = 0) -> Iterator[Row]:
    """Evidence-session recall by strategy and type of question, and active against each, paired."""
    pool = read_pool(file)
    with tempfile.TemporaryDirectory() as folder:
        memories = Memories.open(Path(folder) / "store", embedder=embedder)
        memory = memories.scope("pool", create=True)
        list(memory.import_path(pool.sessions))
        ready = exam(memory, pool.asked[: first or None], "session")
        yield _measured_on(pool, ready, memory.count())
        if not ready.questions:
            raise InputError(
                "No question of this file has an evidence session in it: nothing can be measured."
            )
        passive = passive_lanes(embedder)
        found = {lane.name: scores(memories, [ready], lane) for lane in (*passive, ACTIVE)}
    types = sorted({asked.category for asked, _ in ready.questions})
    for name, by_type in found.items():
        yield from table(name, by_type, TOGETHER, types)
    for lane in passive:
        yield against(lane.name, TOGETHER, joined(found[ACTIVE.name], types), joined(found[lane.name], types))


def read_pool(file: Path) -> Pool:
    """Raises InputError where the file is of neither form."""
    if file.is_dir() or file.name in (QUESTIONS, SESSIONS):
        folder = file if file.is_dir() else file.parent
        return _pool(folder / SESSIONS, _lines(folder / QUESTIONS), _converted)
    return _pool(file, _rows(file), _original)


def _pool(sessions: Path, rows: list[Any], read: Any) -> Pool:
    try:
        asked = [read(row) for row in rows]
    except (KeyError, TypeError, AttributeError) as error:
        raise _other(sessions) from error
    kept = [question for question in asked if question is not None]
    if not kept or not sessions.is_file():
        raise _other(sessions)
    return Pool(sessions, kept, len(asked) - len(kept))


def _original(row: dict[str, Any]) -> Asked | None:
    if str(row["question_id"]).endswith("_abs") or not isinstance(row["haystack_sessions"], list):
        return None
    evidence = tuple(str(s) for s in row["answer_session_ids"])
    return _asked(row["question"], row["question_type"], evidence, row.get("question_date"))


def _converted(row: dict[str, Any]) -> Asked | None:
    truth: dict[str, Any] = row["ground_truth"]
    limits: dict[str, Any] = row.get("constraints") or {}
    if limits.get("abstention_expected"):
        return None
    evidence = tuple(str(s) for s in truth["supporting_session_ids"])
    return _asked(row["question"], row["category"], evidence, truth.get("valid_as_of"))


def _asked(text: object, category: object, evidence: tuple[str, ...], date: object) -> Asked:
    return Asked(str(text), str(category), tuple(dict.fromkeys(evidence)), asked=moment(date))


def _rows(file: Path) -> list[Any]:
    try:
        found: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _other(file) from error
    return found if isinstance(found, list) else []  # pyright: ignore[reportUnknownVariableType]


def _lines(file: Path) -> list[Any]:
    try:
        return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise _other(file) from error


def _other(file: Path) -> InputError:
    return InputError(
        f"{file.name} is not LongMemEval: a list of questions with their sessions is needed, "
        f"or {QUESTIONS} beside {SESSIONS}."
    )


def _measured_on(pool: Pool, ready: Exam, count: dict[str, int]) -> Row:
    return {
        "questions": len(ready.questions),
        "abstentions left out": pool.abstentions,
        "questions without usable evidence": ready.left_out,
        "evidence references": ready.references,
        "evidence references not resolved": ready.unresolved,
        "questions with a date": sum(asked.asked.known for asked, _ in ready.questions),
        "sessions": count.get("conversation", 0),
        "turns": count.get("turn", 0),
    }
