"""The frame: page config, the sidebar's choice of memory, and the pages."""

import streamlit as st

from pages._parts.frame import configure, pages
from pages._parts.memory import choose

configure()
st.html("<style>.stMainBlockContainer { padding: 3.2rem clamp(1rem, 3vw, 5rem) 4rem }</style>")
page = st.navigation(pages())
with st.sidebar:
    choose()
page.run()
