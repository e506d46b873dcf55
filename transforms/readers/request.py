"""The request that a page answers, read from its address."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct

from warehouse.schema.columns import AN_ARXIV_ID
from warehouse.schema.core.attached import STARS
from warehouse.schema.core.works import CROSSREF, DOI, OF_ARXIV, OPENALEX

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
WEEK = re.compile(r"[0-9]{4}-W[0-9]{2}")
MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
PAPER = re.compile(r"/papers/[^/]+$")
CITING = ("/api/models", "/api/datasets", "/api/spaces")
CITED = re.compile(f"arxiv:({AN_ARXIV_ID})")
OAI_PATHS = ("/oai", "/oai2")
OAI_ID = re.compile(rf"oai:arXiv\.org:({AN_ARXIV_ID})")
VERBS = ("GetRecord", "ListIdentifiers", "ListRecords")
FORMAT = "arXivRaw"
WORK = re.compile(r"/works/([^/]+)$")
DOI_NAME = re.compile(DOI)
WORKS = "/works"
DOI_FILTER, PLACE_FILTER = "doi:", "locations.landing_page_url:"
# What names a paper at arXiv whole, with or without a version: the id of a place, or its address
AT_ARXIV = re.compile(
    rf"(?i:pmh:oai:arxiv\.org:|doi:{OF_ARXIV}arxiv\.|https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/"
    rf"|https?://(?:dx\.)?doi\.org/{OF_ARXIV}arxiv\.)({AN_ARXIV_ID})(?:v[0-9]{{1,3}})?(?:\.pdf)?",
    re.ASCII,
)
STARRED = re.compile(r"/repos/([a-z0-9_.-]+/[a-z0-9_.-]+)/stargazers/history$", re.IGNORECASE | re.ASCII)
COUNT = re.compile(r"[1-9][0-9]{0,4}")
SCHEMES = ("", "http", "https")
HUB = re.compile(r"(?:.+\.)?(?:huggingface|hf)\.co")
NAMED_AFTER_IT = re.compile(r"(?:.+[.-])?(?:huggingface|hf)[.-].+")


class Citing(Struct, frozen=True, kw_only=True):
    """A page of a list of the repositories that cite a paper; `limit` is how many a full one has."""

    arxiv_id: str
    kind: str
    is_first: bool
    limit: int | None


class Harvest(Struct, frozen=True, kw_only=True):
    """A request to arXiv by OAI-PMH: for one paper, or for what changed since a day; `token` of a further page."""

    verb: str
    arxiv_id: str | None
    since: date | None
    token: str | None


class WorksAsked(Struct, frozen=True, kw_only=True):
    """The works that have one of some DOIs, in lower case, or hold one of some papers at arXiv."""

    dois: tuple[str, ...] = ()
    arxiv_ids: tuple[str, ...] = ()


class Request(Struct, frozen=True, kw_only=True):
    """The list that an address asks for; `list_kind` is None where the address does not say.

    `work` is the DOI in lower case of the work that Crossref is asked for, `works` are those that OpenAlex is;
    `starred` is the repository, in lower case, of whose stars GitHub is asked.

    `is_of_mirror`: the host bears the Hub's name and is not the Hub's.
    """

    path: str = ""
    is_of_mirror: bool = False
    list_kind: str | None = None
    listed_on: date | None = None
    list_period: str | None = None
    list_query: str | None = None
    citing: Citing | None = None
    harvest: Harvest | None = None
    work: str | None = None
    works: WorksAsked | None = None
    starred: str | None = None


def request_of(url: str | None) -> Request:
    """Read an address of the Hub, API or page. Of an address that cannot be read all fields are None.

    >>> request_of("https://hub.example/api/daily_papers?date=2024-03-12").listed_on
    datetime.date(2024, 3, 12)
    >>> request_of("https://hub.example/papers/week/2025-W09").list_period
    '2025-W09'
    """
    try:
        parts = urlsplit(url or "")
        host = parts.hostname or ""
    except ValueError:
        return Request()
    if parts.scheme not in SCHEMES:  # what an archiver says of a page: urn:text:https://…
        return Request()
    asked = {name: values[-1].strip() for name, values in parse_qs(parts.query).items()}
    path = parts.path.rstrip("/")
    folder, _, last = path.rpartition("/")
    if folder.endswith(("/papers/date", "/papers/week", "/papers/month")):
        asked = {folder.rpartition("/")[2]: last} | asked
    harvest, works, citing = _harvest(path, asked), _works(path, asked), _citing(path, asked)
    starred, found = STARRED.search(path), WORK.search(path)
    doi = unquote(found[1]).lower() if found else ""
    work = doi if DOI_NAME.fullmatch(doi) else None
    named = {"arxiv": harvest, CROSSREF: work, OPENALEX: works, STARS: starred, "repositories": citing}
    kind = _kind(path, asked, named)
    period = {"weekly": asked.get("week"), "monthly": asked.get("month")}.get(kind or "")
    return Request(
        path=path,
        is_of_mirror=bool(NAMED_AFTER_IT.fullmatch(host)) and not HUB.fullmatch(host),
        list_kind=kind,
        listed_on=day(asked.get("date")) if kind == "daily" else None,
        list_period=period,
        list_query=asked.get("q") if kind == "search" else None,
        citing=citing,
        harvest=harvest,
        work=work,
        works=works,
        starred=starred[1].lower() if starred else None,
    )


def _citing(path: str, asked: dict[str, str]) -> Citing | None:
    cited, limit = CITED.fullmatch(asked.get("filter", "")), asked.get("limit", "")
    if cited is None or not path.endswith(CITING):
        return None
    return Citing(
        arxiv_id=cited[1],
        kind=path.rpartition("/")[2].removesuffix("s"),
        is_first="cursor" not in asked,
        limit=int(limit) if COUNT.fullmatch(limit) else None,
    )


def _harvest(path: str, asked: dict[str, str]) -> Harvest | None:
    """The request of an address; None where it asks for something else, or in another format."""
    verb, token = asked.get("verb", ""), asked.get("resumptionToken")
    named = OAI_ID.fullmatch(asked.get("identifier", ""))
    is_of_paper = verb == "GetRecord"
    if not path.endswith(OAI_PATHS) or verb not in VERBS or is_of_paper != (named is not None):
        return None
    if not token and asked.get("metadataPrefix") != FORMAT:
        return None
    arxiv_id = named[1] if named else None
    return Harvest(verb=verb, arxiv_id=arxiv_id, since=day(asked.get("from")), token=token)


def _works(path: str, asked: dict[str, str]) -> WorksAsked | None:
    """The request of a filter by DOIs, or by addresses of papers at arXiv; None where it has anything else."""
    said = asked.get("filter", "")
    if not path.endswith(WORKS):
        return None
    if said.startswith(DOI_FILTER):
        dois = said.removeprefix(DOI_FILTER).lower().split("|")
        return WorksAsked(dois=tuple(dois)) if all(map(DOI_NAME.fullmatch, dois)) else None
    found = [AT_ARXIV.fullmatch(one) for one in said.removeprefix(PLACE_FILTER).split("|")]
    if not said.startswith(PLACE_FILTER) or None in found:
        return None
    return WorksAsked(arxiv_ids=tuple(dict.fromkeys(one[1] for one in found if one)))


def _kind(path: str, asked: dict[str, str], named: Mapping[str, object]) -> str | None:
    """The first kind whose mark the address bears; `named` is what it names at once, by kind."""
    marks = {
        **named,
        "search": path.endswith("/papers/search") or asked.get("q"),
        "trending": path.endswith("/papers/trending") or asked.get("sort") == "trending",
        "weekly": WEEK.fullmatch(asked.get("week", "")),
        "monthly": MONTH.fullmatch(asked.get("month", "")),
        "daily": day(asked.get("date")),
        "latest": path.endswith("/api/daily_papers"),
        "paper": PAPER.search(path),
    }
    return next((kind for kind, mark in marks.items() if mark), None)


def day(text: str | None) -> date | None:
    """The date of an ISO day (`2024-03-12`), or of the start of an ISO instant; None where there is none."""
    return _day((text or "")[:10])


@lru_cache(maxsize=1024)  # the items of a list carry the same one
def _day(start: str) -> date | None:
    try:
        return date.fromisoformat(start) if DAY.fullmatch(start) else None  # by itself it takes `2025-W09-1` too
    except ValueError:
        return None
