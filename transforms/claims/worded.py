"""Figures that are words: `three orders of magnitude`, `ten-fold`, `twice`, `halves`, `within two minutes`."""

from __future__ import annotations

import re

from transforms.claims.figures import NUMBER, Figure

NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twenty": 20,
    "hundred": 100,
}
# What a word multiplies or divides by; `half` says how much is left, which is a fall by 2
FACTORS = {"half": 2, "halv": 2, "twic": 2, "doub": 2, "trip": 3, "quad": 4}

WORD = "|".join(NUMBERS)
PART = rf"(?:{WORD}|{NUMBER})"
ORDERS = re.compile(
    rf"(?<![\w.-])(?:(?P<low>{PART})(?:(?:\s?[-–]\s?|-to-|\sto\s|\sor\s)(?P<high>{PART}))?|an?)"  # noqa: RUF001
    r"\+?[\s-]orders?[\s-]of[\s-](?:magnitudes?)\b",
    re.IGNORECASE,
)
FOLD = re.compile(rf"\b(?P<low>{WORD})[\s-]?(?:fold|times)\b", re.IGNORECASE)
FACTOR = re.compile(r"\b(?:half|halv(?:e|es|ed|ing)|twice|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl(?:e|es|ed|ing))\b")
DURATION = re.compile(rf"\b(?P<low>{WORD})\s(?:seconds?|minutes?|hours?|days?|weeks?)\b")
# `7 of 7`, `3 out of 4`, `5/5`
FRACTION = re.compile(
    rf"(?<![\w.,/-])(?P<low>\d{{1,4}}|{WORD})(?:/|\s(?:out\s)?of\s(?:the\s|all\s)?)(?P<all>\d{{1,4}}|{WORD})(?![\w.,/-]\w|/|%|\w)"
)
COUNT = rf"(?P<count>(?P<low>{NUMBER})[kKM]?\s(?:[a-zA-Z][\w-]{{1,20}}\s){{0,2}}?"
FEW = re.compile(
    r"\b(?:in|with|using|on|by|requir\w+|needs?|to)\s(?:only|just|merely|as few as|as little as|fewer than)\s(?:about\s|approximately\s)?"
    + COUNT
    + r"(?:rollouts|steps|samples|examples|tokens|iterations|GPUs|trajectories|demonstrations|demos|queries|evaluations|epochs|calls|labels|annotations))(?![\w-])"
)
MANY = re.compile(
    r"\b(?:scal\w+|extend\w*|widen\w*|support\w*|handl\w+|generali[sz]\w+|extrapolat\w+)\s(?:[\w-]{1,20},?\s){0,7}?(?:to|over|up to|beyond)\s"
    r"(?:over\s|more than\s|at least\s|up to\s)?" + COUNT + r"(?:tokens|GPUs|devices|nodes|frames|cores|agents|accelerators|NPUs|TPUs))(?![\w-])"
)

def worded_figures(text: str) -> list[Figure]:
    """All figures of a text that are words. Texts without the telltale letters, nearly all, cost next to nothing."""
    found: list[Figure] = []
    if "magnitude" in text:
        found += [Figure(one.start(), one.end(), "orders", one["low"] or "one", one["high"]) for one in ORDERS.finditer(text)]
    if "fold" in text or " times" in text:
        found += [Figure(one.start(), one.end(), "worded", one["low"]) for one in FOLD.finditer(text)]
    if "hal" in text or "twice" in text or "doubl" in text or "tripl" in text or "quadrupl" in text:
        found += [Figure(one.start(), one.end(), "worded", one[0]) for one in FACTOR.finditer(text)]
    found += [Figure(one.start(), one.end(), "time", one["low"]) for one in DURATION.finditer(text)]
    found += [Figure(one.start(), one.end(), "fraction", one["low"]) for one in FRACTION.finditer(text) if _is_share(one)]
    return found + _counts(text)


def _is_share(found: re.Match[str]) -> bool:
    few, all_of = NUMBERS.get(found["low"]) or int(found["low"]), NUMBERS.get(found["all"]) or int(found["all"])
    return few <= all_of < 1900 and all_of > 1  # noqa: PLR2004  (a year is no share)


def _counts(text: str) -> list[Figure]:
    """Counts that a word offers as few, or a verb as many: `only 4 rollouts`, `scales to 1,024 GPUs`."""
    found = [Figure(one.start("count"), one.end("count"), "count", one["low"]) for one in FEW.finditer(text)]
    return found + [Figure(one.start("count"), one.end("count"), "count", one["low"]) for one in MANY.finditer(text)]


def value_of(figure: Figure, number: str) -> float:
    """The value of a figure's low or high number: of `three` orders of magnitude 1,000, of `halves` 2."""
    word = number.lower()
    value = FACTORS.get(word[:4]) or NUMBERS.get(word) or float(word.replace(",", ""))
    return 10.0**value if figure.shape == "orders" else float(value)
