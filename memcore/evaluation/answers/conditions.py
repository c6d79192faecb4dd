"""Under which conditions LoCoMo is answered: by whom, by which strategies, who judges, which settings."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, get_args

from memcore import configuration
from memcore.configuration import Configuration
from memcore.errors import InputError
from memcore.events import ModelRole, Strategy
from memcore.llm.budget import price_of
from memcore.llm.choose import named
from memcore.llm.tasks import RECORDED, Role
from memcore.models.at_work import Models
from memcore.settings import DEFAULT
from memcore.store.folder import HEAD, Folder

RETRIES = 8  # about five minutes of waiting: a benchmark is in no hurry
_UNLIMITED = ("run_calls", "run_tokens", "run_money", "run_seconds", "day_calls", "day_tokens", "day_seconds")


@dataclass(frozen=True, slots=True)
class Conditions:
    """`answer` and `judge` are names of models, "" for no judge. Every strategy may read `budget` turns.

    `most` are the dollars that all of it may cost: None for what the settings allow a day, 0 for no limit.
    `settings_of` is a store whose settings choose the models that find the way, addresses and prices.
    """

    answer: str
    judge: str = ""
    strategies: tuple[str, ...] = ("active", "fusion")
    budget: int = DEFAULT.budget
    split: str = "held-out"
    first: int = 0
    embedder: str = "multilingual"
    most: float | None = None
    settings_of: str = ""

    def checked(self) -> Configuration:
        """The settings it happens under. Raises InputError, StoreDamaged, StoreMismatch."""
        known = get_args(Strategy)
        if not self.strategies or not set(self.strategies) <= set(known):
            raise InputError(f"Choose among these strategies: {', '.join(known)}.")
        if self.budget < 1:
            raise InputError("The budget must be at least 1: it is the number of turns that may be read.")
        if self.most is not None and not 0 <= self.most < inf:
            raise InputError("What all may cost is a number of dollars from 0; 0 is no limit.")
        named(self.answer)
        return self._under(self._chosen())

    def cap(self, chosen: Configuration) -> float:
        """The dollars that all may cost, 0 for no limit."""
        return chosen.settings().day_money if self.most is None else self.most

    def _chosen(self) -> Configuration:
        if not self.settings_of:
            return Configuration()
        path = Path(self.settings_of).expanduser()
        if not (path / HEAD).is_file():
            raise InputError("There is no store in the folder that --store names.")
        return configuration.read(Folder(path, DEFAULT.lock_seconds))

    def _under(self, chosen: Configuration) -> Configuration:
        """What was recorded elsewhere is no reply to these questions: rules do such a role."""
        roles: dict[Role, str] = {
            role: model
            for role, model in chosen.roles.items()
            if role in get_args(ModelRole) and not model.startswith(RECORDED)
        }
        retries = max(RETRIES, chosen.settings().model_retries)
        changed = {**chosen.changed, **dict.fromkeys(_UNLIMITED, 0), "model_retries": retries}
        return replace(chosen, roles={**roles, "answer": self.answer}, changed=changed, recording=True)


def admitted(conditions: Conditions) -> Configuration:
    """The settings, with all keys and prices there. Raises InputError, KeyRefused, ModelUnavailable."""
    chosen = conditions.checked()
    models = Models()
    models.configure(replace(chosen, recording=False))
    try:
        for name in sorted({conditions.judge, *chosen.roles.values()} - {""}):
            models.model(name)
            _priced(name, chosen, conditions)
    finally:
        models.close()
    return chosen


def same(conditions: Conditions, chosen: Configuration, file: Path) -> dict[str, Any]:
    """What must be the same for answers to stand beside each other."""
    changed = {name: value for name, value in chosen.changed.items() if name != "day_money"}
    return {
        "file": hashlib.sha256(file.read_bytes()).hexdigest(),
        "model": conditions.answer,
        "turns": conditions.budget,
        "embedder": conditions.embedder,
        "models on the way": {r: m for r, m in sorted(chosen.roles.items()) if r != "answer"},
        "settings": json.dumps(changed, sort_keys=True),
    }


def _priced(name: str, chosen: Configuration, conditions: Conditions) -> None:
    if conditions.cap(chosen) > 0 and price_of(name, chosen.price_table) is None:
        raise InputError(
            f"There is no price for {name}, so its cost cannot be limited: give one in the settings of a "
            "store and name that with --store, or lift the limit with --max-money 0."
        )
