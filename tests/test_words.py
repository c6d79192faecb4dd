"""Names that differ only in their form are one cue; a text is cut the same way wherever it is read."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.words import fold, normalise, says, stem_word, strip_particle, terms, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Dogs", "dog"),
        ("pottery classes", "Pottery class"),
        ("Anna's", "anna"),
        ("painting", "painted"),
        ("“Jazz” ", "jazz"),
        ("Dr. Kim", "dr kim"),
        ("고양이가", "고양이"),
        ("학교에서는", "학교"),
        ("민수랑", "민수"),
        ("ＴＥＡ", "tea"),
        ("LGBTQ+", "LGBTQ"),
        ("“C++”,", "c++"),
        ("☕️", "☕"),
        ("👍!", "👍"),
    ],
)
def test_two_forms_of_a_name_have_one_key(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("8 May 2023", "9 May 2023"),
        ("dog", "cat"),
        ("제주도", "제주"),
        ("C", "C#"),
        ("C#", "C++"),
        ("👍", "☕"),
    ],
)
def test_different_names_keep_different_keys(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("eojeol", "stem"),
    [
        ("메모리는", "메모리"),
        ("서울로", "서울"),
        ("친구들과", "친구들"),
        ("선생님께서", "선생님"),
        ("도서관에서", "도서관"),
        ("고양이", "고양이"),
        ("전문가", "전문가"),  # 가 follows no final consonant
        ("먹는", "먹는"),  # 는 follows none either
        ("나는", "나는"),  # one syllable would be left
        ("tea는", "tea는"),  # not one Hangul word
    ],
)
def test_a_particle_is_cut_only_where_it_can_be_one(eojeol: str, stem: str) -> None:
    assert strip_particle(eojeol) == stem


def test_a_name_of_symbols_has_a_key_and_one_of_punctuation_has_none() -> None:
    assert [normalise(name) for name in ("👍", "→", "€", " 👍 👍 ")] == ["👍", "→", "€", "👍👍"]
    assert [normalise(name) for name in ("...", "—", "“ ”", "\ufe0f")] == ["", "", "", ""]


@given(st.text(max_size=40))
def test_a_key_is_its_own_key(name: str) -> None:
    assert normalise(normalise(name)) == normalise(name)


@given(st.text(max_size=60))
def test_composed_and_decomposed_text_read_the_same(text: str) -> None:
    assert tokens(unicodedata.normalize("NFC", text)) == tokens(unicodedata.normalize("NFD", text))


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_terms_are_stems_without_stop_words_and_korean_pairs() -> None:
    assert terms("The dogs were running") == ["dog", "run"]
    assert terms("메모리는") == ["메모리", "메모", "모리"]
    assert set(terms("메모리")) <= set(terms("메모리에서"))


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("the archive of Ann", "HIV", False),
        ("a practical thing", "HIV practical", False),
        ("практика", "рак", False),
        ("Hello there.", "🎉", False),
        ("A party 🎉!", "🎉", True),
        ("Hello there.", "IT", False),
        ("Two patients are sorry.", "sorry for a patient", True),
        ("Ann's HIV는 무서워", "Ann HIV", True),
        ("우리는 메모리만큼은 알아", "메모리", True),
        ("日本語話", "本語", True),
    ],
)
def test_a_text_says_a_name_by_whole_words_and_korean_with_its_particles(
    text: str, name: str, said: bool
) -> None:
    assert says(text, name) is said


def test_an_overlong_word_is_kept_whole() -> None:
    word = "running" * 200_000
    assert stem_word(word) == word
    assert terms(word) == [word]
    assert len(terms("가나" * 500_000)) == 999_999


def test_a_pile_of_marks_is_cut_where_no_letter_has_more() -> None:
    thirty = "\u0301\u0323" * 15
    assert fold("a" + thirty) == fold("a" + thirty + "\u0301\u0323" * 50_000)
    assert fold("e\u0301") == fold("é") and fold("한") == fold("한")
