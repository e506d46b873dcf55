"""Figures that are words: `three orders of magnitude`, `ten-fold`, `twice`, `halves`, `within two minutes`."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from transforms.hooks import HookWords, WordPlaces
from transforms.numbers.figures import MAGNITUDE, NUMBER, ClaimShape, Figure, figures_of

NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twenty": 20,
    "hundred": 100,
}
MOST = 300  # orders of magnitude: a float can hold no more
THOUSANDS = {"k": 1_000, "m": 1_000_000}
MAGNITUDES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
# What a word multiplies or divides by; `half` says how much is left, which is a fall by 2
FACTORS = {"half": 2, "halv": 2, "twic": 2, "doub": 2, "trip": 3, "quad": 4}

WORD = "|".join(NUMBERS)
PART = rf"(?:{WORD}|{NUMBER})"
ORDERS = re.compile(
    rf"(?<![\w.-])(?:(?P<low>{PART})(?:(?:\s?[-\u2013]\s?|-to-|\sto\s|\sor\s)(?P<high>{PART}))?"
    rf"|an?)\+?[\s-]orders?[\s-]of[\s-](?:magnitudes?)\b",
    re.IGNORECASE,
)
FOLD = re.compile(rf"\b(?P<low>{WORD})[\s-]?(?:fold|times)\b", re.IGNORECASE)
FACTOR = re.compile(
    r"\b(?P<low>half(?!-)|halv(?:e|es|ed|ing)|twice|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl(?:e|es|ed|ing))\b"
)
DURATION = re.compile(rf"\b(?P<low>{WORD})\s(?:seconds?|minutes?|hours?|days?|weeks?)\b")
# `7 of 7`, `3 out of 4`, `5/5`
FRACTION = re.compile(
    r"(?P<low>[0-9]{1,4})(?:/|\s(?:out\s)?of\s(?:the\s|all\s)?)(?P<all>[0-9]{1,4})(?![\w.,/-]\w|/|%|\w)"
)
FOLLOWS = re.compile(r"[\w.,/-]$")  # right before a number, what makes it part of something else
OUT_OF = re.compile(rf"\b(?P<low>{WORD}|[0-9]{{1,4}})\sout\sof\s(?:the\s|all\s)?(?P<all>{WORD}|[0-9]{{1,4}})\b")
COUNT = rf"(?P<count>(?P<low>{NUMBER}(?:[kKM]|{MAGNITUDE})?)\s(?:[a-zA-Z][\w-]{{1,20}}\s){{0,2}}?"
# `in only 4 rollouts`
FEWS = ("only ", "just ", "merely ", "as few as ", "as little as ")
BEFORE_FEW = re.compile(r"\b(?:in|with|using|on|by|requir\w+|needs?|to)\s$")
FEW = re.compile(
    r"(?:only|just|merely|as few as|as little as)\s(?:about\s|approximately\s)?"
    + COUNT
    + r"(?P<noun>rollouts|steps|samples|examples|tokens|iterations|trajectories|demonstrations|demos|queries"
    r"|evaluations|epochs|calls|labels|annotations))(?![\w-])"
)
# `scales to 1,024 GPUs`
MANYS = ("scal", "extend", "widen", "support", "handl", "generali", "extrapolat")
MANY = re.compile(
    r"[a-z]{4,16}\s(?:[\w-]{1,20},?\s){0,7}?(?:to|over|up to|beyond)\s(?:over\s|more than\s|at least\s|up to\s)?"
    + COUNT
    + r"(?P<noun>tokens|GPUs|devices|nodes|frames|cores|agents|accelerators|NPUs|TPUs))(?![\w-])"
)


def is_power(found: re.Match[str]) -> bool:
    """Whether ten to the power of each end of a range fits a float."""
    ends = filter(None, found.group("low", "high"))
    powers = (NUMBERS.get(end.lower(), 0) if end.isalpha() else float(end.replace(",", "") or 0) for end in ends)
    return all(power <= MOST for power in powers)


def is_share(found: re.Match[str]) -> bool:
    """Whether `few of all` is a share, not a date, a path or part of a longer number."""
    if FOLLOWS.search(found.string, max(found.start() - 1, 0), found.start()):
        return False
    few, all_of = NUMBERS.get(found["low"]) or int(found["low"]), NUMBERS.get(found["all"]) or int(found["all"])
    return few <= all_of < 1900 and all_of > 1  # noqa: PLR2004  (a year is no share)


class ClaimPattern(NamedTuple):
    """A pattern, its trigger words (it is tried only where one occurs), and the shape of a match."""

    hooks: HookWords
    pattern: re.Pattern[str]
    shape: ClaimShape
    holds: Callable[[re.Match[str]], bool] = bool


SCANS: Final = (
    ClaimPattern(("magnitude",), ORDERS, "orders", is_power),
    ClaimPattern(("fold", *(f"{word} times" for word in NUMBERS)), FOLD, "worded"),
    ClaimPattern(tuple(FACTORS), FACTOR, "worded"),
    ClaimPattern((" second", " minute", " hour", " day", " week"), DURATION, "time"),
    ClaimPattern(
        tuple(f"{digit}{sign}" for digit in range(10) for sign in ("/", " of ", " out of ")),
        FRACTION,
        "fraction",
        is_share,
    ),
    ClaimPattern((" out of ",), OUT_OF, "fraction", is_share),
)
# The words that a text is searched for before `worded_figures` reads it
HOOKS: Final = (*(scan.hooks for scan in SCANS), FEWS, MANYS)


def worded_figures(text: str, hooks: list[WordPlaces]) -> list[Figure]:
    """All figures of a text that are words; `hooks` are the places of each of HOOKS."""
    *scanned, fews, manys = hooks
    found = [
        Figure(*one.span(), scan.shape, one["low"] or "one", one.groupdict().get("high"))
        for scan, places in zip(SCANS, scanned, strict=True)
        if places
        for one in scan.pattern.finditer(text)
        if scan.holds(one)
    ]
    # Counts that a word presents as few, or a verb as many
    offered = (at for at in fews if BEFORE_FEW.search(text, max(at - 12, 0), at))
    verbs = (at for at in manys if not FOLLOWS.search(text, max(at - 1, 0), at))
    counts = [*(FEW.match(text, at) for at in offered), *(MANY.match(text, at) for at in verbs)]
    places = ((one, *one.span("count")) for one in counts if one)
    return found + [Figure(start, end, "count", one["low"], None, one["noun"]) for one, start, end in places]


def value_of(figure: Figure, number: str) -> float:
    """The value of a figure's low or high number: of `three` orders of magnitude 1,000, of `halves` 2."""
    word, _, magnitude = number.lower().partition(" ")
    if magnitude:
        return value_of(figure, word) * MAGNITUDES[magnitude]
    if word[-1] in THOUSANDS:
        return value_of(figure, word[:-1]) * THOUSANDS[word[-1]]
    value = FACTORS.get(word[:4]) or NUMBERS.get(word) or float(word.replace(",", ""))
    return 10.0**value if figure.shape == "orders" else float(value)


def figures_in(text: str, places: list[WordPlaces]) -> list[Figure]:
    """All figures of a text, in order; of those that overlap the longer one that begins first."""
    figures: list[Figure] = []
    found = [*figures_of(text), *worded_figures(text, places)]
    for figure in sorted(found, key=lambda one: (one.start, -one.end)):
        if not figures or figure.start >= figures[-1].end:
            figures.append(figure)
    return figures
