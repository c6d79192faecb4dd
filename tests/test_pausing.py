"""Work that a person can hold and stop: whatever ends it, the page is told."""

from __future__ import annotations

import pytest

from memcore.errors import MemcoreError, NotFound
from pages._parts.job import UNEXPECTED
from pages._parts.pausing import Pausing


class Failing(Pausing):
    """Work that ends with this error."""

    def __init__(self, failure: Exception | None) -> None:
        super().__init__(0.0)
        self._failure = failure

    def work(self) -> None:
        if self._failure is not None:
            raise self._failure


def ended(failure: Exception | None) -> MemcoreError | None:
    work = Failing(failure)
    work.start()
    work.wait(20)
    assert work.done
    return work.error


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_nobody_foresaw_is_said_in_a_sentence() -> None:
    assert str(ended(ZeroDivisionError("of the secret diary"))) == UNEXPECTED


def test_an_error_of_ours_is_said_as_it_is() -> None:
    assert str(ended(NotFound("It is gone."))) == "It is gone."
    assert ended(None) is None
