"""The person to erase, and how a text is masked: logins as whole identifiers, never parts of words, and their names.

Printed text (title, abstract, summary, keyword, an author's name) is the paper's: only addresses and handles in it are
masked, with as many characters, so that offsets into the text stay valid. The same word in prose stays.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html.entities import codepoint2name
from typing import Final
from unicodedata import normalize
from urllib.parse import quote

from warehouse.tex import surname, tex

OF_AUTHOR: Final = re.compile(r"^@misc\{[a-z]+")
AUTHORS: Final = re.compile(r"(?<=^  author = \{).*(?=\},$|\Z)", re.MULTILINE)  # of an entry, or of its beginning
MASK: Final = re.compile(r"erased[0-9a-f]{8}")
FILLER: Final = "x"
HUB_ID: Final = re.compile(r"[0-9a-f]{24}")
NOBODY: Final = "0" * 24
NO_PICTURE: Final = "/avatars/erased.svg"
OF_ADDRESS: Final = r"(?:[^\s\"'<>)\]&]++|&(?!(?:quot|apos|lt|gt|nbsp|#\w+);))++"  # a reference may end one
ADDRESS: Final = re.compile(
    rf"(?:https?:)?//{OF_ADDRESS}|\b(?:huggingface\.co|hf\.co|github\.com|twitter\.com|x\.com)/{OF_ADDRESS}"
    rf"|(?<=[(\"'])/{OF_ADDRESS}|(?<=&quot;)/{OF_ADDRESS}|(?<![\w.])@[\w.-]+"
)
OF_THE_HUB: Final = re.compile(r"(?:https?:)?//(?:www\.)?(?:huggingface\.co|hf\.co)/|(?:huggingface\.co|hf\.co)/|[/@]")
# What may stand before a name in an address or JSON: a sign of ASCII that is no part of a word, a line's end, a word
SIGN: Final = r"(?:[01][\da-f]|2[\da-cef]|3[a-f]|40|5[b-e]|60|7[b-f])"
ESCAPES: Final = (rf"%25{SIGN}", rf"%{SIGN}", rf"\\u00(?:{SIGN}|a0)", r"\\[nt]", "avatar_")
ESCAPED: Final = "|".join(f"(?<={one})" for one in ESCAPES)
BEFORE: Final = rf"(?<![\w-])|{ESCAPED}"
KEY: Final = re.compile(r"(?:\"|&quot;)\s*:")  # behind a key of JSON
OF_SCRIPT: Final = 'data-target="'  # before the name of a part of a page
PRINTED_AUTHOR: Final = re.compile(r"(?<=<author><name>)([^<]*)(?=</name></author>)")  # of a feed
SUBMITTED: Final = (
    # a page of the Hub, a record of arXiv
    r"(Submitted\s+by(?:[\s*>\[]|!\[[^\[\]]*\]\([^()\s]*\)|<[^<>]*>)*|<submitter>\s*"
    # what a release says it corrected, in its notes and on its page
    r"|\.submitter_\w+(?:`|</code>) of (?:`[^`]*`|<code>[^<]*</code>) is (?:(?:null|`[^`]*`|<code>[^<]*</code>)"
    r"; the source says )?(?:`|<code>)"
    r"|\.submitter_\w+</bdi> <code>[^<]*</code></th><td[^<>]*>(?:[^<]*</td><td[^<>]*>)?)"
)
FAMILY: Final = r"(?:family[\w-]*|(?:last|sur|key)[_-]?name)"  # keys of the parts of a name
OF_PART: Final = re.compile(rf"({FAMILY})|given[\w-]*|(?:first|fore)[_-]?names?", re.IGNORECASE)
NO_UTF_8: Final = re.compile("[\udc80-\udcff]")
RUN: Final = re.compile(r"[A-Za-z0-9]+")
FOLDED: Final = tuple(map(str.encode, "\u0130\u0131\u017f\u212a"))  # i, s and k, where case is ignored
TAG: Final = re.compile(r"<[^<>]*>")
PARTED: Final = ("given", "family")  # a person in a registry's record
# In a name, as prose, JSON, HTML and an address have it; in syntax that Polars and DuckDB share
SPACE: Final = "(?:[\\s+\u00a0]|\\\\[nrt]|&nbsp;|&#160;|&#xa0;|%20)+"
# Between the parts of a name where they stand apart: elements of XML, the keys of an object
PARTS: Final = r"(?:\s*</?[\w:.-]++>)++\s*|(?:\"|&quot;)\s*,\s*(?:\"|&quot;)[\w-]++(?:\"|&quot;)\s*:\s*(?:\"|&quot;)"
APART: Final = re.compile(PARTS)
# Around such a name: no other part of one, as where two people stand side by side, but a small word may be
SMALL: Final = "|".join(rf"(?<=\b(?-i:[a-z]{{{letters}}}) )" for letters in range(2, 8))
FIRST: Final = rf"(?:(?<![\w.'][ +\u00a0])|{SMALL})"
LAST: Final = r"(?![ +\u00a0](?-i:[^\W\d_a-z]))"


def part_of(key: str) -> str:
    """Which part of a name stands under a key; else the key itself."""
    found = OF_PART.fullmatch(key)
    return key if found is None else "family" if found[1] else "given"


def normal(name: str) -> str:
    """A name or a login in the form that is compared.

    Composed, case folded, runs of spaces made one, letters of a page in Windows' coding, which is no UTF-8, as they are
    meant.
    """
    meant = NO_UTF_8.sub(lambda found: found[0].encode("ascii", "surrogateescape").decode("cp1252", "replace"), name)
    return normalize("NFC", " ".join(meant.split()).casefold())


@dataclass(frozen=True)
class Person:
    """One person to erase: `mask` replaces their logins, ids of accounts among them, and names.

    With `authorship` it also replaces printed names of authors, and with `words` the login is masked where it stands as
    a word in prose.
    """

    mask: str
    logins: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    authorship: bool = False
    words: bool = False

    @property
    def handles(self) -> set[str]:
        """Their logins, as `normal` has them, without the ids of accounts."""
        return {normal(login) for login in self.logins if not HUB_ID.fullmatch(login)}

    @cached_property
    def token(self) -> re.Pattern[str]:
        """A pattern of any whole login. The lookahead comes first: trying BEFORE everywhere takes 5 times as long."""
        login = _any(map(re.escape, self.logins))
        return re.compile(rf"(?={login})(?:{BEFORE})(?:{login})(?![\w-])", re.IGNORECASE)

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        """A pattern of any name, whole, however it is spaced or escaped, or in two parts. It looks ahead for speed."""
        name, begin = _any(map(_spaced, self._spelt)), _any(map(re.escape, _begins(self._spelt)))
        parted = _any([*map(_spaced, _inverted(self._spelt)), *_apart(self._spelt)])
        return re.compile(rf"(?={begin})(?:(?<!\w)|{ESCAPED})(?:{name}|{FIRST}(?:{parted}){LAST})(?!\w)", re.IGNORECASE)

    @cached_property
    def parted(self) -> re.Pattern[str]:
        """A coarse pattern of the end of any name, as a registry's record has it apart from given names."""
        ends = {" ".join(one.split()[place:]) for one in self._spelt for place in range(1, len(one.split()))}
        return re.compile(rf'"{FAMILY}"\s*:\s*"(?:{_any(map(_spaced, ends))})"', re.IGNORECASE)

    @cached_property
    def either(self) -> str:
        """A coarse filter, in syntax that Polars and DuckDB share: it may match too much, never too little."""
        return re.sub(f"\\|{NO_UTF_8.pattern}", "", f"(?i){self._login_or_name}")  # tables have no such bytes

    @cached_property
    def _login_or_name(self) -> str:
        return _any([*map(re.escape, self.logins), *map(_spaced, [*self._spelt, *_inverted(self._spelt)])])

    @cached_property
    def _spelt(self) -> frozenset[str]:
        """Their names as pages have them, composed or not, and as citations have them in TeX."""
        composed_or_not = {normalize(form, name) for name in self.names for form in ("NFC", "NFD")}
        return self.names | composed_or_not | set(map(tex, self.names))

    @cached_property
    def _delimited(self) -> re.Pattern[str]:
        """A pattern of a login that stands alone between two marks of a page, or on a line.

        And of a name in print that is one word, between authors too.
        """
        login = _any(map(re.escape, self.logins))
        word = _any(_spaced(name) for name in self._spelt if self.authorship and " " not in name)
        # Each run of spaces is gone through once: a page is not trusted, and may be nothing but lines
        before = r"(?:\A|[>\"'|=]|&quot;|&#39;|\*\*|\[)\s*+|(?<!\s)[^\S\n\t]*+[\n\t]\s*+"
        after = r"\s*(?:$|[\"'<|\t]|&quot;|&#39;|\*\*|\]\()"
        return re.compile(
            rf"({before})(?:{login})(?={after})|({before}|(?:[,;{{]|\band\b)\s*+)(?:{word})(?={after}|\s*[,;}}]|\s+and\b)",
            re.IGNORECASE | re.MULTILINE,
        )

    @cached_property
    def _profile(self) -> str:
        """A pattern of the address of their account, whole."""
        login = _any(map(re.escape, self.logins))
        return rf"(?:(?:https?:)?//(?:www\.)?(?:huggingface\.co|hf\.co))?/(?:{login})(?![\w-])"

    @cached_property
    def _portrait(self) -> re.Pattern[str]:
        """A pattern of the address of a picture before or in a link to the account, as a saved page has both."""
        picture = r"(!\[[^\[\]]*\]\()[^()\s]*+"
        return re.compile(rf"{picture}(?=\)[\s\[]*+[^\[\]()]{{0,100}}\]\({self._profile})", re.IGNORECASE)

    @cached_property
    def _named_link(self) -> re.Pattern[str]:
        """A pattern of a link to the account, up to its address, as Markdown and HTML have it; and what it says."""
        in_markdown = rf"\[(?P<said>[^\[\]]{{1,100}})\]\({self._profile}(?=[)\s])"
        in_html = rf"<a\b[^<>]{{0,300}}?\bhref=\"{self._profile}(?=\"[^<>]*>(?P<shown>(?:(?!</a>).){{0,200}})</a>)"
        return re.compile(rf"{in_markdown}|{in_html}", re.IGNORECASE | re.DOTALL)

    @cached_property
    def _submitted(self) -> re.Pattern[str]:
        return re.compile(rf"{SUBMITTED}(?:{self._login_or_name})(?![\w-])", re.IGNORECASE)

    @cached_property
    def _runs(self) -> set[tuple[bytes, ...]]:
        """Runs of plain letters and digits, of which a text has all of a login, or of a name, in whatever spelling."""
        last = slice(-1 if self.authorship else 0, None)  # the rest of a name may stand anywhere
        names = (" ".join(name.split()[last]) for name in self._spelt)
        return {tuple(run.lower().encode() for run in RUN.findall(one)) for one in (*self.logins, *names)}

    def is_in(self, text: str) -> bool:
        """Whether a text may hold anything of theirs. Most do not have the bytes, which is quick to tell."""
        plain = text.encode("utf-8", "surrogatepass").lower()
        has_runs = any(all(run in plain for run in runs) for runs in self._runs)
        if not has_runs and not any(letter in plain for letter in FOLDED):
            return False
        is_parted = self.authorship and self.parted.search(text)
        return bool(self.token.search(text) or self.phrase.search(text) or is_parted)

    def is_login(self, text: str) -> bool:
        return normal(text) in {normal(login) for login in self.logins}

    def is_name(self, text: str) -> bool:
        return normal(text) in {normal(name) for name in self.names}

    def of_value(self, text: str) -> str:
        """A value that is not printed text (a login, a URL, a header), with the person masked.

        A word that is their name may be the login of another.
        """
        return self.mask if " " in text and self.is_name(text) else self.of_unknown(text)

    def of_unknown(self, text: str) -> str:
        """A value of which nobody says whose it is, with the person masked: their names with `authorship` alone."""
        return self.mask if self._is_in_print(text) else self._mask_names(self.token.sub(self.mask, text))

    def of_printed(self, text: str) -> str:
        """A printed text of the paper, with the person masked in addresses and handles."""
        masked = ADDRESS.sub(lambda found: self._filled(found[0]), text)
        return self._mask_optional(masked)

    def of_name(self, text: str) -> str:
        """The name of an account, which may have the login of another one for a first name."""
        return self.mask if self.is_name(text) or self.is_login(text) else self.of_printed(text)

    def of_any(self, text: str) -> str:
        """A value that may be of any column: a sentence is printed text, a single word or a name is a value."""
        return self.of_printed(text) if " " in text and not self.is_name(text) else self.of_value(text)

    def of_author(self, text: str) -> str:
        """The printed name of an author; masked only with `authorship`, and as a whole: others share first names."""
        return self.mask if self._is_in_print(text) else ADDRESS.sub(lambda found: self._filled(found[0]), text)

    def of_citation(self, text: str) -> str:
        """An entry for BibTeX, whose key begins with the surname of the first author."""
        found = AUTHORS.search(text)
        start, end = found.span() if found else (0, 0)
        authors = " and ".join(map(self.of_author, text[start:end].split(" and ")))
        masked = self.of_printed(text[:start]) + authors + self.of_printed(text[end:])
        return OF_AUTHOR.sub(f"@misc{{{surname(self.mask)}", masked) if authors.startswith(self.mask) else masked

    def of_page(self, text: str) -> str:
        """A page or document of text or HTML, masked: only its markup shows what is printed text."""
        parts = PRINTED_AUTHOR.split(text)
        return "".join(self.of_author(one) if place % 2 else self._of_markup(one) for place, one in enumerate(parts))

    def _of_markup(self, text: str) -> str:
        masked = self._portrait.sub(rf"\g<1>{NO_PICTURE}", text)
        for _ in range(2):  # what the source says, and what is right
            masked = self._submitted.sub(rf"\g<1>{self.mask}", masked)
        masked = self._named_link.sub(self._unlinked, masked)
        masked = ADDRESS.sub(lambda found: self._masked_address(found[0]), masked)
        masked = self._delimited.sub(
            lambda found: found[0] if _is_of_page(found) else f"{found[1] or found[2]}{self.mask}", masked
        )
        return self._mask_optional(masked)

    def _is_in_print(self, text: str) -> bool:
        """Whether a text is their name and nothing else, and that is to go."""
        return self.authorship and (self.is_name(text) or self.phrase.fullmatch(text.strip()) is not None)

    def words_in(self, text: str) -> int:
        """How often a login stands in a text as a word."""
        return sum(1 for _ in self.token.finditer(text))

    def _mask_optional(self, text: str) -> str:
        text = self._mask_names(text)
        return self.token.sub(lambda one: one[0] if _is_of_page(one) else self._fill(one), text) if self.words else text

    def _mask_names(self, text: str) -> str:
        """A text without their names, if `authorship` says so.

        What stands between the parts of one stays, and so does a word that is the whole name.
        """

        def masked(found: re.Match[str]) -> str:
            between = APART.findall(found[0])
            return f"{self.mask}{''.join(between)}" if between or re.search(SPACE, found[0]) else found[0]

        return self.phrase.sub(masked, text) if self.authorship else text

    def _masked_address(self, address: str) -> str:
        """An address in a page: on the Hub the mask replaces the login, elsewhere filler of the same length does."""
        return self.token.sub(self.mask, address) if OF_THE_HUB.match(address) else self._filled(address)

    def _unlinked(self, link: re.Match[str]) -> str:
        """A link to the account that says something else, as the name of an author: it leads nowhere.

        A mask beside the name would lead to it.
        """
        said = TAG.sub("", link["said"] or link["shown"] or "").strip().removeprefix("@")
        is_named = any(map(str.isalpha, said)) and said != self.mask and not self.is_login(said)
        return re.sub(r'[^"(]*\Z', "#", link[0], count=1) if is_named else link[0]

    def _filled(self, address: str) -> str:
        return self.token.sub(self._fill, address)

    def _fill(self, found: re.Match[str]) -> str:
        return FILLER * len(found[0])


def is_of_letters(word: str) -> bool:
    """Whether a login may be a key of the source's own JSON."""
    return word.replace("_", "").isalpha()


def _is_of_page(found: re.Match[str]) -> bool:
    """Whether a login that was found may be a key of the source's, or the name of a part of a page.

    Without these no paper of the page could be read.
    """
    word = re.search(r"[\w-]+\Z", found[0])
    if word is None or not is_of_letters(word[0]):
        return False
    is_key = KEY.match(found.string, found.end()) is not None
    return is_key or found.string.endswith(OF_SCRIPT, 0, found.start() + word.start())


def _inverted(names: Iterable[str]) -> Iterator[str]:
    """Names with the family name first, as citations have them, split wherever they may be."""
    for words in map(str.split, names):
        yield from (f"{' '.join(words[place:])}, {' '.join(words[:place])}" for place in range(1, len(words)))


def _apart(names: Iterable[str]) -> Iterator[str]:
    """Patterns of names in two parts, either of which comes first."""
    for one in _inverted(names):
        family, given = map(_spaced, one.rsplit(", ", 1))
        yield from (f"{family}(?:{PARTS}){given}", f"{given}(?:{PARTS}){family}")


def _begins(names: Iterable[str]) -> set[str]:
    """With which a name in any spelling may begin, or a part of it."""
    first = {word[0] for name in names for word in name.split()}
    plain = all(one.isascii() and one.isalnum() for one in first)
    return first | (set() if plain else {*"\\&%", *filter(None, map(_in_windows, first))})


def _spaced(name: str) -> str:
    """A pattern of a name, however it is spaced and written."""
    return SPACE.join("".join(map(_written, word)) for word in name.split())


def _written(letter: str) -> str:
    """A pattern of a letter as it is, and as JSON, HTML and an address have it."""
    if letter.isascii() and letter.isalnum():
        return letter
    code = ord(letter)
    entity = [f"&{codepoint2name[code]};"] if code in codepoint2name else []
    in_json, in_url = json.dumps(letter)[1:-1], quote(letter, errors="surrogateescape")
    written = {letter, in_json, in_url, f"&#{code};", f"&#x{code:x};", *entity, _in_windows(letter) or letter}
    return f"(?:{_any(map(re.escape, written))})"


def _in_windows(letter: str) -> str:
    """The letter as a page in the coding of Windows has it, a byte that is no UTF-8; empty where that has none."""
    return letter.encode("cp1252", "ignore").decode("ascii", "surrogateescape")


def _any(patterns: Iterable[str]) -> str:
    """A pattern that matches any of these; without any, one that matches nothing."""
    return "|".join(sorted(patterns)) or r"[^\s\S]"
