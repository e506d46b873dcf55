"""`paper_publications`: the works that a paper is published as, as they were known from one moment on."""

from __future__ import annotations

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema import shared as m
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

_WORKS: Final = "published_works, work_relations"
_NO_NOTICE: Final = "neither `retracted` nor `concern`"

PAPER_PUBLICATIONS = Mart(
    name="paper_publications",
    grain="One work that a paper is published as, as it was known from one moment on.",
    answers="Where a paper was published, by a registry's record, and whether that was retracted, as told by the "
    "paper's record or by the notice's. Each row stands on what was seen until `known_from` alone; those of "
    "today have no `known_until`.",
    key=("paper_id", "registry", "doi", "known_from"),
    cohort_rows=4 * m.COHORT_PAPERS,
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
