"""A recorded reply answers the same question again without the model, and no other question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm_server import Act, Server, model_at

from memcore.errors import NotRecorded, ReplyInvalid, StoreFull
from memcore.llm import prompts
from memcore.llm.asking import Reply, Usage
from memcore.llm.giving_up import GivingUp
from memcore.llm.model_writer import ModelWriter
from memcore.llm.prompts import Prompt
from memcore.llm.recording import Recording, Replay, hashed, told
from memcore.records import UNKNOWN
from memcore.store.folder import REPLIES
from memcore.store.registry import HOLDS_TEXT
from memcore.writing import Line, Passage

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
NAME = "local/some-model"


def question(text: str = "Ada keeps bees.") -> Prompt:
    return prompts.consolidate([Passage("u", (Line("t", "Ada", text),), UNKNOWN)])


def recorded(path: Path, *values: Any) -> None:
    for i, value in enumerate(values):
        with Server(reply=json.dumps(value)) as server:
            Recording(model_at(server), path).ask("consolidate", question(f"text {i}"), SCHEMA)


def test_what_was_recorded_is_replayed_without_the_model(tmp_path: Path) -> None:
    path = tmp_path / "store" / REPLIES
    with Server(reply='{"text": "벌을 친다"}') as server:
        recording = Recording(model_at(server), path)
        reply = recording.ask("consolidate", question(), SCHEMA)
        assert recording.name == NAME
    replay = Replay(path, NAME)
    seen: list[str] = []
    assert replay.ask("consolidate", question(), SCHEMA, seen.append) == reply
    assert reply.usage == Usage(100, 20, 80)
    assert seen == ['{"text": "벌을 친다"}']


def test_a_whole_role_runs_from_recorded_replies(tmp_path: Path) -> None:
    path = tmp_path / REPLIES
    passages = [Passage("u", (Line("t", "Ada", "I keep bees."),), UNKNOWN)]
    with Server(reply='{"episodes": [{"text": "Ada keeps bees.", "passages": [0]}]}') as server:
        first = ModelWriter(Recording(model_at(server), path)).consolidate(passages)
    assert ModelWriter(Replay(path, NAME)).consolidate(passages) == first


def test_a_question_that_was_not_recorded_is_said_in_one_sentence(tmp_path: Path) -> None:
    recorded(tmp_path / REPLIES, {"text": "a"})
    for replay, task, asked in [
        (Replay(tmp_path / REPLIES, NAME), "consolidate", question("text 1")),
        (Replay(tmp_path / REPLIES, NAME), "refine", question("text 0")),
        (Replay(tmp_path / REPLIES, "claude/other"), "consolidate", question("text 0")),
        (Replay(tmp_path / "none.jsonl", NAME), "consolidate", question("text 0")),
    ]:
        with pytest.raises(NotRecorded, match="no recorded reply"):
            replay.ask(task, asked, SCHEMA)


def test_one_reply_that_is_missing_does_not_switch_the_others_off(tmp_path: Path) -> None:
    recorded(tmp_path / REPLIES, {"text": "a"}, {"text": "b"})
    model = GivingUp(Replay(tmp_path / REPLIES, NAME))
    assert model.ask("consolidate", question("text 0"), SCHEMA).value == {"text": "a"}
    with pytest.raises(NotRecorded):
        model.ask("consolidate", question("never asked"), SCHEMA)
    assert model.ask("consolidate", question("text 1"), SCHEMA).value == {"text": "b"}
    assert sum(model.failed.values()) == 1


@given(st.text(), st.text(alphabet="abcxyz", min_size=1), st.text(alphabet="abcxyz", min_size=1))
def test_the_word_of_the_fence_does_not_matter_and_all_else_does(text: str, one: str, other: str) -> None:
    def fenced(word: str, inside: str) -> Prompt:
        return Prompt("Sum up.", f"=== {word}\n{inside}\n=== {word}")

    assert hashed(fenced(one, text)) == hashed(fenced(other, text))
    assert hashed(fenced(one, text)) != hashed(fenced(one, text + "."))
    assert hashed(fenced(one, text)) != hashed(fenced(one, text)._replace(instructions="Sum up!"))
    if one != other:
        inner, different = f"a\n=== {one} ===\nb", f"a\n=== {other} ===\nb"
        assert hashed(fenced("fence", inner)) != hashed(fenced("fence", different))


def test_a_reply_that_was_refused_is_not_recorded(tmp_path: Path) -> None:
    with Server(script=[Act("ok", "no json")], reply='{"text": "good"}') as server:
        Recording(model_at(server), tmp_path / REPLIES).ask("consolidate", question(), SCHEMA)
        server.reply = "no json"
        with pytest.raises(ReplyInvalid):
            Recording(model_at(server), tmp_path / REPLIES).ask("consolidate", question("other"), SCHEMA)
    _, *lines = (tmp_path / REPLIES).read_text("utf-8").splitlines()
    assert [json.loads(line)["value"] for line in lines] == [{"text": "good"}]


def test_a_recorded_reply_is_checked_like_any_other(tmp_path: Path) -> None:
    recorded(tmp_path / REPLIES, {"text": "a"})
    stricter = {**SCHEMA, "required": ["text", "passages"]}
    with pytest.raises(ReplyInvalid, match="has no passages"):
        Replay(tmp_path / REPLIES, NAME).ask("consolidate", question("text 0"), stricter)

    def never(value: Any) -> None:
        raise ReplyInvalid("No.")

    with pytest.raises(ReplyInvalid, match="No"):
        Replay(tmp_path / REPLIES, NAME).ask("consolidate", question("text 0"), SCHEMA, check=never)


def test_what_people_wrote_for_a_sample_says_so(tmp_path: Path) -> None:
    recorded(tmp_path / REPLIES, {"text": "by the model"})
    line = told(
        "consolidate", question("text 9"), Reply({"text": "by us"}, Usage(9, 1), NAME, 5), scripted=True
    )
    with (tmp_path / REPLIES).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    replay = Replay(tmp_path / REPLIES, NAME)
    assert replay.scripted("consolidate", question("text 9"))
    assert not replay.scripted("consolidate", question("text 0"))
    assert replay.ask("consolidate", question("text 9"), SCHEMA).value == {"text": "by us"}


def test_the_last_of_equal_replies_counts_and_damaged_lines_do_not(tmp_path: Path) -> None:
    path = tmp_path / REPLIES
    recorded(path, {"text": "old"})
    replay = Replay(path, NAME)
    assert replay.ask("consolidate", question("text 0"), SCHEMA).value == {"text": "old"}
    with path.open("ab") as file:
        file.write(b'not json\n{"version": 1}\n{"version": 2, "task": "consolidate"}\n{"vers')
    recorded(path, {"text": "new"})
    assert replay.ask("consolidate", question("text 0"), SCHEMA).value == {"text": "new"}


def test_the_file_keeps_replies_and_no_prompts_and_is_on_the_list_that_erasure_walks(tmp_path: Path) -> None:
    recorded(tmp_path / REPLIES, {"text": "retold"})
    text = (tmp_path / REPLIES).read_text("utf-8")
    assert "retold" in text and "text 0" not in text and "numbered passages" not in text
    assert ("file", REPLIES) in {(place.where, place.name) for place in HOLDS_TEXT}


def test_a_recording_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Server(reply='{"text": "x"}') as server, pytest.raises(StoreFull, match="recorded"):
        Recording(model_at(server), tmp_path / "file" / REPLIES).ask("consolidate", question(), SCHEMA)
