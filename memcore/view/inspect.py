"""The panel of a node: what it is in one sentence, where it comes from, by what it is reached."""

from __future__ import annotations

from collections.abc import Mapping

from memcore.graph import Graph
from memcore.records import Content, Conversation, File, Record, Turn
from memcore.view.naming import content_name, counted, human_time
from memcore.view.panel import Link, Panel

HANDLES = 12
MADE = {
    "raw": "word for word from the conversation",
    "rule": "made by a rule",
    "model": "written by a model",
    "person": "written by hand",
}


def needed(graph: Graph, id_: str) -> list[str]:
    """The ids whose records `panel` wants: the node itself and its origin turns."""
    at = graph.content_index.get(id_)
    return [id_] if at is None else [id_, *graph.turns_of(at)]


def panel(graph: Graph, id_: str, records: Mapping[str, Record]) -> Panel | None:
    """None for an id that is no node (any more)."""
    if id_ in graph.cue_index:
        return _cue(graph, id_)
    if id_ in graph.tag_index:
        return _tag(graph, id_)
    content = records.get(id_)
    return _content(graph, content, records) if isinstance(content, Content) else None


def _cue(graph: Graph, id_: str) -> Panel:
    c, at = graph.columns, graph.cue_index[id_]
    contents, tags = graph.contents_of_cue(at)
    behind, bridges = len(set(contents.tolist())), len(set(tags.tolist()))
    reached = counted(behind, "memory", "memories")
    sentence = f"The cue “{c.cue_names[at]}” leads to {reached} through {counted(bridges, 'tag')}."
    through: list[int] = tags.tolist()
    seen = list(dict.fromkeys(c.tag_names[t] for t in through))[:HANDLES]
    rows = (("Kind", c.cue_kinds[at]), ("Relations", f"{graph.cue_degree(at):,}"), ("Tags", ", ".join(seen)))
    return Panel(sentence, rows=rows, raw={"id": id_, "key": c.cue_keys[at]})


def _tag(graph: Graph, id_: str) -> Panel:
    c, at = graph.columns, graph.tag_index[id_]
    contents: list[int] = graph.contents_of_tag(at).tolist()
    sentence = f"The tag “{c.tag_names[at]}” stands on {counted(len(contents), 'memory', 'memories')}."
    links = tuple(
        Link(content_name(graph, c.content_ids[i]), "", c.content_ids[i]) for i in contents[:HANDLES]
    )
    return Panel(sentence, chain=links, raw={"id": id_, "key": c.tag_keys[at]})


def _content(graph: Graph, content: Content, records: Mapping[str, Record]) -> Panel:
    origin = [r for t in content.origin if isinstance(r := records.get(t), Turn)]
    talk = records.get(content.conversation_id)
    file = records.get(talk.file_id) if isinstance(talk, Conversation) else None
    return Panel(
        f"{content_name(graph, content.id)}: a {content.layer}, {MADE[content.made_by]}.",
        chain=(Link("Memory", content.text, content.id), *_sources(origin, talk, file)),
        rows=(
            ("Happened", human_time(content.event)),
            ("Said", human_time(content.said)),
            ("Recorded", f"{content.recorded:%Y-%m-%d %H:%M} UTC" if content.recorded else "unknown"),
            ("Reached by", _handles(graph, content.id)),
        ),
        raw={"id": content.id, "revision": content.revision, "turns": list(content.origin)},
    )


def _sources(origin: list[Turn], talk: Record | None, file: Record | None) -> list[Link]:
    turns = [Link(f"Turn {t.source or t.position + 1}, {t.speaker}", t.text) for t in origin[:3]]
    talks = [Link("Conversation", talk.title or talk.source)] if isinstance(talk, Conversation) else []
    files = [Link("File", f"{file.name} ({file.format})")] if isinstance(file, File) else []
    return [*turns, *talks, *files]


def _handles(graph: Graph, id_: str) -> str:
    at = graph.content_index.get(id_)
    if at is None:
        return "nothing"
    c = graph.columns
    cues, tags = graph.handles_of(at)
    pairs = [
        f"{c.cue_names[q]} › {c.tag_names[t]}" for q, t in zip(cues.tolist(), tags.tolist(), strict=True)
    ]
    more = f" and {len(pairs) - HANDLES} more" if len(pairs) > HANDLES else ""
    return ", ".join(pairs[:HANDLES]) + more if pairs else "nothing: no cue leads here"
