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
* `defined`: `X is a library …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import polars as pl
from msgspec import Struct

from transforms.hooks import LONGEST, WordPlaces, hooked
from transforms.systems.naming import (
    ABBREVIATED,
    ALSO,
    CALLED,
    CALLS,
    DEFINED,
    DESCRIBED,
    DOES,
    EXPANDED,
    FINDING,
    INTRODUCED,
    INTRODUCES,
    INTRODUCING,
    IS_A,
    KINDS,
    LETTER,
    LINK,
    NAMED_BEFORE,
    OUR,
    OURS,
    SHORT,
    SHORTENED,
    SPELLED,
    SPELLS,
    THING_BEHIND,
    WHO,
    WHO_ENDS,
    is_name,
    is_odd,
    place_of,
    places_of,
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
SURVEYS = re.compile(r"\b(?:survey|review|perspective|overview|roadmap|position paper)\b", re.IGNORECASE)
FIRST_LETTER = re.compile(r"(?<![^\s-])[^\s-]")  # of each word
CAPITAL_TOO = re.compile(r"(?<![^\s-])[^\s-]|(?<=[A-Za-z])[A-Z]")  # and capitals inside of it
OF_OTHERS = re.compile(
    r"\b(?:upon|on|with|using|from|of|by|for|in|via|to|than|over|like)\s"
)  # `built upon a model (Pear)`
STUDIES = re.compile(r"\b(?:study|studies|effectiveness of|survey|review)\b", re.IGNORECASE)
VERSION = re.compile(r"\sv?\d+(?:\.\d+)*$")
SIZE = re.compile(r"\s\d+(?:\.\d+)?[BM](?:-A\d+(?:\.\d+)?B)?$")
LINKS = re.compile(LINK)
LONGEST_HEAD = 6  # words
SPELLED_OUT = 3  # words, at least
KIND = re.compile(r"\b(" + "|".join(sorted(KINDS, key=len, reverse=True)) + r")s?\b", re.IGNORECASE)
PHRASE_END = re.compile(r"[.;()]|\s(?:that|which|to|for|with|by|using|where|designed|capable)\s")


Named = tuple[str, SystemRule, float]  # a name, the rule that proposed it, its weight


class Proposal(Struct):
    """A proposed name with its weight; `order` is its place among the proposals."""

    name: str
    rule: SystemRule
    weight: float
    order: int


def system_of(title: str, abstract: str) -> System | None:
    """The main system of a paper; None where nothing is named."""
    return next(systems_of(pl.Series([title]), pl.Series([abstract])))


def systems_of(titles: pl.Series, abstracts: pl.Series) -> Iterator[System | None]:
    """The main system of each of many papers."""
    hooks = hooked(abstracts, INTRODUCES, CALLS, OUR, IS_A, SPELLS)
    for title, (abstract, places) in zip(titles, hooks, strict=True):
        yield _system_of(title[:LONGEST], abstract, places)


def _system_of(title: str, abstract: str, places: list[WordPlaces]) -> System | None:
    proposals: dict[str, Proposal] = {}
    *introduced, spelling = places
    sentences = (_of_sentence(*found, title, abstract) for found in _sentences(abstract, *introduced))
    named = chain(_of_title(title, abstract), *sentences, _spelled(abstract, spelling))  # the most trusted first
    for order, (name, rule, weight) in enumerate(named):
        known = proposals.setdefault(name, Proposal(name, rule, 0.0, order))
        known.weight = max(known.weight, weight) + (0.5 if known.weight else 0.0)
    for proposal in proposals.values():
        proposal.weight += support_of(proposal.name, title, abstract)
    placed = [one for one in proposals.values() if one.rule != "title"]
    if placed:
        min(placed, key=lambda one: place_of(one.name, abstract) % (len(abstract) + 1)).weight += FIRST
    best = max(proposals.values(), key=lambda one: (one.weight, -one.order), default=None)
    if best is None or best.weight < ENOUGH:
        return None
    in_title = place_of(best.name, title)
    start = in_title if in_title >= 0 else place_of(best.name, abstract)
    return System(
        name=best.name,
        kind=kind_of(best.name, title, abstract),
        field="title" if in_title >= 0 else "abstract",
        span_start=start,
        span_end=start + len(best.name),
        rule=best.rule,
    )


def _sentences(
    abstract: str, introducing: WordPlaces, calling: WordPlaces, of_ours: WordPlaces, defining: WordPlaces
) -> Iterator[tuple[re.Match[str], SystemRule, float]]:
    """The sentences that introduce a name, each with its rule and its weight."""
    for place in introducing:
        if not abstract.endswith(WHO_ENDS, 0, place - 1):
            continue
        verb = INTRODUCING.match(abstract, place)
        if verb and WHO.search(abstract, max(place - 40, 0), place):
            yield from _matched(INTRODUCED, abstract, [verb.end()], "introduced", 3.0)
            yield from _matched(DESCRIBED, abstract, [verb.end()], "described", 2.5)
            shortened = ABBREVIATED.match(abstract, verb.end())
            if shortened and _initials_agree(shortened["name"], shortened["full"], CAPITAL_TOO):
                yield shortened, "abbreviated", 3.0
            expanded = EXPANDED.match(abstract, verb.end())
            is_told_again = expanded and abstract.count(expanded["name"]) > 1
            if (
                expanded
                and (is_told_again or not expanded["name"].isupper())
                and _initials_agree(expanded["name"], expanded["full"], CAPITAL_TOO)
            ):
                yield expanded, "abbreviated", 2.5
    yield from _matched(CALLED, abstract, calling, "called", 2.5)
    yield from _matched(OURS, abstract, of_ours, "ours", 2.2)
    for place in defining:
        name = NAMED_BEFORE.search(abstract, max(place - 60, 0), place)
        if name and DEFINED.match(abstract, place):
            yield name, "defined", 1.5


def _spelled(abstract: str, places: WordPlaces) -> Iterator[Named]:
    """Names that are spelled out in parentheses: `X (Spelled Out Name)`."""
    for place in places:
        name, spelled = SHORTENED.search(abstract, max(place - 21, 0), place), SPELLED.match(abstract, place)
        if name and spelled and is_name(name["name"]) and _initials_agree(name["name"], spelled["full"]):
            yield name["name"], "abbreviated", 1.5


def _matched(
    pattern: re.Pattern[str], text: str, places: WordPlaces, rule: SystemRule, weight: float
) -> Iterator[tuple[re.Match[str], SystemRule, float]]:
    for place in places:
        found = pattern.match(text, place)
        if found:
            yield found, rule, weight


def _of_title(title: str, abstract: str) -> Iterator[Named]:
    head = HEAD.split(title, maxsplit=1)
    name = ARTICLE.sub("", head[0].strip())
    short = IN_PAREN.match(name)
    if short:
        yield short["name"], "abbreviated", 3.0
        name = short["full"]
    words = name.split()
    # The abbreviation that follows the head of the title in the abstract
    place = abstract.lower().find(f"{name.lower()} (") if len(words) + name.count("-") > 1 else -1
    behind = SHORT.match(abstract, place + len(name)) if place >= 0 else None
    if behind and is_name(behind["name"]):
        yield behind["name"], "abbreviated", 2.5
    plain = VERSION.sub("", name)
    if 0 < len(plain) < len(name) and place_of(name, abstract) < 0 <= place_of(plain, abstract):
        name, words = plain, plain.split()
    report = REPORT.match(name)
    if report and is_name(report["name"]):
        yield report["name"], "title", 4.0
    if len(head) == 1 or not words or len(words) > LONGEST_HEAD or not is_name(name):
        return
    if STUDIES.search(head[1]) and place_of(name, abstract) < 0:
        return
    if len(words) > 1 and (SURVEYS.search(head[1]) or is_phrase(words)):
        return
    if len(words) == 1:
        yield name, "title", 4.0 if is_odd(name) else 1.5
    elif place_of(name, abstract) >= 0 or place_of(name.lower(), abstract.lower()) >= 0:
        yield name, "title", 2.5


def is_phrase(words: list[str]) -> bool:
    """Whether most words of a head are written small, as those of a sentence are: `Reasoning over small objects`."""
    said = [word for word in words if not LINKS.fullmatch(word)]
    return 2 * sum(word.islower() for word in said) > len(said)


def _of_sentence(found: re.Match[str], rule: SystemRule, weight: float, title: str, abstract: str) -> Iterator[Named]:
    name = found["name"].rstrip("-}" if "{" not in found["name"] else "-")
    words = name.split()
    if ALSO.search(abstract, max(found.start() - 20, 0), found.start("name")):
        weight -= 1
    is_bracketed = rule == "described" and abstract.startswith(")", found.end("name"))
    if is_bracketed and OF_OTHERS.search(abstract, found.start(), found.start("name")):
        return
    if FINDING.search(name):
        weight -= 1
    name = shortened(name, abstract)
    words = name.split()
    thing = THING_BEHIND.match(abstract, found.end("name"))
    short = SHORT.match(abstract, thing.end() if thing else found.end("name"))
    if short and is_name(short["name"]) and (thing or len(words) > len(short["name"].split())):
        yield short["name"], "abbreviated", weight
        return
    is_listed = found[0].startswith("namely")  # `three of them, namely A, B and C`
    is_thing = rule in {"described", "ours"} and place_of(name, title) >= 0
    is_marked = found.groupdict().get("mark") or rule in {"called", "introduced"} or is_thing
    if is_name(name) and (len(words) > 1 or is_odd(name) or (is_marked and not is_listed)):
        yield name, rule, weight - (1.0 if len(words) > 1 else 0.0)


def shortened(name: str, abstract: str) -> str:
    """A name without its size or what it stands for, where the text goes on without: `Plum 30B`, `PLUM Tart Mix`."""
    one, _, other = name.partition(" and ")
    if other and " " not in one + other and is_odd(one) and is_odd(other):
        return one
    plain, (first, *rest) = SIZE.sub("", name), name.split()
    shorter = plain if plain != name else first if first.isupper() and len(rest) >= SPELLED_OUT else name
    return shorter if abstract.count(shorter) > abstract.count(name) else name


def support_of(name: str, title: str, abstract: str) -> float:
    """The weight of the evidence for a name, apart from its rule."""
    places = list(places_of(name, abstract))
    weight = min(len(places), 4) * 0.4 + (0.5 if is_odd(name) else 0.0)
    if place_of(name, title) >= 0:
        weight += 1.5
    elif _initials_agree(name, title):
        weight += 0.7
    return weight + (1.0 if any(DOES.match(abstract, place + len(name)) for place in places) else 0.0)


def _initials_agree(name: str, phrase: str, letters: re.Pattern[str] = FIRST_LETTER) -> bool:
    """Whether the capitals of a name are first letters of a phrase, in order: `EVOL-RL`, `FunBaT`."""
    capitals = [letter.lower() for letter in LETTER.findall(name)]
    initials = iter(letter.lower() for letter in letters.findall(phrase))
    return len(capitals) > 1 and all(capital in initials for capital in capitals)


def kind_of(name: str, title: str, abstract: str) -> SystemKind | None:
    """The kind of system, by the words after the name, else those before it, else the title."""
    if name.endswith(("Bench", "bench", "Benchmark")):
        return "benchmark"
    place = max(place_of(name, abstract), 0)
    behind = PHRASE_END.split(abstract[place + len(name) : place + len(name) + 120].lstrip(" )"), maxsplit=1)[0]
    ahead = abstract[max(place - 40, 0) : place].rpartition(". ")[2]
    named = HEAD.split(title, maxsplit=1)[-1] if place_of(name, title) >= 0 else ""
    for text in (behind, ahead, PHRASE_END.split(named, maxsplit=1)[0]):
        found = KIND.findall(text)
        if found:
            return KINDS[found[-1].lower()]
    return None
