"""What pages attach to papers, first and last seen: `paper_authors`, `organizations`, `paper_keywords`, `paper_links`.

Keywords have a normal form, shared by the different ways in which the Hub's model writes one. It depends on its keyword
alone, never on what else the lake has. Where two meanings could be merged, the forms stay apart: better one form too
many than one that mixes meanings.
"""

from typing import Final

import polars as pl

from transforms.identity.blocking import folded
from transforms.timeline import IN_TIME, best_of_each, by_precedence, in_time, last_known, only, seen
from warehouse.schema.columns import NAME_LIMIT, TITLE_LIMIT
from warehouse.schema.core.attached import ORGANIZATIONS, PAPER_AUTHORS, PAPER_KEYWORDS, PAPER_LINKS

# In lower case a name can have twice its characters (the Turkish dotted I)
LOWER_NAME = pl.col("organization_name").str.to_lowercase().str.slice(0, NAME_LIMIT)
# Of 674 organizations 59 share 28 names, 4 of these only without case, accents, spaces and hyphens
SAME_NAME = folded(pl.col("organization_name")).str.replace_all(r"[\s\p{Pd}]+", "").replace("", None)
ORGANIZATION_ID = pl.coalesce("organization_login", pl.lit("name:") + LOWER_NAME).alias("organization_id")


def paper_authors(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per author of a paper, in order: the whole list of the best page that shows one, never a mixture."""
    listed = by_precedence(only(sightings, "authors").drop_nulls("authors"))
    placed = best_of_each(listed, "authors").with_columns(position=pl.int_ranges(1, pl.col("authors").list.len() + 1))
    return PAPER_AUTHORS.conform(placed.explode("authors", "position").unnest("authors"))


def organization_parts(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per organization, from all sightings of some papers; `organizations_of` merges several such parts."""
    named_in = sightings.select("paper_id", *IN_TIME, "organization_login", "organization_name")
    shown = in_time(named_in.with_columns(ORGANIZATION_ID).drop_nulls("organization_id"))
    grouped = shown.group_by("organization_id", maintain_order=True)
    named = pl.struct(*IN_TIME, "organization_name").filter(pl.col("organization_name").is_not_null()).last()
    return grouped.agg(
        last_known("organization_login"),
        named.alias("named"),
        pl.col("paper_id").n_unique().alias("paper_count"),
        *seen(),
        pl.col("observed_at", "position").last(),
    )


def organizations_of(parts: pl.DataFrame) -> pl.DataFrame:
    """The table `organizations`, merged from concatenated parts of disjoint papers."""
    grouped = in_time(parts).group_by("organization_id", maintain_order=True)
    last = grouped.agg(
        last_known("organization_login"),
        pl.col("paper_count", "sighting_count").sum(),
        pl.col("first_seen_at").min(),
        pl.col("last_seen_at").max(),
        pl.col("capture_id").last(),
    )
    named = in_time(parts.select("organization_id", "named").drop_nulls("named").unnest("named"))
    names = named.drop_nulls("organization_name").unique("organization_id", keep="last", maintain_order=True)
    found = last.join(names.select("organization_id", "organization_name"), on="organization_id", how="left")
    most_first = pl.col("organization_name").sort_by("paper_count", "organization_id", descending=[True, False])
    return ORGANIZATIONS.conform(
        found.with_columns(
            group_name=pl.coalesce(
                most_first.first().over(pl.coalesce(SAME_NAME, "organization_id")), "organization_login"
            )
        )
    )


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
    has_short = pl.col("normal").str.contains("(", literal=True)  # one in 70
    short = spaced.filter(has_short).with_columns(_without_abbreviation(pl.col("normal")))
    whole = pl.concat([spaced.filter(~has_short), short])
    plain = whole.with_columns(pl.col("normal").str.replace_all(JOINED, "$1$2$3$4"))
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
