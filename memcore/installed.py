"""What is installed with the package: in a checkout it lies beside it, else inside it."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def installed(name: str) -> Path | None:
    """The file or folder of this name, `app.py` or one below `sample_data`; None where it was left out."""
    places = (_PACKAGE.parent / name, _PACKAGE / "webapp" / name)
    return next((place for place in places if place.exists()), None)
