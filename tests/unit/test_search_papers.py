"""Finding papers: the language, the ranking, reasons; the SQL macros give the same papers in the same order."""

import json
import os
import random
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paperlake.answers.one_paper import Summary
from paperlake.cli.options import names_beginning
from paperlake.find.finder import Finder, QueryItem, answers, parse_alone
from paperlake.find.hits_text import authors_named, found_text
from paperlake.find.reasons import explained, facets, facets_text, in_common, rows_of
from tests.collected import page
from tests.derived import derive
from tests.invented import HUB
from tests.little_lake import little_lake, tables_of
from tests.processes import finished
from tests.search_oracle import SearchOracle
from tests.unit.test_macros import database
from transforms.collect.collect import collect, read_page
from warehouse.errors import NothingThere, QueryFailed, UsageError
from warehouse.release.query import Database

DAY = "2025-10-07"
EIGHT = datetime(2025, 10, 7, 8)
LOOMS, TIDES, REEDS, KILNS = "2503.01234", "2503.04321", "2503.05555", "2503.06660"
PAPERS = {
    LOOMS: (
        "Long-Context Looms",
        "We compress the cache of language models. Looms weave colours.",
        9,
        ["looms", "caches"],
    ),
    TIDES: ("Tidal Caches", "Caching tides for language agents. It is quick.", 3, ["caches"]),
    REEDS: ("Reeds and Agents", "A benchmark of agents that weave reeds.", None, ["reeds"]),
    KILNS: (
        "Kilns",
        "Optimising kilns; no agents of language here. \u7a91\u7089\u6e29\u5ea6\u3002",
        5,
        ['8"x8" tiles'],
    ),
}
AUTHORS = {
    LOOMS: ["Kaiming He"],
    TIDES: ["Ada Looms"],
    REEDS: ["Kaiming He", "Ada Okoro"],
    KILNS: ["Ada Okoro", "Bo O\u2019Hara Dijk", "\u0141ucja Gro\u00df"],
}
SIGNS = (
    "-", "--", '"', "'", "\\", "title:", "author:", "-title:", 'author:"', "like:", f"like:{LOOMS}", "-like:x", "id:'; DROP",
    "); DROP TABLE core.papers; --", "$1", "?", "{}", "%s", "sort:date", "sort:", "since:9999-99-99", "list:2025-10-07",
    "has:code", "agents", "weaveing", "-agents", "\x00", "\x1b[2J", "\u202e", "a-b-c-'", "::", "https://x.example/?a=b:c",
)  # fmt: skip
# Many queries in one statement: most of the time of one that asks a few papers is DuckDB's plan of the macro
MANY = """
SELECT text, list(paper_id ORDER BY rank), list(score ORDER BY rank)
FROM (SELECT unnest($1) AS text) AS asked, LATERAL (FROM find_any(text, NULL)) GROUP BY text
"""
HOSTILE_QUERIES = int(os.environ.get("HOSTILE_QUERIES", "15"))
EACH_QUERY = bool(os.environ.get("HOSTILE_QUERIES"))
LETTERS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
HOSTILE = st.lists(st.one_of(st.sampled_from(SIGNS), LETTERS), max_size=8).map(" ".join)


def item(arxiv_id: str) -> dict[str, object]:
    title, abstract, upvotes, keywords = PAPERS[arxiv_id]
    paper = {"id": arxiv_id, "title": title, "summary": abstract, "upvotes": upvotes, "ai_keywords": keywords}
    paper |= {"authors": [{"name": name, "hidden": False} for name in AUTHORS[arxiv_id]]}
    paper |= {"githubRepo": "https://github.com/looms/looms"} if arxiv_id == LOOMS else {}
    return {"paper": {name: value for name, value in paper.items() if value is not None}}


@pytest.fixture(scope="module")
def opened_lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    listed = page([item(LOOMS), item(TIDES)], f"{HUB}/api/daily_papers?date={DAY}", EIGHT)
    later = f"{HUB}/api/daily_papers?date=2025-10-08"
    other = page([item(REEDS), item(KILNS)], later, EIGHT + timedelta(days=1))
    with database(tmp_path_factory.mktemp("found"), derive(collect(map(read_page, (listed, other))))) as made:
        yield made


@pytest.fixture(scope="module")
def finder(opened_lake: Database) -> Finder:
    return Finder(opened_lake)


def ids(finder: Finder, query: str) -> list[str]:
    return [hit.paper_id for hit in finder.search(query, 10).hits]


def words_of(text: str) -> list[tuple[str, ...]]:
    return [(*item.words, *["not"] * item.is_not) for item in parse_alone(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a-b", [QueryItem(None, "a-b", False, ("a", "b", "ab"))]),
        ("Text2Image 3d2x", [QueryItem(None, "Text2Image", False, ("text2image", "texttoimage")), QueryItem(None, "3d2x", False, ("3d2x",))]),
        ("-a b-", [QueryItem(None, "a", True, ("a",)), QueryItem(None, "b-", False, ("b",))]),
        ('"Exact Phrase" x', [QueryItem("phrase", "Exact Phrase", False, ("exact", "phrase")), QueryItem(None, "x", False, ("x",))]),
        ('-"a b"', [QueryItem("phrase", "a b", True, ("a", "b"))]),
        ('author:"He, K." -org:x', [QueryItem("author", "He, K.", False, ("he", "k")), QueryItem("org", "x", True, ("x",))]),
        ("like:a,b,, -like:c", [QueryItem("like", "a,b,,", False, ("a", "b")), QueryItem("like", "c", True, ("c",))]),
        ('words:"of NVIDIA"', [QueryItem("words", "of NVIDIA", False, ("of", "nvidia"))]),
        ("since:2025-01-02 sort:date", [QueryItem("since", "2025-01-02", False, ("2025", "01", "02", "20250102")), QueryItem("sort", "date", False, ("date",))]),
        ("3D\u6e29\u5ea6\u8ba1\u7b97", [QueryItem(None, "3D\u6e29\u5ea6\u8ba1\u7b97", False, ("3d", "\u6e29\u5ea6", "\u5ea6\u8ba1", "\u8ba1\u7b97"))]),
        ("\t a\n", [QueryItem(None, "a", False, ("a",))]),
    ],
)  # fmt: skip
def test_a_query_is_parsed_into_its_items(text: str, expected: list[QueryItem]) -> None:
    assert parse_alone(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://x.example 3:1 Note: -", [("https", "x", "example"), ("3", "1"), ("note",), ()]),
        ("looms:a tale -kilns:b", [("looms", "a"), ("tale",), ("kilns", "b", "not")]),
        ("title: a story", [("title",), ("a",), ("story",)]),
        ('"', [()]),
        ('say "half', [("say",), (), ("half",)]),
        ('odd"quo ted"s', [("odd", "quo", "ted", "s")]),
        ("", []),
    ],
)
def test_what_names_no_field_is_words(text: str, expected: list[tuple[str, ...]]) -> None:
    assert words_of(text) == expected
    assert {item.field for item in parse_alone(text)} <= {None}


def test_a_pasted_text_is_words_alone() -> None:
    [item] = parse_alone('We find: -like this, foo:bar and "quoted words" of title:x ' * 5)
    assert item.field is None
    assert {"like", "foo", "quoted"} <= set(item.words)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("has:luck", "has:luck is not known; there are has:code, has:project, has:models"),
        ("sort:luck", "there are sort:relevance, sort:date, sort:upvotes"),
        ("since:luck", "since:luck is not a day, a month or a year"),
        ("until:2025-13", "until:2025-13 is not a day, a month or a year"),
        ('title:""', "title: has no value"),
        (f"-like:{LOOMS}", "give words or like: too"),
    ],
)
def test_an_invalid_query_is_refused_in_one_line(finder: Finder, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=r"^[^\n]*$") as caught:
        finder.search(text, 5)
    assert told in str(caught.value)


ANSWERS = [
    ("looms", [LOOMS]),
    ("weave", [REEDS, LOOMS]),
    ("caching", [TIDES, LOOMS]),
    ("optimizing colors", [KILNS, LOOMS]),
    ("agnets weeve", [REEDS, LOOMS]),
    ("long context", [LOOMS]),
    ("longcontext", [LOOMS]),
    ("agents -reeds -kilns", [TIDES]),
    ("agents sort:date", [REEDS, KILNS, TIDES]),
    ("agents sort:upvotes", [KILNS, TIDES, REEDS]),
    ("sort:date", [REEDS, KILNS, LOOMS, TIDES]),
    ("??? sort:date", []),
    ("October 2025", [REEDS, KILNS, LOOMS, TIDES]),
    ("papers from oct. 2025", [REEDS, KILNS, LOOMS, TIDES]),
    ("2025-10", [REEDS, KILNS, LOOMS, TIDES]),
    ("november 2025", []),
    ("Oct 7, 2025", [LOOMS, TIDES]),
    ("papers of 8th October 2025", [REEDS, KILNS]),
    ("2025-10-09 agents", [REEDS, KILNS, TIDES]),
    ("2025-10-09", []),
    ("show me all papers by Kaiming He", [REEDS, LOOMS]),
    ("author: kaiming he", [REEDS, LOOMS]),
    ("Kaiming He et al.", [REEDS, LOOMS]),
    ("new research by K. He", [REEDS, LOOMS]),
    ("Ada Looms", [TIDES]),
    ("papers by Kaiming He and Ada Okoro", [REEDS]),
    ("Okoro, Ada & Looms, Ada", [REEDS, KILNS, TIDES]),
    ("Ada Okoro and looms", [LOOMS]),
    ('"language models"', [LOOMS]),
    ('"models language"', []),
    ('agents -"language agents"', [REEDS, KILNS]),
    ("title:agents", [REEDS]),
    ('author:"He"', [REEDS, LOOMS]),
    ("author:lucja", [KILNS]),
    ("papers by Lucja Gross", [KILNS]),
    ("\u0142ucja groSS", [KILNS]),
    ('author:"kaiming he" weave -title:reeds', [LOOMS]),
    ("has:code", [LOOMS]),
    ("keyword:caches", [LOOMS, TIDES]),
    (f"id:{TIDES}", [TIDES]),
    (f'"{TIDES}"', [TIDES]),
    ("2503.0666", [KILNS]),  # as a spreadsheet cuts it
    *((form.format(f"{TIDES}0"), []) for form in ("{}", "arxiv.org/abs/{}v2", "id:{}", '"{}"')),
    (f"{TIDES}9 and {LOOMS}", [LOOMS]),
    (f'-"arXiv:{TIDES}v2" agents', [REEDS, KILNS]),
    (f"list:{DAY}", [LOOMS, TIDES]),
    ("agents until:2025-10-07", [TIDES]),
    ("agents since:2025-10-08", [REEDS, KILNS]),
    ("agents since:2025-10", [REEDS, KILNS, TIDES]),
    ("agents since:2025-11", []),
    ("agents until:2025-09", []),
    ("agents until:2025", [REEDS, KILNS, TIDES]),
    ("list:2025-10 -list:2025-10-07", [REEDS, KILNS]),
    ("Tidal Caches", [TIDES]),
    ("\u7a91\u7089", [KILNS]),
    ("Kilns\u7684\u6e29\u5ea6", [KILNS]),
    ('"\u7089\u6e29"', [KILNS]),  # between ideograms nobody writes a space
    ('agents -"\u5ea6"', [REEDS, TIDES]),
    ('"\u5ea6"', [KILNS]),
    ('"\u6e29\u7089"', []),
    ("the of and", []),
    ("zzzzzz", []),
    ("???", []),
    ('words:"?"', []),
    ("", []),
]


@pytest.fixture(scope="module")
def answered(opened_lake: Database) -> dict[str, list[str]]:
    return {query: papers for query, papers, _ in opened_lake.rows(MANY, [[query for query, _ in ANSWERS]]).rows}


@pytest.mark.parametrize(("query", "expected"), ANSWERS)
def test_each_query_finds_its_papers(answered: dict[str, list[str]], query: str, expected: list[str]) -> None:
    assert answered.get(query, []) == expected


def test_a_release_that_no_model_read_says_so(opened_lake: Database) -> None:
    with pytest.raises(NothingThere, match=r"^no language model has read the latest release;.*PAPERLAKE_SEMANTIC=1"):
        Finder(opened_lake, lambda _: pytest.fail("nothing is to be read"))


def test_like_leaves_out_the_papers_it_names(finder: Finder) -> None:
    assert LOOMS not in ids(finder, f"like:{LOOMS}")
    assert ids(finder, f"like:https://arxiv.org/abs/{LOOMS}v2") == ids(finder, f"like:{LOOMS}")
    assert not {LOOMS, TIDES} & set(ids(finder, f"like:{LOOMS},{TIDES}"))
    assert not {LOOMS, TIDES} & set(ids(finder, f"agents like:{LOOMS} -like:{TIDES}"))
    with pytest.raises(NothingThere):
        ids(finder, "like:2501.00000")
    with pytest.raises(QueryFailed, match=r"has the id math\.GT/0309136"):  # an archive's name keeps its capitals
        finder.database.rows("FROM find_any('like:arXiv:math.GT/0309136v1', NULL)")


def test_papers_like_one_are_its_similar_papers(opened_lake: Database) -> None:
    alike = "SELECT paper_id, score FROM like_papers([$1], []) WHERE score > 0 AND paper_id <> $1 ORDER BY 2 DESC, 1"
    kept = "SELECT other_paper_id, score FROM core.similar_papers WHERE paper_id = $1 ORDER BY rank"
    found = {paper: list(opened_lake.rows(kept, [paper]).rows) for paper in PAPERS}
    assert found == {paper: list(opened_lake.rows(alike, [paper]).rows) for paper in PAPERS}
    assert any(found.values())


def invented(papers: int, dice: random.Random) -> dict[str, tuple[str, str]]:
    """Papers of a few words each, some of which are in most papers and others in hardly any; the last repeats one."""
    often = "agents graphs retrieval diffusion-based robots' tokens speech the of for optimising colour's video"
    words = f"{often} multi-modal benchmark memory caches sparse attention 3d gaussian kernels zqx looms tides".split()
    weights = [1 / number for number in range(1, len(words) + 1)]
    said = [" ".join(dice.choices(words, weights, k=dice.randint(1, 6))) for _ in range(papers - 1)]
    texts = [(title.capitalize(), " ".join(dice.choices(words, weights, k=dice.randint(4, 60)))) for title in said]
    return {f"2503.{10_000 + number}": text for number, text in enumerate([*texts, texts[0]])}


def test_the_macro_ranks_as_the_documented_rules_do(tmp_path: Path) -> None:
    dice = random.Random(27)
    papers = invented(60, dice)
    listed = [
        {"paper": {"id": paper, "title": title, "summary": abstract}} for paper, (title, abstract) in papers.items()
    ]
    tables = derive(collect([read_page(page(listed, f"{HUB}/api/daily_papers?date={DAY}", EIGHT))]))
    oracle, words = SearchOracle(papers), sorted({word for text in papers.values() for word in " ".join(text).split()})
    asked = [*(title for title, _ in papers.values()), *(" ".join(dice.choices(words, k=1 + n % 7)) for n in range(60))]
    asked = list(dict.fromkeys(asked if EACH_QUERY else [*asked[:60:10], asked[59], *asked[60:78]]))
    with database(tmp_path, tables) as lake:
        found = {
            query: list(zip(papers, scores, strict=True)) for query, papers, scores in lake.rows(MANY, [asked]).rows
        }
    assert {query: found.get(query, []) for query in asked} == {query: oracle.search(query) for query in asked}


def test_of_papers_that_match_alike_the_newest_is_first(tmp_path: Path) -> None:
    """Whichever macro ranks: that of words alone, or that of any query."""
    alike = [f"2503.0777{number}" for number in range(3)]
    shown = [{"paper": {"id": one, "title": "Quilts of Fog", "summary": "Quilts keep fog."}} for one in alike]
    lists = [
        page([one], f"{HUB}/api/daily_papers?date=2025-10-0{7 + number}", EIGHT + timedelta(days=number))
        for number, one in enumerate(shown)
    ]
    with database(tmp_path, derive(collect(map(read_page, lists)))) as made:
        finder = Finder(made)
        assert ids(finder, "quilts") == ids(finder, "quilts -kilns") == alike[::-1]
        [(_, found, scores)] = made.rows(MANY, [["quilts"]]).rows
    assert (found, len(set(scores))) == (alike[::-1], 1)


def test_postings_are_asked_by_paper_id(opened_lake: Database) -> None:
    rows = opened_lake.rows("SELECT paper_id FROM search_postings WHERE term = 'agent' ORDER BY paper_id").rows
    assert [paper_id for (paper_id,) in rows] == [TIDES, REEDS, KILNS]


def test_a_hit_has_its_reasons(finder: Finder) -> None:
    found = finder.search("weave cache", 1)
    rows = rows_of(finder.database, found.hits)
    [row], [why] = rows, explained(finder.database, found, rows)
    assert [(one["term"], one["fields"]) for one in why["terms"]] == [("cach", ["abstract"]), ("weav", ["abstract"])]
    assert sum(one["share"] for one in why["terms"]) + why["meaning_share"] == pytest.approx(1, abs=0.01)
    assert why["sentence"][slice(*why["marks"][0])] in {"cache", "weave"}
    text = found_text([row | {"reasons": why}], found, None)
    assert "Long-Context Looms" in text
    assert "[cache]" in text or "[weave]" in text
    assert "\x1b" not in text
    linked = found_text([row], None, 80, has_links=True)
    assert linked.startswith(
        f"  1. \x1b]8;;https://huggingface.co/papers/{LOOMS}\x1b\\Long-Context Looms\x1b]8;;\x1b\\\n"
    )


def test_a_surname_alone_is_told_as_one(finder: Finder) -> None:
    found = finder.search("kaiming", 3)
    authors = authors_named(finder.database, found)
    assert list(authors) == ["kaiming"]
    assert f"in no paper: kaiming\nauthor:kaiming finds {authors['kaiming']} paper" in found_text(
        [], found, None, authors
    )
    assert authors_named(finder.database, finder.search("looms", 3)) == {}


@pytest.mark.parametrize("query", ['Kaiming He "zzz"', "Kaiming He -zzz"])
def test_what_is_told_to_be_words_is_no_name(finder: Finder, query: str) -> None:
    assert found_text([], finder.search(query, 3), None).startswith("no paper matches\n")


@pytest.mark.parametrize("name", ["o'hara", '"o\u2019hara dijk"'])
def test_a_surname_of_several_words_is_told_as_one(finder: Finder, name: str) -> None:
    found = finder.search(name.replace('"', ""), 3)
    assert f"author:{name} finds 1 paper\n" in found_text([], found, None, authors_named(finder.database, found))


def test_a_day_or_month_without_papers_is_told_as_one(finder: Finder) -> None:
    for query, told in (("Oct. 9, 2025", "daily list of 2025-10-09"), ("2025-11", "paper of 2025-11")):
        assert found_text([], finder.search(query, 3), None) == f"this release has no {told}\n"


def test_an_id_that_is_not_the_paper_s_own_is_told(finder: Finder) -> None:
    """One digit too many is no paper; one that lost its last zeros is what it is read as."""
    assert found_text([], finder.search(f"{TIDES}0", 3), None) == f"no paper of this release has the id {TIDES}0\n"
    with pytest.raises(NothingThere, match=f"{TIDES}0"):
        finder.search(f"like:{TIDES}0", 3)
    cut = finder.search("arXiv:2503.0666", 3)
    assert "arXiv:2503.0666 read as 2503.06660\n" in found_text(rows_of(finder.database, cut.hits), cut, None)
    whole = finder.search(f"arXiv:{TIDES}v2", 3)
    assert "read as" not in found_text(rows_of(finder.database, whole.hits), whole, None)


def test_a_word_that_is_others_joined_is_not_missed(finder: Finder) -> None:
    assert finder.search("cache-qqqq", 3).unknown == ["qqqq"]


def test_what_papers_share_is_said_by_both(finder: Finder) -> None:
    shared = in_common(finder.database, [LOOMS], finder.search("sort:date", 10).hits)
    assert (shared[REEDS]["authors"], shared[TIDES]["keywords"]) == (["Kaiming He"], ["caches"])
    texts = dict(
        finder.database.rows(
            "SELECT paper_id, lower(concat_ws(' ', title, paper_texts.abstract)) FROM papers LEFT JOIN paper_texts USING (paper_id)"
        ).rows
    )
    words = [(paper, word) for paper, found in shared.items() for word in found.get("words", ())]
    assert words
    assert all(word in texts[paper] and word in texts[LOOMS] for paper, word in words)
    assert all(len(found.get("words", ())) <= 3 for found in shared.values())
    assert not [word for _, word in words if word.isdigit()]


@given(HOSTILE)
@settings(max_examples=HOSTILE_QUERIES, deadline=None)
def test_a_hostile_query_has_an_answer_or_one_line(finder: Finder, query: str) -> None:
    sightings_of = ""
    try:
        found = finder.search(query, 5)
        found_text(rows_of(finder.database, found.hits), found, None).encode()
    except (UsageError, NothingThere) as error:
        sightings_of = str(error)
    assert len(sightings_of.splitlines()) <= 1
    assert len(sightings_of) < 400


@given(HOSTILE)
@settings(max_examples=HOSTILE_QUERIES // 3, deadline=None)
def test_a_hostile_query_is_no_sql(opened_lake: Database, query: str) -> None:
    asked, refusals = "SELECT paper_id FROM search_papers($1)", []
    try:
        assert {paper_id for (paper_id,) in opened_lake.rows(asked, [query]).rows} <= set(PAPERS)
    except QueryFailed as error:
        refusals.append(str(error))
    assert all(refusal.startswith("Invalid Input Error: ") for refusal in refusals)
    assert next(opened_lake.rows("SELECT count(*) FROM core.papers").rows) == (len(PAPERS),)


def test_a_query_of_100_kb_has_an_answer(finder: Finder, opened_lake: Database) -> None:
    asked = " ".join(f"weave{number:055x} agents" for number in range(1_500))
    rows = list(opened_lake.rows("SELECT paper_id FROM search_papers(?) ORDER BY rank", [asked]).rows)
    assert ids(finder, asked) == [paper for (paper,) in rows] == [REEDS, KILNS, TIDES]


def test_each_line_is_answered_as_it_comes(finder: Finder) -> None:
    asked: list[str] = []

    def lines() -> Iterator[bytes]:
        for line in (
            {"query_id": 1, "text": "looms"},
            {"query_id": "b", "paper_id": LOOMS, "limit": 1},
            {"query_id": 3},
            {"query_id": 4, "text": "has:luck"},
        ):
            asked.append(str(line["query_id"]))
            yield BOM_UTF8 * (line["query_id"] == 1) + json.dumps(line).encode() + b"\r\n"
        yield b"\n"
        yield b"{nonsense\n"
        yield b'{"query_id": 5, "text": "\xff"}\n'
        yield b'{"query_id": 6, "text": "looms", "limit": %d}\n' % (1 << 64)
        yield b'{"query_id": 7, "paper_id": "arXiv:%bv2"}\n' % LOOMS.encode()

    answered = []
    for number, line in enumerate(answers(finder, lines()), 1):
        assert len(asked) == min(number, 4)  # no line was read before the one before it was answered
        answered.append(json.loads(line))
    assert answered[0] == {"query_id": 1, "paper_ids": [LOOMS]}
    assert len(answered[1]["paper_ids"]) <= 1
    assert [one["query_id"] for one in answered] == [1, "b", 3, 4, None, None, 6, 7]
    assert ["error" in one for one in answered] == [False, False, True, True, True, True, True, False]


def test_a_summary_takes_two_lines_at_most_and_says_who_wrote_it() -> None:
    row = {"rank": 1, "paper_id": "2604.03759", "score": 1.0, "title": "Gardens", "day": None, "upvote_count": 2}
    long = Summary("\x1b[2Jgardens " * 100, is_generated=True)
    about, first, last = found_text([row | {"summary": long}], None, None).splitlines()[1:]
    assert about == "     2604.03759  2 upvotes  score 1.000"
    assert first.startswith("     AI summary: \\u001b[2Jgardens ")
    assert last.endswith(" …")
    assert found_text([row], None, None).count("\n") == 2


def test_what_a_shell_would_take_for_more_than_a_word_completes_nothing() -> None:
    titles = [f"Kilns{more}" for more in (" of clay", " $(reboot)", " `id`", "; rm", " & co", " | x", " > y", "'")]
    items = [{"paper": {"id": f"2503.0{number}000", "title": title}} for number, title in enumerate(titles)]
    with little_lake(tables_of(page(items, f"{HUB}/api/daily_papers?date={DAY}", EIGHT))) as made:
        assert names_beginning(made, "KILNS") == ["Kilns of clay"]
        assert names_beginning(made, "") == []
        assert names_beginning(made, "'; DROP TABLE core.papers; --") == []


def test_each_facet_narrows_to_as_many_papers(opened_lake: Database) -> None:
    finder = Finder(opened_lake)
    rows = list(facets(opened_lake, "sort:date agents").rows)
    assert [row[:3] for row in rows] == [
        ("year", "2025", 3),
        ("keyword", '8"x8" tiles', 1),
        ("keyword", "caches", 1),
        ("keyword", "reeds", 1),
    ]
    for _, _, count, narrow in rows:
        assert finder.search(f"{narrow} sort:date agents", 10).paper_count == count
    assert [row[:3] for row in facets(opened_lake, "looms").rows] == [
        ("year", "2025", 1), ("keyword", "caches", 1), ("keyword", "looms", 1), ("has", "code", 1)
    ]  # fmt: skip


def test_they_are_a_table_with_a_narrower_query(opened_lake: Database) -> None:
    text = facets_text("it's looms", facets(opened_lake, "it's looms"))
    assert text.splitlines()[1].split() == ["year", "2025", "1", "year:2025"]
    assert text.endswith("for example: paperlake search 'year:2025 it'\"'\"'s looms'\n")
    assert facets_text("zzzz", facets(opened_lake, "zzzz")) == "no paper matches\n"
    with pytest.raises(UsageError, match="sort:luck is not known"):
        facets(opened_lake, "sort:luck")


def test_they_go_with_a_query_alone() -> None:
    done = finished(
        str(Path(sys.executable).with_name("paperlake")), "search", "looms", "--facets", "--explain", timeout=60
    )
    assert (done.returncode, done.stderr[:10]) == (2, "error: --f")
