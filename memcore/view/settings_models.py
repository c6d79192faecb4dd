"""Models, keys and the embedder in words: what can be chosen, and what is so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memcore.llm.choose import PROVIDERS
from memcore.llm.keys import found_in, variables
from memcore.llm.recording import Kept
from memcore.llm.tasks import OFFLINE, RECORDED, suggestions

WHOSE = {"claude": "Claude (Anthropic)", "gemini": "Gemini (Google)", "local": "A server of your own"}
SAYS = {
    "claude": "Anthropic's service, or one that speaks its protocol.",
    "gemini": "Google's service, or one that speaks its protocol.",
    "local": "Ollama, llama.cpp, vLLM or another that speaks OpenAI's chat protocol.",
}


class Key(NamedTuple):
    """Whether a provider can be asked, and why in a sentence. The key itself is nowhere."""

    ready: bool
    says: str


def key_of(provider: str, address: str, secrets: Mapping[str, str]) -> Key:
    """What is known of a provider's key."""
    if found := found_in(provider, address, secrets):
        return Key(True, f"A key was found in {found}.")
    names = " or ".join(variables(provider, address))
    if address or not PROVIDERS[provider].needs_key:
        return Key(True, f"No key is sent; if one is needed, set {names}.")
    return Key(False, f"There is no key: set {names} in the environment or in Streamlit's secrets.")


def choices(kept: Iterable[Kept], chosen: Iterable[str] = ()) -> list[str]:
    """What a role can be given: rules, suggested models, those in use, and recorded replies."""
    recorded = [f"{RECORDED}{k.model}" for k in kept]
    return list(dict.fromkeys([OFFLINE, *suggestions(), *chosen, *recorded]))


def named(choice: str) -> str:
    """A choice as a person reads it."""
    if choice == OFFLINE:
        return "Offline, by rules"
    model = choice.removeprefix(RECORDED)
    return model if model == choice else f"Recorded replies of {model}"


def embedder_of(name: str, dimension: int) -> str:
    """Which embedder a store was written with."""
    if not dimension:
        return "No embedder: nothing is compared by meaning, and recurrence is off."
    kinds = {"onnx": "an ONNX model of your own", "gemini": "Gemini's service, on the bill like every call"}
    known = next((says for start, says in kinds.items() if name.startswith(f"{start}:")), "")
    where = known or "the one that comes with the program, offline"
    return f"{name}, {dimension:,} numbers for a text: {where}."


def recorded_of(kept: Kept) -> str:
    """What is recorded of a model."""
    replies = f"{kept.replies:,} {'reply' if kept.replies == 1 else 'replies'}"
    if kept.scripted == kept.replies:
        return f"{kept.model}: {replies}, written by people for the samples"
    return f"{kept.model}: {replies}"
