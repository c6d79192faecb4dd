"""The selected node, read: its texts and where they come from, in the column beside graph and table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcore.view.node_panel import needed, panel
from pages._parts.clock import zone
from pages._parts.graph import growth
from pages._parts.inspector import inspector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memcore.graph import Graph
    from memcore.memory import Memory


def read(memory: Memory, graph: Graph, picked: Sequence[str]) -> None:
    """The first selected node with its sources."""
    node = picked[0] if picked else ""
    records = memory.get(needed(graph, node)) if node else {}
    records |= memory.get({r.conversation_id for r in records.values() if r.kind == "content"})
    records |= memory.get({r.file_id for r in records.values() if r.kind == "conversation"})
    found = panel(graph, node, records, zone()) if node else None
    inspector(found, key="graph:panel", on_follow=growth.follow)
