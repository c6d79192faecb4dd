"""A memory in a store whose questions are answered by the scripted model of a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from building import TOWN, own_lines, write_lines
from llm_server import Server

from memcore.configuration import Configuration
from memcore.memories import Memories
from memcore.memory import Memory

MODEL = "local/some-model"


def asked_memory(
    folder: Path, server: Server | None, said: Sequence[tuple[str, str]] = TOWN * 3, **more: object
) -> Memory:
    """The town's memory; every role is the server's, if there is one. `more` are settings."""
    memories = Memories.open(folder / "store", embedder="none")
    changed = {"steps": 3, "model_retries": 0, **more}
    chosen = Configuration(changed=changed)
    if server is not None:
        roles = dict.fromkeys(("read", "choose", "route", "enough", "answer"), MODEL)
        chosen = replace(chosen, roles=roles, addresses={"local": f"{server.url}/v1"})
    memories.configure(chosen)
    memory = memories.scope("town", create=True)
    list(memory.import_path(write_lines(folder / "town.jsonl", own_lines(said))))
    return memory
