"""A discussion without persons: counts leave raw, texts and logins never do; an erased commenter leaves nothing."""

from datetime import date, datetime
from html import escape, unescape
from typing import Any

import pytest

from tests import invented
from tests.collected import capture_of, collected, page, rejects
from tests.invented import HUB, account, comment, paper_page
from warehouse.people.pages import masked_page
from warehouse.people.person import Person

SEEN_AT = datetime(2026, 9, 14, 8)
PAPER = invented.paper(3, date(2026, 9, 10))
QUILL, BOB, MOD = (
    account("marlternq", "Marl Ternquist"),
    account("bobtides", "Bob Tides"),
    account("modloom", "Mo Loom"),
)
WRITTEN = account("lundlooms", "Rosa Lund")
WORDS = "My looms <woven> & worn, as I said"
COMMENTS = [
    comment(
        QUILL,
        WORDS,
        reactions={"🔥": ["bobtides", "marlternq"], "👍": ["modloom"]},
        replies=[comment(WRITTEN, "Thank you, the looms hold", replies=[comment(BOB, "They do", hidden=True)])],
    ),
    comment(BOB, "Hello from the tides, @marlternq", editors=[BOB, QUILL]),
    comment(WRITTEN, "One more loom"),
    {"id": "6" * 24, "author": MOD, "createdAt": "2026-09-01T10:00:00.000Z", "type": "status-change", "data": {}},
]
UPVOTERS = [QUILL, BOB]
AUTHORS = invented.paper_object(PAPER, SEEN_AT)["authors"]
AUTHORS[0] |= {"name": "Rosa Lund", "user": {"user": "lundlooms", "name": "lundlooms"}}


def shown(comments: Any = COMMENTS) -> bytes:
    return paper_page(PAPER, SEEN_AT, comments, UPVOTERS, authors=AUTHORS)


def test_counts_and_nothing_else() -> None:
    found = collected(page(shown(), f"{HUB}/papers/{PAPER.arxiv_id}", SEEN_AT))
    (row,) = found.paper_discussions.iter_rows(named=True)
    assert row.pop("capture_id") == capture_of(found)["capture_id"]
    assert row == {
        "paper_id": PAPER.arxiv_id,
        "observed_at": SEEN_AT,
        "comment_count": 3,
        "reply_count": 2,
        "hidden_count": 1,
        "reaction_count": 3,
        "author_comment_count": 2,
        "commenter_count": 3,
    }
    told = "".join(str(frame.to_dicts()) for frame in found)
    for trace in ("marlternq", "Marl Ternquist", "bobtides", "looms hold", QUILL["_id"], QUILL["avatarUrl"]):
        assert trace not in told


def test_a_page_without_comments_says_nothing_and_one_with_none_says_zero() -> None:
    data = shown().replace(b"&quot;comments&quot;", b"&quot;others&quot;")
    assert collected(page(data, None, SEEN_AT)).paper_discussions.is_empty()
    assert collected(page(shown([]), None, SEEN_AT)).paper_discussions["comment_count"].to_list() == [0]


@pytest.mark.parametrize("bad", ["3", '[{"author": "ann"}]', '[{"data": {"reactions": [{"count": "many"}]}}]'])
def test_comments_of_another_form_are_rejected_and_the_paper_is_kept(bad: str) -> None:
    data = shown([]).replace(escape('"comments": []').encode(), escape(f'"comments": {bad}').encode())
    found = collected(page(data, None, SEEN_AT))
    assert [pointer for _, _, pointer in rejects(found)] == ["PaperContent/comments"]
    assert (found.sightings.height, found.paper_discussions.height) == (1, 0)


ERASED = Person("erased0badcafe", frozenset({"marlternq"}))


def masked() -> str:
    return masked_page(ERASED, shown()).decode()


TRACES = ("marlternq", "Marl Ternquist", "woven", QUILL["_id"], QUILL["avatarUrl"], b"marlternq".hex())


@pytest.mark.parametrize("trace", TRACES)
def test_an_erased_commenter_leaves_no_trace(trace: str) -> None:
    assert trace in unescape(shown().decode())
    assert trace not in unescape(unescape(masked()))


def test_what_others_said_and_how_much_stays() -> None:
    left = unescape(masked())
    for word in ("Thank you, the looms hold", "They do", "One more loom", "bobtides", BOB["avatarUrl"], "Rosa Lund"):
        assert unescape(shown().decode()).count(word) == left.count(word), word
    before, after = (collected(page(one, None, SEEN_AT)).paper_discussions for one in (shown(), masked().encode()))
    assert before.drop("capture_id").equals(after.drop("capture_id"))


def test_masking_again_changes_nothing() -> None:
    assert masked_page(ERASED, masked().encode()).decode() == masked()
