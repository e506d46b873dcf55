"""The words that name a metric: where they stand, what is said with them, which declared metric they mean."""

import re

from transforms.claims.measures import Measured
from transforms.names.declared_names import Mention, Span
from transforms.names.naming import SHARED as SHARED_NAMES
from transforms.numbers.series import BEFORE, Series
from warehouse.schema.benchmarks import AT_K, METRIC_OF

LONGEST = 64  # code points of the words that are said with a metric
# What is said with a metric that makes no other of it: `zero-shot accuracy`, `average score`
MODIFIER = (
    r"(?:(?:zero-shot|few-shot|top-1|classification|task|tasks|macro|micro|diagnostic|strict|weighted|refusal"
    r"|retrieval|verification|solution|validation|recognition|segmentation|average|mean|overall|final|total|test|benchmark"
    r"|execution|answer|answering|grounding|reasoning|generation|prediction|evaluation|multi-class|problem-solving|full"
    r"|balanced|main|random-level|agent|model|navigation|manipulation|question)\s)"
)
MODIFIERS = re.compile(rf"^{MODIFIER}+")
# Words before a metric that are not said with it: articles, prepositions, verbs, praise
NO_MODIFIER = (
    r"(?:(?:the|and|but|nor|for|its|our|their|with|from|than|that|this|these|both|per|via|into|over|under|upon|most|more|much|less"
    r"|new|high|higher|highest|low|lower|lowest|good|better|best|great|greater|superior|strong|stronger|same|comparable|similar"
    r"|competitive|impressive|remarkable|significant|substantial|perfect|near-perfect|state-of-the-art|sota|only|just|even"
    r"|also|while|has|have|had|are|was|were|can|not|all|any|each|every|some|respectively|about|nearly|absolute|relative|up"
    r"|simultaneously|significantly|substantially|consistently|percent|points?|times|in|of|on|to|as|at|by|is|an|or|we|it|terms|modest|top|peak|leading|record|original|base"
    r"|baseline|standard|average-case|average|mean|meaningful|fewer|which|notable|robust|minimal|minor|alone|though|they|where|when|if|so|too|very|down|without|through|among|across|between|within|against|using)\s"
    r"|(?:achiev|reach|attain|obtain|deliver|yield|show|demonstrat|report|maintain|preserv|retain|giv|provid|gain|improv|increas"
    r"|boost|rais|enhanc|slash|reduc|decreas|drop|cut|sav|outperform|surpass|exceed|lift|elevat|keep|lose|los|match|us|record|produc"
    r"|exhibit|requir|consum|result|halv|doubl|extend|extrapolat|swing|widen|narrow|significant|substantial|remarkabl|consistent|effective)(?:e|es|s|ed|ing|ly)?\s)"
)
MODIFIERS_END = re.compile(rf"(?<![\w'.-])(?:(?!{NO_MODIFIER})[a-z][a-z0-9-]{{2,20}}\s){{1,3}}$")
NOT_MODIFIED = re.compile(r"\w+er|successful|solv\w+|resolv\w+|accelerat\w+|compress\w*|speed\w*|preferred|accurate|r")
# What is improved on a benchmark: `improves TPF on PlumQA from`; a score of its own: `Aesthetic Score of`
UNKNOWN = re.compile(r"\b(?:improv|increas|rais|boost|lift)\w*\s(?P<word>[A-Z]{2,5})\s(?:on|in)\s[^.;,]{2,40}\sfrom\s$")
OWN_SCORE = re.compile(
    r"(?:(?<!\w)(?!Overall|Total|Average|Final|Mean|The|Our|Its)[A-Z][A-Za-z]+|\((?!SOTA)[A-Z]{2,8}\))\s$"
)
SCORE = re.compile(r"scores?", re.IGNORECASE)
IS_VERB = re.compile(r"\s(?:only\s|just\s|about\s|at\s|over\s)?\d")  # behind `scores`
FARTHEST = 40  # code points that the name of a score has at most


def metric_named(words: str) -> str | None:
    """The declared name of a metric; None where the words are of another: `node accuracy` is no accuracy."""
    said = MODIFIERS.sub("", words.lower())
    named = METRIC_OF.get(said) or METRIC_OF.get(said.removesuffix(" score"))
    return said if re.fullmatch(AT_K, said) else named and named.name


def place_of_word(text: str, lower: str, measured: Measured, series: Series) -> Span | None:
    """Where the words stand that name what is measured, nearest to the number; None where none do."""
    word, (start, end) = measured.word, series.sentence
    if not word:
        return None
    at = (
        lower.find(word, series.last.end, end)
        if measured.is_behind
        else lower.rfind(word, start, series.figures[0].start)
    )
    is_verb = word in {"score", "scores"} and at + len(word) + 1 == series.figures[0].start
    is_modified = at >= 0 and not is_verb and not NOT_MODIFIED.fullmatch(word)
    modified = MODIFIERS_END.search(text, max(start, at - LONGEST), at) if is_modified else None
    return (modified.start() if modified else at, at + len(word)) if at >= 0 else None


def with_own_name(text: str, word: Span, mentions: list[Mention]) -> Span:
    """The words of a score with a name of its own, which is no benchmark: `Aesthetic Score`."""
    is_of_benchmark = any(one.end + 1 == word[0] for one in mentions)
    if is_of_benchmark or not SCORE.fullmatch(text, *word) or IS_VERB.match(text, word[1]):
        return word
    own = OWN_SCORE.search(text, max(word[0] - FARTHEST, 0), word[0])
    return (own.start(), word[1]) if own else word


def unknown_metric(text: str, series: Series) -> Span | None:
    """The acronym that is said to have improved, of a metric that no list has: nobody can say what it is."""
    first = series.figures[0].start
    found = UNKNOWN.search(text, max(series.sentence[0], first - BEFORE), first)
    return found.span("word") if found and found["word"] not in SHARED_NAMES else None
