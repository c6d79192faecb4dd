"""MRAgent, section 2: the Cue-Tag-Content graph M = (C, V, R) and its traversals, each one method.

The graph is an immutable snapshot of one scope at one commit, held as columns and index arrays, so
that a traversal is array work (microseconds) and a running reconstruction never sees half a change.
It holds structure, names and vectors; the text of contents stays in the store.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memcore.grouped import Groups
from memcore.vectors import Vectors
from memcore.words import fold, terms

LAYERS = ("turn", "episode", "fact", "topic")
_EVERY = slice(None)
Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Columns:
    """One scope as the store hands it over, in reading order (conversation, position, layer).

    Days are proleptic ordinals (`date.toordinal`), 0 where unknown. Vector matrices have one row per
    node, zeros where a node has none, and no columns at all in zero-model mode. `terms` holds the keyed
    32-bit hashes of each content's words, row i at terms[term_offsets[i]:term_offsets[i + 1]].
    `origin` likewise: indexes into `turn_ids`.
    """

    seq: int
    cue_ids: list[str]
    cue_names: list[str]
    cue_keys: list[str]
    cue_kinds: list[str]
    cue_vectors: Vectors
    tag_ids: list[str]
    tag_names: list[str]
    tag_keys: list[str]
    tag_vectors: Vectors
    content_ids: list[str]
    layers: list[str]
    speakers: list[str]
    sessions: list[str]
    conversation_ids: list[str]
    positions: Ints
    said_days: Ints
    event_first: Ints
    event_last: Ints
    sensitivity: Ints
    revisions: Ints
    content_vectors: Vectors
    turn_ids: list[str]
    origin: Ints
    origin_offsets: Ints
    terms: npt.NDArray[np.uint32]
    term_offsets: Ints
    relation_cue: Ints
    relation_tag: Ints
    relation_content: Ints

    def named(self, kind: str, key: str) -> str | None:
        """The id of the cue or tag that has this key: their reading order is that of their keys."""
        keys, ids = (self.cue_keys, self.cue_ids) if kind == "cue" else (self.tag_keys, self.tag_ids)
        at = bisect_left(keys, key)
        return ids[at] if keys[at : at + 1] == [key] else None


_OF_CONTENTS = ("content_ids", "layers", "speakers", "sessions", "conversation_ids")


class Graph:
    """M = (C, V, R) of one scope. Cues, tags and contents are named by their row index here.

    `before` is the graph of an older commit: what follows from the contents alone is taken from it where
    these are the same.
    """

    def __init__(self, columns: Columns, before: Graph | None = None) -> None:
        self.columns = c = columns
        self.seq = c.seq
        self.cue_index = {id_: i for i, id_ in enumerate(c.cue_ids)}
        self.tag_index = {id_: i for i, id_ in enumerate(c.tag_ids)}
        self._by_cue = Groups(c.relation_cue, len(c.cue_ids))
        self._by_tag = Groups(c.relation_tag, len(c.tag_ids))
        self._by_content = Groups(c.relation_content, len(c.content_ids))
        self._by_turn = Groups(c.origin, len(c.turn_ids))
        self._origin_content = np.repeat(
            np.arange(len(c.content_ids), dtype=np.int32), np.diff(c.origin_offsets)
        )
        if before is None or not all(getattr(c, n) is getattr(before.columns, n) for n in _OF_CONTENTS):
            before = None
        self.content_index = (
            before.content_index if before else {id_: i for i, id_ in enumerate(c.content_ids)}
        )
        self.layer = before.layer if before else _layers(c.layers)
        self.previous = before.previous if before else self._previous()
        self.following = before.following if before else _inverse(self.previous)
        self.speaker_keys = before.speaker_keys if before else _folded(c.speakers)

    def __len__(self) -> int:
        return len(self.columns.content_ids)

    @property
    def dimension(self) -> int:
        """Length of the vectors; 0 in zero-model mode."""
        return int(self.columns.content_vectors.shape[1])

    # forward: cue -> tags, (cue, tag) -> contents

    def tags_of(self, cue: int) -> Ints:
        """The tags that stand beside a cue: cheap routing information, read before any content."""
        return np.unique(self.columns.relation_tag[self._by_cue.rows_of(cue)])

    def contents_of(self, cue: int, tag: int) -> Ints:
        """The contents behind (cue, tag)."""
        contents, tags = self.contents_of_cue(cue)
        return contents[tags == tag]

    def contents_of_cue(self, cue: int) -> tuple[Ints, Ints]:
        """The contents behind all tags of a cue, each with the tag of its relation."""
        rows = self._by_cue.rows_of(cue)
        return self.columns.relation_content[rows], self.columns.relation_tag[rows]

    def contents_of_tag(self, tag: int) -> Ints:
        """The contents that carry a tag, whatever the cue."""
        return np.unique(self.columns.relation_content[self._by_tag.rows_of(tag)])

    # reverse: content -> cues and tags

    def handles_of(self, content: int) -> tuple[Ints, Ints]:
        """The (cue, tag) pairs by which a content can be reached, row by row."""
        rows = self._by_content.rows_of(content)
        return self.columns.relation_cue[rows], self.columns.relation_tag[rows]

    def tags_of_all(self, contents: Ints) -> tuple[Ints, Ints]:
        """The tags of several contents, and for each the index into `contents` it belongs to."""
        rows, owner = self._by_content.rows_of_all(contents)
        return self.columns.relation_tag[rows], owner

    # across: neighbours, time, layers

    def neighbours_of(self, content: int, reach: int) -> list[tuple[int, int]]:
        """The turns before (-1 ...) and after (+1 ...) in the same session, with their distance."""
        found: list[tuple[int, int]] = []
        for direction, link in ((1, self.following), (-1, self.previous)):
            here = content
            for distance in range(1, reach + 1):
                here = int(link[here])
                if here < 0:
                    break
                found.append((here, direction * distance))
        return found

    def contents_in(self, first: int, last: int) -> Ints:
        """Contents that happened, or else were said, between two days (ordinals, inclusive)."""
        return np.flatnonzero(self.within_days(first, last)).astype(np.int32)

    def within_days(self, first: int, last: int, contents: Ints | slice = _EVERY) -> Bools:
        """(contents,) whether each of them happened, or else was said, between two days."""
        c = self.columns
        begins, ends, said = (days[contents] for days in (c.event_first, c.event_last, c.said_days))
        return ((begins > 0) & (begins <= last) & (ends >= first)) | ((said >= first) & (said <= last))

    def contents_from(self, content: int, layer: str) -> Ints:
        """Contents of another layer that rest on the same turns: topic <-> episode <-> fact."""
        c = self.columns
        turns = c.origin[c.origin_offsets[content] : c.origin_offsets[content + 1]]
        rows, _ = self._by_turn.rows_of_all(turns)
        found = np.unique(self._origin_content[rows])
        return found[self.layer[found] == LAYERS.index(layer)]

    def turns_of(self, content: int) -> list[str]:
        """Ids of the origin turns: what reading this content costs."""
        c = self.columns
        turns = c.origin[c.origin_offsets[content] : c.origin_offsets[content + 1]]
        return [c.turn_ids[t] for t in turns]

    def contents_of_turn(self, turn_id: str) -> list[int]:
        """The contents that rest on a turn, the turn itself first; none for a folded one."""
        at = self._turn_index.get(turn_id)
        if at is None:
            return []
        rows = self._by_turn.rows_of(at)
        return sorted(set(self._origin_content[rows].tolist()), key=lambda i: (self.layer[i], i))

    @cached_property
    def _turn_index(self) -> dict[str, int]:
        return {id_: i for i, id_ in enumerate(self.columns.turn_ids)}

    # finding a start

    def cue_degree(self, cue: int) -> int:
        """How many relations a cue has: hubs are capped, common cues are not followed back."""
        return int(self._by_cue.offsets[cue + 1] - self._by_cue.offsets[cue])

    def tag_degree(self, tag: int) -> int:
        """How many relations a tag has."""
        return int(self._by_tag.offsets[tag + 1] - self._by_tag.offsets[tag])

    @cached_property
    def cue_degrees(self) -> Ints:
        """`cue_degree` of all cues."""
        return np.diff(self._by_cue.offsets).astype(np.int32)

    @cached_property
    def cue_rarity(self) -> npt.NDArray[np.float64]:
        """(cues,) how much each cue says: the fewer contents it leads to, the more."""
        return np.log1p(len(self) / np.maximum(self.cue_degrees, 1)) / np.log1p(max(len(self), 1))

    def common_cues(self, share: float) -> Bools:
        """(cues,) whether a cue stands in more than this share of the contents, so that it points nowhere."""
        return np.maximum(self.cue_degrees, 1) > share * max(len(self), 1)

    @cached_property
    def joined_length(self) -> Floats:
        """(contents,) length of a content's vector added to that of the turn before it; 1 where alone."""
        vectors, before = self.columns.content_vectors, self.previous
        length = np.ones(len(self), dtype=np.float32)
        for start in range(0, len(self), 4096):
            rows = np.arange(start, min(start + 4096, len(self)))
            rows = rows[before[rows] >= 0]
            length[rows] = np.linalg.norm(vectors[rows] + vectors[before[rows]], axis=1)
        return np.maximum(length, 1e-6)

    @cached_property
    def cue_keys(self) -> dict[str, int]:
        """Normalised name -> cue."""
        return {key: i for i, key in enumerate(self.columns.cue_keys)}

    @cached_property
    def cue_words(self) -> dict[str, list[int]]:
        """Stemmed word -> the cues whose names hold it."""
        return _words(self.columns.cue_keys)

    @cached_property
    def tag_words(self) -> dict[str, list[int]]:
        """Stemmed word -> the tags whose names hold it."""
        return _words(self.columns.tag_keys)

    @cached_property
    def speakers(self) -> frozenset[str]:
        """Everyone who speaks in this scope."""
        return frozenset(s for s in self.columns.speakers if s)

    def _previous(self) -> Ints:
        """The content of the turn before, same session and layer `turn`; -1 where there is none."""
        c = self.columns
        before = np.full(len(c.content_ids), -1, dtype=np.int32)
        last: dict[tuple[str, str], int] = {}
        for i, (layer, talk, session) in enumerate(
            zip(c.layers, c.conversation_ids, c.sessions, strict=True)
        ):
            if layer == "turn":
                before[i] = last.get((talk, session), -1)
                last[talk, session] = i
        return before


def _layers(names: list[str]) -> npt.NDArray[np.int8]:
    number = {layer: i for i, layer in enumerate(LAYERS)}
    return np.array([number[name] for name in names], dtype=np.int8)


def _folded(speakers: list[str]) -> list[str]:
    folded = {s: fold(s) for s in set(speakers)}
    return [folded[s] for s in speakers]


def _inverse(previous: Ints) -> Ints:
    following = np.full(len(previous), -1, dtype=np.int32)
    has = np.flatnonzero(previous >= 0)
    following[previous[has]] = has
    return following


def _words(keys: list[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for i, key in enumerate(keys):
        for word in set(terms(key)):
            found.setdefault(word, []).append(i)
    return found
