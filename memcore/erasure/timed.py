"""Searching with a regular expression that may never end: in a process of its own, with a limit.

An expression that a person types can take longer than the age of the world on a short text, and cannot be
interrupted within a process.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

from memcore.errors import InputError

_CHILD = """
import json, re, sys
asked = json.load(sys.stdin.buffer)
found = re.compile(asked["pattern"], re.IGNORECASE)
said = ((i, {m.group(): None for m in found.finditer(text)}) for i, text in enumerate(asked["texts"]))
json.dump([(i, [w for w in words if w]) for i, words in said if words], sys.stdout)
"""


def matching(pattern: str, texts: Sequence[str], seconds: float) -> list[tuple[int, tuple[str, ...]]]:
    """Which of these texts the expression matches anywhere, case apart, and what it matches there.

    Raises InputError for an expression that cannot be read, one that matches an empty text (and so all), or
    one that is not done in time.
    """
    try:
        if re.compile(pattern).match(""):
            raise InputError("The expression matches everything: make it say what is to be found.")
    except re.error as error:
        raise InputError(f"The regular expression cannot be read: {error.msg}.") from error
    asked = json.dumps({"pattern": pattern, "texts": list(texts)}).encode()
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _CHILD],
            input=asked,
            capture_output=True,
            timeout=seconds,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"The expression took longer than {seconds:g} seconds: make it simpler.") from error
    except subprocess.CalledProcessError as error:
        raise InputError("The regular expression could not be searched with: make it simpler.") from error
    return [(at, tuple(said)) for at, said in json.loads(done.stdout)]
