"""Comparators, the works that a claim is compared with: `than X`, `compared to X`, `outperforms X by`."""

import re

from transforms.claims.claim_row import Claim
from transforms.hooks import last_match
from transforms.names.declared_names import Span
from transforms.numbers.series import Series
from warehouse.schema.core.claims import Direction

# Words that introduce what is compared with. `over` also means `more than`, `in` and `for`: see NOT_COMPARED
LEADS = re.compile(
    r"\b(?:compar(?:ed|ing|ison) (?:to|with|against)|in comparison (?:to|with)|(?:than|versus|over|against"
    r"|relative to|with respect to|in contrast to)|vs\.?)\s(?:both )?(?:that of |those of |using |with |when using )?"
)
SURPASSES = re.compile(
    r"\b(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beat(?:s|ing)?|outpac(?:es|ed|ing)"
    r"|improv(?:es|ed|ing) (?:up)?on|improv(?:es|ed|ing) over|improvements? upon|lags? behind|underperform(?:s|ed|ing)?"
    r"|f(?:all(?:s|ing)?|ell) short of|trail(?:s|ing)?|match(?:es|ed|ing)?)\s(?:both\s)?"
)
FROM_OF = re.compile(r"\bfrom\s(?P<name>[A-Z][\w-]{0,30}+)(?:'s)?\s[\d.]{1,6}\\?%?\sto\s$")
# The end of the phrase that names what is compared with
STOP = re.compile(
    r"[,;:]\s|\ssuch\sas\b|\s\((?=e\.g|i\.e)|[.?!](?:\s|$)|\s\((?=\d|[^()]{0,30}(?:\d[\d.]*\\?%|\s\d+\.\d))|\s\((?![^()]{1,20}\)(?:\s[a-z]"
    r"|[,.]))|\s[-\u2013\u2014]{1,3}\s|\u2014|(?<!\bbased)\s(?:by|on|in"
    r"|with|while|when|at|for|across|under|using|without|during|as|that|which|where|to|from(?!\sscratch)|after|before"
    r"|respectively|via|and\s(?:\w+(?:s|ing|ed)\s|an?\s|up\s|by\s|is|on|\d)|whose|but|yet|despite|whereas|depending"
    r"|because|is|are|if|per|within|through|especially|achiev\w+|requir\w+|running|trained(?!\sfrom\sscratch)|evaluated|averaged)\b"
    r"|(?<=baseline)\sand\b|(?<=baselines)\sand\b"
    r"|\s\d+\.\d+(?=[),.;]|$)|\s[~<>]?\d[\d.,]*(?:[%x]|times|\s(?![A-Z][a-z]))(?!(?:\w{1,12}\s)?(?:baselines?|models?)\b)|$"
)
GOES_ON = re.compile(r"\s(?:adopted|used|proposed|provided|offered|made)$")
LEADING = re.compile(r"(?:the (?:performance|quality|accuracy|results?) of |the latest )")
NOT_COMPARED = re.compile(
    r"(?:\(|[+-]\d|[AHBVLT]\d{2,4}s?\b"
    r"|(?:on|in|for|of|or)\b|enough|being|a speed-?up of|\d|~|all|the (?:ranges?|tested|course|past"
    r"|last|next(?! best)|entire|full\b(?!-| attention)|whole|same)"
    r"|time|multiple|several|many|various|diverse|different|both|each|every|a (?:range|set|wide|period|variety|span)"
    r"|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred|two|a half|half|one\b(?! )|long|it\b"
    r"|them\b|more|an?\s(?:\w+\s)?(?:dataset|benchmark|million|billion|hundred|thousand)|billions|thousands|hundreds"
    r"|time|expected|usual|ever|previously|any other|before|that\b|which|this)"
)
LOOSE_END = re.compile(r"(?:\s(?:level )?(?:accuracy|performance)|\s(?:and|of|or|the|with|a|like)|'s|[\s.,;)])+$")
OPENS = re.compile(r"\b(?:[Cc]ompar(?:ed|ing)|[Ii]n comparison|[Rr]elative)\s(?:to|with|against)\s")
IMPROVED = re.compile(
    r"\b(?:improv|boost|lift|rais|enhanc|accelerat|reduc|cut|decreas)(?:es|s|ing|ed|e|ting)?\s(?:[^.;,\d]{1,60}\sof\s)?"
    r"(?P<name>(?:the|our|a|its|strong|existing|all)\s(?:[\w.+-]{1,30}\s){0,3}?(?:baselines?(?:\sresults?)?"
    r"|models?)|(?=[\w.]*[\d-])[A-Z][\w.-]{3,40})(?:'s\s[^.;,\d]{1,40}?)?\s(?:by|from)\s[^.;,]{0,40}$"
)
AGAINST = re.compile(r"\bagainst\s(?P<name>[^,;.]{2,60}?)\s(?:of|is|reaches)\s$")
BETTER_THAN = re.compile(r"\b(?:improvements?|gains?|advantages?)\sover\s(?=[^.;\d]{1,150}$)")
PARTICIPLE = re.compile(
    r"(?:,|\sand|\swhile)\s(?:[a-z]+ly\s|even\s|thereby\s|thus\s|far\s|well\s){0,2}"
    r"(?:outperforming|surpassing|exceeding|beating|outpacing|approaching|matching|beyond|below|above)\s(?:both\s)?"
)
VERSUS = re.compile(
    r"(?:\s[a-z]{2,12}){0,2}\s(?:versus|vs\.?|compared (?:to|with))\s(?:only\s"
    r"|just\s)?\d[\d.,]*\\?%?\s(?:[a-z]{3,14}\s)?(?:for|of|by|with)\s"
)
BY = re.compile(r"\bby\s(?:up to\s|over\s|an average of\s|about\s|around\s)?$")
DIGIT, CLAUSE_END = re.compile(r"\d"), re.compile(r"[,;)]\s")
# Between two numbers of one verb: `by 5.7% in one and, notably, by 13.9%`, `and 3.2x on the other`
SAME = re.compile(
    r"(?:\)?,?\s(?:\([\w@. -]{1,30}\)|[\w@./-]{1,24})){0,8}(?:,|,?\sand)\s(?:notably,\s)?(?:by\s|up to\s)?\+?"
)
# `surpasses X by 3% and Y by 4%`
AND_ANOTHER = re.compile(
    r"\sand\s(?!\w+(?:s|ed|ing)\s|over\s)(?P<name>[^,;.\d]{2,60})\sby\s(?:up to\s|over\s|about\s)?\+?$"
)
BOTH, RESPECTIVELY = 2, re.compile(r",?\srespectively")
NEAR = 120  # code points at most between a preposition and a number that follows with `by`
BEHIND = 220  # code points at most between a verb or a preposition and its number
REACH = 400  # code points: nothing farther away is taken for what a number is compared with
LONGEST = 90
EMPTY = {"the", "a", "an", "our", "its", "their", "previous", "prior", "existing", "state", "all", "uniform"}


def comparator_of(text: str, series: Series, direction: Direction | None, previous: Claim | None) -> Span | None:
    """Where the words are that name what a series is compared with; None where the sentence does not say.

    Words before the `previous` claim belong to that one, unless one verb governs both.
    """
    first, last = series.figures[0].start, series.last.end
    start, end = max(series.sentence[0], first - REACH), min(series.sentence[1], last + REACH)
    moved = FROM_OF.search(text, max(start, series.last.start - 50), series.last.start)
    if moved:
        return moved.span("name")
    limit = end if direction != "level" else _before(CLAUSE_END, text, last, end)
    since = max(start, previous.span_end) if previous else start
    surpassed = last_match(SURPASSES, text, max(since, first - BEHIND), first)  # `outperforms X by 2x`
    if surpassed and "; " in text[surpassed.end() : first]:
        surpassed = None
    is_verb = previous and previous.comparator_span and text.startswith(" by ", previous.comparator_span[1])
    is_by = direction != "level" and BY.search(text, max(first - 20, 0), first)  # `over X by 2x`
    return (
        _led_to(text, last, _before(DIGIT, text, last, end))
        or _behind(surpassed)
        or (_name_in(AND_ANOTHER.search(text, since, first)) if is_verb else None)
        or _led_to(text, last, limit)
        or (previous.comparator_span if previous and SAME.fullmatch(text, since, first) else None)
        or (_led_to(text, max(since, first - NEAR), first) if is_by else None)
        or _behind(VERSUS.match(text, last, end))  # `31% versus 4% for X`
        # `reaches 61% on this and 42% on that, outperforming X`, of what is reached, not of what changes
        or (_behind(PARTICIPLE.search(text, last, end)) if direction == "level" else None)
        or _name_in(IMPROVED.search(text, max(since, first - NEAR), first))  # `improves X by 3 points`
        or _name_in(AGAINST.search(text, max(since, first - NEAR), first))  # `a win rate against X of 48%`
        # `improvements over X, with gains of 3%`
        or _behind(BETTER_THAN.search(text, max(since, first - BEHIND), first))
        or _behind(OPENS.search(text, start, first))  # what the sentence begins with: `Compared to X, …`
    )


def each_of(text: str, span: Span, count: int) -> list[Span]:
    """One comparator for each of as many figures: `by 16% and 6% over Pear and Fig, respectively`, else the same."""
    start, end = span
    first, _, second = text[start:end].partition(" and ")
    is_each = count == BOTH and second and not {"and", "of"} & {*second.split()} and RESPECTIVELY.match(text, end)
    return [(start, start + len(first.rstrip("-"))), (end - len(second), end)] if is_each else [span] * count


def _before(pattern: re.Pattern[str], text: str, place: int, end: int) -> int:
    found = pattern.search(text, place, end)
    return found.start() if found else end


def _led_to(text: str, start: int, end: int) -> Span | None:
    """The phrase after the first preposition that is followed by one: `than X`."""
    for found in LEADS.finditer(text, start, end):
        phrase = _phrase(text, found.end())
        if phrase:
            return phrase
    return None


def _behind(found: re.Match[str] | None) -> Span | None:
    """The phrase right behind what was found, if anything was."""
    return _phrase(found.string, found.end()) if found else None


def _name_in(found: re.Match[str] | None) -> Span | None:
    return found.span("name") if found else None


def _phrase(text: str, start: int) -> Span | None:
    """The phrase that begins at a place; None where that names nothing one compares with."""
    leading = LEADING.match(text, start)
    start = leading.end() if leading else start
    if NOT_COMPARED.match(text, start):
        return None
    for stop in STOP.finditer(text, start, start + LONGEST + 20):
        phrase = text[start : stop.start()]
        opened, closed = phrase.find("("), phrase.find(")")
        phrase = LOOSE_END.sub("", phrase[:closed] if closed > 0 and not 0 <= opened < closed else phrase)
        if not GOES_ON.search(phrase):
            is_told = 1 < len(phrase) <= LONGEST and phrase.lower() not in EMPTY
            is_open = phrase.count("(") > phrase.count(")") and text.startswith(")", start + len(phrase))
            return (start, start + len(phrase) + is_open) if is_told else None
    return None
