"""Every threshold: what it does, its value, where that comes from; changed and reset singly, or all."""

from __future__ import annotations

from typing import Any

import streamlit as st

from memcore.bounds import MOST, WORDS, bounds
from memcore.view.naming import counted
from memcore.view.settings_rows import Row, rows, shown
from pages._parts.memory import memories
from pages._parts.settings.saving import now, save

SEARCH, CHANGED, CHOSEN, VALUE = (f"settings:threshold:{x}" for x in ("search", "changed", "of", "value:"))
ROW = 32


def thresholds() -> None:
    """The chosen one above the table, which has the whole width."""
    every = rows(memories().settings)
    search, only, reset = st.columns([5, 3, 3], vertical_alignment="bottom")
    words = search.text_input("Search", key=SEARCH, placeholder="a word of its name or of what it does")
    many = sum(row.changed for row in every)
    changed = only.toggle("Only what was changed", key=CHANGED)
    reset.button(
        f"Reset all {many:,} changed" if many else "Nothing was changed",
        key="settings:threshold:all", disabled=not many, on_click=_reset_all, icon=":material/restart_alt:",
    )  # fmt: skip
    found = rows(memories().settings, words, changed)
    if not found:
        st.markdown(f"**No setting matches.** {counted(len(every), 'setting')} are there without the search.")
        st.button("Clear the search", on_click=_clear, key="settings:threshold:clear")
        return
    one = st.container(border=True)
    picked = _table(found)
    with one:
        _editor(every, picked)


def _table(found: list[Row]) -> str:
    """The rows; the name of the one that is selected, or ""."""
    layout = {
        "title": st.column_config.TextColumn("Setting", width=165),
        "value": st.column_config.TextColumn("Value", width=70, alignment="right"),
        "says": st.column_config.TextColumn("What it is", width=510),
        "source": st.column_config.TextColumn("Source", width=125),
        "group": st.column_config.TextColumn("Part", width=135),
    }
    listed = [
        {"title": r.title, "value": f"{'● ' if r.changed else ''}{shown(r.value)}", "says": r.says,
         "source": r.source, "group": r.group}
        for r in found
    ]  # fmt: skip
    picked = st.dataframe(
        listed, hide_index=True, column_config=layout, on_select="rerun", selection_mode="single-row",
        key=f"settings:threshold:rows:{hash(tuple(r.name for r in found))}",
        height=min(560, 38 + ROW * len(found)), row_height=ROW,
    )  # fmt: skip
    st.caption(f"{counted(len(found), 'setting')}; ● was changed. Select a row to change it.")
    at = [i for i in picked.selection.rows if i < len(found)]
    return found[at[0]].name if at else ""


def _editor(every: list[Row], picked: str) -> None:
    """One setting: its sentence, its value, Save and Reset."""
    by_name = {row.name: row for row in every}
    if picked and picked != st.session_state.get("settings:threshold:picked"):
        st.session_state["settings:threshold:picked"] = picked
        st.session_state[CHOSEN] = picked
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    name = left.selectbox(
        "Setting", list(by_name), key=CHOSEN, format_func=lambda n: f"{by_name[n].group}: {by_name[n].title}"
    )
    row = by_name[name]
    with right:
        value = _value(row)
    st.markdown(f"{row.says[:1].upper()}{row.says[1:]}.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Save", type="primary", key="settings:threshold:save", disabled=value == row.value,
            on_click=_save, args=(row, value),
        )  # fmt: skip
        st.button(
            "Reset", key="settings:threshold:reset", disabled=not row.changed, on_click=_reset, args=(row,)
        )
        st.caption(f"Default: {shown(row.standard)} ({row.source}). {_allowed(row)}", width="stretch")


def _value(row: Row) -> Any:
    key = f"{VALUE}{row.name}:{row.value}"
    if isinstance(row.value, bool):
        return st.toggle("On", value=row.value, key=key)
    if isinstance(row.value, str):
        options = list(WORDS[row.name])
        return st.selectbox("Value", options, index=options.index(row.value), format_func=shown, key=key)
    if isinstance(row.standard, int):
        return st.number_input("Value", value=row.value, step=1, key=key)
    return st.number_input("Value", value=float(row.value), step=0.01, format="%.4g", key=key)


def _allowed(row: Row) -> str:
    if isinstance(row.standard, bool | str):
        return ""
    of = bounds(row.name)
    least = f"At least {of.least:g}" if of.closed else f"More than {of.least:g}"
    return f"{least}, at most {of.most:g}." if of.most < MOST else f"{least}."


def _save(row: Row, value: Any) -> None:
    save(f"{row.title} is now {shown(value)}.", changed={**now().changed, row.name: value})


def _reset(row: Row) -> None:
    left = {name: value for name, value in now().changed.items() if name != row.name}
    save(f"{row.title} is {shown(row.standard)} again.", changed=left)


def _reset_all() -> None:
    save("All settings are as they were at first.", changed={})


def _clear() -> None:
    st.session_state[SEARCH], st.session_state[CHANGED] = "", False
