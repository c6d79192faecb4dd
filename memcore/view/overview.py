"""What is in a memory and how it is doing, from the graph and the reports of its files: no scan of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from memcore.graph import LAYERS, Graph
from memcore.records import File
from memcore.view.naming import counted, human_day, share

LANGUAGES = {"en": "English", "ko": "Korean", "latin": "Latin script", "ja": "Japanese", "zh": "Chinese"}
LAYER_WORDS = {
    "turn": ("turn", "turns", "said once, verbatim"),
    "episode": ("episode", "episodes", "something that happened"),
    "fact": ("fact", "facts", "something that holds, stated in the first person"),
    "topic": ("topic", "topics", "what a session was about"),
}


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts of one memory. `unreachable` contents have no cue."""

    layers: dict[str, int]
    cues: int
    tags: int
    relations: int
    speakers: list[tuple[str, int]]
    first: str
    last: str
    undated: int
    unreachable: int


def overview(graph: Graph) -> Overview:
    """The numbers of the overview page. `speakers` counts turns, `undated` contents without a day."""
    c = graph.columns
    days = c.said_days[c.said_days > 0]
    handled = np.bincount(c.relation_content, minlength=len(graph))
    found = Counter(c.layers)
    said = [s for s, layer in zip(c.speakers, c.layers, strict=True) if s and layer == "turn"]
    return Overview(
        layers={layer: found[layer] for layer in LAYERS if found[layer]},
        cues=len(c.cue_ids),
        tags=len(c.tag_ids),
        relations=len(c.relation_cue),
        speakers=Counter(said).most_common(),
        first=human_day(int(days.min())) if len(days) else "",
        last=human_day(int(days.max())) if len(days) else "",
        undated=int((c.said_days <= 0).sum()),
        unreachable=int((handled == 0).sum()),
    )


def languages(files: Iterable[File]) -> list[tuple[str, str]]:
    """Languages by their English names with their shares of what was imported, the most frequent first."""
    found: Counter[str] = Counter()
    for file in files:
        found.update(file.report.get("languages") or {})
    return [(LANGUAGES.get(code, code), share(n, found.total())) for code, n in found.most_common()]


def runs_held(runs: int) -> str:
    """3 agent runs."""
    return counted(runs, "agent run")


def only_runs(runs: int, steps: int) -> str:
    """What a memory holds that has runs and nothing that was said, as a sentence."""
    what = f"{runs_held(runs)} with {counted(steps, 'step')}"
    return f"This memory holds {what}, on the page State tree, and no conversation yet."


def size(number: int) -> str:
    """9.6 MB."""
    value, unit = float(number), "bytes"
    for larger in ("KB", "MB", "GB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:,.0f} {unit}" if unit == "bytes" or value >= 100 else f"{value:,.1f} {unit}"


def reach(seen: Overview) -> str:
    """Whether everything can be found, as a sentence."""
    if not seen.unreachable:
        return "Every memory can be reached by at least one cue."
    number = counted(seen.unreachable, "memory has", "memories have")
    which = "it" if seen.unreachable == 1 else "them"
    return f"{number} no cue: an active reconstruction cannot reach {which}."


def embedding(name: str) -> str:
    """What the embedder means for the person, as a sentence."""
    if name == "none":
        return "Zero-model mode: nothing is embedded; nearness is counted in shared words."
    return f"Nearness comes from the embedder {name} on this machine; no text leaves it."
