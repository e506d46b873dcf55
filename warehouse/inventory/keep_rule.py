"""The rule by which old releases are dropped, and others stay."""

import re
from typing import Final, NamedTuple

UNITS: Final = {"": "last", "d": "days", "w": "weeks", "m": "months", "q": "quarters"}
RULE_PART: Final = re.compile(r"([1-9][0-9]{0,3})([dwmq]?)")


class KeepRule(NamedTuple):
    """Which releases stay.

    The newest `last`, and the last one of each of the newest so many days, weeks (of ISO), months and quarters that
    have a release.
    """

    last: int = 1
    days: int = 0
    weeks: int = 0
    months: int = 0
    quarters: int = 0

    def __str__(self) -> str:
        periods = [f"{count} {name}" for name, count in self._asdict().items() if count and name != "last"]
        each = f", and the last one of each of {', '.join(periods)}" if periods else ""
        return f"the last {self.last} releases{each}"


def rule_of(text: str) -> KeepRule:
    """The rule that a text states; ValueError where it states none.

    >>> rule_of("30d,26w,20q")
    KeepRule(last=1, days=30, weeks=26, months=0, quarters=20)
    """
    parts = [RULE_PART.fullmatch(part.strip()) for part in text.split(",")]
    named = {UNITS[part[2]]: int(part[1]) for part in parts if part}
    if len(named) != len(parts):
        raise ValueError("it is counts of days, weeks, months and quarters, each once, for example 30d,26w,20q")
    return KeepRule(**named)
