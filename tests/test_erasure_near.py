"""Near matches leave nothing out: names in file names, numbers written otherwise, hidden and split words."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from building import TOWN, own_lines, write_lines
from secrets_said import erased, imported, opened, redacted

from memcore.erasure import MARK, Hit, Wanted
from memcore.erasure.numbers import numbers, written
from memcore.erasure.spelling import names, spelled
from memcore.errors import InputError
from memcore.memory import Memory
from memcore.words import normalise

SAID = (
    ("Ann", "Call 010-1234-5678 before noon."),
    ("Bo", "From abroad it is +82 10 1234 5678."),
    ("Ann", "The roof cost 1,250 crowns in Gdansk."),
    ("Bo", "Gardening with Mar\u00aden and Ma\u200bren is fun."),
    ("Ann", "Room 12 was 50 crowns."),
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("near")
    memory = opened(folder)
    imported(memory, folder, [*TOWN, *SAID])
    return memory


def turns(hits: tuple[Hit, ...]) -> list[str]:
    return [h.text for h in hits if h.kind == "turn"]


def test_every_mention_is_offered_however_many_there_are(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    many = [(("Ann", "Bo")[i % 2], f"Quillwyn fed bee {i}.") for i in range(300)]
    imported(memory, tmp_path, [*many, ("Quillwyn", "Hello.")])
    found = memory.erasure.find(Wanted(person="Quillwyn"))
    assert len(turns(found.near)) == 300 and len([h for h in found.near if h.kind == "content"]) == 300
    assert erased(memory, [*found.hits, *found.near]).still_in == ()
    assert memory.erasure.find(Wanted(text="Quillwyn")).hits == ()


def test_a_name_in_the_name_of_a_file_is_offered_and_goes_with_its_earlier_versions(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    path = write_lines(tmp_path / "Quillwyn-export.jsonl", own_lines([*TOWN, ("Quillwyn", "Hello.")]))
    list(memory.import_path(path))
    found = memory.erasure.find(Wanted(person="Quillwyn"))
    assert {(h.kind, h.field) for h in found.near} >= {
        ("file", "name"),
        ("file", "report"),
        ("change", "name"),
    }
    planned = memory.erasure.plan([*found.hits, *found.near])
    assert {t.what for t in planned.touched if t.kind == "file"} == {"blank"}
    erased(memory, [*found.hits, *found.near])
    assert memory.erasure.find(Wanted(text="Quillwyn")).hits == ()


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("Quillwyn-export.jsonl", "Quillwyn", ("Quillwyn",)),
        ("mail/quillwyn@example.org", "Quillwyn", ("quillwyn",)),
        ("Anna_Lee.pdf, by Anna\nLee's", "Anna Lee", ("Anna\nLee", "Anna_Lee")),
        ("Jean-Paul came", "Jean-Paul", ("Jean-Paul",)),
        ("notes/jean_paul.txt", "Jean-Paul", ("jean_paul",)),
        ("김철수-보고서.hwp", "김철수", ("김철수",)),
        ("Quillwynson-export.jsonl", "Quillwyn", ()),
        ("Anna met Lee", "Anna Lee", ()),
    ],
)
def test_a_name_stands_between_spaces_or_what_joins_words(
    text: str, name: str, said: tuple[str, ...]
) -> None:
    assert spelled(text, normalise(name)) == said
    assert names(text, normalise(name)) is bool(said)


def test_a_number_is_near_however_it_is_written(memory: Memory) -> None:
    phone = memory.erasure.find(Wanted(text="01012345678"))
    assert phone.hits == () and turns(phone.near) == [SAID[0][1], SAID[1][1]]
    assert {h.why for h in phone.near} == {"other_form"}
    price = memory.erasure.find(Wanted(text="1250"))
    assert turns(price.near) == [SAID[2][1]]
    assert turns(memory.erasure.find(Wanted(text="1 250 crown")).near) == [SAID[2][1]]


@pytest.mark.parametrize(
    ("number", "text", "ways"),
    [
        ("01012345678", "010-1234-5678, or +82 10 1234 5678", ["010-1234-5678", "82 10 1234 5678"]),
        ("01012345678", "(010) 1234.5678로 전화", ["010) 1234.5678"]),
        ("01012345678", "010-1234-5679", []),
        ("1250", "1,250 and 1 250 and 1250 and 12.50", ["1,250", "1 250", "1250", "12.50"]),
        ("1250", "11,250 or 1, 250 or 12500", []),
        ("20240507", "2024-05-07", ["2024-05-07"]),
    ],
)
def test_digits_tell_a_number_and_the_last_ones_that_of_a_telephone(
    number: str, text: str, ways: list[str]
) -> None:
    assert [*numbers(number)] == [number]
    assert [*written(text, number)] == ways


def test_what_is_written_otherwise_is_redacted_as_it_stands(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, [*TOWN, *SAID[:2]])
    assert redacted(memory, memory.erasure.find(Wanted(text="01012345678")).near).ok
    texts = [t.text for t in memory.turns(memory.conversations()[0].id)]
    assert texts[-2:] == [f"Call {MARK} before noon.", f"From abroad it is +{MARK}."]


def test_characters_that_nobody_sees_hide_no_name(memory: Memory) -> None:
    assert turns(memory.erasure.find(Wanted(text="Maren")).hits) == [SAID[3][1]]
    assert turns(memory.erasure.find(Wanted(text="ma\u2060ren and maren")).hits) == [SAID[3][1]]
    assert turns(memory.erasure.find(Wanted(pattern=r"\bMaren is\b")).hits) == [SAID[3][1]]
    assert SAID[3][1] in turns(memory.erasure.find(Wanted(person="Maren")).near)


@pytest.mark.parametrize("said", [" ", "\u200b", "\u00ad \ufeff"])
def test_words_of_which_nobody_sees_a_character_would_be_found_everywhere(memory: Memory, said: str) -> None:
    for wanted in (Wanted(text=said), Wanted(text="Felix", person=said)):
        with pytest.raises(InputError, match="Say what"):
            memory.erasure.find(wanted)


def test_words_split_over_two_turns_are_near_in_both(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(text="crowns in Gdansk. Gardening with"))
    assert found.hits == ()
    near = {h.text: h.said for h in found.near if h.why == "across"}
    assert near == {SAID[2][1]: ("crowns in gdansk.",), SAID[3][1]: ("gardening with",)}
    assert not [h for h in memory.erasure.find(Wanted(text="Gdansk. Room")).near if h.why == "across"]
    of_bo = memory.erasure.find(Wanted(text="crowns in Gdansk. Gardening with", person="Bo")).near
    assert [h.text for h in of_bo if h.why == "across"] == [SAID[3][1]]
    of_ann = memory.erasure.find(Wanted(text="Gdansk. Room", person="Ann")).near
    assert not [h for h in of_ann if h.why == "across"], "not neighbours: Bo spoke between them"


def test_near_matches_are_narrowed_down_as_hits_are(memory: Memory) -> None:
    near = {h.text for h in memory.erasure.find(Wanted(text="Felyx")).near if h.kind == "turn"}
    assert len(near) == 3
    of_bo = memory.erasure.find(Wanted(text="Felyx", person="Bo"))
    assert turns(of_bo.near) == ["My brother Felix runs a pottery studio near the harbour."]
    one_day = Wanted(text="Felyx", since=date(2024, 5, 8), until=date(2024, 5, 8))
    assert turns(memory.erasure.find(one_day).near) == ["Saffron broke the bowl that Felix helped me make."]
    inside = memory.erasure.find(Wanted(text="Felyx", conversation="town"))
    assert {h.text for h in inside.near if h.kind == "turn"} == near
