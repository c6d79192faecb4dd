"""Packages of the optional extras: without one a test is skipped, but on a build machine it fails."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def needed(module: str, extra: str) -> Any:
    """The module, which the optional dependencies of this name bring."""
    try:
        return importlib.import_module(module)
    except ImportError:
        missing = f"{module} is not installed; the optional extra `{extra}` brings it"
        if os.environ.get("CI"):
            pytest.fail(f"{missing}, and CI must not pass without these tests", pytrace=False)
        pytest.skip(missing, allow_module_level=True)
