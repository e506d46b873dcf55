"""The ledger of who was erased, by keyed hashes: `raw/erased/<id>.json`, and the key, `raw/erased/key`.

The key lies beside them, so that whoever lands a page, on any machine, knows an erased person in it without a setting
that may be missing. The hashes keep names from being read off the ledger; whoever has both and guesses a name can
confirm it, and for that reason neither is part of a release, nor of a copy of the releases alone.
"""

import hmac
import html
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Annotated, Final
from urllib.parse import unquote_plus

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from warehouse.errors import Damaged, Superseded, UsageError
from warehouse.people import RECORDS
from warehouse.people.person import ESCAPES, FAMILY, PARTED, Person, normal, part_of
from warehouse.store.lease import InUse
from warehouse.store.store import Store, read_if_there

LEDGER: Final = "raw/erased"
KEY: Final = f"{LEDGER}/key"
KEY_BYTES: Final = 32
# Possessive, and begun once a run: a page is not trusted, and may be one long line of dots or spaces
TOKENS: Final = (re.compile(r"[\w-]+"), re.compile(r"(?<![.-])(?:[.-]*+\w++)++"))
AFTER_ESCAPE: Final = re.compile(rf"(?:{'|'.join(ESCAPES)})([\w.-]++)", re.IGNORECASE)
BEING_ERASED: Final = (
    "a person is being erased from {}; run again when that is done (where it was killed, give the same command again)"
)
NAMES: Final = re.compile(r"(?:\"|&quot;)fullname(?:\"|&quot;)\s*:\s*(\"(?:[^\"\\]|\\.)*\"|&quot;.*?&quot;)")
# Around an author in print, or a part of the name: elements, keys, signs
MARKS: Final = re.compile(
    r"(?:</?[\w:.-]++>|\"[\w-]++\"\s*:|[\"<>,;:|*·•\[\]{}()=?&/\n\r\t]|\\(?:u00(?:2[26f]|3[ce])|(?=\"))|\s(?:and|-)\s)+"
)
NAME_LENGTH: Final = 100
WORDS_OF_NAME: Final = 4  # in prose, unless somebody was erased whose name has more
LONGEST: Final = 8  # whose words are looked for in prose: the work grows with the third power
AFTER: Final = ".!?'"  # a name in a sentence
REFERENCE: Final = re.compile(r"&#?\w+;|%[0-9A-Fa-f]{2}|\+")  # to a character, as HTML or an address has it
OF_REGISTRY: Final = re.compile(rf'"{FAMILY}"', re.IGNORECASE)
SUBMITTERS: Final = re.compile(
    r"(?:Submitted\s+by[\s*>\[]*|<submitter>\s*)([^\n<>\]*·]{1,100}?)(?:\s+on\s|[\n<>\]*·]|$)"
)


class Erased(Struct, frozen=True):
    """One erased person: keyed hashes of their logins and names, when and under which rule, and whether it is done.

    `at` is an ISO instant, UTC; `id` is random, and reveals nothing of the person; `name_words` is how many words the
    longest name has, where they are more than usual. From `is_rewritten` on, whatever is read of the lake is without
    the person: a build that began before meets another ledger at its end.
    """

    id: Annotated[str, Meta(pattern=r"^[0-9a-f]{8}$")]
    at: str
    why: str
    hashes: tuple[str, ...]
    authorship: bool = False
    words: bool = False
    is_rewritten: bool = False
    is_done: bool = False
    name_words: int = 0
    check: str = ""  # keyed hash of all the rest; earlier versions wrote none

    @property
    def mask(self) -> str:
        """The pseudonym that is written in place of the person's logins and names."""
        return f"erased{self.id}"

    def note(self, capture_id: str) -> str:
        """The note in the record of a capture that was rewritten: its id, when, and under which rule."""
        return f"{capture_id} {self.at} {self.why}"


class Ledger:
    """The ledger of people erased from a lake, as it stood when it was opened."""

    def __init__(self, store: Store) -> None:
        self._store = store
        keys = [key for key in store.list(LEDGER) if key != KEY]
        try:
            self.entries = [msgspec.json.decode(store.read(key), type=Erased) for key in keys]
            self._key = bytes.fromhex((read_if_there(store, KEY) or b"").decode()) if keys else b""
            wrong = [entry.id for entry in self.entries if entry.check not in {"", self._check(entry)}]
        except (msgspec.DecodeError, ValueError) as error:
            raise Damaged(f"{LEDGER} is not what paperlake wrote: {error}; restore it from a copy") from error
        if wrong:
            raise Damaged(f"{LEDGER}/{wrong[0]}.json or {KEY} is not what paperlake wrote; restore both from a copy")

    def require_whole(self) -> None:
        """Raise UsageError where people were erased whom it has not, as in a copy of releases alone.

        What is landed there would bring them back.
        """
        known = tuple(entry.id for entry in self.entries)
        if any(not PurePosixPath(key).name.startswith(known) for key in self._store.list(RECORDS)):
            raise UsageError(
                f"{self._store.url} has no {LEDGER} of people who were erased, as a copy of releases has none: what is "
                "added here would bring them back; add it to the lake itself, or to a whole copy"
            )

    def require_quiet(self) -> None:
        """Raise InUse while an erasure rewrites the lake, or where one was killed while it did so.

        What is made of the lake then, or sent, may have the person.
        """
        if any(not (entry.is_rewritten or entry.is_done) for entry in self.entries):
            raise InUse(BEING_ERASED.format(self._store.url))

    def require_same(self) -> None:
        """Raise Superseded where a person was erased since the ledger was opened, or is being erased now."""
        if Ledger(self._store).entries != self.entries:
            raise Superseded(f"a person was erased from {self._store.url} meanwhile; run the same command again")

    def require_unnamed(self, texts: Iterable[str]) -> None:
        """Raise UsageError where a reason or a query to be kept for good would bring back somebody who was erased."""
        for text in texts:
            if any(person.of_page(text) != text for _, person in self.people_in(text)):
                raise UsageError("what is kept for good names a person who was erased; say it without them")

    def of(self, logins: Iterable[str], names: Iterable[str]) -> Erased | None:
        """The entry that already has one of these logins or names; None where there is none."""
        hashes = set(self._hashes(logins, names))
        return next((entry for entry in self.entries if hashes & {*entry.hashes}), None)

    def begin(
        self, entry: Erased, logins: Iterable[str], names: Collection[str], claims: Collection[str] = ()
    ) -> Erased:
        """Write an entry with these logins and names added: from now on nothing of the person is landed."""
        self._store.put_new(KEY, os.urandom(KEY_BYTES).hex().encode())
        self._key = bytes.fromhex(self._store.read(KEY).decode())
        hashes = sorted({*entry.hashes, *self._hashes(logins, [*names, *claims])})
        lengths = (min(len(name.split()), LONGEST) for name in names)
        words = max([entry.name_words, *(length for length in lengths if length > WORDS_OF_NAME)])
        return self._put(replace(entry, hashes=tuple(hashes), name_words=words, is_rewritten=False, is_done=False))

    def rewritten(self, entry: Erased) -> Erased:
        return self._put(replace(entry, is_rewritten=True))

    def end(self, entry: Erased) -> Erased:
        return self._put(replace(entry, is_done=True))

    def people_in(self, text: str) -> Iterator[tuple[Erased, Person]]:
        """Erased people this page may mention, with the names it uses for them."""
        if not self.entries:
            return
        escaped = " ".join(AFTER_ESCAPE.findall(text))
        tokens = {found.casefold() for pattern in TOKENS for one in (text, escaped) for found in pattern.findall(one)}
        names = {_unquoted(found) for found in NAMES.findall(text)} | set(SUBMITTERS.findall(text))
        names |= set(parted_names(text))
        by_hash = dict(zip(self._hashes(tokens, ()), tokens, strict=True))
        names_by_hash = dict(zip(self._hashes((), names), names, strict=True))
        most = max([WORDS_OF_NAME, *(entry.name_words for entry in self.entries)])
        printed = printed_names(text, most) if any(entry.authorship for entry in self.entries) else set()
        printed_by_hash = dict(zip(self._hashes((), printed), printed, strict=True)) | names_by_hash
        for entry in self.entries:
            known = printed_by_hash if entry.authorship else names_by_hash
            logins = frozenset(by_hash[one] for one in entry.hashes if one in by_hash)
            called = frozenset(known[one] for one in entry.hashes if one in known)
            if logins or called:
                yield entry, Person(entry.mask, logins, called, entry.authorship, entry.words)

    def has_name(self, entry: Erased, name: str) -> bool:
        """Whether an entry has this name of a person."""
        return not set(self._hashes((), [name])).isdisjoint(entry.hashes)

    def has_login(self, entry: Erased, login: str) -> bool:
        """Whether an entry has this login of a person, or this id of their account."""
        return not set(self._hashes([login], ())).isdisjoint(entry.hashes)

    def _hashes(self, logins: Iterable[str], names: Iterable[str]) -> list[str]:
        words = [*(f"login {normal(one)}" for one in logins), *(f"name {normal(one)}" for one in names)]
        return [hmac.digest(self._key, word.encode("utf-8", "surrogatepass"), "sha256").hex() for word in words]

    def _check(self, entry: Erased) -> str:
        said = (entry.id, entry.at, entry.why, entry.hashes, entry.authorship, entry.words)
        data = msgspec.json.encode((*said, entry.is_rewritten, entry.is_done, *filter(None, [entry.name_words])))
        return hmac.digest(self._key, data, "sha256").hex()

    def _put(self, entry: Erased) -> Erased:
        entry = replace(entry, check=self._check(entry))
        self._store.put(f"{LEDGER}/{entry.id}.json", msgspec.json.format(msgspec.json.encode(entry), indent=2) + b"\n")
        self.entries = [*(one for one in self.entries if one.id != entry.id), entry]
        return entry


def new_entry(at: str, why: str) -> Erased:
    """An entry under a random id, without hashes yet."""
    return Erased(os.urandom(4).hex(), at, why, ())


def printed_names(text: str, most: int = WORDS_OF_NAME) -> set[str]:
    r"""Whatever may be an author's name in print.

    Each piece of a page between two marks, each two that follow each other, in either order, and in prose at `most` so
    many words of which the first and the last may begin a name, with the family name first or last.

    >>> {'Ada Weaver', 'Bo Ek', 'Zoë Ray'} - printed_names('{"name": "Ada Weaver"} by Ek, Bo. <p>for Zo\u00eb Ray')
    set()
    """
    plain = unquote_plus(html.unescape(text)) if REFERENCE.search(text) else text
    pieces = [
        _unquoted(f'"{piece}"') if "\\" in piece else piece for piece in map(str.strip, MARKS.split(plain)) if piece
    ]
    short = [piece for piece in pieces if len(piece) <= NAME_LENGTH]
    words = " ".join(pieces).split()
    begins = [place for place, word in enumerate(words) if not word[0].islower()]
    ends = ((start, end) for place, start in enumerate(begins) for end in begins[place + 1 : place + most])
    runs = ([*words[start:end], words[end].rstrip(AFTER).removesuffix("'s")] for start, end in ends)
    short_runs = (run for run in runs if len(run) <= most)
    prose = {" ".join(run[cut:] + run[:cut]) for run in short_runs for cut in range(len(run))}
    return prose.union(short, *((f"{one} {other}", f"{other} {one}") for one, other in pairwise(short)))


def parted_names(text: str) -> Iterator[str]:
    """The people of a registry's record, whose names it has in two parts. After the record the text may go on.

    >>> list(parted_names('{"author": [{"given": "Ada", "affiliation": [], "family": "Weaver"}]} text/html'))
    ['Ada Weaver']
    """
    if not OF_REGISTRY.search(text):
        return
    try:
        waiting = [json.JSONDecoder(strict=False).raw_decode(text.lstrip("\ufeff \t\r\n"))[0]]
    except (ValueError, RecursionError):
        return
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
            said = {part_of(key): value for key, value in one.items()}
            if "family" in said:
                yield " ".join(part for part in map(said.get, PARTED) if isinstance(part, str))
        elif isinstance(one, list):
            waiting += one


def _unquoted(word: str) -> str:
    plain = word.replace("&quot;", '"')
    try:
        return str(json.loads(plain, strict=False))  # of msgspec bytes that are no UTF-8 are no text
    except ValueError:
        return plain.strip('"')
