"""Numbers of a clause whose subject is another: `the baseline achieves`, `humans reach`, `while Fig gets`."""

import re
from typing import Final

from transforms.hooks import HookWords, search_hooked, words_of
from transforms.numbers.figures import BOUND
from transforms.numbers.series import Series

SAME_NAME: Final = 4  # letters that two names of one family begin with
DIGIT: Final = re.compile(r"\d")
# What a subject does to have a number, and the words between: `achieves an F1 of only`, `is at`, `collapses to`
HAS: Final = (
    r"(?:achiev|reach|attain|obtain|scor|perform|deliver|yield|record|solv|recover|report|show|exhibit|incur|suffer|requir"
    r"|need|tak|us|consum|cost|produc|remain|stay|get|win|peak|plateau|answer|complet)(?:e?s|e?d|e|eds)?|succeeds?|loses?|lost|misses|took|got|won"
    r"|has|had|have|is|are|was|were|(?:collaps|drop|fall|regress|degrad)(?:es|s|e|ed|ped)?\s(?:to|below|under)|fell\s(?:to|below)"
)
AMOUNT: Final = rf"(?:(?:only|just|merely|at|below|under|an?|the|about)\s|{BOUND}){{0,3}}"
OF_METRIC: Final = r"(?:(?:[a-z][\w@.-]{1,20}\s){1,5}(?:of|at|=|:|is)\s)?"
THEN: Final = rf"(?:\w+ly\s|already\s|only\s|just\s|still\s)?(?:{HAS})\s{AMOUNT}{OF_METRIC}{AMOUNT}$"
# A clause without a number, a comma or a verb of comparison of its own
WORDS: Final = r"(?:(?!outperform|surpass|exceed|beat|while|and|but|than|over|our)[^\s.;,()]{1,30}\s)"
# Before a subject, what would make it no subject: `over the baseline`, `our baseline`
NO_OBJECT: Final = (
    r"(?<!\bover\s)(?<!\bthan\s)(?<!\bto\s)(?<!\bwith\s)(?<!\bagainst\s)(?<!\bof\s)(?<!\bfrom\s)(?<!\babove\s)(?<!\bby\s)"
    r"(?<!\bbelow\s)(?<!\busing\s)(?<!\bon\s)(?<!\bfor\s)(?<!\bin\s)(?<!\bupon\s)(?<!\bour\s)(?<!\band\s)"
)
# `the strongest baseline achieves`, `while baselines that only prompt reach`
BASELINE_HAS = re.compile(
    rf"{NO_OBJECT}\b(?:the|an?|this|each|every|all|most|both)\s(?:(?!our)[\w-]{{2,20}}\s){{0,3}}?baselines?\s(?!than|on\b|in\b|of\b|by\b|for\b|with\b|across\b|to\b)"
    rf"(?:\([^()]{{1,30}}\)\s)?{WORDS}{{0,5}}?{THEN}"
    rf"|(?:^|[.;,:)]\s|\b(?:while|whereas|although|though|and|but)\s)(?:(?!our)[\w-]{{2,20}}\s){{0,3}}?baselines\s{WORDS}{{0,4}}?{THEN}"
    r"|\bbaselines?\smodels?\s[^.;]{2,90},\swith\s(?:[\w@-]{2,16}\s){1,3}(?:rates?|accuracy|scores?)\s(?:up\sto|of|at)\s$"
    r"|\bbaseline\sis\s[^.;\d]{2,130},\s(?:reach|achiev|attain|scor)ing\s$"
    rf"|\bbaselines?,\s(?:[^.;,\d]{{2,40}},\s)?{THEN}"
    rf"|\bwith\s(?:the|an?)\s(?:[\w-]{{2,16}}\s){{0,3}}baselines?\s(?:achiev|reach|scor|attain|obtain|gett)ing\s{AMOUNT}{OF_METRIC}{AMOUNT}$"
    rf"|\bbaselines\b[^.;]{{2,120}}\bfail\w*\b[^.;]{{0,90}},\s(?:achiev|reach|scor|attain|obtain)ing\s{AMOUNT}{OF_METRIC}{AMOUNT}$"
    rf"|(?:^|[.;,:)]\s|\b(?:while|whereas|although|though)\s)(?:[\w-]{{2,20}}\s){{0,2}}?baselines?\s(?:such\sas\s[\w.-]+\s|(?:[\w-]+\s){{0,2}}"
    rf"(?:models|systems|methods)\s)?(?:\w+\s)?(?:{HAS})\s(?:[a-z][\w-]{{1,16}}\s){{0,5}}\($"
    r"|\bbaselines?\s\([\w./-]{2,40}\s(?:only\s)?(?:achiev|reach|obtain|scor|get)\w*\s(?:only\s)?$"
    r"|\bbaselines?\s?\((?:fvd|fid|ppl|perplexity|wer|f1|auc|accuracy|acc)\.?\s?=?\s?$"
    r"|\bbaselines?\s(?:models?\s)?(?:perform|do|score|fare|fail)(?:s|ed)?\s(?:[a-z]+\s){0,2}\((?:[\w@./-]{2,20}\s?[=:<~\u2248]?\s?){0,2}$"
    r"|\bbaselines?\s(?:[\w-]{2,16}\s){0,5}?(?:remains?|wins?|stays?|(?:collapse|drop|fall)s?\sto)\s(?:only\s|at\s){0,2}$"
)
# `the vanilla model reaches`
PLAIN: Final = (
    r"(?:base|stock|vanilla|na[i\u00ef]ve|plain|unmodified|untuned|untrained|unadapted|original|non-fine-tuned"
    r"|off-the-shelf)"
)
PLAIN_HAS = re.compile(
    rf"{NO_OBJECT}\b(?:the|an?)\s(?:[\w-]{{2,16}}\s)?{PLAIN}\s(?:[\w.-]{{2,24}}\s){{0,4}}?"
    rf"(?:model|system|method|agent|llm|version|prompt|prompting|policy|network|backbone)s?\s{THEN}"
)
# `where the standard Fig suffers a collapse (0%`, with the own number behind it
PLAIN_ONES = re.compile(
    rf"\b(?:vanilla|na[i\u00ef]ve(?!\sbayes))\s(?:[\w-]{{2,20}}\s\($|(?:[\w-]{{2,20}}\s){{0,2}}?[\w-]{{2,20}}s\s{THEN})"
)
PLAIN_IN = re.compile(rf"\b(?:where|while|when)\s(?:the|an?)\s(?:{PLAIN}|standard)\s[^.;,()\d]{{2,90}}\($")
# `humans achieve`, `it takes experts 3 hours`, `below human-level performance, 93%`
PEOPLE: Final = (
    r"(?:humans?|human\s(?:experts?|annotators?|testers|participants|performance|baselines?|raters)|experts|people"
    r"|annotators|clinicians|physicians)"
)
PEOPLE_HAVE = re.compile(
    r"\bhuman\s(?:accuracy|performance)\saverages\s$"
    r"|\bhuman\s(?:(?:win|success|pass|error)[\s-]rates?|scores?|performance|accuracy|baseline)\s(?:[^.;,\d]{1,60}\s)?(?:is|was|of|at)\s(?:~|about\s|around\s|approximately\s)?$"
    r"|\bhuman\sbaselines?\s[^.;]{2,50}\s(?:achiev|reach|scor|attain)\w*\s$"
    r"|\b(?:took|takes?)\s(?:human\s\w+|humans|people|experts)\s(?:up\sto\s|over\s|about\s)?$"
    r"|\bhumans?\s(?:can|could)\s(?:[a-z]+,?\s){1,12}with\s(?:over\s|about\s|near\s)?$"
    rf"|\b{PEOPLE}\s(?:can\s)?(?:easily\s)?(?:averag|requir|need|take|achiev|reach|attain|obtain|scor|get|solv|succe|answer)\w*\s{BOUND}{{0,2}}(?:an?\s)?(?:[a-z-]{{4,16}}\s){{0,3}}"
    r"(?:(?<=\s)of\s)?$"
    r"|\bhuman(?:s|-level|\sexperts?|\sannotators?)?\s?(?:performance\s?)?(?:[,(]\s?)(?:at\s|of\s)?$"
    r"|\bhuman(?:s|\s(?:subjects|participants|experts|annotators))\s(?:can\s)?(?:achiev|reach|attain|solv|perform)\w*\s(?:[a-z-]{2,16}\s){0,3}\($"
    r"|\b(?:approach\w*|near\w*|below|behind)\s(?:[\w-]{1,16}\s){0,2}?human(?:-level)?\s(?:performance|accuracy)\s(?:at|of)\s$"
)
REACHES: Final = (
    r"(?:(?:(?:achiev|reach|attain|obtain|scor|requir|need|record|report)(?:e?s|ed|e)?|gets|got|takes?|took|uses?"
    rf"|(?:drops|falls|collapses)\sto)\s{AMOUNT}(?:(?:[a-z@\d-]{{2,14}}\s){{0,3}}"
    rf"(?:accuracy|scores?|rate|auc|auroc|f1|map|wer|fid|psnr)\s(?:of\s)?)?{AMOUNT}$"
    rf"|(?:stays|remains)\s(?:at|below|under|near)\s{AMOUNT}$)"
)
OLD: Final = (
    r"(?:previous|prior|existing|earlier|leading|direct|standard|vanilla|naive|conventional|traditional|supervised"
    r"|stock|original|base|oracle)"
)
# `existing ones achieve 42%, but X achieves 54%`
OLD_REACHED = re.compile(rf"\b{OLD}\s(?:[\w-]{{2,16}}\s){{0,3}}?(?:achiev|reach|attain|obtain|scor|get)\w*\s")
OLD_REACH = re.compile(OLD_REACHED.pattern + r"(?:[a-z()-]{1,16}\s){0,4}(?:of\s)?$")
BUT_ANOTHER = re.compile(
    r"[^;]{0,100}(?:,\s|;\s)(?:but|while|whereas)\s[\w.+-]{2,24}\s(?:\w+ly\s)?(?:achiev|reach|attain|obtain|scor)"
)
ANOTHER_REACHES = re.compile(
    rf"\b(?:while|whereas|where|but)\s(?:(?P<old>(?:the\s|an?\s)?(?:[\w-]{{2,16}}\s)?{OLD})\s"
    r"[^.;,]{2,70}?\s(?:only\s)?"
    r"(?:achiev|reach|attain|obtain|solv|scor|recover|report|requir|need|tak|us)(?:es|ed|s|e)?\s(?:only\s|just\s)?(?:an?\s)?$"
    r"|(?!it|we|our|also|still|this|that|these|others?|ours|only|models?|ones|they|one|both|each|which|most|some|many|all|few|several)"
    rf"(?:(?P<name>[a-z0-9][\w.+-]{{2,24}})\s(?:only\s)?{REACHES}"
    rf"|(?P<long>[a-z][\w.+-]{{1,24}}(?:\s(?!on|for|with|in|of|only)[\w.+-]{{1,12}}){{1,3}})\s(?:only\s)?{REACHES}))"
)
# `better than Fig, which scores an F1 of`, `over a baseline that already reaches`
OTHER_WHICH = re.compile(
    r"\b(?:(?:such as|than|over|outperform\w*|surpass\w*|exceed\w*|against|compared (?:to|with)"
    r"|(?:comparable|similar|close) to|on par with)\s(?:[^.;]|\.(?=\d)){2,90}(?:,\s|\s\()which"
    r"|(?:against|(?:comparable|similar) to)\s[^.;\d]{2,90}\swhich"
    r"|(?:(?:outperform|surpass|exceed|beat)\w*|over|than)\s(?:[^.;]|\.(?=\d)){2,90}\sthat)\s"
    rf"(?:only\s|already\s|itself\s|currently\s)?"
    rf"(?:achiev|reach|attain|obtain|scor|perform|get|solv|complet|yield|has|record|report)\w*\s{AMOUNT}{OF_METRIC}{AMOUNT}$"
)
# `in comparison, the best before achieved`
IN_COMPARISON = re.compile(
    rf"\b(?:in|by|for)\scomparison,?\s[^.;,\d]{{2,80}}\s(?:achiev|reach|attain|obtain|scor)\w*\s{AMOUNT}{OF_METRIC}{AMOUNT}$"
)
# `Fig, which solves 80% of one, solves only 15% of another`, `those that reach 70% there drop here`
WHICH_HAS = re.compile(
    rf"(?:,\swhich|\bthat)\s(?:achiev|reach|attain|obtain|scor|accomplish|solv|complet|get|exceed)\w*\s(?:over\s[\d.]+[^.;,]{{2,40}}\sor\s)?{AMOUNT}$"
)
# `Fig achieves only` 2%`, while ours improves the same model to 77%`
ONLY_HAS = re.compile(r"(?:^|[.;:]\s)[^.;:,]{2,60}\s(?:achieves|reaches|attains|obtains|scores|solves)\sonly\s$")
WHILE_IMPROVED = re.compile(
    r"[^.;,]{0,40},\s(?:while|whereas|but)\s[\w.-]{2,24}\s(?:improves|boosts|raises|lifts|elevates)\b"
)
ONLY_THEN = re.compile(
    r"[^.;]{0,90}(?:,\s(?:\w+ly\s)?\w+\s(?:on\s|at\s)?only\s\d|\s(?:drop|fall|degrade|collapse)s?\s(?:by|to|below)\b)"
)
# `current models do worse (Fig = 70%`, `does not yet run in real time (8 FPS`, `existing models find none within`
OLD_FAILS = re.compile(
    r"\b(?:current|existing|other|prior|previous)\s[^.;()]{2,90}\b(?:lower|worse|poor\w*)\b[^.;()]{0,30}\((?:[\w@./-]{2,24}\s?[=:]?\s){0,3}$"
    r"|\b(?:does|do|did)\snot\syet\s[^.;()\d]{2,60}\($"
    r"|\b(?:existing|previous|prior)\s[^.;]{2,100}\b(?:unable|fails?|failed)\sto\s[^.;\d]{2,40}\bwithin\s$"
)
# 42% `, and ours reaches 54%`, in a clause that is not about the own work
OWN_LATER = re.compile(
    r"(?:\s(?!by\b|over\b)[\w@-]{1,20}){0,6}(?:[,;]\s|\s(?=while|and|but|whereas|versus|vs))(?:while\s|and\s|but\s|whereas\s|versus\s|vs\.?\s)?(?:with\s)?"
    r"(?:ours\b|(?:our|the\sproposed)\s(?:[\w-]{1,20}\s){1,3}?(?:achiev|reach|obtain|yield|scor|attain|improv|gets))[^.;]{0,60}?\d"
)
# `While Fig (42%) does better, ours`: a clause that only makes room for the own
THOUGH = re.compile(
    r"(?:^|\s)(?:while|although|though|whereas)\s(?:[^;]*\s)?(?:achiev|reach|perform|attain|obtain|scor|report|higher|better|highest)\w*\b[^;]*$"
)
THEN_OURS = re.compile(
    r"(?:[^.;]|\.(?=\d)){0,100}?(?:,|(?:accuracy|score|f1|auc|success))\s(?:our|we|the\sproposed)\b"
    r"|(?:[^.;]|\.(?=\d)){0,70},\s(?!it|they|its|most|all|none|no|other|others|many|some|only|performance)[^.;,]{2,60}\s"
    r"(?:achiev|reach|attain|obtain|surpass|deliver)(?:es|ed|s)\s"
)
REACHED_BY = re.compile(
    rf"(?:(?:achiev|reach|obtain|yield|scor|attain|gets)\w*\s{BOUND}{{0,2}}(?:only\s|just\s)?(?:an?\s)?|\([^()]{{2,30}}:\s)$"
)
MODEL = re.compile(r"\d|\b(?:baseline|method|model|approach|sota|best)\b")
OWN_SUBJECT = re.compile(r"\b(?:our|ours|we|us|this|it|its)\b")
# Each pattern with words of which its matches have one: most texts have none, and are not searched
OTHERS_DO: Final[dict[re.Pattern[str], HookWords]] = {
    BASELINE_HAS: ("baseline",),
    PLAIN_HAS: words_of(
        "base stock vanilla naive na\u00efve plain unmodified untuned untrained unadapted original non-fine-tuned"
        " off-the-shelf"
    ),
    PLAIN_ONES: ("vanilla", "naive", "na\u00efve"),
    PEOPLE_HAVE: words_of("human experts people annotators clinicians physicians"),
    OTHER_WHICH: ("which", "that"),
    OLD_FAILS: words_of("current existing other prior previous yet"),
    IN_COMPARISON: ("comparison",),
}
BUT: Final = ("while", "where", "but")  # a match of ANOTHER_REACHES has one of these


def is_of_another_subject(series: Series) -> bool:
    """Whether the clause that a number stands in is about another than the paper's own work."""
    before, after = series.before, series.after
    is_ours_later = "our" in after and OWN_LATER.match(after) and not OWN_SUBJECT.search(before)
    is_earlier: object = is_ours_later and REACHED_BY.search(before)
    is_earlier = is_earlier or (BUT_ANOTHER.match(after) and OLD_REACH.search(before))
    is_earlier = is_earlier or (THOUGH.search(before) and THEN_OURS.match(after) and not OWN_SUBJECT.search(before))
    is_earlier = is_earlier or (WHICH_HAS.search(before) and ONLY_THEN.match(after))
    is_earlier = is_earlier or (ONLY_HAS.search(before) and WHILE_IMPROVED.match(after))
    is_earlier = is_earlier or (PLAIN_IN.search(before) and DIGIT.search(after))
    return bool(
        is_earlier
        or is_reached_by_another(before)
        or any(search_hooked(one, hooks, before) for one, hooks in OTHERS_DO.items())
    )


def is_reached_by_another(before: str) -> bool:
    """Whether a second number is told of another than the first: `ours reaches 54%, while Fig reaches` 42%."""
    found = search_hooked(ANOTHER_REACHES, BUT, before)
    ahead = before[: found.start()] if found else ""  # where the own number stands, and no name of its family
    if found is None or not DIGIT.search(ahead) or OLD_REACHED.search(ahead):
        return False
    if found["long"]:
        return bool(OWN_SUBJECT.search(ahead) and MODEL.search(found["long"]) and not OWN_SUBJECT.search(found["long"]))
    return found["old"] is not None or found["name"][:SAME_NAME] not in ahead
