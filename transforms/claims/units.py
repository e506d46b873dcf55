r"""Units as abstracts write them behind a number: with LaTeX (`\times`, `\%`), and where it was stripped (`times`)."""

from __future__ import annotations

from typing import Literal

from warehouse.schema.core.claims import Unit

Shape = Literal[
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
BEHIND: dict[Shape, str] = {
    "points": rf"\s?\$?\\?%p(?:t|oint)?s?\b|\s?\$?\\?%[\s-]points?\b|(?:[\s-](?:{SCORED_IN})){{1,2}}[\s-]points?\b"
    rf"|[\s-]?(?:points?|pts?|pp|p\.p\.)(?![\w-])",
    "percent": r"\s?\$\\?%\$|\s?\\?%(?!\w)|[\s-](?:percent|per\scent)\b",
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
    "level": r"[\s-]?(?:dB|DB|db|nats?|bpp|BPB|bpb|BPW)(?![\w-])",
}

UNIT_OF: dict[Shape, Unit] = {
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
