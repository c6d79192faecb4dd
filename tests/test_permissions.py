"""Who sees how much of a memory: by scope, by sensitivity, and what rests on what is sensitive."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recurring_memory import brought_in, line, lines, opened
from veiled_memory import ANN, contents_of, mark, outputs, run_of, stored_run, strings, turn_of, viewer

from memcore.access.permissions import OWNER, Viewer
from memcore.editing import Relate, Set
from memcore.errors import NotAllowed, NotFound, ScopeError
from memcore.forking import Override
from memcore.importing import DraftTurn
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import Content, Unit
from memcore.store import Scope, Store

SAID = (
    ("Ann", "I adopted a grey cat in Lisbon."),
    ("Bo", "What is the cat called?"),
    ("Ann", "My sister Zephyrine was treated for zqillness in Porto."),
    ("Bo", "I hope she is well again."),
    ("Ann", "The cat likes Lisbon more than Porto."),
    ("Bo", "Then stay in Lisbon with the cat."),
)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    found = Memories.open(tmp_path / "store", embedder="none").scope("Ann", create=True)
    found.absorb("a talk about zqtitle", (DraftTurn(speaker, "user", text) for speaker, text in SAID))
    return found


@pytest.fixture
def recurring(tmp_path: Path) -> Memory:
    """Three pottery units are one episode, merged and consolidated; chess is alone."""
    found = opened(tmp_path / "store")
    for part in (["pottery", "pottery", "chess"], ["pottery"], ["pottery", "violin"]):
        brought_in(found, tmp_path / "files", lines(part, first=10 * len(found.files())))
    return found


def said_of(memory: Memory) -> str:
    return "\n".join(text for name, of in outputs(memory) for text in strings(of))


# who may enter


def test_a_viewer_of_a_viewer_sees_no_more_than_either() -> None:
    low, ann = Viewer("low", 1), Viewer("ann", 3, frozenset({"Ann", "Bo"}))
    assert ann.within(low) == Viewer("ann", 1, frozenset({"Ann", "Bo"}))
    assert OWNER.within(ann).scopes == ann.scopes
    assert ann.within(Viewer("bo", 2, frozenset({"Bo"}))).scopes == {"Bo"}
    assert not ann.may_enter("Cy") and low.may_enter("Cy") and not low.sees_all


def test_a_memory_that_may_not_be_entered_looks_like_one_that_is_not_there(tmp_path: Path) -> None:
    store = Memories.open(tmp_path / "store", embedder="none")
    for name in ("Ann", "Bo"):
        store.scope(name, create=True)
    only_bo = Viewer("bo", 3, frozenset({"Bo"}))
    said = set()
    for ask in (
        lambda: store.scope("Ann", viewer=only_bo),
        lambda: store.scope("Ann", viewer=only_bo, create=True),
        lambda: store.scope("Nobody", viewer=only_bo),
        lambda: store.scope("Nobody"),
        lambda: store.scope("Ann").seen_by(only_bo),
    ):
        with pytest.raises(ScopeError) as refused:
            ask()
        said.add(str(refused.value))
    assert len(said) == 1
    assert store.scopes(only_bo) == ["Bo"] and store.only_scope(only_bo) == "Bo"
    assert store.scopes() == ["Ann", "Bo"] and store.only_scope() is None


def test_no_question_can_be_asked_of_a_store_without_naming_a_memory(tmp_path: Path) -> None:
    """A method that reads memories needs a scope. Who adds one to a store says here why it needs none."""
    made = {"open", "scope", "create_scope", "rename_scope", "scopes", "tables"}
    of_the_whole = {"audit", "bytes", "db", "embedder", "fits", "folder", "left"}
    store = Store.open(
        tmp_path / "store", embedder=Memories.open(tmp_path / "store", embedder="none").embedder
    )
    assert {n for n in dir(store) if not n.startswith("_")} == made | of_the_whole
    memories = Memories.open(tmp_path / "store")
    of_models = {"settings", "models", "configure", "allow_configuring", "embedder"}
    held = {"store", "audit", "viewer", "held_by", "only_scope", "bytes", "examined", "fits"}
    named = {n for n, of in inspect.getmembers(Memories, inspect.isfunction) if "name" in _parameters(of)}
    without = {n for n in dir(memories) if not n.startswith("_")} - named
    assert without <= (made - {"scope", "create_scope"}) | of_models | held
    for of in (Store, Memories):
        assert "name" in _parameters(of.scope)
        for nothing in (None, ""):
            with pytest.raises(ScopeError):
                of.scope(*(store, nothing, OWNER) if of is Store else (memories, nothing))
    assert _parameters(Scope)[:2] == ["name", "tables"]


def test_a_store_opens_nothing_for_a_viewer_that_was_forgotten(tmp_path: Path) -> None:
    memories = Memories.open(tmp_path / "store", embedder="none")
    memories.scope("Ann", create=True)
    for forgotten in (lambda: memories.store.scope("Ann"), memories.store.scopes):  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="viewer"):
            forgotten()
    low = memories.held_by(Viewer("low", 1, frozenset({"Bo"})))
    assert (low.scopes(), low.only_scope()) == ([], None)
    with pytest.raises(ScopeError):
        low.scope("Ann")


def _parameters(of: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(of).parameters)


# what a mark reaches


def test_a_marked_memory_takes_with_it_what_says_the_same_and_the_names_only_it_leads_to(
    memory: Memory,
) -> None:
    turn = turn_of(memory, "zqillness")
    mark(memory, contents_of(memory, turn.id)[0], 2)
    low = memory.seen_by(viewer(1))
    graph = low.snapshot().graph.columns
    assert {"zephyrine", "zqillness"}.isdisjoint(" ".join(graph.cue_keys + graph.tag_keys).split())
    assert "lisbon" in graph.cue_keys and "porto" in graph.cue_keys  # others lead there too
    assert turn.id not in graph.turn_ids and len(graph.content_ids) < len(memory.snapshot().graph)
    (unit,) = [u for u in memory.recurrence.units() if turn.id in u.origin]
    assert unit.id not in {u.id for u in low.recurrence.units()}
    assert low.get([turn.id, unit.id]) == {} and low.texts([turn.id]) == {}
    assert low.count()["turn"] == 5 and [len(low.turns(c.id)) for c in low.conversations()] == [5]
    assert memory.seen_by(viewer(2)).count()["turn"] == 6
    assert "zq" not in said_of(low) and turn.id not in said_of(low)


def test_a_fact_that_is_marked_withholds_the_turn_it_was_read_from(tmp_path: Path) -> None:
    found = Memories.open(tmp_path / "store", embedder="none").scope("Ann", create=True)
    long = "I was born in Lisbon. " + "We talked of the harbour and of boats. " * 60 + "Zephyrine is ill."
    found.absorb("long", [DraftTurn("Ann", "user", long), DraftTurn("Bo", "user", "So was I, in Porto.")])
    turn = turn_of(found, "Zephyrine")
    parts = [c for c in contents_of(found, turn.id) if c.span]
    assert len(parts) > 1
    mark(found, parts[-1], 3)
    low = found.seen_by(viewer(2))
    assert low.get([turn.id, *(c.id for c in parts)]) == {}
    assert low.search("lisbon harbour") == []


def test_a_marked_turn_withholds_its_episode_its_facts_and_its_earlier_versions(recurring: Memory) -> None:
    (episode,) = recurring.recurrence.episodes()
    assert recurring.recurrence.versions(episode.id) and recurring.recurrence.facts()
    turn = turn_of(recurring, "pottery 1")
    assert turn.id in episode.origin
    mark(recurring, contents_of(recurring, turn.id)[0], 3)
    low = recurring.seen_by(viewer(0))
    rests_on_it = {
        f.id for f in recurring.recurrence.facts() if turn.id in f.origin or f.episode_id == episode.id
    }
    assert not low.recurrence.episodes() and not low._scope.all_versions()
    assert rests_on_it.isdisjoint(low.get(rests_on_it))
    others = [u for u in low.recurrence.units() if set(u.origin) <= set(episode.origin)]
    assert others and all(episode.id not in u.episodes and u.decision is None for u in others[1:])


def test_an_episode_that_is_marked_leaves_what_was_said(recurring: Memory) -> None:
    (episode,) = recurring.recurrence.episodes()
    mark(recurring, episode, 3)
    low = recurring.seen_by(viewer(2))
    assert episode.id not in low.get([episode.id]) and not low._scope.all_versions()
    assert len(low.recurrence.units()) == len(recurring.recurrence.units())


def test_a_marked_unit_withholds_its_turns_and_names_of_clusters_are_withheld(recurring: Memory) -> None:
    units = recurring.recurrence.units()
    recurring.edit(Set("unit", (units[0].id,), "label", "zqlabel"), ANN)
    unit = next(r for r in recurring.get([units[-1].id]).values() if isinstance(r, Unit))
    assert "zqlabel" in said_of(recurring.seen_by(viewer(2)))
    mark(recurring, unit, 3)
    low = recurring.seen_by(viewer(2))
    assert low.get(unit.origin) == {} and "zqlabel" not in said_of(low)


def test_a_marked_step_withholds_its_run_and_the_runs_around_it(memory: Memory) -> None:
    parent = stored_run(memory, run_of("zqparent", "zqseen"))
    stored_run(memory, run_of("zqchild", "zqfound", 2, parent))
    open_run = stored_run(memory, run_of("mending", "a leak"))
    low = memory.seen_by(viewer(1))
    assert [r.id for r in low.runs.all()] == [open_run]
    with pytest.raises(NotFound):
        low.runs.get(parent)
    assert low.search("zqfound", ("step",)) == [] and "step" in memory.count()
    assert low.count()["step"] == 2 and "zqparent" not in said_of(low)


@pytest.mark.parametrize("later", ["reextracted", "imported again", "consolidated again"])
def test_no_later_work_forgets_a_mark(later: str, recurring: Memory, tmp_path: Path) -> None:
    turn = turn_of(recurring, "pottery 1")
    mark(recurring, contents_of(recurring, turn.id)[0], 2)
    marked = recurring.changes(1)[0].group
    if later == "reextracted":
        list(recurring.reextract())
    elif later == "imported again":
        brought_in(recurring, tmp_path / "files", lines(["pottery", "pottery", "chess"]))
        brought_in(recurring, tmp_path / "files", lines(["pottery"], first=50))
    else:
        list(recurring.recurrence.apply(recurring.recurrence.thresholds._replace(merge=0.5, theta_count=2)))
    low = recurring.seen_by(viewer(1))
    assert "pottery 1 " not in said_of(low) and turn.id not in said_of(low)
    assert not [e for e in low.recurrence.episodes() if turn.id in e.origin]
    if recurring.changes(1)[0].group != marked:
        recurring.undo()
        assert "pottery 1 " not in said_of(low)


def test_taking_a_mark_back_shows_everything_again(memory: Memory) -> None:
    before, low = memory.count(), memory.seen_by(viewer(0))
    mark(memory, contents_of(memory, turn_of(memory, "zqillness").id)[0], 1)
    assert low.count()["content"] < before["content"]
    memory.undo()
    assert low.count() == {k: n for k, n in before.items() if k != "change"}


def test_what_is_withheld_in_part_has_no_name_and_no_history(memory: Memory, tmp_path: Path) -> None:
    said = [line("Ann", "Of boats.", "zqtalk", "1"), line("Ann", "Of zqboats.", "zqtalk", "2")]
    brought_in(memory, tmp_path / "zqfile", said)
    mark(memory, contents_of(memory, turn_of(memory, "zqboats").id)[0], 3)
    low = memory.seen_by(viewer(2))
    assert {c.title for c in low.conversations()} == {"Withheld in part", "a talk about zqtitle"}
    assert [(f.name, f.report) for f in low.files()] == [("Withheld in part", {})]
    assert low.changes() == [] and list(low.corrections().all) == []
    with pytest.raises(NotFound):
        low.difference(memory.changes()[0].group)


def test_how_rare_a_word_is_does_not_tell_of_what_is_withheld(tmp_path: Path) -> None:
    """The same memory twice, once with more of a word, which is withheld."""
    scores = []
    for more in (0, 6):
        found = Memories.open(tmp_path / f"store{more}", embedder="none").scope("Ann", create=True)
        found.absorb("talk", (DraftTurn("Ann", "user", f"The harbour has {n} boats.") for n in range(4)))
        found.absorb("talk", [DraftTurn("Bo", "user", "The cat sleeps.")])
        found.absorb("other", (DraftTurn("Bo", "user", f"Boats, boats, harbour {n}!") for n in range(more)))
        for content in list(found.get(found.snapshot().graph.columns.content_ids).values()):
            if isinstance(content, Content) and content.text.startswith("Boats"):
                mark(found, content, 3)
        low = found.seen_by(viewer(0))
        events = list(low.events(Ask("Where are the boats in the harbour?", 3, strategy="bm25")))
        ranked = next(e for e in events if e.kind == "ranked")
        scores.append(
            (
                sorted(round(s, 5) for _, s in low.search("boats harbour")),
                [c.total for c in ranked.candidates],
            )
        )
    assert scores[0] == scores[1] and scores[0][0]


# a view can be read only


@pytest.mark.parametrize(
    "change",
    [
        lambda m, t: m.edit(Set("content", (contents_of(m, t)[0].id,), "pinned", True), ANN),
        lambda m, t: m.edit(Relate(contents_of(m, t)[0].id, "cat", "pet"), ANN),
        lambda m, t: m.absorb("new", [DraftTurn("Ann", "user", "More.")]),
        lambda m, t: m.undo(),
        lambda m, t: m.redo(),
        lambda m, t: list(m.reextract()),
        lambda m, t: m.tidy(),
        lambda m, t: m.erasure.receipts(),
        lambda m, t: list(m.exported()),
        lambda m, t: list(m.recurrence.apply(m.recurrence.thresholds)),
        lambda m, t: stored_run(m, run_of("a", "b")),
        lambda m, t: m._scope.items.remove("kind = 'turn'"),
        lambda m, t: m._scope.items.newest(),
        lambda m, t: m._scope.bytes(),
        lambda m, t: m._scope.receipts,
        lambda m, t: m._scope.runs.table.remove("kind = 'header'"),
    ],
)
def test_nothing_can_be_changed_through_a_view(change: Callable[[Memory, str], Any], memory: Memory) -> None:
    list(memory.ask(Ask("Which cat?", 2)))
    low, turn, seq = memory.seen_by(viewer(2)), turn_of(memory, "grey cat").id, memory._scope.seq()
    with pytest.raises(NotAllowed, match="only be read"):
        change(low, turn)
    assert memory._scope.seq() == seq and len(memory.traces()) == 1
    assert low.seen_by(OWNER).viewer.clearance == 2


# runs


def test_a_run_says_who_asks_and_what_was_withheld_without_opening_it(memory: Memory) -> None:
    turn = turn_of(memory, "zqillness")
    hidden = {c.id for c in contents_of(memory, turn.id)}
    mark(memory, contents_of(memory, turn.id)[0], 2)
    for strategy in ("active", "fusion"):
        events = list(memory.seen_by(viewer(1)).ask(Ask("What happened in Porto?", 4, strategy=strategy)))  # type: ignore[arg-type]
        assert events[0].kind == "asked" and events[0].clearance == 1
        pruned = [p for e in events if e.kind == "routed" for p in e.pruned if p.why == "withheld"]
        assert {p.id for p in pruned} <= hidden and pruned and {p.score for p in pruned} == {0.0}
        elsewhere = [e for e in events if e.kind != "routed"]
        assert hidden.isdisjoint(strings(elsewhere))
    everything = list(memory.ask(Ask("What happened in Porto?", 4)))
    assert everything[0].kind == "asked" and everything[0].clearance == 3
    assert not [p for e in everything if e.kind == "routed" for p in e.pruned if p.why == "withheld"]


def test_a_run_names_a_few_of_what_was_withheld_and_counts_the_rest(tmp_path: Path) -> None:
    found = Memories.open(tmp_path / "store", embedder="none").scope("Ann", create=True)
    found.absorb("talk", (DraftTurn("Ann", "user", f"In Porto I saw boat {n}.") for n in range(30)))
    first, *others = [c for c in found._scope.contents(found.conversations()[0].id) if c.layer == "turn"]
    found.edit(Set("content", tuple(c.id for c in others), "sensitivity", 3), ANN)
    low = found.seen_by(viewer(0))
    assert low.snapshot().graph.columns.content_ids[0] == first.id
    routed = [e for e in low.events(Ask("What about Porto?", 4)) if e.kind == "routed"]
    named = sum(p.why == "withheld" for e in routed for p in e.pruned)
    assert named == low.settings.withheld_named and named + sum(e.withheld for e in routed) == len(
        low._scope.beside.all  # type: ignore[union-attr]
    )


def test_a_trace_is_shown_to_who_could_have_asked_and_still_may_read_what_it_read(memory: Memory) -> None:
    low, middle = memory.seen_by(viewer(0)), memory.seen_by(viewer(2))
    list(memory.ask(Ask("zqquestion of the owner?", 3)))
    list(low.ask(Ask("Which cat in Lisbon?", 3)))
    list(middle.ask(Ask("Who is in Porto?", 6)))
    assert [h.question for h in low.traces()] == ["Which cat in Lisbon?"]
    assert len(middle.traces()) == 2 and len(memory.traces()) == 3
    with pytest.raises(NotFound):
        low.trace(memory.traces()[-1].id)
    mark(memory, contents_of(memory, turn_of(memory, "zqillness").id)[0], 3)
    assert "Who is in Porto?" not in [h.question for h in middle.traces()]
    mark(memory, contents_of(memory, turn_of(memory, "zqillness").id)[0], 1)
    assert "Who is in Porto?" in [h.question for h in middle.traces()]


def test_a_run_that_somebody_takes_on_is_theirs(memory: Memory) -> None:
    low = memory.seen_by(viewer(0))
    list(low.ask(Ask("Which cat in Lisbon?", 3)))
    (header,) = low.traces()
    list(memory.fork(header.id, 1, Override()))
    assert len(memory.traces()) == 2 and [h.id for h in low.traces()] == [header.id]
