"""The answer as it is shown: sentences with their sources, said to be extractive where they are.

What a model wrote is looked up beside the trace (see prompted); its sentences are the memories it cites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from memcore.records import Content, Record, Turn
from memcore.run_state import State
from memcore.view.naming import counted, made_by_whom, why_ended
from memcore.view.times import brief

EXTRACTIVE = "Sentences of the evidence, word for word; nothing was written by a model."
WRITTEN = "Written by a model from the memories it cites."
GONE = "What the model wrote is no longer kept; it cited these memories."
NOTHING = "Nothing in this memory answers it."
NOTHING_BY_MODEL = "The model found no answer in this evidence."


class Quoted(NamedTuple):
    """A sentence of the answer or a piece of evidence, and where it comes from."""

    text: str
    who: str
    said: str
    event: str
    source: str
    content_id: str
    score: float


@dataclass(frozen=True, slots=True)
class AnswerView:
    """`sentences` answer; `evidence` is all that was kept, best first; `turns` were read, in order.

    `by_model`: a model answered, `written` is what it wrote, "" where that is not kept, and the sentences are
    what it cites. `model` is its name.
    """

    sentences: tuple[Quoted, ...]
    evidence: tuple[Quoted, ...]
    turns: tuple[str, ...]
    budget: int
    steps: int
    stopped: str
    by_model: bool = False
    written: str = ""
    model: str = ""

    @property
    def note(self) -> str:
        """Who wrote the answer, or that there is none."""
        if not self.sentences:
            return NOTHING_BY_MODEL if self.by_model else NOTHING
        return EXTRACTIVE if not self.by_model else WRITTEN if self.written else GONE

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "answer": [q._asdict() for q in self.sentences],
            "extractive": not self.by_model,
            "model": self.model,
            "written": self.written,
            "evidence": [q._asdict() for q in self.evidence],
            "turns_read": list(self.turns),
            "budget": self.budget,
            "steps": self.steps,
            "stopped": self.stopped,
        }

    def as_text(self) -> list[str]:
        """Lines for a terminal."""
        lines = [f"{q.text}\n    {q.who}, {q.said} [{q.source}]" for q in self.sentences] or [self.note]
        lines = [*([f"{self.written}\n"] if self.sentences and self.written else []), *lines]
        note = [f"({self.note})"] if self.sentences else []
        read = f"{len(self.turns)} of {counted(self.budget, 'turn')} read in {counted(self.steps, 'step')}"
        by = f", answered by {self.model}" if self.model else ""
        return [*lines, *note, f"{read}, {len(self.evidence)} kept{by}; {self.stopped}."]


def answer_lines(
    state: State, records: Mapping[str, Record], written: str | None = None, zone: str = ""
) -> AnswerView:
    """`records` are the contents kept and the turns read, by id; what is missing was erased since.

    `written` is what a model wrote (see prompted.answer_text); times are told in this zone.
    """
    given = state.answer.sentences if state.answer else ()
    sentences = [quoted(records.get(s.content_id), s.score, records, zone, (s.start, s.end)) for s in given]
    kept = sorted(state.evidence.values(), key=lambda k: -k.score)
    evidence = [quoted(records.get(k.content_id), k.score, records, zone) for k in kept]
    read = [r.source for t in state.turns if isinstance(r := records.get(t), Turn)]
    return AnswerView(
        tuple(q for q in sentences if q),
        tuple(q for q in evidence if q),
        tuple(read),
        state.budget,
        state.step,
        why_ended(state.limit) if state.limit else "not finished",
        state.answer is not None and state.answer.made_by == "model",
        written or "",
        state.answer.model if state.answer else "",
    )


def quoted(
    content: Record | None,
    score: float,
    records: Mapping[str, Record],
    zone: str = "",
    span: Sequence[int] | None = None,
) -> Quoted | None:
    """A content, or the span of it, with its source; None for one that is gone."""
    if not isinstance(content, Content):
        return None
    text = content.text[span[0] : span[1]] if span else content.text
    origin = records.get(content.origin[0])
    source = origin.source if isinstance(origin, Turn) else ""
    who = content.speaker or ", ".join(filter(None, (content.layer, made_by_whom(content))))
    said, event = (brief(moment, zone) for moment in (content.said, content.event))
    return Quoted(text, who, said, event, source, content.id, score)
