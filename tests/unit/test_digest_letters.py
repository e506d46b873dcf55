"""Letters: text and HTML of the same papers, headers to unsubscribe, a signature; hostile text stays text."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from html import unescape
from pathlib import Path
from smtplib import quoteaddr

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flows.documents import site_files
from flows.running.mail import DigestConfig, DkimKey, config_of
from flows.runtime.setting_types import LABEL, MAILBOX
from flows.runtime.settings import load
from flows.watch.checkup import check_settings, run_check
from paperlake.answers import one_paper
from paperlake.digest.letter_papers import NewsPaper
from paperlake.digest.letters import MOST_PAPERS, Envelope, edition, preview_text
from paperlake.digest.news import News, NewsList, Newsroom
from paperlake.digest.subscribers import Wishes
from tests.newsroom import Day, Row, released
from tests.relay import Relay, config_at, part_of
from tests.release_page import Elements
from warehouse.errors import NothingThere, UsageError

FRIDAY = date(2026, 10, 2)
LEAVE = "https://papers.example.org/unsubscribe/token"
CHOOSE = "https://papers.example.org/preferences/token"
CONFIG = config_at(Path(), Relay())
HEADERS = ("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "List-Id", "List-Unsubscribe")
HOSTILE = (
    "Title\r\nBcc: all@example.org\r\n\r\nbody",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    '"><a href="https://evil.example">here</a>',
    "\x1b[2J\u202eesrever\u2028next\x00",
    "{{ 7 * 7 }} {% raw %} %s %(name)s",
    "=?utf-8?q?Bcc:_all=40example.org?= =\r\n.\r\n",
    "=?utf-8?q?Looms=0D=0ABcc:_all=40example.org=0D=0A=0D=0Abody?=",
    "=?utf-8?q?=FF=FE?= \u00e9",
    "Über 机器学习 " * 40,
    "ab\ud800cd",
    "",
)


def paper(title: str, number: int = 1, **others: object) -> NewsPaper:
    known = NewsPaper(f"2610.{number:05}", title, ["Ada Lund"], 5, "MIT", 12, f"2610.{number:05}")
    return known._replace(**others)


def written(*papers: NewsPaper, config: DigestConfig = CONFIG, **others: object) -> tuple[bytes, EmailMessage]:
    envelope = Envelope("ada@example.org", "<0123@example.org>", datetime(2026, 10, 3, 9), LEAVE, CHOOSE)
    letter = edition(config, News([NewsList(FRIDAY, str(others.get("reason", "")), papers)]), envelope)
    return letter, message_from_bytes(letter, policy=default)


def found_in(html: str) -> list[tuple[str, dict[str, str | None]]]:
    return Elements(html.encode()).tags


def tags(letter: EmailMessage) -> list[str]:
    return [tag for tag, _ in found_in(part_of(letter, "html"))]


def test_a_letter_has_sender_subject_and_unsubscribe_headers() -> None:
    _, letter = written(paper("A title"))
    assert {name: letter[name] for name in HEADERS} == {
        "From": "Daily papers <papers@example.org>",
        "To": "ada@example.org",
        "Subject": "Papers of Friday 2 October 2026: A title",
        "Date": "Sat, 03 Oct 2026 09:00:00 +0000",
        "Message-ID": "<0123@example.org>",
        "Auto-Submitted": "auto-generated",
        "List-Id": "<daily-papers.example.org>",
        "List-Unsubscribe": f"<{LEAVE}>",
    }
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert part_of(letter) == (
        "Papers of Friday 2 October 2026\n"
        "===============================\n"
        "\n"
        " 1. A title\n"
        "    Ada Lund and 4 more · MIT · 12\u00a0upvotes\n"
        "    https://huggingface.co/papers/2610.00001\n"
        "    https://arxiv.org/abs/2610.00001\n"
        "\n"
        "---\n"
        "Filters, hour, how often:\n"
        f"{CHOOSE}\n"
        "You subscribed at\n"
        "https://papers.example.org\n"
        "To unsubscribe:\n"
        f"{LEAVE}\n"
    )


def test_the_html_has_no_image_no_script_and_links_to_declared_places_alone() -> None:
    _, letter = written(paper("A title"), paper("Another", 2, arxiv_id=None, upvote_count=1, authors=None))
    found = found_in(part_of(letter, "html"))
    assert {tag for tag, _ in found} <= {
        *("html", "head", "meta", "title", "style", "body", "div"),
        *["h1", "ol", "li", "span", "a", "p"],
    }
    assert [attributes["href"] for tag, attributes in found if tag == "a"] == [
        "https://huggingface.co/papers/2610.00001",
        "https://arxiv.org/abs/2610.00001",
        "https://huggingface.co/papers/2610.00001",
        CHOOSE,
        "https://papers.example.org",
        LEAVE,
    ]
    html = part_of(letter, "html")
    assert "@media (prefers-color-scheme: dark)" in html
    assert ".title {" not in html  # it stands at the elements
    assert "1&nbsp;upvote</span>" in html


def test_names_written_from_right_to_left_turn_nothing_around() -> None:
    name = "\u0645\u0639\u0647\u062f"
    _, letter = written(paper("A title", organization=name, authors=[name, "Ada"], author_count=2))
    line = f"\u2068{name}\u2069, Ada \u00b7 \u2068{name}\u2069 \u00b7 12\u00a0upvotes"
    assert line in part_of(letter)
    assert line.replace("\u00a0", "&nbsp;") in part_of(letter, "html")


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_title_is_harmless(title: str) -> None:
    calm = written(paper("A title"))[1]
    raw, letter = written(paper(title, authors=[title], organization=title), reason=title)
    assert letter.keys() == calm.keys()
    assert [letter[name] for name in HEADERS if name != "Subject"] == [
        calm[name] for name in HEADERS if name != "Subject"
    ]
    assert not letter.defects
    assert set(tags(letter)) == set(tags(calm))
    assert max(map(len, raw.split(b"\r\n"))) <= 998  # RFC 5322
    assert all(line.isprintable() for line in part_of(letter).replace("\u00a0", " ").split("\n"))


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=300))
def test_no_title_adds_a_header_or_a_tag_or_a_long_line(title: str) -> None:
    _, letter = written(paper(title), paper("Last", 2))
    assert letter.keys() == ["From", "To", *letter.keys()[2:]]
    assert len(letter.keys()) == len(set(letter.keys())) == 11
    text = part_of(letter)
    assert tags(letter).count("li") == 2
    assert max(len(line) for line in text.splitlines() if "://" not in line) <= 78


def test_a_first_sentence_ends_where_it_ends_in_the_explorer() -> None:
    [found] = re.findall(r"const SENTENCE = /(.*)/su", (site_files.SITE / "skim.js").read_text("utf-8"))
    assert found == "^" + one_paper.SENTENCE.pattern.replace(r"\Z", "$")


def test_a_title_leads_to_the_newest_release_where_people_read_the_lake() -> None:
    config = replace(CONFIG, lake_url="https://lake.example")
    _, letter = written(paper("A title", paper_id='title:a/"b', arxiv_id=None), config=config)
    page = "https://lake.example/releases/latest/explore/index.html#/paper/title%3Aa%2F%22b"
    assert page in part_of(letter)
    assert page in [attributes.get("href") for _, attributes in found_in(part_of(letter, "html"))]


def test_an_id_that_is_no_id_leads_nowhere_else() -> None:
    found = paper("A title", arxiv_id='1"><script>/../@evil.example').links
    assert found["arXiv"] == "https://arxiv.org/abs/1%22%3E%3Cscript%3E/../%40evil.example"


def test_a_long_list_is_cut_and_says_so() -> None:
    _, letter = written(*(paper(f"Paper {number}", number) for number in range(100)))
    assert tags(letter).count("li") == MOST_PAPERS
    assert "and 40 more:\nhttps://huggingface.co/papers/date/2026-10-02\n" in part_of(letter)


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture(scope="module", params=["TraditionalOpenSSL", "PKCS8"])
def signing(request, key: rsa.RSAPrivateKey) -> DigestConfig:
    form = getattr(serialization.PrivateFormat, request.param)
    pem = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    return replace(CONFIG, dkim=DkimKey("example.org", "digest", pem))


@pytest.fixture(scope="module")
def holds(key: rsa.RSAPrivateKey) -> Callable[[bytes], bool]:
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    record = b"v=DKIM1; k=rsa; p=" + b"".join(public.splitlines()[1:-1])

    def dns(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"digest._domainkey.example.org."
        return record

    return lambda letter: bool(dkim.verify(letter, dnsfunc=dns))


def test_a_signature_holds_until_a_header_is_altered(signing: DigestConfig, holds: Callable[[bytes], bool]) -> None:
    letter, _ = written(paper("A title — ä"), config=signing)
    assert holds(letter)
    for before, after in (
        (b"unsubscribe/token>", b"unsubscribe/tokex>"),
        (b"List-Unsubscribe: <", b"List-Unsubscribe: <https://evil.example>, <"),
        (b"List-Unsubscribe=One-Click", b"List-Unsubscribe=Two-Clicks"),
        (b"List-Unsubscribe-Post: ", b"X-Nothing: "),
        (b"Subject: ", b"Subject: Re: "),
        (b"A title", b"B title"),
        (b"From: ", b"List-Unsubscribe: <https://evil.example>\r\nFrom: "),
        (b"From: ", b"From: Eve <eve@evil.example>\r\nFrom: "),
    ):
        assert before in letter
        assert not holds(letter.replace(before, after, 1)), after


SET = {
    "URL": "https://papers.example.org/digest/",
    "FROM": "Daily papers <papers@example.org>",
    "SECRET": "do-not-show-this-" * 2,
    "SMTP_URL": "smtp+starttls://relay.example.org",
}


def test_a_desk_shows_no_secret(signing: DigestConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key.pem").write_bytes(signing.dkim.key)
    more = {
        "SMTP_USER": "ada",
        "SMTP_PASSWORD": "do-not-show-it",
        "DKIM_KEY": str(tmp_path / "key.pem"),
        "DKIM_SELECTOR": "s",
    }
    for name, value in {**SET, **more}.items():
        monkeypatch.setenv(f"PAPERLAKE_DIGEST_{name}", value)
    config = config_of(load())
    assert (config.url, config.sender.addr_spec, config.relay.port) == (
        "https://papers.example.org/digest",
        "papers@example.org",
        587,
    )
    assert config.dkim == replace(signing.dkim, selector="s")
    assert not re.search("do-not-show|PRIVATE KEY", repr(config) + repr(load()))


@pytest.mark.parametrize(
    "text", ["do-not-show", f"-----BEGIN PRIVATE KEY-----\n{'do-not-show' * 9}\n-----END PRIVATE KEY-----"]
)
def test_a_dkim_key_that_is_none_is_named_unshown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "key.pem").write_text(text)
    for name, value in {**SET, "DKIM_KEY": str(tmp_path / "key.pem"), "DKIM_SELECTOR": "s"}.items():
        monkeypatch.setenv(f"PAPERLAKE_DIGEST_{name}", value)
    found = run_check("settings", lambda: check_settings(load()))
    assert (found.state, found.code) == ("wrong", UsageError.exit_code)
    assert found.words == f"PAPERLAKE_DIGEST_DKIM_KEY: {tmp_path / 'key.pem'} is no RSA key in PEM"


def test_what_is_not_set_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_DIGEST_URL", SET["URL"])
    with pytest.raises(UsageError, match=r"set PAPERLAKE_DIGEST_FROM, .*_SECRET, PAPERLAKE_DIGEST_SMTP_URL"):
        config_of(load())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("URL", "http://papers.example.org"),
            ("URL", "https://u:do-not-show@example.org"),
            ("URL", "ftp://127.0.0.1"),
        ),
        *(("FROM", "nobody"), ("FROM", "a@b.org\r\nBcc: c@d.org"), ("SECRET", "do-not-show")),
        *(("SMTP_URL", "smtp://relay.example.org:25"), ("SMTP_URL", "smtps://u:do-not-show@relay.example.org")),
        *(("SMTP_URL", "smtps://relay.example.org:do-not-show"), ("URL", "https://[::1"), ("URL", "https://a.org:0")),
        *(("SMTP_USER", "ada"), ("SMTP_PASSWORD", "do-not-show"), ("DKIM_KEY", "key.pem"), ("DKIM_SELECTOR", "s")),
        ("PER_MINUTE", "0"),
    ],
)
def test_a_wrong_setting_is_named_and_not_shown(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"PAPERLAKE_DIGEST_{name}", value)
    with pytest.raises(UsageError, match=f"PAPERLAKE_DIGEST_{name.partition('_')[0]}") as caught:
        load()
    assert "do-not-show" not in str(caught.value)


def test_a_selector_is_a_name_in_dns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERLAKE_DIGEST_DKIM_KEY", "key.pem")
    for selector in ("digest", "s1024-2013_q3.example"):
        monkeypatch.setenv("PAPERLAKE_DIGEST_DKIM_SELECTOR", selector)
        assert load().digest_dkim_selector == selector
    monkeypatch.setenv("PAPERLAKE_DIGEST_DKIM_SELECTOR", "a b")
    with pytest.raises(UsageError, match=r"^PAPERLAKE_DIGEST_DKIM_SELECTOR: it must be a name in DNS"):
        load()


def test_a_preview_is_of_the_newest_list_and_needs_no_settings(tmp_path: Path) -> None:
    with released(tmp_path, Day(FRIDAY, (Row("2610.00001", "One"), Row("2610.00002", "Two", "MIT")))) as database:
        assert "1. One" in preview_text(database, Wishes(), is_html=False)
        assert "<ol" in preview_text(database, Wishes(organizations=("mit",)), is_html=True)
        with pytest.raises(NothingThere, match="2026-10-02"):
            preview_text(database, Wishes(organizations=("nobody",)), is_html=False)
    with released(tmp_path) as database, pytest.raises(NothingThere, match="no daily list"):
        preview_text(database, Wishes(), is_html=False)


def test_trending_papers_follow_where_the_release_has_them(tmp_path: Path) -> None:
    rows = [Row(f"2610.{number:05}", f"Paper {number}") for number in range(7)]
    trends = [f"2610.{number:05}" for number in (3, 1, 4, 5, 2, 6)]
    days = Day(FRIDAY - timedelta(days=1), rows), Day(FRIDAY, [rows[3], Row("2610.00009", "Paper 9")])
    with released(tmp_path, *days, trends=trends) as database:
        room = Newsroom(database, datetime(2026, 10, 3, 12))
        news = room.news(Wishes(), [FRIDAY])
        assert [one.why for one in news.lists[0].papers] == [("trending: +42 upvotes in a day",), ()]
        assert [one.title for one in news.trending] == ["Paper 1", "Paper 4", "Paper 5", "Paper 2"]  # and no 3
        assert room.news(Wishes(query="", keywords=("x",)), [FRIDAY]) is None
        assert "Trending\n--------\n\n 1. Paper 1\n" in preview_text(database, Wishes(), is_html=False)
        assert "Trending</h2>" in preview_text(database, Wishes(), is_html=True)
    with released(tmp_path, *days) as database:
        assert "Trending" not in preview_text(database, Wishes(), is_html=False)


def test_an_item_says_what_it_is_and_why_it_is_there(tmp_path: Path) -> None:
    """In both parts: summary, code, what became of it, each filter that found it; TeX and tags are neither."""
    one = Row(
        *("2610.00001", r"\textit{Looms} <b>", "MIT", "weaving", ("Ada Lund", "Kaiming He")),
        *("https://github.com/ada/loom", 1200, r"It \textbf{weaves} <img src=x>.", None, "2609.00001"),
    )
    other = Row("2610.00002", "Two", "MIT", abstract="We weave, e.g. \\emph{carpets} vs. other things. It is fast.")
    bad = Row("2610.00003", "Three", "MIT", code_url="javascript:alert(1)//github.com/")
    with released(tmp_path, Day(FRIDAY, (one, other, bad))) as database:
        wishes = Wishes(authors=("kaiming he",), organizations=("mit",), keywords=("weaving",))
        text, html = (preview_text(database, wishes, is_html=is_html) for is_html in (False, True))
    for part in (text, unescape(re.sub("<[^>]*>", "", html.replace("&nbsp;", "\u00a0")))):
        for words in (
            "Looms <b>",
            "withdrawn at arXiv on 2026-10-02; its author names 2609.00001 in its place",
            "AI summary: It weaves <img src=x>.",
            "Ada Lund, Kaiming He · MIT · 99\u00a0upvotes",
            "You follow the author kaiming he; you follow mit; has your keyword weaving",
            "1,200 stars",
            "We weave, e.g. carpets vs. other things.",
        ):
            assert words in " ".join(part.split()).replace("99 up", "99\u00a0up"), words
        assert "It is fast" not in part
    assert "https://github.com/ada/loom (1,200 stars)" in text
    assert "javascript" not in text + html
    hrefs = [attributes["href"] for tag, attributes in found_in(html) if tag == "a"]
    assert "https://github.com/ada/loom" in hrefs
    assert "https://digest.example/preferences/…" in hrefs
    assert {tag for tag, _ in found_in(html)}.isdisjoint({"img", "b", "script"})


ATOMS = st.lists(st.text("aZ0!#$%&'*+/=?^_`{|}~-", min_size=1, max_size=20), min_size=1, max_size=4).map(".".join)


@settings(max_examples=80, deadline=None)
@given(ATOMS, st.lists(st.from_regex(LABEL, fullmatch=True), min_size=2, max_size=4).map(".".join))
def test_an_accepted_address_can_be_written_to(name: str, host: str) -> None:
    """Both libraries would refuse it by an error that holds the address, in the middle of a run."""
    assume(len(name) <= 64 and "=?" not in name)
    address = f"{name}@{host}"
    assert MAILBOX.fullmatch(address)
    assert Address(addr_spec=address).addr_spec == address
    assert quoteaddr(address) == f"<{address}>"
