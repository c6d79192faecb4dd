"""Which model does which task: eight roles, each done by rules, by a model, or out of recorded replies.

A choice is a word: "offline", the name of a model ("claude/...", "gemini/...", "local/..."), or that name
after "recorded/": then only replies that were recorded are given, and nobody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, cast, get_args

from memcore.errors import InputError
from memcore.llm.choose import PROVIDERS, named

Role = Literal["construct", "read", "choose", "route", "enough", "answer", "write", "tree"]
OFFLINE = "offline"
RECORDED = "recorded/"


class About(NamedTuple):
    """A role as a person sees it: its name, what is done in it, and when."""

    role: Role
    name: str
    says: str


ROLES: tuple[About, ...] = (
    About(
        "construct",
        "Construction",
        "rewrites what was said and finds its cues, tags, facts and dates: one call for two turns, in eager "
        "imports and when everything is read again; lazy imports read by rules",
    ),
    About("read", "Reading the question", "finds the cues, people and times that a question asks by"),
    About("choose", "Choosing paths", "decides by their tags which paths of a cue are opened"),
    About("route", "Routing", "keeps what answers the question and prunes the rest"),
    About("enough", "Sufficiency", "says whether what was read is enough, and what is still missing"),
    About("answer", "Answering", "writes the answer out of the evidence, and cites it"),
    About("write", "Writing", "merges what belongs together, writes episodes and refines them into facts"),
    About("tree", "State tree", "sums up the finished subgoals of an agent and checks them"),
)


def checked(choice: str) -> str:
    """A choice as it is kept. Raises InputError for one that is none."""
    choice = choice.strip()
    if choice in ("", OFFLINE):
        return OFFLINE
    model = choice.removeprefix(RECORDED)
    named(model)
    return choice


def all_checked(roles: Mapping[str, str]) -> dict[Role, str]:
    """The choices of these roles, those left offline not among them. Raises InputError."""
    unknown = [role for role in roles if role not in get_args(Role)]
    if unknown:
        raise InputError(f"There is no task {unknown[0][:40]!r} that a model can do.")
    choices: dict[Role, str] = {cast("Role", role): checked(choice) for role, choice in roles.items()}
    return {role: choice for role, choice in choices.items() if choice != OFFLINE}


def suggestions() -> list[str]:
    """Names to choose from; any other of these providers can be typed."""
    return [f"{provider}/{model}" for provider, known in PROVIDERS.items() for model in known.suggests]
