"""An embedder from a folder with a BERT-type ONNX model (bge, MiniLM, e5 ...), for who has one.

The folder holds `model.onnx` (or one other *.onnx, also below `onnx/`) and `tokenizer.json` or
`vocab.txt`. Texts are embedded one by one: quantised models give other vectors in a batch.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from memcore.errors import InputError, ModelUnavailable
from memcore.llm.offline.embedder import weights_hash
from memcore.llm.offline.wordpiece import wordpiece_of

READ_CHARS = 8_000
Pooling = Literal["mean", "cls"]


class OnnxEmbedder:
    """Unit vectors of the model's own dimension.

    `pooling`: the mean of the token vectors (MiniLM, e5) or the vector of [CLS] (bge). `limit` is the
    most tokens read.
    Raises InputError for a wrong folder, ModelUnavailable when it cannot be loaded.
    """

    def __init__(self, folder: Path, pooling: Pooling = "mean", limit: int = 256) -> None:
        model = _model_file(folder)
        self._session = _session(model)
        self._wordpiece = wordpiece_of(folder)
        self._pooling: Pooling = pooling
        self._limit = limit
        self._inputs = {i.name for i in self._session.get_inputs()}
        self.name = f"onnx:{folder.resolve().name}"
        self.fingerprint = f"{pooling}:{limit}:{weights_hash(model)}"
        self.dimension = int(self._pooled("a").shape[0])

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(len(texts), dimension) float32 rows of length 1, zeros for blank texts."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            if text[:READ_CHARS].strip():
                vector = self._pooled(text[:READ_CHARS])
                row[:] = vector / max(float(np.linalg.norm(vector)), 1e-12)
        return rows

    def covers(self, text: str) -> bool:
        """Whether most words are cut into known pieces, not given up as unknown."""
        return self._wordpiece.known_share(text[:READ_CHARS], self._limit) >= 0.5

    def _pooled(self, text: str) -> npt.NDArray[np.float32]:
        ids = np.array([self._wordpiece.encode(text, self._limit)], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            output = self._session.run(None, {n: v for n, v in given.items() if n in self._inputs})[0]
        except Exception as error:  # onnxruntime's errors share no base class
            raise ModelUnavailable(
                "The ONNX model could not be run: it is not a BERT-type text encoder."
            ) from error
        return _pool(np.asarray(output, dtype=np.float32), self._pooling)


def _pool(output: npt.NDArray[np.float32], pooling: Pooling) -> npt.NDArray[np.float32]:
    """One vector of (1, tokens, dimension); a model that pools by itself gives (1, dimension)."""
    if output.ndim == 2:
        return output[0]
    return output[0, 0] if pooling == "cls" else output[0].mean(axis=0)


def _model_file(folder: Path) -> Path:
    if not folder.is_dir():
        raise InputError(f"No such folder for an ONNX model: {folder}.")
    for found in (folder / "model.onnx", *sorted(folder.glob("*.onnx")), *sorted(folder.glob("onnx/*.onnx"))):
        if found.is_file():
            return found
    raise InputError(f"No .onnx file in the folder {folder}.")


def _session(model: Path) -> Any:
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    try:
        return runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no base class
        raise ModelUnavailable(f"The ONNX model {model.name} cannot be loaded.") from error


def _runtime() -> ModuleType:
    try:
        return importlib.import_module("onnxruntime")
    except ImportError as error:
        raise ModelUnavailable(
            "ONNX models need onnxruntime: run `pip install 'memcore-inspector[onnx]'`."
        ) from error
