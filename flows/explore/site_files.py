"""The files of `explore/` in a release: one page, which changes with the release, and what it loads, which does not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from markupsafe import Markup

from flows.documents.rendering import render
from warehouse.release.manifest import TableFiles

HERE: Final = Path(__file__).parent
SITE: Final = HERE / "site"
ASSETS: Final = HERE / "assets"
STYLE: Final = HERE.parent / "documents" / "style.css"  # of every page of a release
# What the explorer reads; their addresses and sizes stand in its page, so that no request asks for them.
READ: Final = (
    "captures",
    "coverage",
    "daily_listings",
    "paper_authors",
    "paper_keywords",
    "paper_links",
    "paper_observations",
    "paper_texts",
    "paper_versions",
    "papers",
)
HASH_CHARACTERS: Final = 16


def explore_page(version: str, tables: Sequence[TableFiles]) -> bytes:
    """The page of the explorer; without `make assets` it says how to get one."""
    files = {
        table.name: [{"key": file.key, "bytes": file.bytes} for file in table.files]
        for table in tables
        if table.name in READ
    }
    # As JSON in HTML: no text of it can end the element that it stands in.
    catalog = json.dumps({"version": version, "tables": files}, sort_keys=True).replace("<", "\\u003c")
    return render(
        "explore.html.j2",
        version=version,
        folder=_folder(site_files()),
        catalog=Markup(catalog),  # noqa: S704 - names, keys and numbers of ours
    )


def explore_parts() -> dict[str, bytes]:
    """What the page loads, by its path from the page: in a folder named by a hash of all of it, so that a browser, and
    the release after this one, has it already.
    """
    files = site_files()
    return {f"{_folder(files)}/{name}": data for name, data in files.items()}


def site_files() -> dict[str, bytes]:
    """Name → bytes, ours and others'; none without others'."""
    others = {path.name: path.read_bytes() for path in sorted(ASSETS.glob("*"))}
    if not others:
        return {}
    ours = {path.name: path.read_bytes() for path in sorted(SITE.iterdir())}
    ours["explore.css"] = STYLE.read_bytes() + ours["explore.css"]
    return others | ours


def _folder(files: Mapping[str, bytes]) -> str:
    """Empty where there are no files."""
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return hashlib.sha256(sums.encode()).hexdigest()[:HASH_CHARACTERS] if files else ""
