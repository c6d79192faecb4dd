"""A short summary of a segment, in words taken from it: nothing is made up, nothing is asked of a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memcore.detecting.actions import Act

LONGEST = 240  # characters of a summary
_SENTENCE = re.compile(r"(?<=[.!?。])\s+")


def summary_of(segment: Sequence[Act], says: str = "") -> str:
    """What the agent set out to do or declared done, the files it changed, and how it came out."""
    paths = dict.fromkeys(_name(act.path) for act in segment if act.family == "edit" and act.path)
    parts = [
        f"done: {says}" if says else _intention(segment),
        f"changed {', '.join(list(paths)[:3])}" if paths else "",
        f"ended with: {_outcome(segment)}" if _outcome(segment) else "",
    ]
    return cut(" · ".join(part for part in parts if part), LONGEST)


def cut(text: str, limit: int) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _intention(segment: Sequence[Act]) -> str:
    """The first sentence the agent said in the segment; else its first action."""
    said = next((act.step.thought for act in segment if act.step.thought.strip()), "")
    said = said or next((act.step.action for act in segment if act.family == "say"), "")
    if said:
        sentences = _SENTENCE.split(said.strip()[:1_000])
        return cut(next((one for one in sentences if len(one.split()) > 2), sentences[0]), 110)
    return cut(" → ".join(act.step.action[:110] for act in segment if act.step.action), 110)


def _outcome(segment: Sequence[Act]) -> str:
    """The last line of what came back last."""
    last = segment[-1].step
    text = last.observation or ("" if last.tool else last.action)
    lines = [line for line in text[-1_000:].splitlines() if any(map(str.isalnum, line))]
    return cut(lines[-1], 90) if lines else ""


def _name(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
