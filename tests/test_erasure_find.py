"""Finding what is to be erased: hits outright, near matches for review, and nothing is changed by looking."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from building import TOWN
from by_name import cue
from secrets_said import CUE, KOREAN, OFFICER, TEXT, imported, in_an_agent_run, opened

from memcore.editing import Merge
from memcore.erasure import Hit, Wanted
from memcore.errors import InputError
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.settings import Settings


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("find")
    memory = opened(folder)
    said = [
        *TOWN,
        ("Ann", "We met Carolina, and the dogs of Carolyna."),
        ("Bo", "메모리는 오래 간다고 했다."),
    ]
    imported(memory, folder, said)
    return memory


def shown(hits: tuple[Hit, ...], kind: str = "turn") -> list[str]:
    return [h.text for h in hits if h.kind == kind]


def test_a_text_is_found_wherever_it_stands_whatever_its_case(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(text="SAFFRON"))
    assert {h.kind for h in found.hits} >= {"turn", "content", "cue"}
    assert len(shown(found.hits)) == 2


def test_another_spelling_is_near_and_not_chosen(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(text="Felyx"))
    assert found.hits == ()
    assert {h.why for h in found.near} == {"spelling"}
    assert len(shown(found.near)) == 3


def test_a_korean_word_is_near_with_another_particle(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(text="메모리가"))
    assert shown(found.hits) == []
    assert [h.why for h in found.near if h.kind == "turn"] == ["other_form"]
    assert len(shown(memory.erasure.find(Wanted(text="메모리")).hits)) == 1


def test_a_plural_is_near_as_another_form(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(text="neighbours"))
    assert [h.why for h in found.near if h.kind == "turn"] == ["other_form"]


def test_a_person_is_found_in_what_the_person_said_and_mentions_are_near(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(person="Bo"))
    assert len(shown(found.hits)) == 7 == len([h for h in found.hits if h.kind == "turn"])
    felix = memory.erasure.find(Wanted(person="Felix"))
    assert {h.kind for h in felix.hits} == {"cue", "tag"}
    assert {h.why for h in felix.near} == {"mention"}


def test_a_regular_expression_is_searched_with_a_time_limit(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(pattern=r"Madr\w+ in Ju"))
    assert shown(found.hits) == ["I am going to Madrid in June for the marathon."]
    endless = Wanted(pattern=r"(\w+\s?)+\d$")
    hurried = replace(memory.erasure, settings=Settings(pattern_seconds=0.5))
    with pytest.raises(InputError, match=r"longer than 0\.5 seconds"):
        hurried.find(endless)


@pytest.mark.parametrize("pattern", ["(", "a*", "[z-a]"])
def test_an_expression_that_means_nothing_or_everything_is_refused(memory: Memory, pattern: str) -> None:
    with pytest.raises(InputError, match="expression"):
        memory.erasure.find(Wanted(pattern=pattern))


def test_a_cue_leads_to_what_it_reaches(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(cue="felix"))
    assert found.hits[0].kind == "cue"
    assert {h.why for h in found.hits[1:]} == {"reached"}
    with pytest.raises(InputError, match="no cue called"):
        memory.erasure.find(Wanted(cue="Nobody"))


def test_a_time_range_takes_the_turns_of_those_days(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(since=date(2024, 5, 7), until=date(2024, 5, 7)))
    assert len(shown(found.hits)) == 4
    assert {h.why for h in found.hits} == {"time"}


def test_criteria_narrow_each_other(memory: Memory) -> None:
    of_ann = memory.erasure.find(Wanted(text="marathon", person="Ann"))
    assert shown(of_ann.hits) == ["The marathon in Madrid is hot. Take a hat!"]
    on_the_day = memory.erasure.find(Wanted(person="Bo", since=date(2024, 5, 8), until=date(2024, 5, 8)))
    assert len(on_the_day.hits) == 2
    inside = memory.erasure.find(Wanted(text="marathon", conversation="town"))
    assert len(shown(inside.hits)) == 2


def test_a_conversation_or_a_file_is_meant_as_a_whole(memory: Memory) -> None:
    talk = memory.conversations()[0]
    assert memory.erasure.find(Wanted(conversation="town")).hits == (
        Hit(talk.id, "conversation", "whole", "conversation"),
    )
    assert {h.kind for h in memory.erasure.find(Wanted(file="said.jsonl")).hits} == {"conversation", "file"}
    with pytest.raises(InputError, match="no conversation"):
        memory.erasure.find(Wanted(conversation="another"))


def test_what_is_like_an_example_is_offered_with_its_score(memory: Memory) -> None:
    example = "Ann: Felix taught me to glaze a bowl yesterday."
    found = memory.erasure.find(Wanted(like=example))
    assert found.hits == ()
    assert (found.near[0].why, found.near[0].score) == ("similar", pytest.approx(1.0, abs=1e-3))


def test_nothing_asked_finds_nothing(memory: Memory) -> None:
    with pytest.raises(InputError, match="Say what"):
        memory.erasure.find(Wanted())


def test_looking_changes_nothing(memory: Memory) -> None:
    before = memory.erasure.scope.seq(), memory.count()
    found = memory.erasure.find(Wanted(text="Saffron"))
    memory.erasure.plan(found.hits)
    assert (memory.erasure.scope.seq(), memory.count()) == before


def test_names_that_were_merged_are_aliases(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN)
    memory.edit(Merge("cue", (cue(memory, "Kyoto"),), cue(memory, "Lisbon")), OFFICER)
    found = memory.erasure.find(Wanted(text="Kyoto"))
    assert {h.kind for h in found.hits} >= {"turn", "correction", "change"}
    assert {h.text for h in found.near if h.why == "alias"} >= {
        "Lisbon", "I adopted a grey cat from the shelter in Lisbon."
    }  # fmt: skip


def test_questions_runs_and_reasons_are_found_too(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    in_an_agent_run(memory, tmp_path)
    list(memory.ask(Ask(f"Where is {TEXT}?", 3)))
    found = memory.erasure.find(Wanted(text=TEXT))
    assert {h.kind for h in found.hits} >= {"turn", "content", "step", "mark", "trace"}
    assert {(h.kind, h.part) for h in memory.erasure.find(Wanted(text=CUE)).hits} >= {
        ("run", "words"), ("step", "words"), ("change", "reason"), ("change", "image"),
    }  # fmt: skip
    assert shown(memory.erasure.find(Wanted(text=KOREAN)).hits) != []
