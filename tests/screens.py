"""The screens of the documentation, taken of the sample. After an intended change, from the project's root:

    python -m tests.screens

takes every one again; what has changed is seen in review.
"""

import tempfile
from base64 import b64decode
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urljoin

from flows.runtime.lake import open_lake
from paperlake.explore import ReleaseServer
from tests.browser import browsing
from tests.conftest import SAMPLE
from tests.flows import steps
from tests.serving import serving
from warehouse.release.latest import manifest_of, require_latest

DOCS = Path(__file__).parents[1] / "docs"


class Screen(NamedTuple):
    """A file in docs/, what it shows, what is clicked on, and when all is there."""

    name: str
    address: str
    width: int
    height: int
    scheme: str = "light"
    is_there: str = "true"
    click: str = ""
    scale: float = 1


MONTHS = "SELECT month_on, paper_count, complete_day_count\nFROM papers_by_month\nORDER BY month_on"
SCREENS = (
    Screen("release-page", "../index.html", 1180, 1480, is_there="document.readyState === 'complete'", scale=0.7),
    Screen("explore-list", "#/", 960, 645, is_there="document.querySelector('.papers').dataset.skimmed !== undefined"),
    Screen("explore-paper-phone", "#/paper/2604.03759", 390, 844, "dark"),
    Screen(
        "explore-sql-dark",
        f"#/sql/{quote(MONTHS, safe='')}",
        960,
        900,
        "dark",
        "document.querySelector('.chart') && !document.querySelector('button.primary').disabled",
        "button.primary",
    ),
)


def main() -> None:
    """Publish the sample and take the screens."""
    with tempfile.TemporaryDirectory() as folder:
        lake = str(Path(folder) / "lake")
        steps.run(lake, [SAMPLE])
        store = open_lake(lake)
        server = ReleaseServer(store, manifest_of(store, require_latest(store)), 0)
        with serving(server), browsing(Path(folder) / "profile") as page:
            for screen in SCREENS:
                size = {"width": screen.width, "height": screen.height}
                page.send(
                    "Emulation.setDeviceMetricsOverride",
                    **size,
                    deviceScaleFactor=screen.scale,
                    mobile=screen.width < 500,
                )
                features = [{"name": "prefers-color-scheme", "value": screen.scheme}]
                page.send("Emulation.setEmulatedMedia", features=features)
                page.send("Page.navigate", url=urljoin(server.address, screen.address))
                if "#" in screen.address:
                    page.shown(screen.address.partition("#")[2])
                for _ in range(2):  # at the second time it has loaded what it needs
                    if screen.click:
                        page.click(screen.click)
                    page.until(screen.is_there)
                page.value("scrollTo(0, 0)")
                taken = page.send("Page.captureScreenshot", format="png")
                (DOCS / f"{screen.name}.png").write_bytes(b64decode(taken["data"]))


if __name__ == "__main__":
    main()
