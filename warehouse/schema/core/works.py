"""Tables of published works by registries of DOIs: their records, and how works are related, updated and retracted."""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.provenance import REGISTRY
from warehouse.schema.table import Rule, Table

CROSSREF: Final = "crossref"
OPENALEX: Final = "openalex"
REGISTRIES: Final = (CROSSREF, OPENALEX)  # of two that say the same of a work the first is told
DOI: Final = r"10\.[0-9]{4,9}/[!-~]{1,300}"
DOI_IN_TEXT: Final = r"10\.[0-9]{4,9}/[!-~]{0,299}[!-+\-/-:<-~]"  # without the comma or the full stop after it
DOI_PATTERN: Final = rf"^{DOI}$"
OF_ARXIV: Final = "10.48550/"  # arXiv's own DOIs are DataCite's: Crossref answers 404 for them
PREPRINTS: Final = ("has-preprint", "is-preprint-of")
UPDATES: Final = ("update-to", "updated-by")
RETRACTIONS: Final = ("retraction", "removal", "withdrawal")
CONCERNS: Final = ("expression_of_concern", "partial_retraction")
PREPRINT: Final = "posted-content"
_UNSTATED: Final = "not stated, or `unknown`"
_registry: Final = c.choice.but(
    name="registry", meaning="Whose record it is.", source="address of the request", allowed=REGISTRIES
)
_doi: Final = c.text.but(
    name="doi",
    meaning="DOI of the work, in lower case. A work without one that OpenAlex finds as a paper at arXiv has the DOI of "
    "arXiv's.",
    source="address of the request, doi",
    origin=REGISTRY,
    pattern=DOI_PATTERN,
)
_own: Final = c.text.but(origin=REGISTRY, null=_UNSTATED, max_length=c.NAME_LIMIT)
_printed: Final = _own.but(whose="prose", max_length=c.TITLE_LIMIT)

PUBLISHED_WORKS = Table(
    name="published_works",
    grain="One work in one answer of a registry.",
    answers="What Crossref or OpenAlex says of a work that a paper may be published as: where, when, and what kind of "
    "work it is. Authors, editors and references stay in raw.",
    key=("capture_id", "doi"),
    order=("doi", "observed_at", "capture_id"),
    columns=(
        c.capture_id,
        _registry,
        _doi,
        c.answered_at,
        c.choice.but(
            name="answer",
            meaning="`known`; `unknown`, the registry has no such DOI.",
            source="status of the answer; whether it is in the list",
            allowed=("known", "unknown"),
        ),
        _own.but(
            name="work_type",
            meaning="Kind of work, in Crossref's words: `journal-article`, `proceedings-article`, `posted-content` "
            "of a preprint, and others. What OpenAlex calls otherwise by its type and its source's is told as these.",
            source="message.type; type, primary_location.source.type",
        ),
        _printed.but(
            name="title", meaning="Title on one line, markup as the registry has it.", source="message.title; title"
        ),
        _printed.but(
            name="venue",
            meaning="Journal, proceedings or book.",
            source="message.container-title; primary_location.source",
        ),
        _printed.but(name="publisher", meaning="Publisher.", source="message.publisher; primary_location.source"),
        _own.but(
            name="published",
            meaning="Year, month or day of publication, as far as it is stated: `2026`, `2026-03`, `2026-03-09`.",
            source="message.published, else message.issued; publication_date, the year if 1 January",
            pattern=r"^[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?$",
        ),
        _own.but(name="volume", meaning="Volume.", source="message.volume; biblio"),
        _own.but(name="issue", meaning="Issue.", source="message.issue; biblio"),
        _own.but(name="pages", meaning="Pages.", source="message.page; biblio"),
        _own.but(
            name="bibtex_fields",
            whose="prose",
            meaning="What an entry for BibTeX has of it, in TeX, a line a field; its first line is the type of entry.",
            source="computed from the record",
            null="`unknown`, or no kind of work that has an entry of its own",
            max_length=None,
        ),
    ),
)

WORK_RELATIONS = Table(
    name="work_relations",
    grain="One relation or update that one answer of a registry states.",
    answers="Of which work another is the preprint; which work corrects or retracts another, from both ends.",
    key=("capture_id", "position"),
    order=("doi", "observed_at", "capture_id", "position"),
    columns=(
        c.capture_id,
        c.position.but(meaning="Place among those of the answer.", source="order in the answer", origin=REGISTRY),
        _registry,
        _doi.but(meaning="DOI of the work whose record states it, in lower case."),
        c.answered_at,
        c.choice.but(
            name="relation",
            meaning="`has-preprint` and `is-preprint-of`; `update-to`, this work updates the other, as a notice does; "
            "`updated-by`, the other updates this one.",
            source="message.relation, message.update-to, message.updated-by; locations, is_retracted",
            allowed=(*PREPRINTS, *UPDATES),
        ),
        _doi.but(
            name="other_doi",
            meaning="DOI of the other work.",
            source="id, DOI",
            null="an arXiv id in its place, or OpenAlex, which names no notice",
        ),
        c.arxiv_id.but(
            meaning="The other work, where it is a paper at arXiv, without version.",
            null="it is none",
            source="id, of the type `arxiv`, or in a DOI of arXiv's; id or address of a location at arXiv",
        ),
        _own.but(
            name="update_type",
            meaning="Kind of update, in the registry's words: `retraction`, `correction`, `expression_of_concern` …",
            source="type",
            null="no update",
        ),
        _own.but(
            name="asserted_by",
            meaning="Of an update `publisher` or `retraction-watch`; of a preprint whether the publisher of this work "
            "(`subject`) or of the other one (`object`) says so.",
            source="source, asserted-by",
            null="not stated",
        ),
        c.day.but(
            name="stated_on", meaning="Day of the update.", source="updated", origin=REGISTRY, null="none stated"
        ),
    ),
    rules=(
        Rule(
            "other_named",
            "other_doi IS NOT NULL OR arxiv_id IS NOT NULL OR (registry = 'openalex' AND relation = 'updated-by')",
            "a relation to nothing",
        ),
        Rule(
            "update_has_type",
            "(relation IN ('update-to', 'updated-by')) = (update_type IS NOT NULL)",
            "an update without its kind, or a kind without an update",
        ),
    ),
)

WORK_TABLES: Final = (PUBLISHED_WORKS, WORK_RELATIONS)
