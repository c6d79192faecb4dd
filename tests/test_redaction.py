"""Words are replaced by a mark wherever they stand, the rest stays, and nothing brings them back."""

from __future__ import annotations

import unicodedata
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from building import TOWN, own_lines, write_lines
from by_name import cue, turn_texts
from hypothesis import given
from hypothesis import strategies as st
from secrets_said import (
    CUE,
    KOREAN,
    OFFICER,
    SAID,
    SAID_IN_KOREAN,
    SETTINGS,
    TEXT,
    WORDS,
    Numbers,
    consolidated,
    content_of,
    everything,
    fresh,
    imported,
    in_an_agent_run,
    opened,
    redacted,
    sound,
)

from memcore.cli import main
from memcore.editing import Set
from memcore.erasure import MARK, Hit, Wanted
from memcore.erasure.masking import Mask
from memcore.erasure.wording import WORDED
from memcore.errors import InputError, NotFound
from memcore.importing import FileReport
from memcore.memories import Memories
from memcore.memory import Memory
from memcore.reconstruction import Ask
from memcore.records import Content, Unit
from memcore.run_state import fold
from memcore.store.holdings import _NOBODYS, _OF_OUR_OWN, _WORDS
from memcore.store.rows import _BODY, _PLAIN, CLASSES
from memcore.words import fold as folded


def test_a_raw_turn_loses_the_words_and_says_so(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    before = {t.id: t for t in memory.turns(memory.conversations()[0].id)}
    assert redacted(memory).ok
    after = {t.id: t for t in memory.turns(memory.conversations()[0].id)}
    changed = [t for t in after.values() if t.redacted]
    assert [t.text for t in changed] == [SAID.replace(TEXT, MARK), SAID_IN_KOREAN.replace(KOREAN, MARK)]
    assert [t.revision for t in changed] == [2, 2]
    assert {i: t for i, t in after.items() if not t.redacted} == {
        i: before[i] for i, t in after.items() if not t.redacted
    }
    assert everything(memory) == [] and sound(memory)


def test_vectors_and_hashes_of_words_are_those_of_what_is_said_now(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    consolidated(memory, tmp_path)
    memory.snapshot()  # what was read before is patched, not read anew
    assert redacted(memory).ok
    patched, whole = memory.snapshot().graph.columns, opened(tmp_path).snapshot().graph.columns
    for field in fields(whole):
        if field.name != "seq":
            assert np.array_equal(getattr(patched, field.name), getattr(whole, field.name)), field.name
    scope = memory.erasure.scope
    for content in (*scope.derived(), *scope.contents(memory.conversations()[0].id)):
        if content.vector is not None:
            assert np.array_equal(content.vector, Numbers().embed([content.spoken])[0])
    assert memory.search("redacted", kinds=("content",)) != []


def test_a_unit_is_embedded_with_the_redacted_turn(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    units = {u.id: u for u in memory.erasure.scope.units()}
    assert redacted(memory).ok
    for unit in memory.erasure.scope.units():
        turns = memory.get(unit.origin).values()
        same = np.array_equal(unit.vector, units[unit.id].vector)  # type: ignore[arg-type]
        assert same is not any(getattr(t, "redacted", False) for t in turns)


def test_spans_into_a_turn_still_show_what_they_showed(tmp_path: Path) -> None:
    memory = Memory(opened(tmp_path).erasure.scope, Numbers(), replace(SETTINGS, segment_chars=60))
    said = f"I met {TEXT} at noon. " + "We talked for a long time about the garden and the rain. " * 3
    imported(memory, tmp_path, [*TOWN[:2], ("Ann", f"{said}Then {TEXT} went home. I was tired.")])
    before = [c for c in _contents(memory) if c.span]
    assert redacted(memory).ok
    after = {c.id: c for c in _contents(memory) if c.span}
    turns = memory.get({c.origin[0] for c in after.values()})
    assert before and {c.id for c in before} == {*after}
    for old in before:
        new = after[old.id]
        start, end = new.span or (0, 0)
        assert turns[new.origin[0]].text[start:end] == new.text == old.text.replace(TEXT, MARK)  # type: ignore[union-attr]
    assert sum(c.span != after[c.id].span for c in before) > 1


def test_the_same_file_brings_nothing_back_and_says_why(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    receipt = redacted(memory)
    texts = turn_texts(memory)
    lines = own_lines([*TOWN, ("Ann", SAID), ("Bo", SAID_IN_KOREAN), ("Ann", "Good night.")])
    longer = write_lines(tmp_path / "said.jsonl", lines)
    report = next(s for s in memory.import_path(longer) if isinstance(s, FileReport))
    assert (report.turns_written, report.turns_known, report.held_back) == (1, 12, 2)
    assert turn_texts(memory) == [*texts, "Good night."]
    assert memory.erasure.verify(receipt, WORDS).ok
    memory.erasure.lift([receipt.id])
    report = next(s for s in memory.import_path(longer) if isinstance(s, FileReport))
    assert (report.turns_written, report.turns_known, report.held_back) == (0, 15, 0)


def test_people_whose_names_go_stay_apart(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN)
    hits = [h for name in ("Felix", "Saffron") for h in memory.erasure.find(Wanted(text=name)).hits]
    reached = _reached(memory, "Felix"), _reached(memory, "Saffron")
    assert redacted(memory, hits, "[who]").ok
    assert {_reached(memory, "[who]"), _reached(memory, "[who] 2")} == {*reached}
    assert sound(memory)


def test_what_one_person_said_is_kept_without_the_name(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN)
    assert redacted(memory, memory.erasure.find(Wanted(person="Bo")).hits, "[someone]").ok
    talk = memory.conversations()[0]
    assert talk.speakers == ("Ann", "[someone]")
    assert [t.speaker for t in memory.turns(talk.id)] == ["Ann", "[someone]"] * 6
    assert {c.speaker for c in _contents(memory)} <= {"Ann", "[someone]", ""}
    assert memory.erasure.find(Wanted(text="Bo: ")).hits == ()


def test_numbers_are_found_by_an_expression(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, [*TOWN, ("Ann", "Call 010-2345-6789 or 02-345-6789 after 5.")])
    found = memory.erasure.find(Wanted(pattern=r"\b\d{2,3}-\d{3,4}-\d{4}\b"))
    assert {w for h in found.hits for w in h.said} == {"010-2345-6789", "02-345-6789"}
    assert redacted(memory, found.hits, "[phone]").ok
    assert turn_texts(memory)[-1] == "Call [phone] or [phone] after 5."


def test_a_near_match_gives_up_its_stem_and_keeps_its_particle(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, [*TOWN, ("Bo", "은하수는 길다."), ("Bo", "은하수를 봤다.")])
    found = memory.erasure.find(Wanted(text="은하수가"))
    assert found.hits == () and {h.said for h in found.near} == {("은하수",)}
    assert redacted(memory, found.near).ok
    assert turn_texts(memory)[-2:] == [f"{MARK}는 길다.", f"{MARK}를 봤다."]


def test_traces_that_name_or_quote_it_go_and_the_others_stay(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    naming = memory.ask(Ask(f"Who knows {TEXT}?", 3))
    quoting, other = memory.ask(Ask("What opens the shed?", 10)), memory.ask(Ask("Who is Felix?", 2))
    for run in (naming, quoting, other):
        state = fold(run)
        quoted = {s.content_id for s in state.answer.sentences} if state.answer else set[str]()
        assert (content_of(memory, TEXT).id in quoted) is (run is not other)
    planned = memory.erasure.redaction(everything(memory))
    traces = {t.id: t.why for t in planned.touched if t.kind == "trace"}
    assert traces == {naming.header.id: "text", quoting.header.id: "quotes_redacted"}
    assert redacted(memory).ok
    assert [t.id for t in memory.traces()] == [other.header.id]


def test_only_what_is_chosen_is_redacted_with_all_that_rests_on_it(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN, mode="eager")
    found = memory.erasure.find(Wanted(text="Madrid"))
    turn = next(h for h in found.hits if h.kind == "turn")
    receipt = redacted(memory, [turn])
    assert receipt.ok and receipt.elsewhere > 0
    assert sum("Madrid" in text for text in turn_texts(memory)) == 1
    resting = memory.get(memory.erasure.scope.resting_on([turn.id])).values()
    texts = [r.text for r in resting if isinstance(r, Content)]
    assert texts and all(t.count("Madrid") < 2 for t in texts)
    assert [r for r in resting if isinstance(r, Unit)] != []


def test_done_twice_there_is_nothing_left_to_do(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    hits = everything(memory)
    assert redacted(memory, hits).ok
    before = turn_texts(memory)
    with pytest.raises(InputError, match="Nothing of this"):
        redacted(memory, hits)
    assert turn_texts(memory) == before


def test_undo_brings_no_word_back(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    memory.edit(Set("content", (content_of(memory, TEXT).id,), "text", f"It was {CUE}."), OFFICER)
    assert redacted(memory).ok
    assert memory.changes()[0].events[-1].kind == "erased" and not memory.changes()[0].undoable
    for change in memory.changes():
        try:
            memory.undo(change.group, also_later=True)
        except (InputError, NotFound):
            continue
    assert everything(memory) == []


def test_a_step_loses_words_across_the_border_of_what_was_done_and_seen(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    in_an_agent_run(memory, tmp_path)
    run = memory.runs.all()[0]
    assert redacted(memory, memory.erasure.find(Wanted(text="homeat")).hits, "#").ok
    steps = memory.runs.get(run.id).steps
    assert [(s.action, s.observation) for s in steps] == [
        (f"open {TEXT}", "saw glimmerfrotz"),
        ("go #", " home"),
    ]


@pytest.mark.parametrize("put", ["", " ", f"no {TEXT.upper()}", "x" * 41, "a\nb"])
def test_a_mark_that_is_none_or_tells_is_refused(tmp_path: Path, put: str) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    with pytest.raises(InputError, match="mark"):
        memory.erasure.redaction(everything(memory), put)


def test_a_hit_that_says_no_word_cannot_be_redacted(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    fresh(memory, tmp_path)
    with pytest.raises(InputError, match="which words"):
        memory.erasure.redaction([Hit(content_of(memory, TEXT).id, "content", "whole", "named")])


@pytest.mark.parametrize(
    ("words", "text", "left"),
    [
        (("Ann", "Ann Lee"), "Ann Lee saw ann.", "# saw #."),
        (("Ann",), "Annual, Johanna", "#ual, Joh#a"),
        (("aba",), "ababa", "#"),
        (("é",), "Cafe\u0301 and CAFÉ", "Caf# and CAF#"),
        (
            ("한글",),
            unicodedata.normalize("NFD", "나는 한글을 쓴다"),
            unicodedata.normalize("NFD", "나는 #을 쓴다"),
        ),
        (("fi",), "\ufb01ne", "#ne"),
        (("strasse",), "Die Straße", "Die #"),
        (("👩‍🔬",), "the 👩‍🔬 was here 👩", "the # was here 👩"),
        (("Maren",), "Mar\u00aden, Ma\u200bren and M\u200da\u2060ren.", "#, # and #."),
        (("Ma\u200bren",), "Maren's", "#'s"),
    ],
)
def test_only_the_words_themselves_are_replaced(words: tuple[str, ...], text: str, left: str) -> None:
    assert Mask.of(words, "#").text(text) == left


def test_the_command_line_redacts_with_a_mark_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    memory = Memories.open(store, embedder="none").scope("one", create=True)
    list(memory.import_path(write_lines(tmp_path / "said.jsonl", own_lines(TOWN))))
    asked = ["erase", "--match", "Saffron", "--redact", "[cat]", "--store", store]
    assert main([*asked, "--plan"]) == 0
    assert "get a mark in place of words." in capsys.readouterr().out
    assert main([*asked, "--yes"]) == 0
    assert "Verified: " in capsys.readouterr().out
    assert turn_texts(memory)[2] == "Her name is [cat]. Dr. Okafor gave her the first shots."
    assert main(["erase", "--conversation", "town", "--redact", "--yes", "--store", store]) == 1
    assert "which words" in capsys.readouterr().err


LETTERS = st.text("aAbß\u0301é한\u1112\u1161글\ufb01i👩\u200d\u00ad .", max_size=14)


WORDS_SEEN = LETTERS.filter(lambda word: bool(folded(word).strip()))


@given(text=LETTERS, words=st.lists(WORDS_SEEN, min_size=1, max_size=3), at=st.integers(0, 14))
def test_no_word_is_left_and_spans_lead_on(text: str, words: list[str], at: int) -> None:
    mask = Mask.of(words, "#")
    masked = mask.on(text)
    assert not mask.within(masked.text)
    assert mask.text(masked.text) == masked.text
    at = min(at, len(text))
    before, after = masked.moved((0, at)), masked.moved((at, len(text)))
    assert before[0] == 0 and after[1] == len(masked.text)
    assert 0 <= after[0] <= before[1] <= len(masked.text)
    if not any(start < at < end for start, end in masked.cuts):
        assert masked.text[: before[1]] + masked.text[after[0] :] == masked.text
    assert not masked.cuts or folded(words[0]) in folded(text) or len(words) > 1


@pytest.mark.parametrize("kind", sorted({*CLASSES} - {"relation", "calibration"}))
def test_every_field_in_which_the_store_finds_words_is_redacted(kind: str) -> None:
    named = {attribute for column, attribute in _PLAIN[kind].items() if column in _WORDS[:-1]}
    ours = {_PLAIN[kind].get(column, "") for column, kinds in _OF_OUR_OWN.items() if kind in kinds}
    plain = {f.name for f in fields(CLASSES[kind]) if f.type in ("int", "bool", "int | None", "float | None")}
    whole = (named - ours) | ({*_BODY.get(kind, ())} - _NOBODYS - plain)
    assert whole <= {*WORDED[kind]} | {"eager", "evidence"}


def _contents(memory: Memory) -> list[Content]:
    return memory.erasure.scope.contents(memory.conversations()[0].id)


def _reached(memory: Memory, name: str) -> frozenset[str]:
    return frozenset(r.content_id for r in memory.relations(cue(memory, name)))
