"""Claude Code sessions: JSONL with a line per message, or {"loglines": [...]}.

A run is the session; every tool call is a step, and every reply without one. Lines are merged and
bridged as claude_lines says. The summary that a compaction leaves is kept as a boundary that the program
made itself. Subagents are runs below the step that started them: from the files beside the session
(<session>/subagents/agent-*.jsonl), from its own side lines, or from its lines of progress.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from memcore.errors import InputError
from memcore.importing.document import open_document
from memcore.importing.runs.chat import agent_says, person_says, taken_apart
from memcore.importing.runs.claude_lines import Line, is_line, nearest_told, parents_of, spoken_lines
from memcore.importing.runs.collecting import Collecting
from memcore.importing.runs.draft import DraftMark, DraftRun, DraftStep, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import fingerprint, is_list, is_record, items, name, record, string
from memcore.importing.times import moment
from memcore.records import UNKNOWN

NAME = "Claude Code session"
SAYS = 'a Claude Code session (lines with "type", "message" and "sessionId", or "loglines")'
_INTERRUPTED = "[Request interrupted by user"
_PLAIN_ID = re.compile(r"[\w-]{1,80}", re.ASCII)
Placed = list[tuple[str, Any]]


def recognises(file: RunFile) -> bool:
    """Some record is a message of a session, or the file holds the lines of one."""
    single = file.document.single
    if is_record(single) and is_list(single.get("loglines")):
        return True
    return any(is_line(entry) for entry in file.document.records)


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """The session as one run with its subagents nested in it."""
    lines = record(file.document.single).get("loglines")
    entries = items(lines) if is_list(lines) else file.document.records
    placed = [(file.document.where(n), entry) for n, entry in enumerate(entries)]
    aside = [pair for pair in placed if record(pair[1]).get("isSidechain")]
    main = [pair for pair in placed if not record(pair[1]).get("isSidechain")]
    if not any(is_line(entry) for _, entry in main) and not is_list(lines):
        main, aside = placed, []  # the file of a subagent: nothing but side lines
    read_run = _read_thread(main, entries, report)
    below = _subagents(file, read_run, main, aside, report)
    yield read_run.run._replace(nested=tuple(below))


class _Thread(NamedTuple):
    """A run, the parents of its lines, and the position of the step that each line and call belongs to."""

    run: DraftRun
    parents: dict[str, str]
    places: dict[str, int]
    calls: dict[str, int]


def _read_thread(placed: Placed, entries: list[Any], report: RunReport) -> _Thread:
    parents = parents_of(entries)
    collecting, marks = Collecting(report), list[DraftMark]()
    places: dict[str, int] = {}
    prompted: set[str] = set()
    for line in list(spoken_lines(placed, report)):  # all are read before a reply is whole
        back = _went_back(line, parents, places, prompted)
        _read_line(line, collecting, marks, back, report)
        places.update((uuid, collecting.count) for uuid in line.uuids if uuid)
    steps = collecting.finish()
    run = _run(placed, collecting.task, steps, tuple(marks))
    return _Thread(
        run, parents, places, {step.source: n for n, step in enumerate(steps, start=1) if step.source}
    )


def _went_back(line: Line, parents: dict[str, str], places: dict[str, int], prompted: set[str]) -> int | None:
    """The step before the prompt that this one replaces; None where it replaces none."""
    if not line.is_prompt:
        return None
    parent = nearest_told(parents, parents.get(line.uuids[0], ""), places)
    if not parent:
        return None
    again = parent in prompted
    prompted.add(parent)
    return places[parent] if again else None


def _read_line(
    line: Line, into: Collecting, marks: list[DraftMark], back: int | None, report: RunReport
) -> None:
    said = taken_apart(line.message, report)
    if line.kind == "compacted":
        if into.count:
            marks.append(DraftMark(into.count, "compress", summary=said.text, rule="compaction"))
        else:
            into.reply(said.text)
    elif line.kind == "assistant":
        fresh = tuple(call for call in said.calls if not call.id or into.place_of(call.id) is None)
        report.repeat(len(said.calls) - len(fresh))
        at = moment(line.raw.get("timestamp"))
        agent_says(said._replace(calls=fresh), into, line.uuids[0], at)
        if line.raw.get("isApiErrorMessage"):
            into.fail("is_error")
    elif back is not None and back < into.count:
        into.heard(said.text, back)
    else:
        person_says(said, into)
        if _INTERRUPTED in said.text or record(line.raw.get("toolUseResult")).get("interrupted") is True:
            into.fail("aborted")


def _run(placed: Placed, task: str, steps: tuple[DraftStep, ...], marks: tuple[DraftMark, ...]) -> DraftRun:
    entries = [record(entry) for _, entry in placed]
    session = next((id for entry in entries if (id := name(entry.get("sessionId")))), "")
    aside = (entry for entry in entries if entry.get("isSidechain"))
    agent = next((id for entry in aside if (id := name(entry.get("agentId")))), "")
    models = (name(record(entry.get("message")).get("model")) for entry in entries)
    summary = next((text for entry in reversed(entries) if (text := _summary(entry))), "")
    asked = [part for part in task.split("\n\n") if not part.lstrip().startswith("<")]
    title = headline(summary, 100) or headline("\n".join(asked)) or headline(task)
    source = f"{session}/{agent}" if agent else session
    return DraftRun(
        source=source or "session",
        title=title or source or "session",
        task=task,
        steps=steps,
        agent=agent or "Claude Code",
        model=next((model for model in models if model and not model.startswith("<")), ""),
        started=next((step.said for step in steps if step.said.known), UNKNOWN),
        marks=marks,
        key=source or fingerprint(task, *(step.action for step in steps[:1])),
    )


def _summary(entry: dict[str, Any]) -> str:
    return string(entry.get("summary")) if entry.get("type") == "summary" else ""


def _subagents(
    file: RunFile, thread: _Thread, main: Placed, aside: Placed, report: RunReport
) -> Iterator[DraftRun]:
    """The subagents' runs, each from the best source there is, with the step that started it."""
    started = _started(main)
    found: dict[str, Placed] = {id: lines for id, lines in _by_agent(aside).items() if lines}
    for id, lines in _in_progress(main).items():
        found.setdefault(id, lines)
    for path in _files_beside(file.path, started.keys() | found.keys()):
        if lines := _opened(path, report):
            ids = (name(record(entry).get("agentId")) for _, entry in lines)
            id = next((id for id in ids if id), path.stem)
            found[id] = lines
            if id not in started and path.parent.name in started:
                started[id] = started[path.parent.name]  # a workflow keeps its agents in its own folder
    for id, lines in found.items():
        nested = _read_thread(lines, [entry for _, entry in lines], report).run
        if nested.steps:
            step = thread.calls.get(started.get(id, "")) or _above(lines, nested, thread)
            yield nested._replace(agent=id, parent_step=step, source=_named(nested, thread.run, id))


def _named(nested: DraftRun, above: DraftRun, id: str) -> str:
    return nested.source if nested.source.endswith(f"/{id}") else f"{above.source}/{id}"


def _above(lines: Placed, nested: DraftRun, thread: _Thread) -> int | None:
    """The step by the parent of the first line, or the call that was given the same prompt."""
    above = name(record(lines[0][1]).get("parentUuid"))
    if told := nearest_told(thread.parents, above, thread.places):
        return thread.places[told]
    prompt = nested.task.strip()
    given = [n for n, step in enumerate(thread.run.steps, start=1) if step.tool in ("Task", "Agent")]
    same = (n for n in given if prompt and _prompt(thread.run.steps[n - 1].action) == prompt)
    return next(same, given[0] if len(given) == 1 else None)


def _prompt(action: str) -> str:
    """The prompt inside the arguments of a Task call."""
    try:
        given = json.loads(action[action.index("(") + 1 : -1])
    except (ValueError, RecursionError):
        return ""
    return string(record(given).get("prompt")).strip()


def _started(main: Placed) -> dict[str, str]:
    """The call that started each subagent or each workflow of them: from lines of progress and results."""
    started: dict[str, str] = {}
    for _, entry in main:
        line = record(entry)
        result = record(line.get("toolUseResult"))
        for key in filter(None, map(name, (result.get("agentId"), result.get("runId"), line.get("agentId")))):
            for block in items(record(line.get("message")).get("content")):
                started.setdefault(key, name(record(block).get("tool_use_id")))
        works = name(record(line.get("data")).get("agentId"))
        if works and name(line.get("parentToolUseID")):
            started[works] = name(line.get("parentToolUseID"))
    return started


def _by_agent(aside: Placed) -> dict[str, Placed]:
    """Side lines by the agent's id, or by the first line of their chain where they have none."""
    found: dict[str, Placed] = {}
    roots: dict[str, str] = {}
    for where, entry in aside:
        line = record(entry)
        uuid, parent = name(line.get("uuid")), name(line.get("parentUuid"))
        root = roots.get(parent) or uuid
        roots[uuid] = root
        found.setdefault(name(line.get("agentId")) or f"side-{root}", []).append((where, entry))
    return found


def _in_progress(main: Placed) -> dict[str, Placed]:
    """What lines of progress repeat of a subagent's messages."""
    found: dict[str, Placed] = {}
    for where, entry in main:
        data = record(record(entry).get("data"))
        if id := name(data.get("agentId")):
            found.setdefault(id, []).append((where, {**record(data.get("message")), "agentId": id}))
    return found


def _files_beside(path: Path | None, ids: set[str]) -> Iterator[Path]:
    """The files of the subagents of the session at `path`: in its own folder, or next to it by id."""
    if path is None:
        return
    yield from sorted((path.with_suffix("") / "subagents").rglob("agent-*.jsonl"))
    for id in sorted(ids):
        beside = path.parent / f"agent-{id}.jsonl"
        if _PLAIN_ID.fullmatch(id) and beside != path and beside.is_file():
            yield beside


def _opened(path: Path, report: RunReport) -> Placed:
    try:
        document = open_document(path)
    except InputError as error:
        report.warn(str(error))
        return []
    return [(f"{path.name}, {document.where(n)}", entry) for n, entry in enumerate(document.records)]
