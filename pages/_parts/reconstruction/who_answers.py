"""Who answers: as the settings say, rules alone, or a model by name; and what a run may cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import streamlit as st

from memcore import samples
from memcore.events import ModelRole
from memcore.llm.choose import PROVIDERS
from memcore.llm.recording import kept
from memcore.llm.tasks import OFFLINE, RECORDED
from memcore.models.at_work import SCRIPTED
from memcore.view.model_calls import allowance
from memcore.view.naming import counted
from memcore.view.settings_models import key_of, named, rules_answer
from pages._parts.say import plain, verbatim

if TYPE_CHECKING:
    from memcore.memory import Memory
    from memcore.models.at_work import Models

AS_SET = ""
ROLES: tuple[ModelRole, ...] = get_args(ModelRole)
HELP = "Rules work offline and cost nothing. A model is chosen or typed, as in claude/…, gemini/… or local/…."


def who_answers(memory: Memory, key: str, label: str = "Who answers") -> str:
    """The choice, as `Ask.model` takes it."""
    names = dict.fromkeys([AS_SET, OFFLINE, *_live(memory.models), *_recorded(memory)])
    chosen = st.selectbox(
        label, list(names), key=key, accept_new_options=True, width=260, help=HELP,
        format_func=lambda choice: _said(memory.models, choice),
    )  # fmt: skip
    return str(chosen or AS_SET)


def what_it_costs(models: Models, choice: str = AS_SET) -> None:
    """One quiet line: that nothing is asked of anybody, or what models may take."""
    if choice.startswith(RECORDED):
        st.caption("Recorded replies are played back, offline and at no cost; rules do what nobody recorded.")
    elif choice == OFFLINE or (choice == AS_SET and not take_part(models, AS_SET)):
        st.caption(plain(rules_answer(models.configuration.addresses, models.secrets)))
    else:
        st.caption(plain(allowance(models.settings, models.budget().of_day())))


def take_part(models: Models, choice: str) -> bool:
    """Whether a model does any role of a run. Raises InputError for a name that is none."""
    return any(models.chosen(role, choice) != OFFLINE for role in ROLES)


def _live(models: Models) -> list[str]:
    """The models of the settings, then suggestions of the providers that can be asked."""
    chosen = [models.chosen(role) for role in ROLES]
    reachable = [provider for provider in PROVIDERS if _within_reach(models, provider)]
    suggested = [f"{provider}/{name}" for provider in reachable for name in PROVIDERS[provider].suggests]
    asked = [name for name in chosen if name != OFFLINE and not name.startswith(RECORDED)]
    return list(dict.fromkeys([*asked, *suggested]))


def _recorded(memory: Memory) -> list[str]:
    """The models of which every reply is recorded; those written for the samples only in the first of them.

    Where recording is not chosen only answers are kept, out of which no run can be replayed.
    """
    files = [path for path in memory.models.recorded_in if path.is_file()]
    found = dict.fromkeys(name for path in files for name in _names_in(path, path.stat().st_size))
    sample, recording = memory.name == samples.SAMPLES[0].name, memory.models.configuration.recording
    return [f"{RECORDED}{name}" for name in found if (sample if name == SCRIPTED else recording)]


@st.cache_data(show_spinner=False, max_entries=4)
def _names_in(path: Path, size: int) -> list[str]:
    """Read anew once the file has grown or was erased."""
    return [of.model for of in kept(path)]


def _within_reach(models: Models, provider: str) -> bool:
    """Whether it can be asked as it is: with its key, or at an address that needs none."""
    return key_of(provider, models.configuration.addresses.get(provider, ""), models.secrets).ready


def _said(models: Models, choice: str) -> str:
    if choice != AS_SET:
        return verbatim(named(choice), 60)
    by_models = [name for role in ROLES if (name := models.chosen(role)) != OFFLINE]
    if not by_models:
        return "As set: by rules"
    models_named = named(by_models[0]) if len({*by_models}) == 1 else "models"
    some = "" if len(by_models) == len(ROLES) else f"{counted(len(by_models), 'role')} by "
    return verbatim(f"As set: {some}{models_named}", 60)
