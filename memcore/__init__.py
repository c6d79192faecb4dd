"""A memory core for language-model agents, and what makes it visible.

    from memcore import Ask, Memories

    memory = Memories.open("store").scope("ann")
    run = memory.ask(Ask("Where does Ann live?", budget=12))

Three papers, each in one file: reconstruction (MRAgent, with construction and graph), state_tree (MAGE) and
recurrence (RecMem). The names below are loaded when they are first used: importing the words (records,
events, errors, settings) opens no database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memcore.memories import Memories
    from memcore.memory import Memory
    from memcore.reconstruction import Ask
    from memcore.settings import Settings

__all__ = ["Ask", "Memories", "Memory", "Settings"]

_FROM = {"Ask": "reconstruction", "Memories": "memories", "Memory": "memory", "Settings": "settings"}


def __getattr__(name: str) -> Any:
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FROM[name]}"), name)
