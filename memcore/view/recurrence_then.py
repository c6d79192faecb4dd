"""An episode as it read at an earlier point, and the facts that were known of it by then."""

from __future__ import annotations

from collections.abc import Sequence

from memcore.records import Content, Unit, Version
from memcore.view.clusters import Cluster
from memcore.view.recurrence_timeline import deciding


def text_then(
    cluster: Cluster, content: Content, versions: Sequence[Version], arrived: Sequence[Unit]
) -> str:
    """Its text once these units had arrived. `versions` are its texts before each merge, oldest first."""
    made = [u.decision for u in deciding(cluster, arrived) if u.decision]
    merges = sum(d.outcome == "merged" for d in made)
    return versions[merges].text if merges < len(versions) else content.text


def facts_then(cluster: Cluster, facts: Sequence[Content], arrived: Sequence[Unit]) -> list[Content]:
    """Those that the decisions over these units had made."""
    known = {f for u in deciding(cluster, arrived) if u.decision for f in u.decision.facts}
    return [fact for fact in facts if fact.id in known]
