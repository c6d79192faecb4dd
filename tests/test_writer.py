"""The extractive writer: sentences are chosen, never phrased, and what a model would have cost is counted."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.errors import ReplyInvalid
from memcore.llm import prompts
from memcore.llm.offline.writer import LINES, LONGEST_LINE, PER_PASSAGE, ExtractiveWriter, eager_bill
from memcore.records import UNKNOWN, Moment
from memcore.tokens import count
from memcore.writing import MOST_FACTS, Line, Passage, shared_out, stands

WRITER = ExtractiveWriter()


def passage(*said: str, day: int | None = 8, role: str = "user", number: int = 0) -> Passage:
    at = datetime(2023, 5, day, 9, tzinfo=UTC) if day else None
    lines = tuple(Line(f"t{number}.{i}", "Ann", text, role) for i, text in enumerate(said))
    return Passage(f"u{number}", lines, Moment(at, at, "instant", True) if at else UNKNOWN)


CAT = [
    passage("My cat Saffron sleeps on the piano all day. Fine.", day=1, number=0),
    passage("The cat broke a vase near the piano. The weather was dull over the harbour.", day=4, number=1),
    passage("Saffron the cat hates the new piano stool.", day=9, number=2),
]
wild = st.text(st.characters(codec=None), max_size=120)
passages = st.lists(
    st.builds(
        lambda said, day, role: (said, day, role),
        st.lists(wild, max_size=3),
        st.one_of(st.none(), st.integers(1, 28)),
        st.sampled_from(["user", "assistant", ""]),
    ),
    min_size=1,
    max_size=6,
).map(lambda given: [passage(*s, day=d, role=r, number=i) for i, (s, d, r) in enumerate(given)])


def test_an_episode_tells_each_passage_in_the_order_of_time_under_its_day() -> None:
    (draft,) = WRITER.consolidate(CAT).value
    assert draft.text.split("\n") == [
        "[1 May 2023] Ann: My cat Saffron sleeps on the piano all day.",
        "[4 May 2023] Ann: The cat broke a vase near the piano.",
        "[4 May 2023] Ann: The weather was dull over the harbour.",
        "[9 May 2023] Ann: Saffron the cat hates the new piano stool.",
    ]
    assert draft.passages == (0, 1, 2) and WRITER.made_by == "rule"


def test_a_long_episode_keeps_what_recurs() -> None:
    text = WRITER.consolidate(CAT).value[0].text
    for i in range(20):
        new = passage(f"The cat Saffron sat on the piano again, time {i} of many.", number=i)
        merged = WRITER.merge(text, [new]).value
        assert merged is not None and len(merged.split("\n")) <= LINES
        text = merged
    assert "The weather was dull over the harbour." not in text and "piano again" in text


def test_a_passage_that_shares_no_word_with_the_episode_does_not_belong() -> None:
    episode = WRITER.consolidate(CAT).value[0].text
    assert WRITER.merge(episode, [passage("Invoices were overdue.")]).value is None
    assert WRITER.merge(episode, [passage("Invoices were overdue."), *CAT[:1]]).value is not None


def test_a_merged_episode_loses_no_line_while_there_is_room() -> None:
    episode = WRITER.consolidate(CAT[:2]).value[0].text
    merged = WRITER.merge(episode, CAT[2:]).value or ""
    assert set(episode.split("\n")) < set(merged.split("\n"))
    assert WRITER.merge(merged, CAT[2:]).value == merged


def test_facts_are_what_somebody_says_of_themselves_and_what_the_episode_dropped_comes_first() -> None:
    said = [passage("I am allergic to nuts. I like green tea."), passage("I love dogs.", role="assistant")]
    found = WRITER.refine("Ann: I am allergic to nuts.", said, []).value
    assert [f.text for f in found] == ["I like green tea.", "I am allergic to nuts."]
    assert [f.passages for f in found] == [(0,), (0,)]
    known = WRITER.refine("", said, ["i like  GREEN tea."]).value
    assert [f.text for f in known] == ["I am allergic to nuts."]


def test_there_are_fewer_than_ten_facts_and_none_twice() -> None:
    said = [passage(*(f"I like tea number {i}." for i in range(30))), passage("I like tea number 3.")]
    found = WRITER.refine("", said, []).value
    assert len(found) == MOST_FACTS == len({f.text for f in found})


@given(passages, wild)
@settings(max_examples=150, deadline=None)
def test_whatever_is_said_the_reply_can_be_used(said: list[Passage], episode: str) -> None:
    drafts = WRITER.consolidate(said).value
    assert sorted({i for own in shared_out(drafts, len(said)) for i in own}) == list(range(len(said)))
    lines = drafts[0].text.split("\n")
    assert len(lines) <= min(LINES, max(1, PER_PASSAGE * len(said)))
    assert all(len(line) <= LONGEST_LINE + 20 for line in lines)
    facts = WRITER.refine(drafts[0].text, said, []).value
    assert all(stands(f, said) and f.span is not None for f in facts)
    merged = WRITER.merge(episode, said).value
    assert merged is None or len(merged.split("\n")) <= LINES


@given(passages, wild)
@settings(max_examples=60, deadline=None)
def test_the_same_passages_give_the_same_texts_at_the_same_price(said: list[Passage], episode: str) -> None:
    for call in (
        lambda: WRITER.consolidate(said),
        lambda: WRITER.merge(episode, said),
        lambda: WRITER.refine(episode, said, [episode]),
        lambda: eager_bill(said[0], [episode]),
    ):
        assert call() == call()


def test_what_a_model_would_be_sent_is_counted_on_its_prompt() -> None:
    prompt = prompts.consolidate(CAT)
    assert WRITER.consolidate(CAT).sent == count(prompt.instructions) + count(prompt.data)
    prompt = prompts.refine("e", CAT, ["k"])
    assert WRITER.refine("e", CAT, ["k"]).sent == count(prompt.instructions) + count(prompt.data)
    prompt = prompts.merge("cat", CAT)
    assert WRITER.merge("cat", CAT).sent == count(prompt.instructions) + count(prompt.data)
    assert WRITER.merge("cat", CAT).received > count(WRITER.merge("cat", CAT).value or "")


def test_an_eager_system_extracts_and_updates_for_every_unit() -> None:
    extract, update = eager_bill(CAT[0], [])
    assert (extract.operation, update.operation) == ("extract", "update")
    prompt = prompts.extract(CAT[:1])
    assert extract.sent == count(prompt.instructions) + count(prompt.data)
    more = eager_bill(CAT[0], ["Ann has a cat.", "Ann plays the piano."])
    assert more[0] == extract and more[1].sent > update.sent


def test_an_episode_of_passages_without_words_cannot_be_used() -> None:
    (draft,) = WRITER.consolidate([Passage("u", (), UNKNOWN)]).value
    assert draft.text == ""
    with pytest.raises(ReplyInvalid):
        shared_out([], 1)


def test_short_words_of_the_later_passages_are_told_where_the_first_has_none() -> None:
    (draft,) = WRITER.consolidate([Passage("u", (), UNKNOWN), passage("Yes.", number=1)]).value
    assert draft.text == "[8 May 2023] Ann: Yes."
