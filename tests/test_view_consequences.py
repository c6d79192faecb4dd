"""What an edit does and what follows from it, in sentences: each memory that is meant can be told apart."""

from __future__ import annotations

import pytest

from memcore.editing import Delete, Edit, Merge, Who
from memcore.memory import Memory
from memcore.view.consequences import consequences, named_in, sentence


@pytest.fixture
def memory(town_memory: Memory) -> Memory:
    return town_memory


def told(memory: Memory, edit: Edit) -> tuple[str, list[str]]:
    plan, graph = memory.editor.plan(edit, Who("ann")), memory.snapshot().graph
    impact = memory.impact(plan)
    texts = memory.texts(named_in(plan, impact))
    return sentence(edit, plan, graph), consequences(plan, impact, graph, texts)


def test_memories_that_nothing_leads_to_any_more_are_told_by_what_they_say(memory: Memory) -> None:
    graph = memory.snapshot().graph
    content = memory.get([memory.search("green tea", ("content",))[0][0]]).popitem()[1]
    text = content.text  # type: ignore[union-attr]
    relations = memory.relations(content.id)
    _, lines = told(memory, Delete("relation", tuple(r.id for r in relations)))
    assert graph.columns.content_ids
    (line,) = [line for line in lines if line.startswith("No cue leads any more to")]
    assert text[:30] in line
    _, lines = told(memory, Delete("content", (content.id,)))
    (line,) = [line for line in lines if line.startswith("Removed:")]
    assert text[:30] in line


def test_a_sentence_begins_like_one_and_counts_what_it_does_not_name(memory: Memory) -> None:
    c = memory.snapshot().graph.columns
    into, *others = c.cue_ids[:8]
    one, _ = told(memory, Merge("cue", (others[0],), into))
    assert one.startswith("The cue “") and " becomes part of the cue “" in one
    several, _ = told(memory, Merge("cue", tuple(others), into))
    assert "and 2 more become part of" in several
