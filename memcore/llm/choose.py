"""Models by name, as a settings page or the command line gives them: "claude/...", "gemini/...", "local/...".

A provider's package is loaded only when it is chosen. Keys come from the environment or are passed for
this one object; an address that was passed never gets a key from the environment, so that a wrong address
cannot collect it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import NamedTuple

from memcore.errors import InputError, ModelUnavailable
from memcore.llm import faults
from memcore.llm.asking import Book, Model, Reply, Wire
from memcore.llm.local import OLLAMA, Local, address_of
from memcore.llm.patience import Patience
from memcore.llm.prompts import Prompt
from memcore.llm.protocols import Embedder
from memcore.llm.strict_json import Schema
from memcore.settings import Settings

GEMINI_EMBEDDER = "gemini-embedding-2"
LOCAL_URL = "MEMCORE_LOCAL_URL"
_NO_KEY = "no-key"  # servers of one's own ask for none, and the packages want something
_SENDABLE = re.compile(r"[!-~]*")
_MODEL = re.compile(r"\w[\w.:@/+-]{0,199}")
_CHECK = Prompt('Answer {"ready": true} and nothing else.', "Are you there?")
_READY: Schema = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


class Provider(NamedTuple):
    """How a provider is called, where its key is looked for, and names of models to suggest."""

    service: str
    variables: tuple[str, ...]
    suggests: tuple[str, ...]
    needs_key: bool = True


PROVIDERS: dict[str, Provider] = {
    "claude": Provider(
        "Claude", ("ANTHROPIC_API_KEY",), ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5")
    ),
    "gemini": Provider(
        "Gemini", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), ("gemini-3.8-flash", "gemini-3.1-pro-preview")
    ),
    "local": Provider(
        "The local model server", ("MEMCORE_LOCAL_KEY",), ("qwen3:4b", "gemma3:4b"), needs_key=False
    ),
}


def address(provider: str, saved: str = "") -> str:
    """Where a provider is asked: at the address that was saved; else, if it is a server of one's own, at the
    one in the environment, or where Ollama listens. "" is the vendor's."""
    if saved or PROVIDERS[provider].needs_key:
        return saved
    return os.environ.get(LOCAL_URL, "").strip() or OLLAMA


class Access(NamedTuple):
    """Where a provider is and with which key; empty for its own address and the key in the environment."""

    base_url: str = ""
    key: str = ""

    def __repr__(self) -> str:
        return f"Access(base_url={self.base_url!r}, key={'given' if self.key else 'none'})"


def model_named(
    name: str, access: Access | None = None, book: Book | None = None, patience: Patience | None = None
) -> Model:
    """The model of that name, not asked yet (see `check`).

    Raises InputError for an unknown provider or an address that is none, KeyRefused without a key,
    ModelUnavailable where the provider's package is missing.
    """
    patience = patience or Patience()
    return Model(wire_named(name, access or Access(), patience.settings), book, patience)


def wire_named(name: str, access: Access, settings: Settings) -> Wire:
    """The connection to a model, which several that ask can share. Raises what `model_named` does."""
    provider, model = named(name)
    if access.base_url:
        address_of(access.base_url)
    return _WIRES[provider](model, access, settings)


def named(name: str) -> tuple[str, str]:
    """Provider and model of a name. Raises InputError for one that is none."""
    provider, _, model = name.strip().partition("/")
    if provider not in PROVIDERS or not _MODEL.fullmatch(model):
        known = ", ".join(f"{p}/{PROVIDERS[p].suggests[0]}" for p in PROVIDERS)
        raise InputError(f"A model is named like one of these: {known}.")
    return provider, model


def gemini_embedder(
    dimension: int = 768,
    model: str = GEMINI_EMBEDDER,
    access: Access | None = None,
    patience: Patience | None = None,
) -> Embedder:
    """Embeddings by Gemini; a store of its own. Raises KeyRefused without a key."""  # fmt: skip
    access = access or Access()
    key = _key("gemini", access)
    _installed("google.genai", "google-genai")
    from memcore.llm.gemini import GeminiEmbedder

    return GeminiEmbedder(key, model, dimension, access.base_url, patience)


def check(model: Model) -> Reply:
    """One cheap call that is not tried again: what it took, and that the model keeps to a form.

    Raises ModelError with what is wrong.
    """
    settings = replace(model.patience.settings, model_retries=0, model_asked_again=0)
    once = replace(model, patience=replace(model.patience, settings=settings))
    return once.ask("check", _CHECK, _READY)


def _key(provider: str, access: Access) -> str:
    """The key that was passed, else the environment's; never the latter to an address that was passed."""
    known = PROVIDERS[provider]
    found = access.key.strip()
    if not found and access.base_url:
        return _NO_KEY
    found = found or next((key for v in known.variables if (key := os.environ.get(v, "").strip())), "")
    if not found and known.needs_key:
        raise faults.key_missing(known.service, known.variables[0])
    if not _SENDABLE.fullmatch(found):  # in a header it would end the header, and be quoted in the error
        raise faults.no_key(known.service)
    return found


def _installed(module: str, package: str) -> None:
    """Raises ModelUnavailable where the provider's package is missing."""
    try:
        found = find_spec(module)
    except ModuleNotFoundError:
        found = None
    if found is None:
        raise ModelUnavailable(f"The package {package} is not installed: run `pip install {package}`.")


def _claude(model: str, access: Access, settings: Settings) -> Wire:
    key = _key("claude", access)
    _installed("anthropic", "anthropic")
    from memcore.llm.claude import Claude

    return Claude(model, key, access.base_url, settings)


def _gemini(model: str, access: Access, settings: Settings) -> Wire:
    key = _key("gemini", access)
    _installed("google.genai", "google-genai")
    from memcore.llm.gemini import Gemini

    return Gemini(model, key, access.base_url, settings)


def _local(model: str, access: Access, settings: Settings) -> Wire:
    key = _key("local", access)
    where = address("local", access.base_url)
    return Local(model, "" if key == _NO_KEY else key, where, settings)


_WIRES: dict[str, Callable[[str, Access, Settings], Wire]] = {
    "claude": _claude,
    "gemini": _gemini,
    "local": _local,
}
