"""Construction: dialogue -> cues and tags of a clause -> contents -> one node per name -> triples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from building import TOWN, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.construction import Built, construct, segments_of, shown_text
from memcore.extraction import Extraction, FoundCue
from memcore.llm.offline.embedder import NoEmbedder
from memcore.llm.offline.extractor import RuleExtractor
from memcore.records import Content, Turn
from memcore.settings import DEFAULT
from memcore.triples import Names
from memcore.words import normalise


class Lengths:
    """An embedder that says how long a text is: enough to see what was embedded."""

    name, fingerprint, dimension = "lengths", "1", 2

    def embed(self, texts: list[str]) -> np.ndarray:
        return np.array([[len(t), 1] for t in texts], np.float32).reshape(len(texts), 2)

    def covers(self, text: str) -> bool:
        return text.isascii()


def build(said: list[Turn], names: Names | None = None, embedder: object = None) -> Built:
    model = embedder or NoEmbedder()
    return construct(said, names or Names(), RuleExtractor(), model, DEFAULT)  # type: ignore[arg-type]


def test_a_cue_is_paired_with_the_tags_of_its_clause_only() -> None:
    said = turns([("Ann", "Felix sold his sailing boat. Dr. Okafor grows purple orchids.")])
    found = RuleExtractor().extract(said)[0]
    boat_clause, tags = said[0].text.index("Dr. Okafor"), [t.casefold() for t in found.tags]
    assert any("boat" in t for t in tags) and any("orchid" in t for t in tags)
    for cue, tag in found.pairs:
        start, end, name = found.cues[cue].start, found.cues[cue].end, tags[tag]
        if end > start and start < boat_clause:
            assert "orchid" not in name, found.cues[cue]
        if end > start and start >= boat_clause:
            assert "boat" not in name and "sail" not in name, found.cues[cue]


def test_every_relation_joins_a_pair_of_the_extraction() -> None:
    said, names = turns(), Names()
    built = build(said, names)
    found = dict(zip((t.id for t in said), RuleExtractor().extract(said), strict=True))
    cue_names, tag_names = {c.id: c.name for c in built.cues}, {t.id: t.name for t in built.tags}
    layers = {c.id: c.layer for c in built.contents}
    keys = {v: k for k, v in names.cues.items()}, {v: k for k, v in names.tags.items()}
    for relation in built.relations:
        if layers[relation.content_id] == "topic":
            continue
        extraction = found[relation.turn_id]
        pairs = {(extraction.cues[c].name, extraction.tags[t]) for c, t in extraction.pairs}
        assert (keys[0][relation.cue_id], keys[1][relation.tag_id]) in {
            (normalise(c), normalise(t)) for c, t in pairs
        }
    assert set(cue_names) >= {r.cue_id for r in built.relations}
    assert set(tag_names) >= {r.tag_id for r in built.relations}


def test_the_speaker_is_always_a_cue_of_what_is_said() -> None:
    said = turns()
    built = build(said)
    ann = next(c.id for c in built.cues if c.key == "ann")
    spoken = {r.content_id for r in built.relations if r.cue_id == ann}
    assert {c.id for c in built.contents if c.layer == "turn" and c.speaker == "Ann"} <= spoken


@given(st.text(alphabet="ab .!?\n한。", max_size=200), st.integers(1, 30))
@settings(max_examples=200, deadline=None)
def test_segments_of_a_long_turn_cover_it_without_gap(text: str, limit: int) -> None:
    spans = segments_of(text, limit)
    if len(text) <= limit:
        assert spans == []
    else:
        assert "".join(text[a:b] for a, b in spans) == text
        assert all(0 < b - a <= limit for a, b in spans)


@pytest.mark.parametrize("lead", ["", "   \n"])
def test_a_long_turn_becomes_segments_and_each_has_the_cues_that_stand_in_it(lead: str) -> None:
    filler = "It rained and we stayed at home for the whole day. " * 30
    text = f"{lead}{filler}Then Saffron went to Reykjavik. {filler}"
    said = [replace(turns()[0], text=text)]
    built = build(said)
    segments = [c for c in built.contents if c.layer == "turn"]
    assert len(segments) > 1
    assert {c.origin for c in segments} == {(said[0].id,)}
    assert "".join(c.text for c in segments) == text
    for content in segments:
        assert content.span is not None
        assert text[slice(*content.span)] == content.text
    there = next(c.id for c in built.cues if c.key == "reykjavik")
    reached = {r.content_id for r in built.relations if r.cue_id == there}
    assert reached & {c.id for c in segments} == {c.id for c in segments if "Reykjavik" in c.text}


def test_folded_turns_and_alternatives_are_no_memory() -> None:
    first, second, third, *_ = turns()
    said = [replace(first, folded=True), replace(second, branch="b2"), third, replace(third, text="  ")]
    built = build(said)
    assert {t for c in built.contents for t in c.origin} == {third.id}
    assert {r.turn_id for r in built.relations} == {third.id}


def test_an_attachment_is_read_with_its_turn() -> None:
    said = [replace(turns()[0], text="", attachments=("photo: a red kite",))]
    assert [c.text for c in build(said).contents if c.layer == "turn"] == ["[photo: a red kite]"]
    assert shown_text(replace(said[0], text="Look!")) == "Look! [photo: a red kite]"


def test_there_is_one_node_per_normalised_name_over_two_calls() -> None:
    names, said = Names(), turns()
    first, second = build(said[:6], names), build([*said[6:], *turns()], names)
    for made in ((first.cues, second.cues), (first.tags, second.tags)):
        keys = [node.key for part in made for node in part]
        assert len(keys) == len(set(keys))
    assert {c.key for c in (*first.cues, *second.cues)} == set(names.cues)
    known = {c.id for c in (*first.cues, *second.cues)}
    assert {r.cue_id for r in (*first.relations, *second.relations)} <= known


def test_a_triple_is_there_once() -> None:
    triples = [(r.cue_id, r.tag_id, r.content_id) for r in build(turns()).relations]
    assert len(triples) == len(set(triples))


def test_zero_model_mode_has_no_vectors() -> None:
    built = build(turns())
    assert {r.vector is None for part in built[:3] for r in part} == {True}


def test_contents_are_embedded_with_their_speaker_and_times_are_not_embedded() -> None:
    said = [*turns(), replace(turns()[0], text="고양이가 좋아")]
    built = build(said, embedder=Lengths())
    for content in built.contents:
        text = f"{content.speaker}: {content.text}" if content.speaker else content.text
        assert (content.vector is None) == (not text.isascii())
        assert content.vector is None or content.vector[0] == len(text)
    assert {c.vector is None for c in built.cues if c.cue_kind == "time"} == {True}
    assert all(c.vector is not None for c in built.cues if c.cue_kind != "time" and c.name.isascii())


@given(st.lists(st.sampled_from([text for _, text in TOWN]), min_size=1, max_size=4), st.booleans())
@settings(max_examples=25, deadline=None)
def test_fact_spans_lie_inside_the_turn(texts: list[str], space: bool) -> None:
    text = ("  " if space else "") + " ".join([*texts, "I love jazz.", "I work as a nurse."])
    said = [replace(turns()[0], text=text)]
    facts = [c for c in build(said).contents if c.layer == "fact"]
    assert facts
    for fact in facts:
        assert fact.span is not None and 0 <= fact.span[0] < fact.span[1] <= len(text)
        assert fact.text == text[slice(*fact.span)].strip() and fact.made_by == "rule"


def test_event_time_and_conversation_time_are_two_fields() -> None:
    said = turns()
    felix = next(c for c in build(said).contents if "glaze a bowl" in c.text and c.layer == "turn")
    assert felix.said == said[6].said
    assert felix.event.start is not None and felix.said.start is not None
    assert felix.said.start.toordinal() - felix.event.start.toordinal() == 1


def test_a_topic_rests_on_the_turns_it_sums_up() -> None:
    said = turns([("Ann", "The marathon was hot."), ("Bo", "A marathon needs water."), ("Ann", "Marathon!")])
    ids = {t.id for t in said}
    topics = [c for c in build(said).contents if c.layer == "topic"]
    assert topics
    assert all(set(t.origin) <= ids and len(t.origin) >= 2 for t in topics)


class Nameless:
    """Cues whose names are only punctuation have no key and give no node."""

    def extract(self, said: list[Turn]) -> list[Extraction]:
        return [Extraction((FoundCue("?!", "topic", 0, 2),), ("...",), ((0, 0),)) for _ in said]

    def topics(self, said: list[Turn], found: list[Extraction]) -> list[object]:
        return []


def test_a_name_of_punctuation_gives_no_node() -> None:
    built = construct(turns(), Names(), Nameless(), NoEmbedder(), DEFAULT)  # type: ignore[arg-type]
    assert built[1:] == ([], [], [])
    assert {type(c) for c in built.contents} == {Content}


def test_a_preposition_at_the_head_of_a_sentence_is_no_part_of_a_name() -> None:
    said = turns([("Ann", "In Madrid it was hot."), ("Bo", "With Ann gone, Felix cried.")])
    keys = {c.key for c in build(said).cues}
    assert {"madrid", "felix"} <= keys
    assert not {"in madrid", "with ann"} & keys
