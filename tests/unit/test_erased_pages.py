"""What is erased of a page and a table: accounts and addresses, never words or a printed author."""

import json
import re
from datetime import date, datetime
from html import escape

import msgspec
import polars as pl
import pytest

from flows.documents.feed_formats import Entry, Feed, atom
from flows.people.whereabouts import Found, Places
from flows.people.who_is_meant import person_named
from paperlake.cli.lake_texts import dry_run_text
from tests.collected import collected
from tests.collected import page as captured
from tests.invented import HUB, list_page, paper
from warehouse.archive.captured import Capture, without_erased
from warehouse.people.accounts import accounts_shown, of_one_account
from warehouse.people.ledger import Ledger, new_entry
from warehouse.people.masked_tables import masked_frame, words_in
from warehouse.people.pages import masked_page
from warehouse.people.person import Person
from warehouse.store.local import LocalStore

# A name in print as sources have it: in two parts, the family name first, with references, decomposed, over two lines
SPELT = (
    "<author><keyname>Quill</keyname>\n  <forenames>Ann</forenames></author><keyname>Ek</keyname><forenames>Cy</forenames>",
    "<given_name>Ann</given_name><surname>Quill</surname><given_name>Cy</given_name><surname>Ek</surname>",
    "@article{x,\n  author = {Quill, Ann and Ek, Cy},\n}",
    "TY  - JOUR\nAU  - Quill, Ann\nAU  - Ek, Cy\n",
    '<meta name="citation_author" content="Quill, Ann"><meta name="citation_author" content="Ek, Cy">',
    "<authors>Cy Ek, Ann\n  Quill</authors>",
    "<p>A&ntilde;n Quill, A&#241;n Quill, A&#xF1;n&nbsp;Quill, Cy Ek</p>",
    "<p>Cy Ek thanks An\u0303n Quill's looms</p>",
    "<p>Looms by Quill, Ann for Cy Ek</p>",
    '{"authors": [{"name": "Ann\\nQuill"}, {"name": "Cy Ek"}]}',
    '{"creators": [{"name": "Quill, Ann", "givenName": "Ann", "familyName": "Quill"}, {"name": "Ek, Cy"}]}',
    '{"author": [{"given": "Ann", "affiliation": [], "family": "Quill"}, {"given": "Cy", "family": "Ek"}]}',
    '{"author": [{"name": "Ann Quill", "sequence": "first"}, {"name": "Cy Ek", "sequence": "additional"}]}',
    '{"authorships": [{"author": {"display_name": "Ann Quill"}, "raw_author_name": "Quill, Ann"}], "by": "Cy Ek"}',
    '{"login": "looms", "name": "Ann Quill", "company": "Cy Ek"}',
    '<script type="application/ld+json">{"author": [{"givenName": "Ann", "familyName": "Quill"}, "Cy Ek"]}</script>',
    '{"summary": "We thank Ann Quill for her looms, and Cy Ek"}',
    '<a href="/search?q=Ann+Quill">Cy Ek</a>',
    r'{"summary": "Thanks to\nAnn Quill, and Cy Ek"}',
    r'{"html": "\u003cb\u003eAnn Quill\u003c/b\u003e, Cy Ek"}',
    '<a href="/search?q=%22Ann+Quill%22">Cy Ek</a>',
    r'{"html": "<img alt=\"Ann Quill\"> Cy Ek"}',
)
ANN = Person("erased0badcafe", frozenset({"ann"}), frozenset({"Ann Quill"}))


def masked(value: object, person: Person = ANN) -> object:
    return json.loads(masked_page(person, json.dumps(value).encode()))


def test_an_account_goes_whole_and_its_counts_stay() -> None:
    account = {"_id": "6" * 24, "user": "Ann", "fullname": "Ann  Quill", "avatarUrl": "/a/1.svg", "followerCount": 3}
    assert masked({"submittedBy": account}) == {
        "submittedBy": {
            "_id": "0" * 24,
            "user": "erased0badcafe",
            "fullname": "erased0badcafe",
            "avatarUrl": "/avatars/erased.svg",
            "followerCount": 3,
        }
    }


@pytest.mark.parametrize(
    "value",
    [
        {"title": "ANN search", "summary": "An (ANN) index, or k-NN/ANN; annotation", "ai_keywords": ["ANN", "ann"]},
        {"authors": [{"name": "Ann Quill", "hidden": False}], "organization": {"name": "annotators"}},
        {"submittedBy": {"name": "annotation", "fullname": "Ann Quill", "avatarUrl": "/a/2.svg"}},
        {"item": "{'title':  'ANN search'}"},
    ],
    ids=["words", "printed", "of another account", "as Python writes it"],
)
def test_what_is_of_others_stays_to_the_byte(value: object) -> None:
    page = json.dumps(value, indent=3).encode()
    assert masked_page(ANN, page) == page


DAY = date(2026, 10, 2)
VERA = Person(ANN.mask, frozenset({"vera-9", "paper"}), frozenset({"Vera Ek"}))
ACCOUNT = {"name": "vera-9", "fullname": "Vera Ek", "avatarUrl": "/a/1.svg"}
ANYWHERE = {
    "keys": '{"votes": {"vera-9": 1}, "people": {"vera-9": {"fullname": "Vera Ek"}}}',
    "in a string": json.dumps({"text": json.dumps([{"paper": {"by": ACCOUNT}}])}),
    "other keys": json.dumps({"account": {"handle": "vera-9", "displayName": "Vera Ek"}}),
    "no login": json.dumps({"paper": ACCOUNT | {"name": ""}}),
    "a script": f'<script type="application/json">{{"paper": [{json.dumps(ACCOUNT)}]}}</script>',
    "single quotes": f"<div data-props='{json.dumps({'paper': ACCOUNT})}'></div>",
    "lines": f'{{"paper": {json.dumps(ACCOUNT)}}}\n{{"paper": {json.dumps(ACCOUNT)}}}',
    "cut": json.dumps([{"paper": ACCOUNT}])[:-2],
    "a file": '<img alt="of a paper" src="/a/avatar_vera-9.png">',
    "encoded twice": '<a href="/login?next=%252Fvera-9">a paper</a>',
    "an attribute in another form": f"<div DATA-PROPS='{escape(json.dumps({'paper': ACCOUNT}))}'></div>",
    "other references": f'<div data-props = "{escape(json.dumps({"paper": ACCOUNT})).replace("&quot;", "&#34;")}"></div>',
}


@pytest.mark.parametrize("page", ANYWHERE.values(), ids=ANYWHERE)
def test_an_account_goes_wherever_a_page_has_it(page: str) -> None:
    """Whoever has the name of a key goes as well, and the key stays."""
    left = masked_page(VERA, page.encode()).decode()
    assert [word for word in ("vera-9", "Vera", "/a/1.svg") if word in left] == []
    assert left.count("paper") == page.count("paper")


@pytest.mark.parametrize("login", ["paper", "title", "name", "dailypapers"])
@pytest.mark.parametrize("words", [False, True])
def test_whoever_has_the_name_of_a_key_takes_no_paper_along(login: str, words: bool) -> None:
    shown = list_page([paper(number, DAY) for number in (1, 2)], DAY, datetime(2026, 10, 2, 22))
    left = masked_page(Person(ANN.mask, frozenset({login}), words=words), shown)
    assert collected(captured(left, f"{HUB}/papers?date={DAY}")).sightings.height == 2


def test_an_author_keeps_the_printed_name_and_loses_the_account() -> None:
    author = {"name": "Ann Quill", "user": {"user": "ann", "fullname": "Ann Quill"}, "status": "claimed"}
    account = {"user": "", "fullname": ""}
    assert masked({"authors": [author]}) == {"authors": [{"name": "Ann Quill", "user": account, "status": ""}]}
    asked = Person(ANN.mask, ANN.logins, ANN.names, authorship=True)
    assert masked({"authors": [{"name": "Ann Quill"}]}, asked) == {"authors": [{"name": "erased0badcafe"}]}


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Zoë Quill", 'Zoë Quill|Zo&euml;+Quill|Zo%C3%AB%20QUILL|Quill, Zoe\u0308|Zo{\\"{e}} Quill'),
        ("Zoë Quill", r"Zo\u00EB\nQuill"),
        ("Kim Isles", "\u212aim \u0130\u017fle\u017f"),
        ("李 明", "李  明|&#26446;+%E6%98%8E"),
    ],
)
def test_a_name_is_found_however_it_is_spelt(name: str, written: str) -> None:
    person = Person(ANN.mask, names=frozenset({name}))
    assert [one for one in written.split("|") if not person.is_in(f"<p>by {one}.</p>")] == []


def test_words_leave_the_printed_authors_of_a_feed() -> None:
    entry = Entry("1", "Looms of ann", datetime(2026, 10, 2), ("Ann Brandt", "Ann"))
    feed = atom(Feed("daily", "Papers", "Lists", (entry,)))
    asked = Person(ANN.mask, ANN.logins, ANN.names, words=True)
    assert masked_page(asked, feed) == feed.replace(b"of ann", b"of xxx")


@pytest.mark.parametrize(("words", "where"), [(False, " in prose or"), (True, "")])
def test_an_option_that_was_given_is_not_proposed(words: bool, where: str) -> None:
    said = dry_run_text(Found((), (("1", Places((), (), 1)),), (), (), 0, 0, logins=("ann", "quill")), words=words)
    assert "the logins ann, quill: all go" in said
    assert said.splitlines()[-1].startswith(f"the login also stands 1 time as a word,{where} in a printed name, ")
    assert ("--words" in said) is not words


def test_an_author_of_a_registry_s_list_that_others_saved_goes_with_authorship_alone() -> None:
    """The lake's own client asks for no authors. Another author and a venue keep their names."""
    theirs = {"id": "https://openalex.org/A7", "display_name": "Ann Quill", "orcid": "https://orcid.org/0000-0001"}
    tide = {"id": "https://openalex.org/A71", "display_name": "Ann Quill Tide", "orcid": "https://orcid.org/0000-00011"}
    other = {"author": tide, "raw_author_name": "Ann Quill Tide"}
    of_venue = {"primary_location": {"source": {"display_name": "Quill Letters"}}}
    found = {"authorships": [{"author": theirs, "raw_author_name": "Ann  Quill"}, other]} | of_venue
    assert masked(found) == found
    gone = {"author": {"id": "", "display_name": ANN.mask, "orcid": ""}, "raw_author_name": ANN.mask}
    asked = Person(ANN.mask, ANN.logins, ANN.names, authorship=True)
    again = {"corresponding_author_ids": [theirs["id"], "https://openalex.org/A71"], "raw_orcid": theirs["orcid"]}
    assert masked(found | again, asked) == {"authorships": [gone, other]} | of_venue | {
        "corresponding_author_ids": ["", "https://openalex.org/A71"],
        "raw_orcid": "",
    }


def test_an_author_of_a_registry_s_record_with_the_name_in_one_loses_the_rest() -> None:
    asked = Person(ANN.mask, ANN.logins, ANN.names, authorship=True)
    theirs = {"ORCID": "https://orcid.org/0000-0001", "name": "Ann Quill", "sequence": "first"}
    assert masked({"author": [theirs]}, asked) == {"author": [theirs | {"ORCID": "", "name": ANN.mask}]}


def test_addresses_and_handles_in_a_text_keep_their_length() -> None:
    text = {"summary": "Code: https://github.com/ann/looms?a=1&by=ann, by @Ann; ANN index"}
    assert masked(text) == {"summary": "Code: https://github.com/xxx/looms?a=1&by=xxx, by @xxx; ANN index"}
    page = b"<p title=&quot;https://a.example/?a=1&amp;by=ann&quot;> an ANN index</p>"
    assert masked_page(ANN, page) == page.replace(b"ann", b"xxx")


def test_an_item_that_was_kept_as_python_writes_it_is_masked_as_one() -> None:
    account = {"_id": "6" * 24, "name": "ann", "fullname": "Ann Quill", "avatarUrl": "/a/1.svg"}
    item = {"title": 'Ann\'s "looms"', "submittedBy": account, "isAuthorParticipating": False, "numComments": None}
    gone = account | {"_id": "0" * 24, "name": ANN.mask, "fullname": ANN.mask, "avatarUrl": "/avatars/erased.svg"}
    assert masked([repr(item), repr({"title": "ANN"})]) == [repr(item | {"submittedBy": gone}), repr({"title": "ANN"})]
    assert f"'name': '{ANN.mask}'" in masked(repr(item)[:-1])  # type: ignore[operator] # cut


def test_what_they_wrote_in_a_comment_goes() -> None:
    comment = {"author": {"name": "ann", "fullname": "Ann"}, "data": {"latest": {"raw": "Hello", "html": "<p>Hello"}}}
    edited = {"editors": ["bob", "ann"], "editorAvatarUrls": ["/avatars/bob.svg", "/avatars/of-ann.svg"]}
    other = {"author": {"name": "bob", "fullname": "Bob"}, "data": {"latest": {"raw": "Hi"}, **edited}}
    found = json.dumps(masked({"comments": [comment, other]}))
    assert ("/avatars/bob.svg" in found, "of-ann" in found) == (True, False)
    assert "Hello" not in found
    assert '"raw": "Hi"' in found
    assert '"ann"' not in found


def test_data_in_an_attribute_and_the_marks_around_it() -> None:
    data = escape(json.dumps({"publisher": {"name": "ann", "fullname": "Ann Quill", "note": 'R&D "x"'}}))
    page = f'<div data-props="{data}"><a href="/ann"><li title="ann"></li><b>ann</b></a> an ann index</div>'
    found = masked_page(ANN, page.encode()).decode()
    assert "Ann Quill" not in found
    assert found.count("erased0badcafe") == 5
    assert "an ann index" in found
    assert masked_page(ANN, found.encode()) == found.encode()
    account = {"user": "ann", "fullname": "Ann Quill", "avatarUrl": "/avatars/of-ann.svg"}
    author = escape(json.dumps({"authors": [{"name": "Ann Quill", "user": account}]}))
    printed = f'<div data-props="{author}"><li>Ann Quill</li><img src="/avatars/of-ann.svg"></div>'
    found = masked_page(ANN, printed.encode()).decode()
    assert ("<li>Ann Quill</li>" in found, "of-ann" in found) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        *("Submitted by\n\nann\n\non Oct 1", "Submitted by [ann](https://huggingface.co/ann)"),
        *("Submitted by Ann Quill on", "- `daily_listings.submitter_login` of `{}` is null; the source says `ann`"),
        "- no longer corrected: `daily_listings.submitter_name` of `{}` is `Ann Quill`; the source says `Ann Quill`",
        "<code>daily_listings.submitter_name</code> of <code>{}</code> is <code>rosa</code>; the source says <code>Ann Quill</code>",
        '<bdi>daily_listings.submitter_name</bdi> <code>{}</code></th><td dir="auto">Ann Quill</td><td>Ann Quill</td>',
        "Submitted by [![Image 3](https://cdn.example/of-ann.jpeg) Ann Quill](https://huggingface.co/ann) on Oct 1",
        '[![](https://cdn.example/of-ann.jpeg)](/ann "ann")',
    ],
)
def test_a_saved_text_and_what_was_corrected_name_no_submitter(text: str) -> None:
    found = masked_page(ANN, text.encode()).decode()
    assert "erased0badcafe" in found
    assert "ann" not in found.lower().replace("erased", "")


@pytest.mark.parametrize(
    "link",
    [
        "[Ann Quill]({}) and [ann]({})",
        "[Ann Quill](https://huggingface.co{})\n,\n[Bo Ek](/bo) and [@ann]({})",
        '<a class="a" href="{}"><span>Ann Quill</span></a>, <a href="{}">ann</a>',
    ],
)
def test_a_name_in_print_is_no_link_to_a_mask(link: str) -> None:
    found = masked_page(ANN, link.format("/ann", "/ann").encode()).decode()
    linked = link.replace("https://huggingface.co", "").format("#", f"/{ANN.mask}")
    assert found == re.sub(r"(?<=[@>\[])ann(?=[]<])", ANN.mask, linked)


def test_a_corrected_value_is_masked_as_the_column_that_it_is_of() -> None:
    told = {
        "table_name": ["daily_listings", "paper_authors", "paper_authors", "papers"],
        "column_name": ["submitter_name", "name", "login", "title"],
        "value_seen": ["Ann Quill", "Ann Quill", "ann", "ANN search"],
        "value_right": ["Ann Ek Quill", "Cy Ek", "cy", "ann"],
    }
    frame = pl.DataFrame(told | {"reason": ["ann says so", "", "", ""]})
    found, _ = masked_frame(ANN, "corrections", frame)
    assert found["value_seen"].to_list() == [ANN.mask, "Ann Quill", None, "ANN search"]
    assert found["value_right"].to_list() == ["Ann Ek Quill", "Cy Ek", "cy", "ann"]
    assert found["reason"][0] == f"{ANN.mask} says so"
    in_notes = [masked(row)["value_seen"] for row in frame.to_dicts()]  # type: ignore[index]
    assert in_notes == [ANN.mask, "Ann Quill", "", "ANN search"]


def test_columns_of_accounts_and_of_texts() -> None:
    frame = pl.DataFrame(
        {
            "submitter_login": ["ANN", "bob", None],
            "submitter_name": ["Ann Quill", "Ann Quill", "Ann Quill"],
            "title": ["ANN search", "Ann Quill", "x"],
            "authors": [[{"name": "Ann Quill", "login": "ann"}], [], None],
            "media_urls": [["https://cdn.example/ann/1.png"], [], None],
        }
    )
    found, changed = masked_frame(ANN, "sightings", frame)
    mask = ANN.mask
    assert changed == {"submitter_login": 1, "submitter_name": 2, "authors": 1, "media_urls": 1}
    assert found["submitter_name"].to_list() == [mask, "Ann Quill", mask]
    assert found["title"].to_list() == frame["title"].to_list()
    assert found["authors"].to_list() == [[{"name": "Ann Quill", "login": None}], [], None]
    assert found["media_urls"].to_list() == [[f"https://cdn.example/{mask}/1.png"], [], None]
    assert words_in(ANN, found) == 4  # in names of others and of authors, and in a title
    assert masked_frame(ANN, "sightings", found)[1] == {}


def test_a_value_of_any_field_is_masked_as_pages_have_it() -> None:
    """A login may be the whole name of an organization, a title or a keyword, which stay."""
    page = {"organization": {"fullname": "Ann"}, "title": "Ann", "ai_keywords": ["ann"], "submittedBy": {"name": "ann"}}
    assert masked(page) == page | {"submittedBy": {"name": ANN.mask}}  # type: ignore[operator]
    for table, field, value, stays in (
        ("conflicts", "field", "value", ["organization_name", "title"]),
        ("schema_paths", "path", "example", ["paper.organization.fullname", "title", "paper.ai_keywords[]"]),
    ):
        goes = ["submitter_login", "authors", "paper.authors[].user.name", "*"]
        frame = pl.DataFrame({field: [*stays, *goes], value: "Ann"})
        assert masked_frame(ANN, table, frame)[0][value].to_list() == ["Ann"] * len(stays) + [ANN.mask] * len(goes)


def test_a_login_that_is_the_name_of_somebody_erased_stays_its_own() -> None:
    quill = Person(ANN.mask, ANN.logins, frozenset({"Quill"}))
    frame = pl.DataFrame({"submitter_login": ["quill", "ann"], "submitter_name": ["Bo Ek", "Quill"]})
    found, _ = masked_frame(quill, "daily_listings", frame)
    assert found.rows() == [("quill", "Bo Ek"), (ANN.mask, ANN.mask)]
    assert masked_page(quill, b"<li>Quill</li>") == b"<li>Quill</li>"
    told = {"name": ["Ann", "Ann Quill"], "login": ["bo", "ann"], "claim_status": ["claimed_verified"] * 2}
    found, _ = masked_frame(ANN, "paper_authors", pl.DataFrame(told))
    assert found.rows() == [("Ann", "bo", "claimed_verified"), ("Ann Quill", None, None)]


def test_a_column_that_no_table_has_any_more_is_masked_as_one_of_accounts() -> None:
    frame = pl.DataFrame({"owner": ["ann", "bo"], "title": ["Ann", "ann"]})
    assert masked_frame(ANN, "repositories_of_old", frame)[0].rows() == [(ANN.mask, "Ann"), ("bo", "ann")]


def test_the_ledger_knows_a_person_and_names_nobody(tmp_path) -> None:
    store = LocalStore(tmp_path, str(tmp_path))
    entry = Ledger(store).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann"], ["Ann Quill"])
    ledger = Ledger(store)
    [(found, person)] = ledger.people_in('{"user": "ANN", "fullname": "Ann Quill"}')
    assert found == entry
    assert (person.logins, person.names) == ({"ann"}, {"Ann Quill"})
    [(_, submitter)] = ledger.people_in("Submitted by Ann Quill on Oct 1")
    assert submitter.names == {"Ann Quill"}
    assert list(ledger.people_in("annotation of Ann Quills")) == [] or person.logins == {"ann"}
    for page in (r'{"raw": "Hi\nann"}', r'{"url": "\u002fann"}', "/login?next=%2Fann", "?q=%22ann"):
        assert [one.logins for _, one in ledger.people_in(page)] == [{"ann"}], page
        assert ANN.is_in(page)
    stored = b"".join(store.read(key) for key in store.list())
    assert b"ann" not in stored.lower()


def test_an_account_is_known_by_its_id_under_a_login_that_it_gets_later(tmp_path) -> None:
    """The same id in the addresses of its media leads nowhere, and an id that many accounts have joins none."""
    store, hub_id, other = LocalStore(tmp_path, str(tmp_path)), "5f0c" * 6, "ab12" * 6
    entry = Ledger(store).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann", hub_id], [])

    def payload(login: str, name: str, theirs: str, of_media: str) -> bytes:
        account = {
            "_id": theirs,
            "name": login,
            "fullname": name,
            "avatarUrl": f"https://hub.example/uploads/{theirs}/1",
        }
        media = [f"https://hub.example/uploads/{one}/1.mp4" for one in (of_media, other)]
        return json.dumps({"submittedBy": account, "paper": {"id": "1", "mediaUrls": media}}).encode()

    for login, theirs in (("quill", hub_id), ("ann", "77ee" * 6)):
        stored = without_erased(Ledger(store), Capture(payload=payload(login, "Ann Quill", theirs, theirs))).payload
        masked = payload(entry.mask, entry.mask, "0" * 24, entry.mask)
        assert stored == masked.replace(f"https://hub.example/uploads/{'0' * 24}/1".encode(), b"/avatars/erased.svg")
    many = {(f"bo{number}", hub_id) for number in range(6)}
    assert of_one_account(["bo1"], many) == {"bo1"}


def test_who_is_meant_has_all_logins_and_ids_of_the_account(tmp_path) -> None:
    """By what pages show, what a killed erasure wrote into the ledger, and what an earlier paperlake left by a mask."""
    ledger = Ledger(LocalStore(tmp_path, str(tmp_path)))
    shown, killed, left, other = ("5f0c" * 6, "ab12" * 6, "77ee" * 6, "c0de" * 6)
    entry = ledger.begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), [killed], [])
    data = [
        {"user": login, "avatarUrl": f"/uploads/{shown}/1.png", "id": "0" * 24} for login in ("ann", "Quill", " ", "-")
    ]
    same = accounts_shown(f'<div data-props="{escape(json.dumps(data))}">'.encode())
    assert same == {("ann", shown), ("quill", shown)}
    same |= {("loom", killed), (entry.mask, left), ("bo", other)}
    person = person_named("ann", [("ann", "Ann Quill"), ("Loom", "A. Quill"), ("bo", "Bo Ek")], same, entry, ledger)
    assert person.logins == {"ann", "quill", "loom", shown, killed, left}
    assert (person.handles, person.names) == ({"ann", "quill", "loom"}, {"Ann Quill", "A. Quill"})


@pytest.mark.timeout(30)
@pytest.mark.parametrize("sign", [".", "-", " ", "\n", "\t", "and ", "&quot;", "(", '"fullname":'])
def test_no_page_takes_long_to_look_through(tmp_path, sign: str) -> None:
    store = LocalStore(tmp_path, str(tmp_path))
    as_author = msgspec.structs.replace(new_entry("2026-11-22T00:00:00Z", "art. 17"), authorship=True)
    Ledger(store).begin(as_author, ["ann.q-7"], ["Ann Quill"])
    page = f'{sign * 100_000} "Ann Quill", @ann.q-7.'
    [(_, person)] = Ledger(store).people_in(page)
    assert (person.logins, person.names) == ({"ann.q-7"}, {"Ann Quill"})
    assert "ann" not in person.of_page(page).lower()


def test_a_page_in_the_coding_of_windows_loses_their_name(tmp_path) -> None:
    store = LocalStore(tmp_path, str(tmp_path))
    as_author = msgspec.structs.replace(new_entry("2026-11-22T00:00:00Z", "art. 17"), authorship=True)
    entry = Ledger(store).begin(as_author, [], ["Zo\u00eb \u0160m\u00edd"])
    for page in ("<p>Zo\u00eb \u0160m\u00edd, B\u00f8 Ek</p>", "looms of \u0160m\u00edd, Zo\u00eb and B\u00f8 Ek"):
        stored = without_erased(Ledger(store), Capture(payload=page.encode("cp1252"), url="https://hub.example/1"))
        masked = re.sub("Zo\u00eb \u0160m\u00edd|\u0160m\u00edd, Zo\u00eb", entry.mask, page)
        assert stored.payload.decode("cp1252") == masked


@pytest.mark.parametrize("odd", [b"\xff", rb"\ud800", rb"\udc80"])
def test_bytes_that_are_no_text_stop_no_masking(tmp_path, odd: bytes) -> None:
    """They may stand in a name, and beside what is masked."""
    store = LocalStore(tmp_path, str(tmp_path))
    as_author = msgspec.structs.replace(new_entry("2026-11-22T00:00:00Z", "art. 17"), authorship=True)
    entry = Ledger(store).begin(as_author, ["ann"], [])
    page = b'{"fullname": "A %b", "url": "https://github.com/ann/%b", "at": "@ann"}' % (odd, odd)
    stored = without_erased(Ledger(store), Capture(payload=page)).payload
    expected = page.replace(b"ann", entry.mask.encode())
    assert stored in {expected, expected.replace(b"/\xff", rb"/\udcff")}


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "page", ['{"user": "ann", "by": "\U0001f9f6 \ud800"}', "# Looms \ud800\r\n\r\nby [ann](/ann) \udc80"]
)
def test_a_page_in_utf_16_loses_the_person_and_nothing_else(tmp_path, coding: str, page: str, mark: str) -> None:
    """As programs of Windows save it, or without a mark, with halves of characters and of two bytes in it."""
    store = LocalStore(tmp_path, str(tmp_path))
    entry = Ledger(store).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["ann"], [])

    def payload(text: str) -> bytes:
        return f"{mark}{text}".encode(coding, "surrogatepass") + b"\0"

    masked = payload(page.replace("ann", entry.mask))
    assert without_erased(Ledger(store), Capture(payload=payload(page))).payload == masked
    assert masked_page(Person(entry.mask, frozenset({"ann"})), payload(page)) == masked
    in_ascii = b"\xff\xfe\0" + b'<a href="/ann">\xff</a>'  # which a mark does not hide
    assert masked_page(ANN, in_ascii) == in_ascii.replace(b"ann", ANN.mask.encode())
    assert masked_page(ANN, payload(page.replace("ann", "bo"))) == payload(page.replace("ann", "bo"))


def test_who_was_erased_as_an_author_is_known_on_later_pages_by_the_name_in_print(tmp_path) -> None:
    """Whatever else the page has of them; who was erased without authorship stays in print."""
    store = LocalStore(tmp_path, str(tmp_path))
    as_author = msgspec.structs.replace(new_entry("2026-11-22T00:00:00Z", "art. 17"), authorship=True)
    Ledger(store).begin(as_author, [], ["Ann Quill", "Añn Quill"])
    Ledger(store).begin(new_entry("2026-11-22T00:00:00Z", "art. 17"), ["bo"], ["Bo Ek"])
    for page in (
        '{"authors": [{"name": "Ann  Quill"}, {"name": "Bo Ek"}]}',
        r'{"authors": [{"name": "A\u00f1n Quill"}, {"name": "Bo Ek"}]}',
        '{"author": {"display_name": "ANN QUILL"}, "raw_author_name": "Bo Ek"}',
        "<authors>Ann Quill and Bo Ek</authors>",
        '<div data-props="{&quot;authors&quot;:[{&quot;name&quot;:&quot;Ann Quill&quot;}]}"><a>Ann Quill</a>, Bo Ek</div>',
        "# A paper\n\nAnn Quill, Bo Ek",
        *SPELT,
    ):
        capture = without_erased(Ledger(store), Capture(payload=page.encode(), url="https://hub.example/papers/1"))
        person = Person(as_author.mask, frozenset(), frozenset({"Ann Quill", "Añn Quill"}), authorship=True)
        for stored in (capture.payload.decode(), masked_page(person, page.encode()).decode()):
            assert as_author.mask in stored, page
            assert "uill" not in stored.lower(), page
            assert "Ek" in stored, page
    assert masked_page(person, b"Looms by Quill, Ann (of Ek)").decode() == f"Looms by {as_author.mask} (of Ek)"
    for url in ("https://hub.example/search?q=Ann+Quill&p=2", "https://hub.example/search?q=A%C3%B1n%20Quill"):
        stored = without_erased(Ledger(store), Capture(payload=b"[]", url=url)).url or ""
        assert stored == url.replace("Ann+Quill", as_author.mask).replace("A%C3%B1n%20Quill", as_author.mask)


@pytest.mark.parametrize(
    "page",
    [
        "# A paper\n\nBo Quill, Ann Ek and Ann Quill Tide",
        "<keyname>Quill</keyname><forenames>Bo</forenames><keyname>Ek</keyname><forenames>Ann</forenames>",
        "<li>Bo Quill</li><li>Ann Ek</li><li>Bo Ann</li><li>Quill Ek</li>",
        "author = {Bo Quill and Ann Ek and Quill, Annabel}",
    ],
)
def test_two_others_who_stand_side_by_side_keep_their_names(page: str) -> None:
    asked = Person(ANN.mask, frozenset(), ANN.names, authorship=True)
    tide = page.replace("Ann Quill Tide", f"{ANN.mask} Tide")
    assert masked_page(asked, page.encode()).decode() == tide


def test_a_long_name_is_known_on_later_pages_in_prose(tmp_path) -> None:
    store = LocalStore(tmp_path, str(tmp_path))
    as_author = msgspec.structs.replace(new_entry("2026-11-22T00:00:00Z", "art. 17"), authorship=True)
    Ledger(store).begin(as_author, [], ["Ann Maria de la Cruz Quill"])
    page = Capture(
        payload=b'{"summary": "As Ann Maria de la Cruz Quill showed, looms sing."}', url="https://hub.example/1"
    )
    assert without_erased(Ledger(store), page).payload == (
        f'{{"summary": "As {as_author.mask} showed, looms sing."}}'.encode()
    )


def test_a_name_in_print_that_is_one_word_goes_as_an_author_and_stays_in_prose(tmp_path) -> None:
    store = LocalStore(tmp_path, str(tmp_path))
    as_author = msgspec.structs.replace(new_entry("2026-11-22T00:00:00Z", "art. 17"), authorship=True)
    Ledger(store).begin(as_author, [], ["Quill"])
    for page in (
        '{"authors": [{"name": "Quill"}, {"name": "Bo"}], "title": "Quill: a quill", "summary": "We, Quill"}',
        "<h1>Quill: a quill</h1><authors>Bo, Quill and Ada Ek</authors>",
    ):
        stored = without_erased(Ledger(store), Capture(payload=page.encode(), url="https://hub.example/1")).payload
        assert stored.decode() == page.replace('"Quill"', f'"{as_author.mask}"').replace(
            "Bo, Quill", f"Bo, {as_author.mask}"
        )
