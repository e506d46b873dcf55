"""Rows on a terminal: what fits, what is cut, what is counted."""

from __future__ import annotations

from rich.cells import cell_len

from paperlake.sql.drawing import Screen, cell, record, shortened, table
from warehouse.release.query import QueryResult


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


def test_a_file_has_all_rows_and_columns_whole() -> None:
    rows = [(number, "W" * 200) for number in range(1_500)]
    lines = "".join(table(answer(rows, a="BIGINT", b="VARCHAR"))).splitlines()
    assert len(lines) == 1_500 + 6
    assert lines[-3] == f"│  1499 │ {'W' * 200} │"
    assert lines[-1] == "1,500 rows"


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


def test_no_cell_and_no_name_steers_a_terminal() -> None:
    rows = [("\x1b[2J\u202eab\n\x9b",)]
    shown = "".join(table(answer(rows, **{"n\x1b]0;x\x07": "VARCHAR"})))
    assert "│ \\u001b[2J\\u202eab\\n\\u009b │" in shown
    assert shown.replace("\n", "").isprintable()
    assert "".join(record(answer([("\x1b",)], **{"\x1b": "VARCHAR"}))).replace("\n", "").isprintable()


def test_a_cell_is_one_line_and_cut_to_its_width() -> None:
    values = (None, True, 1.5, ["a", {"b": None}], "two\twords", "W" * 9)
    assert [cell(value, 8) for value in values] == ["NULL", "true", "1.5", '["a",{"b', "two\\tword", "W" * 8]
    assert [shortened(text, 4) for text in ("abcd", "abcde", "漢字漢", "e\u0301" * 5)] == [
        "abcd",
        "abc…",
        "漢…",
        "e\u0301e\u0301e\u0301…",
    ]
