"""What became of papers.

`paper_status`: at arXiv; `arxiv_history`: its versions there; `paper_publications`: the works that a paper is published
as; `paper_outcomes`: all in a word; `text_versions`: `paper_versions` with every text.
"""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.core.arxiv_records import ARXIV_RECORDS, ARXIV_VERSIONS
from warehouse.schema.core.papers import PAPER_VERSIONS, PAPERS
from warehouse.schema.core.works import (
    CONCERNS,
    DOI_IN_TEXT,
    OF_ARXIV,
    PREPRINT,
    PUBLISHED_WORKS,
    REGISTRIES,
    RETRACTIONS,
    WORK_RELATIONS,
)
from warehouse.schema.ddl import literal
from warehouse.schema.mart import Mart
from warehouse.schema.shared import OUTCOME, OUTCOMES
from warehouse.schema.table import Cut

_LOOKS = "arxiv_records, arxiv_versions"
_version_day = c.day.but(null="arXiv says that the record is deleted", source="arxiv_versions.version_at")

PAPER_STATUS = Mart(
    name="paper_status",
    grain="One paper at one look at its record at arXiv.",
    answers="What became of a paper at arXiv: withdrawn, suspected to be, or not; what took its place; how many "
    "versions it has, and where it was published. Each row stands on what was seen until its look alone; the newest "
    "of a paper has `is_newest`.",
    key=("paper_id", "observed_at"),
    cut=Cut(4 * m.COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.paper_id,
        c.observed_at.but(meaning="Moment of the look.", is_bookkeeping=False, null=""),
        c.flag.but(name="is_newest", meaning="Whether it is the newest look at the paper.", source=_LOOKS),
        ARXIV_RECORDS.column("status"),
        c.flag.but(
            name="is_undone",
            meaning="Whether it is `present`, though it was withdrawn, or suspected to be, at an earlier look, or an "
            "earlier version has no bytes: a withdrawal was undone.",
            source=_LOOKS,
        ),
        _version_day.but(
            name="withdrawn_on",
            unit="UTC day",
            meaning="Day of the version by which it was withdrawn.",
            null="not `withdrawn`",
        ),
        ARXIV_RECORDS.column("superseded_by"),
        c.flag.but(
            name="is_superseding_known",
            meaning="Whether the lake has the paper that takes its place.",
            null="no `superseded_by`",
            source="papers",
        ),
        ARXIV_RECORDS.column("comments"),
        ARXIV_RECORDS.column("version_count"),
        _version_day.but(name="published_on", unit="UTC day", meaning="Day of its first version, by arXiv's own word."),
        _version_day.but(name="last_version_on", unit="UTC day", meaning="Day of its newest version."),
        PAPERS.column("published_on").but(
            name="hub_published_on",
            meaning="Day of the first submission, as the Hub says; that of arXiv goes before it.",
            null="the Hub says none",
            sources=("papers.published_on",),
        ),
        c.flag.but(
            name="is_date_disputed",
            meaning="Whether the Hub says another day than arXiv.",
            null="one of them says none",
            source=_LOOKS,
        ),
        *(
            ARXIV_RECORDS.column(name)
            for name in ("categories", "journal_ref", "doi", "license_url", "changed_on", "capture_id")
        ),
    ),
)

ARXIV_HISTORY = Mart(
    name="arxiv_history",
    grain="One version of a paper at arXiv.",
    answers="When each version of a paper was submitted, by the newest look at its record: when its texts are from.",
    key=("paper_id", "version_number"),
    cut=Cut(4 * m.COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.paper_id,
        ARXIV_VERSIONS.column("version_number"),
        ARXIV_VERSIONS.column("version_at"),
        ARXIV_VERSIONS.column("size_kb"),
        c.flag.but(
            name="is_emptied",
            meaning="Whether the version has no bytes, and the source type `I`: by it the paper was withdrawn, or a "
            "withdrawal was prepared.",
            source=_LOOKS,
        ),
        ARXIV_VERSIONS.column("observed_at").but(meaning="Moment of the look that says so.", null=""),
        ARXIV_VERSIONS.column("capture_id"),
    ),
)

_WORKS: Final = "published_works, work_relations"
_NO_NOTICE: Final = "neither `retracted` nor `concern`"

PAPER_PUBLICATIONS = Mart(
    name="paper_publications",
    grain="One work that a paper is published as, as it was known from one moment on.",
    answers="Where a paper was published, by a registry's record, and whether that was retracted, as told by the "
    "paper's record or by the notice's. Each row stands on what was seen until `known_from` alone; those of "
    "today have no `known_until`.",
    key=("paper_id", "registry", "doi", "known_from"),
    cut=Cut(4 * m.COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.paper_id,
        PUBLISHED_WORKS.column("registry"),
        PUBLISHED_WORKS.column("doi"),
        c.instant.but(
            name="known_from",
            meaning="Moment of the look from which on this was known: at the work, a notice, or the paper at arXiv.",
            source=_WORKS,
        ),
        c.instant.but(
            name="known_until",
            meaning="Moment of the next such look.",
            null="it is what is known today",
            source=_WORKS,
        ),
        c.count.but(
            name="rank",
            unit="place, from 1",
            meaning="Place among the works of the paper, by `status` in the order in which it is declared; of one "
            "status those that name the paper as their preprint, by any registry, before those that only the author "
            "names, then the latest published; of one work Crossref before OpenAlex.",
            source=_WORKS,
            minimum=1,
        ),
        c.choice.but(
            name="status",
            meaning="`retracted`, also where it was withdrawn or removed; `concern`, some of it was, or it is doubted, "
            "or OpenAlex, which names no notice, says so of a work of which Crossref does not; `published`; "
            "`preprint`, posted elsewhere too; `other_paper`, the work names other papers as its preprint and not this "
            "one, so that the author's DOI may be wrong, and nothing is said by it; `unknown`, the registry has no "
            "such DOI.",
            source=_WORKS,
            allowed=("retracted", "concern", "published", "preprint", "other_paper", "unknown"),
        ),
        c.choice.but(
            name="found_by",
            meaning="`author`, the paper's record at arXiv names the DOI; `registry`, the work names the paper as its "
            "preprint; `preprint`, a work of the paper says that it is the preprint of this one. The first of these.",
            source="arxiv_records.doi, work_relations",
            allowed=("author", "registry", "preprint"),
        ),
        c.flag.but(
            name="is_confirmed", meaning="Whether the work names the paper as its preprint.", source="work_relations"
        ),
        c.flag.but(
            name="is_same_title",
            meaning="Whether the titles of both are the same, but for case and signs. Titles change on the way to a "
            "journal: FALSE proves nothing.",
            null="the registry states no title",
            source="published_works.title, papers.title",
        ),
        *(
            PUBLISHED_WORKS.column(name)
            for name in ("work_type", "title", "venue", "publisher", "published", "volume", "issue", "pages")
        ),
        WORK_RELATIONS.column("stated_on").but(
            name="retracted_on",
            meaning="Day of the earliest retraction or expression of concern.",
            null=f"{_NO_NOTICE}, or no day is stated",
        ),
        WORK_RELATIONS.column("other_doi").but(
            name="notice_doi",
            meaning="DOI of that notice.",
            null=f"{_NO_NOTICE}, or OpenAlex, which names none",
            source="work_relations",
        ),
        c.texts.but(
            name="told_by",
            meaning="Who says so, by the work's own record and by the notice's: `publisher`, `retraction-watch`.",
            null=f"{_NO_NOTICE}, or it is not stated, as by OpenAlex",
            source="work_relations.asserted_by",
        ),
        c.flag.but(
            name="is_told_by_work",
            meaning="Whether the work's own record says that it was retracted.",
            null=_NO_NOTICE,
            source="work_relations",
        ),
        c.flag.but(
            name="is_told_by_notice",
            meaning="Whether the record of a notice says so.",
            null=_NO_NOTICE,
            source="work_relations",
        ),
        PUBLISHED_WORKS.column("bibtex_fields"),
        PUBLISHED_WORKS.column("capture_id"),
    ),
    parts={
        "doi": literal(DOI_IN_TEXT),
        "of_arxiv": literal(OF_ARXIV),
        "preprint": literal(PREPRINT),
        "registries": ", ".join(map(literal, REGISTRIES)),
        "retractions": ", ".join(map(literal, RETRACTIONS)),
        "concerns": ", ".join(map(literal, CONCERNS)),
    },
)

# A text first seen when arXiv had as many versions as it had had contents is of the newest of them: each is of a
# version of its own, in their order. With more versions nobody can say of which it is
DATED_TEXTS: Final = """SELECT versions.paper_id, versions.field, versions.version_number,
        max(history.version_at)::DATE AS arxiv_version_on
    FROM core.paper_versions AS versions
    JOIN mart.arxiv_history AS history
        ON history.paper_id = versions.paper_id
        AND history.version_at <= versions.first_seen_at
        AND history.observed_at >= versions.first_seen_at  -- an earlier look cannot know of every version until then
    WHERE versions.field <> 'ai_summary'
    GROUP BY ALL
    HAVING count(*) = versions.version_number"""
ARXIV_VERSION_ON = _version_day.but(
    name="arxiv_version_on",
    unit="UTC day",
    meaning="Day of the version at arXiv that the text is of, by arXiv's own word. Told where arXiv had as many "
    "versions as the text had had contents when it was first seen: of one that had one version, the first.",
    null="arXiv was not asked since, had more versions by then, or the text is not arXiv's",
    source="arxiv_versions.version_at",
)


PAPER_OUTCOMES = Mart(
    name="paper_outcomes",
    grain="One paper of which something is known at arXiv or by a registry.",
    answers="What became of a paper, in a word. What is known of it in all: `paper_status`, `paper_publications`.",
    key=("paper_id",),
    is_view=True,
    columns=(c.paper_id, OUTCOME.but(null="")),
    parts={"order": f"[{', '.join(map(literal, OUTCOMES))}]"},
)


TEXT_VERSIONS = Mart(
    name="text_versions",
    grain="One content of one text of one paper.",
    answers="`paper_versions` with every text: titles, abstracts and AI summaries, first and last seen.",
    key=PAPER_VERSIONS.key,
    is_view=True,
    columns=(
        *PAPER_VERSIONS.columns[:3],
        PAPER_VERSIONS.column("text").but(null=""),
        c.flag.but(
            name="has_changed", meaning="Whether the paper's text has more than one version.", source="paper_versions"
        ),
        *PAPER_VERSIONS.columns[4:],
        ARXIV_VERSION_ON,
    ),
    parts={"dated": DATED_TEXTS},
)
