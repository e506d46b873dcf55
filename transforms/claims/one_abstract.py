"""The claims of one abstract: finds figures, groups them in series, keeps results, reads what they measure."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import polars as pl
from msgspec.structs import replace

from transforms.claims.claim_row import (
    AMOUNTS,
    NEXT_AGAINST,
    Claim,
    change_kind_of,
    ends_move,
    goes_on_of_others,
    scale_of,
)
from transforms.claims.clauses import TURNED, Clause, bound_of, clause_of
from transforms.claims.comparators import comparator_of, each_of
from transforms.claims.directions import (
    REDUCTION,
    direction_of,
    goes_on_list,
    goes_on_phrase,
    righted,
    shown_direction,
)
from transforms.claims.measured_on import Where, is_beside, is_compared, measured_on
from transforms.claims.measures import Measured, measured_as, measured_in
from transforms.claims.metric_words import metric_named, place_of_word, unknown_metric, with_own_name
from transforms.claims.results import rule_of
from transforms.claims.scores import is_no_score, is_share, own_place, part_of
from transforms.claims.words import OWN
from transforms.hooks import WordPlaces, hooked
from transforms.names.declared_names import Mention, Span, names
from transforms.names.mentions import ENDS, mentions_of, only_benchmark, own_benchmark
from transforms.numbers.figures import UNIT_OF, Figure
from transforms.numbers.series import OWN_CHANGE, Series, lowered, sentence_at, sentences_of, series_of
from transforms.numbers.set_against import is_of_others
from transforms.numbers.worded import HOOKS, figures_in, value_of
from warehouse.schema.core.claims import Bound, ClaimRule, Direction, Unit

SHARED = {"up to", "average", "about"}  # bounds that all numbers of a list share
# Between two numbers that share a bound: `up to 4x less memory and a 2x`
AND = re.compile(r"[^.;:,]{1,70}\sand\s(?:an?\s)?|\sof\s[\w+-]{2,30},\s(?:and\s)?")
# How well a benchmark or judge agrees with people or with other rankings
AGREEMENT = re.compile(r"\b(?:correlat|agreement|pearson|spearman|kendall|kappa)")
OVERALL = re.compile(r"\b(?:across|overall|on average|average (?:performance|accuracy|score)|benchmarks)\b")
ADDED = re.compile(r"(?:Additionally|Moreover|Furthermore|In addition|Besides|Likewise|Similarly),\s")  # of the same
BESIDE = 40  # code points at most between a bound and its number


def claims_of_each(abstracts: pl.Series) -> Iterator[list[Claim]]:
    """The claims of each of many abstracts."""
    for text, (ends, *places) in hooked(abstracts, ENDS, *HOOKS):
        figures = figures_in(text, places)
        yield OneAbstract(text, ends).claims_from(figures) if figures else []


class ClaimFacts(NamedTuple):
    """The parts of a claim that all figures of a series share."""

    rule: ClaimRule
    unit: Unit
    measured: Measured
    word: Span | None
    direction: Direction | None
    is_others: bool
    is_moved: bool
    bound: Bound | None = None
    comparator: Span | None = None
    is_carried: bool = False  # what is measured is named before the number before


def unit_of(series: Series, said: ClaimFacts) -> Unit:
    """The unit of a series: a change of a score is in points, but not one of a fraction."""
    if said.rule == "factor":
        return "x"
    is_small, is_change = series.last.low.startswith("0."), said.direction in {"up", "down"}
    is_points = said.unit == "score" and is_change and not is_small and said.measured.kind not in AMOUNTS
    return "points" if is_points else said.unit


class OneAbstract:
    """An abstract that is read. Claims are found one after another, as each may go on where the last one ended."""

    def __init__(self, text: str, ends: WordPlaces) -> None:
        self._text, self._ends = text, ends
        self._lower, self._sentences = lowered(text), sentences_of(text)
        self._seen: list[Series] = []
        self._claims: list[Claim] = []
        self._told: list[list[Mention]] = []  # on what the numbers of the sentence were, series for series

    # Looked for once, and only where a number needs them
    @cached_property
    def _mentions(self) -> list[Mention]:
        return mentions_of(self._text, self._ends)

    @cached_property
    def home(self) -> Mention | None:
        """The benchmark that the paper introduces."""
        return own_benchmark(self._text, self._mentions)

    @property
    def _only(self) -> Mention | None:
        """The only benchmark, until a number is told to be of it: then others are not."""
        only = only_benchmark(self._text, self._mentions)
        return None if only and any(any(self._measured_on(one)) for one in self._seen) else only

    def _measured_on(self, series: Series) -> Where:
        return measured_on(self._text, series, self._mentions)

    def claims_from(self, figures: list[Figure]) -> list[Claim]:
        """The claims among these figures. Sentences before the first one about the paper's own work are background."""
        own = OWN.search(self._lower)
        first = sentence_at(self._sentences, own.start()) if own else 0
        for series in series_of(self._text, self._lower, figures, self._sentences):
            if series.number >= first:
                self._read(series)
        return self._claims

    def _read(self, series: Series) -> None:
        """Append the claims of a series, where it reports results."""
        previous = self._claims[-1] if self._claims else None
        if previous and previous.sentence_start != series.sentence[0]:
            previous = None
        self._seen.append(series)
        rule = rule_of(
            series,
            previous.rule if previous else None,
            is_on_benchmark=lambda: is_beside(self._text, series, self._measured_on(series)),
        )
        if rule is None:
            return
        where = self._measured_on(series)
        said = self._claim_facts(series, rule, where, previous)
        if said.is_moved and previous:
            self._claims[-1] = replace(previous, role="baseline", is_own=False, direction="level")
        where = self._benchmarks_one_by_one(series, previous) or (
            where if any(where) else self._carried(series, said, previous)
        )
        where = [one and part_of(self._text, series, one) if said.direction == "level" else one for one in where]
        self._told = [*(self._told if previous else []), [one for one in where if one]]
        bound = said.bound
        for number, (figure, mention) in enumerate(zip(series.figures, where, strict=True)):
            bound = self._bound(series, figure, bound)
            self._claims.append(self._claim(series, number, mention, said, bound))

    def _claim_facts(self, series: Series, rule: ClaimRule, where: Where, previous: Claim | None) -> ClaimFacts:
        """What a series says, by the words around it and as it goes on from the claim before."""
        clause, is_change = clause_of(series), OWN_CHANGE.match(series.after) is not None
        measured = measured_in(series, clause, previous, is_on_benchmark=where[0] is not None)
        word = place_of_word(self._text, self._lower, measured, series)
        word = with_own_name(self._text, word, self._mentions) if word else unknown_metric(self._text, series)
        is_moved = ends_move(self._lower, series, previous) and not is_change
        is_others = (not is_moved and goes_on_of_others(self._lower, series, self._claims)) or is_of_others(series)
        direction = "level" if is_others else righted(direction_of(series, clause, previous), measured, clause)
        said = ClaimFacts(rule, UNIT_OF[series.last.shape], measured, word, direction, is_others, is_moved)
        if previous and goes_on_phrase(self._lower, series, previous) and not is_change:
            said = self._going_on(series, clause, said, previous)
        elif previous and is_moved and not word:
            said = said._replace(measured=measured_as(previous), word=previous.metric_span)
        elif previous and AND.fullmatch(self._lower, previous.span_end, series.figures[0].start):
            said = said._replace(bound=previous.bound)
        if said.direction == "level" and goes_on_list(self._lower, series, self._claims):
            said = said._replace(direction="up")
        if is_moved:
            said = said._replace(direction="level")
        comparator = None if said.is_others else comparator_of(self._text, series, said.direction, previous)
        is_carried = said.word is not None and previous is not None and said.word == previous.metric_span
        return said._replace(unit=unit_of(series, said), comparator=comparator, is_carried=is_carried)

    def _going_on(self, series: Series, clause: Clause, said: ClaimFacts, previous: Claim) -> ClaimFacts:
        """What a series says that is of one phrase with the claim before: what it leaves out is as there."""
        first, measured, word = series.figures[0].start, said.measured, said.word
        is_another = previous.bound == "average" and self._lower.endswith((" a ", " an "), 0, first)
        is_shown = shown_direction(series) or TURNED.match(clause.behind.lstrip()) or REDUCTION.match(clause.behind)
        is_turned = NEXT_AGAINST.match(series.after) or " but " in self._lower[previous.span_end : first]
        is_own_word = word and (measured.is_behind or word[0] >= previous.span_end)
        if not word or not is_own_word or self._lower.endswith(" on ", 0, word[0]):
            measured, word = measured_as(previous), previous.metric_span
        return said._replace(
            measured=measured,
            word=word,
            direction=righted(said.direction if is_shown else previous.direction, measured, clause),
            bound=None if is_another else previous.bound,
            is_others=said.is_others or (previous.role == "baseline" and not said.is_moved and not is_turned),
        )

    def _bound(self, series: Series, figure: Figure, shared: Bound | None) -> Bound | None:
        """The bound of a figure: its own, or one that the numbers before it share."""
        before = self._lower[max(series.sentence[0], figure.start - BESIDE) : figure.start]
        own = bound_of(before, self._lower[figure.end : figure.end + BESIDE])
        return own or (shared if shared in SHARED and not figure.high else None)

    def _claim(
        self, series: Series, number: int, mention: Mention | None, said: ClaimFacts, bound: Bound | None
    ) -> Claim:
        text, figure = self._text, series.figures[number]
        near = self._lower[max(figure.start - BESIDE, 0) : figure.end + BESIDE]
        is_before = said.is_others or number < series.moved
        is_after = (said.is_moved and number == 0) or 0 < series.moved <= number
        is_change = said.direction in {"up", "down"}
        comparator = None
        if said.comparator and not is_before:
            comparator = each_of(text, said.comparator, len(series.figures))[number]
        mention = mention or self._at_home(series, said)
        split = mention.split if mention else None
        words = text[slice(*said.word)] if said.word else None
        named = metric_named(words) if words else None
        is_score = mention is not None and named != "correlation" and not is_no_score(text, series)
        is_told = not (
            # `29.6 win rate on PlumArena and 7.4 on PlumChat`, and of what is made again another metric: nobody can say
            (said.is_carried and mention and names().usual.get(mention.name) not in {named, None})
            or (named in {"FID", "FVD"} and "reconstruct" in self._lower[series.sentence[0] : figure.start])
        )
        return Claim(
            position=len(self._claims) + 1,
            text=text[figure.start : figure.end],
            span_start=figure.start,
            span_end=figure.end,
            sentence_start=series.sentence[0],
            sentence_end=series.sentence[1],
            value=value_of(figure, figure.low),
            value_high=value_of(figure, figure.high) if figure.high else None,
            unit=said.unit,
            scale=scale_of(figure, said.unit, named),
            role="baseline" if is_before else "change" if is_change else "result",
            is_own=not is_before,
            change_kind=change_kind_of(figure.shape, said.measured.kind, said.direction, near),
            baseline_position=len(self._claims) + 1 - (series.moved or 1) if is_after else None,
            metric=said.measured.kind,
            metric_text=words,
            metric_start=said.word[0] if said.word else None,
            metric_name=named if is_told else None,
            polarity=said.measured.polarity,
            direction=said.direction,
            bound=bound,
            comparator=text[slice(*comparator)] if comparator else None,
            comparator_start=comparator[0] if comparator else None,
            benchmark=text[mention.start : mention.end] if mention else None,
            benchmark_start=mention.start if mention else None,
            benchmark_name=mention.name if mention and is_score else None,
            split=text[slice(*split)] if split else None,
            split_start=split[0] if split else None,
            split_name=mention.split_name if mention else None,
            rule=said.rule,
        )

    def _benchmarks_one_by_one(self, series: Series, previous: Claim | None) -> Where:
        """The benchmarks of as many numbers before, one by one: `surpassing 6% and 59%`; none where these are not."""
        each = dict.fromkeys(one for told in self._told for one in told) if previous else {}
        is_as_many = previous and 1 < len(each) == len(series.figures)
        return [*each] if is_as_many and previous and is_compared(self._lower, series, previous.span_end) else []

    def _carried(self, series: Series, said: ClaimFacts, previous: Claim | None) -> Where:
        """The benchmarks of the numbers before, for those that are compared with them in the same sentence."""
        nowhere: Where = [None] * len(series.figures)
        last = self._told[-1] if self._told else []
        if previous is None or not last or said.measured.kind not in {"quality", "error", previous.metric}:
            return nowhere
        since = max(previous.span_end, last[-1].end)
        is_apart = any(since <= one.start < series.sentence[1] for one in self._mentions)
        between = self._lower[previous.span_end : series.figures[0].start]
        if (
            is_apart
            or OVERALL.search(between)
            or not (said.is_moved or is_compared(self._lower, series, previous.span_end))
        ):
            return nowhere
        return [last[0]] * len(nowhere) if len(set(last)) == 1 else nowhere

    def _at_home(self, series: Series, said: ClaimFacts) -> Mention | None:
        """The benchmark that the paper introduced, or the only one it has, for a score that it reports later."""
        if said.unit not in {"%", "score"} or said.measured.kind not in {"quality", "error"}:
            return None
        home = self.home or self._only
        home = home if home and home.end < series.sentence[0] else None
        before = self._sentences[max(series.number - 1, 0)][0] if ADDED.match(self._text, series.sentence[0]) else None
        start, end = series.sentence if before is None else (before, series.sentence[1])
        is_agreement = home and AGREEMENT.search(self._lower, start, end)  # its own worth
        if home is None or is_agreement:
            return None
        part = part_of(self._text, series, home) if said.direction == "level" else home
        place = own_place(self._text, series) if part is home else ""
        if place and (place[0].isupper() or home is not self.home):
            return None
        return replace(home, name=None) if place or is_share(self._text, series) else part
