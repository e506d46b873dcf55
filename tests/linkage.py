"""Labelled pairs for record linkage, after DBLP-ACM: one work seen twice with noise, and works that only look alike.

Everything is invented: words of made-up syllables, or the sentences of tests/invented.py, in which every abstract
resembles every other. One seed, the same pairs.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import polars as pl

from tests.invented import ADJECTIVES, GIVEN, NOUNS, SENTENCES, TASKS
from transforms.identity.records import Index
from transforms.identity.resolve import Fetch, Resolved, described, resolved
from warehouse.schema.core.identity import IDENTITY_PAIRS, IDENTITY_RECORDS

NOTHING = Index(IDENTITY_RECORDS.empty(), IDENTITY_PAIRS.empty())

SCHEMA = {
    "arxiv_id": pl.String,
    "title": pl.String,
    "abstract": pl.String,
    "published_on": pl.Date,
    "author_count": pl.Int32,
    "authors": pl.List(pl.Struct({"name": pl.String})),
    "pair": pl.Int64,
}
ONSETS = [
    "b", "br", "c", "ch", "d", "dr", "f", "g", "gl", "h", "j", "k", "l", "m", "n", "p", "pr", "qu", "r", "s", "sh",
    "st", "t", "th", "tr", "v", "w", "z",
]  # fmt: skip
VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou", "io"]
CODAS = ["", "", "", "n", "r", "s", "l", "m", "nt", "rd", "st", "ck"]
SMALL = ["the", "of", "for", "with", "and", "in", "to", "we", "that", "is", "by", "on", "a", "an", "from"]
GREEK = {"alpha": r"$\alpha$", "ell": r"$\ell_p$", "times": r"2.61$\times$", "nabla": r"$\nabla$"}
MACROS = (r"\texttt{{{}}}", r"\textbf{{{}}}", r"$\mathcal{{{}}}$", r"\emph{{{}}}")


@dataclass(frozen=True)
class Work:
    title: str
    abstract: str | None
    authors: tuple[str, ...]
    published_on: date


@dataclass(frozen=True)
class Pair:
    """`left` may bear an arXiv id, `right` does not; `kind` is how they differ, or why they are two."""

    left: dict[str, Any]
    right: dict[str, Any]
    is_same: bool
    kind: str


class Maker:
    """Invents works and shows them with noise."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.words = sorted({self._word() for _ in range(4000)})
        self.families = sorted({self._word().title() for _ in range(300)})

    def _word(self) -> str:
        syllables = self.dice.choices([2, 3, 4], [5, 4, 1])[0]
        pick = self.dice.choice
        return "".join(pick(ONSETS) + pick(VOWELS) + pick(CODAS) for _ in range(syllables))

    def said(self, count: int) -> list[str]:
        """Words as a text has them: some common, most rare."""
        dice = self.dice
        return [
            dice.choice(SMALL) if dice.random() < 0.35 else self.words[int(len(self.words) * dice.random() ** 2)]
            for _ in range(count)
        ]

    def work(self) -> Work:
        dice = self.dice
        authors = tuple(f"{dice.choice(GIVEN)} {dice.choice(self.families)}" for _ in range(dice.randint(1, 12)))
        published_on = date(2017, 1, 1) + timedelta(days=dice.randrange(3300))
        if dice.random() < 0.1:
            resembling = (
                f"{dice.choice(ADJECTIVES)} {dice.choice(NOUNS)} of {self._word().title()} for {dice.choice(TASKS)}"
            )
            return Work(resembling, self._resembling_abstract(), authors, published_on)
        title = " ".join(self.said(dice.randint(4, 12))).title()
        if dice.random() < 0.3:
            title = f"{self._word().title()}{dice.choice(['', '-2', '3D'])}: {title}"
        if dice.random() < 0.15:
            title = f"{title} with {dice.choice(list(GREEK.values()))} {self._word().title()}"
        sentences = [" ".join(self.said(dice.randint(8, 26))).capitalize() for _ in range(dice.randint(4, 9))]
        return Work(title, ". ".join(sentences) + ".", authors, published_on)

    def _resembling_abstract(self) -> str:
        dice = self.dice
        chosen = dice.sample(SENTENCES, 5) + [f"Here {' '.join(self.said(12))}." for _ in range(4)]
        return " ".join(
            line.format(
                noun=dice.choice(NOUNS).lower(),
                task=dice.choice(TASKS).lower(),
                number=dice.randint(2, 90),
                adjective=dice.choice(ADJECTIVES).lower(),
            )
            for line in chosen
        )

    def slip(self, text: str) -> str:
        """One letter lost, doubled, exchanged or replaced."""
        places = [place for place, letter in enumerate(text[:-1]) if letter.isalpha() and text[place + 1].isalpha()]
        if not places:
            return text
        at = self.dice.choice(places)
        other = self.dice.choice("abcdefghijklmnopqrstuvwxyz")
        middle = self.dice.choice(["", text[at] * 2, text[at + 1] + text[at], other])
        return text[:at] + middle + text[at + (2 if len(middle) == 2 and middle[0] != middle[1] else 1) :]

    def retitled(self, title: str) -> tuple[str, str]:
        """A title as another page may show it, and how it was changed."""
        noises: dict[str, Callable[[str], str]] = {
            "same": lambda text: text,
            "case": lambda text: self.dice.choice([text.lower(), text.upper(), text.capitalize()]),
            "slip": self.slip,
            "slips": lambda text: self.slip(self.slip(text)),
            "latex": lambda text: text.replace("$", "").replace("\\", ""),
            "macro": self._with_macro,
            "punctuation": lambda text: text.replace(":", " \N{EN DASH}").replace("-", "\N{HYPHEN}") + ".",
            "spaces eaten": self._joined,
            "word lost": self._with_word_lost,
            "accents": lambda text: text.replace("e", "\N{LATIN SMALL LETTER E WITH ACUTE}", 1),
            "subtitle": lambda text: text.partition(": ")[0] if len(text.partition(": ")[0]) > 11 else text,
        }
        kind = self.dice.choice(list(noises))
        return noises[kind](title), kind

    def _with_macro(self, title: str) -> str:
        words = title.split(" ")
        at = self.dice.randrange(len(words))
        words[at] = self.dice.choice(MACROS).format(words[at])
        return " ".join(words)

    def _joined(self, title: str) -> str:
        words = title.split(" ")
        at = self.dice.randrange(1, len(words)) if len(words) > 1 else 1
        return " ".join(words[:at]) + " ".join(words[at:])

    def _with_word_lost(self, title: str) -> str:
        words = title.split(" ")
        if len(words) > 4:
            del words[self.dice.randrange(len(words))]
        return " ".join(words)

    def retold(self, abstract: str | None) -> str | None:
        """An abstract as another page may show it."""
        if abstract is None:
            return None
        noise = self.dice.choices(["same", "truncated", "slips", "latex", "glued", "missing"], [4, 3, 3, 2, 1, 1])[0]
        words = abstract.split(" ")
        if noise == "truncated":
            return " ".join(words[: max(8, int(len(words) * self.dice.uniform(0.15, 0.9)))]) + "..."
        if noise == "slips":
            return " ".join(self.slip(word) if self.dice.random() < 0.06 else word for word in words)
        if noise == "latex":
            return " ".join(f"{{{word}}}" if self.dice.random() < 0.05 else word for word in words).replace(",", "")
        if noise == "glued":
            return "".join(word + (" " if self.dice.random() > 0.08 else "") for word in words)
        return None if noise == "missing" else abstract

    def again(self, work: Work) -> tuple[Work, str]:
        """The same work on another page."""
        dice = self.dice
        title, kind = self.retitled(work.title)
        authors = list(work.authors)
        if dice.random() < 0.5:
            dice.shuffle(authors)
        if dice.random() < 0.3:
            authors = [f"{name[0]}. {name.split(' ')[-1]}" for name in authors]
        days = dice.choices([0, 1, -1, 365], [80, 7, 7, 6])[0]
        published_on = work.published_on + timedelta(days=days)
        return Work(title, self.retold(work.abstract), tuple(authors), published_on), kind

    def other(self, work: Work) -> tuple[Work, str]:
        """Another work that looks like this one."""
        dice, stranger = self.dice, self.work()
        kind = dice.choice(["twin", "twin", "part", "sibling"])
        if kind == "twin":
            return replace(stranger, title=dice.choice([work.title, work.title.lower(), f"{work.title}."])), kind
        if kind == "part":
            return replace(stranger, title=f"{work.title} {dice.randint(2, 9)}", authors=work.authors), kind
        words = work.title.split(" ")
        words[dice.randrange(len(words))] = self._word().title()
        return replace(stranger, title=" ".join(words), authors=work.authors), kind


def labelled_pairs(seed: int, count: int) -> list[Pair]:
    """`count` pairs, half of them one work, the rest works that look alike."""
    maker = Maker(seed)
    pairs = []
    for number in range(count):
        work = maker.work()
        is_same = number % 2 == 0
        other, kind = maker.again(work) if is_same else maker.other(work)
        identifier = f"{17 + number // 9999 % 10}05.{number % 9999 + 1:05d}" if maker.dice.random() < 0.7 else None
        shown = maker.dice.choice(["names", "count", "date", "both", "nothing"])
        pairs.append(Pair(_row(work, identifier, number, "names"), _row(other, None, number, shown), is_same, kind))
    return pairs


def _row(work: Work, arxiv_id: str | None, pair: int, shown: str) -> dict[str, Any]:
    return {
        "arxiv_id": arxiv_id,
        "title": " ".join(work.title.split()),
        "abstract": work.abstract,
        "published_on": work.published_on if shown in {"names", "date", "both"} else None,
        "author_count": len(work.authors) if shown in {"names", "count", "both"} else None,
        "authors": [{"name": name} for name in work.authors] if shown == "names" else None,
        "pair": pair,
    }


def sightings_of(pairs: list[Pair]) -> pl.DataFrame:
    """All pairs in one frame, the left ones first."""
    return pl.DataFrame([pair.left for pair in pairs] + [pair.right for pair in pairs], schema=SCHEMA)


def quality(pairs: list[Pair], paper_ids: list[str]) -> tuple[float, float]:
    """Precision and recall over all pairs of sightings, those across labelled pairs included."""
    works = [pair.left["pair"] for pair in pairs]
    works += [pair.left["pair"] if pair.is_same else -1 - pair.left["pair"] for pair in pairs]
    sizes = pl.DataFrame({"work": works, "paper": paper_ids}).group_by("work", "paper").len()

    def count(of: pl.DataFrame) -> int:
        return int((of["len"] * (of["len"] - 1)).sum()) // 2

    right, said, true = (count(frame) for frame in (sizes, _summed(sizes, "paper"), _summed(sizes, "work")))
    return right / said, right / true


def _summed(sizes: pl.DataFrame, name: str) -> pl.DataFrame:
    return sizes.group_by(name).agg(pl.col("len").cast(pl.Int64).sum())


def resolve(sightings: pl.DataFrame, known: Index = NOTHING, fetch: Fetch | None = None) -> Resolved:
    """The papers of these sightings, with or without an arXiv id, as a build finds them."""
    plain = sightings.drop("paper_id", strict=False)
    stated = plain.with_columns(paper_id="arxiv_id")
    held = fetch or (lambda _: stated.clear())

    def shown(papers: pl.Series) -> pl.DataFrame:
        return pl.concat([held(papers), stated.filter(pl.col("paper_id").is_in(papers.implode()))], how="diagonal")

    return resolved(described(plain, known.records, held), plain, known, shown)


def identify(sightings: pl.DataFrame) -> pl.DataFrame:
    """These sightings, each with its `paper_id`."""
    return resolve(sightings).sightings
