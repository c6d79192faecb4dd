"""What the decisions over a batch of units write: units, episodes with earlier versions, facts, handles.

Nothing here decides anything; it turns what RecMem decided into records of one commit, under the
corrections that people made, and gives episodes and facts their handles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from memcore.absorbing.handles import Handles, differing
from memcore.construction import Built
from memcore.editing.corrections import Overlay
from memcore.records import Content, Correction, Cue, Record, Relation, Tag, Unit, Version, new_id, now
from memcore.shelf import Records
from memcore.tiers import Absorbed, Tiers


class Taken(NamedTuple):
    """Records of a commit: what construction built, as it is to be stored; what is new beside it; what
    stands in the store and changes; relations that go."""

    built: Built
    inserts: list[Record]
    upserts: list[Record]
    deletes: list[str]


def written(
    shelf: Records,
    tiers: Tiers,
    built: Built,
    steps: Iterable[Absorbed],
    before: Mapping[str, Content] | None = None,
) -> Taken:
    """The records of these decisions, which may be made while they are read.

    `before` are the episodes that were there before the first of them, where it was made already.
    """
    before = {**tiers.episodes} if before is None else before
    done, versions = _followed(steps, tiers, before)
    new = {a.unit.id for a in done}
    units = [tiers.units[a.unit.id] for a in done]
    moved = _moved(shelf, tiers, tiers.moved - new)
    facts = {f.id: f for a in done for f in a.facts}
    episodes = [tiers.episodes[i] for i in dict.fromkeys(e.id for a in done for e in a.episodes)]
    overlay = Overlay(shelf.corrections() if episodes or facts else [])
    merged, disputed = _under_corrections(overlay, tiers, before, [e for e in episodes if e.id in before])
    fresh = {c.id for c in built.contents if c.id in facts}
    raised = [f for f in facts.values() if f.revision > 1 and f.id not in fresh]
    made = [*(e for e in episodes if e.id not in before)]
    made += [f for f in facts.values() if f.revision == 1 and f.id not in fresh]
    relations, gone = _handles(shelf, overlay, built, made, merged)
    contents = [replace(facts[c.id], revision=1) if c.id in fresh else c for c in built.contents]
    inserts: list[Record] = [*units, *made, *versions, *relations]
    return Taken(built._replace(contents=contents), inserts, [*moved, *merged, *raised, *disputed], gone)


def _followed(
    steps: Iterable[Absorbed], tiers: Tiers, before: Mapping[str, Content]
) -> tuple[list[Absorbed], list[Version]]:
    """All decisions, and each episode as it was before it was merged into."""
    tiers.moved.clear()
    shown = {**before}
    done: list[Absorbed] = []
    versions: list[Version] = []
    for absorbed in steps:
        done.append(absorbed)
        over = [shown[e.id] for e in absorbed.episodes if e.id in shown]
        versions += [Version(new_id(), e.id, e.text, e.revision, now()) for e in over]
        shown |= {e.id: e for e in absorbed.episodes}
    return done, versions


def _moved(shelf: Records, tiers: Tiers, ids: Iterable[str]) -> list[Unit]:
    """Units that arrived earlier and are in another state now."""
    stored = {u.id: u for u in shelf.get(ids).values() if isinstance(u, Unit)}
    return [
        replace(u, state=tiers.units[i].state, episodes=tiers.units[i].episodes, revision=u.revision + 1)
        for i, u in stored.items()
    ]


def _under_corrections(
    overlay: Overlay, tiers: Tiers, before: Mapping[str, Content], merged: Sequence[Content]
) -> tuple[list[Content], list[Correction]]:
    """An episode whose text a person corrected keeps it, and lies where that text does; what the writer
    says now is listed as disputed."""
    contents: list[Content] = []
    disputed: list[Correction] = []
    for content in merged:
        corrections = overlay.of(content.id, "text")
        disputed += [replace(c, disputed=content.text, revision=c.revision + 1) for c in corrections]
        if corrections:
            stood = before[content.id]
            content = replace(content, text=stood.text, vector=stood.vector)
            tiers.take_in(content)
        contents.append(content)
    return contents, disputed


def _handles(
    shelf: Records, overlay: Overlay, built: Built, made: Sequence[Content], merged: Sequence[Content]
) -> tuple[list[Relation], list[str]]:
    """Relations of episodes and facts, out of those of the turns they rest on. A merged episode gets those
    it does not have yet, and loses what its text no longer names, unless a person had a hand in it."""
    if not made and not merged:
        return [], []
    read = _by_turn(shelf, built, {t for c in (*made, *merged) for t in c.origin})
    handles = Handles(overlay, _nodes(shelf, built, [r for its in read.values() for r in its]))
    said: list[Relation] = []
    for content in (*made, *merged):
        own = [r for t in content.origin for r in read.get(t, ()) if r.content_id != content.id]
        said += handles.of(content, own)
    there = shelf.relations_of(*(c.id for c in merged), end="content_id") if merged else []
    new, unsaid = differing(said, there)
    return new, [r.id for r in unsaid if not overlay.by_person(r)]


def _by_turn(shelf: Records, built: Built, turns: Iterable[str]) -> dict[str, list[Relation]]:
    read: dict[str, list[Relation]] = {}
    for relation in (*built.relations, *shelf.relations_of(*turns, end="turn_id")):
        read.setdefault(relation.turn_id, []).append(relation)
    return read


def _nodes(shelf: Records, built: Built, relations: Iterable[Relation]) -> dict[str, Cue | Tag]:
    """The cues and tags of relations, stored or about to be."""
    ids = {i for r in relations for i in (r.cue_id, r.tag_id)}
    found: dict[str, Record] = {n.id: n for n in (*built.cues, *built.tags) if n.id in ids}
    found |= shelf.get(ids - {*found})
    return {n.id: n for n in found.values() if isinstance(n, Cue | Tag)}
