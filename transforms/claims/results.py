r"""Deciding which figures report a result of the paper, and by which rule.

A figure is taken only on the evidence of the words around it: it is in a sentence about the paper's own work, nothing
beside it makes it a setting, a size or a name, and what its shape requires is there. The rules, as in column `rule`:

* `multiple`: `1.75x`, `1.75\times`, `2-4 times`, not of a resolution or a device;
* `factor`: a bare number that `a factor of` or `speedup` makes a multiple;
* `orders`: `three orders of magnitude`;
* `worded`: `twice`, `halves`, `ten-fold`, beside what changed;
* `percent`: `8.7\%` in a sentence about a result, not a share of the data or a confidence;
* `points`: `3.2 points` in such a sentence;
* `rate`: tokens/s, FLOP/s, frames per second that are reached;
* `time` and `bytes`: hours and gigabytes that something takes, or is brought down to;
* `level`: dB, nats, bits per pixel, byte or word, gained or reached;
* `score`: a bare number right beside a metric (`AUC 0.96`, `34.5 BLEU`);
* `fraction`: `7 of 7`;
* `count`: `in only 4 rollouts`, `scales to 1,024 GPUs`.

Each pattern looks at the words right behind a number, or right before it, in lower case; those before end at the
number.
"""

import re
from collections.abc import Callable
from typing import Final

from transforms.claims.scores import MOVED, is_counted_or_dated, is_decimal_score, is_score
from transforms.claims.words import CHANGE, RESULT
from transforms.hooks import at_end
from transforms.numbers.figures import BOUND, ClaimShape
from transforms.numbers.series import Series
from warehouse.schema.core.claims import ClaimRule

Rule = ClaimRule | None
Holds = Callable[[Series], object]  # true where a figure reports a result

# Right behind a number, what makes it a setting, a size or a name: `4x upsampling`, `8x A100`, `95% confidence`
SETTING_AFTER = re.compile(
    r"\s(?:screen\s|single-codebook|vae\b|with\sforward)"
    r"|[\s-]?(?:super-?resolution|up-?sampl|down-?sampl|up-?scal|zoom|magnif|sr\b(?!\s(?:improv|in|on|of"
    r"|and)\w*)|[ahbv]\d{2,3}0?\b|nvidia|rtx"
    r"|gpus?\b|tpus?\b|confidence|ci\b|credible|free\b|\d|quantile|percentile|dropout|probability\b"
    r"|sparsity (?:level|ratio)|mask|confidence|(?:labell?ed|unlabell?ed|annotated)\s(?:data|samples|examples)"
    r"|resolutions?\b(?!\srate)|cross-valid|evaluation and\b)"
)
# The same right before a number: `top-5%`, `p = 5%`, `table 3`
SETTING_BEFORE = re.compile(
    r"(?:\btop|\bfirst|\blast|confidence|\b[pnk]|alpha|beta|epsilon|lambda|temperature|threshold(?:\sof)?|section|table"
    r"|figure|day|version|phase|stage|chapter|level)[\s=-]$|\d\s?(?:x|\u00d7)\s?$"
)
# A share of what is used, not a result: `10% of the data`
SHARE = re.compile(
    r"\s(?:of|the)\s(?:(?:the|all|total|original|full|available|labell?ed|training|its|their|our|real|synthetic"
    r"|human|image)\s)*(?:data\b|dataset|training|tokens|samples|examples|labels|parameters|users|people"
    r"|participants|images|layers|weights|papers|time\b|population|cases\b|words|languages|annotations|corpus|pages"
    r"|neurons|experts|heads|pixels)"
)
# Unless it is presented as little: `only 10% of the data`
LITTLE = re.compile(
    r"\b(?:only|just|merely|mere|less than|as little as|fewer than|under|within|using)\s(?:an?\s)?$|<\s?$"
)
# Behind a number word, what makes it a comparison: `twice as fast`, `ten-fold speedup`
COMPARATIVE = re.compile(
    r"\s?\)?\s(?:as \w+|the |more|less|fewer|faster|slower|smaller|larger|bigger|longer|shorter|higher|lower"
    r"|better|worse|greater|cheaper|deeper|[\w-]* ?(?:speed-?up|reduction|improvement|increase|acceleration|gain"
    r"|saving|compression|throughput|decrease|boost))"
)
# The same before one: `reduced by half`
BY = re.compile(rf"\b(?:by|of|to|achiev\w+|{CHANGE})\s{BOUND}{{0,3}}(?:an?\s)?$")
# A setting under which results are reported: `at 50% sparsity`, `under 4x compression`
RANGING = re.compile(r"\brang(?:es?|ing)\sfrom\s(?:[a-z]+\s){1,3}to\s$")  # `clips ranging from several seconds to`
CONDITION = re.compile(rf"\b(?:when|if)\s(?:only\s)?{BOUND}?$")  # `even when 50% of the steps warn`
AT_RATIO = re.compile(r"\b(?:under|at|with|using)\s(?:an?\s)?$")
OF_RATIO = re.compile(
    r"\s(?:\w+\s){0,2}(?:compression|sparsity|pruning|masking|dropout|ratio|context|length|scale|compute|budget|expansion|scaling|variance|poisoning|noise|corruption)\b"
)
UNDER_RATIO = re.compile(r"\bunder\s(?:[\w-]{1,20}\s){0,2}ratios?\s(?:up\sto|of)\s$")
# A size, which is no result: `twice the size of`
SIZE = re.compile(r"\s(?:the size|as (?:large|big|many)|larger|bigger|more\s(?!\w*(?:effici|accura|fast)))")
# What makes a bare number a multiple: `by a factor of 6`, `speedup of 3`
FACTOR = re.compile(
    rf"\b(?:factors?(?: of)?|(?:speed-?ups?|acceleration|reduction|improvement) factors?(?: of)?"
    rf"|speed-?ups? (?:of|greater than|by)|speed-?ups?(?= between))\s{BOUND}{{0,3}}(?:between\s)?$"
)
FACTOR_AFTER = re.compile(
    r"\s(?:(?:end-to-end|training|inference|wall-clock|average|[a-z]+-level)\s){0,2}speed-?ups?\b"
)
# A rate that is reached without a word that says so: `trains at 502 petaFLOP/s`
AT = re.compile(rf"\b(?:at|sustain\w*)\s{BOUND}{{0,3}}$")
# What makes a duration a result: `in just 0.6 seconds`, `takes 3 hours`
IN_TIME = re.compile(rf"\bin\s(?:(?:only|just|merely|{BOUND})\s?){{1,3}}$")
TAKES = re.compile(
    rf"\b(?:in|within|under|takes?|taking|requir\w+|needs?|to|from|only|just|by|latency of|time of|runtime of"
    rf"|memory|memory of|footprint of|uses?|using|consum\w+)\s{BOUND}{{0,3}}(?:an?\s)?$"
)
# A length of something, which is no result: `10 hours of video`
OF_MEDIA = re.compile(
    r"\s?(?:of\s(?:[\w-]+\s){0,3}(?:video|audio|speech|data|footage|recording|music|conversation|play|content"
    r"|demonstration|interaction|motion|videos|recordings)|long\b|windows?\b|videos?\b|clips?\b|segments?\b|horizon)"
)
# What takes time, and what takes memory
SPEED = re.compile(
    r"\b(?:train\w*|generat\w*|reconstruct\w*|infer\w*|render\w*|process\w*|latenc\w*|runtimes?|tim(?:e|es)|run\w*"
    r"|optimi[sz]\w*|comput\w*|complet\w*|decod\w*|synthesi[sz]\w*|converg\w*|solv\w*|produc\w*|per|fine-tun\w*"
    r"|edit\w*|speed\w*|construct\w*|build\w*|fast\w*|respon\w*|predict\w*)\b"
)
MEMORY = re.compile(
    r"\b(?:memory|vram|footprint|storage|cache|model size|size|disk|bandwidth|checkpoint|communicat\w*|compress\w*"
    r"|reduc\w*|requir\w*)\b"
)
YEARS_OF = re.compile(r"\b(?:aime|hmmt|amc|imo)[\s'-]{0,2}$")  # `AIME 24/25` are two years
# What `7 of 7` may count
FRACTION_OF = re.compile(
    r"\s(?:[\w-]+\s){0,3}(?:tasks?|problems?|benchmarks?|cases|runs|datasets?|metrics|settings|models|games"
    r"|environments|domains|categories|experiments|trials|questions|instances|languages|comparisons|subjects|times"
    r"|scenarios|baselines|methods|systems|metrics|tests|configurations)"
)
# How much larger a dataset is than others
OF_DATASETS = re.compile(
    r"\s(?:larger|bigger|more)\s(?:\w+\s){0,3}(?:than|compared to)\s(?:\S+\s){0,6}(?:datasets?|benchmarks?|corpora"
    r"|resources)\b"
)


# How much of a collection is of some kind: `128 tasks where 80% need maps`, `more such tasks (62% vs. 9%)`
COLLECTED = (
    r"(?:tasks|questions|problems|samples|examples|instances|cases|items|images|videos|queries|prompts|pairs|papers"
    r"|models)"
)
COMPOSED = re.compile(
    rf"\b{COLLECTED}\s(?:[^.;,()]{{1,50}}\s)?(?:where|of\swhich|in\swhich)\s(?:over\s|about\s|only\s)?$"
    rf"|\b(?:includ|contain|compris|cover|featur|consist|span)\w*\s(?:[^.;,()]{{1,60}}\s)?{COLLECTED}\s\($"
)
OF_MODELS = re.compile(
    r"\b(?:models?|[a-z]{0,3}llms?|vlms?|vlas?|ones|baselines?|systems?|networks?|counterparts)\s"
    r"(?:(?:that|which|are|is|with|up to|over|nearly|being)\s){0,3}(?:an?\s)?$"
)
LARGER = re.compile(r"\s(?:(?:in )?(?:its|their|the)?\s?size|larger|bigger|more (?:\w+ )?(?:parameters|params|data))\b")
DOUBLES_AS = re.compile(r"\sas\s(?:an?|the)\s")  # no multiple: it is a judge, too
VERB = re.compile(r"halves|(?:doubles|triples|quadruples)(?=\s[a-z])")  # not `of images, texts and triples.`


def rule_of(series: Series, previous: Rule, *, is_on_benchmark: Callable[[], bool]) -> Rule:
    """The rule by which a series reports results, or what they are set against; None where nothing says so.

    `previous` is the rule of the claim before it in its sentence; `is_on_benchmark` tells if a benchmark is beside it.
    """
    if is_decimal_score(series, previous, is_on_benchmark=is_on_benchmark):
        rule: Rule = "score"
    else:
        rule = next((rule for rule, holds in RULES[series.last.shape].items() if holds(series)), None)
    if rule is None or SETTING_AFTER.match(series.after) or at_end(SETTING_BEFORE, series.before):
        return None
    return None if is_something_else(series) else rule


def is_something_else(series: Series) -> bool:
    """Whether a figure is a version, a number of steps, part of a verb, or says of what a collection consists."""
    shape = series.last.shape
    if shape == "bare":
        return is_counted_or_dated(series)
    if shape == "worded":
        return DOUBLES_AS.match(series.after) is not None
    if shape == "fraction":
        return YEARS_OF.search(series.before) is not None
    return shape == "percent" and COMPOSED.search(series.before) is not None


def is_setting(series: Series) -> bool:
    """Whether a figure is a setting under which results are reported: `at 50% sparsity`."""
    is_ratio = at_end(AT_RATIO, series.before) and OF_RATIO.match(series.after)
    is_condition = CONDITION.search(series.before) and series.after.startswith(" of ")
    return bool(is_ratio or is_condition or UNDER_RATIO.search(series.before) or RANGING.search(series.before))


def is_size(series: Series) -> bool:
    """Whether a multiple says how much larger a dataset or a model is than others: no result."""
    is_of_model = OF_MODELS.search(series.before) and LARGER.match(series.after)
    return bool(OF_DATASETS.match(series.after) or is_of_model)


def is_factor(before: str) -> object:
    """Whether the words before a bare number make it a multiple."""
    return ("factor" in before or "speed" in before) and FACTOR.search(before)


def is_result(series: Series) -> object:
    """Whether the sentence has a word of results."""
    return RESULT.search(series.around)


RATE: Final[dict[ClaimRule, Holds]] = {"rate": lambda one: AT.search(one.before) or is_result(one)}
# The conditions for a figure of each shape, by rule: the first that holds gives the rule
RULES: Final[dict[ClaimShape, dict[ClaimRule, Holds]]] = {
    "multiple": {"multiple": lambda one: not (is_setting(one) or is_size(one))},
    "orders": {"orders": lambda one: not is_size(one)},
    "worded": {
        "worded": lambda one: (
            not SIZE.match(one.after)
            and (COMPARATIVE.match(one.after) or BY.search(one.before) or VERB.match(one.last.low.lower() + one.after))
        )
    },
    "percent": {
        "percent": lambda one: (
            not is_setting(one)
            and (at_end(LITTLE, one.before) or not SHARE.match(one.after))
            and (at_end(MOVED, one.before) or is_result(one))
        )
    },
    "points": {"points": is_result},
    "tokens_rate": RATE,
    "flop_rate": RATE,
    "rate": RATE,
    "time": {
        "time": lambda one: (
            TAKES.search(one.before)
            and not is_setting(one)
            and not OF_MEDIA.match(one.after)
            and (IN_TIME.search(one.before) or SPEED.search(one.before) or SPEED.search(one.after))
        )
    },
    "bytes": {
        "bytes": lambda one: TAKES.search(one.before) and (MEMORY.search(one.before) or MEMORY.search(one.after[:40]))
    },
    "bits": {},
    "level": {"level": is_result},
    "bare": {"factor": lambda one: is_factor(one.before) or FACTOR_AFTER.match(one.after), "score": is_score},
    "fraction": {"fraction": lambda one: FRACTION_OF.match(one.after) and is_result(one)},
    "count": {"count": lambda _: True},
}
