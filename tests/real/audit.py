"""A release, compared with its raw pages by code that shares nothing with the lake's: csv, json and this file.

python -m tests.real.audit RELEASE
"""

import csv
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from tests.real.folder import CAPTURES

Row = tuple[Any, ...]


class Shown(NamedTuple):
    """One item of a list of the API or of the list page, with the page it stands on."""

    fetched_at: datetime | None
    is_page: bool
    list_on: date | None  # of the day's own list
    place: int
    item: dict[str, Any]

    @property
    def paper(self) -> dict[str, Any]:
        return self.item["paper"]

    @property
    def day(self) -> date | None:
        stated = self.paper.get("submittedOnDailyAt")
        return self.list_on or (date.fromisoformat(stated[:10]) if stated else None)


class File(NamedTuple):
    """A line of `captures.csv` and the bytes of its file."""

    path: str
    url: str | None
    fetched_at: datetime | None
    status: int | None
    content_type: str | None
    payload: bytes

    @property
    def is_page(self) -> bool:
        return self.payload.lstrip()[:1] == b"<"

    @property
    def elements(self) -> list[Any]:
        """What its list holds; nothing where it is a text or an error."""
        if self.path.startswith("text/") or self.status not in {200, None}:
            return []
        if self.is_page:
            return self._props["dailyPapers"]
        value = json.loads(self.payload)
        return value["data"] if isinstance(value, dict) else value

    @property
    def items(self) -> list[dict[str, Any]]:
        """The elements that are objects."""
        return [element for element in self.elements if isinstance(element, dict)]

    @property
    def list_on(self) -> date | None:
        if self.is_page:
            return date.fromisoformat(self._props["date"][:10])
        asked = re.search(r"[?&]date=(\d{4}-\d{2}-\d{2})", self.url or "")
        return date.fromisoformat(asked[1]) if asked else None

    @property
    def _props(self) -> dict[str, Any]:
        found = re.search(r'data-target="DailyPapers" data-props="([^"]*)"', self.payload.decode())
        return json.loads(unescape(found[1]))


def files() -> Iterator[File]:
    with (CAPTURES / "captures.csv").open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            yield File(
                line["file"],
                line["url"] or None,
                instant(line["fetched_at"]),
                int(line["status"]) if line["status"] else None,
                line["content_type"] or None,
                (CAPTURES / line["file"]).read_bytes(),
            )


def instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None) if text else None


def one_line(text: str | None) -> str | None:
    return " ".join(text.split()) if text is not None else None


class Pages:
    """What the lists show of each paper: each value is that of the newest list that shows it."""

    def __init__(self, read: Iterable[File]) -> None:
        self.shown = sorted(
            (
                Shown(file.fetched_at, file.is_page, file.list_on, place, item)
                for file in read
                for place, item in enumerate(file.elements, 1)
                if isinstance(item, dict)
            ),
            key=lambda one: one.fetched_at or datetime(1, 1, 1),
        )
        self.of: dict[str, list[Shown]] = defaultdict(list)
        for one in self.shown:
            self.of[one.paper["id"]].append(one)

    def last(self, paper_id: str, value: Any) -> Any:
        """The newest value that is there, `value` of an item."""
        return next((found for one in reversed(self.of[paper_id]) if (found := value(one)) is not None), None)

    def seen(self, paper_id: str) -> tuple[datetime | None, datetime | None]:
        times = [one.fetched_at for one in self.of[paper_id] if one.fetched_at]
        return (min(times), max(times)) if times else (None, None)

    def days(self, paper_id: str) -> list[date]:
        return sorted({one.day for one in self.of[paper_id] if one.day})

    # Each of these is what one table should hold of the lists, as `QUERIES` asks for it.

    def sightings(self) -> Iterator[Row]:
        for one in self.shown:
            paper = one.paper
            yield (
                *(one.fetched_at, one.place, paper["id"], one.day, one_line(paper["title"])),
                *(one_line(paper["summary"]), one_line(paper.get("ai_summary")), paper.get("ai_summary_model")),
                *(date.fromisoformat(paper["publishedAt"][:10]), paper["upvotes"], one.item["numComments"]),
                *(paper.get("githubStars"), len(paper["authors"]), submitter(one)[0], submitter(one)[1]),
                *(*organization(one), paper.get("discussionId"), one.item.get("isAuthorParticipating")),
            )

    def paper_observations(self) -> Iterator[Row]:
        yield from {
            (
                one.paper["id"],
                one.fetched_at,
                one.paper["upvotes"],
                one.item["numComments"],
                one.paper.get("githubStars"),
            )
            for one in self.shown
            if one.fetched_at
        }

    def daily_listings(self) -> Iterator[Row]:
        listed = defaultdict(list)
        for one in self.shown:
            if one.day:
                listed[one.day, one.paper["id"]].append(one)
        for (day, paper_id), ones in listed.items():
            rank = next((one.place for one in reversed(ones) if one.list_on), None)
            by = next((submitter(one) for one in reversed(ones) if submitter(one)[0]), (None, None))
            times = [one.fetched_at for one in ones if one.fetched_at]
            yield day, paper_id, rank, *by, min(times), max(times)

    def papers(self) -> Iterator[Row]:
        for paper_id, ones in self.of.items():
            stated = {instant(one.paper["publishedAt"]) for one in ones}
            exact = {at for at in stated if at and at.time() != at.min.time()}
            assert len(exact) <= 1, f"{paper_id} was published twice"
            last = ones[-1]
            yield (
                *(
                    paper_id,
                    one_line(last.paper["title"]),
                    min(at for at in stated if at).date(),
                    next(iter(exact), None),
                ),
                *(self.days(paper_id)[0], self.days(paper_id)[-1], len(last.paper["authors"])),
                *(
                    self.last(paper_id, lambda one: organization(one)[0]),
                    last.paper["upvotes"],
                    last.item["numComments"],
                ),
                *(self.last(paper_id, lambda one: one.paper.get("githubStars")), *self.seen(paper_id)),
            )

    def paper_texts(self) -> Iterator[Row]:
        for paper_id, ones in self.of.items():
            yield paper_id, one_line(ones[-1].paper["summary"])

    def paper_authors(self) -> Iterator[Row]:
        for paper_id, ones in self.of.items():
            best = next(
                (one for one in reversed(ones) if not one.is_page), ones[-1]
            )  # the API is trusted before a page
            for place, author in enumerate(best.paper["authors"], 1):
                account = {} if author["hidden"] else author
                login = account.get("user", {}).get("user")
                yield paper_id, place, one_line(author["name"]), login, account.get("status"), author["hidden"]

    def paper_keywords(self) -> Iterator[Row]:
        times = defaultdict(list)
        for one in self.shown:
            for keyword in {one_line(word) for word in one.paper.get("ai_keywords") or ()} - {""}:
                times[one.paper["id"], keyword].append(one.fetched_at)
        for (paper_id, keyword), seen in times.items():
            yield paper_id, keyword, min(seen), max(seen), len(seen)

    def paper_links(self) -> Iterator[Row]:
        """Thumbnails are made for each paper by the Hub, and are no link of it."""
        found = {
            (one.paper["id"], kind, re.sub(r"[\r\n]", "", url).strip())
            for one in self.shown
            for kind, urls in (
                ("github", [one.paper.get("githubRepo")]),
                ("project", [one.paper.get("projectPage")]),
                ("media", [one.item.get("mediaUrl"), *one.item.get("mediaUrls", ()), *one.paper.get("mediaUrls", ())]),
            )
            for url in urls
            if url
        }
        yield from (row for row in found if "/social-thumbnails/" not in row[2])

    def organizations(self) -> Iterator[Row]:
        papers, names = defaultdict(set), {}
        for one in self.shown:
            login, name = organization(one)
            if login:
                papers[login].add(one.paper["id"])
                names[login] = name
        for login, held in papers.items():
            yield login, names[login], len(held)

    def list_appearances(self) -> Iterator[Row]:
        for one in self.shown:
            if not one.list_on:
                yield one.fetched_at, one.place, one.paper["id"]

    def paper_versions(self) -> Iterator[Row]:
        """How many contents each text had; spaces and line ends are none."""
        for paper_id, ones in self.of.items():
            for field, name in (("title", "title"), ("abstract", "summary"), ("ai_summary", "ai_summary")):
                texts = {re.sub(r"\s+", "", one.paper[name]) for one in ones if one.paper.get(name)}
                if texts:
                    yield paper_id, field, len(texts)

    def daily_papers(self) -> Iterator[Row]:
        for day, paper_id, rank, *_ in self.daily_listings():
            yield day, rank, paper_id, one_line(self.of[paper_id][-1].paper["title"])

    def papers_by_month(self) -> Iterator[Row]:
        papers = {(day.replace(day=1), paper_id) for day, paper_id, *_ in self.daily_listings()}
        yield from Counter(month for month, _ in papers).items()


def submitter(one: Shown) -> tuple[str | None, str | None]:
    inner, outer = one.paper.get("submittedOnDailyBy"), one.item.get("submittedBy")
    if inner:
        return inner["user"], one_line(inner["fullname"])
    return (outer["name"], one_line(outer["fullname"])) if outer else (None, None)


def organization(one: Shown) -> tuple[str | None, str | None]:
    for place, name in ((one.paper, "organization"), (one.item, "organization"), (one.item, "submitterOrganization")):
        if name in place:
            return place[name]["name"], one_line(place[name]["fullname"])
    return None, None


QUERIES = {
    "sightings": """SELECT observed_at, position, paper_id, listed_on, title, abstract, ai_summary, ai_summary_model,
        published_on, upvote_count, comment_count, github_star_count, author_count, submitter_login, submitter_name,
        organization_login, organization_name, discussion_id, is_author_participating
        FROM sightings WHERE source IN ('api', 'html')""",
    "paper_observations": """SELECT DISTINCT paper_id, observed_at, upvote_count, comment_count, github_star_count
        FROM paper_observations""",
    "daily_listings": """SELECT listed_on, paper_id, rank, submitter_login, submitter_name, first_seen_at, last_seen_at
        FROM daily_listings""",
    "papers": """SELECT paper_id, title, published_on, published_at, first_listed_on, last_listed_on, author_count,
        organization_login, upvote_count, comment_count, github_star_count, first_seen_at, last_seen_at
        FROM papers WHERE arxiv_id IS NOT NULL""",
    "paper_texts": "SELECT paper_id, abstract FROM paper_texts WHERE paper_id NOT LIKE 'title:%'",
    "paper_authors": "SELECT paper_id, position, name, login, claim_status, is_hidden FROM paper_authors",
    "paper_keywords": "SELECT paper_id, keyword, first_seen_at, last_seen_at, sighting_count FROM paper_keywords",
    "paper_links": "SELECT paper_id, kind, url FROM paper_links",
    "organizations": """SELECT organization_login, organization_name, paper_count - coalesce(saved_count, 0)
        FROM organizations LEFT JOIN (
            SELECT organization_login, count(DISTINCT paper_id) AS saved_count FROM (
                SELECT organization_login, paper_id FROM sightings WHERE source = 'text'
                EXCEPT SELECT organization_login, paper_id FROM sightings WHERE source IN ('api', 'html')
            ) GROUP BY ALL
        ) USING (organization_login) WHERE organization_login IS NOT NULL AND first_seen_at IS NOT NULL""",
    "list_appearances": "SELECT observed_at, position, paper_id FROM list_appearances WHERE list_kind = 'latest'",
    "paper_versions": """SELECT paper_id, field, max(version_number) FROM paper_versions
        WHERE paper_id NOT LIKE 'title:%' GROUP BY ALL""",
    "daily_papers": "SELECT listed_on, rank, paper_id, title FROM daily_papers",
    "papers_by_month": "SELECT month_on, paper_count FROM papers_by_month WHERE paper_count > 0",
}


def expected_captures(read: Iterable[File]) -> Iterator[Row]:
    for file in read:
        digest = sha256(file.payload).hexdigest()
        yield file.url, file.fetched_at, file.status, file.content_type, len(file.payload), digest, len(file.elements)


def expected_quarantine(read: Iterable[File]) -> Iterator[Row]:
    for file in read:
        digest = sha256(file.payload).hexdigest()
        for place, element in enumerate(file.elements, 1):
            if not isinstance(element, dict):
                yield digest, place


OF_FILES = {
    "captures": """SELECT url, fetched_at, http_status, content_type, payload_bytes, payload_sha256,
        CASE WHEN reader IN ('api_list', 'list_page') THEN item_count ELSE 0 END FROM captures""",
    "quarantine": """SELECT payload_sha256, position FROM quarantine JOIN captures USING (capture_id)""",
}


class Compared(NamedTuple):
    """How many rows and values of a table were compared, and which rows are on one side only."""

    table: str
    rows: int
    values: int
    only_pages: list[Row]
    only_release: list[Row]


def audit(release: Path) -> list[Compared]:
    """Each table of the release that the lists fill, against them."""
    read = list(files())
    pages = Pages(read)
    expected = {name: getattr(pages, name)() for name in QUERIES}
    expected |= {"captures": expected_captures(read), "quarantine": expected_quarantine(read)}
    with duckdb.connect() as asked:
        for path in release.glob("[dm]a*/*.parquet"):
            asked.execute(f"CREATE VIEW {path.stem} AS FROM '{path}'")
        for folder in filter(Path.is_dir, release.glob("[dm]a*/*")):
            asked.execute(f"CREATE VIEW {folder.name} AS FROM '{folder}/*.parquet'")
        return [
            compared(name, asked.sql(query).fetchall(), list(expected[name]))
            for name, query in (QUERIES | OF_FILES).items()
        ]


def compared(table: str, found: list[Row], expected: list[Row]) -> Compared:
    in_release, on_pages = Counter(found), Counter(expected)
    missing, more = list((on_pages - in_release).elements()), list((in_release - on_pages).elements())
    return Compared(table, len(found), sum(map(len, found)), missing, more)


if __name__ == "__main__":
    for one in audit(Path(sys.argv[1])):
        apart = f"{len(one.only_pages)} only on pages, {len(one.only_release)} only in the release"
        sys.stdout.write(f"{one.table:20} {one.rows:8,} rows {one.values:10,} values  {apart}\n")
        for row in (*one.only_pages[:3], *one.only_release[:3]):
            sys.stdout.write(f"    {row!s:.300}\n")
