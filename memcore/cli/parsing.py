"""How a command line is read: what is written wrongly is one sentence, and no screen of usage."""

from __future__ import annotations

import argparse
from datetime import date
from typing import Any, NoReturn

from memcore.errors import InputError


class WrittenWrongly(InputError):
    """The command line itself cannot be read."""


class Parser(argparse.ArgumentParser):
    """argparse that raises one sentence instead of printing its usage and leaving."""

    def __init__(self, **said: Any) -> None:
        super().__init__(**said)
        self.register("type", int, whole)
        self.register("type", float, number)

    def error(self, message: str) -> NoReturn:
        said = message.replace("argument ", "", 1) if message.startswith("argument ") else message
        raise WrittenWrongly(f"{said[:1].upper()}{said[1:]}; see {self.prog} --help.")


class Version(argparse.Action):
    """Says which version is installed, and ends."""

    def __init__(self, option_strings: list[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"memcore {version('memcore-inspector')}")
        parser.exit()


class _Verb(argparse.Action):
    """Takes one of the actions, or none where none is needed. argparse's own choices would be told twice."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any
    ) -> None:
        if values != self.default and values not in self.const:
            named = f"{', '.join(self.const[:-1])} or {self.const[-1]}"
            parser.error(f"there is no action {values[:40]!r}: it is one of {named}")
        setattr(namespace, self.dest, values)


def verbs(command: argparse.ArgumentParser, says: dict[str, str], *, optional: bool = False) -> None:
    """What a command can do: its action is one of these, and its help ends with a sentence for each."""
    wide = 2 + max(map(len, says))
    command.epilog = "\n".join(["actions:", *(f"  {verb:{wide}}{what}" for verb, what in says.items())])
    may_lack: dict[str, Any] = {"nargs": "?", "default": ""} if optional else {}
    command.add_argument(
        "action", metavar="|".join(says), help="see below", action=_Verb, const=tuple(says), **may_lack
    )


def whole(text: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("give a whole number, such as 20") from error


def number(text: str) -> float:
    """A number."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("give a number, such as 0.5") from error


def day(text: str) -> date:
    """A day."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("a day is written like 2024-12-31") from error
