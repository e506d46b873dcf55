"""Finding the system that a paper names as its own main work: one at most, and none rather than a guess.

Each rule proposes names; the weight of a name is that of its rule plus other evidence (it is in the title, it recurs,
it is the subject of verbs), and the heaviest is taken if it is heavy enough. Column `rule` has the rule that proposed
the name first, one of:

* `title`: what stands before the colon or the dash of the title, where it is written as a name;
* `introduced`: `we introduce X, a …`;
* `described`: `we propose a novel framework, X, that …`;
* `called`: `…, called X`, `which we term X`;
* `abbreviated`: `we propose Full Name (FN)`, the abbreviation; `X (Full Name)`;
* `ours`: `our method, X,`, `our novel profiler X`;
* `defined`: `X is a library …`;
* `shown`: `experiments show that X outperforms …`, where nothing else proposes a name.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import polars as pl
from msgspec import Struct

from transforms.hooks import LONGEST, WordPlaces, hooked
from transforms.names import naming
from transforms.names.proposals import (
    Named,
    initials_agree,
    names_in,
    names_shown,
    names_spelled_out,
    sentences_that_name,
)
from warehouse.schema.core.claims import Field, SystemKind, SystemRule


class System(Struct, frozen=True, kw_only=True, gc=False):
    """The name a paper gives its main contribution: `span_start` to `span_end` of its title or abstract is `name`."""

    name: str
    kind: SystemKind | None
    field: Field
    span_start: int
    span_end: int
    rule: SystemRule


ENOUGH = 3.0
FIRST = 0.5  # weight for the name that the abstract introduces first
HEAD = re.compile(r"\s?:\s|:(?=[A-Z])|\s[-\u2013\u2014]{1,3}\s|\uff1a|\s?[\u2013\u2014]\s?")
ARTICLE = re.compile(r"^(?:The|Introducing|An?)\s")
IN_PAREN = re.compile(r"^(?P<full>.*?)\s\((?P<name>[^()]{2,20})\)$")
REPORT = re.compile(r"^(?P<name>.+?)(?::)?\s(?:Technical Report|System Card|Model Card)$")
SURVEYS = re.compile(
    r"\b(?:survey|review|perspective(?!(?-i:\s[A-Z]))|overview|roadmap|position paper)\b", re.IGNORECASE
)
STUDIES = re.compile(r"\b(?:study|studies|effectiveness of|survey|review)\b", re.IGNORECASE)
VERSION = re.compile(r"\sv?\d+(?:\.\d+)*$")
LINKS = re.compile(naming.LINK)
LONGEST_HEAD = 6  # words
SHORT_HEAD = 3
NEAR = 6  # code points: as far as a parenthesis stands behind a name, quotes and commands between
KIND = re.compile(r"\b(" + "|".join(sorted(naming.KINDS, key=len, reverse=True)) + r")s?\b")  # in lower case
PHRASE_END = re.compile(r"[.;()]|\s(?:that|which|to|for|with|by|using|where|designed|capable)\s")


class Proposal(Struct):
    """A proposed name with its weight; `order` is its place among the proposals."""

    name: str
    rule: SystemRule
    weight: float
    order: int


def systems_of(titles: pl.Series, abstracts: pl.Series) -> Iterator[System | None]:
    """The main system of each of many papers."""
    hooks = hooked(abstracts, naming.INTRODUCES, naming.CALLS, naming.OUR, naming.IS_A, naming.SPELLS)
    for title, (abstract, places) in zip(titles, hooks, strict=True):
        yield _system_of(title[:LONGEST], abstract, places)


def _system_of(title: str, abstract: str, places: list[WordPlaces]) -> System | None:
    *introduced, spelling = places
    sentences = (names_in(*found, title, abstract) for found in sentences_that_name(abstract, *introduced))
    named = chain(
        _of_title(title, abstract), *sentences, names_spelled_out(abstract, spelling)
    )  # the most trusted first
    best = _heaviest(named, title, abstract) or _heaviest(names_shown(abstract), title, abstract)
    if best is None:
        return None
    in_title = naming.place_of(best.name, title)
    start = in_title if in_title >= 0 else naming.place_of(best.name, abstract)
    return System(
        name=best.name,
        kind=kind_of(best.name, title, abstract),
        field="title" if in_title >= 0 else "abstract",
        span_start=start,
        span_end=start + len(best.name),
        rule=best.rule,
    )


def _heaviest(named: Iterable[Named], title: str, abstract: str) -> Proposal | None:
    """The proposal of most weight, as the abstract spells it; None where none is heavy enough."""
    proposals: dict[str, Proposal] = {}
    for order, (name, rule, weight) in enumerate(named):
        known = proposals.setdefault(name, Proposal(name, rule, 0.0, order))
        known.weight = max(known.weight, weight) + (0.5 if known.weight else 0.0)
    for proposal in proposals.values():
        proposal.weight += support_of(proposal.name, title, abstract)
    placed = [one for one in proposals.values() if one.rule != "title"]
    if placed:
        min(placed, key=lambda one: naming.place_of(one.name, abstract) % (len(abstract) + 1)).weight += FIRST
    best = max(proposals.values(), key=lambda one: (one.weight, -one.order), default=None)
    if best is None or best.weight < ENOUGH:
        return None
    if naming.place_of(best.name, abstract) >= 0:
        return best
    return next((one for one in placed if letters_of(one.name) == letters_of(best.name)), best)


def letters_of(name: str) -> str:
    """A name without what writers change in it: case, spaces and signs."""
    return "".join(filter(str.isalnum, name)).lower()


def _of_title(title: str, abstract: str) -> Iterator[Named]:
    head = HEAD.split(title, maxsplit=1)
    name = ARTICLE.sub("", head[0].strip())
    short = IN_PAREN.match(name)
    if short:
        yield short["name"], "abbreviated", 3.0
        name = short["full"]
    abbreviation = abbreviation_of(name, abstract)
    if abbreviation:
        yield abbreviation, "abbreviated", 2.5
    plain = VERSION.sub("", name)
    if 0 < len(plain) < len(name) and naming.place_of(name, abstract) < 0 <= naming.place_of(plain, abstract):
        name = plain
    report = REPORT.match(name)
    if report and naming.is_name(report["name"]):
        yield report["name"], "title", 4.0 if naming.place_of(report["name"], abstract) >= 0 else 3.0
    if len(head) > 1 and naming.is_name(name):
        yield from _of_head(name, head[1], abstract)


def abbreviation_of(name: str, abstract: str) -> str | None:
    """The abbreviation that follows the head of the title in the abstract."""
    if " " not in name and "-" not in name:
        return None
    lower, small = abstract.lower(), name.lower()
    place = lower.find(small)
    while place >= 0:
        end = place + len(small)
        behind = naming.SHORT.match(abstract, end) if lower.find("(", end, end + NEAR) >= 0 else None
        if behind and naming.is_name(behind["name"]):
            return behind["name"]
        place = lower.find(small, end)
    return None


def _of_head(name: str, rest: str, abstract: str) -> Iterator[Named]:
    """The head of a title as a name, unless the rest of the title tells that it is a subject or a sentence."""
    words = name.split()
    if len(words) > LONGEST_HEAD or (STUDIES.search(rest) and naming.place_of(name, abstract) < 0):
        return
    if len(words) == 1:
        yield name, "title", 4.0 if naming.is_odd(name) else 1.5
    elif SURVEYS.search(rest) or is_phrase(words):
        return
    elif naming.place_of(name.lower(), abstract.lower()) >= 0 or is_in_address(words, abstract):
        yield name, "title", 2.5


def is_in_address(words: list[str], abstract: str) -> bool:
    """Whether an address in the abstract has a short name without links: `x.org/plum-orchard`."""
    start = abstract.find("https:")
    is_short = len(words) <= SHORT_HEAD and not any(map(LINKS.fullmatch, words))
    return start >= 0 and is_short and letters_of("".join(words)) in letters_of(abstract[start:])


def is_phrase(words: list[str]) -> bool:
    """Whether most words of a head are written small, as those of a sentence are: `Reasoning over small objects`."""
    said = [word for word in words if not LINKS.fullmatch(word)]
    return 2 * sum(word.islower() for word in said) > len(said)


def support_of(name: str, title: str, abstract: str) -> float:
    """The weight of the evidence for a name, apart from its rule."""
    places = list(naming.places_of(name, abstract))
    weight = min(len(places), 4) * 0.4 + (0.5 if naming.is_odd(name) else 0.0)
    if naming.place_of(name, title) >= 0:
        weight += 1.5
    elif initials_agree(name, title):
        weight += 0.7
    return weight + (1.0 if any(naming.DOES.match(abstract, place + len(name)) for place in places) else 0.0)


def kind_of(name: str, title: str, abstract: str) -> SystemKind | None:
    """The kind of system, by the words after the name, else those before it, else the title."""
    if name.endswith(("Bench", "bench", "Benchmark")):
        return "benchmark"
    place = max(naming.place_of(name, abstract), 0)
    behind = PHRASE_END.split(abstract[place + len(name) : place + len(name) + 120].lstrip(" )"), maxsplit=1)[0]
    ahead = abstract[max(place - 40, 0) : place].rpartition(". ")[2]
    named = HEAD.split(title, maxsplit=1)[-1] if naming.place_of(name, title) >= 0 else ""
    for text in (behind, ahead, PHRASE_END.split(named, maxsplit=1)[0]):
        found = KIND.findall(text.lower())
        if found:
            return naming.KINDS[found[-1]]
    return None
