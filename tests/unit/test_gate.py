"""The gate on tiny tables: each kind of check fails when it should, and names the rows."""

from dataclasses import replace
from datetime import date, datetime

import polars as pl
import pytest

from expectations.gate import NO_ROW, Proven, check, require, rules_digest
from expectations.report import CheckResult, Report
from warehouse.errors import GateClosed
from warehouse.schema.catalog import CORE_TABLES
from warehouse.schema.provenance import PAPERLAKE
from warehouse.schema.table import Column, Rule, Table


def column(name, dtype=pl.String, **told):
    return Column(
        name=name,
        dtype=dtype() if isinstance(dtype, type) else dtype,
        meaning=name,
        source="made",
        origin=PAPERLAKE,
        **told,
    )


AUTHORS = Table(
    name="authors",
    grain="One author.",
    answers="Who.",
    key=("author_id",),
    columns=(
        column("author_id", pattern=r"^[a-z]+$"),
        column("name", null="not told", max_length=10),
        column("kind", allowed=("person", "group")),
        column("born", pl.Int32, null="not told", minimum=1900, maximum=2020),
        column("logins", pl.List(pl.String)),
    ),
)
BOOKS = Table(
    name="books",
    grain="One page of one book.",
    answers="What.",
    key=("book_id", "page"),
    rules=(Rule("read_in_order", "begun_at <= ended_at", "ended before it was begun"),),
    columns=(
        column("book_id"),
        column("page", pl.Int64, minimum=1),
        column("author_id", null="not told", refers_to="authors.author_id"),
        column("begun_at", pl.Datetime("us"), null="not told"),
        column("ended_at", pl.Datetime("us"), null="not told"),
    ),
)
DECLARED = (AUTHORS, BOOKS)
MORNING, EVENING = datetime.fromisoformat("2025-01-01T08:00"), datetime.fromisoformat("2025-01-01T20:00")


def authors(*rows):
    """Rows that keep every rule, but for the given values."""
    good = {"author_id": "ada", "name": None, "kind": "person", "born": None, "logins": []}
    return pl.DataFrame([good | row for row in rows], schema=AUTHORS.schema)


def books(*rows):
    good = {"book_id": "b", "page": 1, "author_id": "ada", "begun_at": None, "ended_at": None}
    return pl.DataFrame([good | row for row in rows], schema=BOOKS.schema)


def failures(*, declared=DECLARED, **frames):
    good = {"authors": authors({}), "books": books({})}
    return {f"{one.table}.{one.rule}": one for one in check(good | frames, declared).failed}


def only(found, name):
    """The one failure there is: its counts and examples."""
    assert list(found) == [name]
    return found[name].failed_count, found[name].row_count, found[name].examples


def test_a_good_set_passes_every_check():
    report = check(
        {"authors": authors({}, {"author_id": "bo", "logins": ["x", "x"]}), "books": books({}, {"page": 2})}, DECLARED
    )
    assert report.passed
    assert {result.kind for result in report.results} == {"shape", "values", "rule", "reference", "across"}
    assert [result.row_count for result in report.results] == [2] * len(report.results)
    require(report)


def test_the_core_tables_pass_when_empty():
    report = check({table.name: table.empty() for table in CORE_TABLES})
    assert report.passed
    assert len({(result.table, result.rule) for result in report.results}) == len(report.results)


def test_a_value_that_breaks_its_column_is_named_by_its_key():
    """And a missing key as null."""
    bad = [
        ({"author_id": "A1"}, "author_id_pattern", "A1"),
        ({"author_id": "bo\n"}, "author_id_pattern", "bo\\n"),
        ({"author_id": None}, "author_id_not_null", "null"),
        ({"author_id": "c", "name": "x" * 11}, "name_length", "c"),
        ({"author_id": "d", "name": "a\x00b"}, "name_control_characters", "d"),
        ({"author_id": "e", "kind": "robot"}, "kind_allowed", "e"),
        ({"author_id": "f", "kind": None}, "kind_not_null", "f"),
        ({"author_id": "g", "born": 1899}, "born_minimum", "g"),
        ({"author_id": "h", "born": 2021}, "born_maximum", "h"),
        ({"author_id": "i", "logins": None}, "logins_not_null", "i"),
    ]
    found = failures(authors=authors({}, {"author_id": "long", "name": "é😀" * 5}, *(row for row, *_ in bad)))
    expected: dict[str, tuple[str, ...]] = {}
    for _, rule, key in bad:
        expected[f"authors.{rule}"] = (*expected.get(f"authors.{rule}", ()), f"author_id={key}")
    assert {name: one.examples for name, one in found.items()} == expected
    assert {(one.failed_count == len(one.examples), one.row_count) for one in found.values()} == {(True, len(bad) + 2)}


def test_keys_rules_and_references_name_the_rows_that_break_them():
    """A key of one column and of two; a rule across columns, and a reference, hold where one is null. Of seven rows five
    are named.
    """
    wrong = [{"page": 2, "begun_at": EVENING, "ended_at": MORNING}]
    wrong += [{"page": page, "author_id": "zoe"} for page in range(11, 18)]
    right = [
        {"begun_at": MORNING},
        {"page": 4, "author_id": None},
        {"page": 5, "begun_at": MORNING, "ended_at": EVENING},
    ]
    again = [{"page": 6}, {"page": 6}, {"book_id": "c", "page": 6}]
    found = failures(authors=authors({}, {"author_id": "bo"}, {"author_id": "bo"}), books=books(*wrong, *right, *again))
    assert {name: (one.failed_count, one.row_count, one.examples) for name, one in found.items()} == {
        "authors.key_unique": (2, 3, ("author_id=bo",)),
        "books.key_unique": (2, 14, ("book_id=b, page=6",)),
        "books.read_in_order": (1, 14, ("book_id=b, page=2",)),
        "books.author_id_in_authors": (7, 14, tuple(f"book_id=b, page={page}" for page in range(11, 16))),
    }


def test_rows_that_a_release_holds_are_not_asked_for_their_values_again():
    """A bad value is found in a new row only, or everywhere where the rules changed; a key in all rows."""
    held = {"authors": authors({"name": "x" * 11}), "books": books({})}
    grown = held | {"books": books({}, {"page": 2})}
    proven = Proven("2026.11.21.1", rules_digest(DECLARED), held)
    report = check(grown, DECLARED, proven)
    assert (report.passed, report.proven_by) == (True, "2026.11.21.1")
    asked = {(one.table, one.row_count) for one in report.results if one.kind == "values"}
    assert asked == {("authors", 0), ("books", 1)}
    changed = grown | {"authors": authors({"name": "x" * 11}, {"author_id": "bo", "name": "x" * 12})}
    [failed] = check(changed, DECLARED, proven).failed
    assert (failed.rule, failed.examples) == ("name_length", ("author_id=bo",))
    [failed] = check(grown, DECLARED, proven._replace(rules_sha256="other")).failed
    assert (failed.rule, failed.row_count) == ("name_length", 1)
    [failed] = check(grown | {"books": books({}, {})}, DECLARED, proven).failed
    assert failed.rule == "key_unique"


def test_a_column_of_new_rows_without_a_new_value_is_not_asked_about_again():
    """A value that the release holds passes in another row too; a null is new where the release holds none."""
    held = {"authors": authors({"name": "x" * 11, "born": None}, {"author_id": "bo"}), "books": books({})}
    proven = Proven("2026.11.21.1", rules_digest(DECLARED), held)

    def failed(**row: object) -> list[str]:
        added = {"authors": authors({"name": "x" * 11, "born": None}, {"author_id": "bo"}, {"author_id": "cy", **row})}
        return [one.rule for one in check(held | added, DECLARED, proven).failed]

    assert failed(name="x" * 11) == []
    assert failed(name="x" * 12) == ["name_length"]
    assert failed(kind="<script>") == ["kind_allowed"]
    assert failed(kind=None) == ["kind_not_null"]


def test_columns_and_types_must_be_exactly_the_declared_ones():
    frame = authors({}).drop("kind").cast({"born": pl.Int64}).with_columns(extra=1)
    found = failures(authors=frame)
    told = ("kind is missing", "extra is not declared", "born is Int64, not Int32")
    assert only(found, "authors.schema") == (1, 1, told)


def test_columns_must_be_in_order():
    _, _, told = only(failures(authors=authors({}).select(reversed(AUTHORS.column_names))), "authors.schema")
    assert told == ("the order is logins, born, kind, name, author_id",)


def test_a_missing_table_closes_the_gate():
    report = check({"books": books({"page": 0})}, DECLARED)
    assert [str(result) for result in report.failed] == [
        "authors.schema: the table is not there, or its columns are not the declared ones (no such table)",
        "books.page_minimum: page is under 1 (1 of 1 rows: book_id=b, page=0)",
    ]


def of_core(name, **columns):
    """A table by the name of a core one, with only the columns that other tables speak of."""
    told = tuple(column(*each) for each in columns.items())
    return Table(name=name, grain="One.", answers="It.", key=tuple(columns)[:1], columns=told)


COUNTED = (
    of_core("captures", capture_id=pl.String, sighting_count=pl.Int32, rejected_count=pl.Int32),
    of_core("sightings", sighting_id=pl.String, capture_id=pl.String, paper_id=pl.String),
    of_core("papers", paper_id=pl.String, sighting_count=pl.Int32),
    of_core("quarantine", reject_id=pl.String, capture_id=pl.String),
)
ROWS = {
    "captures": [("a", 1, 0), ("b", 1, 1), ("c", 0, 0)],
    "sightings": [("1", "a", "p"), ("2", "b", "p")],
    "papers": [("p", 2)],
    "quarantine": [("1", "b")],
}


def counted(**rows):
    every = ROWS | rows
    return check({one.name: pl.DataFrame(every[one.name], one.schema, orient="row") for one in COUNTED}, COUNTED)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"sightings": [("1", "a", "p"), ("2", "a", "p")]}, ["captures.sighting_count_is_rows_of_sightings: a, b"]),
        ({"quarantine": []}, ["captures.rejected_count_is_rows_of_quarantine: b"]),
        ({"papers": [("p", 3)]}, ["papers.sighting_count_is_rows_of_sightings: p"]),
        ({"papers": [("p", 2), ("q", 0)]}, ["papers.paper_id_in_sightings: q"]),
    ],
)
def test_counts_of_one_table_must_agree_with_rows_of_another(changed, told):
    assert counted().passed
    found = counted(**changed).failed
    keys = [", ".join(example.split("=")[1] for example in one.examples) for one in found]
    assert {one.kind for one in found} == {"across"}
    assert [f"{one.table}.{one.rule}: {key}" for one, key in zip(found, keys, strict=True)] == told


def test_a_day_that_coverage_leaves_out_is_found():
    table = of_core("coverage", listed_on=pl.Date, source=pl.String)
    days = [(date(2026, 10, day), source) for source, kept in (("api", (3, 1, 2)), ("html", (1, 3))) for day in kept]
    found = check({"coverage": pl.DataFrame(days, table.schema, orient="row")}, [table]).failed
    assert [(one.rule, one.failed_count) for one in found if one.rule != "key_unique"] == [("listed_on_unbroken", 1)]


@pytest.mark.parametrize(
    ("fetched_at", "days", "told"),
    [
        # Evening of the 2nd in New York: the list of the 3rd is open from 21:30, 01:30 UTC
        (datetime(2026, 10, 3, 1, 29), {"api": 2, "html": 2}, ()),
        (
            datetime(2026, 10, 3, 1, 30),
            {"api": 2, "html": 3},
            ("api ends on 2026-10-02, the list of 2026-10-03 was open",),
        ),
        (datetime(2026, 10, 3, 1, 30), {}, ("it has no days",)),
        (datetime(2126, 10, 3), {"api": 2}, ()),  # a wrong clock
        (None, {}, ()),
    ],
)
def test_coverage_that_ends_before_the_newest_fetch_is_found(fetched_at, days, told):
    captures = of_core("captures", capture_id=pl.String, fetched_at=pl.Datetime("us"), state=pl.String)
    table = of_core("coverage", source=pl.String, listed_on=pl.Date)
    rows = [(source, date(2026, 10, day)) for source, day in days.items()]
    frames = {
        "captures": pl.DataFrame(
            [("c", fetched_at, "read"), ("d", datetime(2062, 1, 1), "set_aside")], captures.schema, orient="row"
        ),
        "coverage": pl.DataFrame(rows, table.schema, orient="row"),
    }
    [found] = [one for one in check(frames, [captures, table]).results if one.rule == "listed_on_fresh"]
    assert (found.passed, found.examples) == (not told, told)


def test_a_closed_gate_names_every_rule_its_table_rows_and_keys():
    rows = [{"page": page, "author_id": "zoe"} for page in range(1, 7)]
    report = check({"authors": authors({"kind": "robot"}), "books": books(*rows)}, DECLARED)
    with pytest.raises(GateClosed) as closed:
        require(report)
    keys = "book_id=b, page=1; book_id=b, page=2; book_id=b, page=3; book_id=b, page=4; book_id=b, page=5; …"
    assert str(closed.value).splitlines() == [
        f"2 of {len(report.results)} checks failed, nothing was published:",
        "  authors.kind_allowed: kind is an unknown value (1 of 1 rows: author_id=ada)",
        f"  books.author_id_in_authors: author_id is not in authors.author_id (6 of 6 rows: {keys})",
    ]


def test_a_report_survives_json_and_is_the_same_twice():
    frames = {"authors": authors({"kind": "<script>"}), "books": books({"page": 0})}
    report = check(frames, DECLARED)
    assert Report.from_json(report.to_json()) == report == check(frames, DECLARED)


def test_a_long_or_odd_key_is_shown_on_one_short_line():
    result = failures(authors=authors({"author_id": "x\x1b[31m\n" + "y" * 200}))["authors.author_id_pattern"]
    assert result.examples == ("author_id=" + r"x\x1b[31m\n" + "y" * 69 + "…",)


def test_an_example_stands_for_rows_that_share_a_key():
    result = CheckResult("t", "r", "rule", "wrong", True, 9).fail(3, ("a=1", "a=1", "a=2"))
    assert str(result) == "t.r: wrong (3 of 9 rows: a=1; a=2)"


def test_what_was_kept_out_is_counted_beside_the_checks():
    report = counted()
    assert report.quarantined_count == 1
    held = len(report.results)
    assert report.summary == f"{held} of {held} checks passed, 1 row quarantined"
    assert Report.from_json(report.to_json()) == report
    assert Report(report.results).summary == f"{held} of {held} checks passed"  # of an older paperlake


def test_a_value_that_great_expectations_alone_refuses_fails():
    name = replace(AUTHORS.column("name"), pattern="^[[:alpha:]]+$")  # Python's expressions have no such class
    table = replace(AUTHORS, columns=tuple(name if one.name == "name" else one for one in AUTHORS.columns))
    report = check({"authors": authors({"name": "Ada"})}, [table])
    [failed] = report.failed
    assert (failed.rule, failed.examples) == ("name_pattern", (NO_ROW,))
