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
FACTOR = re.compile(
    rf"\b(?:factors?(?: of)?|(?:speed-?ups?|acceleration|reduction|improvement) factors?(?: of)?|speed-?ups? (?:of|greater than|by))"
    rf"\s{BOUND}*(?:between\s)?$"
)
FACTOR_AFTER = re.compile(r"\s(?:(?:end-to-end|training|inference|wall-clock|average|[a-z]+-level)\s){0,2}speed-?ups?\b")
TAKES = re.compile(
    rf"\b(?:in|within|under|over|takes?|taking|requir\w+|needs?|to|from|only|just|by|latency of|time of|runtime of|memory|uses?|using"
    rf"|at|of|consum\w+)\s{BOUND}*(?:an?\s)?$"
)
OF_MEDIA = re.compile(r"\s?(?:of\s(?:[\w-]+\s){0,3}(?:video|audio|speech|data|footage|recording|music|conversation|play|content"
    r"|demonstration|interaction|motion|videos|recordings)|long\b|windows?\b|videos?\b|clips?\b|segments?\b|horizon)")
SPEED = re.compile(r"\b(?:train\w*|generat\w*|reconstruct\w*|infer\w*|render\w*|process\w*|latenc\w*|runtimes?|tim(?:e|es)|run\w*|optimi[sz]\w*"
    r"|comput\w*|complet\w*|decod\w*|synthesi[sz]\w*|converg\w*|solv\w*|produc\w*|per|fine-tun\w*|edit\w*|speed\w*|construct\w*|build\w*|fast\w*|respon\w*|predict\w*)\b")
MEMORY = re.compile(r"\b(?:memory|vram|footprint|storage|cache|model size|size|disk|bandwidth|checkpoint|communicat\w*|compress\w*|reduc\w*|requir\w*)\b")
FRACTION_OF = re.compile(r"\s(?:[\w-]+\s){0,3}(?:tasks?|problems?|benchmarks?|cases|runs|datasets?|metrics|settings|models|games|environments"
    r"|domains|categories|experiments|trials|questions|instances|languages|comparisons|subjects|times|scenarios)")


def rule_of(series: Series, sentence: str) -> Rule:
    """The rule by which a series reports results; None where nothing says so."""
    if SETTING_AFTER.match(series.after) or SETTING_BEFORE.search(series.before):
        return None
    return RULES[series.figures[-1].shape](series, sentence)


def _multiple(series: Series, sentence: str) -> Rule:
    word = series.last
    if series.after.startswith(" as") or word.low == "1":
        pass
    return "multiple"


def _worded(series: Series, sentence: str) -> Rule:
    return "worded" if COMPARATIVE.match(series.after) or BY.search(series.before) else None


def _percent(series: Series, sentence: str) -> Rule:
    if SHARE.match(series.after) and not LITTLE.search(series.before):
        return None
    return "percent" if RESULT.search(sentence) else None


def _points(series: Series, sentence: str) -> Rule:
    return "points" if RESULT.search(sentence) else None


def _rate(series: Series, sentence: str) -> Rule:
    return "rate" if RESULT.search(sentence) else None


def _time(series: Series, sentence: str) -> Rule:
    if OF_MEDIA.match(series.after) or not TAKES.search(series.before):
        return None
    return "time" if SPEED.search(series.before) or SPEED.search(series.after) else None


def _bytes(series: Series, sentence: str) -> Rule:
    if not TAKES.search(series.before):
        return None
    return "bytes" if MEMORY.search(series.before) or MEMORY.search(series.after[:40]) else None


def _level(series: Series, sentence: str) -> Rule:
    return "level" if RESULT.search(sentence) else None


def _bare(series: Series, sentence: str) -> Rule:
    if FACTOR.search(series.before) or FACTOR_AFTER.match(series.after):
        return "factor"
    if SCORED.search(series.before) or SCORED_BEHIND.match(series.after):
        return "score"
    return None


RULES: dict[Shape, Callable[[Series, str], Rule]] = {
    "multiple": _multiple,
    "orders": lambda _series, _sentence: "orders",
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
    "fraction": lambda _series, _sentence: "fraction",
}
