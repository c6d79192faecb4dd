"""RecMem at query time: three tiers, each with its own number of hits, read within one budget."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from building import changed
from recurring_memory import TOPICS, brought_in, lines, opened, settings_of

from memcore.errors import InputError
from memcore.events import Asked
from memcore.forking import asked_again
from memcore.llm.offline.embedder import NoEmbedder
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.run_state import State, fold

SAID = (*(TOPICS[i % 2] for i in range(14)), "violin", "tomato", "chess")
TIERS: tuple[Any, ...] = ("subconscious", "episodic", "semantic")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("tiered")
    made = opened(folder / "store")
    brought_in(made, folder, lines(SAID))
    return made


def asked(memory: Memory, question: str, budget: int = 20, tiers: Any = TIERS, **settings: Any) -> State:
    chosen = changed(settings_of(), **settings)
    return fold(memory.events(Ask(question, budget, strategy="recmem", tiers=tiers), settings=chosen))


def layers(memory: Memory, state: State) -> list[str]:
    found = memory.get(state.opened)
    return [getattr(found[i], "layer", "") for i in state.opened]


@pytest.mark.parametrize("budget", [1, 3, 7, 40])
def test_no_more_turns_are_read_than_the_budget_allows(memory: Memory, budget: int) -> None:
    state = asked(memory, "What about pottery?", budget)
    assert 0 < len(state.turns) <= budget


@pytest.mark.parametrize("tiers", [c for n in (1, 2, 3) for c in combinations(TIERS, n)])
def test_only_the_tiers_that_are_switched_on_are_read(memory: Memory, tiers: Any) -> None:
    names = {"subconscious": "turn", "episodic": "episode", "semantic": "fact"}
    assert set(layers(memory, asked(memory, "Tell me of pottery", 60, tiers))) == {names[t] for t in tiers}


def test_a_run_asked_again_searches_the_tiers_that_it_searched_first(memory: Memory) -> None:
    run = memory.ask(Ask("Tell me of pottery", 9, strategy="recmem", tiers=("semantic",)))
    list(run)
    header, events = memory.trace(run.header.id)
    assert isinstance(events[0], Asked) and asked_again(header, events[0]).tiers == ("semantic",)


def test_with_all_tiers_off_nothing_is_found(memory: Memory) -> None:
    assert asked(memory, "Tell me of pottery", 20, ()).opened == {}


def test_each_tier_gives_as_many_hits_as_it_may(memory: Memory) -> None:
    state = asked(memory, "pottery", 200, tier_subconscious=2, tier_episodic=1, tier_semantic=3)
    found = layers(memory, state)
    assert (found.count("turn"), found.count("episode"), found.count("fact")) == (4, 1, 3)


@pytest.mark.parametrize("topic", ["violin", "tomato", "chess"])
def test_a_turn_said_once_is_found(memory: Memory, topic: str) -> None:
    state = asked(memory, f"Who likes {topic}?", 4)
    assert any(topic in text for text in memory.texts(state.opened).values())


@pytest.mark.parametrize("topic", ["violin", "pottery"])
def test_the_other_strategies_reach_what_recurrence_made_and_left(memory: Memory, topic: str) -> None:
    state = fold(memory.events(Ask(f"What does Ann say of {topic}?", 20)))
    assert any(topic in text for text in memory.texts(state.opened).values())


def test_what_recurred_is_read_as_episode_and_facts_and_not_turn_by_turn(memory: Memory) -> None:
    state = asked(memory, "pottery", 60)
    texts = memory.texts(state.opened)
    found = memory.get(state.opened)
    turns = [i for i in state.opened if getattr(found[i], "layer", "") == "turn"]
    assert not any("pottery" in texts[i] for i in turns)


def test_no_content_is_read_twice_and_the_nearest_come_first(memory: Memory) -> None:
    state = asked(memory, "pottery", 60)
    assert len(state.opened) == len(set(state.opened))
    (best, *_) = state.opened
    assert "pottery" in memory.texts([best])[best]


def test_a_memory_without_an_embedder_says_that_nothing_recurs_in_it(tmp_path: Path) -> None:
    none = Memories.open(tmp_path / "none", embedder="none").scope("mine", create=True)
    assert isinstance(none._embedder, NoEmbedder)
    brought_in(none, tmp_path, lines(["pottery"]))
    with pytest.raises(InputError, match="embedder"):
        list(none.events(Ask("pottery?", 5, strategy="recmem")))
    with pytest.raises(InputError, match="embedder"):
        none.ask(Ask("pottery?", 5, strategy="recmem"))


def test_an_empty_memory_answers_with_nothing(tmp_path: Path) -> None:
    state = asked(opened(tmp_path / "store"), "pottery?", 5)
    assert state.opened == {} and state.limit == "nothing_left"


def test_what_was_written_since_is_read(tmp_path: Path) -> None:
    """Tiers are those of the last commit, whoever made it."""
    memory, other = opened(tmp_path / "store"), opened(tmp_path / "store")
    brought_in(memory, tmp_path, lines(["pottery"] * 2))
    assert layers(other, asked(other, "pottery", 9)) == ["turn"] * 4
    brought_in(memory, tmp_path, lines(["pottery"], "more"))
    assert "episode" in layers(other, asked(other, "pottery", 9))
    memory.undo()
    assert layers(other, asked(other, "pottery", 9)) == ["turn"] * 4
