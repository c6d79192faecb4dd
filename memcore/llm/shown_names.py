"""What ids are called in a prompt: cues and tags by their names, contents by day, speaker and text.

A text stands on one line, so that no part of it can look like a line of the list it stands in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memcore.graph import Graph
from memcore.llm.prompts import day_named, days_named, shortened
from memcore.llm.prompts.route import NO_LONGER_KEPT


@dataclass(frozen=True, slots=True)
class GraphNames:
    """The names of a snapshot, and the texts of those contents that are shown."""

    graph: Graph
    texts: Mapping[str, str]

    def cue(self, cue_id: str) -> str:
        """See Names.cue."""
        at = self.graph.cue_index.get(cue_id)
        return NO_LONGER_KEPT if at is None else _line(self.graph.columns.cue_names[at])

    def tag(self, tag_id: str) -> str:
        """See Names.tag."""
        at = self.graph.tag_index.get(tag_id)
        return NO_LONGER_KEPT if at is None else _line(self.graph.columns.tag_names[at])

    def content(self, content_id: str, chars: int) -> str:
        """See Names.content: "[8 May 2023, of April 2023] Ann: ..."; a topic is said to be one."""
        at, text = self.graph.content_index.get(content_id), self.texts.get(content_id)
        if at is None or text is None:
            return NO_LONGER_KEPT
        c = self.graph.columns
        about = [day_named(said := int(c.said_days[at]))]
        first, last = int(c.event_first[at]), int(c.event_last[at])
        if first and {first, last} != {said}:
            about.append(f"of {days_named(first, last)}")
        if c.layers[at] == "topic":
            about.append("a topic")
        who = f"{_line(c.speakers[at])}: " if c.speakers[at] else ""
        return f"[{', '.join(about)}] {who}{shortened(_line(text), chars)}"


def _line(text: str) -> str:
    return " ".join(text.split())
