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
    return found


def value_of(figure: Figure, number: str) -> float:
    """The value of a figure's low or high number: of `three` orders of magnitude 1,000, of `halves` 2."""
    word = number.lower()
    value = FACTORS.get(word[:4]) or NUMBERS.get(word) or float(word.replace(",", ""))
    return 10.0**value if figure.shape == "orders" else float(value)
