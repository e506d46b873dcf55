"""Queries of every kind that the language has, about papers, names and days of a database."""

import random
from collections.abc import Iterator
from typing import Final

from warehouse.release.query import Database

SEED: Final = 29
WORDS: Final = (
    "attention", "kv cache compression", "retreival augmented generation", "GPT-4o", "mixture-of-experts routing",
    "how do language models reason about numbers", "why is the sky blue", "text2image", "zzzzqqq", "the of and",
    "model's", "Large  Language   Models", "\tvideo\ndiffusion ", "vidéo diffusion", "Ωmega", "扩散模型", "a b c", "e.g.",
    "text2image models", "sim2real", "state-of-the-art speech recognition",
    "reinforcment lerning", "optimising colour", "is it", "3d gaussian splatting",
)  # fmt: skip
FIELDS: Final = (
    "diffusion -video", "-diffusion", "-zzzzqqq agents", "title:survey", "-title:survey benchmark", "has:code agents",
    "author:wang vision", "author:lukasz", "author:Yildirim", "Matthias Niessner", "since:2026-06-01 robots", "until:2024-12-31 sort:date", "has:models -has:code", "has:project",
    "title:survey year:2025", "org:nvidia sort:upvotes", "keyword:agents -author:li", "-year:2026 -year:2025 transformers",
    '"large language model" sort:date', '-"large language model" agents', '"state of the art"', '"state-of-the-art" -video',
    '"model\'s performance"', '"of the"', '""', '"..."', 'words:"kaiming he"', "words:attention -words:video",
    "video diffusion models sort:date", "video diffusion models sort:upvotes", "how do agents use tools sort:date",
    "how do agents use tools sort:upvotes", "sort:date", "sort:date sort:upvotes tokens", "attention sort:relevance",
    "sort:date year:2024", "-words:attention video", "year:2024 year:2025", "since:2025-01-01 until:2025-01-31", "since:2026-05 robots", "list:2024-03 until:2024", "until:2023",
)  # fmt: skip
ODD: Final = (
    "llm:agents", "rag: a survey", "gpt-4:vision and more", "foo:bar:baz", "title:", "-", "--video", "- video", "?!",
    '"left open', 'video "left open', 'a"b c"d', 'x:"y z"', '"', '""""', "http://example.org/x", "C++", "a/b", "title :x",
    "sort: date", "https://x.example/2409.99999", "-title:", 'title:"a"b', "author:\u00a0wang", "\u200bvideo", "'s", "---",
    "Title:survey", "video\u3000diffusion", "title:survey:models", "word:word", " ".join(["many"] * 40),
    " ".join(f"-sort:{n}" for n in range(33)),
)  # fmt: skip
WRONG: Final = (
    'title:""', "since:yesterday", "until:2026-02-30", "list:2026-13-01", "list:0000-00-00", "year:26", "year:2101x",
    "year:1899", "sort:name", "-sort:date", "has:video", "-has:none", 'author:"" since:x', "since:x year:y", "like:none",
    "-like:2409.07146,none,also", 'org:""', "sort:x has:y", "year:" + "9" * 70,
)  # fmt: skip
ALL_WRITTEN: Final = tuple(dict.fromkeys((*WORDS, *FIELDS, *ODD, *WRONG)))
WRITTEN: Final = len(ALL_WRITTEN)
ADDRESSES: Final = (
    "{}", "{}v2", "arXiv:{}", "arxiv: {}v1", "https://arxiv.org/abs/{}", "arxiv.org/pdf/{}v3.pdf", "10.48550/arXiv.{}",
    "https://doi.org/10.48550/arXiv.{}", "https://huggingface.co/papers/{}", "arXiv:{}v1 [cs.CL]", "id:{}", "id:arXiv:{}v2",
    "see {} and more", "{} sort:date", "-id:{} attention", "attention {}",
)  # fmt: skip


def queries(database: Database) -> Iterator[str]:
    """Some 500 queries, the same for the same papers."""
    chance = random.Random(SEED)
    yield from ALL_WRITTEN
    ids = _sample(database, "SELECT paper_id FROM core.papers WHERE paper_id NOT LIKE 'title:%'", chance, 40)
    for number, form in enumerate([*ADDRESSES, *ADDRESSES]):
        yield form.format(ids[number % len(ids)])
    yield from (form.format("2699.99999") for form in ADDRESSES)
    yield from (paper_id.rstrip("0") for paper_id in _sample(database, ENDING, chance, 4))
    for one, other, third in zip(ids[:5], ids[5:10], ids[10:15], strict=False):
        yield from (
            f"like:{one}",
            f"like:{one},{other} -like:{third}",
            f"like:{one} attention",
            f"-like:{one} video sort:date",
        )
    for acronym, long_form in sorted(database.rows("SELECT acronym, long_form FROM mart.acronyms").rows)[::8]:
        yield from (acronym, f"{acronym}s sort:date", long_form, f"{long_form} -{acronym}", f"better {acronym} agents")
    for title in _sample(database, "SELECT title FROM core.papers WHERE title IS NOT NULL", chance, 15):
        yield from (title, " ".join(title.lower().split()[:4]), f"{' '.join(title.split()[1:5])} sort:date")
    for name in _sample(database, "SELECT DISTINCT name FROM core.paper_authors WHERE name LIKE '% %'", chance, 22):
        first, *_, last = name.split()
        yield from (
            name,
            f"{last}, {first}",
            f"{first[0]}. {last}",
            f"papers by {name}",
            f"find all recent work by {name} et al.",
            f"{first.lower()} {last.lower()}'s papers",
        )
        yield from (f"{last} {first[0]}", f"{name} sort:date -video", f'author:"{name}" has:code')
    names = _sample(
        database, "SELECT DISTINCT organization_name FROM core.papers WHERE organization_name <> ''", chance, 12
    )
    logins = _sample(
        database, "SELECT DISTINCT organization_login FROM core.papers WHERE organization_login <> ''", chance, 6
    )
    for name in (*names, *logins):
        yield from (name, f"papers from {name}", f'org:"{name}" sort:upvotes')
    for day in _sample(database, "SELECT DISTINCT listed_on::VARCHAR FROM core.daily_listings", chance, 6):
        yield from (day, f"papers of {day}", f"list:{day} sort:upvotes", f"until:{day} tokens sort:date")
    yield from ("2024", "papers of 2025", "2025 sort:upvotes", "2019-01-01", "1999", "2025-02-30", "lists on 2026")


ENDING: Final = "SELECT paper_id FROM core.papers WHERE paper_id SIMILAR TO '[0-9]{4}[.][0-9]{4}0'"


def _sample(database: Database, sql: str, chance: random.Random, count: int) -> list[str]:
    found = [row[0] for row in database.rows(f"{sql} ORDER BY ALL").rows]
    return chance.sample(found, min(count, len(found)))
