"""What an installation without the checkout needs is named in the packaging: modules, pages, samples."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
FOLDERS = {name: SETTINGS["package-dir"].get(name, name.replace(".", "/")) for name in SETTINGS["packages"]}


def shipped(path: Path) -> bool:
    """Whether the wheel takes this file: a module of a package, or data that a pattern names."""
    inside = path.relative_to(ROOT)
    for name, place in FOLDERS.items():
        folder = Path(place)
        if path.suffix == ".py" and inside.parent == folder:
            return True
        patterns = SETTINGS["package-data"].get(name, [])
        if inside.is_relative_to(folder) and any(
            fnmatch.fnmatch(inside.relative_to(folder).as_posix(), pattern) for pattern in patterns
        ):
            return True
    return False


def needed() -> list[Path]:
    """Every file the program and the app are made of."""
    found = [ROOT / "app.py", ROOT / ".streamlit" / "config.toml"]
    for folder in ("memcore", "pages", "sample_data"):
        found += [
            p for p in sorted((ROOT / folder).rglob("*")) if p.is_file() and "__pycache__" not in p.parts
        ]
    return found


@pytest.mark.parametrize("path", needed(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_file_of_the_program_is_in_the_wheel(path: Path) -> None:
    assert shipped(path), f"{path.relative_to(ROOT)} is named by no package and no pattern of pyproject.toml"


def test_tests_and_notes_are_not_in_the_wheel() -> None:
    assert not shipped(ROOT / "tests" / "test_wheel.py")
    assert not shipped(ROOT / "README.md")


def test_every_package_named_is_there() -> None:
    for place in FOLDERS.values():
        assert (ROOT / place).is_dir(), place
