"""A declared table: it conforms frames, and splits off rows that break a rule; control characters are those of Unicode."""

import unicodedata
from datetime import date

import polars as pl
import pytest

from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.table import CONTROL_CHARACTERS, Check, Column, Rule, Table


def column(name: str, dtype: pl.DataType | None = None, **more: object) -> Column:
    return Column(name=name, dtype=dtype or pl.String(), meaning="", source="", origin=PAPERLAKE).but(**more)


LOOMS = Table(
    name="looms",
    grain="One loom.",
    answers="",
    key=("loom", "made_on"),
    columns=(
        column("loom", pattern="^[a-z]+$", max_length=5),
        column("made_on", pl.Date(), null="unknown"),
        column("width", pl.Int32(), null="unknown", minimum=1, maximum=9),
        column("wood", null="unknown", allowed=("oak", "ash")),
    ),
    rules=(Rule("wide_oak", "wood <> 'oak' OR width > 2", "an oak loom is too narrow"),),
)


def looms(**columns: list[object]) -> pl.DataFrame:
    return pl.DataFrame(columns, schema={name: LOOMS.schema[name] for name in columns})


class TestConform:
    def test_conform_sets_columns_order_types_and_nulls(self) -> None:
        frame = pl.DataFrame(
            {
                "wood": ["ash", None, "oak"],
                "width": [3, 4, None],
                "noise": [1.5, 2.5, 3.5],
                "made_on": [date(2024, 2, 1), None, date(2024, 1, 1)],
                "loom": ["b", "b", "a"],
            }
        )
        conformed = LOOMS.conform(frame)
        assert conformed.schema == LOOMS.schema
        assert conformed.rows() == [
            ("a", date(2024, 1, 1), None, "oak"),
            ("b", None, 4, None),
            ("b", date(2024, 2, 1), 3, "ash"),
        ]

    def test_one_chunk_whatever_it_came_from(self) -> None:
        row = looms(loom=["a"], made_on=[None], width=[1], wood=[None])
        assert LOOMS.conform(pl.concat([row, row], rechunk=False)).n_chunks("all") == [1] * 4

    def test_a_table_may_declare_its_order(self) -> None:
        by_width = Table(
            name="looms", grain="", answers="", key=LOOMS.key, columns=LOOMS.columns, order=("width", "loom")
        )
        frame = looms(loom=["a", "b", "c"], made_on=[None] * 3, width=[7, None, 2], wood=[None] * 3)
        assert by_width.conform(frame)["loom"].to_list() == ["b", "c", "a"]

    def test_a_value_that_does_not_fit_is_an_error(self) -> None:
        frame = looms(loom=["a"], made_on=[None], wood=[None]).with_columns(width=pl.lit(2**31))
        with pytest.raises(pl.exceptions.InvalidOperationError, match="width"):
            LOOMS.conform(frame)


class TestSplit:
    @pytest.mark.parametrize(
        ("row", "rule"),
        [
            (("loom", None, None, None), None),
            (("loom", None, 1, "ash"), None),
            (("loom", None, 9, "oak"), None),
            ((None, None, None, None), "loom_not_null"),
            (("Loom", None, None, None), "loom_pattern"),
            (("", None, None, None), "loom_pattern"),
            (("looooom", None, None, None), "loom_length"),
            (("loom", None, 0, None), "width_minimum"),
            (("loom", None, 10, None), "width_maximum"),
            (("loom", None, None, "elm"), "wood_allowed"),
            (("loom", None, 2, "oak"), "wide_oak"),
        ],
    )
    def test_each_rule_rejects_its_rows(self, row: tuple[object, ...], rule: str | None) -> None:
        kept, rejected = LOOMS.split(pl.DataFrame([row], schema=LOOMS.schema, orient="row"))
        assert (kept.height, rejected["rule"].to_list()) == ((1, []) if rule is None else (0, [rule]))

    def test_a_rejected_row_names_its_first_rule_and_all_details(self) -> None:
        _, rejected = LOOMS.split(looms(loom=["LOOOOM"], made_on=[None], width=[-1], wood=["oak"]))
        assert rejected.rows() == [
            (
                "LOOOOM",
                None,
                -1,
                "oak",
                "loom_pattern",
                "loom is malformed; loom is longer than 5 characters; width is under 1; an oak loom is too narrow",
            )
        ]

    @pytest.mark.parametrize("control", ["\0", "\t", "\n", "\x1f", "\x7f", "\x80", "\x85", "\x9f"])
    def test_control_characters(self, control: str) -> None:
        table = Table(name="t", grain="", answers="", key=("a",), columns=(column("a", max_length=9),))
        frame = pl.DataFrame({"a": [f"x{control}", "x \u00a0\u2028", f"{control}x"]})
        kept, rejected = table.split(frame)
        assert kept["a"].to_list() == ["x \u00a0\u2028"]
        assert rejected["rule"].to_list() == ["a_control_characters"] * 2

    def test_lengths_are_counted_in_characters(self) -> None:
        table = Table(name="t", grain="", answers="", key=("a",), columns=(column("a", max_length=2),))
        kept, _ = table.split(pl.DataFrame({"a": ["éé", "ééé", "\N{GRINNING FACE}\N{GRINNING FACE}"]}))
        assert kept["a"].to_list() == ["éé", "\N{GRINNING FACE}\N{GRINNING FACE}"]

    def test_rows_keep_their_order_and_columns(self) -> None:
        frame = looms(loom=["c", "B", "a", "D"], made_on=[None] * 4, width=[3, 4, 5, 6], wood=[None] * 4)
        kept, rejected = LOOMS.split(frame)
        assert (kept["loom"].to_list(), rejected["loom"].to_list()) == (["c", "a"], ["B", "D"])
        assert kept.schema == frame.schema
        assert rejected.columns == [*frame.columns, "rule", "detail"]

    def test_only_rules_whose_columns_are_there_are_asked(self) -> None:
        kept, rejected = LOOMS.split(pl.DataFrame({"width": [1, 11], "noise": ["x", "y"]}))
        assert kept.rows() == [(1, "x")]
        assert rejected.rows() == [(11, "y", "width_maximum", "width is over 9")]

    def test_a_frame_without_columns_of_the_table_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="no rule of looms"):
            LOOMS.split(pl.DataFrame({"noise": [1]}))

    def test_more_checks_come_last_and_hold_for_null(self) -> None:
        quiet = Check("quiet", pl.col("noise") < 5, "the loom is loud")
        frame = pl.DataFrame({"width": [1, 2, 0, 4], "noise": [4, 5, 9, None]}, schema_overrides={"noise": pl.Int64})
        kept, rejected = LOOMS.split(frame, quiet)
        assert kept.rows() == [(1, 4), (4, None)]
        assert rejected.rows() == [
            (2, 5, "quiet", "the loom is loud"),
            (0, 9, "width_minimum", "width is under 1; the loom is loud"),
        ]


def test_every_control_character_is_found_and_nothing_else() -> None:
    characters = [chr(code) for code in range(0x2100) if not 0xD800 <= code < 0xE000]
    texts = pl.DataFrame({"text": [f"a{character}b" for character in characters]})
    expected = [unicodedata.category(character) == "Cc" for character in characters]
    assert texts["text"].str.contains(CONTROL_CHARACTERS).to_list() == expected
