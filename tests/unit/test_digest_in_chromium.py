"""A letter in a browser: light and dark, on a phone, asking for nothing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from paperlake.digest.laid_out import Links
from paperlake.digest.letter_papers import NewsPaper
from paperlake.digest.letters import parts
from paperlake.digest.news import News, NewsList
from tests.chromium import CHROMIUM, DARK, served

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: install Debian's `chromium`")

PROBE = b"""<!doctype html><iframe src="/letter.html" width="390" height="800"></iframe>
<script id="found" type="application/json">{}</script><script>
onload = () => {
  const page = document.querySelector("iframe").contentDocument, body = page.body;
  const colour = (what, of) => getComputedStyle(page.querySelector(of))[what];
  const found = {
    wide: page.documentElement.scrollWidth, background: colour("backgroundColor", "body"), text: colour("color", ".title"),
    soft: colour("color", ".soft"), link: colour("color", "a"),
  };
  document.getElementById("found").textContent = JSON.stringify(found);
};
</script>"""


def letter() -> bytes:
    titles = ("A Title of Some Length That Is Broken", "Withoutanybreaks" * 12, "مقدمة", "<script>alert(1)</script>")
    papers = [
        NewsPaper(f"2610.{number:05}", title, ["Ada Lund", "Bruno Holm"], 9, "Lab" * 40, "lab", 3, f"2610.{number:05}")
        for number, title in enumerate(titles)
    ]
    day = NewsList(date(2026, 10, 2), "fetched before the list was closed", tuple(papers))
    news = News([day], [NewsList(date(2026, 10, 1), "failed: HTTP 503")], papers)
    site = "https://papers.example.org"
    return parts(news, Links(site, f"{site}/unsubscribe/token", f"{site}/preferences/token"))[1].encode()


@pytest.mark.parametrize(
    ("flags", "colours"),
    [
        ([], {"background": (251, 250, 248), "text": (29, 33, 38), "soft": (91, 100, 112), "link": (11, 92, 173)}),
        (
            [DARK],
            {"background": (20, 23, 27), "text": (232, 230, 227), "soft": (163, 171, 181), "link": (131, 185, 245)},
        ),
    ],
    ids=["light", "dark"],
)
def test_a_letter_fits_a_phone_in_light_and_dark(tmp_path: Path, flags: list[str], colours: dict) -> None:
    with served({"/letter.html": letter(), "/probe.html": PROBE, "/favicon.ico": b""}) as site:
        found = site.probe("/probe.html", tmp_path, *flags)
    assert found == {"wide": 390, **{name: f"rgb{colour}" for name, colour in colours.items()}}
    assert set(site.asked) - {"/favicon.ico"} == {"/probe.html", "/letter.html"}
    assert site.console == []
