"""What the page Recurrence shows of a memory, read once per commit: units, episodes, facts and clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from memcore.absorbing.ledger import Ledger, ledger
from memcore.records import Content, Thresholds, Unit
from memcore.settings import store_folder
from memcore.view.clusters import Cluster, Clusters, clusters
from memcore.view.network import Point
from memcore.view.recurrence_graph import DRAWN
from memcore.view.recurrence_labels import READ, labels
from memcore.view.recurrence_layout import places

if TYPE_CHECKING:
    from memcore.memory import Memory


@dataclass(frozen=True, slots=True)
class Loaded:
    """One memory's recurrence as of one commit. `token` names the commit; `said` are the texts of units
    that were read to find names for the clusters."""

    token: tuple[str, str, int]
    units: Sequence[Unit]
    by_id: Mapping[str, Unit]
    episodes: Mapping[str, Content]
    facts: Mapping[str, Sequence[Content]]
    rests: Mapping[str, Sequence[str]]
    thresholds: Thresholds
    final: Clusters
    names: Mapping[str, str]
    places: Mapping[str, Point]
    said: Mapping[str, str]
    bill: Ledger


class Shown(NamedTuple):
    """Clusters once `number` units had arrived, how many live units are near to none, and their names."""

    number: int
    found: tuple[Cluster, ...]
    alone: int
    names: Mapping[str, str]


def read(memory: Memory) -> Loaded:
    """The memory as it stands; the same object until something is written."""
    return _read(store_folder(), memory.key, memory.snapshot().graph.seq, memory)


def after(memory: Memory, loaded: Loaded, number: int) -> Shown:
    """The clusters as they stood after so many units, and their names."""
    if number >= len(loaded.units):
        return Shown(len(loaded.units), loaded.final.found, loaded.final.alone, loaded.names)
    return _after(loaded.token, number, memory, loaded)


def named(memory: Memory, loaded: Loaded, found: Sequence[Cluster]) -> dict[str, str]:
    """Names of clusters that are not those of now; what their units said is read where it is not at hand."""
    ids = dict.fromkeys(i for c in found[:DRAWN] for i in c.units[:READ])
    missing = [loaded.by_id[i] for i in ids if i not in loaded.said and i in loaded.by_id]
    said = {**loaded.said, **(words_of(memory, missing) if missing else {})}
    return labels(found, {u.id: u.label for u in loaded.units if u.label}, said)


def words_of(memory: Memory, units: Sequence[Unit]) -> dict[str, str]:
    """What was said in each of these units, by its id."""
    texts = memory.texts([t for u in units for t in u.origin])
    return {u.id: "\n".join(texts.get(t, "") for t in u.origin) for u in units}


@st.cache_resource(show_spinner="Reading what recurs …", max_entries=4)
def _read(folder: str, name: str, seq: int, _memory: Memory) -> Loaded:
    asked = _memory.recurrence
    units = asked.units()
    by_id = {u.id: u for u in units}
    derived = asked.derived()
    episodes = {c.id: c for c in derived if c.layer == "episode" and c.units}
    facts: dict[str, list[Content]] = {}
    for fact in (c for c in derived if c.layer == "fact" and c.units):
        facts.setdefault(fact.episode_id, []).append(fact)
    rests = {c.id: c.units for c in episodes.values()}
    final = clusters(units, rests, asked.thresholds)
    drawn = final.found[:DRAWN]
    read = [by_id[i] for i in dict.fromkeys(i for c in drawn for i in c.units[:READ]) if i in by_id]
    said = words_of(_memory, read)
    names = labels(final.found, {u.id: u.label for u in units if u.label}, said)
    where = places(drawn)
    token = (folder, name, seq)
    return Loaded(
        token,
        units,
        by_id,
        episodes,
        facts,
        rests,
        asked.thresholds,
        final,
        names,
        where,
        said,
        ledger(units),
    )


@st.cache_resource(show_spinner=False, max_entries=64)
def _after(token: tuple[str, str, int], number: int, _memory: Memory, _loaded: Loaded) -> Shown:
    then = clusters(_loaded.units, _loaded.rests, _loaded.thresholds, number)
    names = named(_memory, _loaded, [c for c in then.found if c.id not in _loaded.names])
    return Shown(number, then.found, then.alone, {**_loaded.names, **names})
