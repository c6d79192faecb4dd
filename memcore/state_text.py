"""The active state as text an agent can read: compressed, raw, hints, with the tokens of each part.

Texts are shown without terminal codes and control characters, and cut where they are long: a step in its
middle, a hint at its end. The records keep them verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memcore.active_state import ActiveState, Alternative, Diagnosis, Sizes
from memcore.records import RunMark, RunStep
from memcore.settings import DEFAULT, Settings
from memcore.tokens import count

_TERMINAL = re.compile(r"\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class StateText:
    """What the agent reads, and what it costs: `sizes` are tokens of the text as it stands here.

    Its `full_history` is what all steps executed so far would take, shown in the same way.
    """

    text: str
    sizes: Sizes
    state: ActiveState


@dataclass(frozen=True, slots=True)
class Texts:
    """Where the words are: the steps of a run by position, its marks by id."""

    steps: Mapping[int, RunStep]
    marks: Mapping[str, RunMark]
    settings: Settings = DEFAULT


def state_text(state: ActiveState, texts: Texts, full_history: int, told: str = "") -> StateText:
    """The text of an active state. `told` is said at the end: why the last operation was refused."""
    compressed = "\n".join(_compressed(state, texts))
    raw = "\n".join(shown_step(texts.steps[n], texts.settings) for n in state.raw)
    hints = "\n".join(_hints(state, texts, told))
    parts = [("Done so far", compressed), ("Since then", raw), ("Hints", hints)]
    return StateText(
        "\n\n".join(f"{title}:\n{part}" for title, part in parts if part),
        Sizes(count(compressed), count(raw), count(hints), full_history),
        state,
    )


def shown_step(step: RunStep, settings: Settings = DEFAULT) -> str:
    """One step as the agent reads it."""
    most = settings.tree_step_chars
    action, observation = (cut_middle(clean(t), most) for t in (step.action, step.observation))
    return f"[step {step.position}] {action}\n{observation or '(nothing)'}"


def full_history(steps: Iterable[RunStep], settings: Settings = DEFAULT) -> int:
    """Tokens of all these steps, shown one after the other: what a long context would hold."""
    return sum(count(shown_step(step, settings)) for step in steps)


def _compressed(state: ActiveState, texts: Texts) -> Iterator[str]:
    points = ", ".join(map(str, state.boundaries))
    if texts.settings.tree_revise:
        yield f"You can go back to step {points} (0 is the start)."
    else:
        yield f"Finished up to step {points} (0 is the start)."
    for summary in state.compressed:
        yield f"[step {summary.step}] {clean(_said(texts, summary.record).summary)}"
        if summary.note:
            yield f"  failed: {_note(summary.note, texts)}"


def _hints(state: ActiveState, texts: Texts, told: str) -> Iterator[str]:
    yield from (_diagnosis(found, texts) for found in state.diagnoses)
    yield from (_alternative(found, texts) for found in state.alternatives)
    if told:
        yield f"- not possible: {told}"


def _diagnosis(found: Diagnosis, texts: Texts) -> str:
    where = "you are on this way again" if found.here else "it was left"
    return f"- failed up to step {found.step} ({where}): {_note(found.note, texts)}"


def _alternative(found: Alternative, texts: Texts) -> str:
    step, most = texts.steps[found.first], texts.settings.tree_hint_chars
    tried = f"{one_line(step.action, most)} -> {one_line(step.observation, most)}"
    why = _note(found.left_by, texts)
    return f"- tried from step {found.below} and left: {tried}{f' ({why})' if why else ''}"


def _said(texts: Texts, record: str) -> RunMark:
    """The mark, or an empty one where none was stored (a search tree's own moves)."""
    return texts.marks.get(record) or RunMark("", "", 0, "revise")


def _note(record: str, texts: Texts) -> str:
    return one_line(_said(texts, record).note, texts.settings.tree_note_chars)


def one_line(text: str, most: int) -> str:
    """A text on one line, at most so many characters."""
    plain = " ".join(clean(text[: 4 * most]).split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def clean(text: str) -> str:
    """Without terminal codes and control characters; lines and tabs stay."""
    text = text.replace("\r\n", "\n")
    return text if text.isprintable() else _CONTROL.sub("", _TERMINAL.sub("", text))


def cut_middle(text: str, most: int) -> str:
    """The first and last `most` / 2 characters of a longer text, and how much was left out."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[len(text) - half :]}"
