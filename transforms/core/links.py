"""`paper_links` and `paper_keywords`: the links and keywords that pages attach to a paper, first and last seen.

Keywords have a normal form, shared by the different ways in which the Hub's model writes one. It depends on its keyword
alone, never on what else the lake has. Where two meanings could be merged, the forms stay apart: better one form too
many than one that mixes meanings.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from transforms.timeline import in_time, last_known, only, seen
from warehouse.schema.columns import TITLE_LIMIT
from warehouse.schema.core.links import PAPER_KEYWORDS, PAPER_LINKS

# Abbreviations that the source itself writes out (`large language models (LLMs)`) for five papers and more, and always
# in one meaning (140 of 140, for this one). Not so `vlm`, `lvlm`, `slm`, `asr`, `tts`, `rft`, `vit` and `dpo`
WRITTEN_OUT: Final = {
    "cot": "chain of thought",
    "grpo": "group relative policy optimization",
    "llm": "large language model",
    "lrm": "large reasoning model",
    "mllm": "multimodal large language model",
    "moe": "mixture of experts",
    "rag": "retrieval augmented generation",
    "rl": "reinforcement learning",
    "rlhf": "reinforcement learning from human feedback",
    "rlvr": "reinforcement learning with verifiable reward",
    "sft": "supervised finetuning",
    "vla": "vision language action",
}
SMALL_WORDS: Final = ("a", "and", "as", "for", "from", "in", "of", "on", "the", "to", "with")
GAP: Final = r"[\s\p{Pd}_]+"
ABBREVIATED: Final = r"^(.+?) ?\(([a-z][a-z0-9]+)\)(.*)$"
# `multi-modal` is `multimodal`, `fine-tuning` `finetuning`
JOINED: Final = r"\b(multi|pre|auto) (\p{L})|\b(fine) (tun)"
# A last word in the plural: of four letters or more; where it is the only word, of five, or without a vowel (`vlms`;
# but `mars` is no plural of `mar`)
PLURAL: Final = r"(?: [a-z]{3,}|^[a-z]{4,}|^[b-df-hj-np-tv-z]{3,})s$"
# No plural, or one whose singular its letters do not show; `mixture of experts` and `chain of thoughts` are names
NO_PLURAL: Final = r"(?:ss|us|is|as|os|ics|ices|[^s]ses|series|species|axes|caches|lens|news|movies|windows|\bof \S+)$"
SINGULARS: Final = {r"ies$": "y", r"(ss|x|[acenrt]ch|sh)es$": "$1", r"s$": ""}


def normal_keywords(keywords: pl.Series) -> pl.DataFrame:
    """`keyword`, each once, and its `normal_keyword`."""
    known = keywords.unique().to_frame("keyword")
    spaced = known.with_columns(normal=pl.col("keyword").str.to_lowercase().str.replace_all(GAP, " ").str.strip_chars())
    plain = spaced.with_columns(_without_abbreviation(pl.col("normal")).str.replace_all(JOINED, "$1$2$3$4"))
    text = singular = pl.col("normal")
    for ending, bare in reversed(SINGULARS.items()):
        singular = pl.when(text.str.contains(ending)).then(text.str.replace(ending, bare)).otherwise(singular)
    is_plural = text.str.contains(PLURAL) & ~text.str.contains(NO_PLURAL)
    written = WRITTEN_OUT | {f"{short}s": whole for short, whole in WRITTEN_OUT.items()}
    normal = pl.when(is_plural).then(singular).otherwise(text).replace(written | {"": None})
    return plain.select("keyword", normal_keyword=pl.coalesce(normal, "keyword").str.slice(0, TITLE_LIMIT))


def _without_abbreviation(text: pl.Expr) -> pl.Expr:
    """A text without an abbreviation in parentheses, if it stands for all words before it, or for the last ones."""
    before, short, after = (text.str.extract(ABBREVIATED, part) for part in (1, 2, 3))
    words = before.str.extract_all(r"[\p{L}\p{N}]+")
    initials = [
        kept.list.eval(pl.element().str.slice(0, 1)).list.join("")
        for kept in (words, words.list.filter(~pl.element().is_in(SMALL_WORDS)))
    ]
    forms = (short, short.str.replace(r"^(..+)s$", "$1"))
    is_of_words = pl.any_horizontal(of.str.ends_with(form) for of in initials for form in forms)
    return pl.when(is_of_words).then(before + after).otherwise(text)


# Tree paths, a trailing slash and `.git` occur; a bare owner is no repository (docs/source.md §3)
REPOSITORY = r"^https?://(?:www\.)?github\.com/([a-z0-9_.-]+/[a-z0-9_.-]*[a-z0-9_-])"


def paper_links(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per link of a paper."""
    ordered = in_time(only(sightings, "github_url", "github_added_by", "project_url", "media_urls"))
    links = pl.concat(
        [
            _links(ordered, "github", pl.col("github_url"), pl.col("github_added_by")),
            _links(ordered, "project", pl.col("project_url"), pl.lit(None, pl.String)),
            _links(ordered.explode("media_urls"), "media", pl.col("media_urls"), pl.lit(None, pl.String)),
        ]
    )
    grouped = links.drop_nulls("url").group_by("paper_id", "kind", "url", maintain_order=True)
    frame = grouped.agg(last_known("added_by"), *seen())
    return PAPER_LINKS.conform(frame.with_columns(repository=repository(pl.col("url"))))


def _links(sightings: pl.DataFrame, kind: str, url: pl.Expr, added_by: pl.Expr) -> pl.DataFrame:
    return sightings.select("paper_id", "capture_id", "observed_at", kind=pl.lit(kind), url=url, added_by=added_by)


def repository(url: pl.Expr) -> pl.Expr:
    """`owner/name` of a GitHub address in lower case, as GitHub itself compares them; null for any other."""
    return url.str.to_lowercase().str.replace(r"\.git([/?#]|$)", "$1").str.extract(REPOSITORY)


def paper_keywords(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per keyword of a paper."""
    shown = in_time(only(sightings, "keywords").drop_nulls("keywords")).explode("keywords").drop_nulls("keywords")
    found = shown.group_by("paper_id", keyword="keywords", maintain_order=True).agg(seen())
    return PAPER_KEYWORDS.conform(found.join(normal_keywords(found["keyword"]), on="keyword"))
