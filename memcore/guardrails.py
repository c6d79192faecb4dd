"""Memories that speak to a model instead of telling something: found by rule, so that they can be shown.

No rule is needed to keep a model in its bounds: whatever a memory says, a reply can only choose among the
numbers that were offered (see prompts.route_schemas). These rules say which memories try, in English and in
Korean; a run without one of them shows whether it moved the route.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

Rule = Literal["orders", "new_role", "dictated_answer", "reply_form", "fence", "invisible", "encoded"]


class Finding(NamedTuple):
    """Where a rule fits a content: the span [start, end) of its text."""

    content_id: str
    start: int
    end: int
    rule: Rule


SAYS: Mapping[Rule, str] = {
    "orders": "it tells the reader to forget or break the instructions",
    "new_role": "it speaks as the system, or gives the reader another role",
    "dictated_answer": "it dictates what is to be answered, kept or cited",
    "reply_form": "it contains a reply in the form a model is asked for, or a call of a tool",
    "fence": "it imitates the lines that separate data from instructions",
    "invisible": "it contains characters nobody sees",
    "encoded": "it contains a long stretch of encoded text",
}

_OF_INSTRUCTIONS = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|context)"
_RULES: tuple[tuple[Rule, re.Pattern[str]], ...] = (
    (
        "orders",
        re.compile(
            r"\b(?:ignore|disregard|forget|override|bypass|do not follow|don'?t follow)\b[^.!?\n]{0,40}\b"
            r"(?:previous|prior|above|earlier|preceding|all|any|your|the|system|these|those)\b[^.!?\n]{0,30}\b"
            + _OF_INSTRUCTIONS,
            re.I,
        ),
    ),
    (
        "orders",
        re.compile(
            r"(?:이전|앞선|위의?|지금까지의?|모든|기존|시스템)[^.!?\n]{0,12}"
            r"(?:지시|명령|지침|규칙|프롬프트)[^.!?\n]{0,12}(?:무시|잊|따르지|어기)"
        ),
    ),
    (
        "new_role",
        re.compile(
            r"(?:^|\n)[ \t]{0,8}(?:\[|<\|?|#{1,6} ?)?(?:system|developer|assistant|im_start|inst)"
            r"(?: ?(?:prompt|message|instructions?))? ?(?:\]|\|?>|:)",
            re.I,
        ),
    ),
    (
        "new_role",
        re.compile(
            r"\b(?:you are now|from now on,? you|pretend (?:to be|that you)|act as (?:an? |the )?"
            r"(?:system|admin|developer|unrestricted|different|new)|new system prompt|developer mode)\b",
            re.I,
        ),
    ),
    (
        "new_role",
        re.compile(r"(?:지금부터|이제부터) ?(?:너는|넌|당신은|네가)|시스템 ?(?:메시지|프롬프트) ?:"),
    ),
    (
        "dictated_answer",
        re.compile(
            r"\b(?:answer|respond|reply|output|print)\s+(?:only\s+)?(?:with|exactly|just|only|by saying)\b"
            r"|\b(?:the )?(?:correct|only|final) answer (?:is|must be) always\b"
            r"|\b(?:always|must)\s+(?:keep|cite|choose|take|open)\s+(?:this|memory|path|number|only)\b"
            r"|\bset\s+\"?enough\"?\s+to\b",
            re.I,
        ),
    ),
    (
        "dictated_answer",
        re.compile(
            r"(?:라고만?|으로만?|로만)\s*(?:대답|답변|답|응답|출력)(?:하|해)|반드시[^.!?\n]{0,15}(?:선택|인용|답)하"
        ),
    ),
    (
        "reply_form",
        re.compile(
            r"\{\s{0,8}\"(?:take|keep|prune|enough|missing|follow|found|answer|cites|cues|belongs|episodes|facts|"
            r"tool|tool_name|function|name|arguments|action|role)\"\s{0,8}:"
            r"|</? ?(?:tool_call|function_call|tool_use|invoke)\b",
            re.I,
        ),
    ),
    ("fence", re.compile(r"(?:^|\n)[ \t]{0,8}(?:={3,}|-{5,}|<{3,}|>{3,}|`{3,})[\w \t]{0,30}(?=\n|$)")),
    (
        "fence",
        re.compile(r"\b(?:end|begin|start) of (?:data|memory|memories|context|input|user input)\b", re.I),
    ),
    (
        "invisible",
        re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]+"),
    ),
    ("encoded", re.compile(r"(?<![A-Za-z0-9+/=_-])(?=[A-Za-z0-9+/]*[0-9+/])[A-Za-z0-9+/]{60,}={0,2}")),
    ("encoded", re.compile(r"(?:\\x[0-9a-f]{2}|%[0-9a-f]{2}|\\u[0-9a-f]{4}){12,}", re.I)),
)


def findings(texts: Mapping[str, str]) -> list[Finding]:
    """What the rules find in contents, given by id, in the order of the contents and of their texts."""
    return [found for id_, text in texts.items() for found in sorted(_in(id_, text), key=lambda f: f.start)]


def _in(content_id: str, text: str) -> Iterator[Finding]:
    for rule, pattern in _RULES:
        for match in pattern.finditer(text):
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            yield Finding(content_id, start, match.end(), rule)
