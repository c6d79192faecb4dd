"""The token count: an estimate near a real tokenizer's, for every script, the same everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.tokens import count

# What js-tiktoken 1.0.21 counts with o200k_base.
REAL = {
    "The customer wants to change the delivery address of both orders, and to know whether the refund for "
    "the returned lamp has arrived on the card that she paid with in April.": 34,
    "지난주에 산 책상은 조립이 어렵지 않았지만, 서랍 하나가 잘 닫히지 않아서 판매자에게 사진을 보내고 "
    "교환을 요청했습니다.": 39,
    "def total(prices: dict[str, int], taken: list[str]) -> int:\n"
    '    """What the basket costs."""\n    return sum(prices[name] for name in taken)\n': 37,
    '{"name": "search_direct_flight", "arguments": {"origin": "ICN", "destination": "SFO", '
    '"date": "2024-05-20"}, "status": "ok"}': 43,
}


@pytest.mark.parametrize("text", REAL, ids=["English", "Korean", "code", "tool call"])
def test_the_estimate_is_near_a_real_tokenizer(text: str) -> None:
    assert count(text) == pytest.approx(REAL[text], rel=0.2)


def test_nothing_costs_nothing() -> None:
    assert count("") == 0


def test_korean_costs_more_a_letter_than_english() -> None:
    assert count("메모리") > count("mem")


def test_a_megabyte_of_noise_is_counted_as_a_whole() -> None:
    noise = "\x1b[31m\x00\ufffd é 漢" * 100_000
    assert count(noise) >= 600_000


@given(st.text(), st.text())
def test_a_longer_text_never_costs_less(text: str, more: str) -> None:
    assert count(text) <= count(text + more) <= count(text) + count(more) + 1


@given(st.text())
def test_every_visible_character_is_paid_for(text: str) -> None:
    assert (count(text) > 0) >= bool(text.strip())
