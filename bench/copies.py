"""Some of the captures of a folder, copied with a `captures.csv` of their own."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path


def copied(folder: Path, rows: Sequence[Mapping[str, str]], target: Path) -> Path:
    """The new folder, with the files of these rows of the other one's `captures.csv`."""
    for row in rows:
        (target / row["file"]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / row["file"], target / row["file"])
    with (target / "captures.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return target
