"""Opening, recognising and reporting: whatever a person points at is read or refused in one sentence."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from memcore.errors import InputError, UnknownFormat
from memcore.importing import FileReport, find_files, language_of, open_document, preview, read_file

TURN = {
    "conversation": "trip",
    "speaker": "Mina",
    "text": "We land at nine.",
    "at": "2024-05-01T18:20:00+09:00",
}
REPLY = {
    "conversation": "trip",
    "speaker": "Jae",
    "text": "좋아, 데리러 갈게.",
    "at": "2024-05-01T18:21:00+09:00",
}


def write(path: Path, content: object) -> Path:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_bytes(text.encode())
    return path


def lines(*values: object) -> str:
    return "\n".join(value if isinstance(value, str) else json.dumps(value) for value in values)


def report_of(path: Path) -> FileReport:
    return preview(path).report


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as error:
        read_file(path)
    said = str(error.value)
    assert "\n" not in said and said.endswith(".")
    return said


def test_a_turn_keeps_what_the_file_says(tmp_path: Path) -> None:
    (conversation,) = read_file(write(tmp_path / "a", lines(TURN, REPLY))).conversations
    mina, jae = conversation.turns
    assert (mina.speaker, mina.text, mina.role, mina.branch) == (
        "Mina",
        "We land at nine.",
        "speaker",
        "main",
    )
    assert mina.said.start and mina.said.start.isoformat() == "2024-05-01T09:20:00+00:00" and mina.said.zoned
    assert conversation.speakers == ("Mina", "Jae") and jae.text == REPLY["text"]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("bom.json", b"\xef\xbb\xbf" + json.dumps([TURN]).encode()),
        ("utf16.json", json.dumps([REPLY], ensure_ascii=False).encode("utf-16")),
        ("utf16be.txt", json.dumps([REPLY]).encode("utf-16-be")),
        ("crlf.jsonl", lines(TURN, REPLY).replace("\n", "\r\n").encode()),
        ("lines.json", lines(TURN, REPLY).encode()),
        ("list.jsonl", json.dumps([TURN, REPLY]).encode()),
        ("no-extension", json.dumps(TURN).encode()),
        ("double.af", json.dumps(json.dumps([TURN])).encode()),
        ("double-lines.json", json.dumps(lines(TURN, REPLY)).encode()),
        ("strings.jsonl", lines(json.dumps(json.dumps(TURN)), json.dumps(json.dumps(REPLY))).encode()),
    ],
)
def test_encoding_line_ends_and_extension_do_not_matter(tmp_path: Path, name: str, raw: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(raw)
    report = report_of(path)
    assert report.format == "memcore JSONL" and report.turns_read in (1, 2) and report.warnings == ()


def test_broken_lines_are_reported_and_the_others_read(tmp_path: Path) -> None:
    text = lines('{"conversation": "tr', TURN, "", "not json", 7, REPLY, {"conversation": "trip"})
    report = report_of(write(tmp_path / "a.jsonl", text))
    assert report.turns_read == 2
    assert {(kind.why, kind.count, kind.first_where) for kind in report.skipped} == {
        ("a line is no JSON", 2, "line 1"),
        ("a line is not a record", 1, "line 5"),
        ('a line lacks "conversation", "speaker" or "text"', 1, "line 7"),
    }


def test_a_list_that_breaks_off_is_read_up_to_the_break(tmp_path: Path) -> None:
    cut = json.dumps([TURN, REPLY, TURN | {"text": "x" * 50}])[:-40]
    report = report_of(write(tmp_path / "a.json", cut))
    assert report.turns_read == 2
    assert report.skipped[0].why.startswith("the list is damaged from here on")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b" \n\n ", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe\x9c", "binary"),
        ("caf\u00e9 notes".encode("latin-1"), "encoding"),
        (b"just some text", "not JSON"),
        (b"[01/01/19 11:25] John: Hello", "not JSON"),
        (b'{"answer": 42}', "no known format"),
        (b"[]", "no known format"),
        (b"null", "no known format"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b"PK\x03\x04 and then nothing", "damaged"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "thing.json"
    path.write_bytes(content)
    said = refusal(path)
    assert says in said and "thing.json" in said
    if says != "damaged":
        assert "Looked for" in said and "LoCoMo" in said and "ChatGPT" in said


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    assert "no file" in refusal(tmp_path / "absent.json")
    assert "folder" in refusal(tmp_path)
    assert "not an ordinary file" in refusal(Path("/dev/null"))
    assert "cannot be read" in refusal(Path("a\0b"))


def test_bytes_that_are_no_text_are_marked_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        json.dumps(TURN).encode() + b'\n{"conversation": "trip", "speaker": "J", "text": "caf\xe9"}'
    )
    report = report_of(path)
    assert report.turns_read == 2 and "not valid text" in report.warnings[0]


def test_hostile_text_stays_verbatim_but_can_be_stored(tmp_path: Path) -> None:
    texts = [
        "<script>alert(1)</script> ![x](http://example.invalid/x.png)",
        "\u202eevil\u202c",
        "a\0b",
        "half \ud83d",
        "\ud83d\ude00",
        "x" * 1_000_000,
        "\0",
    ]
    path = tmp_path / "a.jsonl"
    path.write_text(lines(*(TURN | {"text": text} for text in texts)), encoding="ascii")
    (conversation,) = read_file(path).conversations
    told = [turn.text for turn in conversation.turns]
    assert told == [texts[0], texts[1], "ab", "half \ufffd", "😀", texts[5]]
    warnings = " ".join(report_of(path).warnings)
    assert "NUL characters" in warnings and "lone surrogates" in warnings
    for text in told:
        text.encode()


def test_ids_and_places_in_a_report_can_be_stored(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", "")
    nodes = {"bad\ud800" + "y" * 999: 7, "n": {"message": None, "parent": None}}
    path.write_text(json.dumps([{"mapping": nodes, "create_time": 1}]), encoding="ascii")
    (place,) = [kind.first_where for kind in report_of(path).skipped if kind.why == "a node is not a record"]
    place.encode()
    assert len(place) <= 200


def test_turns_with_the_same_id_are_both_kept_and_told_apart(tmp_path: Path) -> None:
    text = lines(TURN | {"id": "1"}, REPLY | {"id": "1"}, TURN | {"id": "2"})
    (conversation,) = read_file(write(tmp_path / "a.jsonl", text)).conversations
    assert [turn.source for turn in conversation.turns] == ["1", "1", "2"]
    assert len({turn.identity for turn in conversation.turns}) == 3
    assert any("same id" in warning for warning in report_of(tmp_path / "a.jsonl").warnings)


def test_identities_are_the_same_at_the_next_import(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", lines(TURN, REPLY))
    longer = write(tmp_path / "b.jsonl", lines(TURN, REPLY, TURN | {"text": "More."}))
    first, again, grown = (next(read_file(file).conversations) for file in (path, path, longer))
    assert first == again
    assert first.identity == grown.identity
    assert [turn.identity for turn in grown.turns[:2]] == [turn.identity for turn in first.turns]


def test_another_file_with_the_same_conversation_name_hides_nothing(tmp_path: Path) -> None:
    one = next(read_file(write(tmp_path / "a", lines(TURN))).conversations)
    two = next(read_file(write(tmp_path / "b", lines(REPLY))).conversations)
    assert one.turns[0].source == two.turns[0].source
    assert one.turns[0].identity != two.turns[0].identity


def test_a_file_of_a_known_format_without_turns_says_so(tmp_path: Path) -> None:
    report = report_of(write(tmp_path / "a.json", [{"title": None, "create_time": 1.0, "current_node": "x"}]))
    assert (report.format, report.turns_read) == ("ChatGPT export", 0)
    assert report.warnings[0].startswith("no turn was read: a conversation has no messages")


def test_conversations_are_read_one_by_one(tmp_path: Path) -> None:
    text = lines(*(TURN | {"conversation": str(number)} for number in range(5)))
    reading = read_file(write(tmp_path / "a.jsonl", text))
    next(reading.conversations)
    assert reading.report.freeze().conversations == 1
    assert len(list(reading.conversations)) == 4


def test_a_preview_reads_all_and_shows_the_first_turns(tmp_path: Path) -> None:
    text = lines(*(TURN | {"conversation": str(number)} for number in range(30)))
    seen = preview(write(tmp_path / "a.jsonl", text), limit=7)
    assert len(seen.turns) == 7 and seen.report.turns_read == 30
    assert seen.turns[3][0] == "3"


def test_the_report_is_plain_json(tmp_path: Path) -> None:
    report = report_of(write(tmp_path / "a.jsonl", lines(TURN, REPLY, "?")))
    plain = json.loads(json.dumps(report.as_dict()))
    assert plain["skipped"] == [{"why": "a line is no JSON", "count": 1, "first_where": "line 3"}]
    assert plain["first_said"] == "2024-05-01T09:20:00+00:00"
    assert plain["last_said"] == "2024-05-01T09:21:00+00:00"
    assert plain["languages"] == {"en": 1, "ko": 1}
    assert (plain["turns_written"], plain["turns_known"], plain["held_back"]) == (0, 0, 0)


def test_files_of_a_folder_come_in_natural_order(tmp_path: Path) -> None:
    for name in ("conversations-10.json", "conversations-2.json", ".hidden", "sub/a.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = [path.relative_to(tmp_path).as_posix() for path in find_files(tmp_path)]
    assert found == ["conversations-2.json", "conversations-10.json", "sub/a.json"]
    assert list(find_files(tmp_path / "absent")) == [tmp_path / "absent"]


# ZIP


def zipped(path: Path, members: dict[str, object]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes | str) else json.dumps(content))
    return path


def chat(id: str, text: str) -> dict[str, Any]:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
    node = {"id": "n", "message": message, "parent": None, "children": []}
    return {"id": id, "title": None, "current_node": "n", "mapping": {"n": node}}


def test_numbered_conversations_in_a_zip_are_all_read_in_their_order(tmp_path: Path) -> None:
    members: dict[str, object] = {
        f"export/conversations-{number:03}.json": [chat(str(number), f"text {number}")]
        for number in (10, 2, 0)
    }
    members |= {"export/user.json": {"id": "u", "email": "x@example.invalid"}, "export/chat.html": "<html>"}
    path = zipped(tmp_path / "any.bin", members)
    assert [conversation.source for conversation in read_file(path).conversations] == ["0", "2", "10"]
    assert report_of(path).skipped == ()


def test_a_damaged_file_in_a_zip_does_not_stop_the_rest(tmp_path: Path) -> None:
    members: dict[str, object] = {
        "conversations-000.json": b"\xff\xfe\xfa",
        "conversations-001.json": [chat("1", "still here")],
        "conversations-002.json": {"what": 1},
        "conversations-003.json": [chat("3", "and here")],
    }
    report = report_of(zipped(tmp_path / "a.zip", members))
    assert report.turns_read == 2
    assert {kind.count for kind in report.skipped} == {1} and len(report.skipped) == 2


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    said = refusal(zipped(tmp_path / "a.zip", {"conversations.json": b"[" + b" " * (1 << 25)}))
    assert "more than is safe" in said


def test_zips_without_conversations_are_refused(tmp_path: Path) -> None:
    assert "without any JSON" in refusal(zipped(tmp_path / "a.zip", {"a.txt": "x"}))
    assert "no known format" in refusal(zipped(tmp_path / "b.zip", {"a.json": [1], "__MACOSX/._a.json": "x"}))


def test_a_locked_zip_says_so(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("conversations.json", "[]")
    raw = bytearray(buffer.getvalue())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(raw)
    assert "password" in refusal(tmp_path / "a.zip")


def test_open_document_gives_the_values_for_other_readers(tmp_path: Path) -> None:
    document = open_document(write(tmp_path / "a.jsonl", lines(TURN, REPLY)))
    assert document.lines and document.records[1]["speaker"] == "Jae"
    assert open_document(write(tmp_path / "b.json", [TURN])).single == [TURN]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where did you go for the weekend?", "en"),
        ("어제 서울에서 meeting 했어", "ko"),
        ("昨日は東京に行った", "ja"),
        ("我们明天去北京", "han"),
        ("Dobrý den, jak se máte", "latin"),
        ("Привет, как дела", "cyrillic"),
        ("ขอบคุณ", "thai"),
        ("ԲԱՐԵՎ", "other"),
        ("12:30 🙂", ""),
        ("", ""),
    ],
)
def test_the_language_is_told_by_the_script(text: str, language: str) -> None:
    assert language_of(text) == language


def test_lists_of_people_are_named_but_never_shown(tmp_path: Path) -> None:
    users = [{"uuid": "u", "full_name": "Secret Name", "email_address": "secret@example.invalid"}]
    memories = [{"conversations_memory": "secret", "account_uuid": "u"}]
    projects = [{"uuid": "p", "name": "secret", "docs": [{"filename": "secret", "content": "secret"}]}]
    account = {"id": "u", "email": "secret@example.invalid", "phone_number": "secret"}
    for content, says in (
        (users, "users"),
        (memories, "memory file"),
        (projects, "projects"),
        (account, "account"),
    ):
        said = refusal(write(tmp_path / "export.json", content))
        assert says in said and "ecret" not in said
        with pytest.raises(UnknownFormat):
            read_file(tmp_path / "export.json")
