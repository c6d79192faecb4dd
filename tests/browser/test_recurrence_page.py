"""The page Recurrence in a real Chromium: clusters are clicked, sliders write nothing, apply and undo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import quote_plus

import pytest
import walking
from playwright.sync_api import Page, expect
from walking import idle, press, visit

from memcore import samples
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.samples.recorded import Recorded

WEEKNIGHT, DIARY = samples.RECORDED[1:]
CANVAS = "__memcore.inst.get('recurrence')"
of, spot = partial(walking.of, canvas="recurrence"), partial(walking.spot, canvas="recurrence")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recurrence") / "store"
    opened = Memories.open(folder, embedder="multilingual")
    for sample in (WEEKNIGHT, DIARY):
        scope = opened.store.create_scope(sample.name)
        embedder = Recorded(opened.embedder, samples.vectors(sample))
        list(Memory(scope, embedder, opened.settings).import_path(samples.folder() / f"{sample.stem}.jsonl"))
    return folder


@pytest.fixture(scope="module")
def address(app_server: Callable[..., str], store: Path) -> str:
    return app_server(store)


def read(store: Path, name: str = WEEKNIGHT.name) -> Memory:
    """The memory as it is in the store, beside the server."""
    return Memories.open(store).scope(name)


def go(page: Page, address: str, name: str = WEEKNIGHT.name, **query: str) -> None:
    more = "".join(f"&{key}={quote_plus(value)}" for key, value in query.items())
    visit(page, f"{address}/recurrence?scope={quote_plus(name)}{more}")


def drawn(page: Page) -> None:
    page.wait_for_function("() => globalThis.__memcore?.inst.get('recurrence')?.drawnAt", timeout=30_000)
    idle(page)


def panel(page: Page):
    return page.locator(".st-key-recurrence-panel")


def pull(page: Page, key: str, presses: str, times: int) -> None:
    """Move a slider as a keyboard does."""
    page.locator(f".st-key-{key}").get_by_role("slider").focus()
    for _ in range(times):
        page.keyboard.press(presses)
    idle(page)


def a_node(page: Page, kind: str) -> str:
    return of(page, f"[...s.rawNodes.values()].find((n) => n.kind === '{kind}').id")


def test_a_click_on_a_cluster_shows_its_episode_and_units_and_leads_to_the_graph(
    page: Page, address: str
) -> None:
    go(page, address)
    drawn(page)
    episode = a_node(page, "merged")
    page.mouse.click(*spot(page, episode))
    for words in ("extractive", "later ones were merged into it", "earlier version", "Unit "):
        expect(panel(page)).to_contain_text(words)
    assert "cluster=" in page.url
    panel(page).get_by_role("link", name="In the graph").first.click()
    expect(page.locator("h1")).to_have_text("Graph")
    expect(page.locator(".st-key-graph-panel-panel")).to_contain_text("Where it comes from")


def test_the_ring_and_the_shape_say_what_the_colour_says(page: Page, address: str) -> None:
    go(page, address)
    drawn(page)
    growing = of(page, "[...s.rawNodes.values()].filter((n) => n.kind === 'growing')")
    others = of(page, "[...s.rawNodes.values()].filter((n) => n.kind !== 'growing')")
    assert growing and all(0 < n["ring"] < 1 for n in growing)
    assert others and not any("ring" in n for n in others)
    shapes = of(page, "Object.fromEntries(s.net.body.nodeIndices.map((i) => "
                "[s.rawNodes.get(i).kind, s.net.body.nodes[i].options.shape]))")  # fmt: skip
    assert len(set(shapes.values())) == len(shapes) > 2


def test_a_link_opens_the_cluster_of_a_unit(page: Page, address: str, store: Path) -> None:
    episode = read(store).recurrence.episodes()[0]
    go(page, address, cluster=episode.units[-1])
    drawn(page)
    expect(panel(page)).to_contain_text("extractive")
    page.wait_for_function(f"(id) => {CANVAS}.selected.has(id)", arg=episode.id)


def test_filters_and_going_back_move_nothing(page: Page, address: str) -> None:
    go(page, address)
    drawn(page)
    before = of(page, "s.net.getPositions()")
    page.get_by_label("State", exact=True).click()
    page.get_by_role("option", name="Growing", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.locator(".mc-counts")).to_contain_text("dimmed")
    idle(page)
    assert of(page, "s.net.getPositions()") == before
    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    idle(page)
    after = of(page, "s.net.getPositions()")
    assert {id_: at for id_, at in after.items() if id_ in before} == {
        id_: at for id_, at in before.items() if id_ in after
    }


def test_a_what_if_slider_recomputes_and_writes_nothing(page: Page, address: str, store: Path) -> None:
    seq = read(store).snapshot().graph.seq
    go(page, address, look="What if")
    pull(page, "whatif-theta_sim", "ArrowLeft", 12)
    expect(page.get_by_role("button", name="As in force")).to_be_enabled()
    expect(page.get_by_text("Clusters as they would be")).to_be_visible()
    assert read(store).snapshot().graph.seq == seq
    press(page, "As in force")
    expect(page.get_by_role("button", name="As in force")).to_be_disabled()


def test_apply_shows_what_came_of_it_and_undo_brings_everything_back(
    page: Page, address: str, store: Path
) -> None:
    before = [(u.id, u.state) for u in read(store, DIARY.name).recurrence.units()]
    go(page, address, DIARY.name, look="What if")
    pull(page, "whatif-theta_sim", "ArrowLeft", 20)
    page.get_by_role("button", name="Apply to all").click()
    notice = page.locator(".st-key-edit-notice")
    expect(notice).to_contain_text("A new generation", timeout=30_000)
    idle(page)
    now = read(store, DIARY.name).recurrence
    assert [u.id for u in now.units()] == [id_ for id_, _ in before]
    assert [(u.id, u.state) for u in now.units()] != before and now.thresholds.theta_sim < 0.69
    notice.get_by_role("button", name="Undo").click()
    expect(notice).to_contain_text("Undone: Consolidated", timeout=30_000)
    idle(page)
    assert [(u.id, u.state) for u in read(store, DIARY.name).recurrence.units()] == before


def test_a_name_with_markup_is_drawn_as_it_was_typed(page: Page, address: str, store: Path) -> None:
    go(page, address, DIARY.name)
    drawn(page)
    page.mouse.click(*spot(page, a_node(page, "growing")))
    panel(page).get_by_text("Name this cluster").click()
    page.get_by_label("Name of the cluster").fill("<img src=x onerror=alert(1)> **수영** 🏊")
    page.get_by_role("button", name="Save the name").click()
    idle(page)
    expect(panel(page)).to_contain_text("<img src=x onerror=alert(1)> **수영** 🏊")
    assert of(page, "[...s.rawNodes.values()].some((n) => n.label.startsWith('<img src=x'))")


@pytest.mark.parametrize("look", ["Clusters", "Table", "Timeline", "What if", "Cost"])
def test_no_view_asks_for_anything_beyond_this_machine(page: Page, address: str, look: str) -> None:
    go(page, address, look=look)
    expect(page.get_by_text("71 units", exact=True)).to_be_visible()
