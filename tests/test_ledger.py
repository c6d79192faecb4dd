"""The cost ledger: columns add up, and what an eager system would have spent stands beside them."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.absorbing.ledger import ledger
from memcore.records import UNKNOWN, Decision, Operation, Spent, Thresholds, Unit

T = Thresholds(0.7, 5, 0.7)
spent = st.builds(Spent, st.sampled_from(get_args(Operation)), st.integers(0, 9_999), st.integers(0, 999))
bills = st.lists(spent, max_size=5).map(tuple)


def unit(number: int, bill: Any = (), eager: Any = (), state: Any = "live", decided: bool = True) -> Unit:
    decision = Decision("stored", T, spent=bill) if decided else None
    return Unit(f"u{number}", "talk", 0, ("t",), number, UNKNOWN, state=state, decision=decision, eager=eager)


@given(st.lists(st.tuples(bills, bills, st.sampled_from(["live", "merged"]), st.booleans()), max_size=12))
def test_columns_add_up_to_the_total(given_: list[tuple[Any, Any, Any, bool]]) -> None:
    units = [unit(i, *row) for i, row in enumerate(given_)]
    found = ledger(units)
    lazy = [s for u in units if u.decision for s in u.decision.spent]
    eager = [s for u in units for s in u.eager]
    assert found.tokens == sum(line.tokens for line in found.lines) == sum(s.sent + s.received for s in lazy)
    assert found.eager_tokens == sum(s.sent + s.received for s in eager)
    assert found.calls == len(lazy) and sum(line.calls for line in found.eager) == len(eager)
    assert len({line.operation for line in found.lines}) == len(found.lines)
    assert 0 <= found.untouched <= 1 and 0 <= found.raw <= 1 and found.units == len(units)


def test_shares_are_of_all_units() -> None:
    call = (Spent("merge", 10, 1),)
    found = ledger([unit(1), unit(2, call), unit(3, state="merged"), unit(4, decided=False)])
    assert (found.untouched, found.raw) == (0.75, 0.75)
    assert found.lines == (("merge", 1, 10, 1),) and found.tokens == 11


def test_the_lazy_path_is_a_share_of_the_eager_one() -> None:
    eager = (Spent("extract", 60, 20), Spent("update", 15, 5))
    found = ledger([unit(1, (Spent("consolidate", 10, 5),), eager)])
    assert found.ratio == pytest.approx(0.15)
    assert [line.operation for line in found.eager] == ["extract", "update"]
    assert ledger([unit(1)]).ratio is None


def test_nothing_is_divided_by_nothing() -> None:
    found = ledger([])
    assert (found.tokens, found.calls, found.raw, found.ratio) == (0, 0, 0.0, None)
