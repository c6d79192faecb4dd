"""Retention rules in words: what is due, of what sensitivity, after how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memcore.retention import Due, Rule
from memcore.view.naming import counted

KINDS: Mapping[str, tuple[str, str, str]] = {
    "conversation": ("Conversations", "conversation", "that ended"),
    "run": ("Agent runs", "agent run", "that were started"),
    "trace": ("Past questions", "past question", "that were asked"),
    "unit": ("Units that did not recur", "unit", "that were said"),
    "episode": ("Episodes", "episode", "last said"),
}
SENSITIVITY = ("open", "somewhat sensitive", "sensitive", "most sensitive")


def sentence(rule: Rule) -> str:
    """What a rule erases, in one sentence."""
    many, _, since = KINDS.get(rule.kind, (rule.kind, rule.kind, "whose time is"))
    days = counted(rule.older_than_days, "day")
    return f"{many} {since} more than {days} ago{_of(rule)}"


def due_lines(due: Due) -> list[str]:
    """What each rule comes to at this moment, and what no rule can judge."""
    lines = [
        f"{counted(number, KINDS[rule.kind][1])}: {sentence(rule)}"
        for rule, number in zip(due.rules, due.found, strict=True)
    ]
    lines += [
        f"{counted(number, KINDS[kind][1])} never due, as no time is stated"
        for kind, number in due.unknown.items()
        if number
    ]
    return lines


def due_now(number: int) -> str:
    """How many records wait to be erased, and when they go."""
    are = "is" if number == 1 else "are"
    return (
        f"{counted(number, 'record')} {are} due under retention rules that are on: erased when the next "
        "import ends, or on the page Privacy under Retention."
    )


def without(rules: Sequence[Rule], at: int) -> tuple[Rule, ...]:
    """The rules but one."""
    return tuple(rule for n, rule in enumerate(rules) if n != at)


def changed(rules: Sequence[Rule], at: int, rule: Rule) -> tuple[Rule, ...]:
    """The rules with one in place of another; one past the end is added."""
    return (*rules[:at], rule, *rules[at + 1 :])


def _of(rule: Rule) -> str:
    if (rule.least, rule.most) == (0, len(SENSITIVITY) - 1):
        return ""
    if rule.least == rule.most:
        return f", only {SENSITIVITY[rule.least]}"
    return f", from {SENSITIVITY[rule.least]} to {SENSITIVITY[rule.most]}"
