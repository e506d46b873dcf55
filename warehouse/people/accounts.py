"""The account behind a login: its id at the Hub, and the other logins that it had or got when it was renamed.

The addresses of a paper's media have the id of whoever submitted it, and lead to the account as a login does.
"""

import html
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any, Final, TypeAlias

from warehouse.page_text import codings_of, text_in
from warehouse.people.person import HUB_ID, NOBODY, normal

LoginAndId: TypeAlias = tuple[str, str]  # as `normal` has them

LOGIN_KEYS: Final = ("user", "name", "login", "username", "handle")
SHOWN_KEYS: Final = ("fullname", "fullName", "displayName")
IDS: Final = ("_id", "id")
PICTURE: Final = "avatarUrl"  # of an account; an organization has an `avatar`
UPLOADER: Final = r"/uploads/([0-9a-f]{24})/"  # in the address of a picture, or of a paper's media
PROPS: Final = re.compile(r"""\bdata-props\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
MOST_LOGINS: Final = 5  # of one account; an id that more accounts have is not theirs


def accounts_shown(page: bytes) -> set[LoginAndId]:
    """The accounts that a page shows in its data, each with its id.

    >>> accounts_shown(b'[{"_id": "%s", "user": "Ada", "avatarUrl": "/avatars/1.svg"}]' % (b"a" * 24))
    {('ada', 'aaaaaaaaaaaaaaaaaaaaaaaa')}
    """
    found = set[LoginAndId]()

    def take(one: dict[str, Any]) -> None:
        if isinstance(picture := one.get(PICTURE), str):
            words = (word for word in map(one.get, LOGIN_KEYS) if isinstance(word, str))
            login = next((word for word in words if any(map(str.isalnum, word))), None)  # an empty one is in all texts
            said = [*map(one.get, IDS), *re.findall(UPLOADER, picture)]
            ids = {word for word in said if isinstance(word, str) and HUB_ID.fullmatch(word)} - {NOBODY}
            found.update((normal(login), word) for word in ids if login)

    for text in (text_in(coding, page) for coding in codings_of(page)):
        props = (html.unescape(found[1] or found[2] or "") for found in PROPS.finditer(text))
        for data in (text, *props) if PICTURE in text else ():
            with suppress(ValueError, RecursionError):
                json.loads(data.lstrip("\ufeff"), object_hook=take, strict=False)
    return found


def of_one_account(logins: Iterable[str], accounts: Collection[LoginAndId]) -> frozenset[str]:
    """These logins, the ids of their accounts, and the other logins of the same ids."""
    logins_of = defaultdict[str, set[str]](set)
    for login, hub_id in accounts:
        logins_of[hub_id].add(login)
    pairs = [pair for pair in accounts if len(logins_of[pair[1]]) <= MOST_LOGINS]
    known, more = frozenset[str](), frozenset(map(normal, logins))
    while more - known:
        known |= more
        more = frozenset(one for pair in pairs if not known.isdisjoint(pair) for one in pair)
    return known.union(logins)
