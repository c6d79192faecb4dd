"""What is in a memory, and whether its store is sound: in words, with numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st

from memcore.records import now
from memcore.view.overview import LAYER_WORDS, Overview, embedding, languages, reach, size
from memcore.view.privacy_rules import due_now
from pages._parts.memory import memories
from pages._parts.overview.read_again import read_again
from pages._parts.overview.renaming import renaming
from pages._parts.say import plain, verbatim
from pages._parts.viewing import viewer

if TYPE_CHECKING:
    from memcore.memory import Memory

MOST = 6


def contents(memory: Memory, seen: Overview) -> None:
    """Layers, speakers and languages as one table each."""
    st.subheader("What is in it")
    for layer, number in seen.layers.items():
        one, many, says = LAYER_WORDS[layer]
        st.markdown(f"**{number:,}** {one if number == 1 else many} :gray[{says}]")
    spoken = [f"{plain(name, 40)} {n:,}" for name, n in seen.speakers[:MOST]]
    more = len(seen.speakers) - MOST
    st.markdown(
        f"**Speakers** {' · '.join(spoken) or 'none named'}" + (f" · and {more:,} more" if more > 0 else "")
    )
    known = [f"{plain(name, 30)} {part}" for name, part in languages(memory.files())]
    st.markdown(f"**Languages, as imported** {' · '.join(known) or 'counted when an import ends'}")


def health(memory: Memory, seen: Overview) -> None:
    """What may be wrong with it, in words; the thorough check only when it is asked for."""
    st.subheader("Health")
    for icon, sentence in _findings(memory, seen):
        st.markdown(f":material/{icon}: {sentence}")
    if not memory.viewer.sees_all:
        return
    row = st.container(horizontal=True, gap="small")  # what comes of a button stands below all of them
    row.button("Examine the store", key="examine", icon=":material/stethoscope:", on_click=_examine)
    if st.session_state.pop("examined", False):
        _examined()
    if memory.viewer.may_do("correct"):
        read_again(memory, row)
    if memory.viewer.may_do("settings"):
        renaming(memory, row)


def _findings(memory: Memory, seen: Overview) -> Iterator[tuple[str, str]]:
    """An icon and a sentence each."""
    yield ("warning" if seen.unreachable else "check_circle"), reach(seen)
    yield "memory", plain(embedding(memory.embedder))
    if memory.viewer.sees_all and memory.viewer.scopes is None:
        yield "database", f"The whole store takes {size(memories().bytes())} on disk."

    if _may_erase(memory) and (number := memory.retention.waiting(now())):
        yield "auto_delete", plain(due_now(number))


def _may_erase(memory: Memory) -> bool:
    return memory.viewer.sees_all and memory.viewer.may_do("erase")


def _examine() -> None:
    st.session_state["examined"] = True


def _examined() -> None:
    """Everything that is not as it should be, and what to do about it."""
    found = memories().examined(viewer())
    if not found:
        st.success("The store is consistent.", icon=":material/check_circle:")
        return
    rows = [
        {
            "found": f.problem.replace("_", " "),
            "memory": verbatim(f.scope, 40) or "the store itself",
            "how many": f.count,
            "what to do": _remedy(f.harmless, f.repairable),
        }
        for f in found
    ]
    st.dataframe(rows, hide_index=True)


def _remedy(harmless: bool, repairable: bool) -> str:
    if harmless:
        return "nothing: harmless"
    return "run memcore doctor --repair" if repairable else "restore a copy"
