"""The frame: page config, the sidebar's choice of memory, and the pages."""

import streamlit as st

from pages._parts.frame import configure, pages
from pages._parts.memory import choose
from pages._parts.signed_in import let_in
from pages._parts.signing_in import sign_in, way_out

configure()
st.html("<style>.stMainBlockContainer { padding: 3.2rem clamp(1rem, 3vw, 5rem) 4rem }</style>")
entered = let_in()
page = st.navigation(pages(), position="sidebar" if entered else "hidden")
if not entered:
    sign_in()
    st.stop()
# not before the sidebar names its pages: this loads the store, which takes seconds in a fresh process
from pages._parts.privacy.told import told_of_erasures  # noqa: E402

with st.sidebar:
    choose()
    way_out()
    told_of_erasures()
page.run()
