"""Each format of an answer, and rows on a terminal: the values, what is cut and counted; nothing that steers a terminal
or runs in a spreadsheet.
"""

import csv
import json
from io import BytesIO, StringIO

import duckdb
import polars as pl
import pytest
from rich.cells import cell_len

from paperlake.sql.drawing import Screen, cell, record, shortened, table
from paperlake.sql.formats import write
from warehouse.errors import QueryFailed, UsageError
from warehouse.limits import QueryLimits
from warehouse.printable import printable
from warehouse.release.query import Database, QueryResult, gives_rows

STEERING = "chr(27) || '[2J' || chr(8238) || chr(155)"
DEFUSED = ["=1+1", "@cmd", "+x", "-", " =1", "\t=1", "\r1", "\xa0\u200b=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201", "\u22121", "\ufe66", "\x00=1"]  # fmt: skip
LEFT = ["a=b", "1-1", "", " a", "'=1", "(=1)", "#"]


class Terminal(BytesIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def database():
    with duckdb.connect() as connection:
        yield Database(connection, QueryLimits("60MB"))


def written(database: Database, sql: str, output_format, out: BytesIO | None = None) -> bytes:
    out = out or BytesIO()
    write(database, sql, output_format, out)
    return out.getvalue()


def text(database: Database, sql: str, output_format) -> str:
    return written(database, sql, output_format).decode()


def test_csv_holds_the_values_as_they_are(database: Database) -> None:
    asked = """SELECT 'a,"b"' AS x, NULL AS y, DATE '2024-02-29' AS z, true AS t, -5 AS n, ['a', '=1'] AS l, {'s': 1} AS s"""
    told = list(csv.reader(text(database, asked, "csv").splitlines()))
    assert told == [[*"xyztnls"], ['a,"b"', "", "2024-02-29", "true", "-5", '["a","=1"]', '{"s":1}']]


@pytest.mark.parametrize(("output_format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_cells_that_a_spreadsheet_would_run_are_defused(database: Database, output_format, delimiter: str) -> None:
    database.rows('CREATE TABLE t AS SELECT unnest(?) AS "=g"', [DEFUSED + LEFT])
    out = written(database, "FROM t", output_format).decode()
    cells = [cell for (cell,) in csv.reader(StringIO(out, newline=""), delimiter=delimiter)]
    assert cells == ["'=g", *(f"'{cell}" for cell in DEFUSED), *LEFT]


def test_markdown_holds_text_and_no_markup(database: Database) -> None:
    shown = text(database, f"SELECT '<b>a|b</b>\n`c`' AS x, NULL AS y, 7 AS z, {STEERING} AS s", "markdown")
    line = "| &lt;b&gt;a\\|b&lt;/b&gt; \\`c\\` |  | 7 | \\\\u001b\\[2J\\\\u202e\\\\u009b |"
    assert shown.splitlines() == ["| x | y | z | s |", "| --- | --- | --- | --- |", line]


def test_json_is_an_array_and_jsonl_an_object_a_line(database: Database) -> None:
    asked = "SELECT range AS a, 1.50 AS d, 'nan'::DOUBLE AS n, 2::HUGEINT ** 0 AS h FROM range(2)"
    rows = [{"a": 0, "d": 1.5, "n": None, "h": 1}, {"a": 1, "d": 1.5, "n": None, "h": 1}]
    assert json.loads(text(database, asked, "json")) == rows
    assert [json.loads(line) for line in text(database, asked, "jsonl").splitlines()] == rows
    assert (text(database, f"{asked} LIMIT 0", "json"), text(database, f"{asked} LIMIT 0", "jsonl")) == ("[]\n", "")


@pytest.mark.parametrize("output_format", ["record", "csv", "jsonl", "markdown"])
def test_the_keys_of_a_map_are_text_in_json(database: Database, output_format) -> None:
    asked = "[MAP {true: 1}, MAP {false: 2}] AS b, {'m': MAP {0.0000001: [3]}} AS d"
    shown = text(database, f"SELECT {asked}", output_format).replace('""', '"').replace("\\", "")
    assert '[{"true":1},{"false":2}]' in shown
    assert '{"m":{"0.0000001":[3]}}' in shown


def test_json_loses_no_column_of_a_name_that_another_has(database: Database) -> None:
    assert text(database, "SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a", "jsonl") == '{"a":1,"a_1":2,"a_1_1":3,"a_2":4}\n'


@pytest.mark.parametrize(("output_format", "read"), [("parquet", pl.read_parquet), ("arrow", pl.read_ipc)])
def test_binary_formats_hold_the_rows_and_go_to_no_terminal(database: Database, output_format, read) -> None:
    asked = "SELECT range AS a, 'x' || range AS b, [range] AS c FROM range(250_000)"
    told = read(BytesIO(written(database, asked, output_format)))
    assert (told.shape, told.row(249_999)) == ((250_000, 3), (249_999, "x249999", [249_999]))
    screen = Terminal()
    with pytest.raises(UsageError, match="--output"):
        write(database, asked, output_format, screen)
    assert screen.getvalue() == b""


def test_what_parquet_cannot_hold_is_named(database: Database) -> None:
    with pytest.raises(QueryFailed, match=r"interval.*CAST"):
        written(database, "SELECT INTERVAL 1 MONTH", "parquet")


@pytest.mark.parametrize("output_format", ["table", "record", "csv", "tsv", "json", "jsonl", "markdown"])
def test_nothing_steers_a_terminal(database: Database, output_format) -> None:
    asked = f'SELECT {STEERING} AS x, [{STEERING}] AS "{chr(27)}"'
    shown = written(database, asked, output_format, Terminal()).decode()
    assert shown.replace("\n", "").replace("\t", "").isprintable()
    assert "u001b" in shown
    if output_format == "json":
        assert json.loads(shown)[0]["x"] == "\x1b[2J\u202e\x9b"
    if output_format in {"csv", "tsv", "jsonl"}:  # to a program all as it is
        assert "\u202e" in text(database, asked, output_format)


@pytest.mark.parametrize("output_format", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT list(repeat('x', 1000) || range) FROM range(1_000_000)", "60MB; .*--memory"),
        ("SELECT CASE WHEN range = 900_000 THEN error('late') ELSE range END FROM range(1_000_000)", "late"),
    ],
)
def test_an_error_is_named_whenever_it_comes(database: Database, output_format, sql: str, told: str) -> None:
    list(database.rows("SET memory_limit = '60MB'").rows)
    with pytest.raises(QueryFailed, match=told):
        written(database, sql, output_format)


def test_what_duckdb_says_steers_no_terminal(database: Database) -> None:
    with pytest.raises(QueryFailed) as caught:
        written(database, f"SELECT error({STEERING})", "csv")
    assert str(caught.value) == "Invalid Input Error: \\u001b[2J\\u202e\\u009b"


def test_which_statements_give_rows(database: Database) -> None:
    script = (
        "SET VARIABLE x = 1; CREATE TEMP TABLE t AS SELECT 1 AS a; FROM t; SHOW TABLES; PIVOT t ON a USING count(*)"
    )
    assert [*map(gives_rows, database.statements(script))] == [False, False, True, True, True]
    for nothing in ("", " ; ", "-- words"):
        with pytest.raises(QueryFailed):
            database.statements(nothing)


def test_joined_letters_stay() -> None:
    joined = "\u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f52c"
    assert printable(joined) == joined


def answer(rows: list[tuple[object, ...]], **types: str) -> QueryResult:
    return QueryResult(list(types), list(types.values()), iter(rows))


def test_a_table_has_its_frame_types_and_values() -> None:
    rows = [(1, "é漢字", None), (20, "", 1.5)]
    assert "".join(table(answer(rows, rank="INTEGER", text="VARCHAR", share="DOUBLE"))) == (
        "┌───────┬─────────┬────────┐\n"
        "│ rank  │  text   │ share  │\n"
        "│ int32 │ varchar │ double │\n"
        "├───────┼─────────┼────────┤\n"
        "│     1 │ é漢字   │   NULL │\n"
        "│    20 │         │    1.5 │\n"
        "└───────┴─────────┴────────┘\n"
    )


def test_a_terminal_shows_forty_rows_and_the_leading_columns_and_how_many_there_are() -> None:
    rows = [(number, "W" * 200, number, number) for number in range(10_145)]
    types = {"a": "BIGINT", "title": "VARCHAR", "upvote_count": "BIGINT", "a_long_name_of_a_column": "BIGINT"}
    lines = "".join(table(answer(rows, **types), Screen(80, 40))).splitlines()
    assert len(lines) == 40 + 6
    assert {cell_len(line) for line in lines[:-1]} == {80}
    assert lines[3 + 1] == f"│     0 │ {'W' * 52}… │            0 │"
    assert lines[-1] == "10,145 rows, 40 shown; 4 columns, 3 shown: all with --output FILE"


def test_a_longer_cell_far_down_sticks_out() -> None:
    rows = [("a",)] * 1_000 + [("longer than all",)]
    assert "│ longer than all │" in "".join(table(answer(rows, b="VARCHAR")))


def test_an_answer_without_rows_says_so() -> None:
    assert "".join(table(answer([], a="INTEGER"))).endswith("└───────┘\n0 rows\n")
    assert "".join(record(answer([], a="INTEGER"))) == "0 rows\n"


def test_a_record_has_every_column_whole() -> None:
    shown = "".join(record(answer([(1, "word " * 12), (None, "x")], a="INTEGER", text="VARCHAR"), Screen(40, 1)))
    assert shown == (
        "row 1\n"
        "  a     1\n"
        "  text  word word word word word word\n"
        "        word word word word word word\n"
        "2 rows, 1 shown: all with --output FILE\n"
    )


def test_a_cell_is_one_line_and_cut_to_its_width() -> None:
    values = (None, True, 1.5, ["a", {"b": None}], "two\twords", "W" * 9)
    assert [cell(value, 8) for value in values] == ["NULL", "true", "1.5", '["a",{"b', "two\\tword", "W" * 8]
    assert [shortened(text, 4) for text in ("abcd", "abcde", "漢字漢", "e\u0301" * 5)] == [
        "abcd",
        "abc…",
        "漢…",
        "e\u0301e\u0301e\u0301…",
    ]
