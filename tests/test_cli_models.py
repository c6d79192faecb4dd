"""`memcore models`, and models on the command line: chosen, tested, foreseen and summed up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from building import TOWN, own_lines, write_lines
from llm_server import Act, Server
from obedient import obedient
from scripted_model import playing

from memcore.audit import SettingChanged
from memcore.cli import main
from memcore.cli.models import COMPARED, ROLE_NAMES
from memcore.configuration import Configuration
from memcore.llm.offline.choose import DEFAULT, embedder_named
from memcore.llm.tasks import Role
from memcore.memories import Memories
from memcore.view.answer import NOTHING_BY_MODEL
from memcore.view.model_calls import money

MODEL = "local/some-model"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(reply=obedient) as made:
        yield made


class Line:
    """Runs commands on one store and says what they printed."""

    def __init__(self, folder: Path, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
        self.store, self._capsys = folder / "store", capsys
        self.file = str(write_lines(folder / "town.jsonl", own_lines(TOWN)))
        memories = Memories.open(self.store, embedder="none")
        memories.configure(Configuration({}, {"local": f"{server.url}/v1"}))
        memories.scope("default", create=True)

    def __call__(self, *argv: str) -> tuple[int, str, str]:
        code = main([*argv, "--store", str(self.store)])
        return code, *self._capsys.readouterr()

    def json(self, *argv: str) -> list[dict[str, Any]]:
        code, out, err = self(*argv, "--json")
        assert (code, err) == (0, "")
        return [json.loads(row) for row in out.splitlines()]


@pytest.fixture
def line(tmp_path: Path, server: Server, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(tmp_path, server, capsys)


def test_roles_are_chosen_and_listed(line: Line) -> None:
    line.json("models", "set", f"all={MODEL}", "answer=offline")
    roles = {row["role"]: row["model"] for row in line.json("models", "list") if "role" in row}
    entry = Memories.open(line.store).audit.entries(1)[0]
    assert entry.fact == SettingChanged("roles")
    assert (roles["answer"], {m for role, m in roles.items() if role != "answer"}) == ("offline", {MODEL})
    code, _, err = line("models", "set", "answer=offline", "write=offline", "--clearance", "1")
    assert code == 1 and "can only be read" in err
    before = line.json("models", "list")
    for wrong in ("answer=gpt", "nothing=offline", "write", "write=", "write= "):
        assert line("models", "set", wrong)[0] == 1
        assert line.json("models", "list") == before


def test_the_roles_that_a_model_can_have_are_named(line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    assert ROLE_NAMES.replace(" or all", "").split(", ") == list(get_args(Role))
    assert ROLE_NAMES in line("models", "set", "nothing=offline")[2]
    with pytest.raises(SystemExit):
        main(["models", "--help"])
    assert ROLE_NAMES in " ".join(capsys.readouterr().out.split())


def test_no_role_is_given_to_a_model_that_does_not_answer(line: Line, server: Server) -> None:
    assert "There is no key for Claude" in line("models", "set", "answer=claude/claude-haiku-5-5")[2]
    server.script = [Act("status", status=404)]
    assert line("models", "set", f"answer={MODEL}")[0] == 1
    assert Memories.open(line.store).models.chosen("answer") == "offline"
    line.json("models", "set", f"answer={MODEL}")
    asked = len(server.asked)
    line.json("models", "set", f"answer={MODEL}", f"read={MODEL}")  # it answered already
    assert len(server.asked) == asked


def test_who_may_not_give_a_role_to_a_model_is_refused_before_the_model_is_asked(
    line: Line, server: Server
) -> None:
    for model in (MODEL, "claude/claude-haiku-5-5"):
        code, _, err = line("models", "set", f"answer={model}", "--clearance", "1")
        assert code == 1 and "can only be read" in err
    assert server.asked == []
    assert Memories.open(line.store).models.configuration.roles == {}


def test_an_import_that_is_refused_for_its_model_binds_nobody_to_its_embedder(
    line: Line, tmp_path: Path
) -> None:
    line.store = tmp_path / "empty"
    asked = ("--embedder", "none", "--mode", "eager", "--model", "claude/claude-haiku-5-5")
    assert "There is no key for Claude" in line("import", line.file, *asked)[2]
    assert Memories.open(line.store).embedder.name == embedder_named(DEFAULT).name


def test_a_store_of_several_memories_has_one_choice_of_models_and_one_bill(line: Line) -> None:
    line.json("import", line.file)
    Memories.open(line.store).scope("other", create=True)
    Memories.open(line.store).configure(Configuration({"answer": MODEL}))
    assert Memories.open(line.store).models.chosen("answer") == MODEL
    eager = [row for row in line.json("models", "ledger") if row.get("eager")]
    assert {row["memory"] for row in eager} == {"default"} and len(eager) == 2
    extract, update = ({row["task"]: row for row in eager}[task] for task in ("extract", "update"))
    assert extract["model"] == update["model"] == "claude/claude-haiku-5-5"
    assert update["dollars"] == pytest.approx((update["sent"] * 0.1 + update["received"] * 0.5) / 1e6)
    said = line("models", "ledger")[1]
    assert said.count(COMPARED) == 1 and f"  {money(extract['dollars'])}  default" in said.split(COMPARED)[1]
    memories = Memories.open(line.store)
    memories.configure(Configuration({"construct": MODEL, "write": "claude/claude-opus-5-5"}))
    dear = {row["task"]: row for row in line.json("models", "ledger") if row.get("eager")}
    assert (dear["extract"]["model"], dear["extract"]["dollars"]) == (MODEL, 0)
    assert dear["update"]["dollars"] == pytest.approx(update["dollars"] * 40)
    line.json("models", "set", "construct=offline", "write=offline")
    assert line.json("models", "ledger", "--scope", "default")[-2:] == eager
    assert line.json("models", "ledger", "--scope", "other") == []
    code, _, err = line("models", "cost")
    assert code == 1 and "name one with --scope" in err


def test_a_model_is_tested_and_the_exit_code_says_so(line: Line, server: Server) -> None:
    (row,) = line.json("models", "check", MODEL)
    assert row["says"].startswith("answers")
    code, out, _ = line("models", "check", MODEL, "claude/claude-haiku-5-5")
    assert (code, out.count("\n")) == (1, 2) and "There is no key for Claude" in out
    assert "No model is chosen" in line("models", "check")[2]


def test_an_import_is_foreseen_and_then_read_by_the_model_that_is_named(line: Line, server: Server) -> None:
    rows = line.json("models", "cost", line.file, "--mode", "eager", "--model", MODEL)
    foreseen = {row["task"]: row["calls"] for row in rows if "task" in row}
    assert server.asked == []
    line.json("import", line.file, "--mode", "eager", "--model", MODEL)
    by_task = {row["task"]: row for row in line.json("models", "ledger", "task") if "task" in row}
    assert by_task["extract"]["calls"] == foreseen["extract"]
    assert by_task["refine"]["calls"] <= foreseen["refine"]
    eager = [row for row in line.json("models", "ledger") if row.get("eager")]
    assert {row["task"] for row in eager} == {"extract", "update"}
    assert "nothing of it would be sent" in line("models", "cost", line.file, "--mode", "eager")[1]
    assert "not by colour" in line("models", "ledger", "colour")[2]


def test_an_import_by_a_model_that_cannot_be_had_says_so_and_changes_nothing(line: Line) -> None:
    code, out, err = line("import", line.file, "--model", "claude/claude-haiku-5-5")
    assert (code, out, err.count("\n")) == (1, "", 1) and "There is no key for Claude" in err
    assert Memories.open(line.store).scope("default").count().get("turn", 0) == 0
    assert line.json("import", line.file, "--model", "offline")[-1]["turns_written"] == len(TOWN)


def test_an_import_that_is_refused_leaves_no_empty_memory(line: Line, server: Server) -> None:
    ghost = ("--scope", "Ghost")
    assert line("import", line.file, "--mode", "eager", "--model", "claude/claude-haiku-5-5", *ghost)[0] == 1
    server.script = [Act("status", status=401)]
    assert "does not accept the key" in line("import", line.file, "--model", MODEL, *ghost)[2]
    assert "holds a conversation" in line("runs", "import", line.file, *ghost)[2]
    assert "Name the files to import" in line("runs", "import", *ghost)[2]
    assert line("traces", "list", *ghost)[0] == 1
    assert Memories.open(line.store).scopes() == ["default"]
    assert line.json("import", line.file, "--model", MODEL, *ghost)[-1]["turns_written"] == len(TOWN)


def test_everything_is_read_again_by_a_model(line: Line, server: Server) -> None:
    line.json("import", line.file)
    (row,) = line.json("reextract", "--model", MODEL)
    assert row["made"] > 0 and row["notes"] == []
    (row,) = line.json("reextract", "--model", "offline")
    assert row["removed"] > 0


def test_a_question_whose_model_cannot_be_had_is_answered_by_rules_and_says_so(line: Line) -> None:
    line.json("import", line.file)
    code, out, _ = line("ask", "What did Felix teach Ann?", "--model", "claude/claude-haiku-5-5")
    assert code == 0
    assert "Routing, Sufficiency and Answering: there is no key, or it was not accepted; rules took" in out
    (row,) = line.json("ask", "What did Felix teach Ann?", "--model", "claude/claude-haiku-5-5")
    assert len(row["notes"]) == 1
    (row,) = line.json("ask", "What did Felix teach Ann?")
    assert "notes" not in row


def test_that_a_model_found_no_answer_is_not_told_as_a_fact(line: Line, server: Server) -> None:
    line.json("import", line.file)
    server.reply = playing(answer=lambda asked: {"found": False, "answer": "", "cites": []})
    question = "What did Felix teach Ann?"
    out = line("ask", question, "--model", MODEL)[1]
    assert out.startswith(f"{NOTHING_BY_MODEL}\n") and f"answered by {MODEL}" in out
    (row,) = line.json("ask", question, "--model", MODEL)
    assert (row["answer"], row["extractive"], row["model"]) == ([], False, MODEL)
    (row,) = line.json("ask", question)
    assert (row["extractive"], row["model"]) == (True, "")
