"""Any sequence of edits, undos, redos, imports, extractions and crashes gives what a plain model says.

The model is a flat table of facts (a name, a relation, where a name leads); a change is the difference of
two such tables, and undoing it puts the earlier values back.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memcore.editing import Delete, Edit, Merge, Relate, Set, Split, Who
from memcore.errors import Collision, InputError, InTheWay, MemcoreError, NotFound, Stale, StoreFull
from memcore.extraction import Extraction, FoundCue, FoundTopic
from memcore.graph import Columns
from memcore.intake.conversations import Intake
from memcore.llm.offline.embedder import NoEmbedder
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.records import Cue, Moment, Tag, Turn
from memcore.settings import DEFAULT
from memcore.store.doctor import examine

ANN = Who("ann", "because")
NAMES = ["ann", "Bo", "kim", "zed", "고양이", "max"]
TALK = [
    "ann+red Bo+red",
    "Bo+blue kim+red",
    "ann+blue ann+red kim+blue",
    "zed+red Bo+blue",
    "max+green kim+green 고양이+blue",
    "고양이+red ann+green",
]
SET_OF_CONTENT: list[tuple[str, Any]] = [
    ("text", "Other words."),
    ("text", "ann+red 🐈"),
    ("layer", "fact"),
    ("layer", "turn"),
    ("pinned", True),
    ("pinned", False),
    ("sensitivity", 2),
    ("event", "2020"),
    ("event", "unknown"),
]
SET_OF_CUE = [("cue_kind", "people"), ("cue_kind", "time"), ("pinned", True)]
LONG = int(os.environ.get("MEMCORE_LONG_PROPERTIES", "0"))

Key = tuple[Any, ...]
Table = dict[Key, Any]


class Literal:
    """Says of a turn what stands in it: "cue+tag" for each relation."""

    def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        return [self._one(t.text) for t in turns]

    def topics(self, turns: Sequence[Turn], extractions: Sequence[Extraction]) -> list[FoundTopic]:
        return []

    def _one(self, text: str) -> Extraction:
        pairs = [word.split("+") for word in text.split() if "+" in word]
        cues, tags = ([*dict.fromkeys(p[at] for p in pairs)] for at in (0, 1))
        found = tuple(FoundCue(c, "topic", 0, 0) for c in cues)
        return Extraction(found, tuple(tags), tuple((cues.index(c), tags.index(t)) for c, t in pairs))


class Model:
    """Facts by key: ("cue", n) a name and what else; ("relation", cue, tag, turn); ("leads", kind, name)
    the node that extraction means by a name, 0 for none; ("content", turn); ("turn", turn)."""

    def __init__(self) -> None:
        self.facts: Table = {}
        self.changes: dict[str, tuple[Table, Table]] = {}
        self.made, self.clock, self.extracted = 0, 0, 0

    def named(self, kind: str, name: str) -> int:
        return next((k[1] for k, v in self.facts.items() if k[0] == kind and v[0].lower() == name.lower()), 0)

    def node(self, kind: str, name: str, by_hand: bool) -> int:
        found = self.named(kind, name)
        if not found:
            self.made += 1
            found = self.made
            # name, kind, pinned, the name extraction has for it, since when a person named it
            given = (None, self.clock) if by_hand else (name, None)
            self.facts[kind, found] = (name, "topic", False, *given)
        return found

    def meant(self, kind: str, name: str) -> int:
        lead = self.facts.get(("leads", kind, name.lower()))
        return self.node(kind, name, False) if lead is None else lead

    def read(self, turns: Sequence[str]) -> None:
        for number, text in enumerate(turns):
            if ("turn", number) in self.facts:
                continue
            self.facts["turn", number] = text
            self.facts["content", number] = (text, "turn", "unknown", False, 0)
            for cue, tag in (word.split("+") for word in text.split()):
                c, t = self.meant("cue", cue), self.meant("tag", tag)
                if c and t:
                    self.facts["relation", c, t, number] = "said"
            self.extracted = self.clock

    def pairs(self, turn: int) -> list[tuple[str, str]]:
        words = [word.split("+") for word in self.facts["turn", turn].split()]
        return [(cue, tag) for cue, tag in words]

    def means(self, pair: tuple[str, str], key: Key) -> bool:
        return all(
            self.facts.get(("leads", kind, name.lower()), self.named(kind, name)) == node
            for kind, name, node in zip(("cue", "tag"), pair, key[1:3], strict=True)
        )

    def extract_again(self) -> None:
        """What is said and nobody corrected is there, what is not said any more is gone."""
        before = dict(self.facts)
        for turn in [k[1] for k in before if k[0] == "content"]:
            said = {}
            for pair in self.pairs(turn):
                c, t = (self.meant(kind, name) for kind, name in zip(("cue", "tag"), pair, strict=True))
                if c and t:
                    said["relation", c, t, turn] = ("corrected", *pair, turn) in self.facts
            for key in [k for k, v in self.facts.items() if k[0] == "relation" and k[3] == turn]:
                if key not in said and self.facts[key] == "said":
                    del self.facts[key]
            for key, corrected in said.items():
                if key not in self.facts and not corrected:
                    self.facts[key] = "said"
        if self.facts != before:
            self.extracted = self.clock

    def correct(self, key: Key) -> None:
        """A person says something else of what extraction says as it stands."""
        if self.facts[key] == "said":
            for pair in self.pairs(key[3]):
                if self.means(pair, key):
                    self.facts["corrected", *pair, key[3]] = True

    def lead(self, kind: str, node: int, to: int) -> None:
        """Every name that extraction may have for this node leads there from now on."""
        name, _, _, own, since = self.facts[kind, node]
        for key, led in list(self.facts.items()):
            if key[:2] == ("leads", kind) and led == node:
                self.facts[key] = to
        if own is not None and ("leads", kind, own.lower()) not in self.facts:
            self.facts["leads", kind, own.lower()] = to
        read_since = since is not None and self.extracted > since
        if read_since and ("leads", kind, name.lower()) not in self.facts:
            self.facts["leads", kind, name.lower()] = to

    def rename(self, kind: str, node: int, name: str) -> None:
        old = self.facts[kind, node]
        if old[0] == name:
            return
        self.lead(kind, node, node)
        since = old[4] if old[4] is not None else self.clock
        if old[3] == name:
            self.facts.pop(("leads", kind, name.lower()))
            since = None
        self.facts[kind, node] = (name, *old[1:4], since)

    def move(self, kind: str, key: Key, to: int, by_hand: bool = True) -> None:
        at = 1 if kind == "cue" else 2
        moved = (*key[:at], to, *key[at + 1 :])
        if moved == key:
            return
        if by_hand:
            self.correct(key)
        value = self.facts.pop(key)
        if by_hand:
            pairs = [p for p in self.pairs(key[3]) if self.means(p, moved)]
            again = [p for p in pairs if self.facts.pop(("corrected", *p, key[3]), None)]
            value = "said" if again else "by hand"
        self.facts[moved] = "said" if "said" in (value, self.facts.get(moved)) else "by hand"

    def relations(self, kind: str, node: int) -> list[Key]:
        at = {"cue": 1, "tag": 2, "content": 3}[kind]
        return [k for k in self.facts if k[0] == "relation" and k[at] == node]

    def merge(self, kind: str, nodes: Sequence[int], into: int) -> None:
        for node in nodes:
            for key in self.relations(kind, node):
                self.move(kind, key, into, False)
            self.lead(kind, node, into)
            del self.facts[kind, node]

    def delete(self, kind: str, node: int) -> None:
        for key in self.relations(kind, node):
            del self.facts[key]
        if kind != "content":
            self.lead(kind, node, 0)
        del self.facts[kind, node]

    def whole(self) -> bool:
        """Whether nothing is there twice and nothing refers to what is not."""
        for kind in ("cue", "tag"):
            names = [v[0].lower() for k, v in self.facts.items() if k[0] == kind]
            if len(names) != len(set(names)):
                return False
        ends = [(("cue", k[1]), ("tag", k[2]), ("content", k[3])) for k in self.facts if k[0] == "relation"]
        return all(end in self.facts for of in ends for end in of)

    def turned(self, group: str, *, back: bool) -> bool:
        """Undo (`back`) or redo a change; whether that can be."""
        before, after = self.changes[group]
        old, new = (after, before) if back else (before, after)
        plain = [k for k in old | new if k[0] not in ("corrected", "relation")]
        if any(self.facts.get(k) != old.get(k) for k in plain):
            return False
        if any((k in self.facts) != (k in old) for k in old | new if k[0] == "relation"):
            return False
        for key in old | new:
            self.facts.pop(key, None)
        self.facts |= new
        return self.whole()

    def shown(self) -> tuple[Any, ...]:
        f = self.facts
        return (
            {(k[0], *v[:3]) for k, v in f.items() if k[0] in ("cue", "tag")},
            {(f["cue", k[1]][0], f["tag", k[2]][0], k[3]) for k in f if k[0] == "relation"},
            {k[1]: v for k, v in f.items() if k[0] == "content"},
        )


def shown(memory: Memory) -> tuple[Any, ...]:
    """The same of a store, read without the graph."""
    scope = memory._scope
    ids = {kind: [i for i, _ in scope.names(kind)] for kind in ("cue", "tag")}
    keys = [key for kind in ids for _, key in scope.names(kind)]
    assert len(set(ids["cue"])) + len(set(ids["tag"])) == len(keys)
    found = memory.get([*ids["cue"], *ids["tag"]])
    nodes = {("cue", n.name, n.cue_kind, n.pinned) for n in found.values() if isinstance(n, Cue)}
    nodes |= {("tag", n.name, "topic", False) for n in found.values() if isinstance(n, Tag)}
    relations, contents = [], {}
    for talk in memory.conversations():
        turns = {t.id: t for t in memory.turns(talk.id)}
        for c in scope.contents(talk.id):
            number = int(turns[c.origin[0]].source)
            event = "unknown" if not c.event.known else str(c.event.start.year)  # type: ignore[union-attr]
            contents[number] = (c.text, c.layer, event, c.pinned, c.sensitivity)
            for r in memory.relations(c.id):
                cue, tag = found[r.cue_id], found[r.tag_id]
                relations.append((cue.name, tag.name, number))  # type: ignore[union-attr]
    assert len(relations) == len(set(relations)) == memory.count().get("relation", 0)
    return nodes, set(relations), contents


class Edits(RuleBasedStateMachine):
    """One store and one model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.model = Model()
        self.memory = self.opened()
        self.checked = self.searched = None

    def teardown(self) -> None:
        assert not [f for f in examine(Memories.open(self.folder / "store").store) if not f.harmless]
        shutil.rmtree(self.folder)

    def opened(self) -> Memory:
        return Memories.open(self.folder / "store", embedder="none").scope("m", create=True)

    @initialize()
    def begin(self) -> None:
        self.import_some(3)
        self.memory.tidy()
        self.first, self.start = self.memory._scope.seq(), shown(self.memory)
        self.searched = self.found()

    def found(self) -> list[tuple[str, float]]:
        return sorted(self.memory.search("ann red kim"))

    # what happens to it

    def newest(self) -> str:
        return self.memory.changes(1)[0].group

    def noted(self, before: Table, newest: str) -> None:
        """What the last change of the model was, under the name the store has for it."""
        after = self.model.facts
        if self.newest() != newest:
            keys = {k for k in before | after if before.get(k) != after.get(k)}
            self.model.changes[self.newest()] = (
                {k: before[k] for k in keys if k in before},
                {k: after[k] for k in keys if k in after},
            )

    def changed(self, do: Callable[[], Any], model: Callable[[], Any]) -> None:
        before, newest = dict(self.model.facts), self.newest() if self.memory.changes(1) else ""
        self.model.clock += 1
        do()
        model()
        self.noted(before, newest)

    @contextmanager
    def nothing_changes(self, *errors: type[Exception]) -> Iterator[None]:
        seq = self.memory._scope.seq()
        with pytest.raises(errors):
            yield
        assert self.memory._scope.seq() == seq

    def import_some(self, turns: int) -> None:
        lines = [
            {"conversation": "talk", "speaker": "A", "text": text, "id": str(i)}
            for i, text in enumerate(TALK[:turns])
        ]
        path = self.folder / "talk.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
        memory = self.memory
        intake = Intake(memory._scope, Literal(), NoEmbedder(), DEFAULT, memory._absorption)
        self.changed(lambda: list(intake.bring_in(path)), lambda: self.model.read(TALK[:turns]))

    @rule(turns=st.integers(2, len(TALK)))
    def imports(self, turns: int) -> None:
        self.import_some(turns)

    @rule()
    def extracts_again(self) -> None:
        self.changed(lambda: list(self.memory.reextract(Literal())), self.model.extract_again)
        seq = self.memory._scope.seq()
        steps = [*self.memory.reextract(Literal())]
        assert all((s.made, s.removed, s.conflicts) == (0, 0, 0) for s in steps)
        assert self.memory._scope.seq() == seq

    @rule()
    def opens_again(self) -> None:
        self.memory = self.opened()

    # edits

    def pick(self, data: st.DataObject, kind: str) -> int:
        return data.draw(st.sampled_from([k[1] for k in self.model.facts if k[0] == kind]), kind)

    def id_of(self, kind: str, node: int) -> str:
        if kind == "content":
            talk = self.memory.conversations()[0].id
            turn = next(t.id for t in self.memory.turns(talk) if t.source == str(node))
            return next(c.id for c in self.memory._scope.contents(talk) if c.origin[0] == turn)
        ids = [i for i, _ in self.memory._scope.names(kind)]
        name = self.model.facts[kind, node][0]
        return next(i for i, r in self.memory.get(ids).items() if getattr(r, "name", "") == name)

    def relation_ids(self, keys: Sequence[Key]) -> tuple[str, ...]:
        found: list[str] = []
        for _, cue, tag, turn in keys:
            ends = [self.id_of("cue", cue), self.id_of("tag", tag), self.id_of("content", turn)]
            of = self.memory.relations(ends[2])
            found += [r.id for r in of if [r.cue_id, r.tag_id, r.content_id] == ends]
        return tuple(found)

    def edit(self, edit: Edit, model: Callable[[], Any]) -> None:
        self.changed(lambda: self.memory.edit(edit, ANN), model)

    def has(self, kind: str) -> bool:
        return any(k[0] == kind for k in self.model.facts)

    kinds = st.sampled_from(["cue", "tag"])
    names = st.sampled_from([*NAMES, "red", "blue", "ANN", "new"])

    @rule(data=st.data(), kind=kinds, name=names)
    def renames(self, data: st.DataObject, kind: str, name: str) -> None:
        if not self.has(kind):
            return
        node = self.pick(data, kind)
        edit = Set(kind, (self.id_of(kind, node),), "name", name)
        if self.model.named(kind, name) in (0, node):
            self.edit(edit, lambda: self.model.rename(kind, node, name))
        else:
            with self.nothing_changes(Collision):
                self.memory.edit(edit, ANN)

    @rule(data=st.data(), kind=kinds, many=st.integers(1, 2))
    def merges(self, data: st.DataObject, kind: str, many: int) -> None:
        if not self.has(kind):
            return
        into = self.pick(data, kind)
        nodes = [*dict.fromkeys(n for _ in range(many) if (n := self.pick(data, kind)) != into)]
        edit = Merge(kind, tuple(self.id_of(kind, n) for n in nodes), self.id_of(kind, into))  # type: ignore[arg-type]
        if nodes:
            self.edit(edit, lambda: self.model.merge(kind, nodes, into))
        else:
            with self.nothing_changes(InputError):
                self.memory.edit(edit, ANN)

    def some_relations(self, data: st.DataObject) -> list[Key]:
        of = sorted(k for k in self.model.facts if k[0] == "relation")
        return data.draw(st.lists(st.sampled_from(of), min_size=1, max_size=3, unique=True))

    @precondition(lambda self: self.has("relation"))
    @rule(data=st.data(), kind=kinds, name=names)
    def retags(self, data: st.DataObject, kind: str, name: str) -> None:
        keys = self.some_relations(data)

        def moved() -> None:
            to = self.model.node(kind, name, True)
            for key in keys:
                self.model.move(kind, key, to)

        self.edit(Set("relation", self.relation_ids(keys), kind, name), moved)

    @precondition(lambda self: self.has("relation"))
    @rule(data=st.data(), kind=kinds, name=names)
    def splits(self, data: st.DataObject, kind: str, name: str) -> None:
        first = self.some_relations(data)[0]
        node = first[1 if kind == "cue" else 2]
        keys = data.draw(st.lists(st.sampled_from(self.model.relations(kind, node)), min_size=1, unique=True))
        edit = Split(kind, self.id_of(kind, node), self.relation_ids(keys), name)  # type: ignore[arg-type]
        if self.model.named(kind, name):
            with self.nothing_changes(Collision):
                self.memory.edit(edit, ANN)
            return

        def moved() -> None:
            to = self.model.node(kind, name, True)
            made = self.model.facts[kind, to]
            self.model.facts[kind, to] = (made[0], self.model.facts[kind, node][1], *made[2:])
            for key in keys:
                self.model.move(kind, key, to)

        self.edit(edit, moved)

    @precondition(lambda self: self.has("relation"))
    @rule(data=st.data())
    def deletes_relations(self, data: st.DataObject) -> None:
        keys = self.some_relations(data)
        edit = Delete("relation", self.relation_ids(keys))

        def deleted() -> None:
            for key in keys:
                self.model.correct(key)
                del self.model.facts[key]

        self.edit(edit, deleted)

    @rule(data=st.data(), kind=st.sampled_from(["cue", "tag", "content"]))
    def deletes(self, data: st.DataObject, kind: str) -> None:
        if self.has(kind):
            node = self.pick(data, kind)
            self.edit(Delete(kind, (self.id_of(kind, node),)), lambda: self.model.delete(kind, node))

    @precondition(lambda self: self.has("content"))
    @rule(data=st.data(), cue=names, tag=names)
    def relates(self, data: st.DataObject, cue: str, tag: str) -> None:
        turn = self.pick(data, "content")
        edit = Relate(self.id_of("content", turn), cue, tag)
        there = ("relation", self.model.named("cue", cue), self.model.named("tag", tag), turn)
        if there in self.model.facts:
            with self.nothing_changes(InputError):
                self.memory.edit(edit, ANN)
            return

        def related() -> None:
            c, t = self.model.node("cue", cue, True), self.model.node("tag", tag, True)
            self.model.facts["relation", c, t, turn] = "by hand"

        self.edit(edit, related)

    @precondition(lambda self: self.has("content"))
    @rule(data=st.data(), what=st.sampled_from(SET_OF_CONTENT))
    def sets_content(self, data: st.DataObject, what: tuple[str, Any]) -> None:
        (field, value), turn = what, self.pick(data, "content")
        at = ["text", "layer", "event", "pinned", "sensitivity"].index(field)
        old = self.model.facts["content", turn]
        given = _year(value) if field == "event" else value
        edit = Set("content", (self.id_of("content", turn),), field, given)
        new = (*old[:at], value, *old[at + 1 :])
        self.edit(edit, lambda: self.model.facts.update({("content", turn): new}))

    @precondition(lambda self: self.has("cue"))
    @rule(
        data=st.data(), what=st.sampled_from([("cue_kind", "people"), ("cue_kind", "time"), ("pinned", True)])
    )
    def sets_cue(self, data: st.DataObject, what: tuple[str, Any]) -> None:
        node = self.pick(data, "cue")
        old, at = self.model.facts["cue", node], 1 if what[0] == "cue_kind" else 2
        new = (*old[:at], what[1], *old[at + 1 :])
        edit = Set("cue", (self.id_of("cue", node),), *what)
        self.edit(edit, lambda: self.model.facts.update({("cue", node): new}))

    @precondition(lambda self: self.has("cue"))
    @rule(data=st.data())
    def cannot(self, data: st.DataObject) -> None:
        """Bad values, records that are gone, and what somebody else changed meanwhile."""
        id_ = self.id_of("cue", self.pick(data, "cue"))
        with self.nothing_changes(InputError):
            self.memory.edit(Set("cue", (id_,), "name", " . "), ANN)
        with self.nothing_changes(NotFound):
            self.memory.edit(Delete("cue", (id_, "0" * 16)), ANN)
        with self.nothing_changes(Stale):
            self.memory.edit(Delete("cue", (id_,)), ANN, {id_: 0})

    # crashes

    @precondition(lambda self: self.has("cue"))
    @rule(data=st.data(), kind=kinds, after=st.integers(0, 2))
    def crashes(self, data: st.DataObject, kind: str, after: int) -> None:
        """The disk is full at some commit of a deletion in small portions; what was done is one change."""
        if not self.has(kind):
            return
        edit = Delete(kind, (self.id_of(kind, self.pick(data, kind)),))
        newest = self.newest()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("memcore.editing.ROWS_A_COMMIT", 2)
            door = self.memory._scope._door
            write, commits = door.write, iter(range(100))

            def full(*args: Any, **named: Any) -> None:
                if next(commits) >= after:
                    raise StoreFull("The disk is full.")
                write(*args, **named)

            patch.setattr(door, "write", full)
            with suppress(StoreFull):
                self.memory.edit(edit, ANN)
        assert not [f for f in examine(Memories.open(self.folder / "store").store) if not f.harmless]
        if self.newest() != newest:
            self.memory.undo()

    # history

    @rule()
    def undoes(self) -> None:
        """The last change that is not undone, unless its import is all there is."""
        group = next((c.group for c in self.memory.changes(1000) if c.undoable), None)
        if group is None or group not in self.model.changes:
            return
        self.model.clock += 1
        try:
            self.memory.undo()
        except (InTheWay, InputError):  # after a redo out of order the last change need not be on top
            return
        assert self.model.turned(group, back=True)

    @rule()
    def redoes(self) -> None:
        self.model.clock += 1
        try:
            taken = self.memory.redo()
        except (NotFound, InTheWay, InputError):
            return
        if taken.groups[0] not in self.model.changes:  # a half-done change is not worth keeping
            self.memory.undo(taken.groups[0])
            return
        assert self.model.turned(taken.groups[0], back=False)

    @precondition(lambda self: len(self.model.changes) > 1)
    @rule(data=st.data(), also_later=st.booleans())
    def undoes_by_name(self, data: st.DataObject, also_later: bool) -> None:
        group = [*self.model.changes][data.draw(st.sampled_from(range(len(self.model.changes))))]
        self.model.clock += 1
        seq = self.memory._scope.seq()
        try:
            taken = self.memory.undo(group, also_later=also_later)
        except MemcoreError as error:
            assert isinstance(error, InTheWay | InputError), error
            assert not (also_later and isinstance(error, InTheWay)), error
            assert self.memory._scope.seq() == seq or also_later
            return
        for undone in taken.groups:
            assert self.model.turned(undone, back=True)

    @precondition(lambda self: len(self.model.changes) > 1)
    @rule(data=st.data())
    def redoes_by_name(self, data: st.DataObject) -> None:
        group = [*self.model.changes][data.draw(st.sampled_from(range(len(self.model.changes))))]
        self.model.clock += 1
        try:
            self.memory.redo(group)
        except (InTheWay, InputError):
            return
        assert self.model.turned(group, back=False)

    @rule()
    def undoes_everything_by_hand(self) -> None:
        """Every change that was made by an edit, newest first, leaves the imports."""
        self.model.clock += 1
        for change in self.memory.changes(1000):
            if change.undoable and change.events[0].kind == "edited":
                try:
                    self.memory.undo(change.group)
                except (InTheWay, InputError):
                    return
                assert self.model.turned(change.group, back=True)
        others = [c for c in self.memory.changes(1000) if c.events[0].kind in ("imported", "reextracted")]
        if len(others) == 1 and not others[0].undone:
            assert shown(self.memory) == self.start and self.memory.corrections().all == []
            self.memory.tidy()
            assert self.found() == self.searched

    # what must hold

    @invariant()
    def equals_the_model(self) -> None:
        if self.memory.changes(1):
            assert shown(self.memory) == self.model.shown()
            patched = self.memory.snapshot().graph.columns
            whole = self.memory._scope.columns()
            for name in Columns.__slots__:
                assert np.array_equal(getattr(patched, name), getattr(whole, name)), name


def _year(value: str) -> Moment:
    return Moment() if value == "unknown" else Moment(*[datetime(int(value), 1, 1, tzinfo=UTC)] * 2, "year")


Edits.TestCase.settings = settings(
    max_examples=LONG or 4,
    stateful_step_count=25 if LONG else 14,
    deadline=None,
    phases=[Phase.generate],  # a failing sequence is as readable as a shrunk one, which takes minutes
    suppress_health_check=list(HealthCheck),
    derandomize=not LONG,
    database=None,
)
TestEdits = Edits.TestCase
