"""When there is nothing to show: five different reasons, each with two next actions, and every error.

Nothing stored, nothing left, filtered away, still processing and an outage look different, because what a
person does next is different. `shown_errors` is the only place where a page shows an error of memcore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from memcore.errors import (
    Cancelled,
    InputError,
    MemcoreError,
    ModelUnavailable,
    NotAllowed,
    NotFound,
    StoreBusy,
    StoreError,
)
from pages._parts.say import plain


@dataclass(frozen=True, slots=True)
class Action:
    """A next step: opens a page ("pages/conversations.py") or runs something, then draws again."""

    label: str
    page: str = ""
    act: Callable[[], None] | None = None


IMPORT = Action("Import conversations", page="pages/conversations.py")
OVERVIEW = Action("Go to the overview", page="pages/overview.py")
AGAIN = Action("Try again")


def nothing_stored(
    first: Action = IMPORT,
    second: Action = OVERVIEW,
    title: str = "Nothing is stored here yet",
    sentence: str = "This memory holds no conversations.",
) -> None:
    """The memory is empty: nothing was imported yet."""
    _state(title, sentence, first, second)


def nothing_left() -> None:
    """Conversations are stored, but no memory of them: it was deleted, or none was made."""
    _state(
        "No memory is left",
        "The conversations are still stored. What was deleted comes back with Undo, here or on History.",
        Action("See what was changed", page="pages/history.py"),
        Action("Read the conversations", page="pages/conversations.py"),
    )


def filtered_away(hidden: int, clear: Callable[[], None], second: Action = OVERVIEW) -> None:
    """There are memories, but the filters match none of them."""
    _state(
        "No memory matches these filters",
        f"{hidden:,} are hidden by the filters above.",
        Action("Clear the filters", act=clear),
        second,
    )


def nothing_found(text: str, clear: Callable[[], None], second: Action = OVERVIEW) -> None:
    """A search that found nothing: that says nothing about filters, nor about what is stored."""
    _state(
        "Nothing holds these words",
        f"No cue, tag or memory holds “{plain(text, 60)}”. Try another word, or a part of one.",
        Action("Clear the search", act=clear),
        second,
    )


def still_processing(done: int, total: int, second: Action = OVERVIEW) -> None:
    """The memories are being written or indexed."""
    st.progress(min(done / total, 1.0) if total else 0.0)
    _state("Still being processed", f"{done:,} of {total:,} are ready.", Action("Look again"), second)


def outage(error: MemcoreError, second: Action = OVERVIEW) -> None:
    """Something behind the page does not answer; that says nothing about what is stored."""
    title = "This cannot be reached at the moment"
    _state(title, plain(str(error)), AGAIN, second, icon=":material/cloud_off:")


@contextmanager
def shown_errors(second: Action = OVERVIEW) -> Iterator[None]:
    """Draws any MemcoreError of the block as what it is, in one clear sentence, and goes on below."""
    try:
        yield
    except (ModelUnavailable, StoreBusy) as error:
        outage(error, second)
    except StoreError as error:
        _state("The memory cannot be opened", plain(str(error)), AGAIN, second, icon=":material/database:")
    except Cancelled as error:
        st.info(plain(str(error)) or "Stopped.", icon=":material/stop_circle:")
    except NotAllowed as error:
        st.info(plain(str(error)), icon=":material/lock:")
    except (InputError, NotFound) as error:
        st.warning(plain(str(error)), icon=":material/info:")
    except MemcoreError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _state(title: str, sentence: str, first: Action, second: Action, *, icon: str = "") -> None:
    with st.container(border=True):
        st.markdown(f"{icon} **{title}**".strip())
        st.markdown(sentence)
        with st.container(horizontal=True, vertical_alignment="center"):
            for action in (first, second):
                _button(action, f"{title}:{action.label}")


def _button(action: Action, key: str) -> None:
    if action.page:
        st.page_link(action.page, label=action.label, icon=":material/arrow_forward:")
    else:
        st.button(action.label, key=key, on_click=action.act)
