"""The demo shop: its traps, the shopper that errs, and the whole cycle of the state tree without a key."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from memcore.demo.playing import Visit, visit
from memcore.demo.policy import Shopper, read
from memcore.demo.shop import Offer, Shop, Task, make_task
from memcore.evaluation.on_tree import ablate, played, reading, reading_rows
from memcore.execution_tree import fold
from memcore.records import RunMark, RunStep
from memcore.settings import DEFAULT
from memcore.state_tree import replay

SEEDS = range(30)


def shopped(seed: int, **switched: bool) -> Visit:
    run = visit(seed, [], replace(DEFAULT, **switched))
    for _ in run.events():
        pass
    return run


def accepted(task: Task, names: dict[str, str]) -> bool:
    shop = Shop(task)
    for slot in task.slots:
        shop.act(f"choose {slot} {names[slot]}")
    shop.act("checkout")
    return shop.success


def a_way_through(task: Task) -> dict[str, str] | None:
    """Searched without looking at how tasks are made."""
    ways: list[dict[str, Any]] = [{}]
    for slot in task.slots:
        ways = [
            {**way, slot: offer}
            for way, offer in product(ways, task.offers[slot])
            if slot not in task.fits or way[task.fits[slot]].gives == offer.needs
        ]
        ways = sorted(ways, key=lambda way: sum(o.price for o in way.values()))[:2_000]
    named = [{s: o.name for s, o in way.items()} for way in ways]
    return next((way for way in named if accepted(task, way)), None)


@pytest.mark.parametrize("seed", range(12))
def test_every_task_has_a_way_through(seed: int) -> None:
    assert a_way_through(make_task(seed)) is not None


def test_a_seed_makes_the_same_task_and_the_same_run_again() -> None:
    assert make_task(7) == make_task(7)
    assert make_task(7) != make_task(8)
    one, two = shopped(7), shopped(7)
    assert [s.action for s in one.memory.steps.values()] == [s.action for s in two.memory.steps.values()]


def test_a_part_that_does_not_fit_is_told_at_the_checkout_only() -> None:
    task = make_task(3)
    slot = task.slots[1]
    shop = Shop(task)
    first = task.offers[task.slots[0]][0]
    wrong = next(o for o in task.offers[slot] if o.needs != first.gives)
    assert not shop.act(f"choose {task.slots[0]} {first.name}").startswith("error")
    assert not shop.act(f"choose {slot} {wrong.name}").startswith("error")
    assert shop.act("checkout").startswith("error")
    assert shop.act("checkout") == "error: the shop is closed"


def test_choosing_a_part_empties_what_was_chosen_after_it() -> None:
    task = make_task(3)
    shop = Shop(task)
    for slot in task.slots:
        shop.act(f"choose {slot} {task.offers[slot][0].name}")
    shop.act(f"choose {task.slots[0]} {task.offers[task.slots[0]][1].name}")
    assert list(shop.basket) == [task.slots[0]]


@pytest.mark.parametrize("action", ["", "sing", "look moon", "choose moon Alba", "choose"])
def test_the_shop_answers_nonsense_with_an_error(action: str) -> None:
    assert Shop(make_task(1)).act(action).startswith("error")


def test_the_whole_cycle_runs_from_a_failed_check_to_success() -> None:
    """Grow, compress, maintain fails, revise, a new branch, success."""
    full = next(
        run
        for run in map(shopped, SEEDS)
        if run.shop.success and any(e.kind == "maintained" and not e.passed for e in run.memory.events)
    )
    kinds = [e.kind for e in full.memory.events]
    failed = next(i for i, e in enumerate(full.memory.events) if e.kind == "maintained" and not e.passed)
    assert kinds[failed - 1 : failed + 2] == ["compressed", "maintained", "revised"]
    assert "known_path" in kinds[failed:] and "grown" in kinds[failed:]
    assert set(full.memory.tree.raw) > set(full.memory.tree.chain())


def test_a_trap_is_left_by_the_shopper_itself() -> None:
    ways = [m for seed in SEEDS for m in shopped(seed).memory.marks.values() if m.rule == "agent"]
    assert any(m.action == "revise" and m.note for m in ways)


def state_at(task: Task, first: Offer, slot: str, hints: str = "") -> str:
    """What the shopper reads after it chose the first part and looked at the offers of the next slot."""
    shop = Shop(task)
    chosen = shop.act(f"choose {task.slots[0]} {first.name}")
    return (
        "Done so far:\nYou can go back to step 0, 2 (0 is the start).\n"
        f"[step 2] {task.slots[0]}: {chosen}\n\n"
        f"Since then:\n[step 3] look {slot}\n{shop.act(f'look {slot}')}\n\n{hints}"
    )


def test_without_hints_it_makes_the_same_mistake_again_and_with_one_it_does_not() -> None:
    again = 0
    for task in map(make_task, range(60)):
        slot, shopper = task.slots[1], Shopper(task)
        offers = {o.name: o for o in task.offers[slot]}
        for first in task.offers[task.slots[0]]:
            chosen = shopper.decide(state_at(task, first, slot)).text.split()[-1]
            if chosen not in offers or offers[chosen].needs == first.gives:
                continue
            assert shopper.decide(state_at(task, first, slot)).text.split()[-1] == chosen
            hint = f"Hints:\n- tried from step 3 and left: choose {slot} {chosen} -> in the basket."
            other = shopper.decide(state_at(task, first, slot, hint))
            assert other.kind == "back" or offers[other.text.split()[-1]].needs == first.gives
            again += 1
    assert again > 20


def test_the_shopper_knows_only_what_the_state_says() -> None:
    shopper = Shopper(make_task(3))
    run = shopped(3)
    assert shopper.decide("") == shopper.decide("")
    assert shopper.decide("").text == f"look {shopper.task.slots[0]}"
    assert run.memory.state().text.endswith(read(run.memory.state().text).hints)


def test_of_a_long_state_it_reads_the_end_only() -> None:
    seen = read("Done so far:\nFinished up to step 0 (0 is the start).\nSECRET\n" + "x" * 50_000)
    assert "SECRET" not in seen.done


@pytest.mark.parametrize("seed", range(5))
def test_a_demo_run_is_stored_like_any_other(seed: int) -> None:
    run = shopped(seed)
    log: list[Any] = run.memory.log  # type: ignore[assignment]
    marks: list[RunMark] = [r for r in log if r.kind == "mark"]
    steps: list[RunStep] = [r for r in log if r.kind == "step"]
    assert fold(replay(steps, marks)) == run.memory.tree


def test_a_stopped_run_can_be_gone_on_with() -> None:
    whole, run = shopped(2), visit(2, [])
    for n, _ in enumerate(run.events()):
        if n == 9:
            break
    again = visit(2, [])
    again.memory.resume(run.memory.log)  # type: ignore[arg-type]
    for step in run.memory.steps.values():
        again.shop.act(step.action)
    for _ in again.events():
        pass
    assert [s.action for s in again.memory.steps.values()] == [s.action for s in whole.memory.steps.values()]


def test_the_ablation_counts_what_the_runs_gave() -> None:
    rows = {row["variant"]: row for row in ablate(seeds=12)}
    assert list(rows) == [
        "all of MAGE", "without Compress", "without Maintain", "without Revise", "none: long context",
    ]  # fmt: skip
    runs = [shopped(seed) for seed in range(12)]
    assert rows["all of MAGE"]["success"] == round(100 * sum(r.shop.success for r in runs) / 12, 1)
    assert rows["all of MAGE"]["tokens"] == round(sum(r.read for r in runs) / 12)
    assert rows["without Compress"]["tokens"] > rows["all of MAGE"]["tokens"]
    assert all("[" in row["success minus all"] for name, row in rows.items() if name != "all of MAGE")


def test_nobody_goes_back_where_revise_is_switched_off() -> None:
    for seed in range(6):
        assert not shopped(seed, tree_revise=False).memory.tree.revisions
    assert played(range(3), replace(DEFAULT, tree_revise=False)).gave_up.sum() == 0


def test_reading_counts_the_state_before_each_step_against_everything_before() -> None:
    steps = [RunStep(f"s{n}", "r", n, "go", "word " * 49) for n in range(1, 31)]
    marks = [RunMark(f"m{n}", "r", n, "compress", summary="on we went") for n in (10, 20)]
    found = reading(steps, marks)
    assert found.steps == 30
    assert found.full_history == 50 * sum(range(30))
    assert found.state == 3 * 50 * sum(range(10)) + 10 * 3 + 10 * 6
    assert found.saved > 0.6


def test_the_token_table_ends_with_all_runs_and_with_the_long_ones() -> None:
    short = [RunStep("a", "r", 1, "go", "there")]
    long = [RunStep(f"s{n}", "q", n, "go", "on") for n in range(1, 26)]
    rows = list(reading_rows([("short", short, []), ("long", long, [])]))
    assert [row["run"] for row in rows] == ["short", "long", "all runs", "runs of more than 20 steps"]
    assert (rows[2]["steps"], rows[3]["steps"], rows[3]["runs"]) == (26, 25, 1)
    assert rows[3]["saved %"] == 0.0


def test_the_run_says_how_it_ended() -> None:
    begun, ended = visit(2, []), shopped(2)
    assert (begun.run().reward, begun.run().outcome, begun.run().steps) == (None, "", 0)
    assert ended.run().reward == float(ended.shop.success)
    assert ended.run().steps == len(ended.memory.steps)
