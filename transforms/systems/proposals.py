"""The names that the sentences of an abstract propose for what it introduces, each with its rule and its weight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transforms.hooks import WordPlaces
from transforms.systems.naming import (
    ABBREVIATED,
    ALSO,
    CALLED,
    DEFINED,
    DESCRIBED,
    EXPANDED,
    FINDING,
    INTRODUCED,
    INTRODUCING,
    LETTER,
    NAMED_BEFORE,
    OURS,
    SHORT,
    SHORTENED,
    SPELLED,
    THING_BEHIND,
    WHO,
    WHO_ENDS,
    is_name,
    is_odd,
    place_of,
)
from warehouse.schema.core.claims import SystemRule

FIRST_LETTER = re.compile(r"(?<![^\s-])[^\s-]")  # of each word
CAPITAL_TOO = re.compile(r"(?<![^\s-])[^\s-]|(?<=[A-Za-z])[A-Z]")  # and capitals inside of it
OF_OTHERS = re.compile(
    r"\b(?:upon|on|with|using|from|of|by|for|in|via|to|than|over|like)\s"
)  # `built upon a model (Pear)`
SIZE = re.compile(r"\s\d+(?:\.\d+)?[BM](?:-A\d+(?:\.\d+)?B)?$")
SPELLED_OUT = 3  # words, at least
Named = tuple[str, SystemRule, float]  # a name, the rule that proposed it, its weight


def sentences_that_name(
    abstract: str, introducing: WordPlaces, calling: WordPlaces, of_ours: WordPlaces, defining: WordPlaces
) -> Iterator[tuple[re.Match[str], SystemRule, float]]:
    """The sentences that introduce a name, each with its rule and its weight."""
    for place in introducing:
        if not abstract.endswith(WHO_ENDS, 0, place - 1):
            continue
        verb = INTRODUCING.match(abstract, place)
        if verb and WHO.search(abstract, max(place - 40, 0), place):
            yield from matched(INTRODUCED, abstract, [verb.end()], "introduced", 3.0)
            yield from matched(DESCRIBED, abstract, [verb.end()], "described", 2.5)
            shortened = ABBREVIATED.match(abstract, verb.end())
            if shortened and initials_agree(shortened["name"], shortened["full"], CAPITAL_TOO):
                yield shortened, "abbreviated", 3.0
            expanded = EXPANDED.match(abstract, verb.end())
            is_told_again = expanded and abstract.count(expanded["name"]) > 1
            if (
                expanded
                and (is_told_again or not expanded["name"].isupper())
                and initials_agree(expanded["name"], expanded["full"], CAPITAL_TOO)
            ):
                yield expanded, "abbreviated", 2.5
    yield from matched(CALLED, abstract, calling, "called", 2.5)
    yield from matched(OURS, abstract, of_ours, "ours", 2.2)
    for place in defining:
        name = NAMED_BEFORE.search(abstract, max(place - 60, 0), place)
        if name and DEFINED.match(abstract, place):
            yield name, "defined", 1.5


def names_spelled_out(abstract: str, places: WordPlaces) -> Iterator[Named]:
    """Names that are spelled out in parentheses: `X (Spelled Out Name)`."""
    for place in places:
        name, spelled = SHORTENED.search(abstract, max(place - 21, 0), place), SPELLED.match(abstract, place)
        if name and spelled and is_name(name["name"]) and initials_agree(name["name"], spelled["full"]):
            yield name["name"], "abbreviated", 1.5


def matched(
    pattern: re.Pattern[str], text: str, places: WordPlaces, rule: SystemRule, weight: float
) -> Iterator[tuple[re.Match[str], SystemRule, float]]:
    for place in places:
        found = pattern.match(text, place)
        if found:
            yield found, rule, weight


def names_in(found: re.Match[str], rule: SystemRule, weight: float, title: str, abstract: str) -> Iterator[Named]:
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


def initials_agree(name: str, phrase: str, letters: re.Pattern[str] = FIRST_LETTER) -> bool:
    """Whether the capitals of a name are first letters of a phrase, in order: `EVOL-RL`, `FunBaT`."""
    capitals = [letter.lower() for letter in LETTER.findall(name)]
    initials = iter(letter.lower() for letter in letters.findall(phrase))
    return len(capitals) > 1 and all(capital in initials for capital in capitals)
