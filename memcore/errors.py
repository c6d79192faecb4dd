"""Every error a caller can meet, as one small tree.

MemcoreError                 the root: its text is one sentence a person can act on
├── InputError               what was given cannot be used (question, budget, strategy, path)
│   ├── UnknownFormat        a file of no known format; says what was looked for
│   ├── Collision            an edit would give two records one name; merge them instead
│   ├── Stale                somebody changed the record since it was opened for editing
│   ├── InTheWay             later changes rest on the one to be undone; names them
│   └── Rejected             an operation of the state tree that is not possible now; says which and why
├── ScopeError               no scope, or one that does not exist: fails closed
├── NotAllowed               the viewer may not do this: says what they may
├── NotFound                 an id that names nothing (any more)
├── StoreError               the store cannot do it
│   ├── StoreBusy            another process held the writer lock for too long
│   ├── StoreMismatch        written with another embedder, or by a newer version
│   ├── StoreDamaged         unreadable; `memcore doctor` says more
│   └── StoreFull            the disk is full or cannot be written
├── ModelError               a model did not deliver; memory is as it was
│   ├── NotRecorded          there is no recorded reply to this question; others may be there
│   ├── ModelUnavailable     outage, missing weights, a model that is not there
│   │   ├── RateLimited      too many calls; says when it may be asked again
│   │   ├── Overloaded       the service is busy or broken
│   │   ├── TimedOut         no answer within the time limit
│   │   ├── Unreachable      no connection, or it broke off
│   │   └── KeyRefused       no key, or one that is not accepted
│   ├── ReplyInvalid         it replied, with something unusable: empty, no JSON, ids nobody gave it
│   │   ├── ContentRefused   it declined to answer this text
│   │   └── TooLong          the prompt or the reply did not fit
│   └── BudgetExceeded       a budget is used up: nothing was asked
└── Cancelled                the person stopped it
"""

from collections.abc import Collection, Iterator


class MemcoreError(Exception):
    """The root. `str(error)` is one sentence without ids, paths of ours or a stack trace."""


class InputError(MemcoreError):
    """What was given cannot be used."""


class UnknownFormat(InputError):
    """No importer recognised the content."""


class Collision(InputError):
    """There is a record of that name already: `other` is its id, `of` that of the one that cannot have it."""

    def __init__(self, says: str, other: str, of: str) -> None:
        super().__init__(says)
        self.other, self.of = other, of


class Stale(InputError):
    """Somebody changed these records (`ids`) since the person decided."""

    def __init__(self, says: str, ids: Collection[str]) -> None:
        super().__init__(says)
        self.ids = tuple(ids)


class InTheWay(InputError):
    """Later changes rest on this one: `groups` are theirs."""

    def __init__(self, says: str, groups: Collection[str]) -> None:
        super().__init__(says)
        self.groups = frozenset(groups)


class Rejected(InputError):
    """The state tree is as it was: `operation` is not possible now, `why` is the reason code."""

    def __init__(self, says: str, operation: str, why: str) -> None:
        super().__init__(says)
        self.operation = operation
        self.why = why


class ScopeError(MemcoreError):
    """A scope was not named or does not exist."""


class NotAllowed(MemcoreError):
    """Who looks at this memory may not do that with it."""


class NotFound(MemcoreError):
    """An id that names nothing in this scope."""


class StoreError(MemcoreError):
    """The store cannot do what was asked."""


class StoreBusy(StoreError):
    """Another writer held the lock past the time limit."""


class StoreMismatch(StoreError):
    """The store was written with another embedder or a newer schema."""


class StoreDamaged(StoreError):
    """The store cannot be read."""


class StoreFull(StoreError):
    """The disk is full or the folder cannot be written."""


class ModelError(MemcoreError):
    """A model did not deliver; nothing was changed. `out`: it would not to the next question either."""

    out = False


class NotRecorded(ModelError):
    """There is no recorded reply to this question; there may be to the next."""


class ModelUnavailable(ModelError):
    """Outage, missing weights, or a model that is not there."""

    out = True


class RateLimited(ModelUnavailable):
    """Too many calls. `seconds` is when it may be asked again, None where the service does not say."""

    def __init__(self, says: str, seconds: float | None = None) -> None:
        super().__init__(says)
        self.seconds = seconds


class Overloaded(ModelUnavailable):
    """The service is busy or broken. `seconds` as in RateLimited."""

    def __init__(self, says: str, seconds: float | None = None) -> None:
        super().__init__(says)
        self.seconds = seconds


class TimedOut(ModelUnavailable):
    """No answer within the time limit. `again`: it said nothing, and may do so the next time."""

    def __init__(self, says: str, again: bool = True) -> None:
        super().__init__(says)
        self.again = again


class Unreachable(ModelUnavailable):
    """There was no connection, or it broke off."""


class KeyRefused(ModelUnavailable):
    """There is no key, or the service does not accept it. Never holds the key."""


class ReplyInvalid(ModelError):
    """The model replied with something that cannot be used."""


class ContentRefused(ReplyInvalid):
    """The model, or a filter before it, declined to answer this text."""


class TooLong(ReplyInvalid):
    """The prompt was more than the model reads, or the reply was cut off."""


class BudgetExceeded(ModelError):
    """A budget is used up, and the call was not made. `limit` names the setting."""

    out = True

    def __init__(self, says: str, limit: str) -> None:
        super().__init__(says)
        self.limit = limit


class Cancelled(MemcoreError):
    """The person stopped it."""


def is_out(outcome: str) -> bool:
    """Whether this is the name of an error after which a model is not asked again in a run."""
    return any(error.out for error in _below(ModelError) if error.__name__ == outcome)


def _below(error: type[ModelError]) -> Iterator[type[ModelError]]:
    """This error and all that are one."""
    yield error
    for special in error.__subclasses__():
        yield from _below(special)
