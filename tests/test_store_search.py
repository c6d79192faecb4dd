"""Full text finds English by stems and Korean inside an eojeol, and no question can break it."""

from __future__ import annotations

from pathlib import Path

import pytest
from store_records import Named, content, turn

from memcore.errors import InputError
from memcore.events import Imported
from memcore.records import new_id
from memcore.store import Scope, Store

TEXTS = {
    "run": "Yesterday I went running around the lake at the café.",
    "paint": "Caroline painted a sunrise for her mother.",
    "memory": "어제 메모리는 부족했고 여행에서 돌아왔다.",
    "name": "캐롤라인이 그림을 그렸다.",
    "mixed": "우리는 GraphRAG를 검색엔진으로 비교했다.",
}


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return Store.open(tmp_path / "store", embedder=Named()).create_scope("mine")


@pytest.fixture(params=["new rows", "indexed rows"])
def ids(scope: Scope, request: pytest.FixtureRequest) -> dict[str, str]:
    turns = {name: turn(new_id(), text=text) for name, text in TEXTS.items()}
    scope.commit(Imported("00000000", 5), upserts=list(turns.values()))
    if request.param == "indexed rows":
        scope.tidy()
    return {name: t.id for name, t in turns.items()}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("run", "run"),
        ("RUNS", "run"),
        ("cafe", "run"),
        ("painting", "paint"),
        ("메모리", "memory"),
        ("여행", "memory"),
        ("캐롤라인", "name"),
        ("검색", "mixed"),
        ("GraphRAG를", "mixed"),
    ],
)
def test_words_are_found(scope: Scope, ids: dict[str, str], asked: str, found: str) -> None:
    assert scope.search(asked)[0][0] == ids[found]


def test_what_is_in_no_text_is_not_found(scope: Scope, ids: dict[str, str]) -> None:
    assert scope.search("zebra") == scope.search("얼룩말") == []
    assert ids


@pytest.mark.parametrize(
    "asked",
    ["", " ", "?!", '"', "'", "''", '"unclosed', "a' OR '1'='1", "text:run", "run AND", "(", "*",
     "\\", "\0", "+-~^", "\ud800", "run " * 100_000, "x" * 1_000_000, "가" * 5_000, "\u202e", "🏃"],
)  # fmt: skip
def test_no_question_breaks_the_search(scope: Scope, ids: dict[str, str], asked: str) -> None:
    assert len(scope.search(asked)) <= len(ids)


def test_kinds_and_limit_are_kept(scope: Scope) -> None:
    turns = [turn(new_id(), n, "lake") for n in range(5)]
    scope.commit(Imported("00000000", 5), upserts=[*turns, *(content(t) for t in turns)])
    found = scope.search("lake", kinds=("turn",), limit=50)
    assert {i for i, _ in found} == {t.id for t in turns}
    assert len(scope.search("lake", limit=3)) == 3
    assert scope.search("lake", limit=0) == []
    with pytest.raises(InputError):
        scope.search("lake", kinds=("cue' OR 1=1",))
