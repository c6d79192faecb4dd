# pyright: basic, reportAttributeAccessIssue=false
"""What is withheld from a viewer of less than full clearance, worked out from the rows as they stand.

A mark is never copied: how sensitive a record is follows from what it rests on whenever it is read, so that
no consolidation, extraction or import can forget it.

    turn      its own mark; that of a content which repeats it alone (itself, a segment, a fact of it); that
              of its unit, whose text it is
    unit, content, relation    of any turn or unit it rests on; a fact also of its episode
    version   of its episode
    run       of any of its steps, with all its steps and marks; runs that started each other are one
    relation  also one that a model read off a turn together with a withheld one, by a tag that the turn
              does not say by itself
    cue, tag  withheld where no relation that is shown leads to it: its name would give the rest away

The journal and corrections are withheld as a whole: reasons and former values are people's words, and nobody
can say what they give away. So are titles and names of what is withheld in part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from memcore.access.permissions import IN_PART
from memcore.store.beside import Beside, beside
from memcore.store.commit import last_seq, with_column
from memcore.store.rows import CLASSES
from memcore.store.tables import Table
from memcore.words import says

_SHOWN = pa.array([kind for kind in CLASSES if kind != "correction"])
_ID = re.compile(r'"([0-9a-f]{8,64})"')
_SENSITIVE = ["id", "kind", "subkind", "made_by", "sensitivity", "origin", "conversation_id"]
_TOGETHER = 2  # turns that a model reads at once (see passages)
_ENDS = ("cue_id", "tag_id", "content_id", "turn_id")
_TIMES = ("start", "end", "precision", "zoned")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Withheld:
    """What is kept back of a table as of commit `seq`: whole rows by id, and cells of rows that are shown.

    `beside` are the withheld contents that a shown cue, tag or turn leads to.
    """

    seq: int
    ids: frozenset[str]
    instead: Mapping[str, Row]
    beside: Beside
    _units: bool = field(default=False)

    def out_of(self, rows: pa.Table) -> pa.Table:
        """The rows without what is withheld; they need id, kind and seq. A row written later is left out:
        nobody knows yet what it rests on."""
        there = pc.and_(pc.is_in(rows.column("kind"), _SHOWN), pc.less_equal(rows.column("seq"), self.seq))
        rows = rows.filter(pc.and_(there, pc.invert(pc.is_in(rows.column("id"), self._hidden))))
        return self._without_words(self._replaced(rows))

    def named_in(self, saved: str) -> bool:
        """Whether this JSON names anything of it by its id."""
        return not self.ids.isdisjoint(_ID.findall(saved))

    @cached_property
    def _hidden(self) -> pa.Array:
        return pa.array([*self.ids], pa.string())

    def _replaced(self, rows: pa.Table) -> pa.Table:
        """Cells that would give away what is withheld in part, written over."""
        found = {i: at for at, i in enumerate(rows.column("id").to_pylist()) if i in self.instead}
        for column in rows.column_names if found else ():
            if any(column in self.instead[i] for i in found):
                values = rows.column(column).to_pylist()
                for id_, at in found.items():
                    values[at] = self.instead[id_].get(column, values[at])
                rows = with_column(rows, column, values)
        return rows

    def _without_words(self, rows: pa.Table) -> pa.Table:
        """Units without a decision that names what is withheld, and without the names of clusters, which
        may be named after it."""
        if not self._units or "body" not in rows.column_names:
            return rows
        kinds, bodies = rows.column("kind").to_pylist(), rows.column("body").to_pylist()
        if "unit" not in kinds:
            return rows
        told = [self._told(b) if k == "unit" and b else b for k, b in zip(kinds, bodies, strict=True)]
        return with_column(rows, "body", told)

    def _told(self, body: str) -> str:
        saved = json.loads(body)
        saved.pop("label", None)
        if self.named_in(json.dumps(saved.get("decision"))):
            saved.pop("decision")
        if "episodes" in saved:
            saved["episodes"] = [i for i in saved["episodes"] if i not in self.ids]
        return json.dumps(saved, ensure_ascii=False)


def withheld(items: Table, clearance: int) -> Withheld:
    """What this clearance does not see of a table that stands still (see Table.pinned)."""
    seq = last_seq(items)
    rows = items.read(_SENSITIVE, "kind IN ('turn', 'content', 'unit', 'step')").to_pylist()
    turns = _turns(rows, clearance)
    units = {r["id"] for r in _of(rows, "unit") if _rests(r, turns) or _marked(r, clearance)}
    contents = _contents(items, rows, turns | units, clearance)
    runs = _runs(items, {r["conversation_id"] for r in _of(rows, "step") if _marked(r, clearance)})
    relations = items.read(["id", *_ENDS, "made_by"], "kind = 'relation'")
    shown = pa.array([r["id"] for r in _of(rows, "content") if r["id"] not in contents], pa.string())
    kept = _kept(relations, shown, turns)
    kept = pc.and_(kept, pc.invert(_read_together(items, relations, _beside(rows, turns))))
    talks, instead = _talks(items, turns)
    files, of_files = _files(items, talks | runs, {*instead})
    ids = turns | units | contents | runs | talks | files
    ids |= {*relations.filter(pc.invert(kept)).column("id").to_pylist()}
    for kind in ("cue", "tag"):
        nodes = items.read(["id"], f"kind = '{kind}'").column("id").to_pylist()
        ids |= {*nodes} - {*relations.filter(kept).column(f"{kind}_id").to_pylist()}
    ids |= _versions(items, {*shown.to_pylist()})
    beyond = beside(items, relations.filter(pc.invert(kept)), contents, ids)
    return Withheld(seq, frozenset(ids), instead | of_files, beyond, bool(units))


def _turns(rows: list[Row], clearance: int) -> set[str]:
    """Turns that are marked, or whose words something marked repeats."""
    found = {r["id"] for r in _of(rows, "turn") if _marked(r, clearance)}
    for row in rows:
        repeats = row["kind"] == "unit" or (row["kind"] == "content" and len(row["origin"] or ()) == 1)
        if repeats and _marked(row, clearance):
            found |= {*(row["origin"] or ())}
    return found


def _contents(items: Table, rows: list[Row], sources: set[str], clearance: int) -> set[str]:
    """Contents that are marked, or rest on these turns and units, and the facts of such episodes."""
    found = {r["id"] for r in _of(rows, "content") if _rests(r, sources) or _marked(r, clearance)}
    derived = items.read(["id", "body"], "kind = 'content' AND subkind <> 'turn'").to_pylist()
    bodies = {row["id"]: json.loads(row["body"]) for row in derived if row["body"]}
    found |= {i for i, body in bodies.items() if not sources.isdisjoint(body.get("units", ()))}
    return found | {i for i, body in bodies.items() if body.get("episode_id") in found}


def _runs(items: Table, marked: set[str]) -> set[str]:
    """Runs with a step that is withheld and those they started or were started by; their steps and marks."""
    rows = items.read(["id", "body"], "kind = 'run'").to_pylist()
    pairs = [(r["id"], json.loads(r["body"] or "{}").get("parent_run") or r["id"]) for r in rows]
    found, before = set(marked), -1
    while len(found) > before:
        before = len(found)
        found |= {i for pair in pairs if not found.isdisjoint(pair) for i in pair}
    parts = items.read(["id", "conversation_id"], "kind IN ('step', 'mark')").to_pylist() if found else []
    return found | {p["id"] for p in parts if p["conversation_id"] in found}


def _kept(relations: pa.Table, shown: pa.Array, turns: set[str]) -> pa.Array:
    """Which relations lead to a content that is shown, and were not read from a withheld turn."""
    read_from = pc.is_in(relations.column("turn_id"), pa.array([*turns], pa.string()))
    return pc.and_(pc.is_in(relations.column("content_id"), shown), pc.invert(read_from))


def _versions(items: Table, shown: set[str]) -> set[str]:
    """Earlier versions of what is not shown; also of what is not there any more."""
    rows = items.read(["id", "content_id"], "kind = 'version'").to_pylist()
    return {row["id"] for row in rows if row["content_id"] not in shown}


def _beside(rows: list[Row], turns: set[str]) -> set[str]:
    """Shown turns that a model may have read together with a withheld one."""
    retold = (r for r in _of(rows, "content") if (r["subkind"], r["made_by"]) == ("episode", "model"))
    pairs = (r["origin"] or () for r in (*_of(rows, "unit"), *retold))
    return {i for of in pairs if len(of) <= _TOGETHER and not turns.isdisjoint(of) for i in of} - turns


def _read_together(items: Table, relations: pa.Table, beside: set[str]) -> pa.Array:
    """Which relations a model read off such a turn by a tag that this turn does not say by itself."""
    of_turn = pc.is_in(relations.column("turn_id"), pa.array([*beside], pa.string()))
    given = relations.filter(pc.and_(of_turn, pc.equal(relations.column("made_by"), "model"))).to_pylist()
    tags = {row["tag_id"] for row in given}
    said = items.read_among(["id", "speaker", "text", "name"], "id", tags | {r["turn_id"] for r in given})
    words = {r["id"]: r["name"] or f"{r['speaker'] or ''} {r['text'] or ''}" for r in said.to_pylist()}
    other = [r["id"] for r in given if not says(words.get(r["turn_id"], ""), words.get(r["tag_id"], ""))]
    return pc.is_in(relations.column("id"), pa.array(other, pa.string()))


def _talks(items: Table, turns: set[str]) -> tuple[set[str], dict[str, Row]]:
    """Conversations of which nothing is left, and what is said of those that are withheld in part."""
    if not turns:
        return set(), {}
    times = [f"said_{part}" for part in _TIMES]
    said = items.read(["id", "conversation_id", "position", "speaker", *times], "kind = 'turn'")
    said = said.sort_by("position").to_pylist()
    touched = {r["conversation_id"] for r in said if r["id"] in turns}
    left: dict[str, list[Row]] = {talk: [] for talk in touched}
    for row in said:
        if row["conversation_id"] in touched and row["id"] not in turns:
            left[row["conversation_id"]].append(row)
    rows = items.read(["id", "body"], "kind = 'conversation'").to_pylist()
    bodies = {r["id"]: json.loads(r["body"] or "{}") for r in rows if r["id"] in touched}
    in_part = {talk: _in_part(left[talk], body) for talk, body in bodies.items() if left[talk]}
    return {talk for talk in touched if not left[talk]}, in_part


def _in_part(left: list[Row], body: dict[str, Any]) -> Row:
    """A conversation as the turns that are shown of it tell it."""
    speakers = list(dict.fromkeys(r["speaker"] for r in left if r["speaker"]))
    body = body | {"speakers": speakers, "turns": len(left), "source": ""}
    known = sorted((r for r in left if r["said_start"]), key=lambda r: r["said_start"]) or left
    times = {f"said_{p}": known[0][f"said_{p}"] for p in _TIMES}
    times |= {f"event_{p}": known[-1][f"said_{p}"] for p in _TIMES}
    return {"name": IN_PART, "body": json.dumps(body, ensure_ascii=False), **times}


def _files(items: Table, gone: set[str], in_part: set[str]) -> tuple[set[str], dict[str, Row]]:
    """Files of which nothing is left, and those that brought something withheld: neither their name nor
    their report is shown."""
    rows = items.read(["id", "kind", "body"], "kind IN ('conversation', 'run', 'file')").to_pylist()
    files = {row["id"] for row in rows if row["kind"] == "file"}
    of = {r["id"]: json.loads(r["body"] or "{}").get("file_id", "") for r in rows if r["id"] not in files}
    left = {file for brought, file in of.items() if brought not in gone}
    touched = {file for brought, file in of.items() if brought in gone | in_part}
    return files - left, {file: {"name": IN_PART, "body": ""} for file in files & left & touched}


def _of(rows: Iterable[Row], kind: str) -> Iterable[Row]:
    return (row for row in rows if row["kind"] == kind)


def _marked(row: Row, clearance: int) -> bool:
    return (row["sensitivity"] or 0) > clearance


def _rests(row: Row, sources: set[str]) -> bool:
    return not sources.isdisjoint(row["origin"] or ())
