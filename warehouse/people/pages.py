"""Masking a person in a captured page: in JSON object by object, elsewhere by the markup around a name.

Every other byte stays as it was: in JSON only the strings that held something of the person are rewritten.
"""

import ast
import html
import json
import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from warehouse.page_text import bytes_in, codings_of, text_in
from warehouse.people.accounts import IDS, LOGIN_KEYS, PROPS, SHOWN_KEYS
from warehouse.people.person import NO_PICTURE, NOBODY, PARTED, Person, is_of_letters, part_of

PICTURES: Final = ("avatarUrl", "avatar", "picture")
BLANK: Final = dict.fromkeys(PICTURES, NO_PICTURE) | dict.fromkeys(IDS, NOBODY)
OF_ACCOUNT: Final = {*LOGIN_KEYS, *PICTURES, *IDS, *SHOWN_KEYS}
SAID: Final = ("raw", "html", "content")  # what somebody wrote in a comment
TALK: Final = ("comments", "replies")  # lists of comments, each with its author
EDITORS: Final = "editors"  # logins; beside it, place by place, their pictures
PICTURES_OF_EDITORS: Final = "editorAvatarUrls"
HALF: Final = re.compile("[\ud800-\udfff]")
WORTH: Final = 12  # characters of a picture's address or an id that is looked for in the markup
PRINTED: Final = {
    *("title", "summary", "abstract", "description", "ai_summary", "ai_keywords", "text"),
    *("highlightedTitle", "highlightedSummary", *SAID),
    # of a registry's record
    *("given", "family", "container-title", "short-container-title", "publisher", "subtitle", "original-title"),
    *("article-title", "journal-title", "volume-title", "unstructured", "label"),
    *("display_name", "host_organization_name", "raw_source_name"),
}
IDENTIFIER: Final = re.compile(r"https?://(?:orcid|openalex)\.org/(\S+)")  # which a record may repeat elsewhere
OF_PARTED: Final = ("ORCID", "suffix", "prefix")  # who a person in a registry's record is elsewhere
WHOLE: Final = "display_name"  # an author of a work of OpenAlex; beside it, who that is elsewhere
OF_WHOLE: Final = ("id", "orcid")
# Where the printed name of an author stands, as a list or an object and a key
BY_NAME: Final = (("authors", "name"), ("author", WHOLE))
CORRECTED: Final = ("value_seen", "value_right")  # of a column that is named beside them, in the notes of a release
AS_PRINTED: Final = ("raw_author_name", "raw_author_names")
PLAIN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
QUOTE: Final = re.compile("&#0*34;|&#x0*22;", re.IGNORECASE)  # as tools in Go escape it
OBJECT: Final = re.compile(r'\{\s*"')
SCANNER: Final = json.JSONDecoder(strict=False)
MOST_FAULTS: Final = 100  # a page is not trusted, and each attempt may look at all of it
ESCAPED: Final = re.compile(r"&quot;(?:\\&quot;|\\.|(?!&quot;)[^\\])*&quot;|[{}\[\],:]|[^\s{}\[\],:&]+", re.DOTALL)


class Edit(NamedTuple):
    """The replacement of a string, up to its end; `lost` is the string before, where the markup may repeat it."""

    end: int
    value: str
    lost: str = ""


Edits: TypeAlias = dict[int, Edit]  # by the offset at which the string starts


class Text(NamedTuple):
    """A string in JSON: its key (in an array, that of the array), its offsets in the text, and its decoded value."""

    key: str
    start: int
    end: int
    value: str


@dataclass
class Node:
    """A JSON object or array that is still open while its text is scanned."""

    is_object: bool
    name: str
    key: str | None = None
    texts: list[Text] = field(default_factory=list)
    said: list[Text] = field(default_factory=list)
    editors: list[Text] = field(default_factory=list)
    pictures: list[Text] = field(default_factory=list)
    has_author: bool = False
    has_their_word: bool = False
    has_their_account: bool = False


def masked_page(person: Person, payload: bytes) -> bytes:
    """The bytes of a page with the person masked; the same bytes where nothing in it is theirs."""
    for coding in codings_of(payload):
        text = text_in(coding, payload)
        if person.is_in(text):
            payload = bytes_in(coding, _masked_text(person, text), payload)
    return payload


def _masked_text(person: Person, text: str) -> str:
    if _is_json(text):
        return masked_json(person, text)
    lost: set[str] = set()

    def masked(found: re.Match[str]) -> str:
        data = QUOTE.sub("&quot;", found[1] or found[2] or "")
        props = masked_json(person, data, lost, is_escaped=True)
        return found[0] if props == data or '"' in data else f'data-props="{props}"'

    in_props = PROPS.sub(masked, text)
    return person.of_page(without(person, _with_data(person, in_props, lost), lost))


def _with_data(person: Person, page: str, lost: set[str]) -> str:
    """A page with the JSON objects masked that stand in it as they are: in a script, on lines, in JSON that is cut."""
    parts, end, faults = [], 0, 0
    while faults < MOST_FAULTS and (found := OBJECT.search(page, end)):
        at = found.start()
        try:
            _, after = SCANNER.raw_decode(page, at)
        except (ValueError, RecursionError):
            faults, after = faults + 1, at + 1
        data = page[at:after]
        parts += [page[end:at], masked_json(person, data, lost) if person.is_in(data) else data]
        end = after
    return "".join([*parts, page[end:]])


def without(person: Person, page: str, lost: set[str]) -> str:
    """A page without what was masked in its data, where its markup shows it too: what they wrote, their pictures."""
    for value in sorted(lost, key=lambda one: (-len(one), one)):
        for shown in {value, html.escape(value), html.escape(value, quote=False)}:
            page = page.replace(f">{shown}<", f">{person.mask}<")
            if len(value) >= WORTH:
                page = page.replace(shown, person.mask)
    return page


def _is_json(text: str) -> bool:
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("[", "{"):
        return False
    try:
        json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return True


def masked_json(person: Person, text: str, lost: set[str] | None = None, *, is_escaped: bool = False) -> str:
    """JSON text with the person masked; `is_escaped` where it stands escaped in an attribute of HTML.

    To `lost` is added what is masked as a whole, and what the page's markup may show again.
    """
    edits: Edits = {}
    nodes = [Node(is_object=False, name="")]
    for token in (ESCAPED if is_escaped else PLAIN).finditer(text):
        _take(person, token, nodes, edits, is_escaped=is_escaped)
    _close(person, nodes[0], edits)
    if lost is not None:
        lost |= {edit.lost for edit in edits.values() if edit.lost}
    parts, end = [], 0
    for start in sorted(edits):
        value = edits[start].value  # half a character, escaped in JSON, is no text otherwise
        value = json.dumps(value, ensure_ascii=HALF.search(value) is not None)
        parts += [text[end:start], html.escape(value, quote=True) if is_escaped else value]
        end = edits[start].end
    made = "".join([*parts, text[end:]])
    for same in {found[1] for edit in edits.values() if (found := IDENTIFIER.fullmatch(edit.lost))}:
        made = re.sub(rf'"https?://(?:orcid|openalex)\.org/{re.escape(same)}"', '""', made)
    return made


def _take(person: Person, token: re.Match[str], nodes: list[Node], edits: Edits, *, is_escaped: bool) -> None:
    word, node = token[0], nodes[-1]
    if word in ("{", "["):
        name = node.key or "" if node.is_object else node.name
        nodes.append(Node(is_object=word == "{", name=name))
    elif word in ("}", "]"):
        if len(nodes) > 1:
            _close_innermost(person, nodes, edits)
    elif word == ",":
        node.key = None
    elif word.startswith("&quot;" if is_escaped else '"'):
        value = _unquoted(word, is_escaped=is_escaped)
        if node.is_object and node.key is None:
            node.key = value
            if person.is_login(value) and not is_of_letters(value):
                edits[token.start()] = Edit(token.end(), person.mask)
        else:
            key = node.key or "" if node.is_object else node.name
            node.texts.append(Text(key, token.start(), token.end(), value))


def _close_innermost(person: Person, nodes: list[Node], edits: Edits) -> None:
    """Close the innermost object or array; where its author is the person, mask all that was said in it."""
    node, outer = nodes.pop(), nodes[-1]
    is_theirs = _close(person, node, edits)
    is_author = outer.is_object and outer.key == "author"
    outer.has_author |= is_author
    outer.has_their_word |= is_theirs and is_author
    _close_editors(person, node, outer, edits)
    if is_theirs and outer.name == "authors":  # empty, as a mask beside the printed name would lead to it
        outer.has_their_account = True
        edits.update(
            {text.start: Edit(text.end, "", _markup_value(text)) for text in node.texts if text.key in OF_ACCOUNT}
        )
    if node.has_their_account:
        edits.update({text.start: Edit(text.end, "") for text in node.texts if text.key == "status"})
    said = node.said + [text for text in node.texts if text.key in SAID]
    if node.has_their_word:
        edits.update({text.start: Edit(text.end, person.mask, text.value) for text in said})
    elif not (node.has_author and node.name in TALK):  # a comment by another, in whosever talk it stands
        outer.said += said


def _close_editors(person: Person, node: Node, outer: Node, edits: Edits) -> None:
    """Mask the pictures of an object's editors that are the person's: those in their places, else all."""
    if not node.is_object and node.name == EDITORS:
        outer.editors = node.texts
    if not node.is_object and node.name == PICTURES_OF_EDITORS:
        outer.pictures = node.texts
    theirs = [person.is_login(one.value) for one in node.editors]
    if any(theirs):
        is_in_place = len(theirs) == len(node.pictures)
        pictures = [one for place, one in enumerate(node.pictures) if not is_in_place or theirs[place]]
        edits.update({one.start: Edit(one.end, NO_PICTURE, one.value) for one in pictures})


def _close(person: Person, node: Node, edits: Edits) -> bool:
    """Mask the strings of an object or array; return whether it is an account of the person."""
    is_theirs = node.is_object and _is_account(person, node)
    if node.is_object and _is_author(person, node):
        became = dict.fromkeys(("family", "name", WHOLE), person.mask) | dict.fromkeys(
            ("given", *OF_PARTED, *OF_WHOLE), ""
        )
        named = ((one, part_of(one.key)) for one in node.texts)
        edits.update({one.start: Edit(one.end, became[key], _identifier(one)) for one, key in named if key in became})
        return False
    for text in node.texts:
        if _is_json(text.value):  # as an archiver keeps an answer
            masked = masked_json(person, text.value)
        else:
            masked = _masked(person, node, text, is_theirs=is_theirs)
        if masked != text.value:
            edits[text.start] = Edit(text.end, masked, _markup_value(text) if is_theirs else "")
    return is_theirs


def _markup_value(text: Text) -> str:
    """The value of an account's picture or id, which the markup may repeat. A name may be a printed author's."""
    return text.value if text.key in BLANK else ""


def _identifier(text: Text) -> str:
    return text.value if IDENTIFIER.fullmatch(text.value) else ""


def _is_account(person: Person, node: Node) -> bool:
    logins = [text.value for text in node.texts if text.key in LOGIN_KEYS and text.value]
    if node.name == "authors" or node.name.lower().endswith("organization"):
        return False
    if any(map(person.is_login, logins if is_of_letters(node.name) else (*logins, node.name))):
        return True
    return not logins and any(person.is_name(text.value) for text in node.texts if text.key in SHOWN_KEYS)


def _is_author(person: Person, node: Node) -> bool:
    """Whether an object is a printed author of a registry's record who is to be erased.

    Given and family name stand apart, or in one, with a place in the sequence; an author of OpenAlex's goes by one
    name.
    """
    said = {part_of(text.key): text.value for text in node.texts}
    whole = said.get("name", "") if "sequence" in said else said.get(WHOLE, "") if node.name == "author" else ""
    return person.authorship and person.is_name(" ".join(filter(None, map(said.get, PARTED))) or whole)


def _masked(person: Person, node: Node, text: Text, *, is_theirs: bool) -> str:
    if text.key in BLANK and (is_theirs or person.is_login(text.value)):
        return BLANK[text.key]
    if is_theirs and (text.key in SHOWN_KEYS or person.is_login(text.value)):
        return person.mask
    if (node.is_object and (node.name, text.key) in BY_NAME) or text.key in AS_PRINTED:
        return person.of_author(text.value)
    if text.key in CORRECTED:
        return _masked_cell(person, node, text)
    if text.key in PRINTED or text.key in SHOWN_KEYS:  # of another account, which may have the login for a first name
        return person.of_printed(text.value)
    return person.of_page(text.value) if text.key == "html" else _masked_value(person, text.value)


def _masked_cell(person: Person, node: Node, text: Text) -> str:
    """A value that was corrected, or is right, as `corrections` has it; the login of a printed author is emptied."""
    column = next((one.value for one in node.texts if one.key == "column_name"), "")
    if column == "login" and person.is_login(text.value):
        return ""
    if column == "submitter_login":
        return person.of_value(text.value)
    return person.of_name(text.value) if column == "submitter_name" else person.of_author(text.value)


def _masked_value(person: Person, text: str) -> str:
    """A value of which nobody says whose it is; it may be an object that an archive kept as Python writes it."""
    if not text.startswith("{'"):
        return person.of_unknown(text)
    try:
        data = json.dumps(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return person.of_unknown(text)
    masked = masked_json(person, data)
    return text if masked == data else repr(json.loads(masked))


def _unquoted(word: str, *, is_escaped: bool) -> str:
    plain = html.unescape(word) if is_escaped else word
    if "\\" not in plain:  # as nearly all, for which a decoder takes ten times as long
        return plain[1:-1]
    try:
        return str(json.loads(plain, strict=False))
    except ValueError:
        return plain[1:-1]
