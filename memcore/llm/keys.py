"""Where a key is looked for: the environment, or the secrets of the page. It is handed on and never kept.

An address of one's own has a variable of its own (MEMCORE_CLAUDE_KEY ...), so that the key for the vendor
never goes to another address.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from memcore.llm.choose import PROVIDERS, Access


def variables(provider: str, base_url: str = "") -> tuple[str, ...]:
    """The names under which a key for this provider is looked for, in this order."""
    return (f"MEMCORE_{provider.upper()}_KEY",) if base_url else PROVIDERS[provider].variables


def found_in(provider: str, base_url: str = "", secrets: Mapping[str, str] | None = None) -> str:
    """The variable that holds a key for it, "" where none does. Secrets go before the environment."""
    return next((v for v in variables(provider, base_url) if _value(v, secrets or {})), "")


def access(provider: str, base_url: str = "", secrets: Mapping[str, str] | None = None) -> Access:
    """Where the provider is and with which key; without one the key is empty."""
    variable = found_in(provider, base_url, secrets)
    return Access(base_url, _value(variable, secrets or {}) if variable else "")


def _value(variable: str, secrets: Mapping[str, str]) -> str:
    return (secrets.get(variable, "") or os.environ.get(variable, "")).strip()
