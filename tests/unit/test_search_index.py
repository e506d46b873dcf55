"""The index: exact words, terms, weights, vectors and neighbours; built day by day it is the same as at once."""

import random
from hashlib import sha256
from math import floor
from operator import mul
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.builders import columns
from tests.derived import IndexedTexts, search_tables
from transforms.core import search as core
from transforms.search.embeddings import Encode
from transforms.search.rare_words import RareWords
from transforms.search.spoken import fold, tokens_of
from transforms.search.terms import american, folded, rarities, term_of, terms_of, words_in
from transforms.search.vectors import Pairs, basis, nearest, scaled
from warehouse.schema import search_rules as rules
from warehouse.schema.core.papers import PAPER_TEXTS, PAPERS
from warehouse.schema.core.search import SEARCH_EMBEDDINGS, SIMILAR_PAPERS

WORDS = ("looms", "weave", "cached", "caching", "models", "modelling", "tide-gauge", "state-of-the-art", "the", "naïve")


Texts = dict[str, tuple[str, str | None]]


def release(texts: Texts, known: IndexedTexts | None = None, encode: Encode | None = None) -> IndexedTexts:
    """The tables over papers of these titles and abstracts."""
    papers, abstracts = frames(texts)
    tables = search_tables(papers, abstracts, known, encode)
    return IndexedTexts(papers, abstracts, *(tables[name] for name in IndexedTexts._fields[2:]))


def frames(texts: Texts) -> tuple[pl.DataFrame, pl.DataFrame]:
    rows = sorted(texts.items())
    papers = pl.DataFrame(
        {"paper_id": [one for one, _ in rows], "title": [title for _, (title, _) in rows]}, orient="row"
    )
    told = [(one, abstract) for one, (_, abstract) in rows if abstract is not None]
    abstracts = pl.DataFrame(told, {"paper_id": pl.String, "abstract": pl.String}, orient="row")
    return papers, abstracts


def equal(one: IndexedTexts, other: IndexedTexts) -> bool:
    return all(mine.equals(theirs) for mine, theirs in zip(one[2:], other[2:], strict=True))


def test_a_text_is_split_into_words() -> None:
    texts = pl.DataFrame(
        {
            "text": [0],
            "title": ["Na\u00efve State-of-the-Art's"],
            "abstract": ["A naive \u03b2\u2013\u03c0 it\u2019s x_y"],
        }
    )
    assert sorted(words_in(texts).select("word", "count").rows()) == [
        ("a", 1), ("art", 2), ("it", 1), ("naive", 3), ("of", 2), ("state", 2), ("stateoftheart", 2), ("the", 2),
        ("x", 1), ("y", 1), ("\u03b2", 1), ("\u03c0", 1),
    ]  # fmt: skip
    assert [token.words for token in tokens_of(fold("Tide-gauge's \u03a3\u03a9\u03a3"))] == [
        ("tide", "gauge", "tidegauge"),
        ("\u03c3\u03c9\u03c3",),
    ]
    assert [token.words for token in tokens_of("3d\u6e29\u5ea6\u8ba1-\u5ea6")] == [
        ("3d",),
        ("\u6e29\u5ea6", "\u5ea6\u8ba1"),
        ("\u5ea6",),
    ]


# What a newer Unicode calls an accent is one only where a client's Unicode knows it
TEXT = st.text(st.characters(exclude_categories=("Cs", "Cn", "Co")), max_size=80)


@given(TEXT)
@example("\u0141\u00d8\u0110\u0131\u1e9e\u00c6 \u03a3\u03a9\u03a3")
@settings(max_examples=100, deadline=None)
def test_one_text_is_read_as_many_are(text: str) -> None:
    frame = pl.DataFrame({"text": [0], "title": [text], "abstract": [None]}, schema_overrides={"abstract": pl.String})
    assert frame.select(folded(pl.col("title"))).item() == fold(text)
    assert set(words_in(frame)["word"]) == {word for token in tokens_of(fold(text)) for word in token.words}


def test_forms_of_a_word_have_one_term() -> None:
    words = ["caching", "cached", "the", "colours", "colors", "optimisation", "optimize", "supervised", "supervision"]
    terms = ["cach", "cach", None, "color", "color", "optim", "optim", "supervis", "supervis"]
    assert terms_of(pl.Series(words)).to_list() == terms == list(map(term_of, words))
    # Signs that are letters to Python or to Polars alone
    odd = ["x\u00b2ise", "na\u00efvet\u00e9s", "\u03c9-colour", "\u77e5\u8bc6", "\u00b2ising"]
    assert terms_of(pl.Series(odd)).to_list() == list(map(term_of, odd))
    assert terms_of(pl.Series([], dtype=pl.String)).is_empty()
    assert [american(word) for word in ("labelled", "centre", "rise", "precise", "promises", "noises", "noise")] == [
        "labeled", "center", "rise", "precise", "promizes", "noizes", "noize",
    ]  # fmt: skip


def test_weights_and_rarities_are_exact() -> None:
    # 190 tf / (tf + .9 (.4 + .6 L / 170)): L = 170, then 1
    asked = f"(2, 170), (168, 170), (1, 1), ({rules.COUNT_MOST}, 300)"
    told = duckdb.sql(f"SELECT {rules.WEIGHT} FROM (VALUES {asked}) AS of(count, length)")
    assert [weight for (weight,) in told.fetchall()] == [131, 189, 139, 188]
    assert rarities([1, 2, 3], 3) == {1: 1004, 2: 481, 3: 137}


@pytest.mark.parametrize("papers", [1, 2, 6])
def test_of_few_papers_each_is_near_all_others(papers: int) -> None:
    vectors = np.ones((papers, 4), np.int8)
    nothing, none = Pairs(*np.zeros((3, 0), np.int64)), np.zeros((papers, papers), np.int64)
    found = nearest([vectors], np.ones(papers, bool), nothing, lambda ones, others: none[np.ix_(ones, others)])
    everyone = [(one, other) for one in range(papers) for other in range(papers) if one != other]
    assert list(zip(found.paper.tolist(), found.other.tolist(), strict=True)) == everyone


@pytest.mark.parametrize("spaces", [1, 2])
@pytest.mark.parametrize("seed", [0, 3, 7])
def test_neighbours_by_tiles_are_those_of_all_pairs(seed: int, spaces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, small in {"ROWS": 8, "TILE": 70, "PAIRS": 50, "GROUP": 2}.items():
        monkeypatch.setattr(f"transforms.search.vectors.{name}", small)
    dice = np.random.default_rng(seed)
    vectors = [dice.integers(-1, 3, (61, 4 + seed)).astype(np.int8) for _ in range(spaces)]
    nothing, common = Pairs(*np.zeros((3, 0), np.int64)), np.triu(dice.integers(0, 9, (61, 61)))
    common += common.T
    whole = nearest(vectors, np.ones(61, bool), nothing, lambda ones, others: common[np.ix_(ones, others)], 3)
    assert [column.tolist() for column in whole] == [
        list(column) for column in zip(*of_all_pairs(vectors, common.tolist()), strict=True)
    ]
    fresh = dice.random(61) < 0.4
    kept = np.flatnonzero(~fresh)
    of_kept = common[np.ix_(kept, kept)]
    known = nearest(
        [of[kept] for of in vectors],
        np.ones(len(kept), bool),
        nothing,
        lambda ones, others: of_kept[np.ix_(ones, others)],
        3,
    )
    known = Pairs(kept[known.paper], kept[known.other], known.score)
    grown = nearest(vectors, fresh, known, lambda ones, others: common[np.ix_(ones, others)], 3)
    assert [column.tolist() for column in grown] == [column.tolist() for column in whole]


def test_neighbours_of_a_lake_that_grows_and_shrinks_are_those_made_at_once() -> None:
    dice = np.random.default_rng(1)
    some = dice.integers(-9, 9, (6, 256))[dice.integers(0, 6, (40, 2))].sum(axis=1) + dice.integers(-4, 4, (40, 256))
    of_papers = scaled(some, rules.VECTOR_MOST).astype(np.int8)
    of_papers[1], of_papers[2] = of_papers[0], 0

    def vectors(numbers: range) -> pl.DataFrame:
        ids = [f"2503.{number:05}" for number in numbers]
        made = pl.Series(of_papers[numbers.start : numbers.stop].tolist(), dtype=pl.List(pl.Int8))
        places = pl.int_range(len(ids), dtype=pl.Int32, eager=True)
        papers = {
            "paper_id": pl.Series(ids, dtype=pl.String),
            "cohort": pl.Series(["2503"] * len(ids), dtype=pl.String),
        }
        return pl.DataFrame(papers | {"place": places, "vector": made})

    def lists(numbers: range) -> pl.LazyFrame:
        """Of each rare word the papers that have it: `a` every third, `b` the first ten, `the` all."""
        held = {
            "a": lambda number: number % 3 == 0,
            "b": lambda number: number < 10,
            "network": lambda number: number > 0,
        }
        has = [[number - numbers.start for number in numbers if is_in(number)] for is_in in held.values()]
        lists = {"cohort": ["2503"] * 3, "term": [*held], "places": pl.Series(has, dtype=pl.List(pl.Int32))}
        return pl.LazyFrame(lists).filter(pl.col("places").list.len() > 0)

    none, known, before = SEARCH_EMBEDDINGS.empty(), SIMILAR_PAPERS.empty(), vectors(range(0))
    for numbers in (range(28), range(33), range(40), range(5, 36), range(8, 30)):
        of = vectors(numbers)
        new = of.join(before, on="paper_id", how="anti")["paper_id"]
        known, before = (
            core.similar(of, none, lists(numbers), new, known=known.lazy()),
            of.select("paper_id"),
        )
        assert known.equals(core.similar(of, none, lists(numbers), of["paper_id"]))


def of_all_pairs(spaces: list[npt.NDArray[np.int8]], common: list[list[int]]) -> list[tuple[int, int, int]]:
    """The three nearest of each, found by comparing all with all in Python's integers."""

    def cosine(of: list[list[int]], one: int, other: int) -> int:
        product = sum(map(mul, of[one], of[other]))
        norm = sum(map(mul, of[one], of[one])) * sum(map(mul, of[other], of[other]))
        return floor(product * rules.SCORE_UNIT / max(norm, 1) ** 0.5)

    def alike(one: int, other: int) -> int:
        meant, both = sum(cosine(of, one, other) for of in told) // len(told), common[one][other]
        return (7 * meant + 3 * (10_000 * both // (both + 6))) // 10

    told, papers = [of.tolist() for of in spaces], range(len(spaces[0]))
    found = []
    for one in papers:
        scores = [(-alike(one, other), other) for other in papers if other != one]
        found += [(one, other, -score) for score, other in sorted(scores)[:3] if score < 0]
    return found


def test_rare_words_that_two_papers_share_are_counted() -> None:
    dice, plain = random.Random(1), ["looms", "weave", "kilns", "tides", "caching", "models", "the", "glazes"]
    said = {f"24{dice.randrange(10, 13)}.{number:05}": dice.sample(plain, 4) for number in range(40)}
    index = search_tables(*frames({paper: (" ".join(words), None) for paper, words in said.items()}))
    lists, papers = index["search_lists"], index["search_vectors"]
    common, rare = set(basis().filter("is_common")["term"]), dict.fromkeys(papers["paper_id"], frozenset[str]())
    assert common & set(lists["term"])
    for paper, words in said.items():
        rare[paper] = frozenset(term for term in map(term_of, words) if term and term not in common)
    ones, others = np.array([3, 0, 39]), np.arange(5, 40)
    is_fresh = np.isin(np.arange(40), ones)
    found = RareWords(lists.lazy(), papers, is_fresh).shared(ones, others).tolist()
    order = papers["paper_id"].to_list()
    assert found == [[len(rare[order[one]] & rare[order[other]]) for other in others] for one in ones]
    assert max(map(max, found)) > 1


@pytest.mark.parametrize("seed", range(3))
def test_an_index_that_grew_is_the_index_made_at_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(seed)

    def text() -> tuple[str, str | None]:
        return " ".join(dice.choices(WORDS, k=3)), dice.choice([None, " ".join(dice.choices(WORDS, k=9))])

    texts: Texts = {f"2503.{dice.randrange(99999):05}": text() for _ in range(30)}
    known, read = release(texts), []
    words_of = core.words_in
    monkeypatch.setattr(core, "words_in", lambda frame: read.append(frame.height) or words_of(frame))
    for _ in range(3):
        before = dict(texts)
        for paper_id in dice.sample(sorted(texts), 2):
            texts[paper_id] = text()  # revised
        texts.pop(dice.choice(sorted(texts)))
        texts |= {f"24{dice.randrange(10)}1.{dice.randrange(99999):05}": text() for _ in range(3)}
        read.clear()
        changed = {one for one in before.keys() | texts.keys() if before.get(one) != texts.get(one)}
        of_changed = [frames({one: text for one, text in side.items() if one in changed}) for side in (before, texts)]
        part = search_tables(*of_changed[1], IndexedTexts(*of_changed[0], *known[2:]))
        known = release(texts, known)
        assert sum(read) <= 2 * (2 * 2 + 1 + 3)  # what came and what went, of thirty
        whole = release(texts)
        assert equal(known, whole)
        assert equal(known._replace(**{name: part[name] for name in IndexedTexts._fields[2:]}), whole)


def test_texts_indexed_by_other_rules_are_indexed_again() -> None:
    whole = release({"2503.00001": ("Looms", None), "2503.00002": ("Tides", None)})
    old = whole.search_vectors.with_columns(model=pl.lit("lsa256.0"))
    wrong = whole.search_words.with_columns(paper_count=pl.lit(9, pl.Int32))
    texts = {"2503.00001": ("Looms", None), "2503.00002": ("Tides", None)}
    assert equal(release(texts, whole._replace(search_vectors=old, search_words=wrong)), whole)


def test_papers_without_words_and_no_papers_are_indexed() -> None:
    empty = search_tables(PAPERS.empty(), PAPER_TEXTS.empty())
    assert all(table.is_empty() for table in empty.values())
    bare = release({"2503.00001": ("!!!", None)})
    alone = release({"2503.00002": ("Looms", None)})
    assert columns(bare.search_vectors, "paper_id", "length", "square") == [("2503.00001", 0, 0)]
    both = {"2503.00001": ("!!!", None), "2503.00002": ("Looms", None)}
    assert equal(release(both, bare), release(both))
    assert equal(release(both, alone), release(both))  # the other has another place now


def test_the_basis_is_words_and_small_integers() -> None:
    known = basis()
    assert known["term"].is_sorted()
    assert known["term"].n_unique() == known.height
    values = known["vector"].explode()
    assert (values.min(), values.max()) == (-rules.BASIS_MOST, rules.BASIS_MOST)
    assert known["scale"].is_between(1, 255).all()
    assert rules.DIMENSIONS * rules.VECTOR_MOST * rules.QUERY_MOST < 2**24  # exact in the floats of any client


def test_another_index_has_another_name() -> None:
    """A change of how texts are indexed must raise MODEL, so that no release mixes two; then these change."""
    data = (Path(core.__file__).parents[1] / "search" / "basis.parquet").read_bytes()
    sample = (
        "colours modelled state-of-the-art",
        "naïve tides; caching KV-caches for large language models at 12.5x \u6e29\u5ea6\u8ba1",
    )
    index = release({"2503.00001": sample, "2503.00002": ("Looms", None)})
    rarity = pl.col("paper_count").replace_strict(rarities([1, 2], 2), return_dtype=pl.Int32)
    lists = index.search_terms.with_columns(rarity=rarity).join(index.search_lists.drop("cohort"), on="term")
    made = [lists.sort("term").rows(), index.search_words.rows(), index.search_vectors["vector"].to_list()]
    assert (rules.MODEL, sha256(data).hexdigest()[:8], sha256(repr(made).encode()).hexdigest()[:8]) == (
        "lsa256.4",
        "fa1f993b",
        "edfbf771",
    )
