"""SQL by the MCP server: nothing is written, no file read, no answer too large, none cut without a word."""

import json
import os
import re
from pathlib import Path

import pytest

import paperlake
from paperlake.mcp.answer_shape import value
from paperlake.mcp.query_process import QueryProcess
from tests.agent import MOST_BYTES, ask, sql

pytestmark = pytest.mark.usefixtures("let_go")
CLOSED = "cannot be reached"
# Columns of tables and marts, each asked for once under a name that it does not have
ASKED = {
    "papers": ("title", "upvote_count", "published_on", "author_count", "first_listed_on", "standing"),
    "daily_papers": ("rank", "comment_count", "list_state", "organization_name", "project_url", "last_observed_hours"),
    "paper_observations": ("observed_at", "github_star_count", "model_count"),
    "coverage": ("state", "failure_count", "is_expected"),
    "paper_claims": ("metric", "direction", "comparator", "bound"),
    "upvote_curves": ("paper_id", "first_listed_on"),
    "captures": ("fetched_at", "payload_bytes", "list_kind", "sighting_count"),
    "paper_authors": ("name", "position"),
    "papers_by_month": ("paper_count", "month_on"),
    "submitters": ("submitter_login", "paper_count"),
    "conflicts": ("field", "rule"),
    "paper_keywords": ("keyword", "normal_keyword"),
    "paper_links": ("kind", "repository"),
}
# What is no query is refused by its kind, whichever it is; what a query may call, by its connection
HOSTILE = (
    "COPY papers TO '{path}'",
    "ATTACH ':memory:' AS mine",
    "CREATE TEMP TABLE mine AS SELECT 1",
    "CREATE SECRET (TYPE s3, KEY_ID 'x', SECRET 'y')",
    "DELETE FROM core.papers",
    "PRAGMA database_list; SELECT 1",
    "PRAGMA enable_profiling",
    "SET memory_limit = '100GB'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "EXPORT DATABASE '{path}'",
    "BEGIN",
    "CALL pragma_version(); SELECT 1",
    "FROM read_csv('/etc/passwd')",
    "FROM read_text('/etc/passwd')",
    "FROM read_parquet('{path}')",
    "FROM '/etc/passwd'",
    "FROM glob('/*')",
    "FROM 'https://hub.example/x.parquet'",
    "SELECT getenv('HOME')",
    "SELECT * FROM duckdb_secrets()",
    "SELECT 1; DROP TABLE core.papers",
    "",
    "-- nothing",
    "EXPLAIN ANALYZE COPY papers TO '{path}'",
    "PREPARE mine AS SELECT 1",
    "WITH gone AS (DELETE FROM core.papers RETURNING *) FROM gone",
    "SELECT query('COPY papers TO ''{path}''')",
    "FROM query_table('/etc/passwd')",
    "FROM parquet_metadata('{path}')",
    "FROM sniff_csv('/etc/passwd')",
)
LARGE = (
    "SELECT repeat('x', 20000000)",
    "FROM range(1000000)",
    "SELECT range(1000000)",
    "SELECT [range(2000), range(2000)] FROM range(50)",
    "SELECT map(range(3000), range(3000))",
    "SELECT repeat('\u202ea', 100000)",
    "SELECT " + ", ".join(f"repeat('{number}', 2000) AS c{number}" for number in range(100)),
    "SELECT repeat('\"', 60000)",
    "SELECT * FROM sightings CROSS JOIN range(20)",
    "SELECT '\\x00'::BLOB FROM range(5000)",
)


def test_values_that_json_rounds_or_lacks_are_text(process: QueryProcess) -> None:
    answer = sql(
        process,
        "SELECT 9007199254740993 AS a, 1.50::DECIMAL(5, 2) AS b, 'nan'::DOUBLE AS c, DATE '2026-04-07' AS d, "
        "TIMESTAMP '2026-04-07 08:05:00' AS e, 12 AS f, NULL AS g, [1, NULL] AS h, {'x': 1} AS i, 170141183460469231731::HUGEINT AS j",
    )
    expected = ["9007199254740993", "1.50", "nan", "2026-04-07", "2026-04-07T08:05:00", 12, None, [1, None], {"x": 1}]
    assert answer.found["quoted"]["rows"] == [[*expected, "170141183460469231731"]]
    assert answer.found["columns"][0] == {"name": "a", "type": "BIGINT"}


def test_rows_that_are_left_out_are_told(process: QueryProcess) -> None:
    some = sql(process, "SELECT paper_id FROM papers ORDER BY paper_id", max_rows=10)
    assert some.found["truncated"] == {"by": "rows", "shown": 10, "total": None}
    count = sql(process, "SELECT count(*) FROM papers").found["quoted"]["rows"][0][0]
    exactly = sql(process, "SELECT paper_id FROM papers ORDER BY paper_id", max_rows=count)
    assert exactly.found["truncated"] == {"by": None, "shown": count, "total": count}
    [found] = ask(process, ("search", {"words": "gardens", "limit": 1}))
    assert found.found["truncated"] == {"by": "rows", "shown": 1, "total": 9}


def test_no_answer_is_larger_than_a_client_takes(process: QueryProcess) -> None:
    answers = ask(process, *(("sql", {"query": query, "max_rows": 1_000}) for query in LARGE))
    for query, answer in zip(LARGE, answers, strict=True):
        assert answer.size <= MOST_BYTES, query
        if not answer.is_error:
            assert answer.found["truncated"]["by"] in {"bytes", "rows"}, f"it is cut, and says so: {query}"


def test_sql_writes_nothing_and_reads_no_file(process: QueryProcess, published: str, tmp_path: Path) -> None:
    """Each is asked, and then another query, which is answered."""
    made, before = str(tmp_path / "made"), names_in(published)
    asked = [query.format(path=made) for hostile in HOSTILE for query in (hostile, "SELECT 1")]
    answers = ask(process, *(("sql", {"query": query}) for query in asked))
    for query, answer in zip(HOSTILE, answers[::2], strict=True):
        if not answer.is_error:  # a query of names that reaches nothing
            said = json.dumps(answer.found["quoted"])
            assert "root:" not in said, query
            assert os.environ.get("HOME", "/home") not in said, query
        else:
            assert "/" not in answer.text.replace("/etc/passwd", "").replace(made, "") or CLOSED in answer.text, query
            assert "Traceback" not in answer.text, query
    assert not any(answer.is_error for answer in answers[1::2])
    assert list(tmp_path.iterdir()) == []
    assert names_in(published) == before


def names_in(lake: str) -> list[str]:
    return sorted(path.as_posix() for path in Path(lake).rglob("*"))


def retried(query: str, wrong: str, error: str) -> str:
    """The query with the first name that the error has for a wrong one, as a client would send it again."""
    near = re.search(rf"^for {wrong}, near: (\w+)", error, re.MULTILINE)
    assert near, error
    return re.sub(rf"\b{wrong}\b", near[1], query)


@pytest.mark.slow
def test_an_invented_column_is_put_right_by_its_error(process: QueryProcess, release: paperlake.Release) -> None:
    questions = [(table, column) for table, columns in ASKED.items() for column in columns]
    assert len(questions) >= 40
    for number, (table, column) in enumerate(questions):
        wrong = (f"{column}s", f"the_{column}", f"{column[:-1]}", f"paper_{column}")[number % 4]
        query = f"SELECT {{}} FROM {table} ORDER BY ALL LIMIT 5"
        expected = [[value(cell) for cell in row] for row in release.sql(query.format(column)).rows()]
        refused = sql(process, query.format(wrong))
        assert refused.is_error, wrong
        again = sql(process, retried(query.format(wrong), wrong, refused.text))
        assert again.found["quoted"]["rows"] == expected, (table, column, refused.text)
