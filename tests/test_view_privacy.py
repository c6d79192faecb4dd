"""What the page Privacy says, worked out without a page: marked words, groups, plans in words, receipts."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from building import TOWN
from secrets_said import imported, opened

from memcore.audit import Changed, Entry
from memcore.editing import Who
from memcore.erasure import Hit, Plan, Receipt, Wanted
from memcore.erasure.verify import Gone
from memcore.memory import Memory
from memcore.records import RunStep, Turn
from memcore.retention import Due, Rule
from memcore.store.audit import Taken
from memcore.view.audited import sentence as audited
from memcore.view.change_titles import title as change_title
from memcore.view.kinds import EDGES, KINDS
from memcore.view.naming import listed
from memcore.view.printed_receipt import page
from memcore.view.privacy_graph import DRAWN, KIND, picture
from memcore.view.privacy_hits import by_kind, by_reason, head, holding, looked_up, marked, text_of
from memcore.view.privacy_plan import around, remade, rows, same_words, staying, told
from memcore.view.privacy_receipt import (
    as_json,
    asked_by,
    badge,
    checks,
    doing,
    done,
    file_name,
    reason,
    status,
    title,
)
from memcore.view.privacy_rules import changed, due_lines, sentence, without
from memcore.view.privacy_words import FATES, WHY, noun, plural, why

OFFICER = Who("Officer", "request 12")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("view-privacy")
    memory = opened(folder)
    imported(memory, folder, [*TOWN, ("Ann", f"{'long ago ' * 60}Saffron {'and so on ' * 60}")])
    return memory


@pytest.fixture(scope="module")
def plan(memory: Memory) -> Plan:
    return memory.erasure.plan(memory.erasure.find(Wanted(text="Saffron")).hits)


def test_the_words_are_marked_in_what_surrounds_them_wherever_they_stand() -> None:
    said = marked(f"{'a ' * 200}Saffron {'b ' * 200}", ["saffron"])
    assert said.found == "Saffron"
    assert said.before.startswith("…") and said.before.endswith("a ")
    assert said.after.startswith(" b") and said.after.endswith("…")


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("Keep the neighbor's parrot.", "neighbour", "neighbor's"),
        ("메모리는 오래 간다.", "메모리가", "메모리는"),
        ("Nothing of the kind", "Saffron", ""),
    ],
)
def test_of_a_near_match_the_word_that_comes_near_is_marked(text: str, said: str, found: str) -> None:
    assert marked(text, [said], near=True).found == found


def test_the_whole_text_is_looked_at_where_a_hit_carries_only_its_beginning(memory: Memory) -> None:
    hits = [h for h in memory.erasure.find(Wanted(text="Saffron")).hits if h.kind == "turn"]
    records = memory.get(looked_up(hits))
    assert [marked(text_of(h, records), h.said).found for h in hits] == ["Saffron"] * 3
    assert all(head(h, records).startswith(("Ann", "Bo")) for h in hits)


def test_who_spoke_stands_with_the_words_when_the_name_is_what_was_found(memory: Memory) -> None:
    hit = next(h for h in memory.erasure.find(Wanted(text="Felix")).hits if h.kind == "turn")
    spoke = hit._replace(field="speaker", text="Bo")
    records = memory.get([hit.id])
    turn = records[hit.id]
    assert isinstance(turn, Turn)
    assert text_of(spoke, records) == f"{turn.speaker}: {turn.text}"
    assert not head(spoke, records).startswith(turn.speaker)


def test_hits_are_grouped_by_kind_and_near_matches_by_reason(memory: Memory) -> None:
    found = memory.erasure.find(Wanted(person="Bo"))
    assert next(g.key for g in by_kind(found.hits)) == "turn"
    assert sum(len(g.hits) for g in by_kind(found.hits)) == len(found.hits)
    near = by_reason(memory.erasure.find(Wanted(text="Felyx")).near)
    assert [g.key for g in near] == ["spelling"] and near[0].says


def test_hits_are_filtered_by_the_words_they_hold(memory: Memory) -> None:
    hits = memory.erasure.find(Wanted(person="Ann")).hits
    records = memory.get(looked_up(hits))
    assert [h.kind for h in holding(hits, "GREY CAT", records)] == ["turn"]
    assert holding(hits, "  ", {}) == hits and not holding(hits, "zeppelin", records)


def test_a_plan_says_what_goes_what_is_made_again_and_what_stays(memory: Memory, plan: Plan) -> None:
    said = told(plan)
    assert "3 turns" in said.sentence and "go for good." in said.sentence
    listed_rows = rows(plan, {})
    assert {r.fate for r in listed_rows} <= {*FATES}
    assert not [r for r in listed_rows if "_" in r.why or not r.why]
    records = memory.get(around(plan))
    stays = staying(plan, records)
    assert stays and not {r.id for r in stays} & {t.id for t in plan.touched}


def test_every_reason_and_fate_has_a_sentence_and_a_colour(plan: Plan) -> None:
    assert {t.why for t in plan.touched} <= {*WHY}
    assert {*KIND} == {*FATES} and {*KIND.values()} <= {*KINDS} and "plan_rests" in EDGES
    assert why("never_heard_of") == "never heard of"


def test_a_redaction_shows_each_text_before_and_after(memory: Memory) -> None:
    hits = memory.erasure.find(Wanted(text="Saffron")).hits
    pairs = remade(memory.erasure.redaction(hits, "[name]"))
    assert any("Saffron" in r.before and "[name]" in r.after for r in pairs)
    assert "Saffron" not in "".join(r.after for r in pairs)


def test_the_picture_of_a_plan_is_the_same_each_time_and_draws_no_more_than_its_limit(
    memory: Memory, plan: Plan
) -> None:
    records = memory.get(around(plan))
    shown = [*rows(plan, {}), *staying(plan, records)]
    one, other = picture(plan, shown, records), picture(plan, shown, records)
    assert one == other and {n.id for n in one.nodes} == {*one.places} and one.edges
    assert len({*one.places.values()}) == len(one.places)
    many = [shown[0]._replace(id=f"{n:032x}") for n in range(2 * DRAWN)]
    assert len(picture(plan, many, {}).nodes) == DRAWN and picture(plan, many, {}).total == 2 * DRAWN


def test_a_step_of_a_run_and_a_question_have_names_in_a_plan(plan: Plan) -> None:
    step = RunStep("s", "r", 1, "look up Saffron", "found")
    records = {"s": step}
    assert text_of(Hit("s", "step", "words", "text", "text", "look up"), records) == "look up Saffron\nfound"


def test_a_receipt_is_told_in_sentences_without_an_id(memory: Memory) -> None:
    planned = memory.erasure.plan(memory.erasure.find(Wanted(text="parrot")).hits)
    receipt: Receipt | None = None
    for step in memory.erasure.erase(planned, OFFICER, wanted=["parrot"]):
        receipt = step.receipt or receipt
        assert doing(step.doing)[0].isupper()
    assert receipt is not None
    lines = [status(receipt), *done(receipt), *(f"{c.name} {c.found}" for c in checks(receipt.checks))]
    said = "\n".join([*lines, title(receipt), file_name(receipt, "json")])
    assert "Verified" in lines[0] and "parrot" not in said + as_json(receipt)
    assert not [i for i in (*receipt.gone.ids, receipt.id) if i in said]
    failed = receipt.checked([c._replace(found=2, where=receipt.gone.ids) for c in receipt.checks[1:2]])
    assert "still found" in status(failed) and checks(failed.checks)[0].found == "2 records"


def test_one_erasure_is_told_with_one_amount_everywhere(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN)
    planned = memory.erasure.plan(memory.erasure.find(Wanted(text="parrot")).hits)
    amount = told(planned).amounts["erase"]
    assert re.fullmatch(r"\d+ records and \d+ relations", amount)
    receipt = [step.receipt for step in memory.erasure.erase(planned, OFFICER)][-1]
    assert receipt is not None and title(receipt).endswith(f" · {amount} erased")
    change = memory.changes()[0]
    assert change_title(change, {}) == f"Erased {amount} for good"
    whole = sum(int(word) for word in amount.split() if word.isdecimal())
    entered = Changed("erased", 1, change.group, 0, 0, sum(n for _, n in change.events[-1].gone))
    assert audited(Entry(1, receipt.started, "", "", entered, "")) == (
        f"Erased {whole} records and relations for good."
    )


def test_a_plan_that_makes_units_again_with_the_same_words_says_so(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    imported(memory, tmp_path, TOWN)
    planned = memory.erasure.plan(memory.erasure.find(Wanted(text="parrot")).hits)
    again = planned.counts()["rebuild"]
    assert again and not remade(planned)
    assert same_words(planned).endswith("made again with the same words.")
    assert same_words(replace(planned, touched=())) == (
        "No words change: each record goes whole or stays as it is."
    )


def test_numbers_and_lists_are_written_as_people_write_them() -> None:
    assert noun("content", 1) == "1 memory" and noun("step", 2) == "2 steps of agent runs"
    assert plural("trace") == "Past questions" and listed(["a", "", "b", "c"]) == "a, b and c"


def test_a_retention_rule_and_what_is_due_are_sentences(plan: Plan) -> None:
    rule = Rule("conversation", 365)
    assert sentence(rule) == "Conversations that ended more than 365 days ago"
    assert sentence(rule._replace(least=2, most=2)).endswith(", only sensitive")
    assert sentence(rule._replace(older_than_days=1, least=1)).endswith(
        "1 day ago, from somewhat sensitive to most sensitive"
    )
    lines = due_lines(Due(plan, (rule,), (3,), {"conversation": 2}))
    assert lines[0].startswith("3 conversations") and "no time is stated" in lines[1]
    assert without((rule, rule._replace(on=True)), 0) == (rule._replace(on=True),)
    assert changed((rule,), 1, rule._replace(on=True)) == (rule, rule._replace(on=True))


def test_exports_that_left_are_told_in_the_plan_and_in_the_receipt(plan: Plan) -> None:
    last = datetime(2024, 5, 3, 10, 15, tzinfo=UTC)
    one, none = replace(plan, exports=Taken(1, last)), replace(plan, exports=Taken())
    says = "1 export of this memory left the app, on 3 May 2024, 10:15 UTC: the copy is not touched."
    assert says in told(one).lines and not any("export" in line for line in told(none).lines)
    receipt = Receipt("0" * 16, "", "", "", last, "verified", {}, Gone((), (), ()), 0, 0)
    (line,) = done(replace(receipt, exports=3, exported=last))
    assert line.startswith("3 exports of this memory left the app, the last of them on 3 May 2024")


def test_a_receipt_says_what_a_later_erasure_took_out_of_it_and_that_it_was_altered() -> None:
    began = datetime(2024, 5, 3, tzinfo=UTC)
    receipt = Receipt("0" * 16, "", "", "", began, "verified", {}, Gone((), (), ()), 0, 0)
    assert (asked_by(receipt), reason(receipt)) == ("nobody named", "no reason given")
    less = replace(receipt, taken_out=("author", "reason"))
    assert asked_by(less) == reason(less) == "taken out by a later erasure"
    assert [line.partition("receipt ")[2] for line in done(less)] == [
        "who asked for it.",
        "why it was asked for.",
    ]
    altered = replace(receipt, status="altered")
    assert (
        not altered.ok and badge(altered) == "not as it was written" and "proves nothing" in status(altered)
    )
    assert "proves nothing" in page(altered, "mine")
