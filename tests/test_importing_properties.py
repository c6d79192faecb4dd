"""Whatever JSON a file holds, reading ends in conversations or in one of our own errors."""

from __future__ import annotations

import json
import random
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memcore.errors import InputError
from memcore.importing import read_file
from memcore.importing.branching import branches

_KEYS = """conversation speaker text at id title role content messages traj mapping message parent children
current_node author parts content_type create_time chat_messages sender uuid parent_message_uuid attachments
files type thinking tool_calls function arguments name haystack_sessions haystack_session_ids turns timestamp
session_1 sample_id dia_id session_1_date_time response choices metadata system thoughts recipient"""
_KINDS = "user assistant human tool text tool_use code thoughts multimodal_text tool_result image_url"
KEYS = _KEYS.split()
KINDS = _KINDS.split()
ODD = ["", "\0", "\ud800", "1:56 pm on 8 May, 2023", "2024-01-01T00:00:00Z", "\u202e", "가나다"]
WORDS = st.sampled_from([*KINDS, *ODD])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=5)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=7)
    ),
    max_leaves=30,
)
QUICK = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

SEEDS: list[Any] = [
    [{"conversation": "c", "speaker": "s", "text": "t", "at": "2024", "attachments": ["a"]}],
    [{"sample_id": "s", "conversation": {"speaker_a": "A", "session_1": [{"speaker": "A", "text": "hi"}]}}],
    [{"haystack_sessions": [[{"role": "user", "content": "x"}]], "haystack_session_ids": ["i"]}],
    [{"id": "i", "timestamp": "2023/05/30 (Tue) 23:40", "turns": [{"role": "user", "content": "x"}]}],
    [
        {
            "current_node": "b",
            "mapping": {
                "a": {"message": None, "parent": None},
                "b": {
                    "message": {
                        "author": {"role": "user"},
                        "content": {"content_type": "text", "parts": ["x", {"content_type": "image"}]},
                        "metadata": {"attachments": [{"name": "f"}]},
                    },
                    "parent": "a",
                },
            },
        }
    ],
    [
        {
            "uuid": "u",
            "current_leaf_message_uuid": "m",
            "chat_messages": [
                {
                    "uuid": "m",
                    "sender": "human",
                    "parent_message_uuid": "z",
                    "content": [
                        {"type": "text", "text": "x"},
                        {"type": "tool_result", "content": [{"text": "y"}]},
                    ],
                    "attachments": [{"file_name": "f", "extracted_content": "e"}],
                }
            ],
        }
    ],
    {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "x"}]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"function": {"name": "n", "arguments": "{}"}}],
            },
        ],
        "response": {"choices": [{"message": {"content": "r"}}]},
        "system": "s",
    },
    [{"task_id": 1, "trial": 0, "traj": [{"role": "user", "content": "x"}]}],
]


def read_anything(raw: bytes) -> None:
    """Reads to the end; every text can be stored and every identity is unique."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(raw)
        file.flush()
        try:
            reading = read_file(Path(file.name))
        except InputError:
            return
        conversations = list(reading.conversations)
    report = reading.report.freeze()
    json.dumps(report.as_dict(), ensure_ascii=False).encode()
    assert report.turns_read == sum(len(conversation.turns) for conversation in conversations)
    assert report.turns_read or report.warnings
    assert len({conversation.identity for conversation in conversations}) == len(conversations)
    for conversation in conversations:
        assert conversation.turns and len({turn.identity for turn in conversation.turns}) == len(
            conversation.turns
        )
        for turn in conversation.turns:
            assert turn.text.strip() or turn.attachments
            "".join(
                (turn.text, turn.speaker, turn.role, turn.source, turn.session, *turn.attachments)
            ).encode()


@QUICK
@given(JSON)
def test_any_json_value_is_read_or_refused(value: object) -> None:
    read_anything(json.dumps(value).encode())


@QUICK
@given(st.lists(JSON, max_size=5))
def test_any_json_lines_are_read_or_refused(values: list[object]) -> None:
    read_anything("\n".join(json.dumps(value) for value in values).encode())


@QUICK
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    read_anything(raw)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [path, *(place for key in keys for place in places(value[key], (*path, key)))]


def put(value: Any, path: tuple[Any, ...], new: object) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


@settings(QUICK, max_examples=400)
@given(st.sampled_from(SEEDS), st.integers(0, 10**6), JSON, JSON)
def test_a_known_format_with_anything_in_the_place_of_a_field(
    seed: Any, choice: int, first: object, second: object
) -> None:
    for new in (first, second):
        spots = places(seed)
        seed = put(seed, spots[choice % len(spots)], new)
    read_anything(json.dumps(seed).encode())


@QUICK
@given(st.sampled_from(SEEDS), st.integers(0, 10**6))
def test_a_known_format_cut_anywhere(seed: Any, cut: int) -> None:
    raw = json.dumps(seed).encode()
    read_anything(raw[: cut % len(raw)])


@QUICK
@given(st.integers(1, 40), st.integers(0, 10**6), st.booleans())
def test_every_message_of_a_tree_is_on_exactly_one_branch(size: int, seed: int, circles: bool) -> None:
    chance = random.Random(seed)
    parents: dict[str, str | None] = {
        str(n): str(chance.randrange(size if circles else n)) if n and chance.random() < 0.95 else None
        for n in range(size)
    }
    placed = branches(parents, str(chance.randrange(size)))
    ids = [place.id for place in placed]
    assert len(set(ids)) == len(ids)
    if not circles:
        assert set(ids) == parents.keys()
    by_branch: dict[str, list[str]] = {}
    for id, branch in placed:
        by_branch.setdefault(branch, []).append(id)
    for path in by_branch.values():
        assert all(parents[below] == above for above, below in pairwise(path))
