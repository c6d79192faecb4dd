"""From bytes to JSON values, whatever the file is called and however it was damaged on its way.

Byte order marks, UTF-8 or UTF-16, both line ends; one JSON value, one value a line, or JSON written
into a JSON string. A line that cannot be read is noted and the others are read; a list that breaks
off is read up to the break.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from memcore.errors import UnknownFormat
from memcore.importing.draft import Skipped
from memcore.importing.shapes import is_list, is_record

_WRAPPINGS = 3  # how often JSON may be written into a JSON string
_OPENS = ("{", "[", '"')
_BROKEN_LINE = "a line is no JSON"
_BROKEN_OFF = "the list is damaged from here on; what follows cannot be read"


@dataclass(frozen=True, slots=True)
class Decoded:
    """The values of one text: a single one, or one a line (`lines`), with what could not be read.

    `numbers` are the line numbers of the values, where they stand one a line.
    """

    values: tuple[Any, ...]
    lines: bool = False
    broken: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


def decode(raw: bytes, name: str) -> Decoded:
    """The JSON values in `raw`. UnknownFormat where there are none; `name` is for its sentence."""
    text, warnings = _text(raw, name)
    if not text.strip():
        raise UnknownFormat(f"{name} is empty: there is nothing to import.")
    found = _one_value(text) or _value_per_line(text) or _list_up_to_the_break(text)
    if found is None:
        if _is_too_deep(text):
            raise UnknownFormat(f"{name} is nested too deeply to be a conversation.")
        raise UnknownFormat(f"{name} is not JSON, neither as a whole nor line by line.")
    return Decoded(found.values, found.lines, found.broken, tuple(warnings), found.numbers)


def _text(raw: bytes, name: str) -> tuple[str, list[str]]:
    encoding = json.detect_encoding(raw)
    warnings: list[str] = []
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        text = raw.decode(encoding, "replace")
        if text.lstrip()[:1] not in _OPENS:
            raise UnknownFormat(
                f"{name} is binary, or text in an encoding other than UTF-8 and UTF-16."
            ) from error
        warnings.append("bytes that are not valid text were replaced by a mark (\ufffd)")
    if "\0" in text:
        text = text.replace("\0", "")
        warnings.append("NUL characters between the records were removed")
    return text, warnings


def _loads(text: str) -> Any:
    """json.loads that also takes raw control characters and integers of any length (kept as text)."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError:
        pass
    try:
        return json.loads(text, strict=False, parse_int=_integer)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _is_too_deep(text: str) -> bool:
    try:
        json.loads(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return False


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= 4000 else digits


def _one_value(text: str) -> Decoded | None:
    try:
        value = _loads(text)
    except ValueError:
        return None
    for _ in range(_WRAPPINGS):
        if not isinstance(value, str):
            break
        inner = _inside(value)
        if inner is None:
            break
        if inner.lines:
            return inner
        value = inner.values[0]
    return Decoded((value,))


def _unwrapped(value: Any) -> Any:
    """The one value written into a JSON string, if it is one."""
    inner = _inside(value) if isinstance(value, str) else None
    return value if inner is None or inner.lines else inner.values[0]


def _inside(text: str) -> Decoded | None:
    """JSON written into a JSON string: None where the string is none."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in _OPENS:
        return None
    text = text.lstrip("\ufeff")
    try:
        return Decoded((_loads(text),))
    except ValueError:
        return _value_per_line(text)


def _value_per_line(text: str) -> Decoded | None:
    """One value a line; None unless the text has two lines or more and one of them is a record."""
    values: list[Any] = []
    numbers: list[int] = []
    broken: list[Skipped] = []
    lines = text.split("\n")  # not splitlines: JSON strings may hold other line separators
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            values.append(_unwrapped(_loads(line)))
            numbers.append(number)
        except ValueError:
            broken.append(Skipped(f"line {number}", _BROKEN_LINE))
    if not any(is_record(value) or _holds_records(value) for value in values):
        return None
    return Decoded(tuple(values), True, tuple(broken), numbers=tuple(numbers))


def _holds_records(value: object) -> bool:
    return is_list(value) and any(is_record(item) or is_list(item) for item in value)


def _list_up_to_the_break(text: str) -> Decoded | None:
    """The whole records at the start of a list that was cut off or damaged; None where there are none."""
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] != "[":
        return None
    decoder = json.JSONDecoder(strict=False, parse_int=_integer)
    values: list[Any] = []
    at = start + 1
    while True:
        at = _skip_separators(text, at)
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        values.append(value)
    if not any(is_record(value) for value in values):
        return None
    return Decoded((values,), False, (Skipped(f"character {at} of {len(text)}", _BROKEN_OFF),))


def _skip_separators(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at
