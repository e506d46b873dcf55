"""Sentences of a text, and series in them: figures that one phrase lists (`by 8.7%, 12.2% and 11.0%`)."""

import re
from bisect import bisect_right
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from transforms.names.declared_names import Span
from transforms.numbers.figures import Figure

# A full stop ends a sentence before a capital, a bracket, a quote or a formula; abbreviations do not
END = re.compile(
    r"[.!?](?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bet"
    r" al\.)(?<!\bvs\.)(?<!\bv\.s\.)(?<!\bcf\.)(?<!\bresp\.)(?<!\bFig\.)(?<!\bSec\.)(?<!\bEq\.)(?<!\bapprox\.)"
    r"(?<!\bavg\.)"
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bProf\.)(?<!\bSt\.)(?<!\s[A-Z]\.)[\"'\u201d\u2019)\]]?\s(?=[\s\"'\u201c\u2018(\[$\\{~]?[A-Z0-9\\{$-])"
)
BEFORE, AFTER = 150, 120  # code points: as far as a phrase about a number reaches
PAIR = 2
FARTHEST = 24  # between two members of a series
AROUND = 300  # as much of a sentence as is searched for words of results: sentences have no limit in length
BETWEEN_MEMBERS = re.compile(
    r"\+?\)?\s?(?:,|/|;|and|or|&|,\sand|,\sor|to|=>|\$?\\?rightarrow\$?|\u2192|->)?\s?(?:(?:by\s)?(?:up\sto|over|about|nearly|around|to|by|a"
    r"|approximately)\s)?[+~>(]?(?:\*\*)?"
)
APART = re.compile(r"\(|,\san?\s")  # `to 360.57, a 21% reduction`, `to 3.26 (1.6x)`
# A bare number that is a year, or a part of a name (`Ovi 1.1 and 60.9%`)
NO_MEMBER = re.compile(r"(?:\b(?:19|20)\d\d(?:\.\d\d)?|\b(?:[A-Z][\w-]{0,20}|level)\s[\d.,]{1,9})$")


ARROWS = ("=>", "rightarrow", "\u2192", "->")
MOVES = ("to", *ARROWS)
# Behind a number that is a change, whatever the number before it is: `to 15%, a 70% relative gain`
OWN_CHANGE = re.compile(r"\s(?:relative|absolute)\s(?:improvement|gain|increase|boost|reduction|decrease|drop|decline)")
# Between words and a number in a formula or in bold: `compared to $`, `\textbf{`
MARKS_AHEAD = re.compile(r"(?:\$|\\\(|\*\*|\\(?:textbf|mathbf|emph|textit|text|mathrm|bf)\{|\{)+$")
MARKS_BEHIND = re.compile(r"^(?:\}|\\\)|\*\*|\$(?![\\^_]))+")
MARKS = ("$", "*", "{", "}", "\\(", "\\)")
# Before `80% to 75%`, where the second is less: the own and another's, not before and after
CONTEST = re.compile(
    r"\b(?:outperform|surpass|exceed|beat|better|higher|stronger|superior|prefer|favou?r|w[io]n)\w*\b"
    r"(?:(?!\bfrom\b)[^.;\d]){0,80}\d[\d.]*\s?\\?%?(?:\sto\s)?$"
)
NAMED = re.compile(r"\b[A-Z][\w-]{0,20}\s$")


class Series(Struct, frozen=True, gc=False):
    """Figures of one phrase.

    `before` and `after` are the words around them in the sentence, `around` is the part of the sentence that is
    searched for words of results; all in lower case.

    A move is `from 73% to 81%`: values, not changes, of which `moved` stand before it; 0 where nothing moves. What
    stands right behind a name may be a part of it.
    """

    figures: tuple[Figure, ...]
    sentence: Span
    number: int
    before: str
    after: str
    around: str
    moved: int
    is_named: bool

    @property
    def last(self) -> Figure:
        return self.figures[-1]

    @property
    def is_move(self) -> bool:
        return self.moved > 0


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
    found = []
    for group in _groups(text, figures):
        start, end, shape = group[0].start, group[-1].end, group[-1].shape
        number = sentence_at(sentences, start)
        sentence = sentences[number]
        ahead = lower[max(sentence[0], start - BEFORE) : start]
        behind = lower[end : min(max(sentence[1], end), end + AFTER)]
        found.append(
            Series(
                figures=tuple(one if one.shape == shape else replace(one, shape=shape) for one in group),
                sentence=sentence,
                number=number,
                before=MARKS_AHEAD.sub("", ahead) if ahead.endswith(MARKS) else ahead,
                after=MARKS_BEHIND.sub("", behind) if behind.startswith(MARKS) else behind,
                around=lower[max(sentence[0], start - AROUND) : min(sentence[1], end + AROUND)],
                is_named=NAMED.search(text, max(start - 24, 0), start) is not None,
                moved=_moved(lower, group),
            )
        )
    return found


def _groups(text: str, figures: list[Figure]) -> list[list[Figure]]:
    """The figures of each series: one goes on a series that it belongs to, unless that has told its move already."""
    groups: list[list[Figure]] = []
    for figure in figures:
        last = groups[-1] if groups else []
        is_told = len(last) > 1 and _is_arrow(text, *last[-2:])
        is_told = is_told or (len(last) == PAIR and _is_next_move(text, last, figure))
        if last and _belongs(text, last[-1], figure) and (not is_told or _is_arrow(text, last[-1], figure)):
            last.append(figure)
        else:
            groups.append([figure])
    return groups


def _moved(lower: str, group: list[Figure]) -> int:
    """How many figures of a list stand before the change that it tells: of `from 45 and 58 to 60 and 71` two."""
    is_from = lower.endswith("from ", 0, group[0].start)
    count = len(group)
    for before in (1, count // 2, count - 1) if is_from else (1,):
        between = lower[group[before - 1].end : group[before].start] if 0 < before < count else ""
        if between.strip("+ $\\").startswith(MOVES):
            return before
    return 0


def is_less(one: Figure, other: Figure) -> bool:
    """Whether a number in digits is less than another."""
    numbers = [figure.low.replace(",", "").split()[0] for figure in (one, other)]
    return numbers[0][0].isdigit() and numbers[1][0].isdigit() and float(numbers[0]) < float(numbers[1])


def _is_arrow(text: str, last: Figure, figure: Figure) -> bool:
    """Whether an arrow is all that is between two figures: the next two of a list are a move of their own."""
    return text[last.end : figure.start].strip(" $\\").startswith(ARROWS)


def _is_next_move(text: str, pair: list[Figure], figure: Figure) -> bool:
    """Whether one move is told and another begins: `from 0.54 to 0.26 and` 10.1% `to 6.0%`."""
    is_moved = text[pair[0].end : pair[1].start].strip("$ ") == "to"
    return is_moved and text.startswith((" to ", "$ to "), figure.end)


def _belongs(text: str, last: Figure, figure: Figure) -> bool:
    """Whether a figure belongs to the same list as the one before it: `3.8x and 3.6x`, `8.7, 12.2 and 11.0%`."""
    if figure.start - last.end > FARTHEST or last.shape not in {figure.shape, "bare"}:
        return False
    if last.shape == "bare" and figure.shape != "bare" and NO_MEMBER.search(text, max(last.start - 24, 0), last.end):
        return False
    between = text[last.end : figure.start]
    if last.shape == "bare" and (between.isspace() or (figure.shape != "bare" and APART.search(between))):
        return False
    is_contest = (
        between == " to " and CONTEST.search(text, max(last.start - BEFORE, 0), last.end) and is_less(figure, last)
    )
    is_changed = between.endswith("+") and not text.endswith("+", 0, last.start)  # `52.9%, +2.7%`
    if is_contest or is_changed or (between.startswith(")") and between.rstrip().endswith("by")):
        return False
    if between.endswith((" a ", " an ")) and OWN_CHANGE.match(text, figure.end):
        return False
    return BETWEEN_MEMBERS.fullmatch(text, last.end, figure.start) is not None


def lowered(text: str) -> str:
    """A text in lower case of the same length: letters that become two in lower case are kept as they are."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
