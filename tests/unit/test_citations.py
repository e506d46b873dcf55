"""Citations: each character in TeX, nothing that TeX would run, and entries that other programs read."""

# ruff: noqa: RUF001 - letters that look like others are what this is about

import json
import re
import shutil
import subprocess
import warnings
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import bibtexparser
import polars as pl
import pybtex.database
import pytest
import rispy
from bibtexparser.middlewares.names import split_multiple_persons_names
from hypothesis import given, settings
from hypothesis import strategies as st

from paperlake.answers.citations import citations
from tests.builders import WOVEN, A
from tests.little_lake import little_lake
from transforms.core.papers import paper_citations
from warehouse.people.masked_tables import masked_frame
from warehouse.people.person import Person
from warehouse.schema.core.attached import PAPER_AUTHORS
from warehouse.schema.core.papers import PAPERS

ON = date(2025, 3, 4)
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\begin{document}
"""
# Titles as the source has them, and as somebody may try it
TITLES = {
    "Woven Ledgers": "Woven Ledgers",
    'Rethinking "Looms" at last': "Rethinking ``Looms'' at last",
    '"Looms?": ("one")': "``Looms?'': (``one'')",
    "“Looms” and ‘tides’ – again…": "``Looms'' and `tides' -- again{\\ldots}",
    "Earn $1 Million from $2 Million": r"Earn \$1 Million from \$2 Million",
    "$100-$200 a day, 5% & #1": r"\$100-\$200 a day, 5\% \& \#1",
    r"\$OneMillion-Bench": r"\$OneMillion-Bench",
    r"Prefill \& Decode\ now": r"Prefill \& Decode now",
    r"LLM$\times$Map and $\ell_p$ of $x^2$, $O(n)$": r"LLM$\times$Map and $\ell_p$ of $x^2$, $O(n)$",
    r"In $\mathbb{R}^n$ for $x \in X$": r"In $\mathbb{R}^n$ for $x \in X$",
    "SL^{2}A and V_{0.5}, Free^2Guide": r"SL\ensuremath{^{2}}A and V\ensuremath{_{0.5}}, Free\ensuremath{^2}Guide",
    r"$\input{/etc/passwd}$": r"\$\textbackslash{}input\textbraceleft{}/etc/passwd\textbraceright{}\$",
    r"\write18{rm}": r"\textbackslash{}write18\textbraceleft{}rm\textbraceright{}",
    "}{": r"\textbraceright{}\textbraceleft{}",
    "Ke$ha and A$AP": r"Ke\$ha and A\$AP",
    "$x_1_2$ and $x": r"\$x\_1\_2\$ and \$x",
    r"$\mathbf$ $\alphabet$": r"\$\textbackslash{}mathbf\$ \$\textbackslash{}alphabet\$",
    "a_b ~ c^d <e> |f| `g": (
        r"a\_b \textasciitilde{} c\textasciicircum{}d \textless{}e\textgreater{} \textbar{}f\textbar{} "
        r"\textasciigrave{}g"
    ),
    "π at 30° for 学习 ≤ ℝ": r"\ensuremath{\pi} at 30{\textdegree} for [U+5B66][U+4E60] \ensuremath{\leq} \ensuremath{\mathbb{R}}",
    "Déjà vế": r"D{\'{e}}j{\`{a}} v{\'{\^{e}}}",
    "de\u0301ja\u0300 o\u0489k": r"d{\'{e}}j{\`{a}} o[U+0489]k",
    "a\u202eb\u200bc\u0001d\u00a0e\u3000f": "abcd~e f",
    "\U0001f4dc runs": "[U+1F4DC] runs",
}


def cited(titles: Mapping[str, str], authors: Mapping[str, list[str]], style: Any = "bibtex", **told: Any) -> str:
    """The citations of papers by id, from a database of these alone."""
    base = dict.fromkeys(PAPERS.column_names) | {"sighting_count": 1, "capture_id": A, "published_on": ON} | told
    papers = [
        base | {"paper_id": one, "arxiv_id": None if one.startswith("title:") else one, "title": title}
        for one, title in titles.items()
    ]
    people = [
        {"paper_id": one, "position": place, "name": name, "capture_id": A}
        for one, names in authors.items()
        for place, name in enumerate(names, 1)
    ]
    tables = {
        "papers": pl.DataFrame(papers, schema=PAPERS.schema),
        "paper_authors": pl.DataFrame(people, schema=PAPER_AUTHORS.schema),
    }
    tables["paper_citations"] = paper_citations(*tables.values())
    with little_lake(tables, "bibtex", "paper_status_as_of", "paper_publications_as_of") as opened:
        return citations(opened, list(titles), style)


def test_an_entry_has_every_known_field() -> None:
    assert cited({WOVEN: "Woven Ledgers"}, {WOVEN: ["Ada Ångström", "Gemma Team", "B. de Vries"]}) == (
        "@misc{angstrom2025:2503.01234,\n"
        '  author = {Ada {\\r{A}}ngstr{\\"{o}}m and {Gemma Team} and B. de Vries},\n'
        "  title = {{Woven Ledgers}},\n"
        "  year = {2025},\n"
        "  month = mar,\n"
        "  eprint = {2503.01234},\n"
        "  archivePrefix = {arXiv},\n"
        "  doi = {10.48550/arXiv.2503.01234},\n"
        "  url = {https://arxiv.org/abs/2503.01234}\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("paper_id", "published_on", "begins"),
    [
        ("2503.01234", None, "@misc{anon2025:2503.01234,\n  title = {{T}},\n  year = {2025},\n  month = mar,\n"),
        (
            "hep-th/9901001",
            None,
            "@misc{anon1999:hep-th/9901001,\n  title = {{T}},\n  year = {1999},\n  month = jan,\n",
        ),
        ("math.AG/0601001", None, "@misc{anon2006:math.AG/0601001,\n  title = {{T}},\n  year = {2006},\n"),
        ("title:0123456789abcdef", None, "@misc{anon:title:0123456789abcdef,\n  title = {{T}}\n}\n"),
        ("title:0123456789abcdef", ON, "@misc{anon2025:title:0123456789abcdef,\n  title = {{T}},\n  year = {2025},"),
    ],
)
def test_what_no_page_showed_is_left_out(paper_id: str, published_on: date | None, begins: str) -> None:
    assert cited({paper_id: "T"}, {}, published_on=published_on).startswith(begins)


@pytest.mark.parametrize(
    ("name", "key", "told"),
    [
        ("Laurens van der Maaten", "maaten", "Laurens van der Maaten"),
        ("Ada Loom Jr.", "loom", "Ada Loom Jr."),
        ("Ñusta Łoś-Ærø", "losaero", r"{\~{N}}usta {\L}o{\'{s}}-{\AE}r{\o}"),
        ("Barnes and Noble", "noble", "{Barnes and Noble}"),
        ("Loom, Ada", "ada", "{Loom, Ada}"),
        ("others", "others", "{others}"),
        ("李明", "anon", "[U+674E][U+660E]"),
        ("Jiří", "jiri", r"Ji{\v{r}}{\'{\i}}"),
    ],
)
def test_authors_have_their_tex_and_key(name: str, key: str, told: str) -> None:
    entry = cited({WOVEN: "T"}, {WOVEN: [name]})
    assert entry.startswith(f"@misc{{{key}2025:{WOVEN},\n  author = {{{told}}},\n")


def test_a_truncated_author_list_ends_with_others() -> None:
    shown = {WOVEN: ["Ada Loom"]}
    assert "author = {Ada Loom and others}" in cited({WOVEN: "T"}, shown, author_count=9)
    assert "N1  - The first 1 of 9 authors.\n" in cited({WOVEN: "T"}, shown, "ris", author_count=9)


def test_titles_are_written_in_tex_under_keys_of_their_own() -> None:
    ids = {f"2503.{number:05}": title for number, title in enumerate(TITLES)}
    text = cited(ids, {})
    assert text.isascii()
    assert re.findall(r"^  title = \{\{(.*)\}\},$", text, re.MULTILINE) == list(TITLES.values())
    assert len(set(re.findall(r"^@misc\{(.*),$", text, re.MULTILINE))) == len(TITLES)


def hostile(count: int) -> list[str]:
    """Titles of every sign that TeX or BibTeX knows, next to each other in many orders."""
    signs = [
        *TITLES,
        "\\",
        "{",
        "}",
        "$",
        "%",
        "&",
        "#",
        "^",
        "_",
        "~",
        '"',
        "@misc{x,",
        "\\end{document}",
        "$$",
        "^^M",
    ]
    return [
        f"{signs[number % len(signs)]}{signs[number * 7 % len(signs)]}{signs[number * 11 % len(signs)]}"
        for number in range(count)
    ]


def test_a_hundred_hostile_titles_compile(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex here: texlive-latex-base brings it")
    ids = {f"2503.{number:05}": title for number, title in enumerate(hostile(100))}
    names = {one: [title.replace(" ", "") or "x"] for one, title in ids.items()}
    text = cited(ids, names)
    fields = re.findall(r"^  (?:title|author) = \{(.*)\},$", text, re.MULTILINE)
    assert len(fields) == 200
    (tmp_path / "all.tex").write_text(PREAMBLE + "\n\n".join(fields) + "\n\\end{document}\n")
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, b"\n".join(line for line in done.stdout.splitlines() if line[:1] in {b"!", b"l"})


def counted(bibtex: str, ris: str, csl: str) -> list[dict[str, int]]:
    """The number of authors of each paper as other programs count them; they must agree."""
    library = bibtexparser.parse_string(bibtex)
    assert library.failed_blocks == []
    entries = pybtex.database.parse_string(bibtex, "bibtex").entries
    return [
        {
            one.key.split(":", 1)[1]: len(split_multiple_persons_names(one["author"])) if "author" in one else 0
            for one in library.entries
        },
        {key.split(":", 1)[1]: len(entry.persons.get("author", ())) for key, entry in entries.items()},
        {one["id"]: len(one.get("authors", ())) for one in rispy.load(StringIO(ris))},
        {one["id"]: len(one.get("author", ())) for one in json.loads(csl)},
    ]


def rendered(csl: list[dict[str, Any]], each: int = 1) -> int:
    """How many records citeproc-py reads; some of them it also renders in a bibliography."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells of every field that it has no use for
        from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
        from citeproc.source.json import CiteProcJSON

        source = CiteProcJSON(csl)
        style = CitationStylesStyle("harvard-cite-them-right", validate=False)
        bibliography = CitationStylesBibliography(style, source, formatter.plain)
        bibliography.register(Citation([CitationItem(one["id"]) for one in csl[::each]]))
        assert len([str(one) for one in bibliography.bibliography()]) == len(csl[::each])
        return len(source)


def test_other_programs_read_hostile_titles() -> None:
    ids = {f"2503.{number:05}": title.replace("\x00", "") for number, title in enumerate(hostile(100))}
    authors = {one: ["Ada Loom", "Łukasz Øst", "Gemma Team", "Barnes and Noble"] for one in ids}
    bibtex, ris, csl = (cited(ids, authors, style) for style in ("bibtex", "ris", "csl-json"))
    assert counted(bibtex, ris, csl) == [dict.fromkeys(ids, 4)] * 4
    assert rendered(json.loads(csl)) == len(ids)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40), min_size=1, max_size=20))
def test_whatever_a_title_is_its_entry_is_ascii_and_whole(titles: list[str]) -> None:
    ids = {f"2503.{number:05}": title.replace("\x00", "") for number, title in enumerate(titles)}
    text = cited(ids, {one: [title] for one, title in ids.items()})
    assert text.isascii()
    assert bibtexparser.parse_string(text).failed_blocks == []
    assert text.count("{") == text.count("}")


def test_an_erased_author_is_masked_in_tex_and_in_the_key() -> None:
    """As a build of the masked pages has them; then nothing is left, where another author has the login for a name, too."""
    mask, name = "erased0a1b2c3d", "Łoś Ångström"
    person = Person(mask, frozenset({"bo"}), frozenset({name}), authorship=True)

    def entries(shown: str) -> pl.DataFrame:
        names = {WOVEN: [shown, "Bo Tide"], "2503.01235": ["Bo Tide", shown]}
        return pl.DataFrame({"bibtex": cited(dict.fromkeys(names, "T"), names).split("\n\n")})

    masked, changed = masked_frame(person, "paper_citations", entries(name))
    assert (masked["bibtex"].to_list(), changed) == (entries(mask)["bibtex"].to_list(), {"bibtex": 2})
    assert masked_frame(person, "paper_citations", masked)[1] == {}
    begins, of_prose = masked["bibtex"].str.head(60).to_list(), replace(person, words=True)
    assert [of_prose.of_citation(one) for one in begins] == begins, "as the example of the column"
