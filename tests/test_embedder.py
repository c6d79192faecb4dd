"""Embedders give unit rows that do not depend on the batch; what is missing is said in one sentence."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from extras import needed

from memcore.errors import InputError, ModelUnavailable
from memcore.llm.offline import embedder as embedder_module
from memcore.llm.offline.choose import embedder_named
from memcore.llm.offline.embedder import READ_CHARS, MultilingualEmbedder, NoEmbedder
from memcore.llm.offline.onnx import OnnxEmbedder
from memcore.llm.offline.wordpiece import WordPiece, wordpiece_of
from memcore.llm.protocols import Embedder

TEXTS = [
    "The heron stood in the pond.",
    "왜가리가 연못에 서 있었다.",
    "Invoices are due in March.",
    "a",
    "🙂",
]


@pytest.fixture(scope="module")
def multilingual() -> MultilingualEmbedder:
    return MultilingualEmbedder()


def test_rows_have_length_one(multilingual: MultilingualEmbedder) -> None:
    rows = multilingual.embed(TEXTS)
    assert rows.shape == (5, multilingual.dimension) and rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_text_has_the_same_vector_alone_and_in_a_batch(multilingual: MultilingualEmbedder) -> None:
    alone = np.vstack([multilingual.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(multilingual.embed(TEXTS * 20)[:5], alone, atol=1e-6)


def test_blank_text_is_near_to_nothing(multilingual: MultilingualEmbedder) -> None:
    assert not multilingual.embed(["", " \n", " " * READ_CHARS + "word"]).any()
    assert multilingual.embed([]).shape == (0, 512)


def test_translations_are_nearer_than_other_matters(multilingual: MultilingualEmbedder) -> None:
    heron, translated, invoices = multilingual.embed(TEXTS)[:3]
    assert heron @ translated > heron @ invoices


def test_a_megabyte_is_read_up_to_its_limit(multilingual: MultilingualEmbedder) -> None:
    start = "word " * (READ_CHARS // 5)
    rows = multilingual.embed([start + "heron " * 200_000, start])
    np.testing.assert_array_equal(rows[0], rows[1])


def test_text_that_is_no_unicode_is_embedded_all_the_same(multilingual: MultilingualEmbedder) -> None:
    assert np.isfinite(multilingual.embed(["\ud800\x00heron"])).all()


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("heron", True), ("왜가리", True), ("サギ", True), ("苍鹭", True), ("цапля", True),
        ("นกกระสา", True), ("بلشون", True),
        ("balıkçıl", True), ("12:30 🙂", True), ("बगुला", False), ("אנפה", False), ("ερωδιός", False),
        ("बगुला बगुला heron", False), ("heron heron אנפה", True),
    ],
)  # fmt: skip
def test_it_covers_the_scripts_of_its_languages(
    multilingual: MultilingualEmbedder, text: str, covered: bool
) -> None:
    assert multilingual.covers(text) is covered


def test_the_fingerprint_names_version_and_weights(multilingual: MultilingualEmbedder) -> None:
    version, _, digest = multilingual.fingerprint.partition(":")
    assert version[0].isdigit() and len(digest) == 16
    assert MultilingualEmbedder().fingerprint == multilingual.fingerprint


def test_missing_weights_are_a_model_error(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="install"):
        embedder_module.weights_hash(tmp_path / "weights.npz")


def test_zero_model_mode_has_no_columns() -> None:
    none = NoEmbedder()
    assert none.embed(TEXTS).shape == (5, 0) and none.dimension == 0
    assert not none.covers("heron")


def test_embedders_are_chosen_by_name() -> None:
    chosen: Sequence[Embedder] = [embedder_named("none"), embedder_named("multilingual")]
    assert [e.name for e in chosen] == ["none", "use-multilingual-v3"]
    for wrong in ("", "bert", "onnx:"):
        with pytest.raises(InputError, match="multilingual, none, onnx"):
            embedder_named(wrong)


PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "heron", "pond", "##s", "fly", "##ing", ",", "鷺", "cafe"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Herons, flying", "heron ##s , fly ##ing"),
        ("pond\tpond\x00s", "pond pond ##s"),
        ("Café", "cafe"),
        ("鷺鷺", "鷺 鷺"),
        ("zebra heron", "[UNK] heron"),
        ("heron" * 30, "[UNK]"),
        ("", ""),
    ],
)
def test_words_are_cut_into_the_longest_known_pieces(text: str, pieces: str) -> None:
    ids = WordPiece({p: i for i, p in enumerate(PIECES)}).encode(text, 64)
    assert [PIECES[i] for i in ids] == ["[CLS]", *pieces.split(), "[SEP]"]


def test_a_long_text_is_cut_at_the_limit_and_still_closed() -> None:
    ids = WordPiece({p: i for i, p in enumerate(PIECES)}).encode("pond " * 1000, 8)
    assert len(ids) == 8 and PIECES[ids[-1]] == "[SEP]"


@pytest.mark.parametrize(
    "content", ["[]", "{}", '{"model": {"vocab": {"a": 0}}}', "no json", '{"model": null}']
)
def test_a_folder_with_another_tokenizer_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(ModelUnavailable):
        wordpiece_of(tmp_path)


def _field(number: int, content: bytes | int) -> bytes:
    """One protobuf field: a varint, or bytes with their length."""
    if isinstance(content, int):
        return _varint(number << 3) + _varint(content)
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out, value = out + bytes([value & 0x7F | 0x80]), value >> 7
    return out + bytes([value])


def _tensor_type(element: int, rank: int) -> bytes:
    shape = b"".join(_field(1, _field(2, f"d{i}".encode())) for i in range(rank))
    return _field(1, _field(1, element) + _field(2, shape))


@pytest.fixture
def toy_model(tmp_path: Path) -> Path:
    """A model that looks its tokens up in a table: one Gather node, written by hand as ONNX protobuf."""
    table = np.random.default_rng(7).normal(size=(len(PIECES), 6)).astype(np.float32)
    node = _field(1, b"table") + _field(1, b"input_ids") + _field(2, b"out") + _field(4, b"Gather")
    tensor = (
        _field(1, len(PIECES))
        + _field(1, 6)
        + _field(2, 1)
        + _field(8, b"table")
        + _field(9, table.tobytes())
    )
    takes = _field(1, b"input_ids") + _field(2, _tensor_type(7, 2))
    gives = _field(1, b"out") + _field(2, _tensor_type(1, 3))
    graph = _field(1, node) + _field(2, b"toy") + _field(5, tensor) + _field(11, takes) + _field(12, gives)
    model = _field(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _field(2, 13))
    (tmp_path / "model.onnx").write_bytes(model)
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES), encoding="utf-8")
    np.save(tmp_path / "table.npy", table)
    return tmp_path


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_an_onnx_folder_gives_pooled_unit_rows(toy_model: Path, pooling: str) -> None:
    needed("onnxruntime", "onnx")
    model = OnnxEmbedder(toy_model, pooling=pooling)  # type: ignore[arg-type]
    table = np.load(toy_model / "table.npy")
    expected = table[[2, 4, 6, 3]].mean(axis=0) if pooling == "mean" else table[2]
    rows = model.embed(["herons", ""])
    assert model.dimension == 6 and not rows[1].any()
    np.testing.assert_allclose(rows[0], expected / np.linalg.norm(expected), atol=1e-5)


def test_an_onnx_model_covers_what_its_vocabulary_knows(toy_model: Path) -> None:
    needed("onnxruntime", "onnx")
    model = embedder_named(f"onnx:{toy_model}")
    assert model.covers("herons flying") and not model.covers("왜가리가 연못에")


def test_the_tokenizer_json_is_read_as_the_vocabulary(toy_model: Path) -> None:
    described = {"normalizer": {"lowercase": False}, "model": {"vocab": {p: i for i, p in enumerate(PIECES)}}}
    (toy_model / "tokenizer.json").write_text(json.dumps(described), encoding="utf-8")
    assert wordpiece_of(toy_model).encode("Heron heron", 9) == [2, 1, 4, 3]


def test_a_broken_model_and_a_wrong_folder_are_refused(toy_model: Path, tmp_path: Path) -> None:
    needed("onnxruntime", "onnx")
    (toy_model / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ModelUnavailable, match=r"model\.onnx"):
        OnnxEmbedder(toy_model)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "absent"):
        with pytest.raises(InputError):
            OnnxEmbedder(folder)


def test_without_onnxruntime_the_extra_is_named(toy_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelUnavailable, match=r"memcore-inspector\[onnx\]"):
        OnnxEmbedder(toy_model)


def test_importing_the_package_loads_no_weights() -> None:
    assert importlib.import_module("memcore.llm.offline.choose")
    assert MultilingualEmbedder()._encoder is None
