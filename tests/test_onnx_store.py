"""A store written with an ONNX model opens again without naming it, from any folder, while it is there."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from building import own_lines, write_lines
from extras import needed

from memcore.cli import main

QUESTION = "What did Felix teach Ann?"
PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "felix", "ann", "bowl", "pottery", "cat", "marathon", "tea")

needed("onnxruntime", "onnx")


def field(number: int, value: int | bytes) -> bytes:
    """One protobuf field: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    head = b""
    while value > 0x7F:
        head += bytes([value & 0x7F | 0x80])
        value >>= 7
    return head + bytes([value])


def kind(element: int, rank: int) -> bytes:
    shape = b"".join(field(1, field(2, f"d{i}".encode())) for i in range(rank))
    return field(1, field(1, element) + field(2, shape))


def write_model(folder: Path, seed: int) -> Path:
    """A model that looks its tokens up in a random table: one Gather node, as ONNX protobuf."""
    table = np.random.default_rng(seed).normal(size=(len(PIECES), 6)).astype(np.float32)
    node = field(1, b"table") + field(1, b"input_ids") + field(2, b"out") + field(4, b"Gather")
    shape = field(1, len(PIECES)) + field(1, 6)
    tensor = shape + field(2, 1) + field(8, b"table") + field(9, table.tobytes())
    takes = field(1, b"input_ids") + field(2, kind(7, 2))
    gives = field(1, b"out") + field(2, kind(1, 3))
    graph = field(1, node) + field(2, b"toy") + field(5, tensor) + field(11, takes) + field(12, gives)
    folder.mkdir(parents=True, exist_ok=True)
    opset = field(8, field(1, b"") + field(2, 13))
    (folder / "model.onnx").write_bytes(field(1, 8) + field(7, graph) + opset)
    (folder / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
    return folder


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_model(tmp_path / "models" / "toy", seed=5)


@pytest.fixture
def store(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store written with it, the model named from its own parent folder."""
    file = write_lines(tmp_path / "town.jsonl", own_lines())
    monkeypatch.chdir(model.parent)
    assert main(["import", str(file), "--store", str(tmp_path / "store"), "--embedder", "onnx:toy"]) == 0
    monkeypatch.chdir(tmp_path)
    yield tmp_path / "store"


COMMANDS = (["ask", QUESTION], ["traces", "list"], ["history", "list"], ["doctor"])


@pytest.mark.parametrize("argv", COMMANDS)
def test_every_command_opens_it_without_naming_the_model(store: Path, argv: list[str]) -> None:
    assert main([*argv, "--store", str(store)]) == 0


def test_more_can_be_imported_without_naming_it(store: Path, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "more.jsonl", own_lines(talk="more"))
    assert main(["import", str(file), "--store", str(store)]) == 0


def test_without_the_model_it_is_said_what_to_do(
    store: Path, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(model)
    capsys.readouterr()
    assert main(["ask", QUESTION, "--store", str(store), "--json"]) == 1
    said = json.loads(capsys.readouterr().err)["error"]
    assert str(model) in said and "--embedder onnx:FOLDER" in said
    assert main(["doctor", "--store", str(store)]) == 0


def test_a_model_that_was_moved_is_the_same_model(store: Path, model: Path) -> None:
    moved = model.rename(model.parent / "elsewhere")
    assert main(["ask", QUESTION, "--store", str(store), "--embedder", f"onnx:{moved}"]) == 0


def test_another_model_in_its_place_is_refused(
    store: Path, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_model(model, seed=6)
    capsys.readouterr()
    assert main(["ask", QUESTION, "--store", str(store)]) == 1
    assert capsys.readouterr().err.startswith("memcore: This store was written with")
