"""Tables of arXiv's own records, by OAI-PMH: records with their versions, what was asked, and what changed when."""

from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.provenance import ARXIV
from warehouse.schema.shared import COHORT_PAPERS
from warehouse.schema.table import Cut, Rule, Table

STATUSES: Final = ("present", "suspected", "withdrawn", "deleted")
_PAPER: Final = c.paper_id.but(source="header.identifier: oai:arXiv.org:ID", pattern=c.ARXIV_ID, refers_to="")
_DELETED: Final = "arXiv says that the record is deleted, and no more"
_stated: Final = c.prose.but(null=_DELETED)
_own: Final = c.text.but(origin=ARXIV, max_length=c.URL_LIMIT)
_place: Final = c.integer.but(unit="code points, from 0", source="computed from `comments`", null="no `superseded_by`")

ARXIV_RECORDS = Table(
    name="arxiv_records",
    grain="One paper's record in one answer of arXiv.",
    answers="What arXiv said of a paper at a moment: whether it is withdrawn, its comments, journal reference, DOI, "
    "categories and licence. Abstracts, authors and the submitter's name stay in raw.",
    key=("capture_id", "paper_id"),
    order=("paper_id", "observed_at", "capture_id"),
    cut=Cut(4 * COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.capture_id,
        _PAPER,
        c.answered_at,
        c.day.but(
            name="changed_on",
            meaning="Day of the last change of the record, administrative ones too.",
            source="header.datestamp",
            origin=ARXIV,
        ),
        c.choice.but(
            name="status",
            meaning="`withdrawn` by two signs, `is_emptied` and `says_withdrawn`; `suspected` by one of them; "
            "`deleted`, the record is gone; else `present`.",
            source="computed from the record",
            allowed=STATUSES,
        ),
        c.flag.but(
            name="is_emptied",
            meaning="Whether the newest version has no bytes (`0kb`) and the source type `I`. arXiv documents neither.",
            null=_DELETED,
            source="arXivRaw.version[].size, arXivRaw.version[].source_type",
        ),
        c.flag.but(
            name="says_withdrawn",
            meaning="Whether the comments begin by saying that this paper is withdrawn. That another one is, which it "
            "supersedes, says nothing.",
            null=_DELETED,
            source="arXivRaw.comments",
        ),
        c.count.but(name="version_count", unit="versions", meaning="Versions so far.", null=_DELETED, minimum=1),
        _stated.but(
            name="title", meaning="Title of the newest version, on one line, LaTeX kept.", source="arXivRaw.title"
        ),
        c.texts.but(
            name="categories",
            meaning="Categories; the first is the primary one.",
            null=_DELETED,
            source="arXivRaw.categories",
            origin=ARXIV,
        ),
        _stated.but(
            name="comments",
            meaning="The author's comments on the newest version; of a withdrawal the reason.",
            null=f"none, or {_DELETED}",
            source="arXivRaw.comments",
            max_length=c.ABSTRACT_LIMIT,
        ),
        _stated.but(
            name="journal_ref",
            meaning="Where it was published, in the author's words, which nobody checked.",
            null=f"none, or {_DELETED}",
            source="arXivRaw.journal-ref",
            max_length=c.URL_LIMIT,
        ),
        _own.but(
            name="doi",
            meaning="DOI of the published version, as the author gave it, unchecked. It may be several, with spaces.",
            null=f"none, or {_DELETED}",
            source="arXivRaw.doi",
        ),
        _own.but(
            name="license_url",
            meaning="Licence of the paper, its address: not of this record, which is CC0.",
            null=f"none stated, as of old papers, or {_DELETED}",
            source="arXivRaw.license",
        ),
        c.arxiv_id.but(
            name="superseded_by",
            meaning="Another paper that the comments of a withdrawn one name after `superseded by`, `now part of` or "
            "`see`: a claim of the author.",
            null="not withdrawn, or no such words",
            source="arXivRaw.comments",
        ),
        _place.but(name="superseded_start", meaning="Where these words begin in `comments`.", minimum=0),
        _place.but(
            name="superseded_end",
            meaning="Where they end: comments[superseded_start:superseded_end] are the words with the id.",
            minimum=1,
        ),
    ),
    rules=(
        Rule(
            "status_by_signs",
            "CASE WHEN is_emptied IS NULL THEN status = 'deleted' WHEN is_emptied AND says_withdrawn "
            "THEN status = 'withdrawn' WHEN is_emptied OR says_withdrawn THEN status = 'suspected' "
            "ELSE status = 'present' END",
            "a status that its signs do not give",
        ),
        Rule(
            "superseded_where_withdrawn",
            "(superseded_by IS NULL) = (superseded_start IS NULL) AND (superseded_by IS NULL) = (superseded_end IS "
            "NULL) AND (superseded_by IS NULL OR (status = 'withdrawn' AND superseded_start < superseded_end))",
            "superseded without the words, or not withdrawn",
        ),
    ),
)

ARXIV_VERSIONS = Table(
    name="arxiv_versions",
    grain="One version of a paper in one answer of arXiv.",
    answers="When each version of a paper was submitted, and how large it is.",
    key=("capture_id", "paper_id", "version_number"),
    order=("paper_id", "version_number", "observed_at", "capture_id"),
    cut=Cut(8 * COHORT_PAPERS),
    page_rows=1024,
    columns=(
        c.capture_id,
        _PAPER,
        c.count.but(
            name="version_number",
            unit="number, from 1",
            meaning="Number of the version.",
            source="arXivRaw.version[]@version",
            origin=ARXIV,
            minimum=1,
        ),
        c.answered_at,
        c.instant.but(
            name="version_at",
            meaning="When the version was submitted.",
            source="arXivRaw.version[].date",
            origin=ARXIV,
        ),
        c.count.but(
            name="size_kb",
            unit="kB",
            meaning="Size of its source, as stated.",
            source="arXivRaw.version[].size",
            origin=ARXIV,
        ),
        _own.but(
            name="source_type",
            meaning="Flags of its source; `I` of a version without bytes is seen where a paper is withdrawn.",
            null="not stated",
            source="arXivRaw.version[].source_type",
            max_length=20,
        ),
    ),
)

ARXIV_LOOKS = Table(
    name="arxiv_looks",
    grain="One answer of arXiv that could be read.",
    answers="What arXiv was asked, and whether more follows: the pages of a harvest of changes, or one paper.",
    key=("capture_id",),
    order=("observed_at", "capture_id"),
    columns=(
        c.capture_id,
        c.answered_at,
        c.choice.but(
            name="asked",
            meaning="A `paper`, or the `changes` since a day, page by page.",
            source="verb of the request",
            allowed=("paper", "changes"),
        ),
        _PAPER.but(meaning="The paper that was asked for.", null="changes were asked for", source="identifier="),
        c.day.but(
            name="from_on",
            meaning="Day from which on changes were asked for.",
            null="a paper, or a further page, which has a token",
            source="from= of the request",
        ),
        _own.but(
            name="token",
            meaning="The token by which a further page was asked for.",
            null="a paper, or a first page",
            source="resumptionToken= of the request",
        ),
        _own.but(
            name="next_token",
            meaning="The token of the page that follows.",
            null="nothing follows",
            source="resumptionToken",
        ),
        c.instant.but(
            name="responded_at",
            meaning="When arXiv answered, by its own clock.",
            source="responseDate",
            origin=ARXIV,
        ),
        c.choice.but(
            name="answer",
            meaning="`records`; `none`, nothing changed; `unknown`, arXiv does not know the paper.",
            source="error@code",
            allowed=("records", "none", "unknown"),
        ),
        c.count.but(name="record_count", unit="records", meaning="Records of the answer that could be read."),
    ),
)

ARXIV_CHANGES = Table(
    name="arxiv_changes",
    grain="One day on one page of a harvest.",
    answers="How many records of arXiv, of all its papers, changed last on a day, as a harvest lists them.",
    key=("capture_id", "changed_on"),
    columns=(
        c.capture_id,
        c.day.but(name="changed_on", meaning="Day of the change.", source="header.datestamp", origin=ARXIV),
        c.count.but(name="record_count", unit="records", meaning="Records that the page lists.", minimum=1),
    ),
)

ARXIV_TABLES: Final = (ARXIV_RECORDS, ARXIV_VERSIONS, ARXIV_LOOKS, ARXIV_CHANGES)
