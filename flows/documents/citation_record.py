"""The record of a cited query, in `citations/`, with its BibTeX entry and its page; and whether they are as written."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from flows.documents.rendering import render
from warehouse.errors import Damaged
from warehouse.release.latest import CITATIONS, erasures, resolved
from warehouse.release.manifest import Latest, Record, decode, digest, encode, identity_of
from warehouse.store.store import Store, read_if_there


class CitedQuery(Record, frozen=True):
    """`citations/<id>.json`: a query of one release and what it gave. `cited_at` is an ISO instant, UTC."""

    id: str
    sql: str
    release: str
    manifest_sha256: str
    cited_at: str
    code_version: str
    row_count: int
    columns: tuple[tuple[str, str], ...]
    rows_sha256: str

    @property
    def bibtex(self) -> str:
        """A BibTeX entry, in ASCII."""
        fields = {
            "title": f"A query of paperlake, release {self.release}",
            "year": self.cited_at[:4],
            "note": f"Query {self.id}, rows: {self.row_count}, SHA-256 {self.rows_sha256}, asked on "
            f"{self.cited_at[:10]}; paperlake cite-verify runs it again",
        }
        return misc_entry(self.id, **fields)


def misc_entry(name: str, **fields: str) -> str:
    """A BibTeX entry of something of ours; fields of ASCII."""
    lines = ",\n".join(f"  {field} = {{{value}}}" for field, value in fields.items())
    return f"@misc{{paperlake:{name},\n{lines}\n}}\n"


def citation_key(name: str, suffix: str = "json") -> str:
    return f"{CITATIONS}/{name}.{suffix}"


def pages_of(cited: CitedQuery) -> dict[str, bytes]:
    """Key → the BibTeX entry, and the page, of a cited query."""
    return {
        citation_key(cited.id, "bib"): cited.bibtex.encode(),
        citation_key(cited.id, "html"): render("cited_query.html.j2", cited=cited),
    }


def citation_faults(store: Store, past: Sequence[Latest]) -> Iterator[str]:
    """A line for each record that is not what its id says, and each page of one that does not show it.

    `past` are the moves. What an erasure rewrote is what that recorded. A page of another version of paperlake may look
    otherwise, and is not compared.
    """
    rewritten = {one.after for erasure in erasures(store) for one in erasure.renewed}
    published = {move.version: resolved(store, move.manifest_sha256) for move in past}
    for key in store.list(CITATIONS):
        if not key.endswith(".json") or digest(data := store.read(key)) in rewritten:
            continue
        try:
            cited = decode(data, CitedQuery, key)
        except Damaged as error:
            yield str(error)
            continue
        is_of_release = resolved(store, cited.manifest_sha256) == published.get(cited.release)
        identity = f"{cited.release}-{identity_of(cited.sql, cited.rows_sha256)}"
        if key != citation_key(cited.id) or cited.id != identity or not is_of_release:
            yield f"{key} is not the query that was cited; restore it from a copy"
        elif cited.code_version == version("paperlake"):
            for other, written in {key: encode(cited), **pages_of(cited)}.items():
                found = read_if_there(store, other)
                if found not in {None, written} and digest(found or b"") not in rewritten:
                    yield f"{other} is not what was written when {cited.id} was cited; restore it from a copy"
