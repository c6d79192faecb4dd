"""What the MRAgent paper reports on LoCoMo (judge score in percent, Gemini-2.5-Flash), to stand beside ours.

Another measure on all ten conversations with a language model: never to be compared with evidence recall.
"""

from __future__ import annotations

from collections.abc import Iterator

from memcore.evaluation.rows import Row

MEASURE = "judge score %, Gemini-2.5-Flash, all ten conversations"
CATEGORIES = ("multi-hop", "temporal", "open-domain", "single-hop", "overall")
LOCOMO = {
    "RAG": (58.16, 49.22, 41.67, 69.20, 61.30),
    "A-Mem": (53.54, 49.53, 33.33, 61.83, 55.97),
    "MemoryOS": (63.82, 47.04, 41.66, 71.90, 63.35),
    "LangMem": (61.34, 53.58, 38.54, 69.68, 62.86),
    "Mem0": (68.79, 61.68, 41.66, 73.72, 68.31),
    "MRAgent": (75.17, 80.37, 68.75, 90.48, 84.21),
}


def reported() -> Iterator[Row]:
    """One row per system, labelled as reported."""
    for system, values in LOCOMO.items():
        yield {"reported": system, "measure": MEASURE, **dict(zip(CATEGORIES, values, strict=True))}
