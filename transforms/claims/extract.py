"""From an abstract to its claims."""

from __future__ import annotations

from transforms.claims.figures import Figure, figures_of
from transforms.claims.found import Claim
from transforms.claims.measures import bound_of, direction_of, metric_of
from transforms.claims.results import rule_of
from transforms.claims.sentences import sentences_of
from transforms.claims.series import Series, series_of
from transforms.claims.units import UNIT_OF
from transforms.claims.words import OWN
from transforms.claims.worded import value_of, worded_figures


def claims_of(text: str) -> list[Claim]:
    figures = sorted([*figures_of(text), *worded_figures(text)], key=lambda figure: (figure.start, -figure.end))
    figures = _apart(figures)
    if not figures:
        return []
    sentences = sentences_of(text)
    lower = text.lower()
    own = next((n for n, (s, e) in enumerate(sentences) if OWN.search(lower, s, e)), 0)
    claims: list[Claim] = []
    for series in series_of(text, lower, figures, sentences):
        if series.number < own:
            continue
        rule = rule_of(text, series, lower[series.sentence[0]:series.sentence[1]])
        if rule is None:
            continue
        metric, direction = metric_of(series, rule), direction_of(series, rule)
        for n, f in enumerate(series.figures):
            before = lower[max(series.sentence[0], f.start-30):f.start]
            after = lower[f.end:f.end+30]
            claims.append(Claim(position=len(claims)+1, text=text[f.start:f.end], span_start=f.start, span_end=f.end, sentence_start=series.sentence[0], sentence_end=series.sentence[1], value=value_of(f, f.low), value_high=value_of(f, f.high) if f.high else None, unit='x' if rule=='factor' else UNIT_OF[f.shape], metric=metric, direction=direction, bound=bound_of(before, after), comparator=None, rule=rule))
    return claims


def _apart(figures: list[Figure]) -> list[Figure]:
    """Figures that overlap none before them."""
    kept: list[Figure] = []
    for figure in figures:
        if not kept or figure.start >= kept[-1].end:
            kept.append(figure)
    return kept
