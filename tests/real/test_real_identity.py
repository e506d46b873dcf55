"""A paper in a saved text and in the API is one paper, and no two others are."""

import polars as pl
import pytest


@pytest.fixture(scope="module")
def sightings(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    return tables["sightings"]


def plain(name: str) -> pl.Expr:
    """The ASCII letters and digits of a text, in lower case."""
    return pl.col(name).str.to_lowercase().str.replace_all("[^a-z0-9]", "")


def test_every_saved_text_of_a_paper_of_the_api_is_that_paper(sightings: pl.DataFrame) -> None:
    """Decided without the identity code: the same letters in the title, or in the first 100 of the abstract."""
    saved = sightings.filter(pl.col("source") == "text")
    api = sightings.filter(pl.col("source") == "api")
    keys = (plain("title"), plain("abstract").str.slice(0, 100))
    expected = {
        (capture_id, position, arxiv_id)
        for key in keys
        for capture_id, position, arxiv_id in saved.with_columns(key=key)
        .join(api.select("arxiv_id", key=key).unique(), on="key")
        .select("capture_id", "position", "arxiv_id_right")
        .rows()
    }
    joined = saved.filter(~pl.col("paper_id").str.starts_with("title:"))
    assert set(joined.select("capture_id", "position", "paper_id").rows()) == expected
    assert len(expected) == 23


def test_the_saved_texts_meet_each_other_where_their_titles_are_the_same(sightings: pl.DataFrame) -> None:
    """Read by eye: 329 items, 299 papers of 299 titles, one paper at most a title."""
    saved = sightings.filter(pl.col("source") == "text").with_columns(plain("title").alias("key"))
    assert saved.group_by("paper_id").agg(pl.col("key").n_unique())["key"].max() == 1
    assert saved["paper_id"].n_unique() == saved["key"].n_unique() == 299


def test_no_two_papers_look_like_one_but_two_pairs_share_an_abstract(tables: dict[str, pl.DataFrame]) -> None:
    """10,049 papers of the source have 10,049 titles (docs/source.md §6), and no two ids are one work."""
    found = tables["paper_clusters"]
    assert found.select("kind", "cluster_id", "paper_id").rows() == [
        ("twin_abstract", "2507.02592", "2507.02592"),
        ("twin_abstract", "2507.02592", "2509.13305"),
        ("twin_abstract", "2512.10739", "2512.10739"),
        ("twin_abstract", "2512.10739", "2512.10756"),
    ]
    assert found["agreement"].min() > 0.98
