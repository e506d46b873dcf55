"""The real captures by `import paperlake`, SQL, the command line and MCP: the same answers, and none larger than a client takes.

PAPERLAKE_DRILL_EACH says of how many queries one is asked; with 1 it is all 105.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import paperlake
from paperlake.mcp.query_process import QueryProcess
from warehouse.limits import QueryLimits

pytestmark = pytest.mark.usefixtures("let_go")
TITLES = "SELECT title FROM papers WHERE upvote_count > 50 ORDER BY hash(paper_id) LIMIT 40"
NAMES = "SELECT name FROM paper_authors GROUP BY name HAVING count(*) > 4 ORDER BY hash(name) LIMIT 40"
KEYWORDS = "SELECT keyword FROM paper_keywords GROUP BY keyword ORDER BY hash(keyword) LIMIT 20"
EACH = int(os.environ.get("PAPERLAKE_DRILL_EACH", "20"))
WORDS = (
    "kv cache compression",
    "video diffusion",
    "agents that use computers",
    "reward models",
    "org:nvidia since:2025-06-01",
)


def test_python_sql_the_command_and_mcp_answer_alike(growing: Path) -> None:
    release = paperlake.open(str(growing)).latest()
    asked = [*WORDS, *(release.sql(TITLES)["title"]), *(release.sql(NAMES)["name"]), *release.sql(KEYWORDS)["keyword"]]
    assert len(asked) == 105
    asked = [*WORDS, *asked[len(WORDS) :: EACH]]
    lines = "\n".join(json.dumps({"query_id": number, "text": text}) for number, text in enumerate(asked))
    program = [Path(sys.executable).with_name("paperlake"), "search", "--batch", "--lake", str(growing)]
    done = subprocess.run(program, input=lines, capture_output=True, text=True, timeout=300, check=True)
    with QueryProcess(str(growing), None, QueryLimits(seconds=60)) as process:
        for text, line in zip(asked, done.stdout.splitlines(), strict=True):
            found = release.search(text)["paper_id"].to_list()
            assert json.loads(line)["paper_ids"][:10] == found, text
            answer = process.call("search", {"words": text})
            assert [hit["paper_id"] for hit in json.loads(answer)["hits"]] == found, text
            assert found == release.sql("FROM search_papers($1)", [text])["paper_id"].to_list()[:10], text
        for paper_id in release.sql("SELECT paper_id FROM papers ORDER BY hash(paper_id) LIMIT 8")["paper_id"]:
            answer = process.call("paper", {"paper_id": paper_id})
            assert len(answer) <= 64 << 10
            assert json.loads(answer)["facts"]["paper_id"] == paper_id
            similar = json.loads(process.call("similar", {"paper_ids": [paper_id]}))["hits"]
            assert [hit["paper_id"] for hit in similar] == release.similar(paper_id)["paper_id"].to_list()


def test_a_number_leads_to_the_page_that_shows_it(growing: Path) -> None:
    release = paperlake.open(str(growing)).latest()
    days = release.sql(
        "SELECT DISTINCT listed_on FROM coverage WHERE state = 'complete' ORDER BY hash(listed_on) LIMIT 10"
    )
    seen = 0
    for day in days["listed_on"]:
        for row in release.day(day).head(3).iter_rows(named=True):
            page = release.evidence(row)
            if page.content_type == "application/json":
                shown = {item["paper"]["id"]: item["paper"]["upvotes"] for item in page.json()}
                assert shown[row["paper_id"]] == row["upvote_count"]
                seen += 1
    assert seen > 10
