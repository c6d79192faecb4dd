"""A plan of an erasure in words: what goes, what is made again, what loses words, what stays beside it.

Relations are counted and not listed: they say nothing by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from memcore.erasure.plan import Plan, Touched
from memcore.records import Content, Cue, Record, Relation, Tag, Turn, Unit
from memcore.view.naming import counted, listed
from memcore.view.privacy_hits import LAYERS, name_of
from memcore.view.privacy_words import FATE_SAYS, NOUNS, Fate, amount, exports_told, noun, ordered, why

COUNTED = ("relation", "change")  # said as a number
NOTHING_LEFT = "(no words are left)"


class Row(NamedTuple):
    """One record of a plan: what becomes of it, what it is, its words before and after, and why."""

    id: str
    fate: Fate
    what: str
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class Told:
    """A plan in one sentence for each thing that happens."""

    sentence: str
    lines: tuple[str, ...]
    amounts: Mapping[Fate, str]


def told(plan: Plan, zone: str = "") -> Told:
    """What carrying it out would do, in words, and what it leaves; relations are counted apart."""
    counts = plan.counts()
    amounts: Mapping[Fate, str] = {what: amount(of) for what, of in counts.items() if of}
    lines = [_line("erase", counts["erase"], "go for good", "goes for good")]
    lines.append(
        _line("redact", counts["redact"], "get a mark in place of words", "gets a mark in place of words")
    )
    lines.append(_line("rebuild", counts["rebuild"], "are made again", "is made again"))
    lines.append(_line("blank", counts["blank"], "lose words", "loses words"))
    lines.append(_line("strip", counts["strip"], "cannot be undone any more", "cannot be undone any more"))
    lost = counted(plan.undo_lost, "earlier version")
    lines.append(f"{lost} can no longer be brought back by undoing." if plan.undo_lost else "")
    said = [line for line in lines if line]
    if not said:
        return Told("Nothing of this is left to erase.", (), amounts)
    said += exports_told(plan.exports.exports, plan.exports.last, zone)
    return Told(said[0], tuple(said), amounts)


def rows(plan: Plan, questions: Mapping[str, str]) -> list[Row]:
    """Every record that the plan names, except relations and changes. `questions` are those of traces."""
    said = {**questions, **{h.id: h.text for h in plan.hits if h.kind == "receipt"}}
    return [_row(plan, t, said) for t in plan.touched if t.kind not in COUNTED]


def staying(plan: Plan, records: Mapping[str, Record]) -> list[Row]:
    """What stands next to what goes and is not touched; `records` are those that `around` named."""
    return [
        Row(i, "stays", what_of(records[i]), words_of(records[i]), "", FATE_SAYS["stays"])
        for i in around(plan)
        if i in records
    ]


def around(plan: Plan) -> list[str]:
    """The ids of records next to what goes that the plan does not touch."""
    touched = {t.id for t in plan.touched}
    ids: dict[str, None] = {}
    for record in (*plan.before.values(), *plan.after.values()):
        ids |= dict.fromkeys(_named_by(record))
    return [i for i in ids if i and i not in touched]


def what_of(record: Record | None, kind: str = "") -> str:
    """What a record is, in a word or two."""
    if isinstance(record, Content):
        return LAYERS[record.layer]
    return NOUNS.get(record.kind if record else kind, (kind,))[0].capitalize()


def words_of(record: Record | None) -> str:
    """What a record says, and who said it, or what it is called."""
    if isinstance(record, Turn | Content) and record.speaker:
        return f"{record.speaker}: {record.text}"
    if isinstance(record, Unit) and not record.label:
        return f"Unit {record.order:,}"
    return name_of(record)


def remade(plan: Plan) -> list[Row]:
    """Only those records that say other words afterwards than before, to be read beside each other."""
    pairs = ((r, words_of(plan.before.get(r.id)), plan.after.get(r.id)) for r in rows(plan, {}))
    return [row for row, before, after in pairs if after is not None and words_of(after) != before]


def same_words(plan: Plan) -> str:
    """What is said in place of texts beside each other where no record says anything else afterwards."""
    if not (again := plan.counts()["rebuild"]):
        return "No words change: each record goes whole or stays as it is."
    verb = "is" if sum(again.values()) == 1 else "are"
    return f"No words change: {_kinds(again)} {verb} made again with the same words."


def shares(found: Iterable[Row]) -> dict[Fate, int]:
    """How many rows there are of each fate."""
    return dict(Counter(row.fate for row in found))


def _row(plan: Plan, touched: Touched, said: Mapping[str, str]) -> Row:
    before, after = plan.before.get(touched.id), plan.after.get(touched.id)
    words = said.get(touched.id, "") if before is None else words_of(before)
    new = _after(before, after) if after is not None else ""
    return Row(touched.id, touched.what, what_of(before, touched.kind), words, new, why(touched.why))


def _after(before: Record | None, after: Record) -> str:
    """The words that stay, or what it rests on from now on where the words are the same."""
    if words_of(before) != words_of(after):
        return words_of(after) or NOTHING_LEFT
    then, now = (len(getattr(r, "origin", ())) for r in (before, after))
    if then != now:
        return f"the same words, resting on {now:,} of {counted(then, 'turn')}"
    changed = _changed(before, after)
    return f"the same, with another {listed(changed)}" if changed else "the same"


_OTHERWISE = {
    "speakers": "list of speakers", "report": "report", "task": "task", "thought": "thought",
    "observation": "observation", "tool": "tool", "note": "note", "label": "name", "episodes": "episode",
    "units": "set of units", "episode_id": "episode", "session": "session", "speaker": "speaker",
}  # fmt: skip


def _changed(before: Record | None, after: Record) -> list[str]:
    pairs = ((says, getattr(before, f, None), getattr(after, f, None)) for f, says in _OTHERWISE.items())
    return list(dict.fromkeys(says for says, old, new in pairs if old != new))


def _line(fate: Fate, of: Mapping[str, int], many: str, one: str) -> str:
    verb = one if sum(of.values()) == 1 else many
    return f"{_kinds(of)} {verb}." if of else ""


def _kinds(of: Mapping[str, int]) -> str:
    return listed(noun(kind, of[kind]) for kind in ordered(of))


def _named_by(record: Record) -> Sequence[str]:
    """The ids that a record names: its sources, its ends, what it is part of."""
    if isinstance(record, Relation):
        return record.triple
    if isinstance(record, Cue | Tag):
        return ()
    single = ("conversation_id", "file_id", "run_id", "content_id", "episode_id", "record_id")
    named = (cast("tuple[str, ...]", getattr(record, f, ())) for f in ("origin", "units", "episodes"))
    several = [i for ids in named for i in ids]
    return [*several, *(str(getattr(record, f, "")) for f in single)]
