"""The nouns: what a memory is made of. Nothing here knows a store, a model or a page.

Ids are random and mean nothing. Raw turns, units and steps lie below everything else: what they say is never
changed, only redacted or erased. Every derived record names what it rests on.
"""

from __future__ import annotations

from typing import Literal

from memcore.records.basics import UNKNOWN, MadeBy, Moment, Precision, Vector, new_id, now
from memcore.records.dialogue import Conversation, File, Turn
from memcore.records.graph import Content, Correction, Cue, CueKind, Layer, Relation, Tag, Triple, Value
from memcore.records.recurrence import (
    Calibration,
    Counting,
    Decision,
    MergeOrder,
    Near,
    Operation,
    Outcome,
    Spent,
    Thresholds,
    Unit,
    UnitState,
    Version,
)
from memcore.records.runs import AgentRun, RunMark, RunStep
from memcore.records.traces import TraceHeader

__all__ = [
    "UNKNOWN",
    "AgentRun",
    "Calibration",
    "Content",
    "Conversation",
    "Correction",
    "Counting",
    "Cue",
    "CueKind",
    "Decision",
    "File",
    "Kind",
    "Layer",
    "MadeBy",
    "MergeOrder",
    "Moment",
    "Near",
    "Operation",
    "Outcome",
    "Precision",
    "Record",
    "Relation",
    "RunMark",
    "RunStep",
    "Spent",
    "Tag",
    "Thresholds",
    "TraceHeader",
    "Triple",
    "Turn",
    "Unit",
    "UnitState",
    "Value",
    "Vector",
    "Version",
    "new_id",
    "now",
]

Kind = Literal[
    "file", "conversation", "turn", "cue", "tag", "content", "relation", "correction",
    "unit", "version", "calibration", "run", "step", "mark", "change",
]  # fmt: skip

Record = (
    File | Conversation | Turn | Cue | Tag | Content | Relation | Correction
    | Unit | Version | Calibration | AgentRun | RunStep | RunMark
)  # fmt: skip
