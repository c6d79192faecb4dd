"""Topics recur in Korean and in English alike; a script the embedder does not cover is left raw."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recurring_memory import brought_in, line, settings_of, sound

from memcore.llm.offline.embedder import MultilingualEmbedder
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.models.at_work import Models
from memcore.reconstruction import Ask
from memcore.records import Thresholds, Unit
from memcore.run_state import fold
from memcore.store import Store

ENGLISH = {
    "garden": (
        "I planted tomatoes in the garden this morning.",
        "The tomatoes in my garden need water every evening.",
        "We picked the first ripe tomatoes from the garden.",
        "Slugs ate the tomato leaves in my garden last night.",
        "I will plant more tomatoes in the garden next spring.",
    ),
    "violin": (
        "I practised the violin for my recital today.",
        "My violin teacher says the recital piece is getting better.",
        "A string of my violin broke before the recital.",
        "The violin recital in the town hall went well.",
        "I want a better violin for the next recital.",
    ),
    "moving": (
        "We are looking for a bigger flat to rent.",
        "The landlord of the new flat wants three months of rent.",
        "We signed the lease for the new flat.",
        "The rent of the flat goes up in January.",
        "Our landlord will repair the heating in the flat.",
    ),
}
KOREAN = {
    "garden": (
        "오늘 아침 텃밭에 토마토를 심었어요.",
        "텃밭 토마토는 저녁마다 물을 줘야 해요.",
        "텃밭에서 처음 익은 토마토를 땄어요.",
        "어젯밤 달팽이가 텃밭 토마토 잎을 먹었어요.",
        "내년 봄에는 텃밭에 토마토를 더 심을 거예요.",
    ),
    "violin": (
        "오늘 연주회 때문에 바이올린을 연습했어요.",
        "바이올린 선생님이 연주회 곡이 좋아졌다고 하셨어요.",
        "연주회 전에 바이올린 줄이 끊어졌어요.",
        "시청에서 한 바이올린 연주회가 잘 끝났어요.",
        "다음 연주회에는 더 좋은 바이올린을 쓰고 싶어요.",
    ),
    "moving": (
        "우리는 더 큰 전셋집을 찾고 있어요.",
        "새 집주인이 보증금으로 석 달 치 월세를 달래요.",
        "새 집 임대 계약서에 서명했어요.",
        "1월부터 집 월세가 올라요.",
        "집주인이 집 보일러를 고쳐 준대요.",
    ),
}
HINDI = ("आज सुबह मैंने बगीचे में टमाटर लगाए।", "वायलिन का तार टूट गया।", "हम नया घर किराए पर ले रहे हैं।")
AMHARIC = ("ዛሬ ጠዋት ቲማቲም ተከልኩ።", "የቫዮሊን ክር ተበጠሰ።", "አዲስ ቤት እንከራያለን።")
T = Thresholds(0.5, 3, 0.55)


@pytest.fixture(scope="module")
def multilingual() -> MultilingualEmbedder:
    return MultilingualEmbedder()


def memory(folder: Path, embedder: Any, t: Thresholds = T) -> Memory:
    settings = settings_of(t)
    store = Store.open(folder / "store", embedder=embedder, settings=settings, create=True)
    return Memories(store, embedder, Models(base=settings)).scope("mine", create=True)


def said_in_turn(topics: dict[str, tuple[str, ...]], speaker: str = "Ann") -> tuple[list[str], list[str]]:
    """Lines of one turn a session, the topics by turns, and the topic of each."""
    told = [(topic, texts[i]) for i in range(5) for topic, texts in topics.items()]
    at = [f"2024-05-{i + 1:02}T09:00:00+00:00" for i in range(len(told))]
    given = [line(speaker, text, "talk", f"{i}", f"s{i}", at[i]) for i, (_, text) in enumerate(told)]
    return given, [topic for topic, _ in told]


@pytest.mark.parametrize("topics", [ENGLISH, KOREAN], ids=["English", "Korean"])
def test_units_of_a_topic_recur_together(
    tmp_path: Path, multilingual: MultilingualEmbedder, topics: dict[str, tuple[str, ...]]
) -> None:
    mine = memory(tmp_path, multilingual)
    given, named = said_in_turn(topics)
    brought_in(mine, tmp_path, given)
    found = mine.recurrence.units()
    topic = {u.id: named[u.order - 1] for u in found}
    inside = [Counter(topic[i] for i in e.units) for e in mine.recurrence.episodes()]
    assert len(inside) >= 2 and all(len(topics) == 1 for topics in inside)
    assert sum(u.state != "live" for u in found) >= 8
    sound(mine, tmp_path / "store")


def test_a_topic_is_nearer_to_itself_than_to_others_in_both_languages(
    multilingual: MultilingualEmbedder,
) -> None:
    for topics in (ENGLISH, KOREAN):
        rows = {topic: multilingual.embed(texts) for topic, texts in topics.items()}
        own = [np.mean((v @ v.T)[~np.eye(5, dtype=bool)]) for v in rows.values()]
        other = [np.mean(rows[a] @ rows[b].T) for a, b in product(rows, rows) if a != b]
        assert min(own) > max(other) + 0.1


@pytest.mark.parametrize("texts", [HINDI, AMHARIC], ids=["Devanagari", "Ethiopic"])
@pytest.mark.parametrize("speaker", ["मीरा", "Alexandra Montgomery"])
def test_a_script_that_is_not_covered_is_left_raw_and_says_why(
    tmp_path: Path, multilingual: MultilingualEmbedder, texts: tuple[str, ...], speaker: str
) -> None:
    """Names and dates in Latin letters beside it do not make it covered."""
    mine = memory(tmp_path, multilingual, Thresholds(0.0, 2, 0.0))
    given = [
        line(speaker, text, "talk", f"{i}.{j}", f"s{i}", f"2024-09-{i + 1:02}T09:00:00+00:00")
        for i, text in enumerate(texts)
        for j in range(2)
    ]
    brought_in(mine, tmp_path, given)
    assert len(mine.recurrence.units()) == 3
    for unit in mine.recurrence.units():
        assert unit.decision is not None and unit.vector is None
        assert (unit.state, unit.decision.outcome, unit.decision.why) == ("live", "stored", "uncovered")
    assert mine.recurrence.episodes() == [] and mine.recurrence.ledger().calls == 0


def test_what_is_not_covered_never_recurs_with_what_is(
    tmp_path: Path, multilingual: MultilingualEmbedder
) -> None:
    mine = memory(tmp_path, multilingual, T._replace(theta_sim=-1.0, merge=1.1))
    texts = [t for pair in zip(HINDI, ENGLISH["garden"][:3], strict=True) for t in pair]
    brought_in(mine, tmp_path, [line("Ann", t, "talk", f"{i}", f"s{i}") for i, t in enumerate(texts)])
    states = [u.state for u in mine.recurrence.units()]
    assert states == ["live", "consolidated"] * 3
    list(mine.recurrence.apply(T._replace(theta_sim=-1.0, theta_count=2, merge=1.1)))
    units = mine.recurrence.units()
    assert [u.decision.why for u in units if u.decision] == ["uncovered", ""] * 3


def test_an_eager_episode_in_such_a_script_lies_nowhere(
    tmp_path: Path, multilingual: MultilingualEmbedder
) -> None:
    mine = memory(tmp_path, multilingual)
    given = [line("Alexandra Montgomery", t, "talk", f"{i}", "s", "2024-09-01") for i, t in enumerate(HINDI)]
    brought_in(mine, tmp_path, given, "eager")
    (episode,) = mine.recurrence.episodes()
    assert len(episode.units) == 2 and episode.vector is None


def test_a_korean_turn_said_once_is_found(tmp_path: Path, multilingual: MultilingualEmbedder) -> None:
    mine = memory(tmp_path, multilingual)
    given, _ = said_in_turn(KOREAN, "지민")
    once = line("지민", "이웃집 앵무새가 노래를 불러요.", "talk", "once", "s99")
    brought_in(mine, tmp_path, [*given, once])
    state = fold(mine.events(Ask("누구의 앵무새가 노래해요?", 3, strategy="recmem")))
    assert any("앵무새" in text for text in mine.texts(state.opened).values())


def test_a_question_that_is_not_covered_is_near_to_nothing(
    tmp_path: Path, multilingual: MultilingualEmbedder
) -> None:
    mine = memory(tmp_path, multilingual)
    brought_in(mine, tmp_path, said_in_turn(ENGLISH)[0])
    assert fold(mine.events(Ask(HINDI[0], 3, strategy="recmem"))).opened == {}
    assert fold(mine.events(Ask("tomatoes?", 3, strategy="recmem"))).opened != {}


def test_the_day_is_part_of_what_is_embedded(multilingual: MultilingualEmbedder, tmp_path: Path) -> None:
    mine = memory(tmp_path, multilingual, T._replace(theta_count=9))
    text = ENGLISH["garden"][0]
    given = [line("Ann", text, "t", f"{i}", f"s{i}", at) for i, at in enumerate(("2024-05-01", "2023-11-09"))]
    brought_in(mine, tmp_path, given)
    one, other = (u.vector for u in mine.recurrence.units())
    assert one is not None and other is not None and 0.8 < float(one @ other) < 0.9999


def test_units_without_a_vector_may_be_asked_what_would_have_been(
    tmp_path: Path, multilingual: MultilingualEmbedder
) -> None:
    mine = memory(tmp_path, multilingual)
    brought_in(mine, tmp_path, [line("मीरा", t, "talk", f"{i}", f"s{i}") for i, t in enumerate(HINDI)])
    units: list[Unit] = [replace(u) for u in mine.recurrence.units()]
    found = mine.recurrence.foresee(T)
    assert found.decisions == {} and found.share == 0.0 and mine.recurrence.units() == units
