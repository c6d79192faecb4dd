"""Every column, index and file that can hold a word of a memory is listed, or a later feature forgets it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from secrets_said import OFFICER, erased, in_a_trace, opened, steps

from memcore.erasure import Hit
from memcore.retention import Rule
from memcore.store.folder import CALLS, REPLIES, Folder
from memcore.store.holdings import _WORDS
from memcore.store.registry import HOLDS_TEXT, TEXTLESS, TEXTLESS_FILES, Place, searched
from memcore.store.rows import _BODY, _MOMENTS, _PLAIN, CLASSES
from memcore.store.schema import items_schema, traces_schema


def test_every_file_of_a_store_is_listed(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    in_a_trace(memory, tmp_path)
    (tmp_path / "store" / REPLIES).write_text('{"value": "zqxwobble"}\n', "utf-8")
    (tmp_path / "store" / CALLS).write_text("{}\n", "utf-8")
    Folder(tmp_path / "store", 1.0).write_settings({})
    memory.retention.set([Rule("trace", 30)], OFFICER)
    there: set[str] = set()
    for _ in steps(memory):
        there |= {p.name for p in (tmp_path / "store").iterdir()}
    assert not (tmp_path / "store" / REPLIES).exists()
    listed = {place.name for place in HOLDS_TEXT if place.where == "file"}
    assert there == listed | {*TEXTLESS_FILES}


@pytest.mark.parametrize(("table", "schema"), [("items", items_schema(4)), ("traces", traces_schema())])
def test_every_column_is_listed_once(table: str, schema: object) -> None:
    listed = [place.name for place in HOLDS_TEXT if place.where == table]
    assert sorted([*listed, *TEXTLESS[table].split()]) == sorted(schema.names)  # type: ignore[index,attr-defined]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_field_of_a_record_is_kept_in_a_listed_column(kind: str) -> None:
    kept = {*_PLAIN[kind].values(), *_MOMENTS.get(kind, {}).values(), *_BODY.get(kind, ())}
    own = {f.name for f in fields(CLASSES[kind])} - {"id", "kind", "vector", "span"}
    packed = {"action", "observation"} if kind == "step" else set[str]()  # as one text
    assert own - packed == kept


def test_a_memory_can_be_erased_whole(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    in_a_trace(memory, tmp_path)
    talk = memory.conversations()[0]
    receipt = erased(memory, [Hit(talk.id, "conversation", "whole", "conversation")])
    assert receipt.ok
    assert set(memory.count()) <= {"change"}


REPEATED = {"grams": "text", "terms": "text", "name_key": "name", "before": "text"}
"""Columns that say once more what another one says; of `before`, what each of them said."""


def test_every_listed_column_is_read_for_words_or_repeats_one_that_is() -> None:
    for place in HOLDS_TEXT:
        if place.where in ("items", "traces") and not place.searched:
            assert REPEATED.get(place.name) in searched("items") or place.name in ("vector", "source_hash")


def test_what_finding_reads_and_what_an_erasure_deletes_comes_from_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = (*HOLDS_TEXT, Place("file", "later.jsonl", "of a later feature", forgotten=True))
    monkeypatch.setattr("memcore.store.registry.HOLDS_TEXT", listed)
    memory = opened(tmp_path)
    in_a_trace(memory, tmp_path)
    (tmp_path / "store" / "later.jsonl").write_text("{}", "utf-8")
    erased(memory)
    assert not (tmp_path / "store" / "later.jsonl").exists()
    assert {*_WORDS} == {*searched("items")} and {"question"} == {*searched("traces")}
