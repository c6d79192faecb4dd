"""MRAgent, section 2: the Cue-Tag-Content graph M = (C, V, R) and its traversals, each one method.

The graph is an immutable snapshot of one scope at one commit, held as columns and index arrays, so
that a traversal is array work (microseconds) and a running reconstruction never sees half a change.
It holds structure, names and vectors; the text of contents stays in the store.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


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
    cue_vectors: Floats
    tag_ids: list[str]
    tag_names: list[str]
    tag_keys: list[str]
    tag_vectors: Floats
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
    content_vectors: Floats
    turn_ids: list[str]
    origin: Ints
    origin_offsets: Ints
    terms: npt.NDArray[np.uint32]
    term_offsets: Ints
    relation_cue: Ints
    relation_tag: Ints
    relation_content: Ints
