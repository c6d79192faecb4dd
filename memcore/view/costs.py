"""What something would cost, in a sentence."""

from __future__ import annotations

from memcore.models.costing import Cost
from memcore.view.naming import counted


def cost_sentence(cost: Cost) -> str:
    """Calls, tokens and dollars, with the month of the prices."""
    if not cost.lines:
        return "No model takes part in it: it costs nothing."
    models = ", ".join(dict.fromkeys(line.model for line in cost.lines))
    calls, tokens = counted(cost.calls, "call"), counted(cost.tokens, "token")
    if cost.dollars is None:
        return f"About {calls} and {tokens} of {models}; a price is missing, so the dollars are not known."
    money = f"${cost.dollars:,.4f} by the prices of {cost.prices_read_in}"
    return f"About {calls} and {tokens} of {models}: {money}."
