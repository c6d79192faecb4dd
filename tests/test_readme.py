"""The README says what is there, and no more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memcore.cli import parser

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:memcore|tests|pages)/[\w/]+(?:\.py)?/?)`", README)))
)
def test_every_file_it_names_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_its_pictures_are_in_the_checkout() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures and [p for p in pictures if not (ROOT / p).is_file()] == []


def test_it_lists_every_command_and_every_command_is_there() -> None:
    listed = set(re.findall(r"^memcore (\w+)", README, re.M))
    commands = next(a for a in parser()._actions if a.choices and a.dest == "==SUPPRESS==")
    assert listed == set(commands.choices)


def test_every_page_is_named() -> None:
    named = [page.stem.replace("_", " ").capitalize() for page in (ROOT / "pages").glob("[a-z]*.py")]
    assert named and [name for name in named if name not in README] == []


def test_its_python_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["grown", "compressed", "maintained"]


def test_every_module_and_package_has_its_place() -> None:
    places = README.split("## Where things are")[1].split("## ")[0]
    modules = {p.name for p in (ROOT / "memcore").glob("*.py")} - {"__init__.py"}
    packages = {f"memcore/{p.parent.name}/" for p in (ROOT / "memcore").glob("*/__init__.py")}
    assert [name for name in sorted(modules | packages) if f"`{name}`" not in places] == []
