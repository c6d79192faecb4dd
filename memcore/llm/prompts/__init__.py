"""What a model is asked, one function per task; the same prompts are what the cost ledger counts.

    parts      what prompts are made of      memories   making memories: one function per task
    tree       the state tree of an agent    route      the roles of a reconstruction, and the forms of their
    judge      is an answer right?                      replies (route_schemas)

Here stand the tasks of making memories and of the tree; a role's prompt follows from what it was shown.
"""

from memcore.llm.prompts.memories import consolidate, extract, merge, refine, update
from memcore.llm.prompts.parts import (
    DATA,
    Prompt,
    day_named,
    day_of,
    days_named,
    fenced,
    indented,
    shortened,
    told,
)
from memcore.llm.prompts.tree import summarise, verify

__all__ = [
    "DATA", "Prompt", "consolidate", "day_named", "day_of", "days_named", "extract", "fenced", "indented",
    "merge", "refine", "shortened", "summarise", "told", "update", "verify",
]  # fmt: skip
