"""The file of corrections (docs/corrections.md), as its owner wrote it in YAML."""

from pathlib import Path
from typing import Final

import msgspec
import polars as pl
import yaml

from flows.runtime.environment import variable
from transforms.corrections import NONE, Correction, declared
from warehouse.errors import Damaged, UsageError
from warehouse.people.ledger import Ledger
from warehouse.people.masked_tables import masked_frame
from warehouse.release.manifest import Manifest
from warehouse.release.snapshot import Snapshot
from warehouse.schema.core.conflicts import CORRECTIONS
from warehouse.store.store import Store

SETTING: Final = variable("corrections")
STATUS: Final = "claim_status"  # of an account, which an erasure empties; the ledger has the row
NULL: Final = "tag:yaml.org,2002:null"


class _AsWritten(yaml.SafeLoader):
    """A loader that keeps every value but null as the text that was written: the id 2504.12980 is no number."""


_AsWritten.yaml_implicit_resolvers = {
    first: [one for one in known if one[0] == NULL] for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def corrections_of(path: Path | None, parent: Snapshot[Manifest] | None, store: Store) -> pl.DataFrame:
    """The corrections to apply; UsageError where the file is no list of any, GateClosed where one cannot be applied.

    Who was erased from the lake is masked in them, as in the pages, or the file would bring them back; where they were
    masked in place in a release, what is not corrected any more is left out.

    Damaged where only the latest release has them, and its table is not what was written: no page has them.
    """
    if path is None:
        held = parent.tables.get(CORRECTIONS.name) if parent else None
        if parent is None or held is None or not held.row_count:
            return NONE
        if not parent.is_sound(CORRECTIONS):
            raise Damaged(
                f"the corrections of release {parent.name} are not what was written; restore it from a copy, or name "
                f"their file: {SETTING} (docs/corrections.md)"
            )
        return entries_masked(parent.read(CORRECTIONS).drop("capture_id"), Ledger(store))
    try:
        written = yaml.load(path.expanduser().read_bytes(), _AsWritten)  # noqa: S506 - a SafeLoader
        entries = msgspec.convert(written or [], list[Correction])
        msgspec.json.encode(entries)  # half of a pair of surrogates is no text
        frame = declared(entries)
    except OSError as error:
        raise UsageError(f"{SETTING}: cannot read {path}: {error.strerror}") from error
    except (yaml.YAMLError, msgspec.ValidationError, ValueError) as error:
        words = " ".join(str(error).split())
        raise UsageError(f"{SETTING}: {path} is no list of corrections (docs/corrections.md): {words}") from error
    ledger = Ledger(store)
    ledger.require_whole()
    return entries_masked(frame, ledger)


def entries_masked(entries: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """The entries with everybody in the ledger masked; a whole value is looked for as a page's full name is."""
    values = (value for column in entries.select(pl.col(pl.String)) for value in column.drop_nulls())
    text = "\n".join(f'"fullname": {msgspec.json.encode(value).decode()}' for value in values)
    for _, person in ledger.people_in(text):
        entries, _ = masked_frame(person, CORRECTIONS.name, entries)
    of_claims = entries.filter(column_name=STATUS)["row_key"]
    emptied = [
        row_key for row_key in of_claims if any(ledger.has_name(one, claim_name(row_key)) for one in ledger.entries)
    ]
    return something_corrected(entries.filter(~(pl.col("row_key").is_in(emptied) & (pl.col("column_name") == STATUS))))


def claim_name(row_key: str) -> str:
    """What the ledger calls the claim of a printed author's account."""
    return f"{STATUS} of {row_key}"


def something_corrected(entries: pl.DataFrame) -> pl.DataFrame:
    """The entries without those of which an erasure left nothing to correct: both values are the mask, or none."""
    return entries.filter(pl.col("value_seen").ne_missing(pl.col("value_right")))
