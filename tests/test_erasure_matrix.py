"""A secret in every form and every place leaves no byte: raw, decoded, or in a full-text automaton."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from extras import needed
from lance_reading import indexed, traces_of
from secrets_said import (
    CUE,
    KOREAN,
    SITUATIONS,
    TAG,
    TEXT,
    erased,
    fresh,
    opened,
    redacted,
    vector_slices,
)

from memcore.erasure import Receipt
from memcore.memory import Memory
from memcore.store import purging, removal
from memcore.store.doctor import examine
from memcore.store.schema import Index
from memcore.store.tables import AT_ONCE, Table
from memcore.words import stem_word

NEEDLES = ("text", "tag", "cue", "vector", "Korean text")
SECRET = "Ann: The code that opens the shed is zqxwobble."


class Erased(NamedTuple):
    """A store before and after an erasure: where each needle was, and where it still is."""

    memory: Memory
    receipt: Receipt
    before: Mapping[str, list[tuple[str, str]]]
    after: Mapping[str, list[tuple[str, str]]]


def looked_for(folder: Path) -> dict[str, list[tuple[str, str]]]:
    needles = {"text": ([TEXT], []), "tag": ([TAG], []), "cue": ([CUE], []), "Korean text": ([KOREAN], [])}
    return traces_of(folder, {**needles, "vector": ([], vector_slices(SECRET))})


WAYS = {"erased": erased, "redacted": redacted}


@pytest.fixture(
    scope="module",
    params=[(place, way) for place in SITUATIONS for way in WAYS],
    ids=lambda of: " ".join(of).replace("_", " "),
)
def situation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Erased]:
    needed("lance.file", "test")
    place, way = request.param
    folder = tmp_path_factory.mktemp(place)
    memory = opened(folder)
    SITUATIONS[place](memory, folder)
    before = looked_for(folder / "store")
    receipt = WAYS[way](memory)
    yield Erased(memory, receipt, before, looked_for(folder / "store"))


@pytest.mark.parametrize("needle", NEEDLES)
def test_nothing_is_left_on_disk(situation: Erased, needle: str) -> None:
    assert situation.before[needle] != []
    assert situation.after[needle] == []


def test_the_products_own_checks_agree_and_the_store_is_sound(situation: Erased) -> None:
    assert [c for c in situation.receipt.checks if not c.ok] == []
    assert situation.receipt.status == "verified"
    store = situation.memory.erasure.scope
    assert [f.problem for f in _examined(situation.memory) if not f.harmless] == []
    assert store.count()["turn"] >= 12
    assert store.leftovers().keys() and not any(store.leftovers().values())


def test_a_full_text_index_is_read_in_full(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    memory.tidy()
    known = {word for path in tmp_path.rglob("*_tokens.lance") for word in indexed(path)}
    assert {stem_word(TEXT), "shed", "potteri", "은하", "하수"} <= known


def _without_rewriting(table: Table, indexes: Mapping[str, Index]) -> Iterator[tuple[int, int]]:
    lance = table.newest()
    for column, config in indexes.items():
        lance.create_index(column, config=config, replace=True)
    with pytest.warns(DeprecationWarning):
        lance.cleanup_old_versions(AT_ONCE, delete_unverified=True)
    yield 1, 1


def _without_making_anew(table: Table, indexes: Mapping[str, Index]) -> Iterator[tuple[int, int]]:
    """Rows are copied with what lies under their nulls."""
    lance = table.newest()
    lance.update(where="true", values_sql={"kind": "kind"})
    for column, config in indexes.items():
        lance.create_index(column, config=config, replace=True)
    purging._drop_versions(lance)
    yield 1, 1


def _without_cleaning(table: Table, indexes: Mapping[str, Index]) -> Iterator[tuple[int, int]]:
    lance = table.newest()
    lance.update(where="true", values_sql=purging.made_anew(table))
    for column, config in indexes.items():
        lance.create_index(column, config=config, replace=True)
    yield 1, 1


def _without_dropping_branches(table: Table, indexes: Mapping[str, Index]) -> Iterator[tuple[int, int]]:
    """Lance keeps what a branch was made from, and says nothing of it."""
    table.newest().branches.create("aside")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(purging, "_drop_names", lambda lance: None)
        yield from purging.purge(table, indexes)


def _nothing(table: Table, indexes: Mapping[str, Index]) -> Iterator[tuple[int, int]]:
    yield 1, 1


@pytest.mark.parametrize(
    "left_out",
    [_without_rewriting, _without_making_anew, _without_cleaning, _without_dropping_branches, _nothing],
)
def test_a_purge_that_leaves_a_step_out_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: Any
) -> None:
    memory = opened(tmp_path)
    SITUATIONS["in_an_agent_run"](memory, tmp_path)
    memory.tidy()
    monkeypatch.setattr(removal, "purge", left_out)
    receipt = erased(memory)
    assert [place for places in looked_for(tmp_path / "store").values() for place in places] != []
    assert receipt.status == "found"


def _examined(memory: Memory) -> list[Any]:
    from memcore.store import Store

    folder = memory.erasure.scope.receipts.parent
    return examine(Store.open(folder, embedder=None, create=False))
