"""The list of runs: filtered, in a table; a row that is selected is opened."""

from __future__ import annotations

import streamlit as st

from memcore.records import AgentRun
from memcore.view.naming import counted, human_time
from memcore.view.tree_words import distinct, reward_words, run_name
from pages._parts.say import verbatim
from pages._parts.states import Action, filtered_away
from pages._parts.tree.address import RUN

FILTER, SUBAGENTS, OUTCOME = "tree:filter", "tree:subagents", "tree:outcome"
LISTED, OFFERED = 500, 300
_Column = st.column_config
OUTCOMES = {"all": "All", "reward": "Rewarded", "none": "Reward 0", "unknown": "No reward"}


def runs_list(runs: list[AgentRun]) -> None:
    """Filters, and the runs that pass them, the latest first."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text_input(
            "Filter", key=FILTER, placeholder="Filter by title, task, agent or source", width=360,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        st.segmented_control(
            "Reward", list(OUTCOMES), format_func=OUTCOMES.get, key=OUTCOME, required=True, default="all",
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        if any(run.parent_run for run in runs):
            st.toggle("Subagents too", key=SUBAGENTS, persist_state="session")
    found = [run for run in reversed(runs) if passes(run, _wanted())]
    if not found:
        filtered_away(len(runs), clear, Action("Show all", act=clear))
        return
    _table(found)
    hidden = f"; {len(runs) - len(found):,} hidden by the filters" if len(found) < len(runs) else ""
    more = f"; the latest {LISTED:,} are listed" if len(found) > LISTED else ""
    st.caption(f"{counted(len(found), 'run')}{hidden}{more}. Select a row to open its tree.")


def passes(run: AgentRun, wanted: tuple[str, str, bool]) -> bool:
    """Whether a run is wanted: words, reward, subagents' runs too."""
    text, outcome, subagents = wanted
    if run.parent_run and not subagents:
        return False
    if outcome != "all" and outcome != _reward(run):
        return False
    held = " ".join((run.title, run.task, run.task_id, run.agent, run.model, run.source, run.outcome))
    return all(word in held.casefold() for word in text.casefold().split())


def clear() -> None:
    """Without filters."""
    for key in (FILTER, OUTCOME, SUBAGENTS):
        st.session_state.pop(key, None)
    st.session_state[FILTER], st.session_state[OUTCOME], st.session_state[SUBAGENTS] = "", "all", True


def switcher(runs: list[AgentRun], opened: str) -> None:
    """From an open run to another one, or back to the list."""
    offered = [run for at, run in enumerate(runs, start=1) if run.id == opened or at > len(runs) - OFFERED]
    names = {run.id: run for run in reversed(offered)}
    labels = distinct({r.id: verbatim(run_name(r), 110) for r in offered})
    key = f"tree:switch:{opened}"
    with st.container(horizontal=True, wrap=False, vertical_alignment="bottom"):
        st.button(
            "All runs", on_click=RUN.open, args=("",), key="tree:list",
            icon=":material/list:", width=120,
        )  # fmt: skip
        st.selectbox(
            "Run",
            list(names),
            index=list(names).index(opened) if opened in names else None,
            format_func=labels.__getitem__,
            key=key,
            on_change=_switch,
            args=(key,),
            label_visibility="collapsed",
            placeholder="Choose a run",
            width="stretch",
        )
        parent = names[opened].parent_run if opened in names else ""
        if parent:
            st.button(
                "To the run that started it", on_click=RUN.open, args=(parent,),
                key="tree:parent", icon=":material/arrow_upward:",
            )  # fmt: skip


def _switch(key: str) -> None:
    if chosen := st.session_state.get(key):
        RUN.open(chosen)


def _wanted() -> tuple[str, str, bool]:
    state = st.session_state
    return state.get(FILTER) or "", state.get(OUTCOME) or "all", bool(state.get(SUBAGENTS))


def _reward(run: AgentRun) -> str:
    return "unknown" if run.reward is None else "reward" if run.reward > 0 else "none"


def _table(found: list[AgentRun]) -> None:
    rows = [_row(run) for run in found[:LISTED]]
    layout = {
        "title": _Column.TextColumn("Title", width=240),
        "trial": _Column.TextColumn("Trial", width=45),
        "reward": _Column.TextColumn("Reward", width=65),
        "outcome": _Column.TextColumn("Outcome", width=100),
        "steps": _Column.NumberColumn("Steps", width=55),
        "task": _Column.TextColumn("Task", width=240),
        "source": _Column.TextColumn("Source", width=130),
        "when": _Column.TextColumn("When", width=150),
    }
    filled = [name for name in layout if any(row[name] not in ("", None) for row in rows)]
    picked = st.dataframe(
        rows, hide_index=True, column_config=layout, column_order=filled, on_select="rerun",
        selection_mode="single-row", key=f"tree:table:{len(found)}",
        height=min(560, 38 + 35 * len(rows)),
    )  # fmt: skip
    if picked.selection.rows:
        RUN.open(found[picked.selection.rows[0]].id)
        st.rerun()


def _row(run: AgentRun) -> dict[str, object]:
    return {
        "title": verbatim(run.title, 120),
        "task": verbatim(run.task, 200),
        "trial": "" if run.trial is None else str(run.trial),
        "reward": reward_words(run.reward),
        "outcome": verbatim(run.outcome, 60),
        "steps": run.steps,
        "source": verbatim(run.source, 60),
        "when": human_time(run.started) if run.started.known else "",
    }
