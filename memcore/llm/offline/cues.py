"""One text to cues and tags by rules: the heart of the offline extractor.

Every clause gets one tag, its best noun phrase; every cue found in the clause is paired with that tag
and no other. Cues are names, times, noun phrases, their words one by one, salient verbs and tasks. A
word's cue shows the word in the singular or as the verb; `words.normalise` makes one key of its forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from memcore.extraction import Extraction, FoundCue, FoundTime
from memcore.llm.offline.clauses import Clause, Token, clauses
from memcore.llm.offline.korean import verb_stem
from memcore.llm.offline.lexicon import EVENTS, KIN, LIGHT_VERBS, PRAISE, singular, verb_lemma
from memcore.llm.offline.names import Speakers, is_address, names
from memcore.llm.offline.phrases import Phrase, phrases
from memcore.records import CueKind, Moment
from memcore.words import STOP, normalise, word_set

# The tag of a turn that holds no word worth one ("Thanks! Bye!"), so that it stays reachable.
NO_TAG = "short remark"
NEAR = 6  # most characters between a verb and its object: "book the flights"
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_INTENDING = word_set(
    """
    want need plan planning going have hope hoping gotta gonna should must try trying wanna
    """
)


@dataclass(slots=True)
class Found:
    """What has been read of a text so far; one cue per normalised name, one tag per name."""

    cap: int
    cues: list[FoundCue] = field(default_factory=list[FoundCue])
    tags: list[str] = field(default_factory=list[str])
    pairs: dict[tuple[int, int], None] = field(default_factory=dict[tuple[int, int], None])
    keys: dict[str, int] = field(default_factory=dict[str, int])
    tag_keys: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def full(self) -> bool:
        return len(self.cues) >= self.cap

    def tag(self, name: str) -> int:
        """The index of a tag, new or known."""
        key = normalise(name)
        if key not in self.tag_keys:
            self.tag_keys[key] = len(self.tags)
            self.tags.append(name)
        return self.tag_keys[key]

    def cue(self, cue: FoundCue, tag: int) -> None:
        """Pairs a cue, new or known, with a tag; past the cap nothing new is added."""
        key = normalise(cue.name)
        known = self.keys.get(key)
        if known is None:
            if not key or self.full:
                return
            known = self.keys[key] = len(self.cues)
            self.cues.append(cue)
        self.pairs[known, tag] = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text is read with: the known people, its times, the most cues it may give, extra cues."""

    speakers: Speakers
    times: Sequence[FoundTime]
    cap: int
    more: Sequence[FoundCue] = ()


def read(text: str, reading: Reading, implied: Sequence[FoundCue] = ()) -> Extraction:
    """The cues, tags and pairs of a text. `implied` cues (the speaker, the day) stand in no clause.

    An implied speaker is paired with every tag, the other implied ones with the first.
    """
    found = Found(reading.cap)
    untagged: list[list[FoundCue]] = []
    scored: list[tuple[float, int]] = []
    for clause in clauses(text):
        spoken = [p for p in phrases(clause) if not _is_speaker(p, reading.speakers)]
        cues = list(_cues_of(clause, text, spoken, reading))
        best = max(spoken, key=lambda p: p.score, default=None)
        if best is None:
            untagged.append(cues)
            continue
        tag = found.tag(best.name)
        scored.append((-best.score, tag))
        for cue in cues:
            found.cue(cue, tag)
        if found.full:
            break
    _add_untagged(found, untagged, min(scored)[1] if scored else None)
    for cue in implied:
        for tag in range(len(found.tags)) if cue.cue_kind == "people" else (0,):
            found.cue(cue, tag)
    return Extraction(tuple(found.cues), tuple(found.tags), tuple(found.pairs), tuple(reading.times))


def _add_untagged(found: Found, untagged: Sequence[list[FoundCue]], strongest: int | None) -> None:
    """Clauses without a phrase share the text's strongest tag, or are tagged by a word of their own."""
    for cues in untagged:
        word = next((c.name for c in cues if c.cue_kind not in ("people", "time")), None)
        if strongest is None and word is not None:
            strongest = found.tag(word.lower())
        for cue in cues:
            found.cue(cue, found.tag(NO_TAG) if strongest is None else strongest)
    if not found.tags:
        found.tag(NO_TAG)


def _is_speaker(phrase: Phrase, speakers: Speakers) -> bool:
    return all(speakers.find(t) is not None for t in phrase.tokens)


def _cues_of(clause: Clause, text: str, spoken: Sequence[Phrase], reading: Reading) -> Iterator[FoundCue]:
    """The cues of a clause: names and times first, then phrases, then words."""
    named = {t.start for i, t in enumerate(clause) if reading.speakers.find(t) and is_address(clause, i)}
    for name in names(clause, text, reading.speakers):
        named.update(t.start for t in clause if name.start <= t.start < name.end)
        yield FoundCue(name.text, name.kind, name.start, name.end)
    first, last = clause[0].start, clause[-1].end
    for time in reading.times:
        if first <= time.start < last:
            yield from time_cues(time.moment, time.start, time.end)
    yield from (cue for cue in reading.more if first <= cue.start < last)
    for phrase in spoken:
        if len(phrase.tokens) > 1:
            start, end = phrase.tokens[0].start, phrase.tokens[-1].end
            yield FoundCue(phrase.name, _kind_of(phrase.tokens, clause), start, end)
    yield from _task(clause, spoken)
    inside = {t.start: t for phrase in spoken for t in phrase.tokens}
    for token in clause:
        cue = _word_cue(inside.get(token.start, token), token.start in inside, clause)
        if cue is not None and token.start not in named:
            yield cue


def _word_cue(token: Token, in_phrase: bool, clause: Clause) -> FoundCue | None:
    """The cue of one content word; short English words only as nouns of a phrase."""
    low = token.low.removesuffix("'s")
    if token.letter not in "NVJ" or low in STOP or len(low) < (3 if in_phrase or not low.isascii() else 4):
        return _short_noun(token, low, in_phrase, clause)
    if token.letter == "V":
        lemma = verb_lemma(low) if low.isascii() else verb_stem(low)
        if lemma in LIGHT_VERBS or not lemma:
            return None
        return FoundCue(lemma, "verb", token.start, token.end)
    if token.letter == "J" and (low in PRAISE or len(low) < 6):
        return None
    return FoundCue(singular(low), _kind_of((token,), clause), token.start, token.end)


def _short_noun(token: Token, low: str, in_phrase: bool, clause: Clause) -> FoundCue | None:
    """Two Hangul syllables are a whole word, and so is one with a particle."""
    if token.letter != "N" or low.isascii() or low in STOP or (len(low) < 2 and not in_phrase):
        return None
    return FoundCue(low, _kind_of((token,), clause), token.start, token.end)


def _kind_of(tokens: Sequence[Token], clause: Clause) -> CueKind:
    head = tokens[-1].low.removesuffix("'s")
    if head in KIN or singular(head) in KIN:
        return "people"
    if head in EVENTS or singular(head) in EVENTS:
        return "event"
    return "location" if _is_korean_place(tokens[-1], clause) else "topic"


def _is_korean_place(token: Token, clause: Clause) -> bool:
    """ "제주도에서", "제주도에 갔어요"."""
    if token.particle.startswith("에서") and token.particle != "에서부터":
        return True
    if token.particle not in ("에", "에는", "에도"):
        return False
    at = next((i for i, t in enumerate(clause) if t.start == token.start), len(clause))
    return any(
        t.low.startswith(("가", "갔", "간", "갈", "살", "다녀", "왔", "도착"))
        for t in clause[at + 1 : at + 3]
    )


def _task(clause: Clause, spoken: Sequence[Phrase]) -> Iterator[FoundCue]:
    """ "I need to book flights" gives "book flight": what somebody means to do."""
    for i, to in enumerate(clause[1:-1], 1):
        if to.low != "to" or not (
            verb_lemma(clause[i - 1].low) in _INTENDING or clause[i - 1].low in _INTENDING
        ):
            continue
        verb = clause[i + 1]
        target = next((p for p in spoken if 0 <= p.tokens[0].start - verb.end <= NEAR), None)
        if verb.letter in "VN" and target is not None:
            yield FoundCue(f"{verb_lemma(verb.low)} {target.name}", "task", verb.start, target.tokens[-1].end)
            return


def time_cues(moment: Moment, start: int, end: int) -> Iterator[FoundCue]:
    """The cues of a time: a day gives itself and its month, a week its months, a year itself."""
    if moment.start is None or moment.end is None:
        return
    for name in _time_names(moment.start.date(), moment.end.date(), moment.precision):
        yield FoundCue(name, "time", start, end)


def _time_names(first: date, last: date, precision: str) -> Iterator[str]:
    if precision == "year":
        yield str(first.year)
        return
    if precision in ("day", "instant") and first == last:
        yield f"{first.day} {_month_name(first)}"
    yield _month_name(first)
    if precision != "unknown" and (first.year, first.month) != (last.year, last.month):
        yield _month_name(last)


def _month_name(day: date) -> str:
    return f"{_MONTHS[day.month - 1]} {day.year}"
