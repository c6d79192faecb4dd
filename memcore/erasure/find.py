"""Finding everything about a person, a text, a topic, a time, a conversation: what is to be erased.

    what is wanted  ->  hits, which are chosen, and near matches, which a person looks through first

A hit names a record and what of it is meant: all of it ("whole"), only the words it carries beside its own
purpose ("words": a title, a label), an earlier version in the journal ("image") or somebody's reason for an
edit ("reason"). Nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from memcore.erasure.spelling import names, spelled
from memcore.erasure.timed import matching
from memcore.erasure.wanted import Wanted
from memcore.errors import InputError
from memcore.records import AgentRun, Conversation, File
from memcore.shelf import Records
from memcore.words import fold, normalise, seen

Part = Literal["whole", "words", "image", "reason"]
Why = Literal[
    "text",  # the text stands in it
    "pattern",
    "person",  # said by this person, or this person's cue
    "cue",
    "tag",
    "reached",  # reached by the cue or tag
    "time",
    "conversation",
    "file",
    "trace",
    "run",
    "named",  # named by its id
    "spelling",  # near: nearly the same word
    "other_form",  # near: the same word in another form, as with another particle
    "alias",  # near: another name of what was asked for
    "mention",  # near: somebody else speaks of the person
    "across",  # near: the text begins in one turn and ends in the next
    "similar",  # near: much like the example
]
ONLY_WORDS = ("conversation", "file", "run", "step", "mark", "unit", "receipt")
_BESIDE = {"correction": ("reason", "author")}
SHOWN = 300  # characters of a text that a hit carries for whoever looks it through


class Holding(Protocol):
    """A piece of text in the store (see store.holdings)."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def part(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def of(self) -> str: ...
    @property
    def talk(self) -> str: ...
    @property
    def at(self) -> int | None: ...
    @property
    def said(self) -> datetime | None: ...


class Shelf(Records, Protocol):
    """What finding needs of a store (see store.Scope)."""

    def holdings(self) -> Iterator[Holding]: ...

    def files(self) -> list[File]: ...

    def conversations(self) -> list[Conversation]: ...

    def agent_runs(self) -> list[AgentRun]: ...


class Hit(NamedTuple):
    """A record, what of it is meant, why, and the words for whoever looks it through.

    `of` is the record of which an earlier version is meant; `field` where the words stand. `said` are the
    words themselves that were looked for, which a redaction replaces; none where a whole record is meant.
    """

    id: str
    kind: str
    part: Part
    why: Why
    field: str = ""
    text: str = ""
    of: str = ""
    score: float = 1.0
    said: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.id, self.of, self.field if self.part == "words" else self.part)


class Found(NamedTuple):
    """`hits` are what was asked for; `near` what may be meant too and is to be chosen by hand."""

    hits: tuple[Hit, ...]
    near: tuple[Hit, ...] = ()


def hit_of(held: Holding, why: Why, score: float = 1.0, said: tuple[str, ...] = ()) -> Hit:
    """What a found text means for the record it is in; `said` are the words found."""
    part: Part = "whole"
    if held.kind == "change":
        part = "image" if held.of else "reason"
    elif held.kind in ONLY_WORDS or held.part in _BESIDE.get(held.kind, ()):
        part = "words"
    return Hit(held.id, held.kind, part, why, held.part, held.text[:SHOWN], held.of, score, said)


def once(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Each record and part once, in the order found, with all words that were found in it."""
    found: dict[tuple[str, str, str], Hit] = {}
    for hit in hits:
        first = found.setdefault(hit.key, hit)
        if not {*hit.said} <= {*first.said}:
            found[hit.key] = first._replace(said=tuple(dict.fromkeys((*first.said, *hit.said))))
    return tuple(found.values())


def hits(shelf: Shelf, wanted: Wanted, held: Sequence[Holding], seconds: float) -> list[Hit]:
    """Everything that is meant outright. Raises InputError for nothing, or a name that is nobody's."""
    if wanted.empty:
        raise InputError("Say what is to be found: a text, a person, a conversation, a time.")
    inside = within(shelf, wanted, held)
    found = [
        *_named(shelf, wanted),
        *_by_words(wanted, held, inside, seconds),
        *_by_nodes(shelf, wanted, held),
    ]
    found += _by_person(wanted, held, inside)
    if not (wanted.text or wanted.pattern or wanted.cue or wanted.tag or wanted.like or wanted.person):
        found += _by_place(shelf, wanted, held, inside)
    return found


def within(shelf: Shelf, wanted: Wanted, held: Iterable[Holding]) -> Callable[[Holding], bool]:
    """Whether a text lies in the conversation, file, run and time that narrow a search, and where words are
    looked for, with the person who narrows it too."""
    talks = _talks(shelf, wanted)
    speakers = _speakers(held) if wanted.person and (wanted.text or wanted.pattern) else None
    who = normalise(wanted.person)

    def fits(held: Holding) -> bool:
        if talks is not None and held.talk not in talks and held.id not in talks:
            return False
        if speakers is not None and speakers.get(held.id) != who:
            return False
        if held.said is None:
            return not wanted.timed
        day = held.said.date()
        return not ((wanted.since and day < wanted.since) or (wanted.until and day > wanted.until))

    return fits


def _talks(shelf: Shelf, wanted: Wanted) -> set[str] | None:
    """The conversations and runs that are meant; None for all."""
    if not (wanted.conversation or wanted.file or wanted.run):
        return None
    files = {f.id for f in _files(shelf, wanted)}
    talks = {
        c.id
        for c in shelf.conversations()
        if (wanted.conversation and wanted.conversation in (c.id, c.title, c.source)) or c.file_id in files
    }
    runs = {
        r.id
        for r in shelf.agent_runs()
        if (wanted.run and wanted.run in (r.id, r.title, r.source)) or r.file_id in files
    }
    if not talks | runs | files:
        raise InputError("There is no conversation, file or run of this name in the memory.")
    return talks | runs


def _files(shelf: Shelf, wanted: Wanted) -> list[File]:
    return [f for f in shelf.files() if wanted.file in (f.id, f.name)] if wanted.file else []


def _named(shelf: Shelf, wanted: Wanted) -> Iterator[Hit]:
    records = shelf.get(wanted.ids)
    for id_, record in records.items():
        yield Hit(id_, record.kind, "whole", "named")
    if wanted.trace:
        yield Hit(wanted.trace, "trace", "whole", "trace")


def _by_words(
    wanted: Wanted, held: Sequence[Holding], inside: Callable[[Holding], bool], seconds: float
) -> Iterator[Hit]:
    if wanted.text:
        text = fold(wanted.text)
        asked = (wanted.text,)
        yield from (hit_of(h, "text", said=asked) for h in held if text in fold(h.text) and inside(h))
    if wanted.pattern:
        candidates = [h for h in held if inside(h)]
        for at, said in matching(wanted.pattern, [seen(h.text) for h in candidates], seconds):
            yield hit_of(candidates[at], "pattern", said=said)


def _speakers(held: Iterable[Holding]) -> dict[str, str]:
    return {h.id: normalise(h.text) for h in held if h.part == "speaker" and h.kind in ("turn", "content")}


def _by_nodes(shelf: Shelf, wanted: Wanted, held: Sequence[Holding]) -> Iterator[Hit]:
    """The cue or tag of this name, and what it leads to."""
    for kind, name in (("cue", wanted.cue), ("tag", wanted.tag)):
        if not name:
            continue
        key = normalise(name)
        nodes = [h for h in held if h.kind == kind and h.part == "name" and normalise(h.text) == key]
        if not nodes:
            raise InputError(f"There is no {kind} called {name[:80]!r} in this memory.")
        yield from (hit_of(h, "cue" if kind == "cue" else "tag", said=(h.text,)) for h in nodes)
        reached = {r.content_id for r in shelf.relations_of(*(h.id for h in nodes), end=f"{kind}_id")}
        yield from (hit_of(h, "reached") for h in held if h.id in reached and h.part == "text")


def _by_person(wanted: Wanted, held: Sequence[Holding], inside: Callable[[Holding], bool]) -> Iterator[Hit]:
    """What the person said, the cue of the person, and what was asked about the person."""
    if not wanted.person or wanted.text or wanted.pattern or wanted.like:
        return
    who = normalise(wanted.person)
    narrowed = replace(wanted, person="") != Wanted()
    for h in held:
        spoke = h.kind == "turn" and h.part == "speaker" and normalise(h.text) == who and inside(h)
        if spoke or (not narrowed and _of_person(h, who)):
            yield hit_of(h, "person", said=spelled(h.text, who))


def _of_person(h: Holding, who: str) -> bool:
    """The cue of the person, earlier versions that bear the name, questions and receipts that name the
    person."""
    if h.kind in ("trace", "receipt"):
        return names(h.text, who)
    named = h.part in ("name", "speaker", "author") if h.kind == "change" else h.part == "name"
    return h.kind in ("change", "cue", "tag") and named and normalise(h.text) == who


def _by_place(
    shelf: Shelf, wanted: Wanted, held: Sequence[Holding], inside: Callable[[Holding], bool]
) -> Iterator[Hit]:
    """Whole conversations, files and runs, or all that was said in a time."""
    if not wanted.timed:
        runs = {r.id for r in shelf.agent_runs()}
        for id_ in _talks(shelf, wanted) or ():
            kind = "run" if id_ in runs else "conversation"
            yield Hit(id_, kind, "whole", "file" if wanted.file else kind)
        for file in _files(shelf, wanted):
            yield Hit(file.id, "file", "whole", "file", "name", file.name)
        return
    yield from (hit_of(h, "time") for h in held if h.kind == "turn" and h.part == "text" and inside(h))
    steps = (h for h in held if h.kind == "step" and h.part == "text" and inside(h))
    yield from (hit_of(h, "time")._replace(part="whole") for h in steps)
