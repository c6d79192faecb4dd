"""The command line: JSON that parses, an exit code and one clear sentence for everything that is wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from building import TOWN, own_lines, write_lines
from by_name import rename

from memcore.cli import main, parser
from memcore.cli.history import NOTHING_LEFT
from memcore.configuration import Configuration
from memcore.editing import Set, Who
from memcore.memories import Memories
from memcore.settings import Settings, author

QUESTION = "What did Felix teach Ann?"
SAMPLES = Path(__file__).resolve().parents[1] / "sample_data"
SAMPLE, RUNS = str(SAMPLES / "clue_tree.jsonl"), str(SAMPLES / "quartet_runs.jsonl")
Said = tuple[int, str, str]


class Line:
    """Runs commands on one store and says what they printed."""

    def __init__(self, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.store, self._capsys = store, capsys

    def __call__(self, *argv: str) -> Said:
        code = main([*argv, "--store", str(self.store)] if argv and argv != ("--json",) else argv)
        out, err = self._capsys.readouterr()
        return code, out, err

    def json(self, *argv: str) -> list[dict[str, Any]]:
        code, out, err = self(*argv, "--json")
        assert (code, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]

    def refused(self, *argv: str, expected: int = 1) -> str:
        """The one sentence of a command that fails, the same with and without `--json`."""
        code, out, said = self(*argv)
        assert (code, out) == (expected, "")
        assert one_sentence(said), said
        code, out, err = self("--json", *argv) if not argv else self(*argv, "--json")
        assert (code, out, list(json.loads(err))) == (expected, "", ["error"])
        assert json.loads(err)["error"] == said.removeprefix("memcore: ").rstrip("\n")
        return said


def one_sentence(err: str) -> bool:
    lines = err.splitlines()
    return len(lines) == 1 and lines[0].startswith("memcore: ") and "Traceback" not in err and err[-2] in ".?"


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(tmp_path / "store", capsys)


@pytest.fixture
def filled(line: Line, tmp_path: Path) -> Line:
    path = write_lines(tmp_path / "town.jsonl", own_lines())
    assert line("import", str(path), "--embedder", "none")[0] == 0
    return line


@pytest.fixture
def filled_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    other = Line(tmp_path / "elsewhere", capsys)
    path = write_lines(tmp_path / "town.jsonl", own_lines())
    assert other("import", str(path), "--embedder", "none")[0] == 0
    return other


def test_an_import_reports_and_does_nothing_the_second_time(line: Line, tmp_path: Path) -> None:
    path = str(write_lines(tmp_path / "town.jsonl", own_lines()))
    (report,) = line.json("import", path, "--embedder", "none")
    assert (report["turns_read"], report["turns_written"]) == (len(TOWN), len(TOWN))
    code, out, err = line("import", path)
    assert (code, err) == (0, "")
    assert f"0 written, {len(TOWN)} known already" in out


@pytest.mark.parametrize("strategy", ["active", "dense", "bm25", "fusion", "priors", "nhop", "graph"])
def test_a_question_is_answered_and_its_trace_can_be_listed_and_shown(filled: Line, strategy: str) -> None:
    (answer,) = filled.json("ask", QUESTION, "--strategy", strategy, "--budget", "5")
    (header,) = filled.json("traces", "list")
    assert header["id"] == answer["trace"] and header["question"] == QUESTION
    (shown,) = filled.json("traces", "show", answer["trace"])
    kinds = [e["kind"] for e in shown["log"]]
    assert (kinds[0], kinds[-1]) == ("asked", "answered")
    code, out, err = filled("traces", "show", answer["trace"])
    assert (code, err) == (0, "") and QUESTION in out and len(out.splitlines()) > 2
    code, out, err = filled("ask", QUESTION, "--strategy", strategy)
    assert (code, err) == (0, "") and out.strip()


def test_a_question_reads_as_many_turns_as_the_settings_say_unless_it_says_otherwise(filled: Line) -> None:
    Memories.open(filled.store, create=False).configure(Configuration(changed={"budget": 3}))
    for said, read in (((), 3), (("--budget", "2"), 2)):
        filled.json("ask", QUESTION, *said)
        assert filled.json("traces", "list")[0]["budget"] == read
    said = filled("ask", QUESTION, "--strategy", "dense", "--budget", "1")[1]
    assert "1 of 1 turn read in 1 step, " in said


def test_changes_are_listed_and_the_last_is_taken_back(filled: Line) -> None:
    (change,) = filled.json("history", "list")
    assert (change["what"], change["undone"]) == ("imported", False)
    (taken,) = filled.json("history", "undo")
    assert taken["removed"] >= len(TOWN)
    assert filled.json("history", "list")[-1]["undone"]
    assert "There is no change left to undo." in filled.refused("history", "undo")


def renamed(line: Line, old: str, new: str) -> str:
    """The group of an edit by Ann."""
    memory = Memories.open(line.store).scope("default")
    return rename(memory, old, new, Who("Ann", "misread"))


def test_an_edit_is_listed_with_who_why_and_undone_and_redone(filled: Line) -> None:
    group = renamed(filled, "Felix", "Felice")
    first, _ = filled.json("history", "list")
    assert (first["group"], first["author"], first["reason"]) == (group, "Ann", "misread")
    assert first["says"] == "Changed the name of the cue: “Felix” → “Felice”"
    assert "by Ann: misread" in filled("history", "list")[1]
    (taken,) = filled.json("history", "undo", group)
    assert (taken["groups"], taken["says"]) == ([group], [first["says"]])
    assert "(undone)" in filled("history", "list")[1] and "Took back" in filled("history", "list")[1]
    assert filled.json("history", "list")[0]["author"] == author()
    said = f"Brought back: {first['says']}\n0 records removed, 2 restored.\n"
    assert filled("history", "redo")[:2] == (0, said)
    assert filled("history", "undo")[1].splitlines()[1] == "1 record removed, 1 restored."
    filled("history", "redo")
    assert not next(c for c in filled.json("history", "list") if c["group"] == group)["undone"]
    assert "redo" in filled.refused("history", "redo")


def test_one_of_a_thing_is_not_several(filled_elsewhere: Line, tmp_path: Path) -> None:
    said = filled_elsewhere("import", str(write_lines(tmp_path / "one.jsonl", own_lines(TOWN[:1], "one"))))[1]
    assert "1 conversation, 1 turn read, 1 written" in said


def test_an_undo_of_what_was_erased_meanwhile_says_that_nothing_came_of_it(filled: Line) -> None:
    memory = Memories.open(filled.store).scope("default")
    (marathon, _), *_ = memory.search("marathon", ("content",))
    memory.edit(Set("content", (marathon,), "pinned", True), Who("Ann", ""))
    assert filled("erase", "--match", "marathon", "--yes", "--receipt", f"{filled.store}.json")[0] == 0
    group = next(c["group"] for c in filled.json("history", "list") if c["what"] == "edited")
    code, out, _ = filled("history", "undo", group)
    assert (code, out.splitlines()) == (
        0,
        ["Taken back: Changed the pin of a memory that is gone", NOTHING_LEFT],
    )


def test_what_rests_on_an_edit_is_named_and_undone_with_it_on_request(filled: Line) -> None:
    first = renamed(filled, "Felix", "Felice")
    second = renamed(filled, "Felice", "Felipe")
    said = filled.refused("history", "undo", first)
    assert second in said and "--with-later" in said and "Changed the name" in said
    (taken,) = filled.json("history", "undo", first, "--with-later")
    assert taken["groups"] == [second, first]
    assert "change" in filled.refused("history", "undo", "0" * 16)


def test_corrections_are_exported_and_replayed_with_a_report(
    filled: Line, filled_elsewhere: Line, tmp_path: Path
) -> None:
    renamed(filled, "Felix", "Felice")
    file = tmp_path / "corrections.jsonl"
    assert filled.json("history", "export", str(file)) == [{"file": str(file), "corrections": 1}]
    assert filled_elsewhere("history", "replay", str(file))[0] == 0
    (change,) = filled_elsewhere.json("history", "list")[:1]
    assert change["says"] == "Changed the name of the cue: “Felix” → “Felice”"
    assert filled_elsewhere.json("history", "replay", str(file))[-1] == {"already": 1}
    file.write_text(file.read_text("utf-8") + "{broken\n", "utf-8")
    code, out, err = filled_elsewhere("history", "replay", str(file))
    assert (code, err) == (1, "") and "line 2: refused" in out and "2 lines: 1 already so, 1 refused" in out


@pytest.mark.parametrize("action", ["export", "replay"])
def test_a_file_of_corrections_that_cannot_be_used_gets_one_sentence(
    filled: Line, tmp_path: Path, action: str
) -> None:
    assert "FILE" in filled.refused("history", action)
    assert "cannot be" in filled.refused("history", action, str(tmp_path / "nowhere" / "x.jsonl"))


def test_everything_is_read_again_and_the_disputed_corrections_are_counted(filled: Line) -> None:
    renamed(filled, "Felix", "Felice")
    (row,) = filled.json("reextract")
    assert row == {"done": 1, "total": 1, "made": 0, "removed": 0, "conflicts": 0, "notes": []}
    assert "1 conversation again: 0 records made" in filled("reextract")[1]


def test_a_healthy_store_is_consistent(filled: Line) -> None:
    assert filled("doctor")[:2] == (0, "The store is consistent.\n")
    assert filled("doctor", "--repair")[0] == 0
    assert filled.json("doctor") == []


def bad_paths(tmp_path: Path) -> dict[str, Path]:
    """What cannot be imported, by what is wrong with it."""
    made = {
        name: tmp_path / name for name in ("empty.json", "folder", "binary.bin", "coded.json", "prose.txt")
    }
    made["empty.json"].write_bytes(b"")
    made["folder"].mkdir()
    made["binary.bin"].write_bytes(bytes(range(256)) * 20)
    made["coded.json"].write_bytes(b'{"conversation": "\xff\xfe\x81\x8d"}\xc3\x28')
    made["prose.txt"].write_text("Dear diary,\nnothing of note today.\n", "utf-8")
    return made | {"missing": tmp_path / "missing.json"}


@pytest.mark.parametrize(
    "wrong", ["empty.json", "folder", "binary.bin", "coded.json", "prose.txt", "missing"]
)
def test_a_file_that_cannot_be_imported_gets_one_sentence(line: Line, tmp_path: Path, wrong: str) -> None:
    line.refused("import", str(bad_paths(tmp_path)[wrong]), "--embedder", "none")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["ask", ""], "empty"),
        (["ask", " \n\t"], "empty"),
        (["ask", QUESTION, "--budget", "0"], "budget"),
        (["ask", QUESTION, "--budget", "-4"], "budget"),
        (["ask", QUESTION, "--strategy", "guess"], "active"),
        (["ask", QUESTION, "--scope", "nobody"], "no memory called 'nobody'; there is: default"),
        (["ask", QUESTION, "--scope", "nobody", "--clearance", "1"], "no memory of this name"),
        (["ask", "why " * 1_200], "longer"),
        (["traces", "show"], "trace"),
        (["traces", "show", "0" * 16], "trace"),
        (["traces", "show", "' OR '1'='1"], "trace"),
        (["history", "list", "--scope", "nobody"], "memory"),
        (["bench", "locomo", "missing.json"], "There is no file missing.json."),
        (["import", RUNS], "memcore runs import"),
        (["runs", "import", SAMPLE], "memcore import"),
        (["import", SAMPLE, "--embedder", "word2vec"], "embedder"),
        (["import", SAMPLE, "--embedder", "multilingual"], "none"),
    ],
)
def test_what_is_wrong_with_a_command_gets_one_sentence(filled: Line, argv: list[str], says: str) -> None:
    assert says in filled.refused(*argv)


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ([], "COMMAND"),
        (["remember"], "import"),
        (["ask"], "QUESTION"),
        (["ask", QUESTION, "--budget", "many"], "--budget: give a whole number"),
        (["ask", QUESTION, "--budget", "9", "--auto-budget"], "not allowed with"),
        (["erase", "--since", "2024-13-01"], "--since: a day is written like 2024-12-31"),
        (["bench"], "BENCHMARK"),
        (["ask", QUESTION, "--strateggy", "dense"], "--strateggy"),
        (["import"], "PATH"),
        (["traces", "burn"], "no action 'burn': it is one of list or show; see memcore traces --help."),
        (["erase", "nope"], "no action 'nope': it is one of verify, receipts, held or lift; see"),
        (["history"], "undo"),
        (["bench", "marathon"], "clue-tree"),
        (["bench", "locomo", "x.json", "--split", "best"], "held-out"),
        (["ui", "--port", "http"], "--port"),
    ],
)
def test_a_command_that_is_written_wrongly_gets_one_sentence(
    filled: Line, argv: list[str], says: str
) -> None:
    said = filled.refused(*argv, expected=2)
    assert says in said and "--help" in said and "usage:" not in said


@pytest.mark.parametrize("wrong", [["empty.json"], ["binary.bin"], ["missing"], ["folder", "missing"]])
def test_an_import_of_nothing_makes_nothing(
    line: Line, filled_elsewhere: Line, tmp_path: Path, wrong: list[str]
) -> None:
    bad = bad_paths(tmp_path)
    paths = [str(bad[name]) for name in wrong]
    line.refused("import", *paths, "--embedder", "none")
    assert not line.store.exists()
    filled_elsewhere.refused("import", *paths, "--scope", "another")
    assert Memories.open(filled_elsewhere.store).scopes() == ["default"]


@pytest.mark.parametrize("then", [(), ("--embedder", "none")])
def test_an_import_that_its_embedder_refuses_makes_no_memory_and_binds_nobody(
    line: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: Sequence[str]
) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    path = str(write_lines(tmp_path / "town.jsonl", own_lines()))
    assert "no key for Gemini" in line.refused("import", path, "--embedder", "gemini/gemini-embedding-2")
    assert "no memory in this store" in line.refused("ask", QUESTION)
    (report,) = line.json("import", path, *then)
    assert report["turns_written"] == len(TOWN)


def test_what_writes_goes_on_when_nobody_reads_any_more_and_what_looks_says_so(
    line: Line, tmp_path: Path
) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    for name in ("a", "b", "c"):
        write_lines(folder / f"{name}.jsonl", own_lines(TOWN[:2], name))
    assert unread("import", str(folder), "--embedder", "none", "--store", str(line.store)) == (0, "")
    assert len(line.json("history", "list")) == 3
    assert unread("audit", "list", "--store", str(line.store)) == (141, "")


def unread(*argv: str) -> tuple[int, str]:
    """The exit code of a command whose output nobody reads, and what it complains of."""
    ours, its = os.pipe()
    os.close(ours)
    code = "import sys; from memcore.cli import main; sys.exit(main(sys.argv[1:]))"
    with os.fdopen(its, "w") as out:
        done = subprocess.run(
            [sys.executable, "-c", code, *argv], stdout=out, stderr=subprocess.PIPE, text=True, check=False
        )
    return done.returncode, done.stderr


def test_one_path_that_is_missing_does_not_stop_the_others(line: Line, tmp_path: Path) -> None:
    path = str(write_lines(tmp_path / "town.jsonl", own_lines()))
    missing = str(tmp_path / "missing.jsonl")
    code, out, err = line("import", missing, path, "--embedder", "none")
    assert (code, err) == (1, "")
    assert "missing.jsonl: " in out and f"{len(TOWN)} written" in out


def test_a_full_disk_gets_one_sentence_and_changes_nothing(filled: Line, tmp_path: Path) -> None:
    said = [(who, f"{text} And so on, {i}.") for i in range(120) for who, text in TOWN]
    path = write_lines(tmp_path / "long.jsonl", own_lines(said, "long"))
    argv = ["import", str(path), "--store", str(filled.store)]
    code = (
        "import resource, sys; from memcore.cli import main;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)); sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and one_sentence(done.stderr) and "disk is full" in done.stderr
    assert filled("doctor")[0] == 0
    (change,) = filled.json("history", "list")
    assert filled("import", str(path))[0] == 0
    assert len(filled.json("history", "list")) == 2 and not change["undone"]


def test_a_benchmark_prints_json_lines(line: Line) -> None:
    rows = line.json("bench", "clue-tree", "--seeds", "1", "--zero-model")
    assert [(row["hops"], row["seed"]) for row in rows] == [(d, s) for d in (2, 3, 4) for s in (0, "mean")]
    assert "FILE" in line.refused("bench", "locomo")


@pytest.mark.parametrize("argv", [["ask", QUESTION], ["traces", "list"], ["history", "list"], ["doctor"]])
def test_a_store_that_is_not_there_gets_one_sentence_and_is_not_made(line: Line, argv: list[str]) -> None:
    assert "import" in line.refused(*argv)
    assert not line.store.exists()


def test_a_folder_of_other_files_is_no_store(line: Line, tmp_path: Path) -> None:
    line.store.mkdir()
    (line.store / "thesis.doc").write_text("mine", "utf-8")
    line.refused("ask", QUESTION)
    line.refused("import", str(write_lines(tmp_path / "a.jsonl", own_lines())), "--embedder", "none")
    assert [p.name for p in line.store.iterdir()] == ["thesis.doc"]


def test_the_store_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["ask", QUESTION], ["doctor"], ["import", "x.json"]):
        assert main(argv) == 1
        said = capsys.readouterr().err
        assert one_sentence(said) and "~/.memcore/store" in said


@pytest.mark.parametrize("question", ["펠릭스가 뭘 가르쳤어?", "Чему научил Феликс?", "🐈?", "?"])
def test_a_question_in_another_language_is_no_error(filled: Line, question: str) -> None:
    code, out, err = filled("ask", question)
    assert (code, err) == (0, "") and out.strip()


def test_of_several_memories_one_has_to_be_named(filled: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "town.jsonl")
    assert filled("import", path, "--scope", "other")[0] == 0
    error = filled.refused("ask", QUESTION)
    assert "default" in error and "other" in error and "--scope" in error
    assert filled("ask", QUESTION, "--scope", "other")[0] == 0


def test_a_folder_with_a_bad_file_fails_and_brings_in_the_others(line: Line, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "a.json").write_bytes(b"\x00\xff" * 40)
    write_lines(folder / "b.jsonl", own_lines())
    code, out, _ = line("import", str(folder), "--embedder", "none")
    assert code == 1
    assert f"{len(TOWN)} written" in out and "a.json" in out
    assert line("ask", QUESTION)[0] == 0


def test_what_was_looked_for_in_a_folder_is_said_once(line: Line, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    write_lines(folder / "a.jsonl", own_lines())
    for name in ("b.txt", "c.txt"):
        (folder / name).write_text("Dear diary,\nnothing of note today.\n", "utf-8")
    for argv in (["import", str(folder), "--embedder", "none"], ["runs", "import", RUNS, str(folder)]):
        code, out, _ = line(*argv)
        assert (code, out.count("Looked for")) == (1, 1) and "Looked for" in out.splitlines()[-2]


def test_a_store_held_by_another_process_gets_one_sentence(
    filled: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Memories.open.__func__  # type: ignore[attr-defined]
    monkeypatch.setitem(opened.__kwdefaults__, "settings", Settings(lock_seconds=0.2))
    code = (
        "import fcntl, sys; lock = open(sys.argv[1], 'ab'); fcntl.flock(lock, fcntl.LOCK_EX);"
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(filled.store / "writer.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None and holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        path = str(write_lines(tmp_path / "b.jsonl", own_lines(TOWN, "second")))
        assert "writing" in filled.refused("import", path)
        assert filled("ask", QUESTION)[0] == 0
        holder.stdin.close()
    assert filled("import", path)[0] == 0


def test_everything_that_can_be_said_to_a_command_is_explained() -> None:
    (commands,) = (a.choices for a in parser()._actions if a.dest == "==SUPPRESS==")
    unsaid = [
        (name, action.dest) for name, sub in commands.items() for action in sub._actions if not action.help
    ]
    assert unsaid == []


def test_it_says_which_version_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0 and re.fullmatch(r"memcore \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_an_audit_in_which_nothing_matches_says_so(filled: Line) -> None:
    assert filled("audit", "list", "--who", "nobody")[:2] == (0, "No entry matches.\n")
    assert filled.json("audit", "list", "--who", "nobody") == []


@pytest.mark.parametrize("argv", [["--help"], ["ask", "--help"], ["bench", "--help"]])
def test_help_is_shown(argv: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == 0 and "memcore" in capsys.readouterr().out


RUN = [
    {"format": "memcore.run", "run": "r1", "task": "Mend a.py."},
    {"step": 1, "action": "ls", "observation": "a.py"},
    {"step": 2, "action": "pytest", "observation": "1 passed"},
    {"mark": "compress", "after": 2, "summary": "It passes."},
]


@pytest.fixture
def run_file(tmp_path: Path) -> str:
    return str(write_lines(tmp_path / "run.jsonl", [json.dumps(line) for line in RUN]))


def test_runs_are_imported_listed_and_shown(line: Line, run_file: str) -> None:
    (report,) = line.json("runs", "import", run_file, "--embedder", "none")
    assert (report["runs"], report["steps_written"]) == (1, 2)
    (again,) = line.json("runs", "import", run_file)
    assert (again["runs_known"], again["steps_written"]) == (1, 0)
    (run,) = line.json("runs", "list")
    assert (run["task"], run["steps"]) == ("Mend a.py.", 2)
    (shown,) = line.json("runs", "show", run["id"])
    assert [e["kind"] for e in shown["log"]] == ["run_started", "grown", "grown", "compressed"]
    code, out, _ = line("runs", "show", run["id"])
    assert code == 0 and "It passes." in out
    assert "no such run" in line.refused("runs", "show", "0" * 16)
    assert "runs list" in line.refused("runs", "show")


def test_a_conversation_is_no_run(line: Line, tmp_path: Path) -> None:
    path = str(write_lines(tmp_path / "town.jsonl", own_lines()))
    assert "conversation" in line.refused("runs", "import", path)


def test_turns_go_on_with_the_conversation_that_is_named(filled: Line, tmp_path: Path) -> None:
    more = write_lines(tmp_path / "more.jsonl", own_lines(TOWN[:2], "elsewhere"))
    assert "called" in filled.refused("import", str(more), "--append", "nowhere")
    memories = Memories.open(filled.store, create=False)
    (talk,) = memories.scope("default").conversations()
    (report,) = filled.json("import", str(more), "--append", talk.title)
    assert report["turns_written"] == 2
    (longer,) = memories.scope("default").conversations()
    assert longer.turns == talk.turns + 2
    (again,) = filled.json("import", str(more), "--append", talk.title)
    assert (again["turns_written"], again["turns_known"]) == (0, 2)


def test_recurrence_is_shown_and_says_so_where_there_is_no_embedder(filled: Line) -> None:
    (shown,) = filled.json("recurrence", "show")
    assert shown["units"] == len(TOWN) // 2 and shown["states"] == {"live": len(TOWN) // 2}
    assert "no embedder" in filled.refused("recurrence", "foresee")


def test_a_new_generation_is_applied_and_undone_from_the_command_line(line: Line, tmp_path: Path) -> None:
    tired = [
        (who, f"{what} the {n} run.")
        for n in ("first", "second", "third", "fourth", "fifth", "sixth")
        for who, what in (("Ann", "My knee hurts again after"), ("Bo", "Rest the knee after"))
    ]
    path = write_lines(tmp_path / "knee.jsonl", own_lines(tired))
    line.json("import", str(path))
    (before,) = line.json("recurrence", "show")
    assert before["episodes"] >= 1
    (foreseen,) = line.json("recurrence", "foresee", "--theta-sim", "1", "--merge", "1.1")
    assert foreseen["share"] == 0
    line.json("recurrence", "apply", "--theta-sim", "1", "--merge", "1.1")
    (after,) = line.json("recurrence", "show")
    assert (after["episodes"], after["states"]) == (0, {"live": before["units"]})
    assert line("history", "undo")[0] == 0
    (back,) = line.json("recurrence", "show")
    assert back == before


def test_the_tree_benchmark_reads_runs_or_plays_the_demo(line: Line, run_file: str) -> None:
    rows = line.json("bench", "tree", run_file, "--zero-model")
    assert [r["run"] for r in rows] == ["Mend a.py.", "all runs", "runs of more than 20 steps"]
    assert len(line.json("bench", "tree", "--ablate", "--seeds", "2")) == 5
    assert "runs" in line.refused("bench", "tree")
