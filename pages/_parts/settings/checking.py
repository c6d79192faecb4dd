"""One cheap question to a model that a person tests or chooses: whether it answers, in words."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from memcore.errors import MemcoreError
from memcore.view.settings_models import answered
from pages._parts.memory import memories
from pages._parts.say import plain


class Tested(NamedTuple):
    """What came of it."""

    answers: bool
    says: str


def tested(name: str, address: str | None = None) -> Tested:
    """Asks it at this address, or where the settings say."""
    try:
        return Tested(True, answered(name, memories().models.check(name, address=address)))
    except MemcoreError as error:
        return Tested(False, f"{name}: {error}")


def result(one: Tested) -> None:
    """Draws it."""
    (st.success if one.answers else st.warning)(plain(one.says))
