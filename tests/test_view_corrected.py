"""Corrections as a person reads them: in names, not in the keys they are kept by, and as things are now."""

from __future__ import annotations

from dataclasses import replace

import pytest
from by_name import cue

from memcore.editing import Delete, Merge, Set, Who
from memcore.memory import Memory
from memcore.view.corrected import Named, about, changed_words, differences
from memcore.view.disputes import disputes

ANN = Who("ann", "")
OLD = "pottery lesson"


@pytest.fixture
def memory(town_memory: Memory) -> Memory:
    return town_memory


def retagged_and_gone(memory: Memory) -> tuple[str, str]:
    """A relation whose old tag, kept by a key that is no word, was deleted since: its id, and its cue."""
    c = memory.snapshot().graph.columns
    at = c.tag_names.index(OLD)
    assert c.tag_keys[at] != OLD
    relation = memory.relations(c.tag_ids[at])[0]
    memory.edit(Set("relation", (relation.id,), "tag", "first lesson"), ANN)
    memory.edit(Delete("tag", (relation.tag_id,)), ANN)
    return relation.id, c.cue_names[c.cue_ids.index(relation.cue_id)]


def test_a_relation_is_told_by_the_name_of_the_tag_that_is_gone(memory: Memory) -> None:
    relation, name = retagged_and_gone(memory)
    overlay, graph = memory.corrections(), memory.snapshot().graph
    (told,) = differences(about(overlay, [relation]), Named(overlay, graph, memory.get([relation]).values()))
    assert (told.before, told.after) == (f"{name} — {OLD}", f"{name} — first lesson")


def test_a_dispute_is_told_in_names_too(memory: Memory) -> None:
    relation, name = retagged_and_gone(memory)
    overlay, graph = memory.corrections(), memory.snapshot().graph
    (correction,) = overlay.of(relation)
    disputed = replace(correction, disputed=correction.extracted)
    (dispute,) = disputes([disputed], {}, Named(overlay, graph))
    assert dispute.extracted == dispute.now == f"“{name}” leads by “{OLD}”"


def test_what_was_merged_is_told_by_the_name_that_the_other_has_now(memory: Memory) -> None:
    felix, lisbon = cue(memory, "Felix"), cue(memory, "Lisbon")
    renamed = memory.edit(Set("cue", (felix,), "name", "Felice"), ANN)
    memory.edit(Merge("cue", (lisbon,), felix), ANN)
    memory.undo(renamed)
    overlay = memory.corrections()
    (told,) = differences(about(overlay, [felix]), Named(overlay, memory.snapshot().graph))
    assert (told.before, told.after) == ("Lisbon", "Felix")


def test_only_the_words_that_changed_are_marked() -> None:
    assert changed_words("the brass lamp is lit", "the oil lamp is lit") == [
        ("same", "the"),
        ("gone", "brass"),
        ("new", "oil"),
        ("same", "lamp is lit"),
    ]
