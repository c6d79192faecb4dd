"""Korean eojeols without a dictionary: is it a noun, and where does its particle or ending begin?

`read_eojeol` looks only at the end of the word: a particle makes it a noun, a verb ending makes it a
verb, 하다 and the copula after two or more syllables leave the noun before them. Cheap and often right;
`kiwi` is the optional exact way.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memcore.words import strip_particle, word_set


class Eojeol(NamedTuple):
    """`stem` starts the word and is what remains of it; `letter` is its class as in `lexicon`.

    `ends`: a noun phrase ends here (a particle followed). `breaks`: a clause ends here.
    `particle` is what was cut off, "" for none.
    """

    stem: str
    letter: str
    ends: bool
    breaks: bool
    particle: str


_STOP = word_set(
    """
    나 저 너 우리 저희 당신 그 이 그녀 그것 이것 저것 거 것 게 걸 건 수 때 등 더 좀 잘 안 못 또 다 꼭 막
    참 왜 뭐 뭘 무슨 어떤 어느 어디 어디서 누구 누가 언제 얼마 얼마나 어떻게 정말 진짜 너무 아주 매우
    많이 조금 그리고 그래서 그런데 근데 하지만 그러나 그러면 그럼 그래 그래도 다시 항상 자주 가끔 별로
    아마 혹시 벌써 아직 이미 바로 같이 함께 서로 모두 다들 전부 제일 가장 이번 저번 지난 다음 오늘 어제
    내일 모레 지금 요즘 최근 나중 아까 이제 먼저 계속 거의 특히 역시 아니 아니요 아니오 네 예 응 와 우와
    아 오 음 하하 안녕 안녕하세요 반가워요 고마워 고마워요 감사합니다 미안 미안해 죄송합니다 축하해
    축하해요 대박 내 제 네가 내가 제가 저는 나는 난 전 넌 그게 이게 저게 그건 이건 뭔가 하나 둘 셋 한 두
    세 네 몇 여러 모든 좋은 많은 작은 같은 높은 깊은 밝은 넓은 늦은 젊은 얇은 짧은 새 새로운 예쁜 큰
    멋진 맛있는 재미있는 있는 없는 하는 되는 위해 위한 대해 대한 따라 통해 덕분에 때문에 동안 정도 중 후
    전 뒤 앞 옆 안 밖 위 아래 사이 쪽 곳 점 분 명 개 번 년 월 일 주 달 시간 주말 아침 점심 저녁 밤 오전
    오후 작년 올해 내년 마리 권 잔 살 그루 송이 병 장 대 채 켤레 오래 매운 추운 더운 쉬운 고운 어려운
    하고 되고 가고 오고 보고 주고 먹고 자고 사고 타고 놀고 살고 지난주 이번주 다음주 지난달 다음달
    월요일 화요일 수요일 목요일 금요일 토요일 일요일 엄청 완전 되게 굉장히 열심히 천천히 빨리 일찍 늦게
    혼자 직접 원래 사실 그냥 맞아 맞아요 좋아 좋아요 글쎄 그렇구나 그렇군요 물론 당연히 오랜만
    오랜만이야 처음 마지막 생각 이야기 얘기 사람 사람들 느낌 기분 경우 부분 정말로
    """
)
_COPULA = re.compile(
    r"(이에요|예요|이예요|입니다|이야|이었어요?|였어요?|이었습니다|였습니다|이라서|라서|인데요?|이고|이지만|이네요?|네요|이랍니다)$"
)
_DOES = re.compile(r"^(.{2,}?)(?:하|해|했|할|합|한|함|되|돼|됐|된|될|됩)(?:.{0,6})$")
_DOES_END = re.compile(
    r"(?:하|해|했|할|합|한|함|되|돼|됐|된|될|됩)(?:고|지만|는데|서|면|니까|며|다|요|어요?|어|었어요?|었는데|었지만|었다|습니다|니다|는|기|러|려고|자|래|래요|게|ㄹ|"
    r"던|고있어요?|야|줘|줘요|네요?|지요?|죠|거든요?|까|까요|세요|시다|을|은|음|도록|어서|었고|었을|셔요?|셨어요?|시는|신다|대요?|다고|다는|다며|)$"
)
_VERB_END = re.compile(
    r"(?:[았었였했갔왔됐렸졌꼈봤샀냈났겠][가-힣]*|습니다|니다|어요|아요|여요|해요|워요|와요|려요|져요|네요|군요|구나|는데요?|은데요?|지만|니까|어서|아서|해서|워서|으면|려고|려면|"
    r"면서|거든요?|잖아요?|을까요?|ㄹ까|세요|하자|래요|대요|데요|죠|고요|다고|라고요|는다|한다|된다|싶어|싶다|있어|없어|같아|있고|없고|있다|없다|이다|많다|좋다|줘|봐|도록|어야|아야|해야|[내가와써봐줘돼]야)$|.[가-힣]요$|[^광창중최경신냉차금예장]고$"
)
_CONNECTS = re.compile(
    r"(?:.[^광창중최경신냉차금예장]고|지만|는데|은데|인데|니까|어서|아서|해서|워서|라서|으면|하면|려고|면서|거든|으며|하며|있고|없고)$"
)
_ADNOMINAL = re.compile(r"(?:운|된|던|쁜|스런|로운|다운|하는|되는|있는|없는|가는|오는|보는|할|될)$")
_SHORT_NOUNS = frozenset("집책차밥술꽃개강산길빵돈옷약춤꿈별눈비")
_AFTER_ONE = word_set(
    """
    에 에서 에는 에도 에서는 을 를 은 는 이 가 도 로 으로 과 와
    """
)
_NUMBERED = re.compile(r"^(?:몇|한|두|세|네|다섯|여섯)(?:개|명|번|시|시간|달|주|년|살|마리|권|잔)")


@lru_cache(maxsize=100_000)
def read_eojeol(word: str) -> Eojeol:
    """What the end of one Hangul word says about it (see the module)."""
    breaks = len(word) > 2 and _CONNECTS.search(word) is not None
    stem = strip_particle(word)
    short = _one_syllable(word)
    if short is not None:
        return short
    if word in _STOP or stem in _STOP or len(stem) < 2 or _NUMBERED.match(word):
        return Eojeol(word, "F", True, breaks, "")
    copula = _COPULA.search(word)
    if copula and len(word) - len(copula.group()) >= 2:
        return Eojeol(word[: copula.start()], "N", True, True, copula.group())
    does = _DOES.match(word)
    if does and _DOES_END.search(word) and does.group(1) not in _STOP:
        return Eojeol(strip_particle(does.group(1)), "N", True, breaks, word[len(does.group(1)) :])
    if _VERB_END.search(word) or breaks:
        return Eojeol(word, "V", True, breaks, "")
    if stem == word and len(word) > 2 and _ADNOMINAL.search(word):
        return Eojeol(word, "F", True, False, "")
    return Eojeol(stem, "N", stem != word, False, word[len(stem) :])


def _one_syllable(word: str) -> Eojeol | None:
    """Words of one syllable and a particle: of the nouns only those that are not easily something else."""
    if len(word) < 2 or word[1:] not in _AFTER_ONE:
        return None
    if word[0] in _STOP:
        return Eojeol(word, "F", True, False, "")
    return Eojeol(word[0], "N", True, False, word[1:]) if word[0] in _SHORT_NOUNS else None


def verb_stem(word: str) -> str:
    """A verb's eojeol without its ending, "" when less than two syllables remain: 만들었어요 gives 만들."""
    stem = _VERB_END.sub("", _CONNECTS.sub("", word))
    return stem if len(stem) >= 2 else ""
