"""Times as a person reads them: in the reader's zone where the source named one, else as written.

A wall clock whose zone nobody named is never converted: guessing a zone would move what was said to
another hour, or another day.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memcore.records import Moment
from memcore.view.naming import human_day, human_time

AS_WRITTEN = "as written, no zone named"


def shown(moment: Moment, zone: str = "") -> str:
    """3 May 2023, 15:56 CEST; or 3 May 2023, 13:56 (as written, no zone named); days as they are.

    `zone` is a name of the IANA database; "" or an unknown one stands for UTC.
    """
    written = moment.start is not None and moment.precision == "instant" and not moment.zoned
    return f"{brief(moment, zone)} ({AS_WRITTEN})" if written else brief(moment, zone)


def brief(moment: Moment, zone: str = "") -> str:
    """As `shown`, where there is no room to say that no zone was named: 3 May 2023, 13:56."""
    if moment.start is None or moment.precision != "instant" or not moment.zoned:
        return human_time(moment)
    return instant(moment.start, zone)


def instant(when: datetime, zone: str = "", *, seconds: bool = False) -> str:
    """A recorded time, in the reader's zone: 3 May 2023, 15:56 CEST; to the second where that is wanted."""
    local = (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(_zone(zone))
    return f"{_clock(local)}{f':{local:%S}' if seconds else ''} {local.tzname()}"


def day(moment: Moment, zone: str = "") -> date | None:
    """The day on which it began, as the reader sees it; None where it is unknown."""
    if moment.start is None:
        return None
    local = moment.precision == "instant" and moment.zoned
    return moment.start.astimezone(_zone(zone)).date() if local else moment.start.date()


def midnight(of: date, zone: str = "") -> datetime:
    """The moment at which this day begins for the reader."""
    return datetime.combine(of, time(), _zone(zone))


def exactness(moment: Moment) -> str:
    """The exact span, and how it was given, in words."""
    if moment.start is None:
        return "The source states no time."
    zone = "UTC; the source named a zone" if moment.zoned else f"wall clock {AS_WRITTEN}"
    known = {"instant": "", "day": "only the day is known; "}.get(
        moment.precision, f"only the {moment.precision} is known; "
    )
    return f"{moment.start:%Y-%m-%d %H:%M:%S}: {known}{zone}."


def _clock(when: datetime) -> str:
    return f"{human_day(when.toordinal())}, {when:%H:%M}"


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
