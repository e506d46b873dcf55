r"""Which figures report a result of the paper, and by which rule.

A figure is taken only where the words around it say so: it stands in a sentence about the paper's own work, nothing
beside it makes it a setting, a size or a name, and what its shape needs is there. The rules, as the column `rule`
has them:

* `multiple`: `1.75x`, `1.75\times`, `2-4 times`, not of a resolution or a device;
* `factor`: a bare number that `a factor of` or `speedup` makes a multiple;
* `orders`: `three orders of magnitude`;
* `worded`: `twice`, `halves`, `ten-fold`, beside what changed;
* `percent`: `8.7\%` in a sentence that tells of a result, not of a share of the data or a confidence;
* `points`: `3.2 points` in such a sentence;
* `rate`: tokens/s, FLOP/s, frames per second that are reached;
* `time` and `bytes`: hours and gigabytes that something takes, or is brought down to;
* `level`: dB, nats and operations, gained or reached;
* `score`: a bare number right beside a metric (`AUC 0.96`, `34.5 BLEU`);
* `fraction`: `7 of 7`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from transforms.claims.series import Series
from transforms.claims.units import Shape
from transforms.claims.words import BOUND, CHANGE, RESULT, SCORED, SCORED_BEHIND

Rule = str | None

SETTING_AFTER = re.compile(
    r"[\s-]?(?:super-?resolution|up-?sampl|down-?sampl|up-?scal|zoom|magnif|sr\b|[ahbv]\d{2,3}0?\b|nvidia|rtx|gpus?\b"
    r"|tpus?\b|confidence|ci\b|credible|free\b|\d|quantile|percentile|dropout|probability\b|sparsity (?:level|ratio)"
    r"|mask|confidence)"
)
SETTING_BEFORE = re.compile(
    r"(?:\btop|\bfirst|\blast|confidence|\b[pnk]|alpha|beta|epsilon|lambda|temperature|threshold|section|table|figure|day"
    r"|version|phase|stage|chapter)[\s=-]$"
)
SHARE = re.compile(
    r"\s(?:of|the)\s(?:(?:the|all|total|original|full|available|labell?ed|training|its|their|our|real|synthetic|human|image)\s)*"
    r"(?:data\b|dataset|training|tokens|samples|examples|labels|parameters|users|people|participants|images|layers|weights|papers"
    r"|time\b|population|cases\b|words|languages|annotations|corpus|pages|neurons|experts|heads|pixels)"
)
LITTLE = re.compile(r"\b(?:only|just|merely|mere|less than|as little as|fewer than|under|within|using)\s(?:an?\s)?$")
COMPARATIVE = re.compile(
    r"\s?\)?\s(?:as \w+ as|the |more|less|fewer|faster|slower|smaller|larger|bigger|longer|shorter|higher|lower|better|worse|greater"
    r"|cheaper|deeper|[\w-]* ?(?:speed-?up|reduction|improvement|increase|acceleration|gain|saving|compression|throughput|decrease|boost))"
)
BY = re.compile(rf"\b(?:by|of|to|achiev\w+|{CHANGE})\s{BOUND}*(?:an?\s)?$")
AT_RATIO = re.compile(r"\b(?:under|at|with|using)\s(?:an?\s)?$")
OF_RATIO = re.compile(r"\s(?:\w+\s)?(?:compression|sparsity|pruning|masking|dropout|ratio|context|length|scale)\b")
SIZE = re.compile(r"\s(?:the size|as (?:large|big|many)|larger|bigger|more\s(?!\w*(?:effici|accura|fast)))")
FACTOR = re.compile(
    rf"\b(?:factors?(?: of)?|(?:speed-?ups?|acceleration|reduction|improvement) factors?(?: of)?|speed-?ups? (?:of|greater than|by))"
    rf"\s{BOUND}*(?:between\s)?$"
)
FACTOR_AFTER = re.compile(r"\s(?:(?:end-to-end|training|inference|wall-clock|average|[a-z]+-level)\s){0,2}speed-?ups?\b")
GAINED = re.compile(
    rf"\b(?:gains?|improv\w+|increas\w+|boost\w*|drops?|dropp\w+|reduc\w+|decreas\w+|rais\w+|lift\w*|surpass\w*|outperform\w*|fall\w*)\s(?:[^\s]{{1,24}}\s){{0,6}}(?:of|by|from)"
    rf"\s{BOUND}*[+-]?$"
)
REACHED = re.compile(rf"\b(?:scor(?:es?|ed|ing)|achiev\w+|reach\w*|attain\w*|obtain\w*|is|was)\s{BOUND}*(?:an?\s|only\s|just\s)?$")
IS_YEAR = re.compile(r"(?:19|20)\d\d")
MOVED = re.compile(r"\bfrom\s$")
NEXT = re.compile(r"(?:,|,?\sand|;)\s$")
ON = re.compile(r"\s(?:on|in|for|at)\s")
IN_TIME = re.compile(rf"\bin\s(?:(?:only|just|merely|{BOUND})\s?)+$")
TAKES = re.compile(
    rf"\b(?:in|within|under|over|takes?|taking|requir\w+|needs?|to|from|only|just|by|latency of|time of|runtime of|memory|memory of|footprint of|uses?|using"
    rf"|consum\w+)\s{BOUND}*(?:an?\s)?$"
)
OF_MEDIA = re.compile(r"\s?(?:of\s(?:[\w-]+\s){0,3}(?:video|audio|speech|data|footage|recording|music|conversation|play|content"
    r"|demonstration|interaction|motion|videos|recordings)|long\b|windows?\b|videos?\b|clips?\b|segments?\b|horizon)")
SPEED = re.compile(r"\b(?:train\w*|generat\w*|reconstruct\w*|infer\w*|render\w*|process\w*|latenc\w*|runtimes?|tim(?:e|es)|run\w*|optimi[sz]\w*"
    r"|comput\w*|complet\w*|decod\w*|synthesi[sz]\w*|converg\w*|solv\w*|produc\w*|per|fine-tun\w*|edit\w*|speed\w*|construct\w*|build\w*|fast\w*|respon\w*|predict\w*)\b")
MEMORY = re.compile(r"\b(?:memory|vram|footprint|storage|cache|model size|size|disk|bandwidth|checkpoint|communicat\w*|compress\w*|reduc\w*|requir\w*)\b")
FRACTION_OF = re.compile(r"\s(?:[\w-]+\s){0,3}(?:tasks?|problems?|benchmarks?|cases|runs|datasets?|metrics|settings|models|games|environments"
    r"|domains|categories|experiments|trials|questions|instances|languages|comparisons|subjects|times|scenarios)")


# The number of another's work, which the paper's own is set against: `than the 42.1% of X`, `above its own 77.5%`
OTHERS = re.compile(
    r"\b(?:than|compared (?:to|with)|above|versus|exceed\w*|surpass\w*|outperform\w*|relative to)\s(?:a\s|the\s)?"
    r"(?:(?!by\b|with\b|up\b|on\b|in\b|and\b|to\b|for\b)[^\s,;()]{1,30}\s){1,6}(?:and its (?:[^\s,;()]{1,30}\s){1,4})?$"
)
SET_AGAINST = re.compile(r"\b(?:versus|compared (?:to|with)|relative to)\s$")
LEVELS = {"percent", "bare", "time", "bytes", "rate", "level"}
OF_DATASETS = re.compile(r"\s(?:larger|bigger|more)\s(?:\w+\s){0,3}(?:than|compared to)\s(?:\S+\s){0,6}(?:datasets?|benchmarks?|corpora|resources)\b")


def rule_of(series: Series, sentence: str, previous: Rule) -> Rule:
    """The rule by which a series reports results; None where nothing says so."""
    if SETTING_AFTER.match(series.after) or SETTING_BEFORE.search(series.before):
        return None
    if series.last.shape in LEVELS and (OTHERS.search(series.before) or SET_AGAINST.search(series.before)):
        return None
    if previous == "score" and "." in series.last.low and NEXT.search(series.before) and ON.match(series.after):
        return "score"
    return RULES[series.figures[-1].shape](series, sentence)


def _multiple(series: Series, sentence: str) -> Rule:
    if AT_RATIO.search(series.before) and OF_RATIO.match(series.after):
        return None
    return None if OF_DATASETS.match(series.after) else "multiple"


def _worded(series: Series, sentence: str) -> Rule:
    if SIZE.match(series.after):
        return None
    return "worded" if COMPARATIVE.match(series.after) or BY.search(series.before) else None


def _percent(series: Series, sentence: str) -> Rule:
    if AT_RATIO.search(series.before) and OF_RATIO.match(series.after):
        return None
    if SHARE.match(series.after) and not LITTLE.search(series.before):
        return None
    return "percent" if MOVED.search(series.before) or RESULT.search(sentence) else None


def _points(series: Series, sentence: str) -> Rule:
    return "points" if RESULT.search(sentence) else None


def _rate(series: Series, sentence: str) -> Rule:
    return "rate" if RESULT.search(sentence) else None


def _time(series: Series, sentence: str) -> Rule:
    if OF_MEDIA.match(series.after) or not TAKES.search(series.before):
        return None
    return "time" if IN_TIME.search(series.before) or SPEED.search(series.before) or SPEED.search(series.after) else None


def _bytes(series: Series, sentence: str) -> Rule:
    if not TAKES.search(series.before):
        return None
    return "bytes" if MEMORY.search(series.before) or MEMORY.search(series.after[:40]) else None


def _level(series: Series, sentence: str) -> Rule:
    return "level" if RESULT.search(sentence) else None


def _bare(series: Series, sentence: str) -> Rule:
    if FACTOR.search(series.before) or FACTOR_AFTER.match(series.after):
        return "factor"
    low = series.last.low
    if IS_YEAR.fullmatch(low):
        return None
    if ("." in low or len(low) > 1) and (SCORED.search(series.before) or SCORED_BEHIND.match(series.after)):
        return "score"
    if "." in low and (GAINED.search(series.before) or (REACHED.search(series.before) and ON.match(series.after))):
        return "score"
    return None


RULES: dict[Shape, Callable[[Series, str], Rule]] = {
    "multiple": _multiple,
    "orders": lambda series, _sentence: None if OF_DATASETS.match(series.after) else "orders",
    "worded": _worded,
    "percent": _percent,
    "points": _points,
    "tokens_rate": _rate,
    "flop_rate": _rate,
    "rate": _rate,
    "time": _time,
    "bytes": _bytes,
    "bits": lambda _series, _sentence: None,
    "level": _level,
    "bare": _bare,
    "fraction": lambda series, sentence: "fraction" if FRACTION_OF.match(series.after) and RESULT.search(sentence) else None,
    "count": lambda _series, _sentence: "count",
}
