"""Texts that fit the abstract of another item of their page better than their own.

A word counts the less, the more abstracts of the page have it. Words are numbers here, and those of all texts are
sorted at once: less than half of the work of cutting them out, and joining them, as texts.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

FEWEST: Final = 3  # items of a page; beside fewer no text is judged
COMMON: Final = 20  # abstracts of a page with a word; one that more have is not looked for, which bounds the work
BETTER: Final = 1.5  # times as well as its own abstract must another fit a text
ROUNDING: Final = 1e-9  # of sums of the same weights in another order
LEAST: Final = 4  # letters of a word
STEM: Final = 6  # letters that are compared, so that "ranking" fits "ranked"

# Letters and digits are counted from 1, and all else is 0, so that 32 bits hold a stem
ALPHABET: Final = b"abcdefghijklmnopqrstuvwxyz0123456789"
COUNTED: Final = bytes(ALPHABET.find(byte) + 1 for byte in range(256))
BASE: Final = np.uint32(len(ALPHABET) + 1)
BITS: Final = np.uint64(32)

Integers: TypeAlias = npt.NDArray[Any]  # of any width, and flags


def misfits(rows: pl.DataFrame, texts: Mapping[str, pl.Expr]) -> dict[str, pl.Series]:
    """By text, the rows in which it has no word of its own abstract, or fits that of another item far better."""
    said = rows.select("row", "capture_id", "abstract", **texts)
    judged = said.filter(pl.col("abstract").count().over("capture_id") >= FEWEST).sort("capture_id", "row")
    if judged.is_empty():
        return dict.fromkeys(texts, judged["row"])
    width = 1 + len(texts)
    words = words_of(judged.select("abstract", *texts))
    row, place = np.divmod(misfitting(words, judged["capture_id"].rle_id().to_numpy(), width), width)
    return {name: judged["row"].gather(row[place == number]) for number, name in enumerate(texts, 1)}


def words_of(texts: pl.DataFrame) -> Integers:
    """The words of all texts, each once a text, in order: the number of its stem, then that of its text in 32 bits.

    Texts are numbered row by row.
    """
    lower = pl.all().fill_null("").str.to_lowercase() + " "  # so that no word goes on in the next text
    _, ends, data = pl.concat(texts.select(lower).iter_columns()).to_arrow().buffers()
    letters = np.frombuffer(data.to_pybytes().translate(COUNTED), np.uint8)
    first = _beginnings(letters > 0)
    numbers = np.arange(texts.height * texts.width, dtype=np.uint64).reshape(texts.shape).T.ravel()
    text = np.repeat(numbers, np.diff(np.searchsorted(first, np.frombuffer(ends, np.int64))))
    words = pl.Series(_stems(letters, first).astype(np.uint64) << BITS | text).sort().to_numpy()
    return words[_is_new(words)]


def _beginnings(is_letter: Integers) -> Integers:
    """Where words begin: at letters with none before them, and enough behind."""
    starts = np.empty_like(is_letter)
    starts[:1] = is_letter[:1]
    np.greater(is_letter[1:], is_letter[:-1], out=starts[1:])
    for place in range(1, LEAST):
        starts[:-place] &= is_letter[place:]
    return np.flatnonzero(starts)


def _stems(letters: Integers, first: Integers) -> Integers:
    """The numbers of the stems of the words that begin at these places."""
    stems = letters.take(first).astype(np.uint32)
    for place in range(1, STEM):
        letter = letters[place:].take(first, mode="clip")  # what is behind the last word is 0
        stems = stems * BASE + (letter * (stems % BASE > 0) if place > LEAST else letter)
    return stems


def _is_new(numbers: Integers) -> Integers:
    """Whether each of some ordered numbers differs from the one before it."""
    is_new = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=is_new[1:])
    return is_new


def misfitting(words: Integers, page: Integers, width: int) -> Integers:
    """The numbers of the texts that do not fit. Each row has a `page`, and `width` texts, the first its abstract."""
    text = words.astype(np.uint32)
    row, place = np.divmod(text, np.uint32(width))
    in_page = np.cumsum(_is_new(words >> BITS << BITS | page[row])) - 1  # the number of a word of a page
    held_by = np.bincount(in_page, place == 0)
    said, held = np.flatnonzero(place), np.flatnonzero((place == 0) & (held_by <= COMMON)[in_page])
    is_own = _are_own(words, said, place[said], width)
    text, word = text[said], in_page[said]
    count = held_by[word]
    weight = np.divide(1, count, out=np.zeros(len(said)), where=count > 0)
    rare = np.where(count <= COMMON, weight, 0)
    # One sum for all texts: most fit their own abstract better than another can, and are not compared
    own, bound = np.bincount(text, weight * is_own), np.bincount(text, rare)
    may = (np.bincount(text) > 0) & (own * BETTER <= bound + ROUNDING)
    is_asked = may[text] & (rare > 0)
    asked = {"text": text[is_asked], "row": row[said][is_asked], "word": word[is_asked], "weight": rare[is_asked]}
    other = _best_other(pl.DataFrame(asked), pl.DataFrame({"word": in_page[held], "row_of": row[held]}), len(own))
    return np.flatnonzero(may & (own * BETTER <= other + ROUNDING))


def _are_own(words: Integers, said: Integers, place: Integers, width: int) -> Integers:
    """Whether each word that a text says is in the abstract of its row too: if so, it is there a little before."""
    of_abstract, is_own = words[said] - place, np.zeros(len(said), np.bool_)
    for before in range(1, width):
        is_own |= words[said - before] == of_abstract
    return is_own


def _best_other(asked: pl.DataFrame, held: pl.DataFrame, count: int) -> Integers:
    """How well the abstract of another item fits each of `count` texts, of those that fit it best."""
    others = asked.join(held, on="word").filter(pl.col("row") != pl.col("row_of"))
    fits = others.group_by("text", "row_of").agg(pl.col("weight").sum())
    best = fits.group_by("text").agg(pl.col("weight").max())
    other = np.zeros(count)
    other[best["text"].to_numpy()] = best["weight"].to_numpy()
    return other
