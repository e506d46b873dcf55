"""What abbreviations mean in the source's own texts, counted without the code that uses it."""

import re
from collections import Counter, defaultdict

import polars as pl

from transforms.core.attached import SMALL_WORDS, WRITTEN_OUT

WRITTEN = re.compile(r"(.+?) ?\(([a-z][a-z0-9]+?)s?\)")
ENOUGH = 5
# The same in other words: their abbreviations are of one meaning
SYNONYMS = {
    "chains of thought": "chain of thought",
    "modal large language model": "multimodal large language model",
    "reinforcement learning with human feedback": "reinforcement learning from human feedback",
    "reinforcement learning from verifiable reward": "reinforcement learning with verifiable reward",
    "reinforcement learning from verifier reward": "reinforcement learning with verifiable reward",
    "supervised fine tuning": "supervised finetuning",
    "visual language action": "vision language action",
    "mixture of expert": "mixture of experts",
}


def meaning(words: list[str], short: str) -> str | None:
    """The last of the words that the abbreviation can stand for, without a plural."""
    for first in range(len(words) - 1, -1, -1):
        said = words[first:]
        initials = ("".join(word[0] for word in kept) for kept in (said, [w for w in said if w not in SMALL_WORDS]))
        if said[0] not in SMALL_WORDS and short in initials:
            plain = " ".join(said).removesuffix("s")
            return SYNONYMS.get(plain, plain)
    return None


def test_each_abbreviation_is_written_out_in_one_meaning(tables: dict[str, pl.DataFrame]) -> None:
    meanings: dict[str, Counter[str]] = defaultdict(Counter)
    for keyword in tables["paper_keywords"]["keyword"].str.to_lowercase():
        found = WRITTEN.search(keyword)
        if found and (written := meaning(re.findall(r"[^\W_]+", found[1]), found[2])):
            meanings[found[2]][written] += 1
    assert {short: set(meanings[short]) for short in WRITTEN_OUT} == {
        short: {written} for short, written in WRITTEN_OUT.items()
    }
    assert min(meanings[short].total() for short in WRITTEN_OUT) >= ENOUGH
    assert all(len(meanings[short]) > 1 for short in ("asr", "lvlm", "rft", "slm", "vlm"))


def test_how_many_ways_to_write_a_keyword_meet(tables: dict[str, pl.DataFrame]) -> None:
    """Each of the forms that several keywords have was read; no two meanings meet in one."""
    forms = tables["paper_keywords"].select(pl.col("keyword").str.to_lowercase(), "normal_keyword").unique()
    assert forms["keyword"].is_unique().all()
    assert (forms.height, forms["normal_keyword"].n_unique()) == (34_856, 33_591)
