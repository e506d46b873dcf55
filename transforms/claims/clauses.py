"""The words around a figure that belong to it: its clause, and how that bounds the figure."""

from __future__ import annotations

import re
from typing import NamedTuple

from transforms.claims.words import DOWN, UP
from transforms.hooks import at_end, last_match
from transforms.numbers.figures import BOUNDS
from transforms.numbers.series import Series
from warehouse.schema.core.claims import Bound

TURN = re.compile(rf"(?<![\w-])(?:(?P<down>{DOWN})|(?P<up>{UP}))(?![\w-])")
TURNED = re.compile(
    rf"(?<![\w-])(?:(?P<down>{DOWN}|compression|below)|(?P<up>{UP}|above))(?![\w-])"
)  # right behind a number
CLOSED = re.compile(r"\s?\([^()]{0,100}\)")
SHORT = re.compile(r"(?<=[a-z])\s\([a-z0-9-]{2,6}\)(?=\s)")  # an abbreviation of the words before it
# What is named before a parenthesis goes on in it: `recall (e.g., from 3%`, `memory (up to 3%`
SUCH_AS = re.compile(
    r"\s\((?:(?:e\.g\.|i\.e\.|for example|for instance),?\s)?"
    rf"(?=from\s|(?:{'|'.join(BOUNDS.values())}|an?\s|only\s|\s)*[+~]?$)"
)
IN_PARENTHESES = re.compile(r"^\+?\)?(?:\s\([^()]{1,20}\)(?=\s))?")
# The end of the words about a number behind it, and the beginning of those before it
BEHIND_ENDS = re.compile(
    r"[;:()]|[.,](?:\s|$)|\s[-\u2013\u2014]{1,3}\s|\s(?:while|and|which|when|whereas|but|with|that|without|over(?!\sunion)|than|compared|at|using|from"
    r"|versus|vs|relative\sto|across|under|during|when|as|on|through|via)\s|$"
)
AHEAD_BEGINS = re.compile(
    r"[;:(]\s?|,\s(?=(?:while|and|which|whereas|but|with|[a-z]+ing)\s)|\s(?:while|whereas|but)\s"
    r"|\sand\s(?=(?:[a-z]+(?:es|s|ed|ing)|up to|over|by|can|is|are|an?|at|to)\s)"
)
# A word of letters begins where no other ends (`SSIM 0.94` is no `sim`), but for stripped LaTeX (`timessim50`)
BOUND_AHEAD = re.compile(
    r"(?:(?<![a-z])|(?![a-z])|(?=(?:sim|leq|geq)$))(?:"
    + "|".join(f"(?P<b{number}>{words})" for number, words in enumerate(BOUNDS.values()))
    + r")\s?(?:an?\s|the\s|only\s)?\(?[+-]?$"
)
CHANGED = (
    r"(?:gains?|improvements?|increases?|reductions?|speed-?ups?|boosts?|drops?|savings?|decreases?|margin"
    r"|accelerations?)"
)
MOST_AHEAD = re.compile(rf"\bup to\s(?:an?\s)?(?:[\w-]{{1,20}}\s){{0,3}}{CHANGED}\sof\s$")
NONE_REACH = re.compile(
    r"\b(?:none|no\s(?:\w+\s)?(?:model|system|agent|method|one|llm)|never|fails?\sto|cannot|not)\b[^.;,]{0,40}"
    r"\b(?:reach|exceed|surpass|achiev|attain)(?:e?s|ed|ing|e)?\s(?:even\s)?$"
)
OR_MORE = re.compile(r"\+|\sor\s(?:greater|higher|more|above|better)\b")
BOUND_NAMES: tuple[Bound, ...] = tuple(BOUNDS)
AVERAGE_AHEAD = re.compile(r"\b(?:average|mean)\s(?:[\w-]{1,20}\s){0,4}(?:of|by)\s(?:only\s|just\s)?$")
AVERAGE_BEHIND = re.compile(
    r"\+?\)?\s(?:(?:higher|lower|better|fewer|more|less|absolute|relative|\w{1,5}(?=\son\s))\s)?(?:on average"
    r"|in average|averaged?|geomean|mean|on avg|avg)\b"
)


class Clause(NamedTuple):
    """The words around a series up to the ends of its clause; `bare` is `ahead` without the bound of the number."""

    behind: str
    ahead: str
    bare: str

    def behind_claim(self, length: int) -> Clause:
        """The clause without what belongs to a claim before it, which ends so many code points before the number."""
        ahead = self.ahead[-max(length, 1) :]
        return Clause(self.behind, ahead, without_bound(ahead))


def clause_of(series: Series) -> Clause:
    ahead = words_ahead(series)
    return Clause(words_behind(series), ahead, without_bound(ahead))


def words_behind(series: Series) -> str:
    """The words that follow a series up to the end of their clause."""
    inside = IN_PARENTHESES.match(series.after)
    after = series.after[inside.end() :] if inside else series.after
    after = SHORT.sub("", after) if "(" in after else after
    found = BEHIND_ENDS.search(after)
    return after[: found.start()] if found else after


def words_ahead(series: Series) -> str:
    """The words before a series from the beginning of their clause."""
    before = series.before.removesuffix("(")  # what stands right before a parenthesis is said of the number in it
    before = SUCH_AS.sub(" ", CLOSED.sub("", before)) if "(" in before else before
    last = last_match(AHEAD_BEGINS, before)
    return before[last.end() :] if last else before


def bound_of(before: str, after: str) -> Bound | None:
    """The bound of a number, by the words right beside it; None where there is none."""
    found = at_end(BOUND_AHEAD, before)
    if found and found.lastgroup:
        return BOUND_NAMES[int(found.lastgroup[1:])]
    if AVERAGE_BEHIND.match(after) or AVERAGE_AHEAD.search(before):
        return "average"
    if MOST_AHEAD.search(before) or NONE_REACH.search(before):
        return "up to"
    return "at least" if OR_MORE.match(after) else None


def without_bound(before: str) -> str:
    found = at_end(BOUND_AHEAD, before)
    return before[: found.start()] if found else before
