"""Questions to a release in SQL: the papers of a user's own query, a feed of them, and those that trend.

A query may be cited: recorded in the lake so that anyone can run it again years later and compare the rows. A record
follows the Research Data Alliance's recommendations on citing data that changes: the normalised query, its release, the
time, and a fingerprint of the rows. The retention rule never drops a release that a query cites.
"""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from importlib.metadata import version
from typing import Any, Final

import msgspec

from flows.documents.citation_record import CitedQuery, citation_key, pages_of
from flows.documents.feed_formats import QUERIES, Feed
from flows.documents.release_feeds import DAILY, DAILY_DAYS, DAILY_ENTRIES
from flows.runtime.lake import PATIENCE_SECONDS, sole_writer
from paperlake.answers.one_paper import require_there, with_status
from paperlake.sql.questions import Fingerprint, Question
from paperlake.sql.worker import Worker
from warehouse.errors import Damaged, NothingThere, UsageError
from warehouse.people.ledger import Ledger
from warehouse.printable import counted, printable, to_the_second
from warehouse.release import moves
from warehouse.release.latest import DATABASE, manifest_of, release_key, resolved
from warehouse.release.made_again import kept_files
from warehouse.release.manifest import Latest, Parent, decode, encode, identity_of
from warehouse.release.query import Database, QueryResult
from warehouse.store.local_files import local_files
from warehouse.store.store import Store, read_if_there
from warehouse.tex import untexed

UNKNOWN: Final = """
SELECT asked FROM (SELECT unnest($1) AS asked) WHERE asked IS NULL OR asked NOT IN (SELECT paper_id FROM core.papers)
ORDER BY asked LIMIT 3
"""


def rows_of(database: Database, sql: str) -> list[dict[str, Any]]:
    """The first row that a query gives for each paper; UsageError where it gives no `paper_id`, or an unknown one."""
    answer = database.rows(sql)
    if "paper_id" not in answer.columns:
        raise UsageError(f"the query gives no column paper_id, but {', '.join(answer.columns)}")
    rows: dict[Any, dict[str, Any]] = {}
    for row in answer.dicts():
        rows.setdefault(row["paper_id"], row)
    wrong = [str(one) for (one,) in database.rows(UNKNOWN, [list(rows)]).rows] if rows else []
    if wrong:
        raise UsageError(f"the query gives a paper_id that the latest release does not have: {', '.join(wrong)[:100]}")
    return list(rows.values())


TRENDING: Final = "FROM trending_as_of($1, $2) LIMIT $3"
INDENT: Final = " " * 5


def trending(database: Database, moment: datetime, days: int, limit: int) -> QueryResult:
    """The first `limit` rows of the macro `trending_as_of`."""
    require_there(database.names, "trending_as_of")
    return database.rows(TRENDING, [moment, days, limit])


def trending_text(rows: Sequence[dict[str, Any]], moment: datetime, days: int) -> Iterator[str]:
    """Two lines a paper, its title and the terms of its score; then a line on the lists and the formula."""
    for row in rows:
        yield f"{row['rank']:>3}. {printable(untexed(row['title'] or row['paper_id']))}\n"
        yield f"{INDENT}{row['paper_id']}  {row['listed_on']}  {_terms(row)}\n"
        if "status" in row:
            yield f"{INDENT}{printable(row['status'])}\n"
    of_days = f"the lists of {days} days until {moment:%Y-%m-%d %H:%M} UTC" if days > 1 else f"the list of {moment:%F}"
    if not rows:
        yield f"no paper of {of_days} had been observed by then; try another moment (--at) or more days (--days)\n"
        return
    twice = sum(row["basis"] == "two looks" for row in rows)
    yield (
        f"from {of_days}; upvotes against those of other papers at that age, less for older lists: formula "
        f"{rows[0]['formula']} (docs/trending.md); {twice} of {len(rows)} seen twice\n"
    )


def _terms(row: dict[str, Any]) -> str:
    count, hours, expected = row["upvote_count"], row["observed_hours"], row["expected_count"]
    times = f"{count / expected:.1f} times " if expected else ""
    votes = f"{counted(count, 'upvote')} after {hours:.0f} h, {times}the {expected:.0f} expected"
    if row["previous_upvote_count"] is None:
        return votes
    return f"{votes}, {count - row['previous_upvote_count']:+d} since {row['previous_observed_at']:%m-%d %H:%M}"


LISTS: Final = f"""
SELECT paper_id, listed_on FROM core.daily_listings
WHERE listed_on IN (SELECT DISTINCT listed_on FROM core.daily_listings ORDER BY listed_on DESC LIMIT {DAILY_DAYS})
ORDER BY listed_on DESC, first_seen_at DESC NULLS LAST, paper_id LIMIT {DAILY_ENTRIES}
"""  # noqa: S608
# A paper is announced for the list day that the query gives, else for its first one, however often it comes back
ENTRIES: Final = """
SELECT papers.paper_id, title, arxiv_id, coalesce(asked_on, first_listed_on) AS listed_on,
    coalesce(listings.first_seen_at, papers.first_seen_at) AS first_seen_at, names, abstract
FROM (SELECT unnest($1) AS asked, unnest($2::DATE[]) AS asked_on, unnest(range(len($1))) AS place)
JOIN core.papers AS papers ON papers.paper_id = asked
LEFT JOIN core.daily_listings AS listings
    ON listings.paper_id = asked AND listings.listed_on = coalesce(asked_on, first_listed_on)
LEFT JOIN core.paper_texts AS texts ON texts.paper_id = asked
LEFT JOIN (
    SELECT paper_id AS of_paper, list(name ORDER BY position) AS names FROM core.paper_authors GROUP BY paper_id
) ON of_paper = asked
ORDER BY place
"""


def query_feed(database: Database, sql: str | None, title: str | None) -> Feed:
    """The feed of a query, by default of the newest lists. A hash of the query names it, so that it goes on."""
    rows = rows_of(database, sql or LISTS)
    days = [row.get("listed_on") for row in rows]
    asked_on = [day if type(day) is date else None for day in days]
    found = database.rows(ENTRIES, [[row["paper_id"] for row in rows], asked_on]).dicts()
    entries = with_status(database, found)
    if sql is None:
        key, name, description = DAILY
        return Feed.of(key, title or name, description, entries)
    digest = hashlib.sha256(sql.encode()).hexdigest()[:16]
    return Feed.of(QUERIES + digest, title or "Papers of a query", sql, entries)


def fingerprint_by(worker: Worker, sql: str) -> Fingerprint:
    """The fingerprint of a query and its rows, computed by the query process."""
    return msgspec.json.decode(worker.ask(Question("cite", sql)), type=Fingerprint)


def cite_query(store: Store, named: Latest, found: Fingerprint, *, at: datetime) -> CitedQuery:
    """Record a query, with a BibTeX entry and a page. One that is recorded already stays as it is.

    NothingThere where its release was dropped meanwhile.
    """
    made = CitedQuery(
        f"{named.version}-{identity_of(found.sql, found.sha256)}",
        found.sql,
        named.version,
        named.manifest_sha256,
        to_the_second(at),
        version("paperlake"),
        found.row_count,
        found.columns,
        found.sha256,
    )
    with sole_writer(store, "sql --cite", patience=PATIENCE_SECONDS) as held:  # none drops the release, or erases, now
        Ledger(held).require_unnamed([found.sql])
        moves.published(held, made.release)
        held.put_new(citation_key(made.id), encode(made))
        cited = cited_query(held, made.id)
        for key, data in pages_of(cited).items():
            held.put_new(key, data)
    return cited


def cited_query(store: Store, name: str) -> CitedQuery:
    """A recorded query by its id; NothingThere where there is none."""
    data = read_if_there(store, citation_key(name)) if name.replace(".", "").replace("-", "").isalnum() else None
    if data is None:
        raise NothingThere(f'no query {name!r} was cited in {store.url}; "paperlake sql QUERY --cite" cites one')
    return decode(data, CitedQuery, citation_key(name))


def release_of(store: Store, cited: CitedQuery) -> Parent:
    """The release that a query cites; Damaged where its database has changed, NothingThere where it was dropped."""
    moves.published(store, cited.release)  # raises NothingThere that says when it was dropped
    named = Parent(cited.release, cited.manifest_sha256)
    with local_files(store) as files:
        for file in kept_files(store, manifest_of(store, named)):
            if file.key == DATABASE and files.sha256(release_key(cited.release, DATABASE)) != file.sha256:
                raise Damaged(f'{DATABASE} is not what was written; run "paperlake verify {cited.release}"')
    return named


def require_same(store: Store, cited: CitedQuery, found: Fingerprint) -> str:
    """A line that says that the query gives the rows that were cited.

    Damaged where it gives others, if only since a person was erased.
    """
    if (found.columns, found.row_count, found.sha256) != (cited.columns, cited.row_count, cited.rows_sha256):
        was, now = (
            f"rows: {one}, SHA-256 {sha256}"
            for one, sha256 in ((cited.row_count, cited.rows_sha256), (found.row_count, found.sha256))
        )
        is_erased = resolved(store, cited.manifest_sha256) != cited.manifest_sha256
        why = f"; since then a person was erased from release {cited.release}" if is_erased else ""
        raise Damaged(f"{cited.id} is not the same: it gave {was}, and gives {now}{why}")
    return f"{cited.id} is the same, rows: {cited.row_count:,}; asked {cited.cited_at} of release {cited.release}"
