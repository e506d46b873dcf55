"""The newest page of a release, of those not set aside: what is said by default is of that moment, not the clock's."""

from datetime import datetime
from typing import Final

from warehouse.errors import NothingThere
from warehouse.release.query import Database

NEWEST: Final = "SELECT max(fetched_at) FROM core.captures WHERE state <> 'set_aside'"


def newest_page(database: Database) -> datetime:
    """When it was fetched; NothingThere where no page says so."""
    [(moment,)] = database.rows(NEWEST).rows
    if not isinstance(moment, datetime):
        raise NothingThere("no page of the latest release says when it was fetched: nothing can be trending")
    return moment
