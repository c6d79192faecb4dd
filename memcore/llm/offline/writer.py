"""The extractive writer: RecMem's consolidation without a model. Nothing is phrased, sentences are chosen.

An episode is the most telling sentence or two of each passage, in the order of time and under its date;
facts are first-person statements the rules recognise. Every text it makes is labelled as extractive. What
a model would have been sent and would have returned is counted on the real prompts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from memcore.llm import prompts
from memcore.llm.offline.facts import find_facts
from memcore.records import MadeBy, Spent
from memcore.tokens import count
from memcore.words import normalise, terms
from memcore.writing import MOST_FACTS, EpisodeDraft, FactDraft, Passage, Reply

_T = TypeVar("_T")
LINES = 12  # of an episode: what is merged beyond them takes the place of what tells least
PER_PASSAGE = 2
LONGEST_LINE = 400
SHORTEST = 3  # words below which a sentence tells nothing
_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]*")
_DATED = re.compile(r"^\[[^\]]{1,20}\] ")


class _Said(NamedTuple):
    """A sentence that may be chosen: its words for comparing, and the line it becomes."""

    order: tuple[int, int]
    words: frozenset[str]
    line: str


class ExtractiveWriter:
    """Deterministic. The same passages give the same texts."""

    made_by: MadeBy = "rule"

    def merge(self, episode: str, passages: Sequence[Passage]) -> Reply[str | None]:
        """Belongs where it shares a word with the episode; then its best sentences join the lines."""
        told = set(terms(episode))
        fitting = [p for p in passages if told & {t for line in p.lines for t in terms(line.text)}]
        text = self._joined(episode, passages) if fitting else None
        reply = {"belongs": True, "text": text} if text else {"belongs": False}
        return _counted(text, prompts.merge(episode, passages), reply)

    def consolidate(self, passages: Sequence[Passage]) -> Reply[list[EpisodeDraft]]:
        """One episode that rests on all passages."""
        text = "\n".join(s.line for s in _most_telling(_sentences(passages), PER_PASSAGE, LINES))
        text = text or next((_dated(p, f"{who}: {said}") for p in passages for who, said in _spoken(p)), "")
        drafts = [EpisodeDraft(text, tuple(range(len(passages))))]
        reply = {"episodes": [{"text": text, "passages": [*range(len(passages))]}]}
        return _counted(drafts, prompts.consolidate(passages), reply)

    def refine(
        self, episode: str, passages: Sequence[Passage], known: Sequence[str]
    ) -> Reply[list[FactDraft]]:
        """Statements by the rules that are not known; those the episode does not hold come first."""
        seen = {normalise(text) for text in known}
        found = list(_facts(passages, seen))
        found.sort(key=lambda f: f.text in episode)
        drafts = found[:MOST_FACTS]
        reply = {"facts": [{"text": f.text, "passages": [*f.passages]} for f in drafts]}
        return _counted(drafts, prompts.refine(episode, passages, known), reply)

    def _joined(self, episode: str, passages: Sequence[Passage]) -> str:
        old = [
            _Said((-1, i), frozenset(terms(_DATED.sub("", line))), line)
            for i, line in enumerate(episode.split("\n"))
        ]
        there = {s.line for s in old}
        new = [s for s in _most_telling(_sentences(passages), PER_PASSAGE, LINES) if s.line not in there]
        return "\n".join(s.line for s in _most_telling([*old, *new], LINES, LINES))


def eager_bill(passage: Passage, known: Sequence[str]) -> tuple[Spent, ...]:
    """What a system that reads every unit with a model spends on this one: an extraction and an update.

    Counted on the same prompts by the same estimate. The extraction's reply is priced as the passage
    itself (its rewriting) and the facts the rules find; the cues and tags of a real reply are left out, to
    the advantage of the eager system. `known` are the memories that the update is shown.
    """
    asked = prompts.extract([passage])
    text = prompts.told([passage])
    facts = [f.text for f in _facts([passage], set())]
    new = [*facts, " ".join(line.text for line in passage.lines)]
    extraction = Spent("extract", asked.tokens, count(text) + sum(map(count, facts)))
    compared = prompts.update(new, known)
    return (extraction, Spent("update", compared.tokens, sum(count(t) + 12 for t in new)))


def _sentences(passages: Sequence[Passage]) -> list[_Said]:
    found: list[_Said] = []
    for i, passage in enumerate(passages):
        for j, (speaker, sentence) in enumerate(_spoken(passage)):
            words = frozenset(terms(sentence))
            if len(words) >= SHORTEST:
                found.append(_Said((i, j), words, _dated(passage, f"{speaker}: {sentence}")))
    return found


def _spoken(passage: Passage) -> Iterator[tuple[str, str]]:
    for line in passage.lines:
        for match in _SENTENCE.finditer(line.text):
            if sentence := " ".join(match.group().split())[:LONGEST_LINE]:
                yield line.speaker, sentence


def _dated(passage: Passage, line: str) -> str:
    return (
        f"[{prompts.day_of(passage.said)}] {line[:LONGEST_LINE]}"
        if passage.said.known
        else line[:LONGEST_LINE]
    )


def _most_telling(said: Sequence[_Said], each: int, most: int) -> list[_Said]:
    """At most `each` sentences of a passage and `most` in all: those whose words recur in most of the
    others, per word; in their order."""
    spread = Counter(word for s in said for word in s.words)
    best = sorted(said, key=lambda s: (-_weight(s.words, spread), s.order))
    taken: Counter[int] = Counter()
    chosen: list[_Said] = []
    for sentence in best:
        if len(chosen) < most and taken[sentence.order[0]] < each:
            taken[sentence.order[0]] += 1
            chosen.append(sentence)
    return sorted(chosen, key=lambda s: s.order)


def _weight(words: frozenset[str], spread: Counter[str]) -> float:
    return sum(spread[w] - 1 for w in words) / (5 + len(words))


def _facts(passages: Sequence[Passage], seen: set[str]) -> Iterator[FactDraft]:
    for i, passage in enumerate(passages):
        for line in passage.lines:
            for fact in find_facts(line.text, line.speaker) if line.role != "assistant" else ():
                text = line.text[fact.start : fact.end].strip()
                if text and normalise(text) not in seen:
                    seen.add(normalise(text))
                    yield FactDraft(text, (i,), line.turn_id, (fact.start, fact.end))


def _counted(value: _T, prompt: prompts.Prompt, reply: object) -> Reply[_T]:
    return Reply(value, prompt.tokens, count(json.dumps(reply, ensure_ascii=False)))
