"""The measures against values worked out by hand, and a whole benchmark on a small file of our own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from memcore.errors import InputError
from memcore.evaluation.bench import run
from memcore.evaluation.metrics import f1, paired, recall
from memcore.evaluation.questions import evidence_ids


def test_recall_counts_the_first_turns_read() -> None:
    read = ["a", "b", "c", "d"]
    assert [recall({"b", "d"}, read, n) for n in (1, 2, 3, 4)] == [0.0, 0.5, 0.5, 1.0]
    assert recall((), read, 4) == 0.0


@pytest.mark.parametrize(
    ("written", "ids", "unreadable"),
    [
        (["D8:6; D9:17"], ("D8:6", "D9:17"), 0),
        (["D9:1 D4:4 D4:6"], ("D9:1", "D4:4", "D4:6"), 0),
        (["D:11:26"], ("D11:26",), 0),
        (["D30:05"], ("D30:5",), 0),
        (["D"], (), 1),
        (["D1:1", "D1:1"], ("D1:1",), 0),
        ([], (), 0),
    ],
)
def test_evidence_is_cleaned_and_what_cannot_be_is_counted(
    written: list[str], ids: tuple[str, ...], unreadable: int
) -> None:
    assert evidence_ids(written) == (ids, unreadable)


@pytest.mark.parametrize(
    ("answer", "gold", "value"),
    [
        ("The red kites, and a boat", "red kite boat", 1.0),
        ("a red kite", "a blue kite", 0.5),
        ("nothing", "kite", 0.0),
        ("", "", 1.0),
        ("", "kite", 0.0),
    ],
)
def test_f1_of_tokens(answer: str, gold: str, value: float) -> None:
    assert f1(answer, gold) == pytest.approx(value)


@pytest.mark.parametrize(
    ("right", "of", "published"),
    [
        (212, 282, 75.17),
        (258, 321, 80.37),
        (66, 96, 68.75),
        (761, 841, 90.48),
        (1297, 1540, 84.22),
        (1249, 1540, 81.10),
    ],
)
def test_the_published_percentages_follow_from_their_counts(right: int, of: int, published: float) -> None:
    assert 100 * right / of == pytest.approx(published, abs=0.011)


def test_equal_runs_differ_by_nothing_and_a_shift_is_seen() -> None:
    rng = np.random.default_rng(5)
    values = rng.random(200)
    assert paired(values, values) == (0.0, 0.0, 0.0)
    better = paired(values + 0.1, values)
    assert better.low > 9.9 and better.high < 10.1
    noise = paired(values, rng.random(200))
    assert noise.low < noise.mean < noise.high
    with pytest.raises(ValueError, match="same questions"):
        paired(values, values[1:])


def sample(name: str) -> dict[str, object]:
    said = [
        "Bo repaired my kite.",
        "He runs a shop in Kelby.",
        "I like tea.",
        "The kite is red.",
        "Good night.",
    ]
    turns = [{"speaker": "Ann", "dia_id": f"D1:{i + 1}", "text": text} for i, text in enumerate(said)]
    conversation = {
        "speaker_a": "Ann",
        "speaker_b": "Bo",
        "session_1": turns,
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    }
    asked = [
        {"question": "Who repaired the kite?", "answer": "Bo", "evidence": ["D1:1"], "category": 4},
        {"question": "Where is the shop?", "answer": "Kelby", "evidence": ["D1:2", "D"], "category": 1},
    ]
    return {"sample_id": name, "conversation": conversation, "qa": asked}


def test_the_benchmark_runs_through_the_product(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps([sample("one")]), "utf-8")
    rows = list(run("locomo", str(file), zero_model=True))
    active = next(r for r in rows if r.get("strategy") == "active" and r["category"] == "all but adversarial")
    assert (active["questions"], active["@5"]) == (2, 100.0)
    assert {r["active minus"] for r in rows if "active minus" in r} >= {
        "dense",
        "bm25",
        "fusion",
        "nhop",
        "priors",
    }


@pytest.mark.parametrize("content", ["not json", "{}", '[{"a": 1}]'])
def test_a_file_that_is_not_the_benchmark_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(content, "utf-8")
    with pytest.raises(InputError, match="LoCoMo"):
        list(run("locomo", str(file), zero_model=True))


def test_a_missing_file_is_named_in_one_sentence() -> None:
    with pytest.raises(InputError, match="FILE"):
        run("locomo", "/nowhere.json")
