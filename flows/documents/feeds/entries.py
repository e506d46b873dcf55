"""A feed and its entries, made of rows, as all formats write them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import Any, Final, NamedTuple, Self
from unicodedata import category

from flows.documents.edition import SOURCE_URL
from warehouse.printable import JOINERS, STEERS
from warehouse.schema.list_days import FIRST_DAY

TAG: Final = "tag:paperlake,2026:"  # RFC 4151: names that are nobody's address, the same in every lake
HUB_PAGE: Final = "https://huggingface.co/papers/{}"
ARXIV_PAGE: Final = "https://arxiv.org/abs/{}"
NO_XML: Final = "\ufffe\uffff"
QUERIES: Final = "queries/"
MAKER: Final = "Hugging Face Daily Papers"


def harmless(text: str) -> str:
    r"""A text without the characters that XML forbids, that control a reader, or that turn the direction of text.

    >>> harmless("Lo\x00om\u202e")
    'Loom'
    """
    if text.isprintable():
        return text
    return "".join(one for one in text if one in JOINERS or (category(one) not in STEERS and one not in NO_XML))


class Entry(NamedTuple):
    """One paper in a feed; `updated_at` is UTC."""

    id: str
    title: str
    updated_at: datetime
    authors: tuple[str, ...] = ()
    arxiv_id: str | None = None
    summary: str | None = None

    @classmethod
    def of(cls, row: dict[str, Any]) -> Self:
        """From a row with `paper_id`, `title`, `arxiv_id`, `listed_on`, `first_seen_at`, `names` and `abstract`."""
        day: date | None = row["listed_on"]
        at = row["first_seen_at"] or datetime.combine(day or FIRST_DAY, time())
        return cls(
            id=f"{TAG}{row['paper_id']}" + (f":{day.isoformat()}" if day else ""),
            title=harmless(row["title"]).strip() or row["paper_id"],
            updated_at=at.replace(microsecond=0, tzinfo=UTC),
            authors=tuple(filter(None, map(harmless, row["names"] or ()))),
            arxiv_id=row["arxiv_id"],
            summary=harmless(row["abstract"]) if row["abstract"] else None,
        )

    @property
    def url(self) -> str | None:
        """The page of the paper at the Hub, which has one by its arXiv id only."""
        return HUB_PAGE.format(self.arxiv_id) if self.arxiv_id else None

    @property
    def arxiv_url(self) -> str | None:
        return ARXIV_PAGE.format(self.arxiv_id) if self.arxiv_id else None


class Feed(NamedTuple):
    """A feed; `key` is the path of its files without their suffix. The feed of a query has no file of a known name."""

    key: str
    title: str
    description: str
    entries: tuple[Entry, ...]
    home_url: str = SOURCE_URL

    @classmethod
    def of(cls, key: str, title: str, description: str, rows: Iterable[dict[str, Any]]) -> Self:
        return cls(key, harmless(title), harmless(description), tuple(map(Entry.of, rows)))

    @property
    def file_stem(self) -> str | None:
        return None if self.key.startswith(QUERIES) else self.key.rpartition("/")[2]

    @property
    def id(self) -> str:
        return f"{TAG}feeds/{self.key}"

    @property
    def updated_at(self) -> datetime:
        """The time of its newest entry; that of the first list day where there is none."""
        first = datetime.combine(FIRST_DAY, time(), UTC)
        return max((entry.updated_at for entry in self.entries), default=first)


def instant(at: datetime) -> str:
    """An instant as RFC 3339 writes it.

    >>> instant(datetime(2026, 10, 1, 8, 5, tzinfo=UTC))
    '2026-10-01T08:05:00Z'
    """
    return f"{at:%Y-%m-%dT%H:%M:%S}Z"
