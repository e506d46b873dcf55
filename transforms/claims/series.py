"""Sentences of a text, series in them, and what a series is compared with.

A series is figures that one phrase lists (`by 8.7%, 12.2% and 11.0%`); it is compared by `than X`, `compared to X`,
`outperforms X by`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from transforms.claims.figures import Figure
from transforms.hooks import last_match
from warehouse.schema.core.claims import Bound, ClaimRule, Direction, Metric, Unit


class Claim(Struct, frozen=True, kw_only=True, gc=False):
    """One number of an abstract that reports a result: `abstract[span_start:span_end]` is `text`.

    `position` counts a paper's claims from 1 in the order of the text. A range is one claim: `value` is its low end,
    `value_high` its high end. `comparator` is a substring of the abstract, too.
    """

    position: int
    text: str
    span_start: int
    span_end: int
    sentence_start: int
    sentence_end: int
    value: float
    value_high: float | None
    unit: Unit
    metric: Metric | None
    direction: Direction | None
    bound: Bound | None
    comparator: str | None
    rule: ClaimRule


Span = tuple[int, int]

# A full stop ends a sentence before a capital, a bracket, a quote or a formula; abbreviations do not
END = re.compile(
    r"[.!?](?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bet"
    r" al\.)(?<!\bvs\.)(?<!\bcf\.)(?<!\bresp\.)(?<!\bFig\.)(?<!\bSec\.)(?<!\bEq\.)(?<!\bapprox\.)(?<!\bDr\.)(?<!\bMr"
    r"\.)(?<!\bProf\.)(?<!\bSt\.)(?<!\s[A-Z]\.)[\"'\u201d\u2019)\]]?\s(?=[\s\"'\u201c\u2018(\[$\\{~]?[A-Z0-9\\{$-])"
)
BEFORE, AFTER = 150, 120  # code points: as far as a phrase about a number reaches
FARTHEST = 24  # between two members of a series
AROUND = 300  # as much of a sentence as is searched for words of results: sentences have no limit in length
BETWEEN_MEMBERS = re.compile(
    r"\+?\)?\s?(?:,|/|;|and|or|&|,\sand|,\sor|to)?\s?(?:(?:by\s)?(?:up\sto|over|about|nearly|around|to|by|a"
    r"|approximately)\s)?[+~>(]?"
)
# A bare number that is a year, or a part of a name (`Ovi 1.1 and 60.9%`)
NO_MEMBER = re.compile(r"(?:\b(?:19|20)\d\d|\b[A-Z][\w-]{0,20}\s[\d.,]{1,9})$")


class Series(Struct, frozen=True, gc=False):
    """Figures of one phrase. `before` and `after` are the words around them in the sentence, `around` is the part of
    the sentence that is searched for words of results; all in lower case.

    A move is `from 73% to 81%`: two values, not two changes.
    """

    figures: tuple[Figure, ...]
    sentence: Span
    number: int
    before: str
    after: str
    around: str
    is_move: bool

    @property
    def last(self) -> Figure:
        return self.figures[-1]


def sentences_of(text: str) -> list[Span]:
    """The sentences of a text in order, without the space between them.

    >>> sentences_of("We win, e.g. 2x. It is 3.5 times faster.")
    [(0, 16), (17, 40)]
    """
    starts = [0, *(found.end() for found in END.finditer(text)), len(text) + 1]
    return [(start, end - 1) for start, end in pairwise(starts) if end - 1 > start]


def sentence_at(sentences: list[Span], place: int) -> int:
    """The number of the sentence that a place in a text is in, or right behind."""
    return max(bisect_right(sentences, place, key=lambda span: span[0]) - 1, 0)


def series_of(text: str, lower: str, figures: list[Figure], sentences: list[Span]) -> list[Series]:
    """All figures of a text in series, in order."""
    groups: list[list[Figure]] = []
    for figure in figures:
        if groups and _belongs(text, groups[-1][-1], figure):
            groups[-1].append(figure)
        else:
            groups.append([figure])
    found = []
    for group in groups:
        start, end, shape = group[0].start, group[-1].end, group[-1].shape
        number = sentence_at(sentences, start)
        sentence = sentences[number]
        found.append(
            Series(
                figures=tuple(one if one.shape == shape else replace(one, shape=shape) for one in group),
                sentence=sentence,
                number=number,
                before=lower[max(sentence[0], start - BEFORE) : start],
                after=lower[end : min(max(sentence[1], end), end + AFTER)],
                around=lower[max(sentence[0], start - AROUND) : min(sentence[1], end + AROUND)],
                is_move=len(group) > 1 and lower[group[0].end : group[1].start].strip("+ ").startswith("to"),
            )
        )
    return found


def _belongs(text: str, last: Figure, figure: Figure) -> bool:
    """Whether a figure belongs to the same list as the one before it: `3.8x and 3.6x`, `8.7, 12.2 and 11.0%`."""
    if figure.start - last.end > FARTHEST or last.shape not in {figure.shape, "bare"}:
        return False
    if last.shape == "bare" and figure.shape != "bare" and NO_MEMBER.search(text, max(last.start - 24, 0), last.end):
        return False
    if last.shape == "bare" and text[last.end : figure.start].isspace():
        return False
    return BETWEEN_MEMBERS.fullmatch(text, last.end, figure.start) is not None


# Words that introduce what is compared with. `over` also means `more than`, `in` and `for`: see NOT_COMPARED
LEADS = re.compile(
    r"\b(?:compar(?:ed|ing|ison) (?:to|with|against)|in comparison (?:to|with)|(?:than|versus|over|against"
    r"|relative to|with respect to|in contrast to)|vs\.?)\s(?:that of |those of |using |with |when using )?"
)
SURPASSES = re.compile(
    r"\b(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beat(?:s|ing)?|outpac(?:es|ed|ing)"
    r"|improv(?:es|ed|ing|ement|ements) (?:up)?on|improv(?:es|ed|ing) over|lags? behind|underperform(?:s|ed|ing)?"
    r"|trail(?:s|ing)?|match(?:es|ed|ing)?)\s"
)
FROM_OF = re.compile(r"\bfrom\s(?P<name>[A-Z][\w-]{0,30}+)(?:'s)?\s[\d.]{1,6}\\?%?\sto\s$")
# The end of the phrase that names what is compared with
STOP = re.compile(
    r"[,;:]\s|\ssuch\sas\b|[.?!](?:\s|$)|\s\((?![^()]{1,20}\)\s[a-z])|\s[-\u2013\u2014]{1,3}\s|\u2014|\s(?:by|on|in"
    r"|with|while|when|at|for|across|under|using|without|during|as|that|which|where|to|from|after|before"
    r"|respectively|via|and\s(?:\w+(?:s|ing|ed)\s|an?\s|up\s|by\s|is|on|\d)|whose|but|yet|despite|whereas|depending"
    r"|because|is|are|if|per|within|through|especially|achiev\w+|requir\w+|running|trained|evaluated|averaged)\b"
    r"|\s[~<>]?\d[\d.,]*(?:[\s%x]|times)|$"
)
GOES_ON = re.compile(r"\s(?:adopted|used|proposed|provided|offered|made)$")
NOT_COMPARED = re.compile(
    r"(?:\(|enough|being|a speed-?up of|\d|~|all|the (?:ranges?|tested|course|past|last|next|entire|full|whole|same)"
    r"|time|multiple|several|many|various|diverse|different|both|each|every|a (?:range|set|wide|period|variety|span)"
    r"|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred|two|a half|half|one\b(?! )|long|it\b"
    r"|them\b|more|an?\s(?:\w+\s)?(?:dataset|benchmark|million|billion|hundred|thousand)|billions|thousands|hundreds"
    r"|time|expected|usual|ever|previously|any other|before|that\b|which|this)"
)
LOOSE_END = re.compile(r"(?:\s(?:level )?(?:accuracy|performance)|\s(?:and|of|or|the|with|a|like)|'s|[\s.,;)])+$")
OPENS = re.compile(r"\b(?:[Cc]ompar(?:ed|ing)|[Ii]n comparison|[Rr]elative)\s(?:to|with|against)\s")
BY = re.compile(r"\bby\s(?:up to\s|over\s|an average of\s|about\s|around\s)?$")
DIGIT, CLAUSE_END = re.compile(r"\d"), re.compile(r"[,;)]\s")
# Between two numbers of one verb: `by 5.7% in one and, notably, by 13.9%`, `and 3.2x on the other`
SAME = re.compile(r"(?:\)?,?\s[\w@./-]{1,24}){0,8}(?:,|,?\sand)\s(?:notably,\s)?(?:by\s|up to\s)?")
NEAR = 120  # code points at most between a preposition and a number that follows with `by`
BEHIND = 220  # code points at most between a verb or a preposition and its number
REACH = 400  # code points: nothing farther away is taken for what a number is compared with
LONGEST = 90
EMPTY = {"the", "a", "an", "our", "its", "their", "previous", "prior", "existing", "state", "all", "uniform"}


def comparator_of(text: str, series: Series, direction: Direction | None, previous: Claim | None) -> str | None:
    """The words that name what a series is compared with; None where the sentence does not say.

    Words before the `previous` claim belong to that one, unless one verb governs both.
    """
    first, last = series.figures[0].start, series.last.end
    start, end = max(series.sentence[0], first - REACH), min(series.sentence[1], last + REACH)
    moved = FROM_OF.search(text, max(start, series.last.start - 50), series.last.start)
    if moved:
        return moved["name"]
    limit = end if direction != "level" else _before(CLAUSE_END, text, last, end)
    since = max(start, previous.span_end) if previous else start
    surpassed = last_match(SURPASSES, text, max(since, first - BEHIND), first)  # `outperforms X by 2x`
    is_by = BY.search(text, max(first - 20, 0), first)  # `over X by 2x`
    opening = OPENS.search(text, start, first)  # what the sentence begins with: `Compared to X, …`
    return (
        _led_to(text, last, _before(DIGIT, text, last, end))
        or (_phrase(text, surpassed.end()) if surpassed else None)
        or _led_to(text, last, limit)
        or (previous.comparator if previous and SAME.fullmatch(text, since, first) else None)
        or (_led_to(text, max(since, first - NEAR), first) if is_by and direction != "level" else None)
        or (_phrase(text, opening.end()) if opening else None)
    )


def _before(pattern: re.Pattern[str], text: str, place: int, end: int) -> int:
    found = pattern.search(text, place, end)
    return found.start() if found else end


def _led_to(text: str, start: int, end: int) -> str | None:
    """The phrase after the first preposition that is followed by one: `than X`."""
    for found in LEADS.finditer(text, start, end):
        phrase = _phrase(text, found.end())
        if phrase:
            return phrase
    return None


def _phrase(text: str, start: int) -> str | None:
    if NOT_COMPARED.match(text, start):
        return None
    for stop in STOP.finditer(text, start, start + LONGEST + 20):
        phrase = LOOSE_END.sub("", text[start : stop.start()])
        if not GOES_ON.search(phrase):
            return phrase if 1 < len(phrase) <= LONGEST and phrase.lower() not in EMPTY else None
    return None
