"""Bytes and requests that an older client (DuckDB 1.5.5 with httpfs) needs over HTTP for queries on a release."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.old_client import HTTPFS, OLD, CannotInstall, OldClient
from tests.questions import ATTACH, DATABASE, PARQUET, Question
from tests.ranges import Served, served


def attach_ratio(release: Path) -> Iterator[tuple[str, ...]]:
    """A row a query, on the Parquet files and on the attached database; one row only where pip finds no client."""
    with tempfile.TemporaryDirectory(prefix="paperlake-bench-") as folder, served(release) as server:
        try:
            client = OldClient(Path(folder) / "old", HTTPFS)
            client.install(OLD)
        except CannotInstall as error:
            yield "over HTTP", "no older client can be installed", str(error), "—"
            return
        for question in PARQUET:
            yield _asked("Parquet", server, client, question)
        for question in DATABASE:
            yield _asked("attach", server, client, question, ATTACH)


def _asked(way: str, server: Served, client: OldClient, question: Question, *first: str) -> tuple[str, ...]:
    server.asked.clear()
    told = client.ask(*(sql.replace("@", server.url) for sql in (*first, question.sql)))
    moved = f"{server.sent / 1024:,.0f} KiB, {len(server.asked)} requests, {told.seconds * 1000:.0f} ms"
    return (
        f"{way}: {question.name}",
        moved,
        f"the promise: {question.kib:,} KiB",
        f"{server.sent / (question.kib << 10):.2f}",
    )
