"""The recipes of CONTRIBUTING.md, carried out in a copy of the repository: an invented page is landed there, and what
was added is found in the release. The files that a recipe touches are those that its table names, and no more."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "lake", "*.egg-info", "real", "golden", "out", "dist")
# Every item of the day's list has a field that nobody knew; a second page has a layout that nobody knew.
PROGRAM = """
import json, sys
from dataclasses import replace
from datetime import date
from pathlib import Path
import duckdb
from flows.runtime.lake import open_database
from tests.flows import steps
from warehouse.archive.captured import Capture

lake, *questions = sys.argv[1:]
day = steps.list_of(date(2026, 10, 5))
items = json.loads(day.payload)
for item in items:
    item["paper"]["mood"] = "  calm\\n  and grey "
day = replace(day, payload=json.dumps(items).encode())
card = Capture(payload=b"card: 2610.00777\\nKettles in Fog\\n")
manifest = steps.run_captures(lake, [day, card])
assert manifest is not None
with duckdb.connect(str(open_database(lake)), read_only=True) as connection:
    answers = [connection.sql(question).fetchall() for question in questions]
folder = Path(lake) / "releases" / manifest.version
texts = {name: path.read_text() for name in ("README.md", "HAIKU.txt") if (path := folder / name).is_file()}
print(json.dumps([answers, texts]))
"""


@dataclass(frozen=True)
class Recipe:
    """`changes`: file → pairs of what stands there and what is put in its place; `new`: file → its content."""

    heading: str
    most_files: int
    changes: dict[str, tuple[tuple[str, str], ...]]
    new: dict[str, str]
    question: str
    answer: list[list[object]]

    @property
    def files(self) -> set[str]:
        return self.changes.keys() | self.new.keys()

    def follow(self, copy: Path) -> None:
        for name, pairs in self.changes.items():
            text = (copy / name).read_text("utf-8")
            for old, new in pairs:
                assert text.count(old) == 1, (name, old)
                text = text.replace(old, new)
            (copy / name).write_text(text, "utf-8")
        for name, text in self.new.items():
            assert not (copy / name).exists()
            (copy / name).write_text(text, "utf-8")


def after(line: str, *added: str) -> tuple[str, str]:
    return line, line + "".join(added)


MOOD = """        Column(
            name="mood",
            dtype=c.TEXT,
            meaning="Mood of the paper, as the Hub sees it.",
            null="not shown",
            source="paper.mood",
            origin=HUB,
            since=date(2026, 10, 5),
            max_length=c.NAME_LIMIT,
            cleaning="line",
        ),
"""
IN_SIGHTINGS = {
    "transforms/readers/reading.py": (
        after("    ai_summary_model: str | None = None\n", "    mood: str | None = None\n"),
    ),
    "transforms/readers/hub_items.py": (
        after("    ai_summary_model: Text = None\n", "    mood: Text = None\n"),
        after("        ai_summary_model=paper.ai_summary_model,\n", "        mood=paper.mood,\n"),
    ),
    "warehouse/schema/core/sightings.py": (after("        c.submitter_name,\n", MOOD),),
}
IN_PAPERS = {
    "warehouse/schema/core/papers.py": (
        after('    Precedence(("title",), BEST),\n', '    Precedence(("mood",), BEST),\n'),
        after("        c.arxiv_id,\n        c.title,\n", '        SIGHTINGS.column("mood"),\n'),
    ),
    "warehouse/schema/marts/daily_papers.py": (
        after("        c.title,\n", '        PAPERS.column("mood"),\n'),
        after(
            "from warehouse.schema.core.listings import COVERAGE\n", "from warehouse.schema.core.papers import PAPERS\n"
        ),
    ),
    "warehouse/schema/marts/daily_papers.sql": (after("    papers.title,\n", "    papers.mood,\n"),),
}
MART = '''"""`weekdays`: papers by the weekday of their list."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import shared as m
from warehouse.schema.mart import Mart
from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.table import Column

WEEKDAYS = Mart(
    name="weekdays",
    grain="One weekday.",
    answers="How many papers are listed on each weekday.",
    key=("weekday",),
    columns=(
        Column(
            name="weekday",
            dtype=c.TEXT,
            meaning="Name of the weekday.",
            source="computed from daily_listings.listed_on",
            origin=PAPERLAKE,
        ),
        m.PAPER_COUNT.but(meaning="Papers listed on it."),
    ),
)
'''
READER = '''"""Index cards: an arXiv id, and the title on the second line."""

from __future__ import annotations

from transforms.readers.reading import Page, Reader, Reading, Sighting

MARK = b"card: "


def read_card(payload: bytes) -> Reading:
    """One paper."""
    name, title = payload.decode().removeprefix(MARK.decode()).splitlines()
    return Reading(list_kind="paper", sightings=[Sighting(position=1, pointer="line 2", arxiv_id=name, title=title)])


INDEX_CARD = Reader(
    name="index_card",
    source="text",
    accepts=lambda page: page.payload.startswith(MARK),
    read=lambda page: read_card(page.payload),
)
'''
RECIPES = (
    Recipe(
        "A field of the source, in `sightings`",
        4,
        IN_SIGHTINGS,
        {},
        "SELECT DISTINCT mood FROM core.sightings WHERE source = 'api'",
        [["calm and grey"]],
    ),
    Recipe(
        "A field that reaches `papers` and `daily_papers`",
        6,
        IN_SIGHTINGS | IN_PAPERS,
        {},
        "SELECT DISTINCT daily.mood, papers.mood FROM daily_papers AS daily JOIN core.papers AS papers USING (paper_id)",
        [["calm and grey", "calm and grey"]],
    ),
    Recipe(
        "A mart",
        2,
        {},
        {
            "warehouse/schema/marts/weekdays.py": MART,
            "warehouse/schema/marts/weekdays.sql": "SELECT dayname(listed_on) AS weekday, count(*) AS paper_count\n"
            "FROM core.daily_listings\nGROUP BY weekday\nORDER BY weekday\n",
        },
        "FROM weekdays",
        [["Monday", 3]],
    ),
    Recipe(
        "A reader",
        2,
        {
            "transforms/collect/read_page.py": (
                after("    hub_api,\n", "    index_card,\n"),
                after("    list_page.PAPER_PAGE,\n", "    index_card.INDEX_CARD,\n"),
            )
        },
        {"transforms/readers/index_card.py": READER},
        "SELECT paper_id, title FROM core.sightings WHERE source = 'text'",
        [["2610.00777", "Kettles in Fog"]],
    ),
    Recipe(
        "A document of a release",
        2,
        {
            "flows/steps/release_documents.py": (
                after(
                    "from flows.documents.dictionary import dictionary\n", "from flows.documents.haiku import haiku\n"
                ),
                after(
                    "DOCUMENTS: Final = (\n",
                    '    Document("HAIKU.txt", "the release in three lines", lambda given: haiku(given.edition)),\n',
                ),
            )
        },
        {
            "flows/documents/haiku.py": '"""The release in three lines."""\n\nfrom __future__ import annotations\n\n'
            "from flows.documents.edition import Edition\n\n\ndef haiku(edition: Edition) -> bytes:\n"
            '    """A text of its version."""\n'
            '    return f"{edition.version}\\nfog over the lake\\na kettle whistles\\n".encode()\n'
        },
        "SELECT 1",
        [[1]],
    ),
)
NAMED = {"<name>": ("weekdays", "haiku"), "<layout>": ("index_card",)}


def files_of(heading: str) -> set[str]:
    """The files that the recipe's table in CONTRIBUTING.md names; a recipe that begins with another's has its files."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(f"### {heading}\n")[2].partition("\n## ")[0]
    section = text.partition("\n### ")[0]
    return set(re.findall(r"^\| `([\w/.<>]+)` \|", section, re.MULTILINE))


def names_of(recipe: Recipe) -> Iterator[str]:
    """The files of a recipe as its table has them."""
    for file in recipe.files:
        for place, names in NAMED.items():
            for name in names:
                file = file.replace(f"/{name}.", f"/{place}.")  # noqa: PLW2901
        yield file


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_a_recipe_names_the_files_that_it_touches(recipe: Recipe) -> None:
    assert set(names_of(recipe)) == files_of(recipe.heading)
    assert len(recipe.files) <= recipe.most_files


@pytest.mark.slow
def test_what_is_added_by_the_recipes_is_in_the_release(lake: str, tmp_path: Path) -> None:
    """All of them in one copy; the second begins with the first."""
    shutil.copytree(ROOT, copy := tmp_path / "copy", ignore=LEFT_OUT)
    assert RECIPES[0].changes.items() <= RECIPES[1].changes.items()
    for recipe in RECIPES[1:]:
        recipe.follow(copy)
    command = [sys.executable, "-c", PROGRAM, lake, *(recipe.question for recipe in RECIPES)]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    answers, texts = json.loads(done.stdout)
    assert answers == [recipe.answer for recipe in RECIPES]
    assert "HAIKU.txt" in texts["README.md"]
    assert "fog over the lake" in texts["HAIKU.txt"]
