"""The documents of a release against the validators of their formats, and what they must not leave out."""

import csv
import json
import warnings
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Any

import jsonschema
import pytest
import rdflib
import yaml
from msgspec.structs import replace

from flows.documents.card import card, citation, licences
from flows.documents.catalogues import DCAT, croissant, dcat
from flows.documents.contract import contract, datapackage, schemas
from flows.documents.edition import DESCRIPTION, TITLE, Edition, origins
from flows.documents.notes import Loss, Notes, Rekeyed, TableNote, notes_text
from flows.people.staged import LISTS, Manifests
from tests.golden.refresh import EDITION
from warehouse.release.manifest import Manifest, TableFiles, digest
from warehouse.schema.catalog import ALL_TABLES, CORE_TABLES, SCHEMA_VERSION
from warehouse.schema.provenance import ARXIV, HUB, PAPERLAKE

EMPTY = Edition("2026.01.05.12", SCHEMA_VERSION, ())


def told_by(edition: Edition) -> Any:
    """The contract, by libyaml: Python's own reader takes seconds."""
    return yaml.load(contract(edition), yaml.CSafeLoader)


@pytest.fixture
def _csv_limit() -> Iterator[None]:
    """Frictionless lifts the limit of every CSV reader of the process, for good."""
    limit = csv.field_size_limit()
    yield
    csv.field_size_limit(limit)


@pytest.mark.usefixtures("_csv_limit")
@pytest.mark.parametrize("edition", [EDITION, EMPTY], ids=["full", "empty"])
def test_the_data_package_is_valid(edition, tmp_path):
    """With the schemas beside it, which it names."""
    import frictionless

    for key, data in {**schemas(edition), "datapackage.json": datapackage(edition)}.items():
        (path := tmp_path / key).parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    report = frictionless.Package.validate_descriptor(str(path))
    assert report.valid, report.flatten(["note"])
    columns = [one.schema.field_names for one in frictionless.Package(str(path)).resources]
    assert columns == [list(table.column_names) for table, _ in edition.parts]


@pytest.mark.parametrize("edition", [EDITION, EMPTY], ids=["full", "empty"])
def test_the_contract_keeps_the_standard(edition):
    schema = json.loads((files("open_data_contract_standard") / "schema.json").read_text("utf-8"))
    jsonschema.validate(told_by(edition), schema)


def test_a_mart_that_is_released_is_described_and_not_promised():
    [daily] = [table for table in ALL_TABLES if table.name == "daily_papers"]
    edition = EDITION._replace(tables=(), marts=((daily, TableFiles(daily.name, 3, EDITION.tables[0][1].files)),))
    [told] = told_by(edition)["schema"]
    assert (told["physicalName"], told["quality"]) == ("daily_papers", [])
    assert [one["name"] for one in told["properties"]] == list(daily.column_names)


def test_the_card_gives_the_viewer_a_configuration_a_table():
    *seen, (last, files) = EDITION.marts
    edition = EDITION._replace(marts=(*seen, (last, replace(files, row_count=0))))
    _, front, text = card(edition, {}).decode().split("---\n", 2)
    told = yaml.safe_load(front)
    assert told["configs"][0]["config_name"] == "papers"
    assert [one["config_name"] for one in told["configs"] if one.get("default")] == ["papers"]
    names = [table.name for table in (*CORE_TABLES, *(table for table, _ in seen))]
    assert sorted(one["config_name"] for one in told["configs"]) == sorted(names)
    assert all(len(one["data_files"]) == 1 for one in told["configs"])
    assert (told["license"], told["license_link"]) == ("other", "LICENSE.md")
    assert told["size_categories"] == ["n<1K"]
    assert text.startswith("\n# paperlake")


@pytest.mark.parametrize(
    ("rows", "size"), [(0, "n<1K"), (999, "n<1K"), (1_000, "1K<n<10K"), (80_942, "10K<n<100K"), (10**6, "1M<n<10M")]
)
def test_the_size_is_that_of_the_longest_table(rows, size):
    table, files = EDITION.tables[0]
    edition = EDITION._replace(tables=((table, TableFiles(files.name, rows, files.files)),))
    assert yaml.safe_load(card(edition, {}).decode().split("---\n")[1])["size_categories"] == [size]


def test_the_citation_has_what_the_format_asks_for():
    """By the schema of the Citation File Format 1.2.0: what must be there, and what a value may be."""
    told = yaml.safe_load(citation(EDITION))
    assert set(told) >= {"authors", "cff-version", "message", "title"}
    assert (told["cff-version"], told["type"]) == ("1.2.0", "dataset")
    assert (told["version"], told["date-released"]) == ("2026.10.03.1", date(2026, 10, 3))
    assert all(set(author) <= {"name", "website"} and author["name"] for author in told["authors"])
    assert all({"authors", "title", "type"} <= set(one) for one in told["references"])


def test_every_column_stands_under_one_licence():
    lines = [line for line in licences(EDITION).decode().splitlines() if line.startswith("- ")]
    named = [(line[2:].partition(":")[0], name) for line in lines for name in line.partition(": ")[2].split(", ")]
    assert len(named) == len(set(named))
    assert set(named) == {(table.name, f"`{column.name}`") for table, _ in EDITION.parts for column in table.columns}


def test_what_is_read_from_the_source_is_not_ours():
    """A column that is read from a path in the Hub's answers is arXiv's or the Hub's; a week that we reckon is ours."""
    read = {
        column
        for table in ALL_TABLES
        for column in table.columns
        if any(one.startswith(("paper.", "num")) for one in column.sources) and column.name != "week_on"
    }
    assert read
    assert {column.origin for column in read} == {ARXIV, HUB}
    computed = {column for table in ALL_TABLES for column in table.columns if column.source_in_words == "counted"}
    assert {column.origin for column in computed} == {PAPERLAKE}


def test_every_file_is_in_croissant_by_its_hash_or_by_a_pattern():
    told = json.loads(croissant(EDITION))["distribution"]
    objects = {one["contentUrl"]: one["sha256"] for one in told if one["@type"] == "cr:FileObject"}
    assert objects == {one.files[0].key: one.files[0].sha256 for _, one in EDITION.parts if len(one.files) == 1}
    patterns = [pattern for one in told if one["@type"] == "cr:FileSet" for pattern in one["includes"]]
    for pattern in patterns:
        found = [one for _, one in EDITION.parts if any(PurePath(file.key).match(pattern) for file in one.files)]
        assert [len(one.files) > 1 for one in found] == [True]
    assert len(objects) + len(patterns) == len(EDITION.parts)
    assert json.loads(croissant(EMPTY))["version"] == "2026.1.5+12"


TOLD = """
PREFIX dcat: <http://www.w3.org/ns/dcat#>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX spdx: <http://spdx.org/rdf/terms#>
SELECT ?url ?title ?bytes ?hash ?licence WHERE {
    ?release a dcat:Dataset ; dcat:distribution ?file .
    ?file a dcat:Distribution ; dcat:downloadURL ?url ; dcterms:title ?title ; dcat:byteSize ?bytes ;
        dcat:mediaType <https://www.iana.org/assignments/media-types/application/vnd.apache.parquet> .
    ?file spdx:checksum [ spdx:algorithm spdx:checksumAlgorithm_sha256 ; spdx:checksumValue ?hash ]
    OPTIONAL { ?file dcterms:license ?licence }
}
"""
PLACE = "https://example.org/releases/1/"


def read_as_rdf(document: bytes) -> rdflib.Graph:
    """As whoever fetched it from PLACE reads it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its parser is behind its own deprecations
        return rdflib.Graph().parse(data=document, format="json-ld", publicID=f"{PLACE}dcat.jsonld")


def test_every_file_is_in_dcat_with_its_size_hash_and_licence():
    """As a reader of RDF sees it, with addresses next to the document."""
    found = [tuple(value and value.toPython() for value in row) for row in read_as_rdf(dcat(EDITION)).query(TOLD)]
    expected = []
    for table, described in EDITION.parts:
        first, *more = origins([table])
        licence = None if more else first.licence_url
        expected += [
            (PLACE + one.key, table.name, one.bytes, bytes.fromhex(one.sha256), licence) for one in described.files
        ]
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert {licence for *_, licence in found} == {None, ARXIV.licence_url, PAPERLAKE.licence_url}


@pytest.mark.parametrize("edition", [EDITION, EMPTY], ids=["full", "empty"])
def test_dcat_says_what_the_release_is(edition):
    graph, release = read_as_rdf(dcat(edition)), rdflib.URIRef(f"{PLACE}dcat.jsonld")
    names = ("identifier", "issued", "title", "description")
    told = [graph.value(release, rdflib.DCTERMS[name], any=False) for name in names]
    assert [one.toPython() for one in told] == [edition.version, edition.released_on, TITLE, DESCRIPTION]
    rights = graph.value(release, rdflib.DCTERMS.rights, any=False)
    assert (rights, graph.value(release, rdflib.DCTERMS.license)) == (rdflib.URIRef(f"{PLACE}LICENSE.md"), None)


@pytest.mark.parametrize(
    ("key", "rendered"), [("croissant.json", croissant), ("datapackage.json", datapackage), (DCAT, dcat)]
)
def test_a_list_brought_up_to_date_is_what_it_would_be_if_it_were_written_now(key, rendered):
    """As an erasure does where a release was made by older code: of tables and marts the files have other bytes."""

    def masked(parts):
        return tuple(
            (
                table,
                replace(
                    one, files=tuple(replace(file, bytes=7, sha256=digest(file.key.encode())) for file in one.files)
                ),
            )
            for table, one in parts
        )

    now = EDITION._replace(tables=masked(EDITION.tables), marts=masked(EDITION.marts))
    manifests = Manifests(*(manifest_of(edition) for edition in (EDITION, now)))
    assert LISTS[key](rendered(EDITION).decode(), manifests).encode() == rendered(now) != rendered(EDITION)


def manifest_of(edition: Edition) -> Manifest:
    tables, marts = (tuple(files for _, files in parts) for parts in (edition.tables, edition.marts))
    return Manifest(edition.version, edition.schema_version, "", None, 0, "", tables, (), marts=marts)


COLUMNS = {table.name: list(table.column_names) for table in ALL_TABLES if not table.is_view}


def test_croissant_the_data_package_and_the_contract_have_every_column_of_every_table_and_mart():
    """Their golden files show two tables and a mart."""
    told = json.loads(croissant(EDITION))
    assert len(told["license"]) == len(set(told["license"])), "two origins give their data away alike"
    records = {one["name"]: one["field"] for one in told["recordSet"]}
    resources = {Path(key).stem: json.loads(data)["fields"] for key, data in schemas(EDITION).items()}
    promised = {one["name"]: one["properties"] for one in told_by(EDITION)["schema"]}
    for described in (records, resources, promised):
        assert {name: [field["name"] for field in fields] for name, fields in described.items()} == COLUMNS
        assert all(field["description"] for fields in described.values() for field in fields)


NOTES = Notes("2026.10.03.1", "2026.10.02.1", 2, (TableNote("papers", 9, 1, 0, 2),), (), (), (), None, ())


def test_the_notes_list_what_is_new_and_changed():
    text = notes_text(NOTES)
    assert "What is new since release 2026.10.02.1." in text
    assert "| `papers` | 9 | 1 | 2 | 0 |" in text
    assert text.endswith("## New list days\n\nnone\n")


def test_a_first_release_is_compared_with_none():
    of_kind = replace(NOTES, kind="data")
    assert "It is data: its rows differ from the previous release, its columns do not." in notes_text(of_kind)
    assert "previous" not in notes_text(replace(of_kind, parent=None))


def test_hostile_words_stay_text_in_the_notes():
    loss = Loss("papers.titles_kept", "papers have another title", 4, 5, ("paper_id=`x`",))
    hostile = "# <script>\n`rm`"
    told = Notes(
        "2026.10.03.1",
        "2026.10.02.1",
        2,
        (TableNote("papers", 9), TableNote("gone", 0, 0, 3, 0, ("a",), ("b",))),
        None,
        tuple(Rekeyed(f"title:{number}", "2610.00001", hostile) for number in range(51)),
        (hostile,),
        hostile,
        (loss,),
    )
    text = notes_text(told)
    assert text.count("`# <script> 'rm'`") == 50 + 2
    assert "- and 1 more, in `notes.json`" in text
    assert "- `papers.titles_kept`: papers have another title (4 of 5 rows; `paper_id='x'`)" in text
    assert "## New list days\n\nunknown: the previous release is damaged" in text
    assert "- `gone.a` is new\n- `gone.b` is gone" in text


def test_the_notes_tell_where_files_lie_since() -> None:
    text = notes_text(replace(NOTES, recut=("papers",)))
    assert "## Files\n\n- `papers` is `data/papers/*.parquet`, by the date of the arXiv id" in text
    assert "## Files" not in notes_text(NOTES)
