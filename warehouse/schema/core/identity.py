"""Which paper is which, and which could be taken for one another.

`paper_aliases` and `paper_clusters` are the names of papers; `identity_records` and `identity_pairs` are keys of their
descriptions, and pairs of these that are alike.
"""

from typing import Final

import polars as pl

from warehouse.schema import columns as c
from warehouse.schema.shared import COHORT_PAPERS, MONTH_PAPERS, NEWEST_PAPERS, SEEN_RULE
from warehouse.schema.table import Cut, Table

MATCH_SCORE = c.real.but(
    name="score",
    unit="probability, 0 to 1",
    meaning="How likely the two are one paper, by title, abstract, authors and date; from 0.5 on they match.",
    source="computed by comparing the two, field by field",
    minimum=0,
    maximum=1,
)

PAPER_ALIASES = Table(
    name="paper_aliases",
    grain="One name of one paper.",
    answers="Every arXiv id and title a paper went by, and how the name was matched.",
    key=("kind", "alias", "paper_id"),
    revision=2,  # the titles of outer objects are names too
    cut=Cut(2 * COHORT_PAPERS, 4 * NEWEST_PAPERS),
    page_rows=2048,
    columns=(
        c.choice.but(name="kind", meaning="What the name is.", allowed=("arxiv_id", "title")),
        c.prose.but(
            name="alias",
            meaning="The name: an arXiv id, or a title as it was shown.",
            source="arxiv_id, title and outer_title of the sightings",
        ),
        c.paper_id,
        c.choice.but(
            name="method",
            meaning="`arxiv_id`: a page gave the name together with the arXiv id; `title`: matched by the normalised "
            "title of the arXiv id; `near_title`: by one much like it; `alone`: no arXiv id is known for the paper.",
            source="computed by comparing all papers that could be one",
            allowed=("arxiv_id", "title", "near_title", "alone"),
        ),
        MATCH_SCORE.but(
            meaning="How likely the name is this paper's: 1 where a page gave it with the arXiv id, else the best "
            "match of what was seen under the name with what else was seen of the paper.",
            null="nothing else was seen of the paper, or nothing much like it",
        ),
        *c.SEEN,
        c.capture_id.but(meaning="The last page that showed the name."),
    ),
    rules=(SEEN_RULE,),
)

PAPER_CLUSTERS = Table(
    name="paper_clusters",
    grain="One paper in one cluster of papers that could be taken for one another.",
    answers="Which papers are the same work under several arXiv ids, and which share a title and nothing else, or "
    "nearly all of an abstract.",
    key=("kind", "cluster_id", "paper_id"),
    columns=(
        c.choice.but(
            name="kind",
            meaning="`same_work`: titles and abstracts agree, the arXiv ids differ: two papers; `twin_title`: "
            "the normalised title is the same, what else is known speaks against one work; `twin_abstract`: the "
            "abstracts are nearly one, the titles are not: mostly papers of one group on one subject.",
            source="computed by comparing all papers that could be one",
            allowed=("same_work", "twin_title", "twin_abstract"),
        ),
        c.paper_id.but(name="cluster_id", meaning="The cluster, named by the smallest `paper_id` in it."),
        c.paper_id,
        c.choice.but(
            name="method",
            meaning="`title`: the normalised title is that of another one of the cluster; `near_title`: much like it; "
            "`abstract`: its abstract agrees with that of another one by 0.85 and more.",
            source="computed by comparing all papers that could be one",
            allowed=("title", "near_title", "abstract"),
        ),
        MATCH_SCORE.but(
            meaning="The best match with another paper of the cluster; of twins, with one that is another work.",
            null="so many papers share the title that it was compared with others of them only; of a `twin_abstract`, "
            "the titles are too far from each other to be one paper's",
        ),
        c.real.but(
            name="agreement",
            unit="of 1",
            meaning="How much of the abstract another paper of the cluster has: the share of the shorter one's pairs "
            "of adjacent words; the largest of them.",
            null="no two abstracts of the cluster could be compared",
            source="computed by comparing the two",
            minimum=0,
            maximum=1,
        ),
        c.capture_id.but(meaning="The last page that showed the paper."),
    ),
)


COMPUTED: Final = "computed from the pages that show it"
RECORD: Final = c.total.but(
    name="record",
    meaning="One description of a paper: a hash of its arXiv id, title, abstract, AI summary, date and authors.",
    source=COMPUTED,
    minimum=None,
)
KEY: Final = RECORD.but(dtype=pl.Int32())
OF_A_PAIR: Final = RECORD.but(refers_to="identity_records.record")
WORDS: Final = KEY.but(dtype=pl.List(pl.Int32()))

IDENTITY_RECORDS = Table(
    name="identity_records",
    grain="One description of a paper: a title and an abstract of an arXiv id, or what one page without ids shows.",
    answers="What the texts of new pages are to be compared with, without reading those of all papers again. Keys are "
    "hashes: texts that share one are compared.",
    key=("record",),
    order=("paper_id", "record"),
    cut=Cut(COHORT_PAPERS, 2 * NEWEST_PAPERS, MONTH_PAPERS),
    columns=(
        c.paper_id,
        RECORD,
        c.flag.but(
            source=COMPUTED, name="has_arxiv_id", meaning="Whether a page gives the description with its arXiv id."
        ),
        c.flag.but(
            source=COMPUTED,
            name="has_usable_abstract",
            meaning="Whether its abstract has four words or more: fewer identify nothing.",
        ),
        RECORD.but(name="title_hash", meaning="The letters and digits of the title, in lower case."),
        KEY.but(name="near_hash", meaning="Those of the title without accents and LaTeX, up to its subtitle."),
        WORDS.but(name="title_words", meaning="Its longest words, four at most."),
        WORDS.but(name="abstract_words", meaning="The longest words where its abstract begins, four at most."),
        KEY.but(name="beginning", meaning="The first letters of its abstract.", null="no usable abstract"),
        KEY.but(name="second_sentence", meaning="The first letters of its second sentence.", null="it has none"),
        KEY.but(name="third_sentence", meaning="The first letters of its third sentence.", null="it has none"),
        KEY.but(name="ending", meaning="The last letters of its abstract.", null="no usable abstract"),
        c.title.but(
            name="title_key",
            meaning="The letters and digits of the title: what a paper without an arXiv id is named after.",
            null="a page gives its arXiv id",
            source=COMPUTED,
            max_length=None,  # compatible characters are written out, and may be many
        ),
        c.text.but(
            name="text_digest",
            meaning="Beginning of the SHA-256 of its abstract, or of what else is known of it: what distinguishes two "
            "papers of one title.",
            null="a page gives its arXiv id",
            source=COMPUTED,
            pattern="^[0-9a-f]{8}$",
        ),
    ),
)

IDENTITY_PAIRS = Table(
    name="identity_pairs",
    grain="Two descriptions that are alike, in one respect.",
    answers="Which descriptions of papers were found alike, and how much: what papers and their clusters are made of.",
    key=("kind", "record", "other_record"),
    columns=(
        c.choice.but(
            name="kind",
            meaning="`match`: could be one paper, one of them having no arXiv id; `likeness`: have the title or the "
            "beginning of the abstract in common; `repeat`: nearly all of the abstract.",
            allowed=("match", "likeness", "repeat"),
        ),
        OF_A_PAIR,
        OF_A_PAIR.but(name="other_record", meaning="The other one, of the higher hash."),
        c.flag.but(
            name="is_same_title",
            meaning="Whether the titles have the same letters and digits.",
            null="titles were not compared: a `repeat`",
        ),
        MATCH_SCORE.but(
            name="title_similarity",
            unit="0 to 1",
            meaning="Share of the letters that both titles have in the same order.",
            null="titles were not compared: a `repeat`",
        ),
        MATCH_SCORE.but(
            name="agreement",
            unit="0 to 1",
            meaning="Share of the shorter abstract's pairs of adjacent words that the other has too.",
            null="one has no usable abstract",
        ),
        MATCH_SCORE.but(null="titles were not compared: a `repeat`"),
    ),
)
