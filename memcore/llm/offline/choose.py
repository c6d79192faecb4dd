"""Embedders by name, as the command line, the settings page and the store give them.

The name of an embedder that a store records is the choice that gives it again (`written_with`).
"""

from __future__ import annotations

from pathlib import Path

from memcore.errors import InputError
from memcore.llm.choose import named
from memcore.llm.late import Backing, LateGemini
from memcore.llm.offline.embedder import MultilingualEmbedder, NoEmbedder
from memcore.llm.protocols import Embedder

CHOICES = ("multilingual", "none", "onnx:<folder>", "gemini/<model>")
DEFAULT = "multilingual"
_ONNX = "onnx:"
_GEMINI, _GEMINI_RECORDED = "gemini/", "gemini:"


def embedder_named(name: str, recorded: str = "", backing: Backing | None = None) -> Embedder:
    """The embedder of that name, for a store that recorded `recorded` ("" for a new one). One over the
    network is asked through `backing`, and only when it embeds.

    Raises InputError for an unknown name, ModelUnavailable without weights.
    """
    if name.startswith(_GEMINI) and backing is not None:
        return LateGemini(named(name)[1], backing)
    if name == "multilingual":
        return MultilingualEmbedder()
    if name == "none":
        return NoEmbedder()
    if name.startswith(_ONNX) and len(name) > len(_ONNX):
        return _onnx(Path(name.removeprefix(_ONNX)).expanduser(), recorded)
    raise InputError(f"Unknown embedder {name[:80]!r}; choose one of: {', '.join(CHOICES)}.")


def written_with(recorded: str) -> str:
    """The choice that gives the embedder a store was written with, from the name it recorded.

    Raises InputError where that was an ONNX folder which is not there any more.
    """
    if recorded.startswith(_GEMINI_RECORDED):
        return _GEMINI + recorded.removeprefix(_GEMINI_RECORDED)
    if not recorded.startswith(_ONNX):
        return "none" if recorded == "none" else DEFAULT
    folder = Path(recorded.removeprefix(_ONNX))
    if not folder.is_dir():
        raise InputError(
            f"This store was written with the ONNX model in {folder}, which is not there any more: "
            "put it back, or say where it is now with --embedder onnx:FOLDER."
        )
    return recorded


def _onnx(folder: Path, recorded: str) -> Embedder:
    # onnxruntime is optional: only this choice may ask for it.
    from memcore.llm.offline.onnx import OnnxEmbedder

    made = OnnxEmbedder(folder)
    # The whole path: a store must find the model again from any working directory. A model that was
    # moved keeps the name the store knows; that it is the same one shows in its fingerprint.
    made.name = recorded if recorded.startswith(_ONNX) else f"{_ONNX}{folder.resolve()}"
    return made
