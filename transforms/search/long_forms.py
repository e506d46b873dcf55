"""Acronyms that a title or an abstract explains: `Group Relative Policy Optimization (GRPO)`, `LoRA (Low-Rank …)`.

The rule is that of Schwartz and Hearst (2003): from its end on, each sign of the short form is found in the words
beside the bracket, the first of them at the beginning of a word; words with these very initials go before. A plural
stands for its singular: `(LLMs)` explains LLM.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import polars as pl

from transforms.hooks import at_end
from transforms.search.spoken import fold, tokens_of
from transforms.search.terms import term_of
from warehouse.schema.core.search import PAPER_ACRONYMS

_SHORT: Final = re.compile(r"(?=[A-Za-z0-9]*[A-Z][A-Za-z0-9]*[A-Z])[A-Za-z0-9]{2,10}")  # two capitals at least
_BRACKET: Final = re.compile(r"\(([^()]{2,100})\)")
_LAST: Final = re.compile(r"[A-Za-z0-9]+(?= ?$)")
_CLAUSE: Final = re.compile(r"[.;:,!?()\[\]]\s")  # what no long form goes beyond
_PLURAL: Final = re.compile(r"(?<=[A-Z0-9])s$")
_SPLIT: Final = re.compile(r"[ -]")
_END_OF_FORM: Final = re.compile(r"[,;]")


class Explained(NamedTuple):
    """An acronym and what it stands for in one text, with the terms of both."""

    acronym: str
    long_form: str
    term: str
    terms: str  # with a space between


def paper_acronyms(papers: pl.DataFrame, paper_texts: pl.DataFrame) -> pl.DataFrame:
    """The acronyms that each paper's title and abstract explain, each once by its terms."""
    titles, abstracts = papers.select("paper_id", "title"), paper_texts.select("paper_id", "abstract")
    rows = [
        (paper_id, *one)
        for paper_id, *texts in titles.join(abstracts, on="paper_id", how="left").iter_rows()
        for one in {(one.term, one.terms): one for text in reversed(texts) for one in explained_in(text or "")}.values()
    ]
    columns = {column.name: column.dtype for column in PAPER_ACRONYMS.columns}
    return PAPER_ACRONYMS.conform(pl.DataFrame(rows, columns, orient="row"))


def explained_in(text: str) -> Iterator[Explained]:
    """The acronyms that a text explains, in its order.

    >>> [one[:2] for one in explained_in("Slow Plum Optimization (SPO) and LoRA (low-rank adaptation)")]
    [('SPO', 'slow plum optimization'), ('LoRA', 'low-rank adaptation')]
    """
    if "(" not in text:
        return
    text = " ".join(text.split())
    for found in _BRACKET.finditer(text):
        before, inside = text[max(found.start() - 200, 0) : found.start()], _END_OF_FORM.split(found[1])[0].strip()
        is_short = _SHORT.fullmatch(acronym := _PLURAL.sub("", inside)) is not None
        if is_short:
            most = min(len(acronym) + 5, 2 * len(acronym))  # words that it may stand for
            form = long_form(acronym, " ".join(_CLAUSE.split(before)[-1].rstrip().split(" ")[-most:]))
        else:  # LoRA (Low-Rank Adaptation): all that is in the bracket
            last = at_end(_LAST, before)
            acronym = _PLURAL.sub("", last[0]) if last else ""
            form = long_form(acronym, inside) if _SHORT.fullmatch(acronym) else None
        if form and (is_short or form == inside) and (explained := by_terms(acronym, form)):
            yield explained


def long_form(short: str, words: str) -> str | None:
    """The last words that a short form stands for; None where they do not have its signs in order.

    >>> long_form("SPO", "trees by Slow Plum Optimization")
    'Slow Plum Optimization'
    """
    spelled = _SPLIT.split(words)
    by_initials = spelled[-len(short) :]
    if "".join(word[:1] for word in by_initials).lower() == short.lower():
        return words[-len("".join(by_initials)) - len(by_initials) + 1 :]
    at, letters = len(words), words.lower()
    for place, sign in reversed(list(enumerate(short.lower()))):
        at = letters.rfind(sign, 0, at)
        while place == 0 and at > 0 and letters[at - 1].isalnum():
            at = letters.rfind(sign, 0, at)
        if at < 0:
            return None
    return words[words.rfind(" ", 0, at) + 1 :]


def by_terms(acronym: str, form: str) -> Explained | None:
    """Both with their terms; None where the long form is one word, or has the acronym in it.

    >>> by_terms("ICP", "In-Context Pruning")
    Explained(acronym='ICP', long_form='in-context pruning', term='icp', terms='incontext prune')
    """
    said = fold(form)
    tokens = [token.words for token in tokens_of(said)]
    terms = list(dict.fromkeys(term for words in tokens for term in _terms(words)))
    term = term_of(fold(acronym))
    is_one_word = not terms[1:] and all(len(words) == 1 for words in tokens)
    if term is None or term in terms or is_one_word:
        return None
    return Explained(acronym, said, term, " ".join(terms))


def _terms(words: tuple[str, ...]) -> list[str]:
    """The terms of words that hyphens join; where some are function words, the one of all together: `in-context`."""
    *parts, joined = words
    found = [term_of(part) for part in parts or [joined]]
    return [term for term in ([term_of(joined)] if parts and None in found else found) if term is not None]
