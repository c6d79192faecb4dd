# pyright: basic, reportAttributeAccessIssue=false
"""What rests on what, read from whole columns: what an erasure has to walk through."""

from __future__ import annotations

import json
from collections.abc import Collection, Set

import pyarrow as pa
import pyarrow.compute as pc

from memcore.store.commit import CHANGES
from memcore.store.images import images
from memcore.store.tables import Table, is_id

_COUNTED_ONE_BY_ONE = 300
_TOGETHER = 8_192  # rows read at once
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


def most_sensitive(items: Table, kind: str) -> dict[str, int]:
    """The highest sensitivity of the rows of this kind by their conversation or run, where it is above 0."""
    if kind not in ("turn", "step"):
        return {}
    rows = items.read(["conversation_id", "sensitivity"], f"kind = '{kind}' AND sensitivity > 0")
    found = rows.group_by("conversation_id").aggregate([("sensitivity", "max")]).to_pydict()
    return dict(zip(found["conversation_id"], found["sensitivity_max"], strict=True))


def shared_vectors(items: Table, vectors: Collection[bytes], without: Collection[str]) -> set[bytes]:
    """Which of these vectors, as they lie on disk, rows other than these have too."""
    if "vector" not in items.schema.names:
        return set()
    wanted, out = pa.array([*vectors], pa.large_binary()), pa.array([*without], pa.string())
    found = set[bytes]()
    for batch in items.batches(["id", "vector"], "kind IN ('cue', 'tag', 'content', 'unit')", rows=_TOGETHER):
        hit = pc.is_in(batch.column("vector"), wanted)
        if hit.true_count:
            same = batch.filter(hit)
            same = same.filter(pc.invert(pc.is_in(same.column("id"), out)))
            found |= {*same.column("vector").to_pylist()}
    return found


def concerned_images(items: Table, going: Collection[str]) -> set[tuple[str, str]]:
    """(change row, record) of every earlier version of these records, or of one that rests on them.

    A cue or tag that is gone already and led to nothing else goes with them.
    """
    wanted = frozenset(going)
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


def quoting(traces: Table, content_ids: Collection[str]) -> list[str]:
    """The traces whose answer quotes any of these contents."""
    wanted, found = set(content_ids), dict[str, None]()
    rows = traces.read(["trace_id", "body"], "kind = 'event'")
    for row in rows.filter(pc.match_substring(rows.column("body"), '"sentences"')).to_pylist():
        sentences = json.loads(row["body"]).get("sentences", ())
        if any(sentence[0] in wanted for sentence in sentences):
            found[row["trace_id"]] = None
    return list(found)


def _linked(rows: pa.Table, ids: Set[str]) -> pa.Array:
    """Which rows are one of these records, or name one as what they rest on."""
    origins = rows.column("origin").combine_chunks()
    named = {i for column in ("id", *_LINKS) for i in pc.unique(rows.column(column)).to_pylist()}
    named |= {*pc.unique(pc.list_flatten(origins)).to_pylist()}
    going = pa.array([i for i in named if i in ids], pa.string())  # few: they are hashed for every column
    hit = pc.is_in(rows.column("id"), going)
    for column in _LINKS:
        hit = pc.or_(hit, pc.is_in(rows.column(column), going))
    through = pc.unique(pc.list_parent_indices(origins).filter(pc.is_in(pc.list_flatten(origins), going)))
    hit = pc.or_(hit, pc.is_in(pa.array(range(len(rows)), through.type), through))
    shown = [k == "correction" and json.loads(b)["record_id"] in ids for k, b in _corrections(rows)]
    return pc.or_(hit, pa.array(shown, pa.bool_()))


def _corrections(rows: pa.Table) -> zip:
    return zip(rows.column("kind").to_pylist(), rows.column("body").to_pylist(), strict=True)


def earlier_versions(items: Table) -> set[tuple[str, str]]:
    """(change row, record) of everything that the journal keeps as it was."""
    return {(change, i) for change, rows in images(items) for i in rows.column("id").to_pylist()}


def reasoned(items: Table) -> set[str]:
    """Change rows that say who made the change, or why."""
    rows = items.read(["id", "body"], CHANGES).to_pylist()
    events = ((row["id"], json.loads(row["body"])["event"]) for row in rows)
    return {id_ for id_, event in events if event.get("reason") or event.get("author")}


def edits_of(items: Table, ids: Collection[str]) -> set[str]:
    """Change rows whose event names any of these records and gives a reason."""
    wanted, found = set(ids), set[str]()
    for row in items.read(["id", "body"], CHANGES).to_pylist():
        event = json.loads(row["body"])["event"]
        if event.get("reason") and not wanted.isdisjoint(event.get("ids", ())):
            found.add(row["id"])
    return found
