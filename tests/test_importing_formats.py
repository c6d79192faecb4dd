"""Each format's own rules, on small files written for this purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memcore.errors import UnknownFormat
from memcore.importing import DraftConversation, DraftTurn, FileReport, read_file


def read(tmp_path: Path, *values: object) -> tuple[list[DraftConversation], FileReport]:
    """One value is written as JSON, several one a line."""
    path = tmp_path / "file"
    path.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    reading = read_file(path)
    return list(reading.conversations), reading.report.freeze()


def told(conversation: DraftConversation) -> list[tuple[str, str, bool]]:
    return [(turn.role, turn.text, turn.folded) for turn in conversation.turns]


def reasons(report: FileReport) -> dict[str, int]:
    return {kind.why: kind.count for kind in report.skipped}


# LoCoMo


def locomo(**more: object) -> dict[str, Any]:
    return {"sample_id": "conv-1", "conversation": {"speaker_a": "Ann", "speaker_b": "Bo", **more}}


def test_locomo_sessions_come_in_numeric_order_and_give_their_turns_their_time(tmp_path: Path) -> None:
    def said(n: int) -> list[object]:
        return [{"speaker": "Ann", "dia_id": f"D{n}:1", "text": f"session {n}"}]

    sample = locomo(
        session_10=said(10), session_2=said(2), session_2_date_time="1:56 pm on 8 May, 2023",
        session_10_date_time="later", session_11_date_time="2:00 pm on 9 May, 2023",
    )  # fmt: skip
    (conversation,), report = read(tmp_path, [sample])
    two, ten = conversation.turns
    assert [turn.session for turn in (two, ten)] == ["session_2", "session_10"]
    assert two.said.start and two.said.start.isoformat() == "2023-05-08T13:56:00+00:00"
    assert (two.said.precision, two.said.zoned, ten.said.known) == ("instant", False, False)
    assert conversation.title == "Ann and Bo" and report.warnings == (
        "a time was not understood and is left unknown",
    )


def test_a_photo_is_an_attachment_and_the_text_stays_verbatim(tmp_path: Path) -> None:
    turns = [
        {
            "speaker": "Ann",
            "dia_id": "D1:1",
            "text": " Look! ",
            "blip_caption": "a red kite",
            "img_url": ["http://x"],
        },
        {"speaker": "Bo", "dia_id": "D1:2", "text": "", "blip_caption": "a dog"},
        {"speaker": "Bo", "dia_id": "D1:3", "text": "  "},
        "no turn",
    ]
    (conversation,), report = read(tmp_path, [locomo(session_1=turns), {"sample_id": "empty"}])
    assert [(turn.text, turn.attachments) for turn in conversation.turns] == [
        (" Look! ", ("photo: a red kite",)),
        ("", ("photo: a dog",)),
    ]
    assert reasons(report) == {
        "a turn has no text": 1,
        "a turn is not a record": 1,
        "a sample has no conversation with sessions": 1,
    }


# LongMemEval


def test_a_shared_session_is_read_once_and_another_of_the_same_id_beside_it(
    tmp_path: Path,
) -> None:
    shared = [{"role": "user", "content": "I moved to Busan."}, {"role": "assistant", "content": "Noted."}]
    other = [{"role": "user", "content": "Something else."}]

    def question(id: str, date: str, *sessions: object) -> dict[str, object]:
        ids = ["s1"] * len(sessions)
        return {
            "question_id": id, "question": "?", "answer": 3, "haystack_sessions": list(sessions),
            "haystack_session_ids": ids, "haystack_dates": [date] * len(sessions),
        }  # fmt: skip

    questions = [
        question("q1", "2023/05/30 (Tue) 23:40", shared, shared),
        question("q2", "2023/06/01 (Thu) 08:00", shared, other),
    ]
    conversations, report = read(tmp_path, questions)
    assert [len(conversation.turns) for conversation in conversations] == [2, 1]
    assert {turn.session for conversation in conversations for turn in conversation.turns} == {"s1"}
    assert (report.turns_read, report.repeated) == (3, 4)
    assert any("several dates" in warning for warning in report.warnings)
    first = conversations[0].turns[0].said.start
    assert first and first.isoformat() == "2023-05-30T23:40:00+00:00"


# ChatGPT


def node(parent: str | None, text: object, role: str = "user", **message: object) -> dict[str, Any]:
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    return {
        "parent": parent,
        "children": [],
        "message": {"author": {"role": role}, "content": content, **message},
    }


def chat(mapping: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"conversation_id": "c", "title": None, "create_time": 1.0, "mapping": mapping, **more}


FORK = {
    "root": {"parent": None, "children": [], "message": None},
    "q": node("root", "question", create_time=1714585031.5),
    "a1": node("q", "first reply", "assistant"),
    "a2": node("q", "second reply", "assistant", create_time=1714585040),
    "end": node("a2", "thanks"),
}


def branch_of(conversation: DraftConversation) -> dict[str, str]:
    return {turn.source: turn.branch for turn in conversation.turns}


def test_the_path_to_the_current_node_is_the_dialogue_and_the_rest_alternatives(tmp_path: Path) -> None:
    (conversation,), report = read(tmp_path, [chat(FORK, current_node="end")])
    assert branch_of(conversation) == {"q": "main", "a2": "main", "end": "main", "a1": "alternative 1"}
    assert report.alternatives == 1
    assert {turn.source: turn.parent for turn in conversation.turns} == {
        "q": None, "a2": "q", "end": "a2", "a1": "q",
    }  # fmt: skip
    assert conversation.turns[0].said.zoned and not conversation.turns[2].said.known
    (other,), _ = read(tmp_path, [chat(FORK, current_node="a1")])
    assert branch_of(other)["a1"] == "main" and branch_of(other)["end"] == "alternative 1"


@pytest.mark.parametrize("current", [None, "gone"])
def test_without_a_current_node_the_last_leaf_is_taken(tmp_path: Path, current: str | None) -> None:
    times = FORK | {"end": node("a2", "thanks", create_time=1714585050)}
    (conversation,), report = read(tmp_path, [chat(times, current_node=current)])
    assert branch_of(conversation)["end"] == "main"
    assert any("current message" in warning for warning in report.warnings)


def test_a_conversation_whose_nodes_are_no_records_is_skipped_and_said_so(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    good = {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi"]}}, "parent": None}
    entries = [{"create_time": None, "mapping": {"a": None}}, {"create_time": 1, "mapping": {"a": good}}]
    path.write_text(json.dumps(entries), "utf-8")
    reading = read_file(path)
    assert len(list(reading.conversations)) == 1
    assert [s.why for s in reading.report.freeze().skipped] == [
        "a conversation has no message that is a record"
    ]


def test_what_is_no_utterance_is_folded(tmp_path: Path) -> None:
    steps = [{"summary": "hm", "content": "so"}]
    folded = {
        "system": node(None, "be kind", "system"),
        "hidden": node("system", "about me", metadata={"is_visually_hidden_from_conversation": True}),
        "context": node("hidden", {"content_type": "user_editable_context", "user_profile": "likes tea"}),
        "thoughts": node("context", {"content_type": "thoughts", "thoughts": steps}),
        "code": node("thoughts", {"content_type": "code", "text": "1+1"}, "assistant", recipient="python"),
        "output": node("code", {"content_type": "execution_output", "text": "2"}, "tool"),
        "quote": node(
            "output", {"content_type": "tether_quote", "title": "T", "url": "u", "text": "q"}, "tool"
        ),
        "browse": node("quote", "search(x)", "assistant", recipient="browser"),
    }
    spoken = {"weight0": node("browse", "shown all the same", "assistant", weight=0)}
    (conversation,), report = read(tmp_path, [chat(folded | spoken, current_node="weight0")])
    assert {turn.source: turn.folded for turn in conversation.turns} == dict.fromkeys(folded, True) | {
        "weight0": False
    }
    assert report.folded == len(folded)
    assert conversation.speakers == ("assistant",)
    texts = {turn.source: turn.text for turn in conversation.turns}
    assert (texts["thoughts"], texts["quote"]) == ("hm\nso", "T\nu\nq")


def test_voice_and_pictures_give_text_and_attachments(tmp_path: Path) -> None:
    parts = [
        {"content_type": "audio_transcription", "text": "spoken words"},
        {"content_type": "audio_asset_pointer", "asset_pointer": "file://x"},
        {"content_type": "image_asset_pointer", "asset_pointer": "file://y"},
        "typed words",
    ]
    voice = node(None, {"content_type": "multimodal_text", "parts": parts})
    file = node("v", "", metadata={"attachments": [{"name": "notes.pdf"}]})
    (conversation,), _ = read(tmp_path, [chat({"v": voice, "f": file}, current_node="f")])
    first, second = conversation.turns
    assert (first.text, first.folded) == ("spoken words\ntyped words", False)
    assert first.attachments == ("audio", "image")
    assert (second.text, second.folded, second.attachments) == ("", False, ("file: notes.pdf",))


def test_a_damaged_conversation_does_not_stop_the_next(tmp_path: Path) -> None:
    circle = {"a": node("b", "never reached"), "b": node("a", "nor this"), "c": node(None, "fine")}
    broken = {"x": None, "y": {"parent": None, "message": 5}, "z": {"parent": "gone", "message": {}}}
    conversations, report = read(
        tmp_path,
        [
            chat(circle, current_node="c"),
            {"title": "lost", "create_time": 1.0, "current_node": "x"},
            "no conversation",
            chat(broken, conversation_id="d"),
            chat({"n": node(None, "last")}, conversation_id="e", current_node="n"),
        ],
    )
    assert [told(conversation) for conversation in conversations] == [
        [("user", "fine", False)],
        [("user", "last", False)],
    ]
    assert reasons(report) == {
        "a message is part of a circle": 2,
        "a conversation has no messages (no mapping)": 1,
        "a conversation is not a record": 1,
        "a node is not a record": 1,
        "a message is not a record": 1,
        "a message has no text": 1,
        "a conversation has no turn that can be read": 1,
    }


# Claude.ai


def claude(*messages: object, **more: object) -> dict[str, Any]:
    return {"uuid": "c", "name": "", "chat_messages": list(messages), **more}


def test_the_text_is_that_of_the_blocks_and_the_rest_is_folded(tmp_path: Path) -> None:
    blocks = [
        {"type": "thinking", "thinking": "let me see"},
        {"type": "text", "text": "One."},
        {"type": "tool_use", "name": "search", "input": {"q": "x"}},
        {"type": "tool_result", "name": "search", "content": [{"type": "text", "text": "found"}]},
        {"type": "text", "text": "Two."},
        {"type": "flag", "helpline": "h"},
    ]
    message = {"uuid": "m", "sender": "assistant", "text": "stale", "content": blocks}
    (conversation,), report = read(tmp_path, claude({**message, "created_at": "2024-10-29T15:59:38.340028Z"}))
    assert told(conversation) == [
        ("thought", "let me see", True),
        ("assistant", "One.\nTwo.", False),
        ("tool call", 'search({"q": "x"})', True),
        ("tool", "found", True),
        ("unknown", '{"type": "flag", "helpline": "h"}', True),
    ]
    assert conversation.turns[1].source == "m"
    assert conversation.turns[1].said.zoned
    assert report.warnings == ("a block of an unknown kind was kept as it stands, folded: flag",)


def test_messages_with_only_a_tool_or_a_file_do_not_vanish(tmp_path: Path) -> None:
    tool = {
        "uuid": "t",
        "sender": "assistant",
        "text": "",
        "content": [{"type": "tool_use", "name": "n", "input": {}}],
    }
    attached = [{"file_name": "a.txt", "extracted_content": "inside the file"}]
    file = {"uuid": "f", "sender": "human", "text": "", "content": [], "attachments": attached}
    (conversation,), report = read(
        tmp_path, [claude(tool, file, {"uuid": "e", "sender": "human", "content": []})]
    )
    assert told(conversation) == [
        ("tool call", "n({})", True),
        ("user", "", False),
        ("file", "inside the file", True),
    ]
    assert conversation.turns[1].attachments == ("file: a.txt",)
    assert reasons(report) == {"a message has no text": 1}


def test_parents_make_a_tree_and_its_other_branches_alternatives(tmp_path: Path) -> None:
    def message(id: str, parent: str, text: str) -> dict[str, object]:
        return {"uuid": id, "parent_message_uuid": parent, "sender": "human", "text": text, "content": []}

    root = "00000000-0000-4000-8000-000000000000"
    mixed = [message("c", "a", "edited"), message("a", root, "start"), message("b", "a", "first try")]
    (conversation,), report = read(tmp_path, claude(*mixed, current_leaf_message_uuid="c"))
    assert branch_of(conversation) == {"a": "main", "c": "main", "b": "alternative 1"}
    assert [turn.source for turn in conversation.turns] == ["a", "c", "b"]
    assert report.alternatives == 1


# Message lists


USER = {"role": "user", "content": "hello"}
REPLY = {"role": "assistant", "content": "hi"}


def test_every_shape_of_content_is_read(tmp_path: Path) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
    messages = [
        {"role": "system", "content": "rules"},
        {
            "role": "user",
            "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "u"}}],
        },
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "name": "f", "content": "42"},
        {"role": "assistant", "content": {"type": "text", "text": "done"}, "reasoning_content": "hm"},
        {"role": "assistant", "content": "old", "function_call": {"name": "g", "arguments": "not json"}},
        {"role": "user", "content": [{"type": "tool_result", "content": {"a": 1}}, "and text"]},
        {"role": "assistant"},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "h", "input": {"k": "v"}}]},
        "junk",
        {"content": "who said this"},
    ]
    (conversation,), report = read(tmp_path, messages)
    assert told(conversation) == [
        ("system", "rules", True),
        ("user", "look", False),
        ("tool call", 'f({"x": 1})', True),
        ("tool", "42", True),
        ("thought", "hm", True),
        ("assistant", "done", False),
        ("assistant", "old", False),
        ("tool call", "g(not json)", True),
        ("tool", '{"a": 1}', True),
        ("user", "and text", False),
        ("tool call", 'h({"k": "v"})', True),
    ]
    assert conversation.turns[1].attachments == ("image",)
    assert conversation.turns[3].speaker == "f"
    assert reasons(report) == {
        "a message has no text": 1,
        "a message is not a record": 1,
        "a message has no role": 1,
    }


@pytest.mark.parametrize(
    "values",
    [
        ([USER, REPLY],),
        ({"messages": [USER, REPLY]},),
        (USER, REPLY),
        ([{"messages": [USER, REPLY]}],),
        ([[USER, REPLY]],),
        ({"model": "m", "messages": [USER], "response": {"choices": [{"message": REPLY}]}},),
        (
            {
                "messages": [USER],
                "response": {"role": "assistant", "content": [{"type": "text", "text": "hi"}]},
            },
        ),
        ({"task_id": 0, "trial": 0, "reward": 1.0, "traj": [USER, REPLY]},),
    ],
)
def test_every_wrapping_of_messages_is_read(tmp_path: Path, values: tuple[object, ...]) -> None:
    (conversation,), report = read(tmp_path, *values)
    assert told(conversation) == [("user", "hello", False), ("assistant", "hi", False)]
    assert report.format == "message list"


def test_a_log_that_grows_with_every_call_is_one_conversation(tmp_path: Path) -> None:
    more = {"role": "user", "content": "more"}
    other = {"role": "user", "content": "another topic"}
    logs = [[USER], [USER, REPLY], [USER, REPLY, more], [USER, REPLY], [USER, REPLY, other]]
    conversations, report = read(tmp_path, *({"messages": log} for log in logs))
    assert [[turn.text for turn in conversation.turns] for conversation in conversations] == [
        ["hello", "hi", "more"],
        ["hello", "hi", "another topic"],
    ]
    assert report.turns_read + report.repeated == sum(map(len, logs))


def test_runs_of_the_same_task_stay_apart(tmp_path: Path) -> None:
    runs = [{"task_id": 3, "trial": trial, "traj": [USER, REPLY]} for trial in range(3)]
    conversations, report = read(tmp_path, runs)
    assert [conversation.source for conversation in conversations] == [f"task 3, trial {n}" for n in range(3)]
    assert report.repeated == 0


def test_conversations_that_only_share_their_prompt_have_different_identities(tmp_path: Path) -> None:
    def identity(reply: str) -> str:
        (conversation,), _ = read(
            tmp_path, [{"role": "system", "content": "s"}, USER, {**REPLY, "content": reply}]
        )
        return conversation.identity

    def turns(*messages: object) -> tuple[DraftTurn, ...]:
        return read(tmp_path, list(messages))[0][0].turns

    assert identity("one") != identity("two")
    assert identity("one") == identity("one")
    grown = turns(USER, REPLY, {"role": "user", "content": "more"})
    assert [turn.identity for turn in grown[:2]] == [turn.identity for turn in turns(USER, REPLY)]


@pytest.mark.parametrize(
    "value",
    [
        {"agents": [], "messages": [USER]},
        {"trajectory": [], "history": [USER, REPLY]},
        {"history": [USER, REPLY], "mistake_step": "1"},
        {"id": 1, "epoch": 1, "scores": {}, "messages": [USER, REPLY]},
        {"messages": [{"type": "message", "from": "Ann", "text": "hi"}]},
        {"sessionId": "s", "messages": [{"type": "user", "content": "hi"}]},
        [{"created_at": "2024", "role": "user", "message": "hi"}],
        {"messages": []},
        [{"type": "user", "message": {"role": "user", "content": "hi"}}],
    ],
)
def test_look_alikes_are_refused(tmp_path: Path, value: object) -> None:
    with pytest.raises(UnknownFormat, match="Looked for"):
        read(tmp_path, value)
