"""Invented records in the real shape of arXivRaw (OAI-PMH), and the answers they stand in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from email.utils import format_datetime
from html import escape

OAI = "http://www.openarchives.org/OAI/2.0/"
RAW = "http://arxiv.org/OAI/arXivRaw/"
NOW = datetime(2026, 10, 7, 12)
BASE = "https://oai.example/oai"


@dataclass(frozen=True)
class Version:
    """One version: days after the first, its size as stated, and the flags of its source."""

    days: int = 0
    size: str = "280kb"
    source_type: str | None = "D"


@dataclass
class Record:
    """One paper at arXiv. `changed` is the day of its last change."""

    arxiv_id: str
    first: datetime = datetime(2026, 9, 1, 17, 54, 29)
    versions: list[Version] = field(default_factory=lambda: [Version()])
    comments: str | None = "12 pages, 3 figures"
    changed: date = date(2026, 9, 2)
    is_deleted: bool = False
    journal_ref: str | None = None
    doi: str | None = None
    license: str | None = "http://creativecommons.org/licenses/by/4.0/"

    @property
    def header(self) -> str:
        status = ' status="deleted"' if self.is_deleted else ""
        return (
            f"<header{status}><identifier>oai:arXiv.org:{self.arxiv_id}</identifier>"
            f"<datestamp>{self.changed}</datestamp><setSpec>cs:cs:LG</setSpec></header>"
        )

    @property
    def raw(self) -> str:
        told = "".join(map(self._version, range(len(self.versions))))
        some = {"comments": self.comments, "journal-ref": self.journal_ref, "doi": self.doi, "license": self.license}
        more = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in some.items() if text is not None)
        return (
            f'<arXivRaw xmlns="{RAW}"><id>{self.arxiv_id}</id><submitter>Ada Weaver</submitter>{told}'
            f"<title>Woven Looms\n  of {self.arxiv_id}</title><authors>Ada Weaver, Lin Tide and Bo Ledger</authors>"
            f"<categories>cs.LG cs.CL</categories>{more}<abstract>  We weave looms,\nand keep what they forget.\n"
            "</abstract></arXivRaw>"
        )

    def _version(self, place: int) -> str:
        one = self.versions[place]
        at = format_datetime(self.first + timedelta(days=one.days)).replace("-0000", "GMT")
        kind = f"<source_type>{one.source_type}</source_type>" if one.source_type is not None else ""
        return f'<version version="v{place + 1}"><date>{at}</date><size>{one.size}</size>{kind}</version>'

    @property
    def record(self) -> str:
        metadata = "" if self.is_deleted else f"<metadata>{self.raw}</metadata>"
        return f"<record>{self.header}{metadata}</record>"


GONE = Version(40, "0kb", "I")


def envelope(inside: str, at: datetime = NOW, **asked: str) -> bytes:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in asked.items())
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="{OAI}"><responseDate>{at:%Y-%m-%dT%H:%M:%SZ}'
        f"</responseDate><request{attributes}>{BASE}</request>{inside}</OAI-PMH>"
    ).encode()


def of_paper(record: Record, at: datetime = NOW) -> bytes:
    return envelope(f"<GetRecord>{record.record}</GetRecord>", at, verb="GetRecord", metadataPrefix="arXivRaw")


def of_changes(records: Iterable[Record], token: str | None = None, at: datetime = NOW) -> bytes:
    """A page of changes; an empty token ends a list of several pages, none at all one of a single page."""
    following = "" if token is None else f"<resumptionToken>{token}</resumptionToken>"
    headers = "".join(record.header for record in records)
    return envelope(f"<ListIdentifiers>{headers}{following}</ListIdentifiers>", at, verb="ListIdentifiers")


def error(code: str, at: datetime = NOW) -> bytes:
    return envelope(f'<error code="{code}">in words</error>', at)


def paper_url(arxiv_id: str, base: str = BASE) -> str:
    return f"{base}?verb=GetRecord&identifier=oai%3AarXiv.org%3A{arxiv_id}&metadataPrefix=arXivRaw"


def changes_url(since: date, base: str = BASE) -> str:
    return f"{base}?verb=ListIdentifiers&metadataPrefix=arXivRaw&from={since}"


def token_url(token: str, base: str = BASE) -> str:
    return f"{base}?verb=ListIdentifiers&resumptionToken={token}"


def history(*versions: Version) -> Sequence[Version]:
    return [Version(), *versions]
