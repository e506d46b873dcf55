"""The dry run of an erasure, and the receipt of one that was done, as text and as JSON; neither names the person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from flows.people.whereabouts import Found
from paperlake.sql.drawing import aligned
from warehouse.release.latest import Erasure

HEAD = ("where", "what", "count")
CHECKS = ("paperlake verify --raw", "paperlake verify --all")


class Receipt(Struct, frozen=True):
    """What was done, and how anybody can check it."""

    lake: str
    erasure: Erasure | None
    left: tuple[str, ...]
    words_kept: int
    checks: tuple[str, ...] = CHECKS
    not_reached: tuple[str, ...] = (
        "copies of this lake that were made before: erase there too, or replace them by a new copy",
        "mail that subscribers got, and files that others downloaded",
    )


def dry_run_text(found: Found) -> str:
    """What would be erased, as a table."""
    rows = [HEAD, *places_rows(found)]
    return aligned(rows, right=[2]) + _words(found.words)


def places_rows(found: Found) -> Iterator[tuple[str, str, str]]:
    """Rows of that table: where, what, and how many."""
    for warc in found.warcs:
        yield f"raw/warc/{warc.filename}", "records", f"{warc.record_count:,}"
        if warc.moved_count:
            yield f"raw/warc/{warc.filename}", "records that move with them", f"{warc.moved_count:,}"
    for version, places in found.releases:
        if places.keys:
            yield f"releases/{version}", "files", f"{len(places.keys):,}"
        for cell in places.cells:
            yield f"releases/{version}", f"rows, {cell.table}.{cell.column}", f"{cell.row_count:,}"
    yield from ((key, "record", "1") for key in found.texts)
    others = {"drafts": found.drafts, "journal": range(found.journal_count), "Prefect": range(found.prefect_rows)}
    what = {"drafts": "files, all of them", "journal": "files, to be landed first", "Prefect": "values"}
    yield from ((where, what[where], f"{len(things):,}") for where, things in others.items() if len(things))


def _words(count: int) -> str:
    where = "as a word, in prose or in the name of an author, and stays there (--words: it goes from prose)"
    return f"the login also stands {count:,} times {where}\n" if count else ""


def receipt_text(receipt: Receipt) -> str:
    """The receipt, in words."""
    done = receipt.erasure
    lines = [f"A person was erased from {receipt.lake}."]
    if done:
        rows = [("release", "table", "column", "rows")]
        rows += [(cell.version, cell.table, cell.column, f"{cell.row_count:,}") for cell in done.cells]
        lines += [
            f"when: {done.erased_at}, under: {done.why}, record: log/erasures/{done.name}.json",
            f"WARC files written anew: {done.warc_count:,}, records: {done.record_count:,}",
            f"files of releases written anew: {done.file_count:,}",
            aligned(rows, right=[3]).rstrip("\n"),
        ]
    lines += [_words(receipt.words_kept).rstrip("\n")] if receipt.words_kept else []
    lines += [*_listed("left to do", receipt.left), *_listed("not reached", receipt.not_reached)]
    lines += [*_listed("how to check", receipt.checks)]
    return "\n".join(lines) + "\n"


def _listed(head: str, items: Sequence[str]) -> Iterator[str]:
    yield from (f"{head}: {item}" for item in items)
