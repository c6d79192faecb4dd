"""How a command prints: a row as JSON, or the lines that say it to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Emit = Callable[[Mapping[str, Any], Sequence[str]], None]
