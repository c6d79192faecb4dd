"""Settings: which model does what, budgets and prices, every threshold, the bill, and recorded replies."""

import streamlit as st

from memcore.access.roles import NOT_ALLOWED
from pages._parts.frame import leave_v1_mode
from pages._parts.memory import current_or_none, memories
from pages._parts.settings.bill import bill
from pages._parts.settings.budgets import budgets
from pages._parts.settings.prices import prices
from pages._parts.settings.providers import providers
from pages._parts.settings.replies import embedder, replies
from pages._parts.settings.roles import roles
from pages._parts.settings.saving import told
from pages._parts.settings.thresholds import thresholds
from pages._parts.states import shown_errors

leave_v1_mode()
MODELS, BUDGETS, THRESHOLDS, PRICES, BILL = PARTS = ("Models", "Budgets", "Thresholds", "Prices", "Bill")

st.title("Settings", anchor=False)
with shown_errors():
    if not memories().viewer.may_do("settings"):
        st.caption(f":material/lock: {NOT_ALLOWED['settings']}")
        st.stop()
    st.caption("They belong to this store and hold for all memories in it. Nothing changes before you save.")
    part = st.segmented_control(
        "Part", PARTS, key="part", bind="query-params", required=True, label_visibility="collapsed",
        default=None if "part" in st.session_state else MODELS,
    )  # fmt: skip
    with st.container():  # there at all times, so that nothing below changes its place
        told()
    if part == BUDGETS:
        budgets()
    elif part == THRESHOLDS:
        thresholds()
    elif part == PRICES:
        prices()
    elif part == BILL:
        bill(current_or_none())
    else:
        roles()
        providers()
        embedder()
        replies()
