"""What recurrence took, and an eager system would have taken, in dollars: the ledger's tokens, priced.

They are priced as if the model had been asked that does such work by the settings. Where rules or recorded
replies do it, nobody is asked, and the first model that is suggested stands for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from memcore.absorbing.ledger import Line as Operations
from memcore.llm.asking import Usage
from memcore.llm.budget import dollars
from memcore.llm.tasks import OFFLINE, RECORDED, suggestions
from memcore.models.at_work import Models
from memcore.models.costing import Cost, Line
from memcore.records import Operation


def priced(operations: Iterable[Operations], models: Models) -> Cost:
    """One side of a ledger (see absorbing.ledger), in calls, tokens and dollars."""
    now = models.configuration
    lines: list[Line] = []
    for done in operations:
        model, used = _model(done.operation, models), Usage(done.sent, done.received)
        charged = dollars(model, used, now.price_table)
        lines.append(Line(done.operation, model, done.calls, done.sent, done.received, charged))
    return Cost(tuple(lines), now.prices_read_in)


def _model(operation: Operation, models: Models) -> str:
    chosen = models.chosen("construct" if operation == "extract" else "write")
    return suggestions()[0] if chosen == OFFLINE or chosen.startswith(RECORDED) else chosen
