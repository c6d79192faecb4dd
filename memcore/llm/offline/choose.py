"""Embedders by name, as the command line and the settings page give them."""

from __future__ import annotations

from pathlib import Path

from memcore.errors import InputError
from memcore.llm.offline.embedder import MultilingualEmbedder, NoEmbedder
from memcore.llm.protocols import Embedder

CHOICES = ("multilingual", "none", "onnx:<folder>")


def embedder_named(name: str) -> Embedder:
    """The embedder of that name. Raises InputError for an unknown one, ModelUnavailable without weights."""
    if name == "multilingual":
        return MultilingualEmbedder()
    if name == "none":
        return NoEmbedder()
    if name.startswith("onnx:") and len(name) > len("onnx:"):
        # onnxruntime is optional: only this choice may ask for it.
        from memcore.llm.offline.onnx import OnnxEmbedder

        return OnnxEmbedder(Path(name.removeprefix("onnx:")))
    raise InputError(f"Unknown embedder {name[:80]!r}; choose one of: {', '.join(CHOICES)}.")
