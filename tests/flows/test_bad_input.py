"""Bad input of every kind, landed and built at once: nothing raises, nothing is lost, sound pages are published."""

import gzip
import json
from datetime import datetime
from pathlib import Path

import pytest

from tests import invented
from tests.flows import steps

FETCHED = datetime(2026, 10, 2, 8, 5)
DAY = FETCHED.date()
LISTED = "https://hub.example/api/daily_papers?date=2026-10-02"


def items(**changes: object) -> list[dict]:
    """A day's list of three papers, the second with some of its fields changed."""
    answer = invented.daily_answer([invented.paper(number, DAY) for number in (1, 2, 3)], FETCHED)
    answer[1]["paper"] |= changes
    return answer


PAGES: dict[str, bytes] = {
    "empty.json": b"",
    "truncated.json": invented.as_json(items())[:900],
    "shape.json": b'{"papers": {"first": 1}}',
    "utf8.json": invented.as_json(items(title="x")).replace(b'"x"', b'"caf\xe9 \xff"'),
    "zero.json": invented.as_json(items(id="2503.0213")),
    "date.json": invented.as_json(items(publishedAt="2026-02-30T10:00:00.000Z")),
    "long.json": invented.as_json(items(title="x" * 10_000)),
    "control.json": invented.as_json(items(title="a\x00b\x1b[31m")),
    "deep.json": b"[" * 200_000,
    "zeros.bin": bytes(100_000),
    "page.html": b"<html><body>Not what you think</body></html>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "bad"
    made.mkdir()
    for name, payload in PAGES.items():
        (made / name).write_bytes(payload)
    with (made / "large.bin").open("wb") as file:
        file.truncate(200 * 10**6)  # 200 MB of zeros, sparse
    bomb = b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
    (made / "bomb.warc.gz").write_bytes(gzip.compress(bomb + b"Content-Length: 90000000\r\n\r\n" + bytes(90_000_000)))
    rows = [f"{name},{LISTED if name.endswith('json') else ''},2026-10-02T08:05:00Z,200," for name in sorted(PAGES)]
    rows += ["large.bin,,,,", "bomb.warc.gz,,,,", "gone.json,,,,", "../climb.json,,,,", "/etc/hostname,,,,"]
    (made / "captures.csv").write_text("\n".join(["file,url,fetched_at,status,content_type", *rows]) + "\n")
    return made


def test_bad_pages_are_kept_and_explained(folder: Path, lake: str) -> None:
    landing = steps.land(lake, [folder])
    assert landing.landed_count == len(PAGES)
    for name in ("large.bin", "bomb.warc.gz", "gone.json", "climb.json", "/etc/hostname"):
        assert any(name in found.name for found in landing.refused), name
    assert any("PAPERLAKE_PAYLOAD_BYTES" in found.reason for found in landing.refused)

    draft = steps.make_draft(lake)
    assert steps.check_draft(lake, draft).passed
    steps.publish_tables(lake, draft)
    captures = {row["payload_bytes"]: row for row in steps.table(lake, "captures").iter_rows(named=True)}
    state = {name: captures[len(payload)]["state"] for name, payload in PAGES.items()}
    assert state == {
        "empty.json": "rejected",
        "truncated.json": "rejected",
        "shape.json": "rejected",
        "utf8.json": "partial",
        "zero.json": "partial",
        "date.json": "partial",
        "long.json": "partial",
        "control.json": "partial",
        "deep.json": "rejected",
        "zeros.bin": "unknown",
        "page.html": "unknown",
    }
    rules = dict(steps.table(lake, "quarantine").filter(position=2).select("capture_id", "rule").iter_rows())
    found = {name: rules.get(captures[len(payload)]["capture_id"]) for name, payload in PAGES.items()}
    assert (found["zero.json"], found["date.json"]) == ("arxiv_id_pattern", "published_instant")
    assert (found["long.json"], found["control.json"]) == ("title_length", "title_control_characters")
    assert found["utf8.json"] is not None
    listed = set(steps.table(lake, "daily_listings")["paper_id"])
    assert listed == {item["paper"]["id"] for item in json.loads(invented.as_json(items()))[::2]}


def test_a_page_fetched_in_days_to_come_is_told(folder: Path, lake: str, caplog: pytest.LogCaptureFixture) -> None:
    heads = "file,url,fetched_at,status,content_type"
    (folder / "captures.csv").write_text(f"{heads}\nutf8.json,{LISTED},2062-10-02T08:05:00Z,200,\n")
    assert steps.land(lake, [folder]).landed_count > 0
    assert f"fetched in days to come, the first at 2062-10-02 08:05:00 UTC: {LISTED};" in caplog.text
