"""Korean time expressions, one rule each; the order is the precedence (see `times`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from memcore.llm.offline import spans
from memcore.llm.offline.spans import Rule, Span

_DIRECTIONS = {
    "지지난": -2,
    "저저번": -2,
    "지난": -1,
    "저번": -1,
    "이번": 0,
    "다음": 1,
    "오는": 1,
    "다다음": 2,
}
_YEARS = {"재작년": -2, "작년": -1, "지난해": -1, "올해": 0, "금년": 0, "내년": 1, "내후년": 2}
_SEASONS = {"봄": (3, 5), "여름": (6, 8), "가을": (9, 11), "겨울": (12, 14)}
_COUNTS = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "몇": 3}
_UNITS = {
    "일": "day",
    "주일": "week",
    "주": "week",
    "달": "month",
    "개월": "month",
    "년": "year",
    "해": "year",
}
_SPELLED_DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "일주일": 7, "열흘": 10, "보름": 15}
_WEEKDAYS = "월화수목금토일"

_DIR = "(" + "|".join(sorted(_DIRECTIONS, key=len, reverse=True)) + ")"
_YEAR = "(" + "|".join(sorted(_YEARS, key=len, reverse=True)) + ")"
_SEASON = "(" + "|".join(_SEASONS) + ")"


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word]


def _sign(word: str) -> int:
    return -1 if word == "전" else 1


def _week(match: re.Match[str], today: date) -> Span:
    """ "지난주", "다음 주 토요일", "이번 주말"."""
    count = _DIRECTIONS[match[1]]
    if match[2]:
        return spans.weekend(today, count)
    if match[3]:
        return spans.days_from(spans.week(today, count).first, _WEEKDAYS.index(match[3]))
    return spans.week(today, count)


def _weekday(match: re.Match[str], today: date) -> Span:
    """ "지난 토요일", "다음 월요일", and a weekday alone: the last one."""
    number = _WEEKDAYS.index(match[2])
    direction = _DIRECTIONS[match[1]] if match[1] else -1
    return spans.weekday_before(today, number) if direction < 0 else spans.weekday_after(today, number)


def _season(match: re.Match[str], today: date) -> Span:
    first, last = _SEASONS[match[2]]
    if match[1] in _YEARS:
        return spans.months(today.year + _YEARS[match[1]], first, last)
    direction = _DIRECTIONS[match[1]]
    if direction < 0:
        return spans.months(today.year - (first >= today.month), first, last)
    return spans.months(today.year + (direction > 0 and first <= today.month), first, last)


def _this_year(match: re.Match[str], today: date) -> Span | None:
    """ "작년 5월", "올해 5월 3일"."""
    year = today.year + _YEARS[match[1]]
    return spans.day(date(year, int(match[2]), int(match[3]))) if match[3] else _month(year, int(match[2]))


def _month(year: int, number: int) -> Span | None:
    return spans.month(year, number) if 1 <= number <= 12 else None


def _nearest_month(match: re.Match[str], today: date) -> Span | None:
    return spans.nearest_month(today, int(match[1])) if 1 <= int(match[1]) <= 12 else None


def _rule(
    anchors: str, pattern: str, resolve: Callable[[re.Match[str], date], Span | None], relative: bool = True
) -> Rule:
    return Rule(frozenset(anchors.split()), re.compile(pattern), resolve, relative)


KOREAN: tuple[Rule, ...] = (
    _rule("년", r"(?<!\d)(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일",
          lambda m, _: spans.day(date(int(m[1]), int(m[2]), int(m[3]))), False),
    _rule("년", r"(?<!\d)(\d{4})년 ?(\d{1,2})월", lambda m, _: _month(int(m[1]), int(m[2])), False),
    _rule("년", rf"(?<!\d)(\d{{4}})년 ?{_SEASON}",
          lambda m, _: spans.months(int(m[1]), *_SEASONS[m[2]]), False),
    _rule("년", r"(?<!\d)((?:19|20)\d\d)년", lambda m, _: spans.year(int(m[1])), False),
    _rule("월", rf"{_YEAR} ?(\d{{1,2}})월(?: ?(\d{{1,2}})일)?", _this_year),
    _rule("월", r"(?<!\d)(\d{1,2})월 ?(\d{1,2})일",
          lambda m, today: spans.nearest_day(today, int(m[1]), int(m[2]))),
    _rule("봄 여름 가을 겨울", rf"({_YEAR[1:-1]}|{_DIR[1:-1]}) ?{_SEASON}", _season),
    _rule("전 후 뒤", r"(?<!\d)(\d{1,3}|한|두|세|네|다섯|여섯|몇) ?(주일|일|주|달|개월|년|해) ?(전|후|뒤)",
          lambda m, today: spans.unit(today, _sign(m[3]) * _count(m[1]), _UNITS[m[2]])),
    _rule("전 후 뒤", r"(하루|이틀|사흘|나흘|닷새|일주일|열흘|보름) ?(전|후|뒤)",
          lambda m, today: spans.days_from(today, _sign(m[2]) * _SPELLED_DAYS[m[1]])),
    _rule("주", rf"{_DIR} ?주(?:(말)| ?([월화수목금토일])요일)?", _week),
    _rule("달", rf"{_DIR} ?달", lambda m, today: spans.unit(today, _DIRECTIONS[m[1]], "month")),
    _rule("요일", rf"(?:{_DIR} ?)?([월화수목금토일])요일", _weekday),
    _rule("그저께 그제 엊그제", r"그저께|엊그제|그제(?![서야])", lambda m, today: spans.days_from(today, -2)),
    _rule("어제 어젯밤", r"어제|어젯밤", lambda m, today: spans.days_from(today, -1)),
    _rule("오늘", r"오늘", lambda m, today: spans.day(today)),
    _rule("내일", r"내일", lambda m, today: spans.days_from(today, 1)),
    _rule("모레", r"모레", lambda m, today: spans.days_from(today, 2)),
    _rule("글피", r"글피", lambda m, today: spans.days_from(today, 3)),
    _rule("며칠", r"며칠 ?전", lambda m, today: Span(today - timedelta(7), today - timedelta(2), "day")),
    _rule("작년 지난해 올해 금년 내년 내후년", _YEAR, lambda m, today: spans.year(today.year + _YEARS[m[1]])),
    _rule("월", r"(?<!\d)(\d{1,2})월(?=[에의부까 ]|$)", _nearest_month),
)  # fmt: skip
