"""mini-swe-agent trajectories: the messages of the run, bare or in {"info", "messages", "trajectory_format"}.

Every message of the agent is one step. Its command is the fenced block in the text, or the tool calls of
later versions; the text around it is the thought. What the environment answers (in the role "user", with
<returncode> and <output>, or as a tool result) is the observation. A message without a command is a
step too: the environment answers how it should have looked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memcore.importing.report import Report
from memcore.importing.runs.chat import acts, read_message, text_of
from memcore.importing.runs.collecting import Collecting
from memcore.importing.runs.draft import DraftRun, DraftStep, headline
from memcore.importing.runs.opening import RunFile
from memcore.importing.runs.report import RunReport
from memcore.importing.shapes import fingerprint, is_list, is_record, items, name, record, string
from memcore.importing.times import moment

NAME = "mini-swe-agent trajectory"
SAYS = 'a mini-swe-agent trajectory (messages with a fenced command, answered with "<returncode>")'
_FENCE = re.compile(r"```(?:mswea_bash_command|bash|sh)[ \t]*\r?\n(.*?)\r?\n?```", re.DOTALL)
_ANSWERED = re.compile(r"\s*(<returncode>|<output>|Observation:|<exit_?code>)")
_OWN_FENCE = "```mswea_bash_command"


def recognises(file: RunFile) -> bool:
    """It says so, or it is a list of messages with fenced commands and their return codes."""
    single = file.document.single
    if is_record(single):
        declared = string(single.get("trajectory_format")).startswith("mini-swe-agent")
        return is_list(single.get("messages")) and (declared or "mini_version" in record(single.get("info")))
    return not file.document.lines and _is_trajectory(items(single))


def _is_trajectory(messages: list[Any]) -> bool:
    fenced = answered = False
    for message in messages[:200]:
        said = record(message)
        text = string(said.get("content"))
        if said.get("role") == "assistant":
            fenced = fenced or _OWN_FENCE in text or _FENCE.search(text) is not None
        elif said.get("role") == "user" and fenced:
            answered = answered or _ANSWERED.match(text) is not None
    return fenced and answered


def read(file: RunFile, report: RunReport) -> Iterator[DraftRun]:
    """The one run of the file."""
    single = file.document.single
    around = record(single)
    messages = items(single) or items(around.get("messages"))
    info = record(around.get("info"))
    collecting = Collecting(report)
    called = any(bool(record(message).get("tool_calls")) for message in messages)
    for position, message in enumerate(messages):
        where = f"message {position + 1}"
        if called and acts(message):
            at = record(record(message).get("extra")).get("timestamp")
            read_message({"timestamp": at, **record(message)}, collecting, report, where)
        else:
            _read(message, collecting, report, where)
    status = name(info.get("exit_status"))
    steps = _ended(collecting.finish(), status)
    source = name(around.get("instance_id")) or file.document.name
    config = record(info.get("config"))
    yield DraftRun(
        source=source,
        title=f"{file.document.name.removesuffix('.traj.json')}: {headline(collecting.task)}",
        task=collecting.task,
        steps=steps,
        agent="mini-swe-agent",
        model=name(record(config.get("model")).get("model_name")),
        task_id=name(around.get("instance_id")),
        outcome=status,
        key=fingerprint(source, collecting.task, *(f"{step.action}\n{step.observation}" for step in steps)),
    )


def _read(message: object, into: Collecting, report: Report, where: str) -> None:
    if not is_record(message):
        report.skip(where, "a message is not a record with a role")
        return
    text, role = text_of(message.get("content"), report), string(message.get("role"))
    extra = record(message.get("extra"))
    if role == "system":
        into.system()
    elif role == "assistant":
        said = moment(extra.get("timestamp") or message.get("timestamp"))
        command = _FENCE.search(text)
        if command is None:
            into.say(text, said=said)
            return
        around = (text[: command.start()].strip(), text[command.end() :].strip())
        into.say(command.group(1), "\n\n".join(part for part in around if part), said=said)
        into.name_tool("bash")
    elif role == "exit":
        into.close(text)
    elif role in ("user", "tool"):
        into.reply(text)
    else:
        report.skip(where, "a message has a role that takes no part in a run")


def _ended(steps: tuple[DraftStep, ...], status: str) -> tuple[DraftStep, ...]:
    """A run that ended otherwise than by submitting was cut off at its last step."""
    if not steps or not status or status.lower().startswith("submitted"):
        return steps
    return (*steps[:-1], steps[-1]._replace(signals=(*steps[-1].signals, "aborted")))
