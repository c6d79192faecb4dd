"""The panel of a node: what it is in one sentence, where it comes from, by what it is reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memcore.graph import Graph
from memcore.records import Content, Conversation, File, Record, Turn
from memcore.view.naming import an, content_name, counted, made_by_whom
from memcore.view.panel import Link, Panel
from memcore.view.times import instant, shown

HANDLES = 12
TURNS = 3
MADE = {
    "raw": "word for word from the conversation",
    "rule": "made by a rule",
    "model": "written by a model",
    "person": "written by hand",
    "chosen": "extractive: its sentences were chosen, not phrased",
}


def needed(graph: Graph, id_: str) -> list[str]:
    """The ids whose records `panel` wants: the node itself and its origin turns."""
    at = graph.content_index.get(id_)
    return [id_] if at is None else [id_, *graph.turns_of(at)]


def panel(graph: Graph, id_: str, records: Mapping[str, Record], zone: str = "") -> Panel | None:
    """None for an id that is no node (any more). `zone` is the reader's, for times that have one."""
    if id_ in graph.cue_index:
        return _cue(graph, id_)
    if id_ in graph.tag_index:
        return _tag(graph, id_)
    content = records.get(id_)
    return _content(graph, content, records, zone) if isinstance(content, Content) else None


def _cue(graph: Graph, id_: str) -> Panel:
    c, at = graph.columns, graph.cue_index[id_]
    contents, tags = graph.contents_of_cue(at)
    leading: list[int] = tags.tolist()
    through = Counter(leading)
    reached = counted(len(set(contents.tolist())), "memory", "memories")
    near = [Link(c.tag_names[tag], f"{n:,}", c.tag_ids[tag]) for tag, n in through.most_common()]
    return Panel(
        f"The cue “{c.cue_names[at]}” leads to {reached} through {counted(len(through), 'tag')}.",
        near_title="Leads on through (relations each)",
        near=tuple(near[:HANDLES]),
        more=max(0, len(near) - HANDLES),
        rows=(("Kind", c.cue_kinds[at]), ("Relations", f"{graph.cue_degree(at):,}")),
        raw={"id": id_, "key": c.cue_keys[at]},
    )


def _tag(graph: Graph, id_: str) -> Panel:
    c, at = graph.columns, graph.tag_index[id_]
    contents: list[int] = graph.contents_of_tag(at).tolist()
    near = [Link(content_name(graph, c.content_ids[i]), "", c.content_ids[i]) for i in contents]
    return Panel(
        f"The tag “{c.tag_names[at]}” stands on {counted(len(contents), 'memory', 'memories')}.",
        near_title="Stands on",
        near=tuple(near[:HANDLES]),
        more=max(0, len(near) - HANDLES),
        raw={"id": id_, "key": c.tag_keys[at]},
    )


def _content(graph: Graph, content: Content, records: Mapping[str, Record], zone: str) -> Panel:
    origin = [r for t in content.origin if isinstance(r := records.get(t), Turn)]
    talk = records.get(content.conversation_id)
    file = records.get(talk.file_id) if isinstance(talk, Conversation) else None
    near = _handles(graph, content.id)
    return Panel(
        f"{content_name(graph, content.id)}: {an(content.layer)}, {_made(content)}.",
        chain=(
            Link(f"Memory, {made_by_whom(content)}".removesuffix(", "), content.text),
            *_sources(content, origin, talk, file),
        ),
        near_title="Reached by" if near else "No cue leads here: an active reconstruction cannot reach it.",
        near=tuple(near[:HANDLES]),
        more=max(0, len(near) - HANDLES),
        rows=(
            ("Happened", shown(content.event, zone)),
            ("Said", shown(content.said, zone)),
            ("Recorded", instant(content.recorded, zone) if content.recorded else "unknown"),
        ),
        raw={"id": content.id, "revision": content.revision, "turns": list(content.origin)},
    )


def _made(content: Content) -> str:
    """Of what came of recurring units, from how many; the rule that made it only chooses sentences."""
    if not content.units:
        return MADE[content.made_by]
    rests = f"from {counted(len(content.units), 'recurring unit')}"
    return f"{rests}, {MADE['chosen' if content.made_by == 'rule' else content.made_by]}"


def _sources(
    content: Content, origin: Sequence[Turn], talk: Record | None, file: Record | None
) -> list[Link]:
    """Turns, conversation and file. A turn that says just what the memory says is not printed twice."""
    turns = [
        Link(f"Turn {t.source or t.position + 1}, {t.speaker}", t.text * (t.text != content.text), turn=t.id)
        for t in origin[:TURNS]
    ]
    more = [Link(f"and {counted(len(origin) - TURNS, 'more turn')}")] * (len(origin) > TURNS)
    talks = [Link("Conversation", talk.title or talk.source)] if isinstance(talk, Conversation) else []
    files = [Link("File", f"{file.name} ({file.format})")] if isinstance(file, File) else []
    return [*turns, *more, *talks, *files]


def _handles(graph: Graph, id_: str) -> list[Link]:
    """Each cue with the tag it is paired with, to be opened by the cue."""
    at = graph.content_index.get(id_)
    if at is None:
        return []
    c = graph.columns
    cues, tags = graph.handles_of(at)
    pairs = zip(cues.tolist(), tags.tolist(), strict=True)
    return [Link(c.cue_names[cue], c.tag_names[tag], c.cue_ids[cue]) for cue, tag in pairs]
