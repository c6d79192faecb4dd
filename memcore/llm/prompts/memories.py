"""What is asked when memories are made: reading a unit, episodes, facts, and an eager system's update."""

from __future__ import annotations

from collections.abc import Sequence

from memcore.llm.prompts.parts import DATA, Prompt, fenced, indented, numbered, told
from memcore.writing import Passage

_MERGE = f"""Decide whether the new passages continue the topic of the episode. If they do not, answer
{{"belongs": false}}. If they do, answer {{"belongs": true, "text": "..."}} with the whole episode rewritten
so that it tells them too: at most twelve sentences in the order of time, names instead of pronouns,
absolute dates, nothing that was not said. {DATA}"""

_CONSOLIDATE = f"""These numbered passages keep coming back to one topic. Write one to three episodes, each
a few coherent sentences that say how its topic developed over time: names instead of pronouns, absolute
dates, nothing that was not said. Answer {{"episodes": [{{"text": "...", "passages": [0, 1]}}]}}, with the
numbers of the passages each tells of. {DATA}"""

_REFINE = f"""List atomic facts of the passages that are worth keeping on their own: constraints,
preferences, updates with their date, relations between people and things. Prefer what the episode
dropped; leave out what is known already, unless it changed: then state the change with its date. Fewer
than ten, one sentence each. Answer {{"facts": [{{"text": "...", "passages": [0]}}]}}. {DATA}"""

_EXTRACT = f"""Rewrite the passage and index it for retrieval.
1. text: the passage rewritten as third-person sentences that stand on their own. Replace pronouns by
names and relative times by absolute dates, counted from the date of the passage; keep every detail, add
nothing.
2. cues: what somebody could later ask by. Each has a name as it is written and one kind of: people,
entity, location, time, event, task, topic, verb. People are always cues, also the speakers. A time is a
day, a month or a year, written as in "7 May 2023".
3. tags: for each cue one or more short noun phrases (two to six words) that say what the passage tells of
that cue, so that somebody who knows only the cue can choose the right passage without reading it. A tag
names the aspect and not the answer; two cues of one clause share its tag.
4. facts: lasting statements about a person (who they are, what they like, own, do, plan), one sentence
each, with the name of the person.
5. event: when what is told happened, as ISO dates from and to, or null where nothing says so.
Answer {{"text": "...", "cues": [{{"name": "...", "kind": "..."}}], "pairs": [{{"cue": 0, "tag": "..."}}],
"facts": [{{"person": "...", "text": "..."}}], "event": null}}. Example for the data
"[8 May 2023] Ada: I adopted a beagle yesterday, Rex. He keeps me up at night.":
{{"text": "Ada adopted a beagle called Rex on 7 May 2023. Rex keeps Ada up at night.", "cues":
[{{"name": "Ada", "kind": "people"}}, {{"name": "Rex", "kind": "entity"}}, {{"name": "beagle", "kind":
"entity"}}, {{"name": "7 May 2023", "kind": "time"}}], "pairs": [{{"cue": 0, "tag": "adopted dog"}}, {{"cue":
1, "tag": "dog's breed and owner"}}, {{"cue": 1, "tag": "restless nights"}}, {{"cue": 2, "tag": "adopted
dog"}}, {{"cue": 3, "tag": "adoption day"}}], "facts": [{{"person": "Ada", "text": "Ada has a beagle called
Rex."}}], "event": ["2023-05-07", "2023-05-07"]}}. {DATA}"""

_UPDATE = f"""Compare each new memory with the numbered ones that are already kept and decide what to do
with it: "add" when none says it, "update" when one says less or something older of the same (give its
number and the text that replaces it, keeping what still holds, with dates), "delete" when it contradicts
one that no longer holds (give the number), "none" when one says it already. Answer {{"memories": [{{"new":
0, "do": "add", "old": null, "text": "..."}}]}}, one entry for every new memory. {DATA}"""


def merge(episode: str, passages: Sequence[Passage]) -> Prompt:
    """Does this belong to the episode, and how does the episode read with it?"""
    return Prompt(_MERGE, fenced(("episode", indented(episode)), ("new passages", told(passages))))


def consolidate(passages: Sequence[Passage]) -> Prompt:
    """Recurring passages into one to three episodes."""
    return Prompt(_CONSOLIDATE, fenced(("passages", told(passages))))


def refine(episode: str, passages: Sequence[Passage], known: Sequence[str]) -> Prompt:
    """Facts that the episode dropped and nobody knows yet."""
    return Prompt(
        _REFINE,
        fenced(
            ("episode", indented(episode)), ("passages", told(passages)), ("known facts", numbered(known))
        ),
    )


def extract(passages: Sequence[Passage]) -> Prompt:
    """Construction of one unit: rewriting, cues, tags, facts, event time. What an eager system asks."""
    return Prompt(_EXTRACT, fenced(("passage", told(passages))))


def update(new: Sequence[str], known: Sequence[str]) -> Prompt:
    """New memories against the nearest old ones. The second call of an eager system."""
    return Prompt(_UPDATE, fenced(("new memories", numbered(new)), ("kept", numbered(known))))
