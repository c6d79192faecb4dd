"""What can be said to the commands whose own files are only loaded once they run."""

from __future__ import annotations

import argparse
from typing import get_args

from memcore.cli.parsing import verbs
from memcore.events import Strategy


def ui(command: argparse.ArgumentParser) -> None:
    """Where the app listens, and what is opened."""
    add = command.add_argument
    add("--port", type=int, default=0, help="port on this machine; a free one from 8765 if unset")
    add("--window", action="store_true", help="open a window of its own instead of a browser tab")
    add("--address", default="", help="where it listens; 127.0.0.1, this computer only, if unset")
    add("--host", default=[], action="append", metavar="NAME", help="a name that others reach it by")
    add("--unsafe-public", action="store_true", help="let anybody who reaches the address in without a token")
    add("--headless", action="store_true", help="open nothing, only serve")


def bring(command: argparse.ArgumentParser) -> None:
    """What is imported, and how."""
    command.add_argument("paths", nargs="+", metavar="PATH", help="files or folders of conversations")
    command.add_argument(
        "--mode", choices=("lazy", "eager"), default="lazy", help="consolidate what recurs, or every session"
    )
    command.add_argument(
        "--append", default="", metavar="CONVERSATION", help="add the turns to this conversation"
    )
    model(command)


def ask(command: argparse.ArgumentParser) -> None:
    """The question, and how it may be answered."""
    command.add_argument("question", metavar="QUESTION", help="what is asked")
    command.add_argument("--strategy", default="active", help=", ".join(get_args(Strategy)))
    budget = command.add_mutually_exclusive_group()
    says = "turns that may be read; as in the settings if unset"
    budget.add_argument("--budget", type=int, metavar="N", help=says)
    budget.add_argument("--auto-budget", action="store_true", help="let the budget grow with the difficulty")
    model(command)


def traces(command: argparse.ArgumentParser) -> None:
    """All past runs, or one."""
    verbs(command, {"list": "past runs, with their ids", "show": "the steps of one, in sentences"})
    command.add_argument("trace", nargs="?", default="", metavar="ID", help="the run to show")


def history(command: argparse.ArgumentParser) -> None:
    """What is done with which change or file."""
    verbs(
        command,
        {
            "list": "the changes, newest first",
            "undo": "take back a change, the last if none is named",
            "redo": "bring back what was taken back",
            "export": "write the corrections into a file",
            "replay": "make the corrections of such a file here",
        },
    )
    command.add_argument("of", nargs="?", default="", metavar="GROUP or FILE", help="a change, or a file")
    command.add_argument("--with-later", action="store_true", help="undo also what rests on that change")


def doctor(command: argparse.ArgumentParser) -> None:
    """Whether it is mended."""
    command.add_argument("--repair", action="store_true", help="mend what a crash left behind")


def model(command: argparse.ArgumentParser) -> None:
    """A model in place of those of the settings."""
    command.add_argument(
        "--model", default="", metavar="NAME",
        help="a model, or offline, in place of what the settings say (see memcore models)",
    )  # fmt: skip
