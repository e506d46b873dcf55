"""Write the sample that ships with the project: invented papers on invented days, in the source's real shapes.

Run `python -m tests.make_sample` after a change here or in `tests/invented.py`; `tests/sample` is its output.
"""

import csv
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from tests import invented
from tests.invented import HUB, Paper

FOLDER = Path(__file__).parent / "sample"
DAYS = (
    date(2024, 3, 14),
    date(2024, 8, 5),
    date(2024, 12, 12),
    date(2025, 2, 6),
    date(2025, 3, 12),
    date(2025, 6, 26),
    date(2025, 10, 7),
    date(2026, 4, 7),
    date(2026, 10, 1),
    date(2026, 10, 2),
)
PAPERS_A_DAY = 7
ADDED = {  # to abstracts: what a paper names, and what it claims, some on benchmarks with a history
    "2503.05120": " We introduce Weftling, a model. It reaches 71.5\\% on GSM8K and 26.7\\% on AIME 2024.",
    "2506.09668": " We introduce Reedling, a model. It reaches 78.2\\% on GSM8K and 41.0\\% on GPQA Diamond.",
    "2510.03565": " Our model reaches 76.9\\% on GSM8K and 38.4\\% on SWE-bench Verified.",
    "2604.03759": " We introduce QuinceFS, a library that is up to 2.5\\times faster than tar and cuts peak memory by 40\\%.",
}


def papers_of(day: date) -> list[Paper]:
    return [invented.paper(number, day) for number in range(1, PAPERS_A_DAY + 1)]


def main() -> None:
    """Write every page, and `captures.csv`, which says what request each one answered."""
    rows: list[tuple[str, str, str, str, str]] = []

    def page(name: str, payload: bytes, url: str, fetched_at: datetime | None, status: int = 200) -> None:
        (FOLDER / name).write_bytes(payload)
        kind = {"json": "application/json", "html": "text/html", "txt": "text/plain"}[name.rpartition(".")[2]]
        told = f"{fetched_at:%Y-%m-%dT%H:%M:%SZ}" if fetched_at else ""
        rows.append((name, f"{HUB}{url}", told, str(status) if fetched_at else "", kind))

    for day in DAYS:
        _day(day, page)
    last = DAYS[-1]
    evening = datetime.combine(last, time(18, 30))
    page("missing.json", b'{"error":"Nothing here."}', f"/api/daily_papers?date={last + timedelta(90)}", evening, 404)
    page("weekend.json", b"[]", f"/api/daily_papers?date={last + timedelta(1)}", evening + timedelta(1))
    found = [invented.list_item(shown, evening) for shown in (papers_of(DAYS[6])[0], papers_of(DAYS[7])[0])]
    page("search.json", invented.as_json(found), "/api/papers/search?q=field+guides", evening)
    detail = invented.paper_object(papers_of(last)[0], evening) | {"numTotalModels": 3, "numTotalDatasets": 1}
    page("paper.json", invented.as_json(detail), f"/api/papers/{detail['id']}", evening)
    shown_on = DAYS[1]
    listed = invented.list_page(papers_of(shown_on), shown_on, datetime.combine(shown_on, time(23, 0)))
    page("list.html", listed, f"/papers?date={shown_on}", datetime.combine(shown_on, time(23, 0)))
    saved = papers_of(DAYS[0])[:3] + papers_of(date(2023, 5, 4))[:3]
    page("saved.txt", invented.text_dump(saved, "Nov 20"), "/papers", None)
    with (FOLDER / "captures.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("file", "url", "fetched_at", "status", "content_type"), *rows])


def _day(day: date, page) -> None:
    """A day fetched twice: in the morning, with the last paper still missing, and a day later."""
    papers, url = papers_of(day), f"/api/daily_papers?date={day}"
    morning = datetime.combine(day, time(8, 5))
    answer = invented.daily_answer(papers[:-1], morning)
    later = morning + timedelta(1)
    grown = invented.daily_answer(papers, later, more_upvotes=9)
    for item in (*answer, *grown):
        for texts in (item["paper"], item):
            if "summary" in texts:
                texts["summary"] += ADDED.get(item["paper"]["id"], "")
    if day == DAYS[3]:  # an archive that kept the repr of two items in place of the items
        answer[1:3] = [repr(item) for item in answer[1:3]]
    if day == DAYS[2]:  # the outer title keeps the LaTeX that the inner one has lost (docs/source.md §2)
        for item in (answer[0], *(item for item in grown if item["paper"]["id"] == answer[0]["paper"]["id"])):
            _retitle(item, " in ell_2", " in $\\ell_2$")
    if day == DAYS[8]:  # the paper was revised on arXiv
        _retitle(grown[1], ", Revised", ", Revised")
    page(f"{day}-morning.json", invented.as_json(answer), url, morning)
    page(f"{day}-later.json", invented.as_json(grown), url, later)


def _retitle(item: dict[str, Any], inner: str, outer: str) -> None:
    item["paper"]["title"] += inner
    item["title"] += outer


if __name__ == "__main__":
    main()
