"""What a judge is asked about the answer to a question of a benchmark: is it right, yes or no?

It sees the question, what is known to be right, and one answer. Nothing tells by what strategy, model or
evidence the answer came about, and answers are judged one by one, so that no order can sway it.
"""

from __future__ import annotations

from typing import Any

from memcore.llm.prompts.parts import DATA, Prompt, fenced, indented
from memcore.llm.prompts.route_schemas import record

_CORRECT, _WRONG = "CORRECT", "WRONG"
SCHEMA = record(label={"type": "string", "enum": [_CORRECT, _WRONG]})

_JUDGE = f"""Judge an answer to a question about somebody's conversations by the reference, which is taken to
be true. The answer is right when it tells what the reference tells, in whatever words: it may be longer or
shorter, name a person or thing otherwise, or write a date in another form, as long as it is the same day,
month or year that was asked for. It is wrong when it tells something else, contradicts the reference,
misses what was asked, or does not answer. Do not use what you know from elsewhere. Answer {{"label":
"{_CORRECT}"}} or {{"label": "{_WRONG}"}}. {DATA}"""


def judge(question: str, reference: str, answer: str) -> Prompt:
    """Does the answer say what the reference says?"""
    parts = (("question", question), ("reference", reference), ("answer", answer))
    return Prompt(_JUDGE, fenced(*((name, indented(text)) for name, text in parts)))


def says_correct(value: Any) -> bool:
    """The label of a reply of this form."""
    return value["label"] == _CORRECT
