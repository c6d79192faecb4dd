"""The page State tree as Streamlit runs it, on the sample runs: what its tests share."""

from __future__ import annotations

from pages_running import page, words
from streamlit.testing.v1 import AppTest

from memcore import samples
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import AgentRun

SCOPE = "Runs"
TRIAL_1, TRIAL_2 = "A quartet to Brackwater, trial 1", "A quartet to Brackwater, trial 2"


def with_runs(store: Memories) -> Memory:
    """A memory with the sample runs and nothing else."""
    found = store.scope(SCOPE, create=True)
    for name in ("quartet_runs", "gangneung_runs"):
        list(found.runs.import_path(samples.folder() / f"{name}.jsonl"))
    return found


def run_of(memory: Memory, title: str = TRIAL_1) -> AgentRun:
    return next(run for run in memory.runs.all() if run.title == title)


def opened(memory: Memory, title: str = TRIAL_1, **query: str) -> AppTest:
    app = page("state_tree", run=run_of(memory, title).id, **query)
    assert not app.exception
    return app


def plainly(app: AppTest) -> str:
    return words(app).replace("\\", "")


def asked(app: AppTest, name: str) -> str:
    value = app.query_params.get(name, "")
    return value[0] if isinstance(value, list) else value


def tab(app: AppTest, name: str) -> AppTest:
    app.session_state["tree:tab"] = name
    app.run()
    assert not app.exception
    return app


def mark_of(memory: Memory, summary: str) -> str:
    marks = memory.runs.get(run_of(memory).id).marks
    return next(m.id for m in marks if m.summary.startswith(summary))


def covers(memory: Memory) -> list[tuple[int, ...]]:
    return [e.covers for e in memory.runs.get(run_of(memory).id).events() if e.kind == "compressed"]
