"""Opening what a person pointed at: a file, or a ZIP with files in it, as JSON values with a name.

Detection looks at the content, never at the extension. A ZIP is read in place and member by member;
nothing is unpacked to disk, and a member that would grow beyond all measure is refused.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from memcore.errors import InputError, UnknownFormat
from memcore.importing.decoding import decode
from memcore.importing.draft import Skipped

LARGEST = 1 << 30  # bytes of one file or one member of a ZIP, unpacked
_SUSPICIOUS_RATIO = 200  # JSON packs 5 to 30 times; a ZIP bomb about 1,000 times
_SUSPICIOUS_FROM = 1 << 24
_CONVERSATIONS = re.compile(r"conversations([-_ ]?\d+)?\.jsonl?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Document:
    """The values of one file or ZIP member: a single one, or one a line where `lines` is true."""

    name: str
    values: tuple[Any, ...]
    lines: bool = False
    broken: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()

    def where(self, position: int) -> str:
        """How a report names the record at this position (from 0)."""
        number = self.numbers[position] if position < len(self.numbers) else position + 1
        return f"line {number}" if self.lines else f"item {number}"

    @property
    def single(self) -> Any:
        """The only value, or None where there is one a line."""
        return None if self.lines or not self.values else self.values[0]

    @property
    def records(self) -> list[Any]:
        """The records: lines, the items of a single list, or the single value itself."""
        if self.lines:
            return list(self.values)
        value: Any = self.single
        return value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]


@dataclass(frozen=True, slots=True)
class Member:
    """A document that is not opened yet."""

    name: str
    path: Path
    inside: str = ""

    def open(self) -> Document:
        """InputError where it cannot be read, UnknownFormat where it holds no JSON."""
        raw = _read_member(self) if self.inside else _read_file(self.path)
        found = decode(raw, self.name)
        return Document(self.name, found.values, found.lines, found.broken, found.warnings, found.numbers)


def members(path: Path) -> tuple[Member, ...]:
    """What is to be opened: the file itself, or the conversations in a ZIP in their order.

    In a ZIP these are the files called conversations.json or conversations-000.json and so on, at
    any depth; where there are none, every .json and .jsonl. InputError for a path that is no file.
    """
    path = Path(path)
    if not _starts_like_zip(path):
        return (Member(path.name, path),)
    names = _names_in_zip(path)
    chosen = [name for name in names if _CONVERSATIONS.fullmatch(PurePosixPath(name).name)] or names
    if not chosen:
        raise UnknownFormat(
            f"{path.name} is a ZIP without any JSON: looked for conversations.json, conversations-000.json "
            f"or other .json and .jsonl files in it."
        )
    return tuple(Member(f"{path.name}/{name}", path, name) for name in chosen)


def open_document(path: Path | str) -> Document:
    """The one document of a file, or the first of a ZIP. InputError or UnknownFormat otherwise."""
    return members(Path(path))[0].open()


def find_files(path: Path | str) -> Iterator[Path]:
    """The file itself, or all files below a folder in natural order; hidden ones are left out."""
    path = Path(path)
    if not path.is_dir():
        yield path
        return
    try:
        inside = sorted(path.rglob("*"), key=lambda found: natural_key(found.as_posix()))
    except OSError as error:
        raise InputError(f"The folder {path.name} cannot be read: {error.strerror}.") from error
    for found in inside:
        if found.is_file() and not any(part.startswith(".") for part in found.relative_to(path).parts):
            yield found


def natural_key(name: str) -> list[tuple[int, str]]:
    """Sorts conversations-2 before conversations-10."""
    return [(int(part[:18]), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _starts_like_zip(path: Path) -> bool:
    name = path.name or str(path)
    if path.is_dir():
        raise InputError(f"{name} is a folder: import the files in it.")
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{name} is not an ordinary file: save its content to one and import that.")
        with path.open("rb") as file:
            return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except (OSError, ValueError) as error:
        raise _unreadable(path.name, error) from error


def _read_file(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path.name} is larger than {LARGEST >> 20} MB: split it and import the parts.")
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path.name, error) from error


def _unreadable(name: str, error: Exception) -> InputError:
    return InputError(f"{name} cannot be read: {getattr(error, 'strerror', None) or 'not a path'}.")


def _names_in_zip(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as error:
        raise InputError(f"{path.name} looks like a ZIP but is damaged: download it again.") from error
    kept = [name for name in dict.fromkeys(names) if _is_json(PurePosixPath(name))]
    return sorted(kept, key=natural_key)


def _is_json(name: PurePosixPath) -> bool:
    hidden = any(part.startswith((".", "__MACOSX")) for part in name.parts)
    return not hidden and name.suffix.lower() in (".json", ".jsonl")


def _read_member(member: Member) -> bytes:
    try:
        with zipfile.ZipFile(member.path) as archive:
            info = archive.getinfo(member.inside)
            _refuse_locked(info, member.name)
            _refuse_bomb(info, member.name)
            with archive.open(info) as file:
                raw = file.read(LARGEST + 1)
    except RuntimeError as error:
        raise InputError(
            f"{member.name} is locked with a password: unpack it and import the files."
        ) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, KeyError, ValueError) as error:
        raise InputError(f"{member.name} is damaged inside the ZIP: download it again.") from error
    if len(raw) > LARGEST:
        raise _too_large(member.name)
    return raw


def _refuse_locked(info: zipfile.ZipInfo, name: str) -> None:
    if info.flag_bits & 1:
        raise InputError(f"{name} is locked with a password: unpack it and import the files.")


def _refuse_bomb(info: zipfile.ZipInfo, name: str) -> None:
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > LARGEST or (info.file_size > _SUSPICIOUS_FROM and ratio > _SUSPICIOUS_RATIO):
        raise _too_large(name)


def _too_large(name: str) -> InputError:
    return InputError(
        f"{name} would unpack to more than is safe (limit {LARGEST >> 20} MB, or {_SUSPICIOUS_RATIO} times "
        f"its packed size): unpack it yourself and import the file if you trust it."
    )
