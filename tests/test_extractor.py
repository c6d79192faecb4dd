"""The rule extractor: every clause has one tag, every cue is paired with the tag of its clause."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from extras import needed
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.extraction import Extraction
from memcore.llm.offline.cues import NO_TAG
from memcore.llm.offline.extractor import RuleExtractor, extract_query
from memcore.llm.offline.kiwi import KiwiNouns
from memcore.records import UNKNOWN, Moment, Turn
from memcore.words import STOP, normalise

SAID = Moment(datetime(2024, 5, 15, 18, 30, tzinfo=UTC), datetime(2024, 5, 15, 18, 30, tzinfo=UTC), "instant")
PEOPLE = frozenset(("Nora", "Maximilian", "김민수"))


def turn(text: str, speaker: str = "Nora", said: Moment = SAID, **more: object) -> Turn:
    return Turn("t", "c", 0, speaker, "user", text, said, **more)  # type: ignore[arg-type]


def extract(text: str, speaker: str = "Nora", said: Moment = SAID) -> Extraction:
    return RuleExtractor(PEOPLE).extract([turn(text, speaker, said)])[0]


def paired(extraction: Extraction, tag: str) -> set[str]:
    at = extraction.tags.index(tag)
    return {extraction.cues[cue].name for cue, of in extraction.pairs if of == at}


def kinds(extraction: Extraction) -> dict[str, str]:
    return {cue.name: cue.cue_kind for cue in extraction.cues}


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("I joined a rock climbing club yesterday.", ("rock climbing club",)),
        ("We adopted two kittens from the animal shelter.", ("animal shelter",)),
        ("My sister is an awesome violin teacher!", ("violin teacher",)),
        ("I love painting.", ("painting",)),
        ("The kids love their summer break.", ("summer break",)),
        (
            "I finished my pottery class, and then we visited the old lighthouse.",
            ("pottery class", "old lighthouse"),
        ),
        ("She took a look at our garden fence because the storm broke it.", ("garden fence", "storm")),
        ("저는 도자기 수업에 등록했어요.", ("도자기 수업",)),
        ("제 동생은 간호사예요.", ("간호사",)),
        ("주말에 커피 가게에서 책을 읽었는데 바다가 보였어요.", ("커피 가게", "바다")),
    ],
)
def test_a_clause_is_tagged_by_its_best_noun_phrase(text: str, tags: tuple[str, ...]) -> None:
    assert extract(text).tags == tags


def test_a_cue_is_paired_with_the_tag_of_its_clause_only() -> None:
    found = extract("I painted the old lighthouse. My brother repaired a motorcycle in Lisbon.")
    assert {"lighthouse", "paint"} <= paired(found, "old lighthouse")
    assert {"motorcycle", "Lisbon", "brother"} <= paired(found, "motorcycle")
    assert paired(found, "old lighthouse") & paired(found, "motorcycle") == {"Nora"}


def test_the_speaker_is_a_cue_of_every_tag_and_the_day_of_the_first() -> None:
    found = extract("I painted the old lighthouse. My brother repaired a motorcycle.")
    assert all("Nora" in paired(found, tag) for tag in found.tags)
    assert {"15 May 2024", "May 2024"} <= paired(found, "old lighthouse")
    assert not {"15 May 2024", "May 2024"} & paired(found, "motorcycle")
    assert [(c.start, c.end) for c in found.cues if c.name in ("Nora", "15 May 2024")] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("I went with Maximilian to the lake.", "Maximilian", "people"),
        ("I went with Max to the lake.", "Maximilian", "people"),
        ("어제 민수랑 산책했어요.", "김민수", "people"),
        ("My sister Paula sings.", "Paula", "people"),
        ("We flew to New Zealand.", "New Zealand", "location"),
        ("제주도에 갔어요.", "제주도", "location"),
        ("도서관에서 공부했어요.", "도서관", "location"),
        ("I joined the Harbour Choir.", "Harbour Choir", "entity"),
        ("Our birthday party was loud.", "birthday party", "event"),
        ("I baked it last Friday.", "10 May 2024", "time"),
        ("I need to book the flights.", "book flight", "task"),
        ("She repaired it and sketched.", "sketch", "verb"),
        ("The pottery was blue.", "pottery", "topic"),
    ],
)
def test_a_cue_has_the_kind_its_place_gives_it(text: str, name: str, kind: str) -> None:
    assert kinds(extract(text)).get(name) == kind


def test_spans_are_those_of_the_text() -> None:
    text = "Yesterday I met Paula at the Harbour Choir in 부산에서."
    for cue in extract(text).cues:
        if cue.end and cue.cue_kind in ("entity", "topic", "location"):
            assert normalise(text[cue.start : cue.end]) == normalise(cue.name)


def test_somebody_who_is_only_addressed_is_no_cue() -> None:
    assert "Maximilian" not in kinds(extract("Thanks, Maximilian! The bread was good."))
    assert "Maximilian" not in kinds(extract("Hey Max! The bread was good."))


def test_fillers_stop_words_and_capitals_at_the_start_are_no_names() -> None:
    found = extract("Wow! Really? Yeah, That is Great. Amazing bread here.")
    assert not [c for c in found.cues if c.cue_kind == "entity"]
    assert not {normalise(c.name) for c in found.cues} & STOP


def test_a_role_is_no_person() -> None:
    found = RuleExtractor().extract([turn("Every User needs a password.", "user")])[0]
    assert [c.cue_kind for c in found.cues if c.name == "user"] == ["people"]
    assert [(c.start, c.end) for c in found.cues if c.name == "user"] == [(0, 0)]


def test_singular_and_plural_meet_in_one_cue() -> None:
    one, two = extract("I saw a heron."), extract("I saw herons.")
    assert {normalise(c.name) for c in one.cues} == {normalise(c.name) for c in two.cues}


@pytest.mark.parametrize("text", ["Thanks! Bye!", "🙂🙂", "", "...", "ㅋㅋㅋ", "\x00\x00"])
def test_a_turn_without_words_stays_reachable_by_its_speaker(text: str) -> None:
    found = extract(text)
    assert found.tags == (NO_TAG,)
    assert paired(found, NO_TAG) == {"Nora", "15 May 2024", "May 2024"}


def test_without_a_conversation_time_there_is_no_time_cue() -> None:
    assert "time" not in kinds(extract("I painted yesterday.", said=UNKNOWN)).values()


def test_folded_text_is_no_utterance() -> None:
    assert RuleExtractor().extract([turn("I love kayaking.", folded=True)]) == [Extraction((), (), ())]


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("I work as a beekeeper.", "works as"),
        ("I work at a bakery.", "works at"),
        ("I live in Porto.", "lives in"),
        ("Last year I moved to Porto.", ""),  # "I" must open the statement
        ("I moved to Porto.", "moved to"),
        ("I was born in Porto.", "was born in"),
        ("I really love old maps.", "likes"),
        ("I don't like olives.", "dislikes"),
        ("I hate olives.", "dislikes"),
        ("I prefer tea.", "prefers"),
        ("I'm a beekeeper.", "is"),
        ("I have a motorcycle.", "has"),
        ("I have two dogs.", "pet"),
        ("My cat's called Biscuit.", "pet"),
        ("My brother is a pilot.", "brother"),
        ("My favourite food is ramen.", "favourite food"),
        ("My hobby is origami.", "hobby"),
        ("I'm allergic to nuts.", "is allergic to"),
        ("저는 서울에 살아요.", "lives in"),
        ("은행에서 일해요.", "works at"),
        ("등산을 좋아해요.", "likes"),
        ("매운 음식은 싫어해요.", "dislikes"),
        ("제 취미는 낚시예요.", "hobby"),
        ("저는 요리사입니다.", "is"),
        ("부산으로 이사했어요.", "moved to"),
        ("Do I live in Porto?", ""),
        ("I would love a boat.", ""),
        ("If I live in Porto, fine.", ""),
        ("I wish I had a boat.", ""),
        ("I am not a beekeeper.", ""),
        ("I have a question.", ""),
        ("I love it.", ""),
        ("You live in Porto.", ""),
        ("민수는 서울에 살아요?", ""),
    ],
)
def test_outright_statements_about_oneself_are_facts(text: str, aspect: str) -> None:
    facts = extract(text).facts
    assert [(f.person, f.aspect) for f in facts] == ([("Nora", aspect)] if aspect else [])


def test_a_fact_spans_its_sentence() -> None:
    text = "Good morning!  I live in Porto. It rains."
    (fact,) = extract(text).facts
    assert text[fact.start : fact.end] == "I live in Porto."


def test_what_an_assistant_says_of_itself_is_no_fact() -> None:
    spoken = Turn("t", "c", 0, "assistant", "assistant", "I am a language model.", SAID)
    assert RuleExtractor().extract([spoken])[0].facts == ()


def test_topics_are_shared_by_several_turns() -> None:
    texts = ["I built a wooden boat.", "Your wooden boat floats!", "The boat needs paint.", "I ate soup."]
    turns = [turn(text) for text in texts]
    reader = RuleExtractor(PEOPLE)
    topics = reader.topics(turns, reader.extract(turns))
    assert [t.name for t in topics][:1] in (["wooden boat"], ["boat"])
    assert all(len(t.turns) >= 2 and 3 not in t.turns for t in topics)
    assert len(topics) <= 10


def test_a_question_gives_the_cues_of_the_turn_that_answers_it() -> None:
    said = extract("Max and I repaired his old motorcycle yesterday.")
    asked = extract_query("When did Maximilian repair the motorcycles?", UNKNOWN, PEOPLE)
    shared = {normalise(c.name) for c in said.cues} & {normalise(c.name) for c in asked.cues}
    assert {"motorcycl", "repair", normalise("Maximilian")} <= shared
    assert not [c for c in asked.cues if (c.start, c.end) == (0, 0)]
    assert "when" not in {c.name.lower() for c in asked.cues}


def test_a_question_s_time_is_seen_from_when_it_is_asked() -> None:
    assert kinds(extract_query("What did Nora bake last week?", SAID, PEOPLE))["May 2024"] == "time"


def test_exact_korean_nouns_are_added_where_kiwi_is_installed() -> None:
    needed("kiwipiepy", "ko")
    text = "동생이랑 한라산등산 계획을 세웠어."
    reader = RuleExtractor(PEOPLE, korean=KiwiNouns())
    found, plain = reader.extract([turn(text)])[0], extract(text)
    assert kinds(found)["한라산"] == "entity"
    assert "한라산" not in kinds(plain)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "가" * 1_000_000,
        "漢" * 1_000_000,
        "," * 1_000_000,
        "." * 1_000_000,
        "& " * 500_000,
        "a'" * 500_000,
        "I'm " * 250_000,
        "my my " * 150_000,
        "https://" * 125_000,
        "\x00" * 1_000_000,
        "\u202e" * 1_000_000,
        "🙂" * 500_000,
        "last " * 200_000,
        "1 " * 500_000,
        "Anna " * 200_000,
    ],
    ids=lambda text: ascii(text[:6]),
)
def test_a_hostile_megabyte_is_read_in_linear_time_and_bounded(text: str) -> None:
    found = extract(text)
    assert len(found.cues) <= 260
    assert all(len(tag) < 300 for tag in found.tags)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_sound_pairs_twice_the_same(text: str) -> None:
    found = extract(text)
    assert found == extract(text)
    assert {of for _, of in found.pairs} == set(range(len(found.tags)))
    assert {cue for cue, _ in found.pairs} == set(range(len(found.cues)))
    assert len({normalise(c.name) for c in found.cues}) == len(found.cues)
    assert all(0 <= c.start <= c.end <= len(text) for c in found.cues)
