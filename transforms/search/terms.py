"""The words of texts, the term that all forms of a word share, and the postings of a term: the papers that have it.

Words are in lower case, without accents; a hyphenated word gives its parts, and the parts joined; Chinese and Japanese,
which write no spaces, give each two letters that follow one another. The term of a word is
American spelling, then Snowball's stem. Weight and rarity are those of BM25F, in integers. Postings are listed by
cohort, so that new papers change only lists of theirs.
"""

import re
from collections.abc import Iterable
from decimal import Context
from functools import cache, lru_cache
from typing import Any, Final

import polars as pl
import Stemmer

from transforms.search.spoken import pairs
from warehouse.schema import search_rules as rules

MOST_WORDS: Final = 2**32
WORDS: Final = pl.List(pl.String())


def words_in(texts: pl.DataFrame) -> pl.DataFrame:
    """Each `word` of each text (`text`, its `title` and its `abstract` or null) with its `count`, titles twice."""
    fields = [texts.select("text", said=field) for field in (*(["title"] * rules.TITLE_TIMES), "abstract")]
    said = pl.col("said")
    is_ascii = said.str.len_bytes() == said.str.len_chars()  # 99 in 100 abstracts are: of these, lower case is all
    plain, others = pl.concat(fields).filter(is_ascii), pl.concat(fields).filter(~is_ascii)
    text = pl.concat([plain.with_columns(said.str.to_lowercase()), others.with_columns(folded(said))])
    found = text.select("text", token=said.str.extract_all(rules.WORD)).explode("token").drop_nulls("token")
    words = _words(found["token"].unique())
    # A text and the number of a word are packed into one integer: sorted, equal ones are adjacent
    numbers = words.select(pl.col("word").unique()).with_row_index("number")
    numbered = found.join(words.join(numbers, on="word"), on="token")
    pairs = numbered.select(pl.col("text").cast(pl.UInt64) * MOST_WORDS + pl.col("number")).to_series()
    runs = pairs.sort().rle().struct.unnest()
    return runs.select(
        text=(pl.col("value") // MOST_WORDS).cast(pl.UInt32),
        word=numbers["word"].gather(runs["value"] % MOST_WORDS),
        count=pl.col("len").cast(pl.Int64),
    )


def folded(text: pl.Expr) -> pl.Expr:
    """A text in lower case without accents, as `rules.FOLDED` makes it in SQL, which must find the same words."""
    bare = text.str.normalize("NFD").str.replace_all(r"\p{M}", "").str.normalize("NFC")
    return bare.str.to_lowercase().str.replace_many(rules.PLAIN_LETTERS)


def _words(tokens: pl.Series) -> pl.DataFrame:
    """`token`, and each `word` of it; a word that is in it twice counts twice."""
    token = pl.col("token")
    is_joined = token.str.contains(rules.JOINER)  # one in four
    is_run = token.str.contains(rules.RUN)
    whole = tokens.to_frame("token").filter(~is_joined & ~is_run).with_columns(word=token)
    runs = tokens.filter(tokens.str.contains(rules.RUN))
    paired = pl.DataFrame({"token": runs, "word": [pairs(run) for run in runs]}, {"token": pl.String, "word": WORDS})
    bare = tokens.to_frame("token").filter(is_joined).with_columns(bare=token.str.replace(rules.POSSESSIVE, ""))
    parts = pl.col("bare").str.replace_all(rules.JOINER, "-").str.split("-")
    none = pl.lit([], WORDS)
    joined = pl.when(parts.list.len() > 1).then(pl.concat_list(parts.list.join(""))).otherwise(none)
    words = bare.select("token", word=pl.concat_list(parts, joined)).explode("word")
    return pl.concat([whole, words, paired.explode("word")]).filter(
        pl.col("word").str.len_chars() <= rules.LONGEST_WORD
    )


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
BRITISH: Final = "|".join(f"(?:{re.sub(r'[(](?![?])', '(?:', british)})" for british, _ in AMERICAN)
_IS_BRITISH: Final = re.compile(BRITISH)
MAY_BE_BRITISH: Final = rf"{BRITISH}|[^\x00-\x7f]"  # for Polars, to which other signs than to Python are letters
WORDS_KEPT: Final = 10_000  # in the cache, with their terms, some 2 MiB
_AMERICAN: Final = tuple((re.compile(british), american) for british, american in AMERICAN)


def terms_of(words: pl.Series) -> pl.Series:
    """The term of each word; null for a function word."""
    spelled, places = words.clone(), words.str.contains(MAY_BE_BRITISH).arg_true()
    spelled.scatter(places, [american(word) for word in words.gather(places)])
    terms = pl.Series("term", _stemmer().stemWords(spelled.to_list()), dtype=pl.String)
    return terms.set(words.is_in(FUNCTION_WORDS), None)


@lru_cache(maxsize=WORDS_KEPT)
def term_of(word: str) -> str | None:
    """The term of one word, cached: acronyms stand for the same few words."""
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


DIGITS: Final = Context(prec=20)  # of a logarithm: decimal ones are the same on every machine


def rarities(counts: Iterable[int], paper_count: int) -> dict[int, int]:
    """The inverse document frequency, ln(1 + (N - n + 1/2) / (n + 1/2)), by the number n of papers with a term."""
    odds = {count: DIGITS.divide(2 * (paper_count - count) + 1, 2 * count + 1) for count in counts}
    return {count: round(rules.RARITY_UNIT * DIGITS.ln(1 + odd)) for count, odd in odds.items()}


OF_A_LIST = ("cohort", "term")


def postings_in(lists: pl.DataFrame, papers: pl.DataFrame) -> pl.DataFrame:
    """`paper_id`, `term`, `count`: one row for each posting of these lists; `papers` has the places of papers."""
    placed = lists.explode("places", "counts").rename({"places": "place", "counts": "count"})
    return placed.join(papers, on=("cohort", "place")).select("paper_id", "term", pl.col("count").cast(pl.Int32))


def listed(postings: pl.DataFrame, papers: pl.DataFrame) -> pl.DataFrame:
    """The lists of these postings, in the order of the papers' places."""
    placed = postings.join(papers, on="paper_id").sort("place")  # `agg` keeps the order of rows in a list
    return placed.group_by(OF_A_LIST).agg(places="place", counts="count")


def counted(gone: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """`term`, `paper_count`: how many more papers have a term with the `new` lists in place of those that are gone."""
    changes = (
        lists.group_by("term").agg(paper_count=sign * pl.col("places").list.len().cast(pl.Int64).sum())
        for lists, sign in ((gone, -1), (new, 1))
    )
    return pl.concat(changes).group_by("term").agg(pl.col("paper_count").sum())
