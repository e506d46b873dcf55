"""Numbers that the own result is set against: `than the 42% of X`, `versus 42%`, `(baseline: 42%`, `up from 42%`."""

import re
from typing import Final

from transforms.hooks import HookWords, search_hooked, words_of
from transforms.numbers.figures import BOUND, ClaimShape
from transforms.numbers.series import CONTEST, Series
from transforms.numbers.subjects import is_of_another_subject, is_reached_by_another

VERSUS: Final = re.compile(r",?\s(?:(?:vs\.?|v\.s\.|versus)\\?\s|to\s\d[\d.]*\s?\\?%?(?:\)|\s))")
NAMED: Final = (
    r"(?:(?!by\b|to\b|up\b|than\b|from\b)[\w@./+'\u2019-]{2,30}(?:[,:;]|\s?[=~<>\u2248])?\s?)"  # `F1 = `, `GPT-4: `
)
# `than the 42.1% of X`, `above its own 77.5%`
OTHERS = re.compile(
    r"\b(?:than|compared (?:to|with)|above|below|behind|versus|vs\.|exceed\w*|surpass\w*|outperform\w*"
    r"|(?:nearly|almost|closely|,)\smatching|rivall?ing"
    r"|relative to)\s(?!\d)(?:a\s"
    r"|the\s)?(?:(?!by\b|with\b|up\b|on\b|in\b|and\b|to\b|while\b|using\b|when\b|across\b|under\b"
    r"|for\b)[^\s,;()]{1,30}\s){1,6}(?:and its (?:[^\s,;()]{1,30}\s){1,4})?(?:with\s[\w-]{2,20}\s(?=\())?\(?"
    rf"{BOUND}{{0,2}}$"
)
# `versus 76.2%`
SET_AGAINST = re.compile(
    r"(?:\b(?:versus|against|compared (?:to|with)|relative to)\s(?:only\s|just\s|a\s)?\(?"
    rf"|\b(?:vs\.?|v\.s\.|versus)\\?\s(?:[\w.\[\]-]{{1,20}}\s){{0,2}}){BOUND}{{0,2}}[<>=~]{{0,2}}$"
)
# `the prior best (13.07)`
BEST_BEFORE = re.compile(
    r"\b(?:prior|previous|existing)\s(?:[^().;]{0,40}|best\s[^(),.;%]{0,90})\((?:[\w.+-]{2,30}[,:]?\s){0,2}$"
    r"|\bpreviously\s(?:reported|published|best|achieved|failed)\s[^.;,\d]{0,50}$"
)
# `outperforming Fig, the best of its kind, at`, `fails to improve over the baseline (`
APPOSED = re.compile(
    r"\b(?:over|than|compared to|with)\s[^.;]{2,80},?\swhere\s(?:[\w-]+\s){0,3}?(?:only\s)?"
    r"(?:observ|achiev|obtain)\w*\s(?:only\s|over\s)?(?:an?\s)?$"
    r"|\b(?:outperform|surpass|exceed|beat)\w*\s[^.;()\d]{2,40},\s[^.;,()\d]{2,60},\sat\s(?:only\s)?$"
    r"|\b(?:improve|exceed|surpass|outperform)\s(?:over\s|upon\s)?(?:the|an?)\s(?:[\w-]{2,20}\s){0,3}baselines?\s\($"
)
# `random-level accuracy (50%`, `comparable to Pear and Fig (63%`, `a standard pear, …, with only a`
CHANCE_HAS = re.compile(
    r"\b(?:random|chance)(?:-level|\slevel|\sguess\w*)\s(?:(?:accuracy|performance)\s)?\($"
    r"|\b(?:comparable|competitive|similar|close|equal|on par)\s(?:to|with)\s(?:[^.;()]|\.(?=\d)){2,90}\($"
    r"|\b(?:indistinguishable\sfrom|(?:non-)?inferior\sto|equivalent\sto)\s(?:[^.;()]|\.(?=\d)){2,90}\($"
    r"|\b(?:comparable|competitive|similar|close)\s(?:to|with)\s[^.;,()]{2,60}['\u2019]s\s(?:scores?|accuracy|rates?)\sof\s$"
    r"|\b(?:close\sto|approaching)\s(?:[^.;,%]|\.(?=\d)){2,80}\sat\s$"
    r"|\bapproach(?:es|ing)\s(?:[^.;,%()]|\.(?=\d)){2,90}\((?:[a-z]{2,12}:?\s)?$"
    r"|\b(?:standard|vanilla|naive|conventional|existing|prior|previous)\s[^.;]{1,140},?\swith\sonly\s(?:an?\s)?$"
)
# `surpassing Pear and Fig with tools (26%`, `(previously 52%`
COMPARED_WITH = re.compile(
    r"\b(?:(?:surpass|outperform|exceed|beat|match|rival|overtak)\w*|doubl\w+|except\s(?:for\s)?|unlike|gap\s(?:to|with)|above|below|than|compared\s(?:to|with)|relative\sto"
    r"|within\s[\d.]+\\?%?\s(?:\w+\s)?of)\s"
    r"(?:\b(?:trained|tuned|fine-tuned|based|built|designed|developed|limited)\s(?:on|for|with|by|in)\s"
    r"|(?!\b(?:on|in|for|across|at|by|to(?=\s\d)|achiev(?:es?|ing)|reach(?:es|ing)?|scor(?:es?|ing)(?=\s(?:an?\s|only\s|\d)))\s|,\swith\s)[^.;()%]|\.(?=\d)){2,100}\("
    rf"(?!e\.g|i\.e|up\b|with\b|an?\b|[a-z]+ing\b){NAMED}{{0,5}}{BOUND}?$"
    rf"|\bpreviously\s(?:[a-z]+\s)?\(?{BOUND}{{0,2}}$"
)
# `a gain of 3 points over Fig (42%`, `improving over the base on the same data (F1 = 0.9) by`
OVER = re.compile(
    r"\b(?:gains?|improvements?|increases?|edge|advantage|lead|boost|reductions?|improv(?:es|ed|ing)|up)\s(?:\([^()]{1,30}\)\s)?(?:over|upon|from)\s"
    rf"(?:[^.;()%]|\.(?=\d)){{2,100}}\((?!e\.g|i\.e|up\b){NAMED}{{0,2}}$"
)
BY_THEN = re.compile(r"\)\sby\b")
DIGIT_AHEAD = re.compile(r"\d[\s\w\\%.-]{0,40}$")
# `from a baseline of 22`
WAS_BEFORE = re.compile(
    r"\b(?:from|above|than|beyond|below|versus|with|against|over|compared to|relative to)\s(?:an?\s|the\s)?"
    r"(?:[\w-]{2,20}\s){0,3}baselines?\s(?:score\s|accuracy\s)?(?:of|at)\s(?:[\w@]{1,10}\s?=\s?)?$"
    r"|\((?:random|chance)(?:\sguess(?:es|ing)?|\slevel|\sperformance|\saccuracy)?\s?[:=]?\s(?:at\s|of\s|is\s)?$"
    r"|\((?:usually|typically)\s$"
    r"|\bstarting\sfrom\s[^.;,\d]{2,50}$"
    r"|\b(?:random|chance)(?:-|\s)(?:(?:baselines?|guess\w*|level|performance|accuracy)\s){1,2}(?:of|at)\s$"
    # `compared to the old model with an accuracy of`, `in contrast to a developer solving`
    r"|\b(?:compared\s(?:to|with)|contrast\sto|than|versus|unlike)\s[^.;,()\d]{2,70}\s(?:(?:with|at)\s(?:an?\s|only\s)?"
    r"(?:(?!gain|improve|reduc|speed|increas|margin)[\w@-]{2,16}\s){1,4}of|(?:solv|achiev|reach|scor|attain|gett|obtain)ing|(?:drop|fall|decline|collapse)\sto"
    r"(?:\s(?:only|just|an?))?(?:\s[\w@-]{2,16}\s(?:of|at))?)\s$"
)
# `rather than 42%`, `over the previous record of 42%`, `followed by Fig (42%`, `(baseline: 42%`
INSTEAD_OF = re.compile(
    rf"\b(?:contrast(?:s|ing)?\s(?:to|with)|instead\sof|rather\sthan|as\sopposed\sto)\s(?:the\s|an?\s|its\s|their\s)?(?:sub[\s-])?{BOUND}{{0,2}}$"
    r"|\b(?:previous|prior|existing|former)\s(?:[\w-]{1,20}\s){0,2}(?:best|sota|state[-\s]of[-\s]the[-\s]art|records?|scores?"
    r"|results?)(?:\s[\w-]{1,20}){0,2}\s(?:of|at|was)\s$"
    r"|\b(?:over|upon|against|than|opposed\sto|close\sto|(?:doubl|surpass|exceed|beat|match|outperform|approach)\w*)"
    r"\s(?:[^\s,;()]{1,30}\s){0,3}[^\s,;()]{1,30}['\u2019]s\s(?:peak\s|best\s|own\s|reported\s|final\s)?$"
    r"|\b(?:followed\sby|ahead\sof|second\sonly\sto|behind\sonly|trailing)\s[^().;%]{2,60}\($"
    r"|\((?:the\s)?(?:(?:\w{2,12}\s)?baseline|base\smodel|(?:prior|previous)\s(?:best|sota)|sota|original|human|random|chance|vanilla)"
    r"(?:\saccuracy)?:?\s$"
)
# `against the` 42.1% `of Fig`, `over a` 42% `baseline`
AGAINST_THE = re.compile(
    r"\b(?:over|upon|improving on|close to|relative to|beyond|against|above|below"
    r"|(?:match|doubl|tripl|halv|exceed|surpass|approach|approximat)\w*)"
    r"\s(?:the|an?)\s$"
)
OF_THE = re.compile(
    r"\)?\s(?:[\w-]{1,15}\s){0,4}?(?:of|by|from|achieved|reported|obtained|reached|attained|baselines?)\b(?!\sour)"
)
GAIN_BEHIND = re.compile(r"\s(?:[\w@-]{2,14}\s)?(?:gains?|improvements?|reductions?|speed-?ups?)\b")
OURS_NEXT = re.compile(r",?\s(?:vs\.?|v\.s\.|versus)\\?\s(?:\d[\d.]*\\?%?\s)?(?:\w+\s)?ours?\b")
# `ours 54% and` 42% `for Fig`
FOR_OURS = re.compile(r"\b(?:for|by|of|with)\s(?:ours|our\s(?:method|model|approach|framework|system))\b")
AND_FOR = re.compile(r"(?:and|but|against|versus|vs\.?)\s(?:only\s)?$")
FOR_OTHER = re.compile(r"\s(?:for|by|with|without)\b(?!\sour)")
# `improving from earlier models' 6.5%`, `reaches 54% from`, without the number after
WORD: Final = r"(?:(?:(?=[^\s]*[a-z])[^\s,;]{1,30}|\d{1,2})\s)"
UP_FROM = re.compile(
    rf"\b(?:(?:up|improv\w+|increas\w+|rising|transformation|jump|rise|shift|down|fall\w*|fell|drop\w*|declin\w+|decreas\w+)|(?:reduc|decreas|lower|improv|increas|rais|boost|cut|lift)\w*\s{WORD}{{1,10}})\s?from\s"
    rf"(?:(?!by\b|with\b|to\b)[^\s\d]{{1,30}}\s){{0,4}}(?:[\w^]{{1,8}}\s?=\s?)?{BOUND}?$"
    r"|\(from\s(?:[^\s\d]{1,20}\s){0,2}$"
    r"|\bto\s[\d.]+\\?%?(?:\sand\s[\d.]+\\?%?)?\s(?:up\s|down\s)?from\s$"
)
RANGING = re.compile(r"\b(?:rang|vary|varied|span)\w*\s(?:from|between)\s$")
# A number of one benchmark with another that is made of it behind: `90% on Plum but only 55% on PlumPro`
ON_ITS_SOURCE = re.compile(
    r"\s(?:[\w@-]{2,16}\s){0,2}on\s(?P<name>[\w-]{3,30})[^.;\d]{0,20}\sbut\s(?:only\s|just\s)?[\d.]{1,6}\\?%?\s(?:[\w@-]{2,16}\s){0,2}on\s(?P=name)[\w-]"
)
# `84% human accuracy`
OF_PEOPLE = re.compile(r"\s(?:by\s|for\s|average\s){0,2}human\s(?:accuracy|performance|success|scores?|baseline)\b")
# `close to` 99% `for the gold one`
CLOSE_TO = re.compile(r"\bclose\sto\s$")
OF_ONE = re.compile(r"\s(?:for|of|by|from)\s(?!the\s(?:tasks|cases|time|data))")
# `50% recall for a plain baseline`
OF_BASELINE = re.compile(r"\s(?:[\w@-]{2,20}\s){0,3}(?:for|by)\s(?:an?|the)\s(?:[\w-]{2,20}\s){0,3}baselines?\b")
# `ours reaches 91%, outperforming Fig with an F1-score of`
NUMBER_AHEAD = re.compile(r"(?<![\w-])\d[\d.]*\s?\\?%?\b[^;]{0,90}$")
MORE = re.compile(r"\s(?:more|fewer|less|lower|higher)\b")
WITH_SCORE = re.compile(
    r",\s(?:[a-z]+ly\s)?(?:outperform|surpass|exceed|beat)ing\s(?!all\b|(?:the\s)?others?\b)"
    r"(?:(?!by\b|and\b|on\b|margin|achiev)[^\s.;,()]{1,30}\s){1,6}with\s(?:(?:an?\s|only\s)?(?:[\w@-]{2,16}\s){0,2}"
    r"(?:f1|accuracy|auc|auroc|bleu|map|recall|precision|f1-scores?|scores?|rates?)\s(?:scores?\s)?(?:of\s)?)?$"
)
METRIC_BEHIND = re.compile(r"\s(?:f1|accuracy|auc|auroc|bleu|map|recall|precision|success)\b")
# The shapes that a number of other work may have
LEVELS: frozenset[ClaimShape] = frozenset(
    {"percent", "bare", "time", "bytes", "rate", "flop_rate", "tokens_rate", "level", "fraction"}
)
# Each pattern with words of which its matches have one: most texts have none, and are not searched
BESIDE: Final = ("(", "previously")  # of COMPARED_WITH
OF_OTHERS: Final[dict[re.Pattern[str], HookWords]] = {
    OTHERS: words_of("than compared above below behind versus vs. exceed surpass outperform matching rival relative"),
    APPOSED: ("where", ", at", "baseline"),
    SET_AGAINST: words_of("versus vs v.s. against compared relative"),
    BEST_BEFORE: words_of("prior previous existing"),
    CHANCE_HAS: ("(", *words_of("comparable competitive similar close approach"), "with only"),
    INSTEAD_OF: words_of("( contrast instead rather opposed previous prior existing former 's \u2019s"),
    WAS_BEFORE: words_of("baseline random chance usually typically starting compared contrast than versus unlike"),
}


def is_of_others(series: Series) -> bool:
    """Whether a figure is a number of other work, that the paper's own is set against."""
    before, after = series.before, series.after
    if series.is_move or GAIN_BEHIND.match(after) or (VERSUS.match(after) and not OURS_NEXT.match(after)):
        return False  # a value before and after, a change, or what is set against another
    if series.last.shape not in LEVELS:
        return series.last.shape == "multiple" and is_reached_by_another(before)
    is_from = "from" in before and UP_FROM.search(before) and not RANGING.search(before)
    is_the = OF_THE.match(after) and AGAINST_THE.search(before)
    is_next = FOR_OTHER.match(after) and AND_FOR.search(before) and FOR_OURS.search(before)
    is_beside = search_hooked(COMPARED_WITH, BESIDE, before) and not after.startswith(" of ")
    is_contest = before.endswith(" to ") and CONTEST.search(before) and not series.is_move
    is_told = (
        is_contest
        or is_from
        or is_the
        or is_next
        or is_beside
        or is_over(series)
        or ON_ITS_SOURCE.match(after)
        or OF_PEOPLE.match(after)
        or OF_BASELINE.match(after)
        or (CLOSE_TO.search(before) and OF_ONE.match(after))
        or is_beside_score(series)
    )
    return bool(
        is_told
        or any(search_hooked(one, hooks, before) for one, hooks in OF_OTHERS.items())
        or is_of_another_subject(series)
    )


def is_over(series: Series) -> bool:
    """Whether a gain over others has its number behind their name: `3 points over Fig (42%`."""
    found = OVER.search(series.before)
    if found is None:
        return False
    is_changed = DIGIT_AHEAD.search(series.before, 0, found.start())
    return bool(BY_THEN.match(series.after) or is_changed)


def is_beside_score(series: Series) -> bool:
    """Whether a score is said with the name of another, where the own stands before: `91%, outperforming Fig with`."""
    found = WITH_SCORE.search(series.before)
    if found is None or MORE.match(series.after):
        return False
    if found[0].endswith(" with ") and not METRIC_BEHIND.match(series.after):
        return False
    return NUMBER_AHEAD.search(series.before, 0, found.start()) is not None
