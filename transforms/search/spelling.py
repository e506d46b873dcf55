"""The term of a word, which all its forms share: American spelling, then Snowball's stem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, Final

import Stemmer

# Words that every text has: they distinguish nothing, and make a third of all postings
FUNCTION_WORDS: Final = frozenset(
    """
a about above after again against all also am an and any are as at be because been before being below between both
but by can cannot could did do does doing down during each few for from further had has have having he her here hers
him his how i if in into is it its itself just let me more most my no nor not of off on once only or other our ours
out over own same she should so some such than that the their theirs them themselves then there these they this
those through to too under until up very was we were what when where which while who whom why will with would you
your yours
    """.split()  # noqa: SIM905 - a list of so many quoted words is none to read
)
# British spellings with the American ones. A word that only looks British is changed in all its forms, which does no
# harm: they still become one term. `supervise` and `precise` are left out: related words end in -vision and -cision.
AMERICAN: Final = (
    (r"^(\w+[^cv\W])is(e|ed|es|er|ers|ing|ation|ations|able)$", r"\1iz\2"),
    (r"lys(e|ed|es|er|ers|ing)$", r"lyz\1"),
    (r"(arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|rum|sav|vap|vig)our", r"\1or"),
    (r"(canc|chann|equa|fue|lab|lev|mod|sign|tot|trav|tunn)(el|al)l(ed|ing|er|ers)$", r"\1\2\3"),
    (r"(cal?ib|cent|fib|lit|met|spect|theat)re(s?)$", r"\1er\2"),
    (r"(anal|catal|dial|epil|monol|prol)ogue(s?)$", r"\1og\2"),
    (r"(def|off|pret)ence", r"\1ense"),
    (r"licence", "license"),
    (r"programme(s?)$", r"program\1"),
    (r"^grey", "gray"),
    (r"artefact", "artifact"),
    (r"^age?ing$", "aging"),
    (r"judgement", "judgment"),
)
_IS_BRITISH: Final = re.compile("|".join(f"(?:{re.sub(r'[(](?![?])', '(?:', british)})" for british, _ in AMERICAN))
WORDS_KEPT: Final = 100_000  # in the cache, with their terms, some 15 MiB; the real lake has 51,000
_AMERICAN: Final = tuple((re.compile(british), american) for british, american in AMERICAN)


def terms_of(words: Iterable[str]) -> Iterator[str | None]:
    """The term of each word; None for a function word."""
    return map(term_of, words)


@lru_cache(maxsize=WORDS_KEPT)
def term_of(word: str) -> str | None:
    """The term of a word, cached: the cohorts of a build share most words."""
    return None if word in FUNCTION_WORDS else _stemmer().stemWord(american(word))


@cache
def _stemmer() -> Any:  # noqa: ANN401
    return Stemmer.Stemmer("english", 0)  # without a cache of its own: `term_of` has one


def american(word: str) -> str:
    """A word in lower case in American spelling.

    >>> [american(word) for word in ("optimising", "behaviour", "modelling", "supervised", "analyse")]
    ['optimizing', 'behavior', 'modeling', 'supervised', 'analyze']
    """
    if not _IS_BRITISH.search(word):
        return word
    for british, spelled in _AMERICAN:
        word = british.sub(spelled, word)
    return word
