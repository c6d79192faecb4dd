"""About how many tokens replies have, for whoever foresees a cost before anybody is asked.

A model that thinks writes more; what really came stands in the bill.
"""

from __future__ import annotations

from collections.abc import Mapping

EPISODE = 260  # an extractive episode of twelve lines, written or shown
FACTS = 60
REWRITTEN = 2.0  # of construction, for each token of what was said: cues and tags included
RECEIVED: Mapping[str, int] = {
    "merge": EPISODE, "consolidate": EPISODE, "refine": FACTS,
    "read": 120, "choose": 30, "route": 120, "enough": 30, "answer": 40, "judge": 8,
}  # fmt: skip
"""By task."""
