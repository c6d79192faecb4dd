"""Simple first-person statements as facts, by patterns: what somebody says of themselves outright.

A statement in a question, a condition or somebody else's mouth is none. A negated liking is a dislike;
any other negated statement is left out. The fact is the sentence it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memcore.extraction import FoundFact

LONGEST_SENTENCE = 400


class Pattern(NamedTuple):
    """An aspect, and where its statement begins; "{0}" in the aspect is the pattern's first group."""

    aspect: str
    pattern: re.Pattern[str]


_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]*")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_DOUBTFUL = re.compile(
    r"\b(?:if|would|wish|could|might|imagine|pretend|suppose|used to|almost|i'd|when i grow|should have|"
    r"supposed to)\b"
)
# A cheap way past most sentences: every pattern needs one of these.
_SELF = re.compile(
    r"\bmy (?:\w+ )?(?:\w+ )?\w+(?:'s|,| is| are| has| works| lives| include| would)"
    r"|\bi(?:'m|'ve)? (?:\w+ )?(?:\w+ )?"
    r"(?:an?|am|work|working|liv|moved|was born|from|come|grew|stud|married|engaged|divorced|single|hate|"
    r"dislike|can|don't|not|love|like|enjoy|adore|into|fond|passionate|keen|prefer|allergic|have|own|got|two|"
    r"three|four|adopted)"
)
_I = r"(?:^|[,;–—-] ?|\b(?:and|but|so|because|well|yeah|yes|also|actually|honestly|plus) )i"
_MUCH = r"(?: (?:really|absolutely|just|also|still|totally|truly|always|actually|now|do|currently|so|both))*"
_KIN = (
    r"mom|mum|mother|dad|father|sister|brother|son|daughter|husband|wife|partner|boyfriend|girlfriend|fianc[eé]e?|"
    r"aunt|uncle|cousin|niece|nephew|grandma|grandpa|grandmother|grandfather|best friend|roommate|boss"
)
_PET = r"dogs?|cats?|puppy|puppies|kittens?|pets?|hamster|rabbit|horse|parrot|guinea pig|turtles?|fish|bird"
_STATES = (
    r"lot|bit|little|few|couple|great|good|bad|hard|rough|feeling|problem|question|idea|plan|chance|point|"
    r"fan|mix|picture|photo|story|surprise|favor|dream|funny|total|feel|look|minute|second|moment|blast|hunch|ton|really|pretty|while|long|busy|tough|lovely|wonderful|amazing"
)
_TOO_LOOSE = (
    r"(?:it|this|that|how|when|what|the way|you|your|to hear|seeing you|hearing|the idea|these|those|them)\b"
)


def _en(aspect: str, pattern: str) -> Pattern:
    return Pattern(aspect, re.compile(pattern))


_AM = r"(?:'m| am)"
_HAVE = r"(?:'ve| have)"
_FEW = r"(?:an?|two|three|four|five)"
_CALLED = r"(?:'s name is|'s called|'s named| is called| is named)"

_ENGLISH = (
    _en("name", r"\bmy name(?:'s| is) \w"),
    _en("works as", rf"{_I}(?:{_AM}|{_MUCH}) work(?:ing)? as an? \w"),
    _en("works at", rf"{_I}{_AM}?{_MUCH} work(?:ing)? (?:at|for|in) (?!progress|the (?:morning|evening))\w"),
    _en("lives in", rf"{_I}{_AM}?{_MUCH} liv(?:e|ing) (?:in|near|at|with) \w"),
    _en("moved to", rf"{_I}{_HAVE}?{_MUCH} moved (?:in)?to \w"),
    _en("was born in", rf"{_I} was born (?:in|on|at) \w"),
    _en("comes from", rf"{_I}{_AM}{_MUCH} (?:originally )?from \w"),
    _en("comes from", rf"{_I} (?:come from|grew up in) \w"),
    _en("studies", rf"{_I}{_AM}?{_MUCH} stud(?:y|ying|ied) (?!hard|all|for|a lot)\w"),
    _en(
        "is married", rf"{_I}(?:{_AM}|{_HAVE} been|{_MUCH} got){_MUCH} (?:married|engaged|divorced|single)\b"
    ),
    _en("dislikes", rf"{_I}{_MUCH} (?:hate|dislike|can't stand|cannot stand) (?!{_TOO_LOOSE})\w"),
    _en("dislikes", rf"{_I}{_MUCH} don't (?:really )?(?:like|enjoy|love) (?!{_TOO_LOOSE})\w"),
    _en("dislikes", rf"{_I}{_AM} not (?:a (?:big )?fan of|into|fond of) (?!{_TOO_LOOSE})\w"),
    _en("likes", rf"{_I}{_MUCH} (?:love|like|enjoy|adore) (?!{_TOO_LOOSE})\w"),
    _en("likes", rf"{_I}{_AM}{_MUCH} (?:a (?:big |huge )?fan of|into|fond of|keen on) (?!{_TOO_LOOSE})\w"),
    _en("likes", rf"{_I}{_AM}{_MUCH} passionate about (?!{_TOO_LOOSE})\w"),
    _en("prefers", rf"{_I}{_MUCH} prefer \w"),
    _en("is allergic to", rf"{_I}{_AM}{_MUCH} allergic to \w"),
    _en("favourite {0}", r"\bmy (?:all-time )?favou?rite ((?:\w+ )?\w+?)(?:'s| is| would be) \w"),
    _en("{0}", rf"\bmy (?:\w+ )?({_KIN})(?:{_CALLED}|'s (?:an?|also|from)| is| works| lives) \w"),
    _en("pet", rf"\bmy (?:\w+ )?(?:{_PET})(?:{_CALLED}|,) \w"),
    _en("pet", rf"{_I}{_HAVE}?(?: have| got| adopted)* {_FEW} (?:\w+ )?(?:{_PET})\b"),
    _en("hobby", r"\bmy (?:\w+ )?hobb(?:y|ies)(?:'s| is| are| include) \w"),
    _en("job", r"\bmy (?:\w+ )?(?:job|work|career)(?:'s| is) (?:as )?(?:an?|in) \w"),
    _en("has", rf"{_I}(?:'ve got| have| own){_MUCH} {_FEW} (?!(?:{_STATES})\b)\w"),
    _en("is", rf"{_I}{_AM}{_MUCH} an? (?!(?:{_STATES}|big fan|huge fan)\b)\w"),
)
_NEGATED = re.compile(r"\b(?:not|never|no longer|don't|doesn't|didn't|isn't|wasn't|haven't|can't|won't)\b")

_ME = r"(?:^|[ ,])(?:저는|나는|난|전|저도|나도|제가|내가)[ ,]"
_IS = r"(?:이에요|예요|야|이야|입니다)"
_KO_KIN = (
    r"엄마|아빠|어머니|아버지|언니|누나|오빠|형|동생|남동생|여동생|남편|아내|아들|딸|할머니|할아버지|"
    r"남자친구|여자친구|강아지|고양이"
)
_KO_PATTERNS = (
    _en("dislikes", r"(?:싫어(?:해|하|한|함|요)|싫다|질색|별로 안 좋아|안 좋아해|좋아하지 않)"),
    _en("likes", r"(?:좋아(?:해|하는 편|한다|합니다|하거든|했|함)|사랑해(?!요?$)|즐겨 )"),
    _en("lives in", r"[가-힣]에서? (?:살아|살고|삽니다|산다|살았|거주)"),
    _en("works at", r"[가-힣]에서 (?:일해|일하고|일합니다|일하는|근무|일했)"),
    _en("moved to", r"[가-힣](?:으)?로 이사"),
    _en("was born in", r"[가-힣]에서 태어났"),
    _en("hobby", r"(?:제|내|저의|나의) 취미는 \S"),
    _en("name", r"(?:제|내|저의) 이름은 \S"),
    _en("favourite", rf"(?:제일|가장) 좋아하는 (?:\S+ ){{0,3}}\S+{_IS}"),
    _en("{0}", rf"(?:제|내|우리) ({_KO_KIN})(?:은|는|이|가)? .*(?:{_IS}|살아|살고|일해|일하)"),
    _en("is", rf"{_ME}[^,]*[가-힣](?:이에요|예요|이야|입니다|이거든요?|이라서)"),
)  # fmt: skip
_KO_OTHERS = re.compile(r"(?:만약|라면|다면|으면 좋겠|너는|넌|네가|당신|(?:씨|님)(?:은|는|이|가) )")


def find_facts(text: str, speaker: str) -> Iterator[FoundFact]:
    """The facts `speaker` states in a text, at most one per sentence and aspect."""
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        if len(sentence) > LONGEST_SENTENCE or sentence.rstrip().endswith(("?", "？")):
            continue
        start = match.start() + len(sentence) - len(sentence.lstrip())
        for aspect in _aspects(sentence.strip()):
            yield FoundFact(speaker, aspect, start, match.end())


def _aspects(sentence: str) -> list[str]:
    low = sentence.lower().replace("’", "'")
    if _HANGUL.search(low):
        return [] if _KO_OTHERS.search(low) else _first_aspect(low, _KO_PATTERNS)
    if not _SELF.search(low) or _DOUBTFUL.search(low):
        return []
    return _first_aspect(low, _ENGLISH)


def _first_aspect(low: str, patterns: tuple[Pattern, ...]) -> list[str]:
    for aspect, pattern in patterns:
        match = pattern.search(low)
        if match is not None:
            if aspect != "dislikes" and _NEGATED.search(low[max(0, match.start() - 12) : match.end()]):
                return []
            return [aspect.format(*match.groups())] if match.groups() else [aspect]
    return []
