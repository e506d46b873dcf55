"""Search by its documented rules (docs/search.md) in plain Python, to hold the SQL macros against: ASCII texts, known
words.

Of the product it uses the frozen basis, function words and spelling, which are data, and none of its sums.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import mul

import Stemmer

from transforms.search.terms import FUNCTION_WORDS, american
from transforms.search.vectors import basis

K1, B, AVERAGE = Fraction(9, 10), Fraction(6, 10), 170
STEMMER = Stemmer.Stemmer("english")


def words_in(text: str) -> list[str]:
    """The words of a text, as often as they are in it; a hyphenated word is its parts, and the parts joined."""
    found = []
    for token in re.findall(r"[a-z0-9]+(?:[-'][a-z0-9]+)*", text.lower()):
        parts = re.split("[-']", token.removesuffix("'s"))
        found += [*parts, "".join(parts)] if len(parts) > 1 else parts
    return found


def terms_in(text: str) -> list[str]:
    """The terms of a text, as often as they are in it."""
    return [STEMMER.stemWord(american(word)) for word in words_in(text) if word not in FUNCTION_WORDS]


class SearchOracle:
    """Ranks papers, given as id: (title, abstract)."""

    def __init__(self, papers: Mapping[str, tuple[str, str]]) -> None:
        self.words = {word for text in papers.values() for word in words_in(" ".join(text))}
        self.titles = {paper: title for paper, (title, _) in papers.items()}
        self.counts = {paper: Counter(terms_in(f"{title} {title} {rest}")) for paper, (title, rest) in papers.items()}
        self.holders = Counter(term for counts in self.counts.values() for term in counts)
        rows = basis().filter(basis()["term"].is_in(list(self.holders))).drop("is_common").iter_rows()
        self.meanings = {term: [scale * value for value in vector] for term, scale, vector in rows}

    def search(self, query: str) -> list[tuple[str, float]]:
        """The papers with a term of the query and their scores, the best first."""
        asked = set(terms_in(query)) & self.holders.keys()
        is_sentence = bool(FUNCTION_WORDS & self.words & set(words_in(query)))
        points = {paper: self._points(paper, asked) for paper, counts in self.counts.items() if asked & counts.keys()}
        if not is_sentence:  # times one, and the share of the words' rarity that the paper has
            whole = sum(map(self._rarity, asked))
            had = {paper: sum(map(self._rarity, asked & self.counts[paper].keys())) for paper in points}
            points = {paper: value * (whole + had[paper]) for paper, value in points.items()}
        meant = _vector(dict.fromkeys(asked & self.meanings.keys(), 1), self.meanings, 127)
        nearness = {paper: max(self._cosine(paper, meant), 0.0) for paper in points}
        most, nearest = max(points.values(), default=0), max(nearness.values(), default=0.0)
        scores = {
            paper: points[paper] / most + (0.6 if is_sentence else 0.2) * (nearness[paper] / (nearest or 1))
            for paper in points
        }
        for paper in points:
            if _letters(self.titles[paper]) == _letters(query):
                scores[paper] += 1
            elif len(_letters(query)) >= 8 and _letters(query) in _letters(self.titles[paper]):
                scores[paper] += 0.3 if points[paper] / most >= 0.5 else 0
        floor = max(scores.values(), default=0.0) * 0.4
        return sorted(
            ((paper, score) for paper, score in scores.items() if score >= floor),
            key=lambda found: (-found[1], found[0]),
        )

    def _points(self, paper: str, asked: set[str]) -> int:
        """BM25: of each term its rarity, an integer of 1/1024, times its weight, one of 1/100."""
        counts, total = self.counts[paper], 0
        damping = K1 * (1 - B + B * Fraction(counts.total(), AVERAGE))
        for term in asked & counts.keys():
            weight = 100 * (K1 + 1) * counts[term] / (counts[term] + damping)
            total += self._rarity(term) * math.floor(weight + Fraction(1, 2))
        return total

    def _rarity(self, term: str) -> int:
        has = self.holders[term]
        return round(1024 * math.log(1 + (len(self.counts) - has + 0.5) / (has + 0.5)))

    def _cosine(self, paper: str, meant: Sequence[int]) -> float:
        times = {term: round(8 * (1 + math.log(min(count, 16)))) for term, count in self.counts[paper].items()}
        vector = _vector(times, self.meanings, 31)
        return _product(vector, meant) / math.sqrt(_product(vector, vector) or 1)


def _vector(times: Mapping[str, int], meanings: Mapping[str, Sequence[int]], most: int) -> list[int]:
    """The sum of the terms' meanings, as integers of which the largest is `most`, halves away from zero."""
    sums = [0] * 256
    for term in times.keys() & meanings.keys():
        sums = [total + times[term] * value for total, value in zip(sums, meanings[term], strict=True)]
    largest = max(map(abs, sums)) or 1
    return [int(math.copysign(math.floor(Fraction(abs(one) * most, largest) + Fraction(1, 2)), one)) for one in sums]


def _product(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(map(mul, one, other))


def _letters(text: str) -> str:
    return re.sub("[^a-z0-9]", "", text.lower())
