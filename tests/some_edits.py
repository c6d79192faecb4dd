"""Edits drawn at random of whatever a memory holds."""

from __future__ import annotations

import random

from memcore.editing import Delete, Edit, Merge, Relate, Set, Split
from memcore.memory import Memory


def some_edit(memory: Memory, chance: random.Random, n: int) -> Edit:
    """Any edit but one whose name another node had before: two names exchanged do not fit elsewhere."""
    c = memory.snapshot().graph.columns
    r = chance.choice(memory.relations(chance.choice(c.content_ids)) or memory.relations(*c.content_ids))
    a_cue, a_tag, a_content = (chance.choice(ids) for ids in (c.cue_ids, c.tag_ids, c.content_ids))
    match chance.randrange(11):
        case 0:
            return Set("cue", (a_cue,), "name", f"cue number {n}")
        case 1:
            return Set("tag", (a_tag,), "name", f"tag number {n}")
        case 2:
            return Set("relation", (r.id,), "tag", f"tag number {n}")
        case 3:
            return Set("relation", (r.id,), "cue", f"cue number {n}")
        case 4:
            return Merge("cue", (a_cue,), chance.choice(c.cue_ids))
        case 5:
            return Merge("tag", (a_tag,), chance.choice(c.tag_ids))
        case 6:
            return Delete("cue", (a_cue,))
        case 7:
            return Relate(a_content, f"cue number {n}", f"tag number {n}")
        case 8:
            return Set("content", (a_content,), "text", f"text number {n}")
        case 9:
            return Delete("relation", (r.id,))
        case _:
            return Split("cue", r.cue_id, (r.id,), f"cue number {n}")
