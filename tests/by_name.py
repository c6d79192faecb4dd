"""What a memory holds, found by its name or by its words as a person would."""

from __future__ import annotations

from memcore.editing import Set, Who
from memcore.memory import Memory
from memcore.records import Content

ANN = Who("Ann", "it was misread")


def cue(memory: Memory, name: str) -> str:
    """The id of the cue of this name."""
    c = memory.snapshot().graph.columns
    return c.cue_ids[c.cue_names.index(name)]


def content(memory: Memory, words: str) -> Content:
    """The content that a search for these words finds first."""
    found = memory.get([memory.search(words, ("content",))[0][0]]).popitem()[1]
    assert isinstance(found, Content)
    return found


def turn_texts(memory: Memory) -> list[str]:
    """What was said, in its order."""
    return [t.text for talk in memory.conversations() for t in memory.turns(talk.id)]


def rename(memory: Memory, old: str, new: str, who: Who = ANN) -> str:
    """Give a cue another name; the group of the change."""
    memory.edit(Set("cue", (cue(memory, old),), "name", new), who)
    return memory.changes()[0].group
