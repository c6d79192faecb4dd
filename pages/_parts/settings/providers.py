"""Who can be asked: each provider with its key (found or not, never shown), its address, and a self-test."""

from __future__ import annotations

import streamlit as st

from memcore.llm.choose import PROVIDERS
from memcore.view.settings_models import SAYS, WHOSE, key_of, where
from pages._parts.memory import memories
from pages._parts.say import plain, verbatim
from pages._parts.settings.checking import result, tested
from pages._parts.settings.saving import forget, now, save

ADDRESS, MODEL, RESULT = "settings:address:", "settings:test:", "settings:tested:"
WANTED = "settings:testing"  # the provider that is to be tested now


def providers() -> None:
    """A box for each, and one Save for the addresses."""
    st.subheader("Providers", anchor=False)
    st.caption(
        "Keys come from the environment or from Streamlit's secrets. They are never stored, logged or shown, "
        "and with an address of your own another variable is read, so that no key goes to the wrong place."
    )
    for provider in PROVIDERS:
        with st.container(border=True):
            _provider(provider)
    typed = {p: str(st.session_state.get(ADDRESS + p, "")).strip() for p in PROVIDERS}
    changed = {p: a for p, a in typed.items() if a} != {**now().addresses}
    with st.container(horizontal=True):
        st.button(
            "Save addresses", type="primary", key="settings:addresses:save", disabled=not changed,
            on_click=_save,
        )  # fmt: skip
        st.button(
            "Discard",
            key="settings:addresses:discard",
            disabled=not changed,
            on_click=forget,
            args=(ADDRESS,),
        )


def _provider(provider: str) -> None:
    st.session_state.setdefault(ADDRESS + provider, now().addresses.get(provider, ""))
    about, place, test = st.columns([3, 4, 4], gap="medium")
    with about:
        st.markdown(f"**{WHOSE[provider]}**")
        address = str(st.session_state[ADDRESS + provider]).strip()
        key = key_of(provider, address, memories().models.secrets)
        st.markdown(f":material/{'key' if key.ready else 'key_off'}: {plain(key.says)}")
        st.caption(SAYS[provider])
    place.text_input(
        "Address (base URL)", key=ADDRESS + provider, placeholder=where(provider), persist_state="session"
    )
    with test:
        _self_test(provider)


def _self_test(provider: str) -> None:
    suggested = list(PROVIDERS[provider].suggests)
    used = [c.partition("/")[2] for c in now().roles.values() if c.startswith(f"{provider}/")]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.selectbox(
            "Model to test", list(dict.fromkeys([*used, *suggested])), key=MODEL + provider,
            accept_new_options=True, format_func=lambda name: verbatim(name, 80),
            help="Choose one, or type the name of another.",
        )  # fmt: skip
        st.button(
            "Test", key=f"settings:test:run:{provider}", disabled=not model, on_click=_want, args=(provider,)
        )
    if st.session_state.get(WANTED) == provider:
        del st.session_state[WANTED]
        with st.spinner("Asking …"):
            typed = str(st.session_state.get(ADDRESS + provider, "")).strip()
            st.session_state[RESULT + provider] = tested(f"{provider}/{model}", typed)
    if came := st.session_state.get(RESULT + provider):
        result(came)


def _want(provider: str) -> None:
    st.session_state[WANTED] = provider


def _save() -> None:
    typed = {p: str(st.session_state.get(ADDRESS + p, "")) for p in PROVIDERS}
    if save("The addresses are saved.", addresses=typed):
        forget(ADDRESS)
