"""Labelled comments and versions, invented in the wordings that comments have: 200 to build rules by, 200 kept back."""

from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from tests.arxiv.records import GONE, Record, Version

OTHER = "2609.99999"


class Labelled(NamedTuple):
    """A record, what it says of the paper, and what took its place by its own words."""

    record: Record
    status: str
    superseded_by: str | None = None


def comments_under(heading: str) -> list[str | None]:
    """Those under a heading of `comments.txt`, one a line; `-` is none."""
    text = Path(__file__).with_name("comments.txt").read_text("utf-8")
    lines = text.partition(f"# {heading}\n")[2].partition("\n\n")[0].splitlines()
    return [None if line == "-" else line for line in lines]


def labelled(what_for: str, count: int = 200) -> list[Labelled]:
    """So many records, half of them withdrawn. The others are sound, were withdrawn once and are back, or have one of the
    two signs alone.
    """
    found = list[Labelled]()
    withdrawn, sound = (comments_under(f"{kind}, {what_for}") for kind in ("withdrawn", "sound"))
    for number, (gone, kept) in enumerate(islice(cycle(zip(withdrawn, sound, strict=True)), count // 2)):
        versions = [Version(), *[Version(3)] * (number % 3)]
        emptied = [*versions, GONE]
        others = (
            (versions, kept, "present"),
            ([*emptied, Version(50)], kept, "present"),
            (emptied, kept, "suspected"),
            (versions, gone, "suspected"),
        )
        for half, (of, comments, status) in enumerate(((emptied, gone, "withdrawn"), others[number % len(others)])):
            record = Record(f"2609.{2 * number + half:05}", versions=of, comments=comments)
            found.append(Labelled(record, status, OTHER if status == "withdrawn" and OTHER in (gone or "") else None))
    return found


SETS = {"built by": labelled("to build rules by"), "kept back": labelled("kept back")}
