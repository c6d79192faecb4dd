"""Below a tree: what the agent saw, everything that happened, another trial beside it, and what we chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memcore.active_state import active_state
from memcore.execution_tree import Tree
from memcore.state_text import Texts, state_text
from memcore.view.naming import counted
from memcore.view.tree_words import CHOICES, EFFECTS, told
from pages._parts.say import plain, verbatim
from pages._parts.tree.address import EVENTS
from pages._parts.tree.loaded import Loaded
from pages._parts.tree.pair import pair
from pages._parts.tree.table import step_table

if TYPE_CHECKING:
    from memcore.memory import Memory

TABS = ("What the agent saw", "Steps", "What happened", "Beside another run", "Choices")
LISTED = 200
LINES, LINE = 14, 80  # what agents read is scrolled from this many lines on, of so many characters


def tabs(memory: Memory, loaded: Loaded, tree: Tree, step: int, *, live: bool) -> None:
    """Of the tabs, only the open one is drawn."""
    drawn = st.tabs(TABS, key="tree:tab", on_change="rerun")
    for tab, name in zip(drawn, TABS, strict=True):
        if not tab.open:
            continue
        with tab:
            if name == TABS[0]:
                what_it_saw(loaded, tree)
            elif name == TABS[1]:
                step_table(loaded, tree)
            elif name == TABS[2]:
                _happened(loaded, step)
            elif name == TABS[3]:
                pair(memory, loaded, live=live)
            else:
                _choices(loaded)


def what_it_saw(loaded: Loaded, tree: Tree) -> None:
    """The text of the state at this point, and what it costs beside the full history."""
    state = active_state(tree, loaded.settings)
    texts = Texts(loaded.steps, loaded.marks, loaded.settings)
    shown = state_text(state, texts, loaded.full_history(tree.step))
    sizes = shown.sizes
    parts = [("Compressed", sizes.compressed), ("Raw", sizes.raw), ("Hints", sizes.hints)]
    with st.container(horizontal=True, gap="medium", key="tree-costs"):
        for name, tokens in parts:
            st.metric(name, f"{tokens:,} tokens", width="content")
        st.metric("The agent reads", f"{sizes.total:,} tokens", width="content")
        st.metric(
            "Full history", f"{sizes.full_history:,} tokens", _saved(sizes.total, sizes.full_history),
            delta_color="off", delta_arrow="off", width="content",
        )  # fmt: skip
    lines = sum(1 + len(line) // LINE for line in shown.text.splitlines())
    st.code(verbatim(shown.text), language=None, wrap_lines=True, height=340 if lines > LINES else "content")
    st.caption(f"{EFFECTS} Tokens are estimated with one tokenizer for both.")


def _saved(total: int, full: int) -> str | None:
    if not full:
        return None
    share = 100 * (full - total) / full
    return f"{share:.0f} % less is read" if share >= 0 else f"{-share:.0f} % more is read"


def _happened(loaded: Loaded, step: int) -> None:
    """The events up to this one, the latest first; one that is pressed is gone to."""
    rows = [
        {"event": n, "what happened": verbatim(told(loaded.events[n - 1], loaded.steps, loaded.marks), 200)}
        for n in range(step, max(0, step - LISTED), -1)
    ]
    layout = {
        "event": st.column_config.NumberColumn("Event", width=70),
        "what happened": st.column_config.TextColumn("What happened"),
    }
    found = st.dataframe(
        rows, hide_index=True, column_config=layout, on_select="rerun", selection_mode="single-row",
        key=f"tree:events:{step}",
    )  # fmt: skip
    if step > LISTED:
        st.caption(f"{counted(step - LISTED, 'earlier event')} not listed.")
    if found.selection.rows:
        EVENTS.go(rows[found.selection.rows[0]]["event"], len(loaded.events))
        st.rerun(scope="fragment")


def _choices(loaded: Loaded) -> None:
    """What the paper leaves open, and how it is done here."""
    settings = loaded.settings
    numbers = {
        "steps": settings.tree_segment_steps,
        "tokens": settings.tree_segment_tokens,
        "boundary": settings.tree_revisions_per_boundary,
        "all": settings.tree_revisions,
    }
    st.markdown("The paper (MAGE, arXiv 2606.06090) leaves these open; they are choices of this program.")
    for choice in CHOICES:
        st.markdown(f"- {plain(choice.format(**numbers))}")
    st.markdown(f"- {plain(EFFECTS)}")
