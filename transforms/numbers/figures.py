r"""Finding figures: every number of a text with its unit, ranges as one figure, and words that bound a number.

One pass with one expression, whatever the numbers mean. Its parts are possessive (they never backtrack) and the length
of a unit is bounded, so that the time is linear in the length of any text. Units are as abstracts write them behind a
number: with LaTeX (`\times`, `\%`), and where it was stripped (`times`).
"""

import re
from typing import Literal

from msgspec import Struct

from warehouse.schema.core.claims import Bound, Unit

BOUNDS: dict[Bound, str] = {
    "up to": r"up to|upto|at most|a peak(?: of)?|as much as|max(?:imum)?(?: of)?|under|below|less than|fewer "
    "than|within"
    r"|no more than|<|\\leq?|leq|lower than",
    "at least": r"over|more than|at least|above|exceed(?:s|ing)?|>|\\geq?|geq|\\?textgreater|greater than"
    r"|no less than|beyond|upwards? of|higher than",
    "average": r"on average|average(?: of)?|averaging|mean(?: of)?|avg\.?|geomean|averages|median(?: of)?",
    "about": r"about|around|near|nearly|roughly|approximately|almost|~|\u223c|\\sim|sim|close to|approx\.?|\u2248"
    r"|\\approx|circa|some|an estimated",
}
BOUND = rf"(?:(?:an?\s)?(?:{'|'.join(BOUNDS.values())})\s?(?:an?\s)?)"


ClaimShape = Literal[
    "orders",
    "worded",
    "fraction",
    "count",
    "points",
    "percent",
    "multiple",
    "tokens_rate",
    "flop_rate",
    "rate",
    "time",
    "bytes",
    "bits",
    "level",
    "bare",
]

SECOND = r"(?:s|sec|second)\b"
SCORED_IN = "percentage|percent|accuracy|absolute|relative|average|full|F1|BLEU|CIDEr|mAP|AP|mIoU|Elo|ELO|ROUGE|score"

# The units of each shape, behind its number; the first that matches is taken
BEHIND: dict[ClaimShape, str] = {
    "points": rf"\s?\$?\\?%p(?:t|oint)?s?\b|\s?\$?\\?%[\s-]points?\b|(?:[\s-](?:{SCORED_IN})){{1,2}}[\s-]points?\b"
    rf"|[\s-]?(?:points?|pts?|pp|p\.p\.)(?![\w-])",
    "percent": r"\s?\$\\?%\$|\s?(?:\*\*)?\\?%(?!(?!rightarrow|to\d)\w)|[\s-](?:percent|per\scent)\b",
    "multiple": r"\s?\$\\times\$|\s?\\times(?![a-zA-Z])|\s?\u00d7|\s?(?:times|[xX])(?![\w$^\\]|-[a-zA-Z])"
    r"|[\s-]?[Ff]old\b",
    "tokens_rate": rf"\s?(?:tokens?|toks?)\s?(?:/|per\s)\s?{SECOND}",
    "flop_rate": rf"\s?(?:[KMGTPEZ]|[KkMmGgTtPpEe][a-z]{{3}})?\s?[Ff][Ll][Oo][Pp]s?(?:/|\sper\s){SECOND}|\s?(?:[TPE]"
    rf"|[TtPpEe][a-z]{{3}}-?)[Ff][Ll][Oo][Pp][Ss]\b",
    "rate": rf"\s?(?:FPS|fps|Hz|TOPS|QPS|TOPS/W|[GTM]B/s|(?:frames?|images?|samples?|requests?)\s?(?:/"
    rf"|per\s)\s?{SECOND})\b",
    "time": r"\s?(?:ms|milliseconds?|\u00b5s|\u03bcs|microseconds?|ns|nanoseconds?|s|secs?|seconds?|mins?"
    r"|minutes?|hrs?|hours?|h|days?|weeks?|months?)(?![\w-])",
    "bytes": r"\s?(?:[KMGTP]i?B|(?:[Kk]ilo|[Mm]ega|[Gg]iga|[Tt]era)?[Bb]ytes?)(?![\w-])",
    "bits": r"[\s-]?bits?(?![\w-])",
    "level": r"[\s-]?(?:dB|db|nats?|bpp|BPB|bpb|BPW)(?![\w-])",
}

UNIT_OF: dict[ClaimShape, Unit] = {
    "points": "points",
    "percent": "%",
    "multiple": "x",
    "tokens_rate": "tokens/s",
    "flop_rate": "FLOP/s",
    "rate": "other",
    "time": "s",
    "bytes": "B",
    "bits": "bits",
    "level": "other",
    "bare": "score",
    "orders": "x",
    "worded": "x",
    "fraction": "count",
    "count": "count",
}


NUMBER = r"[0-9][0-9]*+(?:,[0-9]{3}(?![0-9]))*+(?:\.[0-9]++)?+"  # begins with a set: the engine skips to it
MAGNITUDE = r"\s(?:thousand|million|billion|trillion)\b"
SPREAD = rf"\s?\$?\s?(?:\\?pm|\u00b1|\+/-)\s?\$?\s?{NUMBER}"  # `69.8 pm 0.5%`
FIGURE = re.compile(
    rf"(?P<number>{NUMBER})(?:{SPREAD})?(?P<magnitude>{MAGNITUDE})?\+?(?:"
    + "|".join(f"(?P<{shape}>{pattern})" for shape, pattern in BEHIND.items())
    + r"|(?P<bare>(?=\\?sim\d)|(?![\w@]|-(?!without\b|with\b|while\b)[A-Za-z]|/\w)))"
)
# What may stand right before a number that is not part of a name, a version, an index or an exponent (`GPT-4`, `v2.1`,
# `x_1`, `10/12`, `1e-5`): nothing of these, or what joins it to another number
APART = re.compile(
    r"(?:^|[^\w.,/^_{@'\u2019-]|[\d%}$]-{1,2}|rightarrow|\d[xX]-{1,2}|times-|[\s(~$]-|sim|[%x]/|%,|\\(?:emph|textbf|mathbf"
    r"|textit|bf)\{)$"
)
DASH = re.compile(
    r"\$?\s?(?:\\?text\{-{1,3}\}|-{1,3}|[\u2013\u2014\u2212~\u223c]|\\?sim)\s?\$?|\sto\s(?:about\s|over\s|around\s"
    r"|nearly\s)?\+?"
)
IN_NAME = re.compile(r"[A-Z]\d-$")
AND = re.compile(r"\s?and\s")
BETWEEN = re.compile(r"\bbetween\s(?:about\s|roughly\s)?$")
FROM = re.compile(r"\bfrom\s(?:\S+\s){0,3}$")
# Before `(57% to 90%)`: what changed, or by how much, but for a range of gains
CHANGED_IN = re.compile(
    r"\b(?:improv|increas|rais|boost|reduc|decreas|lower|drop|degrad|declin|tripl|doubl)\w*\b(?:[^.;()]|\([^()]{1,40}\)){0,90}(?<!gains)(?<!improvements)\s"
    r"\((?:[A-Z][\w-]{1,8}\s)?$"
    r"|\d\s?(?:\\?%|pp)?(?:\s(?:[a-z]+\s){0,2}(?:points?|gain|improvement|increase|reduction|drop))?\s\($"
)
TOLD_IN = re.compile(r"(?:\s[\w@-]{2,12})?[),;]|\s(?:on|in|from)\s")
# Before the second of two: `from 71% to 78% on one and 47% to 59% on another`
MOVED_BEFORE = re.compile(
    r"\bfrom\s[\d.]+\s?\\?%?\sto\s(?:[a-z]+\s){0,2}[\d.]+\s?\\?%?(?:\s[^.;,\d]{1,60})?(?:,\sand|,|\sand)\s$"
)
RANGING = re.compile(
    r"(?:rang|vary|varied|span|gains reach)\w*\sfrom\s(?:[\d.]+\s?\\?%?\sto\s[\d.]+\s?\\?%?,?\s(?:and\s)?)?$"
)


FAR = 110  # code points before a range that are searched for a change
FARTHEST = 16  # code points between the two ends of a range
LONGEST = 15  # digits and signs: a longer number is no quantity, and has no exact float


class Figure(Struct, frozen=True, gc=False):
    """A number or a range with its unit: the span of it all, and the number, or both numbers, as written."""

    start: int
    end: int
    shape: ClaimShape
    low: str
    high: str | None = None
    noun: str = ""  # of a count


def figures_of(text: str) -> list[Figure]:
    """All figures of a text in order.

    >>> [(text[f.start : f.end], f.shape) for text in ["a 2-4x gain of 1.5%"] for f in figures_of(text)]
    [('2-4x', 'multiple'), ('1.5%', 'percent')]
    """
    figures: list[Figure] = []
    for found in FIGURE.finditer(text):
        start = found.start()
        if found.end("number") - start > LONGEST or not APART.search(text, max(start - 12, 0), start):
            continue
        if IN_NAME.search(text, max(start - 4, 0), start):
            continue  # `PlumNetV2-1.0`
        shape: ClaimShape = found.lastgroup  # type: ignore[assignment]
        end = found.end() if shape != "bare" else max(found.end("number"), found.end("magnitude"))
        figure = Figure(start, end, shape, found["number"] + (found["magnitude"] or ""))
        joined = _joined(text, figures[-1], figure) if figures else None
        figures[-1 if joined else len(figures) :] = [joined or figure]
    return figures


def _joined(text: str, low: Figure, high: Figure) -> Figure | None:
    """Two figures as one range, or None: `2-4x`, `1.2x to 1.5x`, `between 3 and 5%` are one, `from 3% to 5%` is two."""
    is_near = high.start - low.end <= FARTHEST and low.high is None
    is_alike = high.shape != "bare" and low.shape in {"bare", high.shape}
    is_bare = low.shape == high.shape == "bare"
    if not is_near or not (is_alike or is_bare):
        return None
    gap, before = text[low.end : high.start], text[max(low.start - FAR, 0) : low.start]
    is_range = DASH.fullmatch(gap) or (AND.fullmatch(gap) and BETWEEN.search(before))
    # `from A to B`, `improves F1 (A to B)` and `90% to 80%` give the value before and after, not the ends of a range
    is_from = (FROM.search(before) or MOVED_BEFORE.search(before)) and not RANGING.search(before)
    is_told = TOLD_IN.match(text, high.end) and CHANGED_IN.search(before)
    is_fall = float(low.low.replace(",", "").split()[0]) > float(high.low.replace(",", "").split()[0])
    is_move = " to " in gap and (is_fall or (high.shape != "multiple" and (is_from or is_told)))
    return Figure(low.start, high.end, high.shape, low.low, high.low) if is_range and not is_move else None
