"""Who does which role in one run: its models, asked for once, all of them listened to together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memcore.errors import ModelError
from memcore.events import ModelRole, RoleFailed
from memcore.llm.asking import LLM, Called
from memcore.llm.listening import Listening
from memcore.llm.role_asking import OFFLINE_FROM_HERE, RoleAsking
from memcore.llm.tasks import Role


class ModelOf(Protocol):
    """See models.Models.of."""

    def __call__(
        self, role: Role, run: str = "", listening: Listening | None = None, instead: str = ""
    ) -> LLM | None: ...


class Part(NamedTuple):
    """The run that models take part in, the one named for all roles or "", and the step it begins after."""

    run: str
    model: str = ""
    step: int = 0


def nobody(role: Role, run: str = "", listening: Listening | None = None, instead: str = "") -> LLM | None:
    """Rules do everything."""
    return None


def cast_of(models: ModelOf, roles: Sequence[ModelRole], part: Part, listening: Listening) -> RoleAsking:
    """The models of these roles. A role whose model cannot be had is left to rules, and that is said.

    Raises InputError for a name that is none.
    """
    calls: list[Called] = []

    def called(one: Called) -> None:
        calls.append(one)
        listening.called(one)

    cast = RoleAsking({}, listening, calls)
    found: dict[ModelRole, LLM] = {}
    for role in roles:
        try:
            llm = models(role, part.run, listening._replace(called=called), part.model)
        except ModelError as error:
            failed = RoleFailed(part.step, role, type(error).__name__, OFFLINE_FROM_HERE)
            cast.asides.append(failed)
        else:
            if llm is not None:
                found[role] = llm
    cast.models = found
    return cast
