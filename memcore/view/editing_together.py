"""What one edit is made on at once: the nodes selected, or those that the filters single out, by kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memcore.graph import Graph
from memcore.view.editing import kind_of
from memcore.view.neighbourhood import Filters, passing

Groups = dict[str, tuple[str, ...]]  # ids by kind of record, none of them empty


def selected(graph: Graph, picked: Iterable[str]) -> Groups:
    """The nodes picked, by kind."""
    groups: dict[str, list[str]] = {"cue": [], "tag": [], "content": []}
    for node in picked:
        if kind := kind_of(graph, node):
            groups[kind].append(node)
    return {kind: tuple(ids) for kind, ids in groups.items() if ids}


def let_through(graph: Graph, wanted: Filters) -> Groups:
    """Cues where kinds of cue are asked for, memories where layer, speaker or day are; with both, those
    that a relation joins."""
    columns = graph.columns
    narrowed = bool(replace(wanted, kinds=()))
    contents = passing(graph, columns.content_ids, wanted) if narrowed else []
    cues = [at for at, kind in enumerate(columns.cue_kinds) if kind in wanted.kinds]
    if cues and narrowed:
        cues, contents = _joined(graph, cues, contents)
    elif wanted.kinds:
        contents = []
    groups = {"cue": tuple(columns.cue_ids[at] for at in cues), "content": tuple(contents)}
    return {kind: ids for kind, ids in groups.items() if ids}


def _joined(graph: Graph, cues: Iterable[int], contents: Iterable[str]) -> tuple[list[int], list[str]]:
    """Those of the cues and of the contents between which there is a relation."""
    through = {graph.content_index[id_]: id_ for id_ in contents}
    reached = {cue: through.keys() & graph.contents_of_cue(cue)[0].tolist() for cue in cues}
    met = set[int]().union(*reached.values())
    return [cue for cue, behind in reached.items() if behind], [i for at, i in through.items() if at in met]
