"""Models, keys and the embedder in words: what can be chosen, and what is so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memcore.llm.asking import Reply
from memcore.llm.choose import LOCAL_URL, PROVIDERS, address
from memcore.llm.keys import found_in, variables
from memcore.llm.recording import Kept
from memcore.llm.tasks import OFFLINE, RECORDED, suggestions
from memcore.models.at_work import SCRIPTED
from memcore.view.model_calls import model_name
from memcore.view.naming import counted, listed

WHOSE = {"claude": "Claude (Anthropic)", "gemini": "Gemini (Google)", "local": "A server of your own"}
SAYS = {
    "claude": "Anthropic's service, or one that speaks its protocol.",
    "gemini": "Google's service, or one that speaks its protocol.",
    "local": "Ollama, llama.cpp, vLLM or another that speaks OpenAI's chat protocol.",
}

VENDORS = {"claude": "Anthropic's own address", "gemini": "Google's own address"}
RULES_ANSWER = "Rules answer, offline and at no cost."


class Key(NamedTuple):
    """Whether a provider can be asked, and why in a sentence. The key itself is nowhere."""

    ready: bool
    says: str


def key_of(provider: str, saved: str, secrets: Mapping[str, str]) -> Key:
    """What is known of a provider's key, with the address that was saved for it or ""."""
    if found := found_in(provider, saved, secrets):
        return Key(True, f"A key was found in {found}.")
    names = " or ".join(variables(provider, saved))
    if saved or not PROVIDERS[provider].needs_key:
        return Key(True, f"No key is sent; if one is needed, set {names}.")
    return Key(False, f"There is no key: set {names} in the environment or in Streamlit's secrets.")


def where(provider: str, saved: str = "") -> str:
    """Where a provider is asked, in words for the vendors'; what could hold a key is not shown."""
    found = address(provider, saved)
    return f"the address in {LOCAL_URL}" if "@" in found else found or VENDORS[provider]


def rules_answer(addresses: Mapping[str, str], secrets: Mapping[str, str]) -> str:
    """That rules answer, and what it would take for a model to."""
    ready = {p: key_of(p, addresses.get(p, ""), secrets).ready for p in PROVIDERS}
    missing = [WHOSE[provider] for provider in PROVIDERS if not ready[provider]]
    if not missing:
        return RULES_ANSWER
    server = f"A server of your own at {where('local', addresses.get('local', ''))} needs no key"
    have = "has" if len(missing) == 1 else "have"
    return f"{RULES_ANSWER} {server}; {listed(missing)} {have} none yet, as Settings shows."


def answered(name: str, reply: Reply) -> str:
    """That a model answers, and what asking it took."""
    return f"{name} answers: {reply.milliseconds:,} ms, {reply.usage.sent + reply.usage.received:,} tokens."


def choices(kept: Iterable[Kept], chosen: Iterable[str] = ()) -> list[str]:
    """What a role can be given: rules, suggested models, those in use, and recorded replies."""
    recorded = [f"{RECORDED}{k.model}" for k in kept]
    return list(dict.fromkeys([OFFLINE, *suggestions(), *chosen, *recorded]))


def newly_live(before: Iterable[str], chosen: Iterable[str]) -> list[str]:
    """Models that would be asked now and not before, each once: no rules, and no recorded replies."""
    known = {OFFLINE, *before}
    return [c for c in dict.fromkeys(chosen) if c not in known and not c.startswith(RECORDED)]


def named(choice: str) -> str:
    """A choice as a person reads it."""
    if choice == OFFLINE:
        return "Offline, by rules"
    if choice == f"{RECORDED}{SCRIPTED}":
        return "Scripted replies (a demo)"
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
    replies = counted(kept.replies, "reply", "replies")
    by_people = ", written by people for the samples" if kept.scripted == kept.replies else ""
    return f"{replies} of {model_name(kept.model)}{by_people}"
