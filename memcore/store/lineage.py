# pyright: basic, reportAttributeAccessIssue=false
"""What rests on what, read from whole columns: what an erasure has to walk through."""

from __future__ import annotations

import json
from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from memcore.store.commit import CHANGES
from memcore.store.images import images
from memcore.store.tables import Table, is_id

_COUNTED_ONE_BY_ONE = 300
_NODES = ("cue_id", "tag_id")
_LINKS = ("turn_id", "content_id", "cue_id", "tag_id", "conversation_id")


def resting_on(items: Table, turn_ids: Collection[str]) -> list[str]:
    """Contents and units of which one of these turns is an origin."""
    if not turn_ids:
        return []
    rows = items.read(["id", "origin"], "kind IN ('content', 'unit')")
    origins = rows.column("origin").combine_chunks()
    hit = pc.is_in(pc.list_flatten(origins), pa.array([*turn_ids], pa.string()))
    return rows.column("id").take(pc.unique(pc.list_parent_indices(origins).filter(hit))).to_pylist()


def relation_counts(items: Table, end: str, ids: Collection[str]) -> dict[str, int]:
    """The relations of each of these cues or tags; one without any is counted as 0."""
    if end not in ("cue_id", "tag_id"):
        return {}
    if len(ids) <= _COUNTED_ONE_BY_ONE:
        return {i: items.count(f"kind = 'relation' AND {end} = '{i}'") for i in ids if is_id(i)}
    column = items.read([end], "kind = 'relation'").column(end)
    wanted = column.filter(pc.is_in(column, pa.array([*ids], pa.string())))
    counted = {c["values"]: c["counts"] for c in pc.value_counts(wanted).to_pylist()}
    return {i: counted.get(i, 0) for i in ids}


def concerned_images(items: Table, going: Collection[str]) -> set[tuple[str, str]]:
    """(change row, record) of every earlier version of these records, or of one that rests on them.

    A cue or tag that is gone already and led to nothing else goes with them.
    """
    wanted = pa.array([*going], pa.string())
    found: set[tuple[str, str]] = set()
    led: dict[str, bool] = {}
    nodes: list[tuple[str, str]] = []
    for change, rows in images(items):
        hit = _linked(rows, wanted)
        found |= {(change, i) for i in rows.column("id").filter(hit).to_pylist()}
        relations = rows.filter(pc.equal(rows.column("kind"), "relation"))
        of = zip(
            relations.column("id").to_pylist(),
            *(relations.column(e).to_pylist() for e in _NODES),
            strict=True,
        )
        for id_, *ends in of:
            for end in ends:
                led[end] = led.get(end, True) and (change, id_) in found
        named = rows.filter(pc.is_in(rows.column("kind"), pa.array(["cue", "tag"])))
        nodes += [(change, i) for i in named.column("id").to_pylist()]
    alone = {i for i, only in led.items() if only}
    there = {*items.read_among(["id"], "id", alone).column("id").to_pylist()}
    return found | {(change, i) for change, i in nodes if i in alone - there}


def _linked(rows: pa.Table, going: pa.Array) -> pa.Array:
    """Which rows are one of these records, or name one as what they rest on."""
    hit = pc.is_in(rows.column("id"), going)
    for column in _LINKS:
        hit = pc.or_(hit, pc.is_in(rows.column(column), going))
    origins = rows.column("origin").combine_chunks()
    through = pc.unique(pc.list_parent_indices(origins).filter(pc.is_in(pc.list_flatten(origins), going)))
    hit = pc.or_(hit, pc.is_in(pa.array(range(len(rows)), through.type), through))
    ids = set(going.to_pylist())
    shown = [k == "correction" and json.loads(b)["record_id"] in ids for k, b in _corrections(rows)]
    return pc.or_(hit, pa.array(shown, pa.bool_()))


def _corrections(rows: pa.Table) -> zip:
    return zip(rows.column("kind").to_pylist(), rows.column("body").to_pylist(), strict=True)


def edits_of(items: Table, ids: Collection[str]) -> set[str]:
    """Change rows whose event names any of these records and gives a reason."""
    wanted, found = set(ids), set[str]()
    for row in items.read(["id", "body"], CHANGES).to_pylist():
        event = json.loads(row["body"])["event"]
        if event.get("reason") and not wanted.isdisjoint(event.get("ids", ())):
            found.add(row["id"])
    return found
