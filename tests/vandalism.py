"""False pages, each made of an honest one: what a person, a proxy or a fault may do to a list, by kind.

Every kind changes the answer's own JSON as somebody would who knows its shape: a text in both places that have it.
"""

import json
import random
import re
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

Items = list[dict[str, Any]]
HOMOGLYPHS: Final = str.maketrans("aeopc", "\u0430\u0435\u043e\u0440\u0441")


class Material(NamedTuple):
    """A list to change, that of another day to take from, and dice."""

    items: Items
    other: Items
    dice: random.Random

    def some(self, share: float) -> Items:
        return self.dice.sample(self.items, max(1, round(share * len(self.items))))


Change = Callable[[Material], Items | None]


def as_it_is(given: Material) -> Items:
    return given.items


def both(item: dict[str, Any], name: str, value: object) -> None:
    """Set what stands in the inner and the outer object, where it stands."""
    for one in (item["paper"], item):
        if name in one:
            one[name] = value
    if name not in item["paper"]:
        item["paper"][name] = value


def moved(*names: str, share: float = 1, foreign: bool = False, inner: bool = False) -> Change:
    """Fields as the next paper has them, or as a paper of another day has; in some of the papers."""

    def change(given: Material) -> None:
        chosen = given.some(share) if share < 1 else given.items
        giving = given.other if foreign else chosen
        kept = [{name: deepcopy(item["paper"].get(name)) for name in names} for item in giving]
        for place, item in enumerate(chosen):
            for name, value in kept[(place + 1) % len(kept)].items():
                if value is not None and inner:
                    item["paper"][name] = value
                elif value is not None:
                    both(item, name, value)

    return change


def each(edit: Callable[[dict[str, Any], int], None], share: float = 1) -> Change:
    def change(given: Material) -> None:
        for place, item in enumerate(given.some(share) if share < 1 else given.items):
            edit(item, place)

    return change


def text(name: str, write: Callable[[str], str], share: float = 1, inner: bool = False) -> Change:
    def edit(item: dict[str, Any], _: int) -> None:
        value = write(item["paper"][name])
        if inner:
            item["paper"][name] = value
        else:
            both(item, name, value)

    return each(edit, share)


def upvotes(count: Callable[[int, random.Random], float], share: float = 1, *, is_sorted: bool = True) -> Change:
    def change(given: Material) -> Items:
        for item in given.some(share) if share < 1 else given.items:
            item["paper"]["upvotes"] = int(count(item["paper"]["upvotes"], given.dice))
        return sorted(given.items, key=lambda item: -item["paper"]["upvotes"]) if is_sorted else given.items

    return change


def exchanged(given: Material, *, is_sorted: bool) -> Items:
    for item in given.items:
        item["paper"]["upvotes"], item["numComments"] = item["numComments"], item["paper"]["upvotes"]
    return sorted(given.items, key=lambda item: -item["paper"]["upvotes"]) if is_sorted else given.items


def comments(value: int) -> Change:
    return each(lambda item, _: item.update(numComments=value))


def one_person(given: Material) -> None:
    """The submitter of one paper for all, under each of the names that a submitter has had."""
    source = given.items[-1]
    for item in given.items:
        for holder, name in ((item, "submittedBy"), (item["paper"], "submittedOnDailyBy")):
            of = source if holder is item else source["paper"]
            if name in holder and name in of:
                holder[name] = deepcopy(of[name])


def made(name: str, make: Callable[[int], object]) -> Change:
    """A field, made of its place for each paper that has it."""

    def edit(item: dict[str, Any], place: int) -> None:
        if name in item["paper"]:
            both(item, name, make(place))

    return each(edit)


def ids(by: int, *, everywhere: bool = False) -> Change:
    def edit(item: dict[str, Any], _: int) -> None:
        old = item["paper"]["id"]
        item["paper"]["id"] = f"{old[:5]}{(int(old[5:]) + by) % 100_000:05d}"
        for name in ("thumbnail", "mediaUrl") if everywhere else ():
            if name in item:
                item[name] = item[name].replace(old, item["paper"]["id"])

    return each(edit)


def days(name: str, by: int) -> Change:
    """A moment of each paper, and where both places have it the outer one too, so many days later."""

    def edit(item: dict[str, Any], _: int) -> None:
        for one in (item["paper"], item):
            if name in one:
                moment = datetime.fromisoformat(one[name].removesuffix("Z")) + timedelta(by)
                one[name] = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"

    return each(edit)


def merged(given: Material) -> None:
    one, two = given.dice.sample(given.items, 2)
    both(one, "summary", f"{one['paper']['summary']} {two['paper']['summary']}")


def one_text(name: str) -> Change:
    def change(given: Material) -> None:
        for item in given.items:
            both(item, name, given.items[0]["paper"][name])

    return change


def fake(copied: tuple[str, ...] = (), *, of_another_day: bool = False) -> Change:
    """An invented paper on top; of an item it may copy what stands beside the words."""

    def change(given: Material) -> Items:
        model = (given.other if of_another_day else given.items)[-1]
        paper = {
            "id": f"{given.items[0]['paper']['id'][:5]}{given.dice.randrange(500, 9000):05d}",
            "authors": [{"name": "Ada Holm", "hidden": False}],
            "publishedAt": given.items[0]["paper"]["publishedAt"],
            "title": "Frugal Lattices for Tidal Orchards",
            "summary": "We study frugal lattices that learn tidal orchards and keep what they forget. " * 4,
            "upvotes": given.items[0]["paper"]["upvotes"] + 50,
        }
        if "submittedOnDailyAt" in given.items[0]["paper"]:
            paper["submittedOnDailyAt"] = given.items[0]["paper"]["submittedOnDailyAt"]
        paper |= {name: deepcopy(model["paper"][name]) for name in copied if name in model["paper"]}
        item = deepcopy(given.items[0]) | {"paper": paper, "title": paper["title"]}
        if "summary" in item:
            item["summary"] = paper["summary"]
        for name in ("thumbnail", "mediaUrl"):
            if name in item:
                item[name] = item[name].replace(given.items[0]["paper"]["id"], paper["id"])
        return [item, *given.items]

    return change


def organizations_moved(given: Material) -> None:
    """Organizations of another day's papers, in each place that has one."""
    found = [item["paper"]["organization"] for item in given.other if "organization" in item["paper"]]
    for item in given.items:
        for one in (item, item["paper"]):
            if "organization" in one and found:
                one["organization"] = found[len(item["paper"]["title"]) % len(found)]


def restamped(given: Material) -> Items:
    """The papers of another day, as if they were of this one."""
    for item in given.other:
        if "submittedOnDailyAt" in given.items[0]["paper"]:
            item["paper"]["submittedOnDailyAt"] = given.items[0]["paper"]["submittedOnDailyAt"]
    return given.other


def kept(keep: Callable[[int, int], bool]) -> Change:
    return lambda given: [one for place, one in enumerate(given.items) if keep(place, len(given.items))]


def swapped(value: str) -> str:
    """The first word of a title that has such a letter, with letters that look the same."""
    return re.sub(
        r"[A-Za-z]*[aeopc][A-Za-z]+", lambda word: word[0][:1] + word[0][1:].translate(HOMOGLYPHS), value, count=1
    )


# Kind → how to make it, for a new day
NEW_DAYS: Final[dict[str, Change]] = {
    "titles rotated": moved("title"),
    "titles rotated, inner only": moved("title", inner=True),
    "titles of another day": moved("title", foreign=True),
    "half of the titles exchanged": moved("title", share=0.5),
    "abstracts rotated": moved("summary"),
    "authors of the next paper": moved("authors"),
    "authors of another day": moved("authors", foreign=True),
    "authors and discussions of the next paper": moved("authors", "discussionId"),
    "authors reversed": each(lambda item, _: item["paper"]["authors"].reverse()),
    "discussions rotated": moved("discussionId"),
    "ids one higher": ids(1),
    "ids one lower, thumbnails too": ids(-1, everywhere=True),
    "ids of later in the month": ids(45_000, everywhere=True),
    "every second paper gone": kept(lambda place, _: place % 2 == 0),
    "upper half gone": kept(lambda place, count: place >= count / 2),
    "lower half gone": kept(lambda place, count: place < count / 2),
    "upvotes all 0": upvotes(lambda *_: 0),
    "upvotes a tenth": upvotes(lambda count, _: count // 10),
    "upvotes a tenth, rounded": upvotes(lambda count, _: round(count / 10)),
    "upvotes all 1": upvotes(lambda *_: 1),
    "upvotes times ten": upvotes(lambda count, _: count * 10),
    "upvotes shuffled": lambda given: upvotes(lambda *_: given.dice.randrange(80), is_sorted=False)(given),
    "comments and upvotes exchanged": lambda given: exchanged(given, is_sorted=False),
    "comments and upvotes exchanged, in order": lambda given: exchanged(given, is_sorted=True),
    "comments all 0": comments(0),
    "one submitter for all": one_person,
    "repositories rotated": moved("githubRepo"),
    "one repository for all": made("githubRepo", lambda _: "https://github.com/a/b"),
    "repositories invented": made("githubRepo", "https://github.com/weather/station-{}".format),
    "tags in titles": text("title", lambda value: f"<b>{value}</b>"),
    "entities in titles": text("title", lambda value: value.replace(" ", "&nbsp;"), share=0.3),
    "abstracts cut to 100": text("summary", lambda value: value[:100]),
    "abstracts cut to 400": text("summary", lambda value: value[:400]),
    "first sentences of abstracts": text("summary", lambda value: value.split(". ")[0] + "."),
    "two abstracts merged": merged,
    "one abstract for all": one_text("summary"),
    "a fake paper on top": fake(),
    "a fake with another's records": fake(("authors", "discussionId")),
    "a fake with records of another day": fake(("authors", "discussionId"), of_another_day=True),
    "dates a month back": days("publishedAt", -31),
    "dates a month later": days("publishedAt", 31),
    "dates a year back": days("publishedAt", -365),
    "summaries of another day": moved("ai_summary", foreign=True),
    "summaries rotated": moved("ai_summary"),
    "keywords of another day": moved("ai_keywords", foreign=True),
    "organizations of another day": organizations_moved,
    "one title with a homoglyph": text("title", swapped, share=0.01),
    "list order reversed": lambda given: given.items[::-1],
    "another day's papers": restamped,
}  # fmt: skip

# Kind → how to make it, for a second look at a list
RECAPTURES: Final[dict[str, Change]] = {
    "a share of upvotes a tenth": upvotes(lambda count, _: count // 10, 0.15),
    "a share of upvotes times 3": upvotes(lambda count, _: count * 3, 0.15),
    "a third of upvotes times 3": upvotes(lambda count, _: count * 3, 0.33),
    "a share of upvotes 30 % off": upvotes(lambda count, dice: count * dice.choice((0.7, 1.3)), 0.15),
    "upvotes 30 % off": upvotes(lambda count, dice: count * dice.choice((0.7, 1.3))),
    "upvotes times 10": upvotes(lambda count, _: count * 10),
    "a share of upvotes times 10": upvotes(lambda count, _: count * 10, 0.15),
    "upvotes all 0": upvotes(lambda *_: 0),
    "comments all 0": comments(0),
    "comments and upvotes exchanged": lambda given: exchanged(given, is_sorted=True),
    "two abstracts merged": merged,
    "one title with a homoglyph": text("title", swapped, share=0.01),
    "a fake paper on top": fake(),
    "a fake with another's records": fake(("authors", "discussionId")),
    **{
        kind: NEW_DAYS[kind]
        for kind in (
            "titles rotated", "authors of the next paper", "authors reversed", "discussions rotated", "ids one higher",
            "lower half gone", "one submitter for all", "repositories rotated", "tags in titles",
            "abstracts cut to 100", "one abstract for all", "dates a month back", "dates a year back",
            "summaries of another day", "organizations of another day", "list order reversed",
        )
    },
}  # fmt: skip


def changed(change: Change, payload: bytes, other: bytes, seed: int) -> bytes | None:
    """The page after a change, or None where it has nothing that this would change."""
    items, before = json.loads(payload), json.loads(payload)
    after = change(Material(items, json.loads(other), random.Random(seed))) or items
    return None if after == before else json.dumps(after, ensure_ascii=False).encode()
