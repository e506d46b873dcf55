"""Invented papers in the source's real shape, for fixtures and for the sample: one seed, the same papers.

`Paper` is what a paper is; the functions below show it as the source would on a given day (docs/source.md §2 to §5, §9).
"""

import json
import random
import textwrap
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

HUB = "https://hub.example"
NEW_YORK = ZoneInfo("America/New_York")

ADJECTIVES = [
    "Patient", "Mirrored", "Frugal", "Tidal", "Woven", "Lunar", "Candid", "Brisk", "Hollow", "Amber", "Quiet",
    "Nested", "Restless", "Folded",
]  # fmt: skip
NOUNS = [
    "Lattices", "Kettles", "Orchards", "Compasses", "Ledgers", "Harbours", "Weathervanes", "Looms", "Beacons",
    "Gardens", "Almanacs", "Reeds",
]  # fmt: skip
TASKS = (
    "Sparse Retrieval", "Slow Reasoning", "Cold-Start Ranking", "Long Letters", "Whispered Speech", "Folding Maps",
    "Shallow Tides", "Unlabelled Birds", "Counting Stars", "Honest Summaries",
)  # fmt: skip
GIVEN = [
    "Ada", "Bruno", "Chiara", "Deniz", "Emil", "Fatou", "Goran", "Hana", "Ivo", "Juno", "Kofi", "Lena", "Milo",
    "Nadia", "Oskar", "Priya", "Quentin", "Rosa",
]  # fmt: skip
FAMILY = [
    "Abel", "Brandt", "Castel", "Dorn", "Eklund", "Fabre", "Grau", "Holm", "Ishida", "Jansen", "Kral", "Lund",
    "Moreau", "Novak", "Okoro", "Petrov",
]  # fmt: skip
ORGANIZATIONS = (("harbourlab", "Harbour Lab"), ("tidal-research", "Tidal Research"), ("loomworks", "Loomworks"))
SENTENCES = (
    "We study {noun} that learn {task} from {number} examples and keep what they forget.",
    "Earlier work treats {noun} as fixed; we let them drift and measure where they settle.",
    "Our method needs no labels, runs on a single machine and improves by {number}% over a strong baseline.",
    "An ablation shows that most of the gain comes from the {adjective} schedule rather than from scale.",
    "On a new benchmark of {number} {adjective} tasks it matches models ten times its size.",
    "We release code, data and a field guide to {task}.",
)


@dataclass(frozen=True)
class Paper:
    """One invented paper. `published_at` is UTC, `listed_on` the day of its list."""

    arxiv_id: str
    title: str
    abstract: str
    authors: tuple[str, ...]
    published_at: datetime
    listed_on: date
    upvotes: int
    comments: int
    keywords: tuple[str, ...] = ()
    organization: tuple[str, str] | None = None
    repository: str | None = None
    stars: int | None = None
    submitter: str = "ada"
    extra: dict[str, Any] = field(default_factory=dict)


def paper(number: int, listed_on: date) -> Paper:
    """The n-th paper that was listed on a day; the same arguments give the same paper."""
    dice = random.Random(f"{listed_on}/{number}")
    adjective, noun, task = dice.choice(ADJECTIVES), dice.choice(NOUNS), dice.choice(TASKS)
    days_before = dice.choice((1, 1, 1, 2, 3, 4))
    published_at = datetime.combine(
        listed_on - timedelta(days_before), time(dice.randrange(24), dice.randrange(60), dice.randrange(1, 60))
    )
    authors = tuple(f"{dice.choice(GIVEN)} {dice.choice(FAMILY)}" for _ in range(dice.randint(1, 7)))
    words = {"noun": noun.lower(), "task": task.lower(), "adjective": adjective.lower()}
    sentences = dice.sample(SENTENCES, 4)
    abstract = " ".join(sentence.format(number=dice.randint(2, 900), **words) for sentence in sentences)
    has_repository = dice.random() < 0.6
    return Paper(
        arxiv_id=f"{published_at:%y%m}.{1000 + 97 * number + listed_on.day * 311:05d}",
        title=f"{adjective} {noun} for {task}: Part {listed_on.day}.{number}",
        abstract=abstract,
        authors=authors,
        published_at=published_at,
        listed_on=listed_on,
        upvotes=dice.randint(0, 120),
        comments=dice.randint(0, 5),
        keywords=(task.lower(), noun.lower(), "field guides"),
        organization=dice.choice((*ORGANIZATIONS, None, None)),
        repository=f"https://github.com/{FAMILY[number % 16]}/{noun}" if has_repository else None,
        stars=dice.randint(0, 3000) if has_repository else None,
        submitter=dice.choice(GIVEN).lower(),
    )


def list_item(shown: Paper, fetched_at: datetime, *, more_upvotes: int = 0) -> dict[str, Any]:
    """A list item of the API as it answered on the day of the fetch."""
    day = fetched_at.date()
    item: dict[str, Any] = {"paper": paper_object(shown, fetched_at, more_upvotes=more_upvotes)}
    item["publishedAt"] = iso(_outer_published(shown, day))
    item["title"] = shown.title
    if day >= date(2025, 3, 11):
        item["summary"] = item["paper"]["summary"]
    item["thumbnail" if day >= date(2024, 6, 12) else "mediaUrl"] = (
        f"https://cdn-thumbnails.hub.example/social-thumbnails/papers/{shown.arxiv_id}.png"
    )
    item["numComments"] = shown.comments
    if day >= date(2024, 6, 13) and not date(2025, 3, 11) <= day <= date(2025, 3, 14):
        item["submittedBy"] = {
            "name": shown.submitter,
            "fullname": shown.submitter.title(),
            "avatarUrl": "/avatars/0.svg",
            "type": "user",
            "isPro": False,
            "isHf": False,
            "isMod": False,
        }
    if day >= date(2024, 12, 19):
        item["isAuthorParticipating"] = shown.comments > 3
    if organization := item["paper"].get("organization"):
        item["organization"] = organization
    return item


def paper_object(shown: Paper, fetched_at: datetime, *, more_upvotes: int = 0) -> dict[str, Any]:
    """The inner `paper` of a list item; keys come and go as the source's calendar has them."""
    day = fetched_at.date()
    is_wrapped = day <= date(2025, 11, 11)
    published_at = shown.published_at if day < date(2026, 4, 3) else _midnight(shown.published_at.date())
    made: dict[str, Any] = {
        "id": shown.arxiv_id,
        "authors": [_author(shown, place, day) for place in range(len(shown.authors))],
        "publishedAt": iso(published_at),
        "title": shown.title,
        "summary": textwrap.fill(shown.abstract, 78) if is_wrapped else shown.abstract,
        "upvotes": shown.upvotes + more_upvotes,
    }
    if day >= date(2024, 8, 2):
        made["discussionId"] = f"{random.Random(shown.arxiv_id).getrandbits(96):024x}"
    if day >= date(2025, 3, 17):
        made["submittedOnDailyAt"] = iso(_midnight(shown.listed_on))
        made["submittedOnDailyBy"] = {"user": shown.submitter, "fullname": shown.submitter.title(), "type": "user"}
    if day >= date(2025, 3, 11):
        made["ai_keywords"] = list(shown.keywords)
    if day >= date(2025, 5, 22):
        made["ai_summary"] = f"A short account of {shown.title}."
    if day >= date(2025, 3, 4) and shown.repository:
        made["githubRepo"] = shown.repository
    if day >= date(2025, 6, 25) and shown.stars is not None:
        made["githubStars"] = shown.stars
    if day >= date(2025, 10, 3) and shown.organization:
        login, name = shown.organization
        made["organization"] = {"_id": "6" * 24, "name": login, "fullname": name}
    return made | shown.extra


def _author(shown: Paper, place: int, day: date) -> dict[str, Any]:
    name = shown.authors[place]
    made: dict[str, Any] = {"_id": f"{place:024x}"}
    if place == 0:
        made["user"] = {
            "avatarUrl": "/avatars/1.svg",
            "fullname": name,
            "user": name.split()[0].lower(),
            "type": "user",
        }
        if day >= date(2026, 3, 12):
            made["user"]["name"] = made["user"]["user"]
    made["name"] = name
    if place == 0:
        made["status"] = "claimed_verified"
    return made | {"hidden": place == 2}


def _outer_published(shown: Paper, day: date) -> datetime:
    """What the outer publishedAt meant on the day of the fetch (docs/source.md §5.1)."""
    submitted_at = datetime.combine(shown.listed_on, time(3, 17, 21, 812000))  # in the early hours of its list day
    if day < date(2024, 11, 29):
        return submitted_at
    moment = submitted_at if day < date(2025, 3, 11) else shown.published_at
    return moment.replace(tzinfo=UTC).astimezone(NEW_YORK).replace(tzinfo=None)


def iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def daily_answer(papers: list[Paper], fetched_at: datetime, *, more_upvotes: int = 0) -> list[dict[str, Any]]:
    """The answer for one list day: most upvotes first."""
    ranked = sorted(papers, key=lambda shown: -shown.upvotes)
    return [list_item(shown, fetched_at, more_upvotes=more_upvotes) for shown in ranked]


def as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def list_page(papers: list[Paper], listed_on: date, fetched_at: datetime, **props: Any) -> bytes:
    """A list page whose data stands in the page, as the page's own script starts from it."""
    items = daily_answer(papers, fetched_at)
    for item in items:
        item.pop("summary", None)
    data = {"canSubmit": False, "date": iso(_midnight(listed_on)), "dailyPapers": items} | props
    articles = "".join(
        f'<article><h3><a href="/papers/{item["paper"]["id"]}">{escape(item["title"])}</a></h3></article>'
        for item in items
    )
    page = (
        "<!doctype html><html><head><title>Daily Papers</title></head><body>"
        f'<div class="SVELTE_HYDRATER contents" data-target="DailyPapers" data-props="{escape(json.dumps(data))}">'
        f"{articles}</div></body></html>\n"
    )
    return page.encode()


def account(login: str, fullname: str) -> dict[str, Any]:
    """An account as comments and votes show it; its id and its picture follow from the login."""
    record = f"{sum(map(ord, login)):024x}"
    picture = f"https://cdn-avatars.hub.example/v1/production/uploads/{record}/{login.encode().hex()}.jpeg"
    kind = {"type": "user", "isPro": False, "isHf": False, "isHfAdmin": False, "isMod": False}
    return {"_id": record, "avatarUrl": picture, "fullname": fullname, "name": login} | kind


def comment(
    writer: dict[str, Any],
    raw: str,
    *,
    replies: list[dict[str, Any]] | None = None,
    reactions: dict[str, list[str]] | None = None,
    editors: list[dict[str, Any]] | None = None,
    hidden: bool = False,
) -> dict[str, Any]:
    """A comment on a paper's page, as its data has it."""
    edited_by = editors or [writer]
    latest = {"raw": raw, "html": f"<p>{escape(raw)}</p>", "updatedAt": "2026-09-02T10:00:00.000Z", "author": writer}
    data = {
        "edited": editors is not None,
        "hidden": hidden,
        "latest": latest,
        "numEdits": len(edited_by) - 1,
        "identifiedLanguage": {"language": "en", "probability": 0.98},
        "editors": [one["name"] for one in edited_by],
        "editorAvatarUrls": [one["avatarUrl"] for one in edited_by],
        "reactions": [
            {"reaction": mark, "users": users, "count": len(users)} for mark, users in (reactions or {}).items()
        ],
        "isReport": False,
    }
    head = {"id": "66a0" + "0" * 20, "author": writer, "createdAt": "2026-09-01T10:00:00.000Z", "type": "comment"}
    return head | {"data": data} | ({"replies": replies} if replies else {})


def paper_page(
    shown: Paper, fetched_at: datetime, comments: list[dict[str, Any]], upvoters: list[dict[str, Any]], **told: Any
) -> bytes:
    """A paper's own page: its data, and the comments as its markup shows them (docs/source.md §8)."""
    props = {
        "comments": comments,
        "primaryEmailConfirmed": False,
        "paper": paper_object(shown, fetched_at) | told,
        "upvoters": [{**one, "user": one["name"]} for one in upvoters],
        "dailyPaperRank": 0,
        "markdownContentUrl": f"/buckets/papers-content/resolve/{shown.arxiv_id[:4]}/{shown.arxiv_id}.md",
        "query": {},
    }
    return (
        f'<!doctype html><html><body><div class="SVELTE_HYDRATER contents" data-target="PaperContent" '
        f'data-props="{escape(json.dumps(props))}"><h1>{escape(shown.title)}</h1>'
        f"{''.join(_shown_comment(one) for one in comments if 'latest' in one['data'])}</div></body></html>\n"
    ).encode()


def _shown_comment(one: dict[str, Any]) -> str:
    writer = one["author"]
    replies = "".join(map(_shown_comment, one.get("replies", ())))
    head = f'<img alt="" src="{writer["avatarUrl"]}"><a href="/{writer["name"]}">{writer["name"]}</a>'
    return f"<div>{head}<div>{one['data']['latest']['html']}</div>{replies}</div>"


def text_dump(papers: list[Paper], shown_on: str) -> bytes:
    """Layout A of docs/source.md §0: what an extractor makes of a list page."""
    head = ["new", "Get trending papers in your email inbox!", "Subscribe", "Daily Papers"]
    blocks = [*head, "byAK and the research community", shown_on]
    for shown in papers:
        count = f" {shown.comments}" if shown.comments else ""
        footer = f"  • {len(shown.authors)} authors\n·\n{shown.published_at:%b} {shown.published_at.day}"
        blocks += [shown.title, shown.abstract, f"{footer}, {shown.published_at.year}{count}"]
    return ("\n\n".join(blocks) + "\n").encode()
