"""Every column, index and file that can hold a word of a memory is listed, or a later feature forgets it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from secrets_said import erased, in_a_trace, opened, steps

from memcore.erasure import Hit
from memcore.llm.recording import FILE
from memcore.store.registry import HOLDS_TEXT, TEXTLESS, TEXTLESS_FILES
from memcore.store.rows import _BODY, _MOMENTS, _PLAIN, CLASSES
from memcore.store.schema import items_schema, traces_schema


def test_every_file_of_a_store_is_listed(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    in_a_trace(memory, tmp_path)
    (tmp_path / "store" / FILE).write_text('{"value": "zqxwobble"}\n', "utf-8")
    there: set[str] = set()
    for _ in steps(memory):
        there |= {p.name for p in (tmp_path / "store").iterdir()}
    assert not (tmp_path / "store" / FILE).exists()
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
