"""Which memory the pages show: one handle per folder and scope, and the scope that the person chose.

A store of the user's own that is still empty gets the sample memories in the background; a store that
was named explicitly stays empty until somebody says so. `current` draws the page for both and ends it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import streamlit as st

from memcore.access.permissions import Viewer
from memcore.errors import InputError, MemcoreError, StoreError
from memcore.settings import samples_wanted, store_folder
from pages._parts.following import renamed, seen
from pages._parts.job import Job
from pages._parts.say import plain, verbatim
from pages._parts.secrets import secrets
from pages._parts.states import IMPORT, Action, nothing_stored, still_processing
from pages._parts.viewing import allowed, switch, viewer

if TYPE_CHECKING:
    from memcore.memories import Memories
    from memcore.memory import Memory

SCOPE, COMING = "scope", "scope:coming"
PAUSE = 1.5  # seconds


def current() -> Memory:
    """The memory of the chosen scope. Where there is none yet, the page says why and ends here.

    Raises MemcoreError: the folder cannot be opened, or there is no scope of that name.
    """
    memory = current_or_none()
    if memory is None:
        nothing_stored(IMPORT, SAMPLES)
        st.stop()
    return memory


def current_or_none() -> Memory | None:
    """The same, for a page that has something to offer without a memory; None in an empty store."""
    job = samples_job()
    if job and not job.ended and _nothing_yet():
        _wait_for_samples(_ready(job))
        st.stop()
    if not memories().scopes(viewer()):
        if job and job.error:
            raise job.error
        return None
    return memory_of(chosen())


def chosen() -> str | None:
    """The name of the chosen scope: the sidebar's choice, else the address's, else the only one."""
    name = st.session_state.get(SCOPE) or st.query_params.get(SCOPE)
    return name or memories().only_scope(viewer())


def show_once_made(name: str) -> None:
    """The memory of this name is the one that is shown as soon as there is one."""
    st.session_state[COMING] = name


def just_made() -> bool:
    """Whether it was made since this page began to be drawn."""
    return st.session_state.get(COMING) in memories().scopes(viewer())


def choose() -> None:
    """The sidebar's choice of scope: whose memory is shown. One scope needs no choice.

    Why nothing can be opened is told once, by the page.
    """
    try:
        _choose()
        if memories().scopes():
            switch()
    except MemcoreError:
        st.caption("No memory can be opened.")


def _choose() -> None:
    tables = memories().tables(viewer())
    scopes = [*tables]
    now = renamed(st.session_state.get(SCOPE) or st.query_params.get(SCOPE), tables)
    if now:
        _go_on_with(now, scopes)
    seen(tables)
    if not scopes and samples_wanted() and samples_job() is None and allowed().may_do("import"):
        load_samples()
    if st.session_state.get(COMING) in scopes:
        st.session_state[SCOPE] = st.session_state.pop(COMING)
    asked = st.query_params.get(SCOPE)
    if asked and scopes and asked not in scopes and not now:
        st.warning(f"There is no memory called {plain(asked, 60)}.", icon=":material/info:")
    if len(scopes) > 1:
        st.selectbox("Whose memory", scopes, format_func=_short, key=SCOPE, bind="query-params")
    elif scopes:
        st.caption("Whose memory")
        st.text(_short(scopes[0]))
    if (job := samples_job()) and not job.ended:
        _follow_samples()


def _go_on_with(name: str, scopes: list[str]) -> None:
    """The same memory under its other name; where several can be chosen, the choice writes the address."""
    st.session_state[SCOPE] = name
    if len(scopes) == 1:
        st.query_params[SCOPE] = name


def memories() -> Memories:
    """All memories of the store that this server was started on. Raises MemcoreError.

    A folder that is no store is an outage for a page, since nothing on it was typed wrongly.
    """
    folder = store_folder()
    try:
        opened = _opened(folder)
        if not opened.fits():
            _opened.clear(folder)
            opened = _opened(folder)
    except InputError as error:
        raise StoreError(str(error)) from error
    return opened.held_by(allowed())


def memory_of(name: str | None) -> Memory:
    """One memory as it is looked at; the same object each time, so that its graph is read once per change."""
    if not name:
        return memories().scope(name)
    return _memory(store_folder(), name, memories().tables().get(name, ""), viewer())


def samples_job() -> Job | None:
    """The loading of the sample memories, if it was started on this server."""
    return _desk(store_folder()).get("samples")


def load_samples() -> None:
    """Import the sample memories in the background, once."""
    from memcore import samples

    job = samples_job()
    if job is None or job.ended:
        store = memories()
        steps = _first_alone(samples.load(store))
        _desk(store_folder())["samples"] = Job(lambda _: steps, total=len(samples.SAMPLES))


def _first_alone(steps: Iterable[Any]) -> Iterator[Any]:
    """The same steps; after the first sample a pause, so that its page is drawn before weights are read."""
    paused = False
    for step in steps:
        yield step
        if not paused and _is_report(step):
            paused = True
            time.sleep(PAUSE)


def _is_report(step: Any) -> bool:
    return hasattr(step, "languages")


SAMPLES = Action("Load the sample memories", act=load_samples)


def _short(name: str) -> str:
    return verbatim(name, 60)


def _nothing_yet() -> bool:
    """Nothing of the chosen memory is in; where none is chosen, the first stands for it."""
    scopes = memories().scopes(viewer())
    name = chosen() or next(iter(scopes), None)
    return name not in scopes or not len(memory_of(name).snapshot().graph)


def _ready(job: Job) -> int:
    """How many of the sample files are in: a report ends each."""
    return sum(1 for item in job.items if _is_report(item))


@st.fragment(run_every=0.25)
def _wait_for_samples(ready: int) -> None:
    """Draws the page again once more samples are in; asking the store each time would slow the import."""
    job = samples_job()
    if job is None or job.ended or _ready(job) > ready:
        st.rerun()
    else:
        st.caption("The sample memories are being loaded; this page goes on by itself.")
        still_processing(ready, job.total, IMPORT)


@st.fragment(run_every=0.6)
def _follow_samples() -> None:
    job = samples_job()
    if job is None or job.ended:
        st.rerun()
    else:
        st.caption(f"Loading the sample memories: {_ready(job)} of {job.total} are ready.")


@st.cache_resource(show_spinner="Opening the memory …")
def _opened(folder: str) -> Memories:
    from memcore.memories import Memories
    from memcore.settling import settle

    memories = Memories.open(folder, secrets=secrets)
    settle()  # Streamlit collects all garbage after every run, also of a fragment that only looks at a job
    return memories


@st.cache_resource(show_spinner=False, hash_funcs={Viewer: hash})
def _memory(folder: str, name: str, table: str, seen_by: Viewer) -> Memory:
    """`table` tells a memory from one that bore its name before."""
    return _opened(folder).scope(name, viewer=seen_by)


@st.cache_resource(show_spinner=False)
def _desk(folder: str) -> dict[str, Job]:
    """The background work on one store: it outlives a page, a session and a reload."""
    return {}
