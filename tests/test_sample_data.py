"""The sample memories keep what they promise: chains are chains, evidence exists, the clue tree is one."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from datetime import datetime
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from memcore.errors import InputError
from memcore.evaluation.clue_texts import NAME_PARTS
from memcore.evaluation.clue_tree import ClueTree, as_lines, clue_tree
from memcore.words import terms

SAMPLES = Path(__file__).resolve().parents[1] / "sample_data"
WRITTEN = ("harbour_street", "seoul_diary", "study_assistant")
RECURRING = ("weeknight_helper", "returning_diary")
ALL = (*WRITTEN, *RECURRING, "clue_tree")
KINDS = {"chain", "single", "temporal", "update", "unanswerable"}
FIELDS = {"conversation", "title", "speaker", "role", "text", "at", "id", "session", "attachments"}
RARE = 0.06


def lines(sample: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / f"{sample}.jsonl").read_text("utf-8").splitlines()]


def questions(sample: str) -> list[dict[str, Any]]:
    return json.loads((SAMPLES / "questions.json").read_text("utf-8"))[sample]


def rare_terms(texts: list[str]) -> set[str]:
    counts = Counter(term for text in texts for term in set(terms(text)))
    return {term for term, count in counts.items() if count <= RARE * len(texts)}


def sessions(sample: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for line in lines(sample):
        found.setdefault(line["session"], []).append(line)
    return found


@pytest.mark.parametrize("sample", ALL)
def test_every_line_is_a_turn_of_our_own_format(sample: str) -> None:
    read = lines(sample)
    assert all({"conversation", "speaker", "text", "id", "session"} <= line.keys() <= FIELDS for line in read)
    assert all(line["text"].strip() for line in read)
    assert len({line["id"] for line in read}) == len(read)
    assert len({line["conversation"] for line in read}) == 1
    assert len({line["speaker"] for line in read}) == 2


@pytest.mark.parametrize("sample", ALL)
def test_time_only_moves_forward_and_each_session_is_one_evening(sample: str) -> None:
    said = [datetime.fromisoformat(line["at"]) for line in lines(sample) if "at" in line]
    assert all(time.tzinfo for time in said)
    assert all(before < after for before, after in pairwise(said))
    for session in sessions(sample).values():
        assert len({line["at"][:10] for line in session if "at" in line}) <= 1
        assert len({"at" in line for line in session}) == 1


@pytest.mark.parametrize(
    ("sample", "fewest_sessions", "fewest_turns", "longest_session"),
    [("harbour_street", 9, 170, 22), ("seoul_diary", 8, 120, 18), ("study_assistant", 8, 100, 18)],
)
def test_the_histories_are_long_enough_to_forget_something(
    sample: str, fewest_sessions: int, fewest_turns: int, longest_session: int
) -> None:
    found = sessions(sample)
    assert len(found) >= fewest_sessions
    assert sum(map(len, found.values())) >= fewest_turns
    assert max(map(len, found.values())) <= longest_session
    assert sum("attachments" in line for line in lines(sample)) >= 2


def test_the_assistant_sample_has_what_breaks_importers() -> None:
    read = lines("study_assistant")
    assert {line["role"] for line in read} == {"user", "assistant"}
    assert any(line["role"] == "assistant" and len(line["text"]) > 2500 for line in read)
    assert any("```python\n" in line["text"] for line in read)
    assert sum("at" not in session[0] for session in sessions("study_assistant").values()) == 1
    mixed = " ".join(line["text"] for line in sessions("study_assistant")["4 한국어 연습"])
    assert re.search("[가-힣]{2}", mixed) and re.search("[a-z]{4}", mixed)


def test_the_korean_sample_is_written_in_hangul() -> None:
    letters = [c for line in lines("seoul_diary") for c in line["text"] if c.isalpha()]
    assert sum("가" <= c <= "힣" for c in letters) > 0.99 * len(letters)


@pytest.mark.parametrize(
    ("sample", "fewest", "fewest_chains"),
    [("harbour_street", 20, 8), ("seoul_diary", 12, 5), ("study_assistant", 10, 5), ("clue_tree", 1, 1)],
)
def test_questions_name_turns_that_exist(sample: str, fewest: int, fewest_chains: int) -> None:
    ids = {line["id"] for line in lines(sample)}
    asked = questions(sample)
    assert len(asked) >= fewest and len({q["question"] for q in asked}) == len(asked)
    assert sum(q["kind"] == "chain" for q in asked) >= fewest_chains
    for question in asked:
        assert question.keys() == {"question", "answer", "evidence", "kind"}
        assert question["kind"] in KINDS and question["answer"]
        assert set(question["evidence"]) <= ids
        assert bool(question["evidence"]) == (question["kind"] != "unanswerable")


def chains() -> list[tuple[str, dict[str, Any]]]:
    return [(sample, q) for sample in ALL for q in questions(sample) if q["kind"] == "chain"]


@pytest.mark.parametrize(("sample", "question"), chains())
def test_the_decisive_cue_of_a_chain_is_only_in_intermediate_evidence(
    sample: str, question: dict[str, Any]
) -> None:
    read = lines(sample)
    text = {line["id"]: line["text"] for line in read}
    rare = rare_terms(list(text.values()))
    first, *_, last = question["evidence"]
    asked = set(terms(question["question"])) & rare
    assert asked & set(terms(text[first])), "the question must lead to the first hop"
    assert not asked & set(terms(text[last])), "the question alone would find the answer"


@pytest.mark.parametrize(("sample", "question"), chains())
def test_each_hop_of_a_chain_wakes_the_next(sample: str, question: dict[str, Any]) -> None:
    read = lines(sample)
    place = {line["id"]: i for i, line in enumerate(read)}
    rare = rare_terms([line["text"] for line in read])
    for before, after in pairwise(question["evidence"]):
        here, there = read[place[before]], read[place[after]]
        near = here["session"] == there["session"] and abs(place[before] - place[after]) <= 2
        assert near or set(terms(here["text"])) & set(terms(there["text"])) & rare


# --- the clue tree ---

PEOPLE = set(map("".join, product(*(part.split() for part in NAME_PARTS))))
SHAPES = [(2, 1, 1), (2, 2, 2), (3, 4, 5), (3, 3, 7), (6, 3, 11), (12, 2, 3)]


def evidence_texts(tree: ClueTree) -> list[str]:
    text = {turn.id: turn.text for turn in tree.turns}
    return [text[id_] for id_ in tree.evidence]


def people_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text)) & PEOPLE


def bm25(question: str, texts: list[str]) -> list[int]:
    counts = [Counter(terms(text)) for text in texts]
    mean = sum(c.total() for c in counts) / len(counts)
    spread = Counter(term for c in counts for term in c)

    def score(c: Counter[str]) -> float:
        weight = 1.2 * (0.25 + 0.75 * c.total() / mean)
        return sum(
            math.log(1 + (len(texts) - spread[t] + 0.5) / (spread[t] + 0.5)) * c[t] * 2.2 / (c[t] + weight)
            for t in set(terms(question))
            if c[t]
        )

    return sorted(range(len(texts)), key=lambda i: -score(counts[i]))


def test_the_clue_tree_on_disk_is_the_generated_one() -> None:
    tree = clue_tree()
    assert lines("clue_tree") == as_lines(tree)
    assert len(tree.turns) >= 200
    (question,) = questions("clue_tree")
    assert (question["question"], question["answer"]) == (tree.question, tree.answer)
    assert tuple(question["evidence"]) == tree.evidence


def test_a_seed_tells_one_story_and_another_seed_another() -> None:
    assert clue_tree(5, 2, seed=3) == clue_tree(5, 2, seed=3)
    assert clue_tree(5, 2, seed=3).question != clue_tree(5, 2, seed=4).question


@pytest.mark.parametrize(("depth", "branching", "seed"), SHAPES)
def test_each_clue_names_the_next_and_the_question_only_the_first(
    depth: int, branching: int, seed: int
) -> None:
    tree = clue_tree(depth, branching, seed)
    clues = evidence_texts(tree)
    asked = set(terms(tree.question))
    assert len(clues) == depth + 1
    assert people_of(tree.question) & people_of(clues[0])
    for before, after in pairwise(clues):
        assert people_of(before) & people_of(after)
        assert not asked & set(terms(after))
    assert tree.answer in clues[-1]
    assert sum(tree.answer in turn.text for turn in tree.turns) == 1


@pytest.mark.parametrize(("depth", "branching", "seed"), SHAPES)
def test_letting_each_clue_choose_the_next_suffices(depth: int, branching: int, seed: int) -> None:
    tree = clue_tree(depth, branching, seed)
    woken = sorted(people_of(tree.question))
    met: set[str] = set()
    read: set[str] = set()
    while woken:
        met.add(name := woken.pop())
        fresh = [turn for turn in tree.turns if name in people_of(turn.text) and turn.id not in read]
        read |= {turn.id for turn in fresh}
        woken += sorted({other for turn in fresh for other in people_of(turn.text)} - met)
    assert set(tree.evidence) <= read
    assert len(read) == (depth + 1) * branching


@pytest.mark.parametrize(("depth", "branching", "seed"), SHAPES)
def test_ranking_by_the_question_stays_with_the_rumours(depth: int, branching: int, seed: int) -> None:
    tree = clue_tree(depth, branching, seed)
    ranked = bm25(tree.question, [turn.text for turn in tree.turns])
    opened = {tree.turns[i].id for i in ranked[: (depth + 1) * branching]}
    assert tree.evidence[0] in opened
    assert not opened & set(tree.evidence[1:])


@pytest.mark.parametrize(("depth", "branching", "seed"), SHAPES)
def test_a_fixed_hop_from_what_the_question_finds_never_arrives(
    depth: int, branching: int, seed: int
) -> None:
    """Seeds are half the budget, and all their neighbours by a shared name are opened, however many."""
    tree = clue_tree(depth, branching, seed)
    names = [people_of(turn.text) for turn in tree.turns]
    seeds = bm25(tree.question, [turn.text for turn in tree.turns])[: max(1, (depth + 1) * branching // 2)]
    met = {name for i in seeds for name in names[i]}
    opened = {turn.id for turn, named in zip(tree.turns, names, strict=True) if named & met}
    assert tree.evidence[-1] not in opened
    assert len(opened) > (depth + 1) * branching or len(seeds) <= 2


@pytest.mark.parametrize(("depth", "branching"), [(1, 3), (0, 3), (1000, 3), (4, 0), (4, 1000)])
def test_a_shape_that_cannot_be_told_is_refused(depth: int, branching: int) -> None:
    with pytest.raises(InputError):
        clue_tree(depth, branching)
