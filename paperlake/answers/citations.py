"""Citations: BibTeX as the release has it; RIS and CSL-JSON in Unicode."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final, Literal, TypeAlias, get_args

from paperlake.answers.one_paper import PUBLICATIONS, require_there, status_words_of
from transforms.core.papers import year_and_month
from warehouse.errors import UsageError
from warehouse.release.query import Database
from warehouse.tex import is_one_name

Style: TypeAlias = Literal["bibtex", "ris", "csl-json"]
CitedRow: TypeAlias = dict[str, Any]

IN_ORDER: Final = "(SELECT unnest($1) AS asked, unnest(range(len($1))) AS place)"
BIBTEX: Final = f"SELECT bibtex(asked) FROM {IN_ORDER} ORDER BY place"  # noqa: S608
CITED: Final = f"""
SELECT asked AS paper_id, title, arxiv_id, published_on, author_count, names
FROM {IN_ORDER}
JOIN core.papers AS papers ON papers.paper_id = asked
LEFT JOIN (
    SELECT paper_id AS of_paper, list(name ORDER BY position) AS names FROM core.paper_authors GROUP BY paper_id
) ON of_paper = asked
ORDER BY place
"""  # noqa: S608
WORKS: Final = """
SELECT paper_id, doi, work_type, venue, publisher, published, volume, issue, pages FROM mart.paper_publications
WHERE known_until IS NULL AND rank = 1 AND status IN ('published', 'retracted', 'concern') AND venue IS NOT NULL
AND paper_id IN (SELECT unnest($1))
"""
# What RIS and CSL call a kind of work
KINDS: Final = {
    "journal-article": ("JOUR", "article-journal"),
    "proceedings-article": ("CPAPER", "paper-conference"),
    "book-chapter": ("CHAP", "chapter"),
}


def citations(database: Database, paper_ids: Sequence[str], style: Style) -> str:
    """The citations of papers, in the order given, as one text; UsageError for a style that is none."""
    if style not in get_args(Style):
        raise UsageError(f"there is no style {style!r}; there are {', '.join(get_args(Style))}")
    if style == "bibtex":
        require_there(database.names, "bibtex")
        return "\n\n".join(entry for (entry,) in database.rows(BIBTEX, [list(paper_ids)]).rows) + "\n"
    said = status_words_of(database, paper_ids)
    found = database.rows(WORKS, [list(paper_ids)]).dicts() if PUBLICATIONS in database.names else ()
    works = {row["paper_id"]: row for row in found if row["work_type"] in KINDS}
    rows = (
        row | {"status": said.get(row["paper_id"]), "work": works.get(row["paper_id"], {})}
        for row in database.rows(CITED, [list(paper_ids)]).dicts()
    )
    if style == "ris":
        tagged = ([f"{tag}  - {' '.join(value.split())}\n" for tag, value in _ris(row) if value] for row in rows)
        return "\n".join("".join([*lines, "ER  - \n"]) for lines in tagged)
    records = ",\n".join(json.dumps(_csl(row), ensure_ascii=False) for row in rows)
    return f"[\n{records}\n]\n"


def date_parts(row: CitedRow) -> list[int]:
    """Year, month and day of publication as far as a registry states them, else of the first submission.

    Without the day where only the arXiv id tells; or nothing.
    """
    if row["work"].get("published"):
        return list(map(int, row["work"]["published"].split("-")))
    published = row["published_on"]
    year, month = year_and_month(published, row["arxiv_id"])
    is_sound = isinstance(published, date) and (published.year, published.month) == (year, month)
    return [part for part in (year, month, is_sound and published.day) if part]


def name_parts(name: str) -> dict[str, str]:
    """A name in CSL's parts; a `literal` where it must not be split, by the rule that BibTeX has too.

    >>> name_parts("Ada B. van der Loom"), name_parts("Gemma Team"), name_parts("Ada Loom Jr.")
    ({'family': 'van der Loom', 'given': 'Ada B.'}, {'literal': 'Gemma Team'}, {'family': 'Loom Jr.', 'given': 'Ada'})
    """
    words = name.split()
    if len(words) == 1 or is_one_name(name):
        return {"literal": " ".join(words)}
    last = len(words) - 1 - (words[-1].strip(".") in {"Jr", "Sr", "II", "III", "IV"})
    particles = (place for place, word in enumerate(words[1:last], 1) if word.islower())
    place = max(next(particles, last), 1)
    return {"family": " ".join(words[place:]), "given": " ".join(words[:place])}


def _csl(row: CitedRow) -> CitedRow:
    parts, arxiv_id, work = date_parts(row), row["arxiv_id"], row["work"]
    fields = {
        "id": row["paper_id"],
        "type": KINDS[work["work_type"]][1] if work else "article",
        "title": row["title"],
        "author": [name_parts(name) for name in row["names"] or ()],
        "issued": {"date-parts": [parts]} if parts else None,
        "container-title": work.get("venue"),
        "volume": work.get("volume"),
        "issue": work.get("issue"),
        "page": work.get("pages"),
        "publisher": work.get("publisher") if work else arxiv_id and "arXiv",
        "number": arxiv_id and f"arXiv:{arxiv_id}",
        "DOI": work.get("doi") or (arxiv_id and f"10.48550/arXiv.{arxiv_id}"),
        "URL": arxiv_id and f"https://arxiv.org/abs/{arxiv_id}",
        "note": _note(row),
    }
    return {name: value for name, value in fields.items() if value}


def _ris(row: CitedRow) -> Iterator[tuple[str, str | None]]:
    """The tags and values of a record but its end; a tag without a value has no line."""
    parts, arxiv_id, work = date_parts(row), row["arxiv_id"], row["work"]
    yield "TY", KINDS[work["work_type"]][0] if work else "GEN"
    for name in row["names"] or ():
        known = name_parts(name)
        yield "AU", known.get("literal") or f"{known['family']}, {known['given']}"
    yield "TI", row["title"]
    yield "PY", str(parts[0]) if parts else None
    yield "DA", "/".join(f"{part:02}" for part in parts)
    yield "T2", work.get("venue")
    yield "VL", work.get("volume")
    yield "IS", work.get("issue")
    yield "SP", work.get("pages")
    yield "PB", work.get("publisher") if work else arxiv_id and "arXiv"
    yield "AN", arxiv_id and f"arXiv:{arxiv_id}"
    yield "DO", work.get("doi") or (arxiv_id and f"10.48550/arXiv.{arxiv_id}")
    yield "UR", arxiv_id and f"https://arxiv.org/abs/{arxiv_id}"
    yield "N1", _note(row)
    yield "ID", row["paper_id"]


def _note(row: CitedRow) -> str | None:
    """Whether the paper is withdrawn or retracted, and whether authors are missing."""
    shown, count = len(row["names"] or ()), row["author_count"] or 0
    gone = f"{row['status'][0].upper()}{row['status'][1:]}." if row["status"] else None
    missing = f"The first {shown} of {count} authors." if 0 < shown < count else None
    return " ".join(filter(None, (gone, missing))) or None
