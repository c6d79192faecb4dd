"""The rows a benchmark prints: recall by strategy and category, and paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from memcore.evaluation.lanes import BUDGETS, Found
from memcore.evaluation.metrics import Values, paired

Row = dict[str, Any]


def table(strategy: str, found: Found, together: str, categories: Sequence[str]) -> Iterator[Row]:
    """One row for the `categories` taken together (the micro average), then one for each there is."""
    if len(values := joined(found, categories)):
        yield recalls(strategy, together, values)
    for category, values in sorted(found.items()):
        yield recalls(strategy, category, values)


def recalls(strategy: str, category: str, values: Values) -> Row:
    """Mean recall in percent at each budget."""
    means = {f"@{n}": round(100 * float(v), 1) for n, v in zip(BUDGETS, values.mean(axis=0), strict=True)}
    return {"strategy": strategy, "category": category, "questions": len(values), **means}


def against(name: str, category: str, ours: Values, theirs: Values) -> Row:
    """Ours minus theirs in points with 95 % intervals, paired over the same questions."""
    at = {f"@{n}": str(paired(ours[:, i], theirs[:, i])) for i, n in enumerate(BUDGETS)}
    return {"active minus": name, "category": category, **at}


def joined(found: Found, categories: Sequence[str]) -> Values:
    """(questions, budgets) of these categories, one after the other; none gives no rows."""
    parts = [found[c] for c in categories if c in found]
    return np.concatenate(parts) if parts else np.zeros((0, len(BUDGETS)))
