"""The names that the sentences of an abstract propose for what it introduces, each with its rule and its weight."""

import re
from collections.abc import Iterator

from transforms.hooks import WordPlaces
from transforms.names import naming
from warehouse.schema.core.claims import SystemRule

FIRST_LETTER = re.compile(r"(?<![^\s-])[^\s-]")  # of each word
CAPITAL_TOO = re.compile(r"(?<![^\s-])[^\s-]|(?<=[A-Za-z])[A-Z]")  # and capitals inside of it
OF_OTHERS = re.compile(
    r"\b(?:upon|on|with|using|from|of|by|for|in|via|to|than|over|like)\s"
)  # `built upon a model (Pear)`
DASHED = re.compile(r"-(?:the|an?|our)$")  # of the words behind a dash: `we introduce Plum-the largest …`
SIZE = re.compile(r"\s\d+(?:\.\d+)?[BM](?:-A\d+(?:\.\d+)?B)?$")
# What is observed and given a name: `a phenomenon that we call X`
FOUND = re.compile(
    r"\b(?:phenomen(?:on|a)|issues?|problems?|effects?|gap|failures?|bias|tendency|collapse|challenges?|risks?"
    r"|refer to this)\b[^.]*$"
)
# `(FN), a metric that`, `(FN), which measures`
METRIC_BEHIND = re.compile(
    r"\)?,?\s(?:which\s(?:measures|quantifies)|an?\s(?:[\w-]{1,20}+\s){0,3}(?:metric|measure|score)\b)"
)
# `experiments show that X outperforms`
SHOWN = re.compile(
    rf"\b(?:show|demonstrate|indicate|confirm|verify|reveal|find)s?\s(?:that\s)?{naming.OPEN}(?P<name>{naming.NAME})"
    r"\s(?:[a-z]{3,14}ly\s)?(?:achiev|outperform|improv|surpass|reduc|yield|enhanc|deliver|attain|exceed)"
)
# `Plum Trees for better orchards (PTBO)`: a name that goes on in small letters
LONGER = re.compile(r"(?P<rest>(?:\s[\w-]{1,20}+){1,5})\s\((?P<name>[A-Z][\w-]{1,15}+)\)")
FAR = 110  # code points: as far as that may stand behind
SPELLED_OUT = 3  # words, at least
Named = tuple[str, SystemRule, float]  # a name, the rule that proposed it, its weight


def sentences_that_name(
    abstract: str, introducing: WordPlaces, calling: WordPlaces, of_ours: WordPlaces, defining: WordPlaces
) -> Iterator[tuple[re.Match[str], SystemRule, float]]:
    """The sentences that introduce a name, each with its rule and its weight."""
    for place in introducing:
        if not abstract.endswith(naming.WHO_ENDS, 0, place - 1):
            continue
        verb = naming.INTRODUCING.match(abstract, place)
        is_said = abstract.endswith(naming.WHO_ALONE, 0, place) or naming.WHO.search(
            abstract, max(place - 40, 0), place
        )
        if verb and is_said:
            yield from matched(naming.INTRODUCED, abstract, [verb.end()], "introduced", 3.0)
            yield from matched(naming.DESCRIBED, abstract, [verb.end()], "described", 2.5)
            shortened = naming.ABBREVIATED.match(abstract, verb.end())
            if shortened and initials_agree(shortened["name"], shortened["full"], CAPITAL_TOO):
                yield shortened, "abbreviated", 3.0
            expanded = naming.EXPANDED.match(abstract, verb.end())
            is_told_again = expanded and abstract.count(expanded["name"]) > 1
            if (
                expanded
                and (is_told_again or not expanded["name"].isupper())
                and initials_agree(expanded["name"], expanded["full"], CAPITAL_TOO)
            ):
                yield expanded, "abbreviated", 2.5
    yield from matched(naming.CALLED, abstract, calling, "called", 2.5)
    for shortened, _, weight in matched(naming.CALLED_IN_FULL, abstract, calling, "abbreviated", 2.5):
        if initials_agree(shortened["name"], shortened["full"], CAPITAL_TOO):
            yield shortened, "abbreviated", weight
    yield from matched(naming.OURS, abstract, of_ours, "ours", 2.2)
    for place in defining:
        name = naming.NAMED_BEFORE.search(abstract, max(place - 60, 0), place)
        if name and naming.DEFINED.match(abstract, place):
            yield name, "defined", 1.5


def names_spelled_out(abstract: str, places: WordPlaces) -> Iterator[Named]:
    """Names that are spelled out in parentheses: `X (Spelled Out Name)`."""
    for place in places:
        name, spelled = (
            naming.SHORTENED.search(abstract, max(place - 21, 0), place),
            naming.SPELLED.match(abstract, place),
        )
        if name and spelled and naming.is_name(name["name"]) and initials_agree(name["name"], spelled["full"]):
            yield name["name"], "abbreviated", 1.5


def names_shown(abstract: str) -> Iterator[Named]:
    """Names that nothing introduces, and that are shown to do better."""
    for found in SHOWN.finditer(abstract):
        if naming.is_name(found["name"]) and naming.is_odd(found["name"]):
            yield found["name"], "shown", 0.7


def matched(
    pattern: re.Pattern[str], text: str, places: WordPlaces, rule: SystemRule, weight: float
) -> Iterator[tuple[re.Match[str], SystemRule, float]]:
    for place in places:
        found = pattern.match(text, place)
        if found:
            yield found, rule, weight


def names_in(found: re.Match[str], rule: SystemRule, weight: float, title: str, abstract: str) -> Iterator[Named]:
    name = DASHED.sub("", found["name"].rstrip("-'\u2019}" if "{" not in found["name"] else "-"))
    short = naming.SHORT.match(abstract, found.end("name"))
    if is_of_others(found, rule, abstract) or (rule == "described" and short and short["name"] in naming.SHARED):
        return
    end = short.end("name") if short else found.end("name")
    ahead = max(found.start() - 20, 0), found.start("name")
    said = abstract[slice(*ahead)].lower()
    if any(word in said for word in naming.ALSO_HOOKS) and naming.ALSO.search(abstract, *ahead):
        weight -= 1
    if naming.FINDING.search(found.groupdict().get("full", name).rstrip()):
        weight -= 1
    if METRIC_BEHIND.match(abstract, end):
        weight -= 1
    if found.groupdict().get("far") and not naming.is_odd(name):
        return  # `we propose Bayesian plum trees models`
    name = shortened(name, abstract)
    abbreviation = abbreviation_behind(name, short, abstract, found.end("name"))
    if abbreviation:
        yield abbreviation, "abbreviated", weight
        return
    is_long = " " in name
    is_listed = found[0].startswith("namely")  # `three of them, namely A, B and C`
    is_thing = rule in {"described", "ours"} and naming.place_of(name, title) >= 0
    is_marked = found.groupdict().get("mark") or rule in {"called", "introduced"} or is_thing
    if naming.is_name(name) and (is_long or naming.is_odd(name) or (is_marked and not is_listed)):
        yield name, rule, weight - (1.0 if is_long else 0.0)


def is_of_others(found: re.Match[str], rule: SystemRule, abstract: str) -> bool:
    """Whether a name is of what was observed, or of another's work that this one is built with."""
    start = found.start("name")
    if rule == "called":
        return FOUND.search(abstract, max(found.start() - 60, 0), start) is not None
    is_bracketed = rule == "described" and abstract.startswith(")", found.end("name"))
    return is_bracketed and OF_OTHERS.search(abstract, found.start(), start) is not None


def abbreviation_behind(name: str, short: re.Match[str] | None, abstract: str, end: int) -> str | None:
    """The abbreviation in parentheses behind a name, or behind the words that the name goes on with."""
    if abstract.find("(", end, end + FAR) < 0:
        return None
    thing = None if short else naming.THING_BEHIND.match(abstract, end)
    short = naming.SHORT.match(abstract, thing.end()) if thing else short
    if short and naming.is_name(short["name"]) and (thing or name.count(" ") > short["name"].count(" ")):
        return short["name"].rstrip("-")
    longer = LONGER.match(abstract, end)
    if longer and naming.is_name(longer["name"]) and initials_agree(longer["name"], name + longer["rest"], CAPITAL_TOO):
        return longer["name"]
    return None


def shortened(name: str, abstract: str) -> str:
    """A name without its size or what it stands for, where the text goes on without: `Plum 30B`, `PLUM Tart Mix`."""
    one, _, other = name.partition(" and ")
    if other and " " not in one + other and naming.is_odd(one) and naming.is_odd(other):
        return one
    plain, (first, *rest) = SIZE.sub("", name), name.split()
    shorter = plain if plain != name else first if first.isupper() and len(rest) >= SPELLED_OUT else name
    return shorter if abstract.count(shorter) > abstract.count(name) else name


def initials_agree(name: str, phrase: str, letters: re.Pattern[str] = FIRST_LETTER) -> bool:
    """Whether the capitals of a name are first letters of a phrase, in order: `EVOL-RL`, `FunBaT`."""
    capitals = [letter.lower() for letter in naming.LETTER.findall(name)]
    initials = iter(letter.lower() for letter in letters.findall(phrase))
    return len(capitals) > 1 and all(capital in initials for capital in capitals)
