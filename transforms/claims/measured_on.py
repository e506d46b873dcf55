"""Telling on which benchmark a figure was measured; of several that one number stands for, none."""

import re
from itertools import pairwise

from transforms.names.declared_names import Mention
from transforms.names.mentions import FAR, TRAINED
from transforms.numbers.series import Series

NEXT = re.compile(
    r"\)?(?:\s(?:benchmark|dataset))?(?:\s?\([^()]{0,60}\))?(?:,|\sand|\sor|\s&|,\sand|,\sor|/)\s?(?:(?:on|the|both)\s){0,2}"
)
# Between a benchmark and the number right behind it: `PlumQA (81%`, `PlumQA by 3%`, `PlumQA: 81`
BESIDE = re.compile(
    r"\s?(?:\(|:|=)\s?(?:[^()\d.;]{0,24}\s)?[+~<>-]?|\s(?:(?!with|up|over|in|for)[a-z][\w-]{1,20}\s){0,3}(?:by"
    r"|of|to|at)\s(?:[a-z]{2,8}\s){0,2}[+~<>-]?"
)
# A plural stands for several benchmarks: `the AIME datasets`
SEVERAL = (" datasets", " benchmarks", " series")
# What goes on about a benchmark that a number before it was reached on: `81% on PlumQA, a gain of 3 points`
GAINED = re.compile(
    r"(?:\s[a-z-]{2,20}){0,3},?\s?(?:\(|which\s|an?\s|up\s|i\.e\.|surpass|outperform|improv|exceed|beat|with\san?\s)[^.;]{0,90}"
)
OPENING = re.compile(r"(?:On|In|For|Using)\s(?:the\s(?:\w+\s){0,2})?$")
OWN_PLACE = re.compile(r"\)?\s(?:[a-z]+\s){0,2}on\s")
# Between a number and the benchmark it was reached on
REACHED = re.compile(
    r"(?:(?!,\swhile\b)[^.;:\d]|(?<=[A-Za-z@])\d+|(?<=[A-Za-z]-)\d+|avg\.){0,90}?\b(?:on|in|for|at|across|over|of)\s(?:[^.;:,\d\s]{1,20}\s){0,4}[(]?"
)
ENCLOSED = re.compile(r"[~\s]?\(")  # `81% (PlumQA)`
WITHIN = re.compile(r"\([^()]{0,100}\)")
# Between a benchmark and a number farther behind it: no other number
AHEAD = re.compile(r"(?:[^.;\d]++|(?<=\d)\.(?=\d)|(?<=\d\.)\d|\d(?=[\w-]*[A-Za-z])|(?<=[A-Za-z@-])\d)*+")
FARTHEST_AHEAD = 140  # code points
NUMBER = re.compile(r"(?<![\w.-])\d[\d.,]*(?:\\?%|x|\s?points?|\b)")
TAKES = re.compile(r"\d(?:[^,;]{0,60}\s(?:on|in|for|across|over)\s(?:the\s)?|\\?%\s)$")
RIGHT_ON = re.compile(r"\)?\}?\s(?:[\w@]{2,8}\s)?on\s(?:the\s)?")
RIGHT_IN = re.compile(r"\s(?:on|in)\s(?:the\s)?")
# Between two numbers that are compared
COMPARED = re.compile(
    r"\b(?:surpass|outperform|improv|exceed|beat|compar|versus|vs\b|than\b|above\b|below\b|against|whereas|over\b|gain|higher|better"
    r"|previous|state-of-the-art|while\b)|^\s?\(|\sand\sthe\sbaseline\s|^\s(?:with|at|using)\s[^,.;]{1,40}\sand\s(?:to\s)?$"
)
ELSEWHERE = re.compile(
    r"\)?\s(?:[^\s.,;()]+\s){0,3}(?:on|in|for|of)\s(?!average|prior|previous|existing|(?:a|the)\s(?:[\w-]+\s)?baseline)"
)
GOES_ON = re.compile(
    r"(?:\s(?:benchmarks?|datasets?))?(?:\sand\s(?!achiev|reach|show|obtain)|,\s[A-Z][\w-]{1,20},?\s(?:[A-Z][\w-]{1,20}\s)?and\s)"
)
# Between a benchmark with its number and the number of another name: `PlumQA (61%), Fig-Seed (52%`
ANOTHER_LISTED = re.compile(
    r"\s?\([^()]{1,40}\)(?:,\s[^\s(),]{2,30}\s\([^()]{1,40}\))*,\s(?:and\s)?[A-Z][\w.-]{2,30}\s\($"
)
# A benchmark that another is set against: `a drop from PlumQA`
UNLIKE = re.compile(
    r"\b(?:(?:drop|decline|gap|differ\w*)\sfrom|than|unlike|compared\s(?:to|with)|beyond)\s(?:the\s)?$"
    r"|\b(?:[Dd]espite|[Aa]lthough|[Uu]nlike|[Bb]eyond)\b[^.;]{1,120}\s(?:such\sas|like)\s$"
)
FAR_UNLIKE = 200  # code points: as far as a match reaches
# Behind a benchmark, what begins its own number: `on PlumQA from 3% to 4%`
OWN_NUMBER = re.compile(
    r"\s(?:(?:questions|problems|tasks|issues|accuracy|scores?|performance)\s)?(?:from|by|to)\s[+~]?\d"
)
Where = list[Mention | None]


def measured_on(text: str, series: Series, mentions: list[Mention]) -> Where:
    """The benchmark of each figure of a series, from all that the text names."""
    start, end = series.sentence
    runs = runs_of(text, [one for one in mentions if start <= one.start < end])
    near = [beside(text, figure.start, runs) for figure in series.figures]
    right = next((run for run in runs if RIGHT_IN.fullmatch(text, series.last.end, run[0].start)), None)
    if right and any(near) and not text.startswith(")", right[-1].end):
        return shared_by(right, len(series.figures))
    if any(near):
        run = next((run for run in runs if run[-1] in near), [])
        is_list = len(run) == len(near) and run[-1] == near[0]
        return list(run) if is_list else [one or near[0] for one in near]
    run = run_about(text, series, runs)
    if len(run) == 1 < len(near) and "respectively" in series.after:
        return [*run, *[None] * (len(near) - 1)] if is_first(text, run[0]) else shared_by(run, len(near))
    return shared_by(run, len(near))


def run_about(text: str, series: Series, runs: list[list[Mention]]) -> list[Mention]:
    """The list of benchmarks that a series is about, the nearest behind it or before it; empty where none is."""
    first, last = series.figures[0].start, series.last.end
    behind = next((run for run in runs if run[0].start >= last), None)
    if behind and text.startswith(SEVERAL, behind[-1].end):
        return []
    if behind and behind[0].start == last + 1:
        return behind[:1]  # `82% PlumQA accuracy`
    ahead = next((run for run in reversed(runs) if run[-1].end <= first), None)
    has_own = behind is not None and ahead is not None and OWN_NUMBER.match(text, behind[-1].end) is not None
    if behind and not has_own and _is_reached(text[last : behind[0].start], text[behind[-1].end :][:1]):
        return behind
    if ahead and (is_elsewhere(text, ahead) or ANOTHER_LISTED.fullmatch(text, ahead[-1].end, first)):
        return []
    if ahead and (is_governed(text, ahead, series) or is_headed(text[ahead[-1].end : first])):
        return ahead
    is_opened = runs and OPENING.fullmatch(text, series.sentence[0], runs[0][0].start)
    return runs[0] if is_opened and not OWN_PLACE.match(text, last) else []


def is_first(text: str, one: Mention) -> bool:
    """Whether something that no list has goes on behind a benchmark: `on PlumQA and real orchards, respectively`."""
    return GOES_ON.match(text, one.split[1] if one.split else one.end) is not None


def is_elsewhere(text: str, run: list[Mention]) -> bool:
    """Whether benchmarks are not what a number behind them is of: several, trained on, or only set against."""
    first, last = run[0].start, run[-1].end
    is_trained = TRAINED.search(text, max(first - FAR, 0), first)
    return text.startswith(("'s ", *SEVERAL), last) or bool(
        is_trained or UNLIKE.search(text, max(first - FAR_UNLIKE, 0), first)
    )


def is_headed(between: str) -> bool:
    """Whether a benchmark heads what follows: `on PlumQA: one improves from 3% to 4%, another from 5% to 6%`."""
    return between.startswith(":") and ":" not in between[1:]


def is_governed(text: str, run: list[Mention], series: Series) -> bool:
    """Whether a number is about a benchmark before it: no other number is between, and none has taken it before."""
    between = WITHIN.sub("", text[run[-1].end : series.figures[0].start])
    if len(between) > FARTHEST_AHEAD or not AHEAD.fullmatch(between):
        return False
    before = text[series.sentence[0] : run[0].start]
    is_taken = NUMBER.search(before) and TAKES.search(before) and not OWN_NUMBER.match(text, run[-1].end)
    return not is_taken or GAINED.fullmatch(between) is not None


def is_beside(text: str, series: Series, where: Where) -> bool:
    """Whether the benchmark stands right beside the number: `68.1 on PlumQA`, `PlumQA (68.1`."""
    mention = where[0]
    if mention is None:
        return False
    last = series.last.end
    return mention.end <= series.figures[0].start <= mention.end + 4 or (
        mention.start >= last and RIGHT_ON.fullmatch(text, last, mention.start) is not None
    )


def is_compared(lower: str, series: Series, end: int) -> bool:
    """Whether a number is set against one that ends before it: `81 on PlumQA, surpassing the best before (75)`."""
    between = lower[end : series.figures[0].start]
    return COMPARED.search(between) is not None and not ELSEWHERE.match(lower, series.last.end)


def runs_of(text: str, mentions: list[Mention]) -> list[list[Mention]]:
    """The benchmarks in lists: `PlumQA, PearQA, and FigQA` is one."""
    runs = [[one] for one in mentions[:1]]
    for last, one in pairwise(mentions):
        end = last.split[1] if last.split else last.end
        if NEXT.fullmatch(text, end, one.start):
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def beside(text: str, place: int, runs: list[list[Mention]]) -> Mention | None:
    """The benchmark right before a number: `PlumQA (81%)`."""
    for run in runs:
        for one in run:
            end = one.split[1] if one.split else one.end
            if end <= place <= end + 40 and BESIDE.fullmatch(text[end:place].lstrip(")")):
                return one
    return None


def _is_reached(between: str, behind: str) -> bool:
    is_enclosed = behind == ")" and ENCLOSED.fullmatch(between) is not None
    return is_enclosed or REACHED.fullmatch(WITHIN.sub("", between)) is not None


def shared_by(run: list[Mention], count: int) -> Where:
    """One benchmark for all figures, or each its own; none where a number stands for several."""
    if len(run) == count:
        return list(run)
    return [run[0] if len(run) == 1 else None] * count
