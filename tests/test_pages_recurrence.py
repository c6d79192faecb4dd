"""The page Recurrence run as Streamlit runs it: every view, every control, every state, and no unit lost."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from pages_running import ROOT, copied_store, eventually, labels, page, press, words
from streamlit.testing.v1 import AppTest

from memcore import samples
from memcore.absorbing.generations import Step
from memcore.configuration import Configuration
from memcore.editing import Set, Who
from memcore.errors import Stale
from memcore.events import Imported
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Decision, Thresholds, Unit
from memcore.samples.recorded import Recorded
from memcore.stopping import Stop
from memcore.view.naming import share
from pages._parts.job import Job
from pages._parts.recurrence.apply import Applying

WEEKNIGHT, DIARY = samples.RECORDED[1:]
VIEWS = ("Clusters", "Table", "Timeline", "What if", "Cost")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the sample in which topics recur."""
    folder = tmp_path_factory.mktemp("recurring") / "store"
    opened = Memories.open(folder, embedder="multilingual")
    for sample in (WEEKNIGHT, DIARY):
        scope = opened.store.create_scope(sample.name)
        embedder = Recorded(opened.embedder, samples.vectors(sample))
        list(Memory(scope, embedder, opened.settings).import_path(samples.folder() / f"{sample.stem}.jsonl"))
    return folder


@pytest.fixture
def memory(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """The English one, in a store of its own, and no page that remembers another one."""
    st.cache_resource.clear()
    shutil.copytree(filled, tmp_path / "store")
    monkeypatch.setenv("MEMCORE_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("MEMCORE_SAMPLES", raising=False)
    return Memories.open(tmp_path / "store").scope(WEEKNIGHT.name)


def opened(look: str = "Table", scope: str = WEEKNIGHT.name, **query: str) -> AppTest:
    app = page("recurrence", scope=scope, look=look, **query)
    assert not app.exception
    return app


def table(app: AppTest, at: int = 0) -> Any:
    return app.dataframe[at].value


def states(memory: Memory) -> Counter[str]:
    return Counter(u.state for u in memory.recurrence.units())


def an_episode(memory: Memory, merged: bool = False) -> Any:
    return next(e for e in memory.recurrence.episodes() if (e.revision > 1) == merged)


@pytest.mark.parametrize("look", VIEWS)
def test_every_view_opens_by_its_address_and_writes_nothing(memory: Memory, look: str) -> None:
    before = memory.snapshot().graph.seq
    app = opened(look)
    count = states(memory)
    assert f"{count['live']} raw, {count['consolidated']} consolidated, {count['merged']} merged" in words(
        app
    )
    assert app.segmented_control(key="look").value == look
    assert Memories.open(Path(st_store())).scope(WEEKNIGHT.name).snapshot().graph.seq == before


def st_store() -> str:
    from memcore.settings import store_folder

    return store_folder()


def test_the_table_lists_growing_consolidated_and_merged_clusters_under_telling_words(memory: Memory) -> None:
    found = table(opened())
    assert set(found["state"]) == {"Growing", "Consolidated", "Merged"}
    assert any("sourdough" in name for name in found["cluster"]) and any(
        "knee" in n for n in found["cluster"]
    )
    assert found["units"].tolist() == sorted(found["units"], reverse=True)


def test_korean_topics_have_korean_names(memory: Memory) -> None:
    found = table(opened(scope=DIARY.name))
    assert any("고양이" in name for name in found["cluster"]) and any("수영" in n for n in found["cluster"])


def test_a_link_to_a_unit_opens_its_cluster_with_words_times_and_similarities(memory: Memory) -> None:
    episode = an_episode(memory, merged=True)
    for look in ("Clusters", "Table", "Timeline"):
        app = opened(look, cluster=episode.units[-1])
        said = words(app)
        assert "extractive" in said and "said" in said and "to the episode" in said
        assert f"{len(episode.units)} units" in said and "consolidated with unit" in said
        assert episode.text.splitlines()[0] in said
        assert "earlier version" in " ".join(e.label for e in app.expander)
        units = {u.id: u for u in memory.recurrence.units()}
        assert app.query_params["cluster"] == min(episode.units, key=lambda i: units[i].order)


def test_a_link_to_something_that_is_gone_selects_nothing(memory: Memory) -> None:
    app = opened(cluster="0000000000000000")
    assert "Nothing selected" in words(app)


def test_a_growing_cluster_says_how_many_are_missing(memory: Memory) -> None:
    app = opened()
    growing = next(u for u in memory.recurrence.units() if u.state == "live" and u.decision.neighbours)  # type: ignore[union-attr]
    app = opened(cluster=growing.id)
    assert "keep coming back" in words(app) and "more of its kind" in words(app)


def test_the_timeline_has_every_trigger_in_order_with_its_numbers(memory: Memory) -> None:
    found = table(opened("Timeline"))
    decided = [u for u in memory.recurrence.units() if u.decision and u.decision.spent]
    assert found["unit"].tolist() == [u.order for u in decided]
    assert set(found["what"]) == {"Consolidated", "Merged"}
    assert all(count.endswith("of 5") for count in found[found["what"] == "Consolidated"]["count"])
    assert all("merge from 0.71" in near for near in found[found["what"] == "Merged"]["nearest"])
    assert found["tokens"].sum() == memory.recurrence.ledger().tokens


def back(app: AppTest) -> Any:
    return next(s for s in app.slider if s.label == "As it stood after this many units")


def test_the_slider_shows_what_stood_after_so_many_units(memory: Memory) -> None:
    app = opened()
    first = min(
        u.order for u in memory.recurrence.units() if u.decision and u.decision.outcome == "consolidated"
    )
    back(app).set_value(first - 1).run()
    assert not app.exception and set(table(app)["state"]) == {"Growing"}
    back(app).set_value(first).run()
    assert table(app)["state"].tolist().count("Consolidated") == 1
    back(app).set_value(1).run()
    assert not app.exception


@pytest.mark.parametrize("look", ["Clusters", "Table", "Timeline"])
def test_going_back_works_in_every_view_with_a_cluster_selected(memory: Memory, look: str) -> None:
    app = opened(look, cluster=an_episode(memory).id)
    for number in (30, 10, 2, 1, 71):
        back(app).set_value(number).run()
        assert not app.exception, number
    assert "extractive" in words(app)


def test_an_episode_reads_as_it_did_then_and_nothing_is_edited_in_the_past(memory: Memory) -> None:
    episode = an_episode(memory, merged=True)
    first = memory.recurrence.versions(episode.id)[0].text
    units = memory.recurrence.units()
    made = next(u for u in units if u.decision and episode.id in u.decision.episodes)
    app = opened(cluster=episode.id)
    assert "Edit the episode" in labels(app)
    back(app).set_value(made.order).run()
    assert first in words(app) and episode.text not in words(app)
    assert "as it read then" in words(app) and "Edit the episode" not in labels(app)
    assert "consolidated with unit" in words(app) and "merged on arrival" not in words(app)


def test_filters_grey_out_and_take_nothing_away(memory: Memory) -> None:
    app = opened()
    before = table(app)["cluster"].tolist()
    app.multiselect(key="recurrence:state").set_value(["growing"]).run()
    found = table(app)
    assert found["cluster"].tolist() == before
    passed = found[found["passes the filters"]]
    assert set(passed["state"]) == {"Growing"} and len(passed) < len(found)
    app.multiselect(key="recurrence:who").set_value(["user"]).run()
    assert not app.exception and table(app)["cluster"].tolist() == before


def test_filters_that_match_nothing_are_told_apart_and_can_be_cleared(memory: Memory) -> None:
    app = opened()
    app.multiselect(key="recurrence:state").set_value(["triggered"]).run()
    assert "No memory matches these filters" in words(app) and "Nothing recurs" not in words(app)
    press(app, "Clear the filters")
    assert app.multiselect(key="recurrence:state").value == [] and len(table(app)) > 5


# editing


def test_a_cluster_gets_a_name_by_hand_and_undo_takes_it_back(memory: Memory) -> None:
    app = opened(cluster=an_episode(memory).id)
    name = next(i for i in app.text_input if i.label == "Name of the cluster")
    name.set_value("빵 🍞 <b>**bold**</b>")
    press(app, "Save the name")
    assert not app.exception and "빵 🍞 <b>**bold**</b>" in table(app)["cluster"].tolist()
    assert any(u.label for u in memory.recurrence.units())
    assert "\\*\\*bold" in words(app)
    press(app, "Undo")
    assert not any(u.label for u in memory.recurrence.units())
    assert "빵 🍞 <b>**bold**</b>" not in table(app)["cluster"].tolist()


def edit(app: AppTest, button: str, text: str) -> AppTest:
    press(app, button)
    next(a for a in app.text_area if a.label == "Text").set_value(text)
    press(app, "Preview the change")
    assert "Before you save" in words(app)
    return press(app, "Save")


def test_the_text_of_an_episode_is_edited_through_the_preview_and_can_be_undone(memory: Memory) -> None:
    episode = an_episode(memory)
    app = edit(opened(cluster=episode.id), "Edit the episode", "Written by hand.")
    assert memory.texts([episode.id])[episode.id] == "Written by hand."
    press(app, "Undo")
    assert memory.texts([episode.id])[episode.id] == episode.text
    assert not app.exception


def test_a_fact_of_an_episode_is_edited_in_the_same_way(memory: Memory) -> None:
    fact = memory.recurrence.facts()[0]
    app = opened(cluster=fact.episode_id)
    press(app, "Edit")
    assert next(a for a in app.text_area if a.label == "Text").value == fact.text
    press(app, "Back to the cluster")
    assert fact.text in words(app)


# what if


def sliders(app: AppTest) -> dict[str, Any]:
    names = ("theta_sim", "theta_count", "merge", "counting", "order", "collect")
    return {n: app.session_state[f"whatif:{n}"] for n in names}


def would_be(app: AppTest) -> dict[str, str]:
    found = table(app)
    return dict(zip(found["what"], found["would be"], strict=True))


def test_the_sliders_begin_with_what_is_in_force_and_recompute_without_writing(memory: Memory) -> None:
    app = opened("What if")
    assert Thresholds(**sliders(app)) == memory.recurrence.thresholds
    seq, before = memory.snapshot().graph.seq, would_be(app)
    app.slider(key="whatif:theta_sim").set_value(0.6).run()
    assert not app.exception and would_be(app) != before
    found = memory.recurrence.foresee(memory.recurrence.thresholds._replace(theta_sim=0.6))
    assert would_be(app)["Calls"] == f"{found.calls:,}" and would_be(app)["Share moved"] == share(found.share)
    assert memory.snapshot().graph.seq == seq and memory.recurrence.thresholds.theta_sim == 0.69
    assert "centroid" in words(app) and "approximate" in words(app)


def test_with_nothing_moved_it_would_be_as_it_is_and_nothing_can_be_applied(memory: Memory) -> None:
    app = opened("What if")
    found = table(app)
    assert list(found["now"]) == list(found["would be"]) and "in force: move one" in words(app)
    (apply,) = [b for b in app.button if b.key == "whatif:apply"]
    assert apply.disabled
    app.slider(key="whatif:theta_sim").set_value(0.6).run()
    (apply,) = [b for b in app.button if b.key == "whatif:apply"]
    assert not apply.disabled


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda app: app.slider(key="whatif:theta_count").set_value(3), "theta_count"),
        (lambda app: app.slider(key="whatif:merge").set_value(0.5), "merge"),
        (lambda app: app.slider(key="whatif:collect").set_value(3), "collect"),
        (lambda app: app.selectbox(key="whatif:counting").set_value("neighbours_exceed"), "counting"),
        (lambda app: app.selectbox(key="whatif:order").set_value("at_consolidation"), "order"),
    ],
)
def test_every_threshold_can_be_moved_and_put_back(
    memory: Memory, change: Callable[[AppTest], Any], name: str
) -> None:
    app = opened("What if")
    change(app).run()
    assert not app.exception
    wanted = Thresholds(**sliders(app))
    assert getattr(wanted, name) != getattr(memory.recurrence.thresholds, name)
    assert would_be(app)["Calls"] == f"{memory.recurrence.foresee(wanted).calls:,}"
    press(app, "As in force")
    assert Thresholds(**sliders(app)) == memory.recurrence.thresholds


@pytest.mark.parametrize("end", [0.0, 1.0])
def test_both_ends_of_the_slider_are_answered(memory: Memory, end: float) -> None:
    app = opened("What if")
    app.slider(key="whatif:theta_sim").set_value(end).run()
    app.slider(key="whatif:merge").set_value(end).run()
    assert not app.exception
    if end:
        assert would_be(app)["Episodes"] == "0"


def test_thresholds_are_proposed_for_a_share_of_the_units(memory: Memory) -> None:
    memory.models.configure(Configuration(changed={"share_moved": 0.2}))
    app = opened("What if")
    assert app.slider(key="whatif:share").value == 0.2
    app.slider(key="whatif:share").set_value(0.6).run()
    press(app, "Propose thresholds")
    assert not app.exception
    found = memory.recurrence.calibrated(0.6)
    assert Thresholds(**sliders(app)) == found.thresholds and abs(found.share - 0.6) < 0.1


def applied(app: AppTest) -> AppTest:
    press(app, next(label for label in labels(app) if label.startswith("Apply to all")))
    return eventually(app, lambda: "A new generation" in words(app) and "Undo" in labels(app), "not applied")


def test_apply_makes_a_new_generation_that_history_shows_and_undo_takes_back(memory: Memory) -> None:
    before = {u.id: (u.state, u.decision) for u in memory.recurrence.units()}
    app = opened("What if")
    app.slider(key="whatif:theta_sim").set_value(0.6).run()
    applied(app)
    now = memory.recurrence.units()
    assert {u.id for u in now} == set(before) and states(memory)["live"] < 51
    assert memory.recurrence.thresholds.theta_sim == pytest.approx(0.6)
    assert "were made" in words(app) and "chosen for" in words(app).replace("\\", "")
    history = page("history", scope=WEEKNIGHT.name)
    assert not history.exception and "anew from similarity 0" in " ".join(history.radio[-1].options)
    press(app, "Undo")
    assert not app.exception and "Undone" in words(app)
    assert {u.id: (u.state, u.decision) for u in memory.recurrence.units()} == before
    press(app, "Redo")
    assert memory.recurrence.thresholds.theta_sim == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("error", "says"),
    [(None, "nothing was changed"), (Stale("The memory was changed meanwhile.", ()), "meanwhile")],
)
def test_a_generation_that_was_stopped_or_refused_says_so_and_changed_nothing(
    memory: Memory, error: Stale | None, says: str
) -> None:
    def steps(stop: Stop) -> Iterator[Any]:
        if error:
            raise error
        yield from ()

    seq, job = memory.snapshot().graph.seq, Job(steps)
    assert job.wait(10)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.query_params["scope"], app.query_params["look"] = WEEKNIGHT.name, "What if"
    app.session_state["recurrence:applying"] = Applying(job, memory.id)
    app.switch_page("pages/recurrence.py")
    app.run()
    assert not app.exception and says in words(app) and "Undo" not in labels(app)
    assert memory.snapshot().graph.seq == seq


def test_while_a_generation_is_made_it_can_be_stopped_and_no_other_is_begun(memory: Memory) -> None:
    def steps(stop: Stop) -> Iterator[Any]:
        yield Step(10, 71)
        while not stop():
            time.sleep(0.02)

    job = Job(steps, total=71)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.query_params["scope"], app.query_params["look"] = WEEKNIGHT.name, "What if"
    app.session_state["recurrence:applying"] = Applying(job, memory.id)
    app.switch_page("pages/recurrence.py")
    app.run()
    assert not app.exception and not any(label.startswith("Apply") for label in labels(app))
    press(app, "Stop")
    assert job.wait(10)
    eventually(app, lambda: "nothing was changed" in words(app), "not stopped")


def test_what_somebody_corrected_outlives_a_new_generation(memory: Memory) -> None:
    episode = an_episode(memory)
    memory.edit(Set("content", (episode.id,), "text", "By hand."), Who("Ann"))
    app = opened("What if")
    app.slider(key="whatif:theta_sim").set_value(0.55).run()
    applied(app)
    kept = {e.id: e for e in memory.recurrence.episodes()}
    assert kept[episode.id].text == "By hand." and set(episode.units) <= set(kept[episode.id].units)


# cost


def test_the_ledger_has_every_operation_of_both_sides_and_says_what_is_counted(memory: Memory) -> None:
    app = opened("Cost")
    found, bill = table(app), memory.recurrence.ledger()
    sums = found[found["operation"] == "all of it"].set_index("system")["tokens"]
    assert sums["Recurrence (lazy)"] == bill.tokens and sums["Eager system"] == bill.eager_tokens
    lines = found[found["operation"] != "all of it"]
    assert len(lines) == len(bill.lines) + len(bill.eager)
    assert "No model was called" in words(app)
    shown = {m.label: m.value for m in app.metric}
    assert shown["Share of an eager system"] == share(bill.ratio)
    assert shown["Never needed a model"] == share(bill.untouched)


# states


def test_without_an_embedder_recurrence_is_off_and_says_why(
    sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied_store(sample_store, tmp_path, monkeypatch)
    app = page("recurrence")
    said = words(app)
    assert not app.exception and "Recurrence is off" in said and "kept raw" in said
    assert "Nothing is stored" not in said and "Nothing recurs" not in said


def rewritten(memory: Memory, change: Callable[[Unit], Unit]) -> None:
    """Units as other streams would leave them."""
    scope = memory.recurrence.scope
    found = [replace(change(u), revision=u.revision + 1) for u in scope.units()]
    scope.commit(Imported("", 0), upserts=found)


def raw(unit: Unit) -> Unit:
    decision = unit.decision
    assert decision is not None
    below = decision.below or (decision.neighbours[0] if decision.neighbours else None)
    stored = Decision("stored", decision.thresholds, below=below)
    return replace(unit, state="live", episodes=(), decision=stored)


def test_where_nothing_recurs_the_page_says_how_near_the_nearest_are_and_leads_to_thresholds(
    memory: Memory,
) -> None:
    rewritten(memory, raw)
    app = opened("Clusters")
    assert "Nothing recurs yet" in words(app) and "neighbours above 0.69" in words(app)
    press(app, "Find thresholds for this memory")
    assert not app.exception and "Propose thresholds" in labels(app)


def test_units_in_an_uncovered_script_are_counted_and_told_apart(memory: Memory) -> None:
    last = max(u.order for u in memory.recurrence.units())

    def change(unit: Unit) -> Unit:
        apart = Decision("stored", memory.recurrence.thresholds, why="uncovered")
        late = unit.order > last - 1 and unit.state == "live"
        return replace(unit, decision=apart) if late or unit.order == 4 else unit

    rewritten(memory, change)
    app = opened()
    assert "left raw: their script" in words(app)


def test_a_writer_that_failed_shows_as_triggered_with_its_error(memory: Memory) -> None:
    def change(unit: Unit) -> Unit:
        if unit.state != "live" or unit.decision is None or not unit.decision.neighbours:
            return unit
        return replace(unit, decision=unit.decision._replace(outcome="failed", error="ModelUnavailable"))

    rewritten(memory, change)
    failed = next(u for u in memory.recurrence.units() if u.decision and u.decision.outcome == "failed")
    app = opened(cluster=failed.id)
    assert "Triggered" in table(app)["state"].tolist()
    assert "ModelUnavailable" in words(app) and "all kept" in words(app)
    found = table(opened("Timeline"))
    assert "Writer failed" in set(found["what"])


def test_hostile_words_of_units_stay_text(memory: Memory) -> None:
    hostile = "<script>alert(1)</script> **b** ![x](http://203.0.113.9/a.png) \u202e \u05e9\u05dc\u05d5\u05dd"
    episode = an_episode(memory)
    memory.edit(Set("content", (episode.id,), "text", hostile), Who("Ann"))
    memory.edit(Set("unit", (episode.units[0],), "label", "**b** ![x](http://203.0.113.9/a.png)"), Who("Ann"))
    app = opened(cluster=episode.id)
    markdown = "\n".join(str(m.value) for m in app.markdown)
    assert "![x](" not in markdown and "**b**" not in markdown and "<script>" not in markdown
    assert "\u202e" not in words(app)
