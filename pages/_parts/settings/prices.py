"""The price table with its date: what calls are charged by, and prices of one's own."""

from __future__ import annotations

import streamlit as st

from memcore.settings import Price
from pages._parts.say import plain, verbatim
from pages._parts.settings.saving import now, save

NEW = "settings:price:"
NUMBERS = {"sent": "Sent", "received": "Received", "cached": "Cached"}


def prices() -> None:
    """What is charged now, and how to change it."""
    own = bool(now().prices)
    st.markdown(
        f"Prices read in **{plain(now().prices_read_in or 'an unknown month')}**"
        + (", as you gave them." if own else ", as they came with the program. They change: check them.")
    )
    st.caption(
        "US dollars for a million tokens of every model whose name begins so; the longest beginning counts. "
        "Cached tokens are sent as well, but the provider still had them. "
        "A model without a price is not asked while there is a dollar limit."
    )
    table, change = st.columns([6, 4], gap="large")
    with table:
        money = {n: st.column_config.NumberColumn(says, format="dollar") for n, says in NUMBERS.items()}
        listed = [{"model": verbatim(p.model, 80), **_numbers(p)} for p in now().price_table]
        layout = {"model": st.column_config.TextColumn("Model"), **money}
        st.dataframe(listed, hide_index=True, column_config=layout, height="content")
        st.button(
            "Use the prices that came with the program", key="settings:price:reset", disabled=not own,
            on_click=save, args=("The prices are those that came with the program.",),
            kwargs={"prices": (), "priced_in": ""}, icon=":material/restart_alt:",
        )  # fmt: skip
    with change, st.container(border=True):
        _form()


def _form() -> None:
    st.markdown("**Set a price**")
    st.selectbox(
        "Model, or the beginning of its name", [p.model for p in now().price_table], key=f"{NEW}model",
        accept_new_options=True, format_func=lambda name: verbatim(name, 80),
    )  # fmt: skip
    model = (st.session_state[f"{NEW}model"] or "").strip()
    known = next((_numbers(p) for p in now().price_table if p.model == model), dict.fromkeys(NUMBERS, 0.0))
    given = {
        name: column.number_input(
            says, min_value=0.0, value=float(known[name]), step=0.1, format="%.3f", key=f"{NEW}{name}:{model}"
        )
        for column, (name, says) in zip(st.columns(3), NUMBERS.items(), strict=True)
    }
    read_in = st.text_input("Read in", key=f"{NEW}read_in", placeholder="such as December 2026")
    st.button("Save price", type="primary", on_click=_save, args=(Price(model, **given), read_in.strip()))


def _numbers(price: Price) -> dict[str, float]:
    return {"sent": price.sent, "received": price.received, "cached": price.cached}


def _save(price: Price, read_in: str) -> None:
    others = [p for p in now().price_table if p.model != price.model]
    month = read_in or now().prices_read_in
    save(f"The price of {price.model} is saved.", prices=(*others, price), priced_in=month)
