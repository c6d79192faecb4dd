"""What can go wrong at a model service, in our words: one sentence that names the service and what to do.

The three adapters give the status, the service's own words and the hint when to try again; the words only
decide which error it is and never stand in it, since services quote prompts and keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from memcore.errors import (
    ContentRefused,
    KeyRefused,
    ModelError,
    ModelUnavailable,
    Overloaded,
    RateLimited,
    TimedOut,
    TooLong,
    Unreachable,
)

_KEY = re.compile(r"api[ _-]?key|credential|unauthenticated", re.I)
_LONG = re.compile(
    r"too (?:long|large)|context.{0,20}(?:length|size|window)|exceeds? the (?:maximum|context|available)"
    r"|token count",
    re.I,
)
_DECLINED = re.compile(r"content.{0,10}(?:filter|policy|management)|safety|blocked|prohibited", re.I)
STRANGE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What the packages of the services trip over where a reply has no form that they know."""
_DELAY = re.compile(r"'retryDelay': *'(\d+(?:\.\d+)?)s'|\"retryDelay\": *\"(\d+(?:\.\d+)?)s\"")


def of_status(service: str, status: int, words: str, after: float | None = None) -> ModelError:
    """The error for an HTTP status. `after` are the seconds until the service may be asked again."""
    if 300 <= status < 400:
        return ModelUnavailable(f"The address of {service} leads elsewhere, and was not followed: check it.")
    if status in (401, 403) or (status == 400 and _KEY.search(words)):
        return key_refused(service)
    if status == 429:
        when = "" if after is None else f" It may be asked again in {after:.0f} s."
        return RateLimited(f"{service} limits how often it may be asked.{when}", after)
    if status == 413 or (status < 500 and _LONG.search(words)):
        return TooLong(f"The prompt is too long for this model of {service}.")
    if status in (408, 504):
        return timed_out(service)
    if status >= 500:
        return Overloaded(f"{service} is overloaded or out of order (status {status}).", after)
    if status == 402:
        return ModelUnavailable(f"{service} requires a payment before it answers: look at the account.")
    if status == 404:
        return ModelUnavailable(f"{service} does not know this model or address: check the name.")
    if _DECLINED.search(words):
        return declined(service)
    return ModelUnavailable(f"{service} did not accept the request (status {status}).")


def key_missing(service: str, variable: str) -> KeyRefused:
    return KeyRefused(f"There is no key for {service}: set {variable}, or choose another model.")


def no_key(service: str) -> KeyRefused:
    return KeyRefused(f"What was given as the key for {service} cannot be one: copy it again.")


def key_refused(service: str) -> KeyRefused:
    return KeyRefused(f"{service} does not accept the key: check it.")


def timed_out(service: str) -> TimedOut:
    return TimedOut(f"{service} did not answer within the time limit.")


def unreachable(service: str) -> Unreachable:
    return Unreachable(f"{service} cannot be reached, or the connection broke off.")


def broken_off(service: str) -> Unreachable:
    return Unreachable(f"{service} broke off in the middle of its reply.")


def other_protocol(service: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"What answers at the address of {service} does not speak its protocol, or does not stream: check it."
    )


def declined(service: str) -> ContentRefused:
    return ContentRefused(f"{service} declined to answer this text.")


def cut_off(service: str) -> TooLong:
    return TooLong(f"The reply of {service} was cut off at the limit of its length.")


def endless(service: str) -> TooLong:
    return TooLong(f"The reply of {service} would not end, and was cut off.")


def asked_again_after(header: Callable[[str], str | None], words: str = "") -> float | None:
    """Seconds until the service may be asked again: by its headers (looked up by name), else its words."""
    if (milliseconds := _number(header("retry-after-ms"))) is not None:
        return milliseconds / 1000
    after = header("retry-after")
    if (seconds := _number(after)) is not None:
        return seconds
    if after and (left := _until(after)) is not None:
        return left
    found = _DELAY.search(words)
    return float(found[1] or found[2]) if found else None


def _number(text: str | None) -> float | None:
    """A finite count of seconds that is not below zero; whatever else was sent does not count."""
    return float(text) if text and re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", text.strip()) else None


def _until(date: str) -> float | None:
    try:
        at = parsedate_to_datetime(date)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())
