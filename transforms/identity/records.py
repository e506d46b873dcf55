"""Records, which identity compares, and their index.

A record is a distinct description of a paper on any page, with its evidence. The index has the keys of each as hashes,
which are stored, and are the same on every machine.
"""

from hashlib import blake2b, sha256
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt
import polars as pl

from transforms.collect.cleaning import letters
from transforms.identity.blocking import (
    HAS_ENOUGH_WORDS,
    RAREST,
    folded,
    main_key,
    numbers,
    title_key,
)
from warehouse.schema.core.identity import IDENTITY_RECORDS

EVIDENCE = {
    "abstract": pl.String(),
    "ai_summary": pl.String(),
    "description": pl.String(),
    "published_on": pl.Date(),
    "author_count": pl.Int32(),
    "authors": pl.List(pl.Struct({"name": pl.String()})),
}
FACTS = ("arxiv_id", "title", "abstract", "ai_summary", "published_on", "author_count", "family_names")
# Columns that distinguish records without an arXiv id; hashes of 64 bits stand for long texts, which are costly as keys
FINGERPRINT = ("title", "published_on", "author_count", "abstract_hash", "summary_hash", "names")
FAMILY_NAME = pl.element().struct.field("name").str.replace(",.*", "").str.extract(r"(\p{L}[^\s.]*)\.?\s*$")


class Index(NamedTuple):
    """The tables `identity_records` and `identity_pairs`."""

    records: pl.DataFrame
    pairs: pl.DataFrame


def fingerprinted(sightings: pl.DataFrame) -> pl.DataFrame:
    """Sightings with every column of `FACTS` and `FINGERPRINT`; a missing column is null.

    Without an arXiv id `description` is taken for a summary: it may agree with other texts, and contradicts none.
    """
    missing = [pl.lit(None, dtype).alias(name) for name, dtype in EVIDENCE.items() if name not in sightings.columns]
    names = (
        pl.col("authors").list.eval(FAMILY_NAME.str.to_lowercase()).list.drop_nulls().list.unique(maintain_order=True)
    )
    return (
        sightings.with_columns(missing)
        .with_columns(
            family_names=names,
            ai_summary=pl.when(pl.col("arxiv_id").is_null())
            .then(pl.coalesce("ai_summary", "description"))
            .otherwise("ai_summary"),
        )
        .with_columns(
            abstract_hash=pl.col("abstract").hash(),
            summary_hash=pl.col("ai_summary").hash(),
            names=pl.col("family_names").list.join(" "),
        )
    )


def records(fingerprints: pl.DataFrame) -> pl.DataFrame:
    """One row per record of fingerprinted sightings, identified by a hash of its content.

    A record with an arXiv id is one title and abstract of that id, with the evidence of all its pages; where its page
    had no abstract, with one of another page. A record without an id is what one page shows. `paper_id` is kept where
    the sightings have it.
    """
    columns = [*FACTS, *FINGERPRINT[3:], *(name for name in ("paper_id",) if name in fingerprints.columns)]
    is_known = pl.col("arxiv_id").is_not_null()
    alone = fingerprints.filter(~is_known).select(columns).unique(subset=FINGERPRINT)
    both = pl.concat([_known(fingerprints.filter(is_known).select(columns)).select(columns), alone])
    judged = both.with_columns(
        lacks_usable_abstract=~pl.col("abstract").str.contains(HAS_ENOUGH_WORDS).fill_null(False)
    )
    keyed = judged.with_columns(
        record_hash(judged), title_key(pl.col("title")).alias("title_key"), folded=folded(pl.col("title"))
    )
    title = pl.col("folded")
    return keyed.with_columns(
        near_key=letters(title, title),
        main_key=main_key(title),
        numbers=numbers(title),
        words=title.str.extract_all(r"[\p{L}\p{N}]+"),
    )


def _known(fingerprints: pl.DataFrame) -> pl.DataFrame:
    """Records of arXiv ids: each is completed from the other sightings of its id."""
    texts = fingerprints.unique(subset=("arxiv_id", "title", "abstract_hash"))
    # The smallest, not the first: a record must not depend on the order of its pages
    abstract = (
        pl.col("abstract").filter(pl.col("abstract").str.contains(HAS_ENOUGH_WORDS)).min().alias("usable_abstract")
    )
    shared = fingerprints.group_by("arxiv_id").agg(pl.col("published_on").min(), pl.col("author_count").max())
    names = fingerprints.group_by("arxiv_id", "names").agg(pl.col("family_names").first()).sort("names")
    named = names.group_by("arxiv_id", maintain_order=True).agg(pl.col("family_names", "names").last())
    summaries = fingerprints.group_by("arxiv_id").agg(pl.col("ai_summary").min())
    whole = texts.drop("published_on", "author_count", "family_names", "names", "ai_summary")
    for part in (texts.group_by("arxiv_id").agg(abstract), shared, named, summaries):
        whole = whole.join(part, on="arxiv_id", how="left")
    is_usable = pl.col("abstract").str.contains(HAS_ENOUGH_WORDS)
    filled = whole.with_columns(
        abstract=pl.when(is_usable).then("abstract").otherwise(pl.coalesce("usable_abstract", "abstract"))
    )
    return filled.with_columns(abstract_hash=pl.col("abstract").hash()).unique(
        subset=("arxiv_id", "title", "abstract_hash")
    )


RECORDS_AT_A_TIME: Final = 20_000  # bounds the memory, does not change the result
HEAD: Final = 240  # characters of an abstract that are looked at; a truncated abstract has them too
SHORTEST: Final = 3  # letters of a title's word that makes a key, at least
PASSAGE: Final = 40  # letters of an abstract that two papers share
ABSTRACT_WORD: Final = r"\p{L}{5,}"
DIGEST: Final = 8  # digits that distinguish papers of one title
UNKNOWN: Final = "\0"  # stands for null, and is in no text of a page
IDENTIFYING: Final = ("arxiv_id", "title", "abstract", "ai_summary", "published_on", "author_count", "names")
KEYS: Final = ("near_hash", "beginning", "second_sentence", "third_sentence", "ending")
WORDS: Final = ("title_words", "abstract_words")


def index_of(described: pl.DataFrame) -> pl.DataFrame:
    """The row of `identity_records` for each record. Without an arXiv id it keeps the `paper_id` it had, if any."""
    parts = [IDENTITY_RECORDS.empty()]
    for part in described.iter_slices(RECORDS_AT_A_TIME):
        keys = keys_of(part)
        digests = [text if text is None else sha256(text.encode()).hexdigest()[:DIGEST] for text in keys["text_digest"]]
        hashes = (long_hash(keys["title_hash"]), *(key_hash(keys[name]) for name in KEYS))
        lists = (key_hashes(keys[name]) for name in WORDS)
        found = keys.with_columns(*hashes, *lists, pl.Series("text_digest", digests, pl.String))
        parts.append(IDENTITY_RECORDS.conform(found))
    return pl.concat(parts)


def keys_of(described: pl.DataFrame) -> pl.DataFrame:
    """The columns of the index before hashing: keys as text."""
    has_id, title, abstract = pl.col("arxiv_id").is_not_null(), pl.col("title_key"), pl.col("abstract")
    usable = pl.when(~pl.col("lacks_usable_abstract")).then(abstract.str.to_lowercase())
    whole = pl.when(abstract.str.len_chars() >= HEAD).then(usable)  # a shorter text may have been cut
    sentences = whole.str.splitn(". ", 4).struct
    facts = pl.concat_str("published_on", "author_count", "names", separator=" ", ignore_nulls=True)
    text = pl.when("lacks_usable_abstract").then(abstract.fill_null("") + facts).otherwise(abstract)
    head = abstract.str.slice(0, HEAD).str.to_lowercase().fill_null("")
    return described.select(
        "record",
        paper_id=pl.coalesce("arxiv_id", pl.col("paper_id") if "paper_id" in described.columns else pl.lit("")),
        has_arxiv_id=has_id,
        has_usable_abstract=~pl.col("lacks_usable_abstract"),
        title_hash=title,
        near_hash=pl.coalesce("main_key", "near_key"),
        title_words=_longest(pl.col("words").list.filter(pl.element().str.len_chars() >= SHORTEST)),
        abstract_words=_longest(head.str.extract_all(ABSTRACT_WORD)),
        beginning=_passage(usable.str.slice(0, HEAD)).str.slice(0, PASSAGE),
        second_sentence=_passage(sentences[1].str.slice(0, 2 * PASSAGE)).str.slice(0, PASSAGE),
        third_sentence=_passage(sentences[2].str.slice(0, 2 * PASSAGE)).str.slice(0, PASSAGE),
        ending=_passage(whole.str.slice(-2 * PASSAGE)).str.tail(PASSAGE),
        title_key=pl.when(~has_id).then(title),
        text_digest=pl.when(~has_id).then(text),
    )


def _longest(words: pl.Expr) -> pl.Expr:
    """The longest words: long words are rare, whatever else is in the lake."""
    length = pl.element().str.len_chars()
    longest = pl.element().sort_by(length, pl.element(), descending=[True, False])
    return words.list.unique().list.eval(longest.head(RAREST))


def _passage(text: pl.Expr) -> pl.Expr:
    return text.str.replace_all(r"\P{L}", "").replace("", None)


def record_hash(records: pl.DataFrame) -> pl.Series:
    """The id of each record: a hash of all its identifying columns."""
    texts = (pl.col(name).cast(pl.String).fill_null(UNKNOWN) for name in IDENTIFYING)
    return long_hash(records.select(record=pl.concat_str(*texts, separator="\n")).to_series())


def long_hash(texts: pl.Series) -> pl.Series:
    """A hash of 8 bytes of each text, taken to be unique; null for null."""
    distinct = texts.drop_nulls().unique()
    digests = b"".join(blake2b(text.encode(), digest_size=8).digest() for text in distinct)
    # Little-endian on every machine, as releases keep these hashes
    return _looked_up(texts, distinct, np.frombuffer(digests, "<i8"))


def key_hash(texts: pl.Series) -> pl.Series:
    """A hash of 4 bytes of each text; null for null. Collisions do no harm: texts that share one are compared."""
    distinct = texts.drop_nulls().unique()
    hashes = np.fromiter(map(crc32, map(str.encode, distinct)), np.uint32, len(distinct))
    return _looked_up(texts, distinct, hashes.view(np.int32))


def key_hashes(lists: pl.Series) -> pl.Series:
    """The hashes of the words of each list, in order."""
    numbered = lists.rename("word").to_frame().with_row_index("row")
    words = numbered.explode("word").drop_nulls()
    hashes = words.with_columns(key_hash(words["word"])).group_by("row").agg(pl.col("word").sort().alias(lists.name))
    found = numbered.join(hashes, on="row", how="left", maintain_order="left")
    return found.select(pl.col(lists.name).fill_null([])).to_series()


def _looked_up(texts: pl.Series, distinct: pl.Series, hashes: npt.NDArray[np.integer[Any]]) -> pl.Series:
    known = pl.DataFrame({"text": distinct, "hash": hashes}, schema_overrides={"text": pl.String})
    found = texts.to_frame("text").join(known, on="text", how="left", maintain_order="left")
    return found["hash"].alias(texts.name)
