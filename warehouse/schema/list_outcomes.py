"""What became of each daily list, in the words of every page, command and chart.

`coverage` has the state of a list and the reason for it; of both follows one outcome. A list that was fetched on its
day is no failure: what joined it before it was closed is there. One that nobody asked for is none either.
"""

from __future__ import annotations

from typing import Final, NamedTuple

EARLY: Final = "fetched before the list was closed"  # 8 to 28 % of the papers come later (docs/source.md §6)
NEVER_FETCHED: Final = "never fetched"


class ListOutcome(NamedTuple):
    """An outcome, and the state and the reason by which it is known; no reason: any other.

    `words` are of one list, `counted` of several, `meaning` is for a legend.
    """

    name: str
    state: str
    reason: str | None
    words: str
    counted: str
    meaning: str


# The best first
OUTCOMES: Final = (
    ListOutcome("complete", "complete", None, "complete", "complete", "fetched after it was closed"),
    ListOutcome(
        "early",
        "partial",
        EARLY,
        "fetched on its day",
        "fetched on the day",
        "fetched on its day: papers that joined later may be missing",
    ),
    ListOutcome("partial", "partial", None, "partial", "partial", "some papers are missing, with a reason"),
    ListOutcome("empty", "empty", None, "the source gave an empty list", "empty", "the source gave an empty list"),
    ListOutcome("failed", "missing", None, "nothing could be read", "failed", "asked for, but nothing could be read"),
    ListOutcome("unfetched", "missing", NEVER_FETCHED, "not fetched", "not fetched", "not fetched"),
)
# A day without a list, of a source that should have none
UNEXPECTED: Final = ListOutcome("unexpected", "missing", None, *["no list expected"] * 3)
HELD: Final = ("complete", "early", "partial", "empty")  # the lake has papers of it, or knows that there are none

REASONED: Final = ("partial", "failed")  # the reason says more than the words


def outcome_of(state: str, reason: str | None) -> ListOutcome:
    """What became of an expected list; an outcome that is known by its reason goes before that of any."""
    found = [one for one in OUTCOMES if one.state == state and one.reason in {None, reason}]
    return max(found, key=lambda one: one.reason is not None)


def told(state: str, reason: str | None) -> str:
    """What became of an expected list, in words, with the reason where it says more.

    >>> told("partial", EARLY), told("missing", NEVER_FETCHED), told("missing", "not read: no JSON")
    ('fetched on its day', 'not fetched', 'failed: not read: no JSON')
    """
    one = outcome_of(state, reason)
    if one.name not in REASONED or not reason:
        return one.words
    return reason if reason.startswith(f"{one.counted}: ") else f"{one.counted}: {reason}"


def in_words(counts: dict[str, int]) -> str:
    """The counts of lists by outcome, in words, without zeros.

    >>> in_words({"complete": 3, "early": 1_204, "failed": 0})
    '3 complete, 1,204 fetched on the day'
    """
    words = [f"{counts[one.name]:,} {one.counted}" for one in OUTCOMES if counts.get(one.name)]
    return ", ".join(words) or "none"
