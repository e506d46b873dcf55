"""The letter with the newest list of a release, as a new subscriber would get it; it needs no settings."""

from __future__ import annotations

from typing import Final

from paperlake.digest.laid_out import Links
from paperlake.digest.letters import parts
from paperlake.digest.news import PATIENCE, Newsroom, newest_list
from paperlake.digest.subscribers import Wishes
from warehouse.errors import NothingThere
from warehouse.release.query import Database
from warehouse.schema.list_days import closes_at

SITE: Final = "https://digest.example"


def preview_text(database: Database, wishes: Wishes, *, is_html: bool) -> str:
    """The text or the HTML of the letter; NothingThere where no paper of the newest list matches the wishes."""
    newest = newest_list(database)
    if newest is None:
        raise NothingThere("the latest release has no daily list with papers yet")
    news = Newsroom(database, closes_at(newest) + PATIENCE).news(wishes, [newest])
    if news is None:
        raise NothingThere(f"no paper of the list of {newest} matches")
    return parts(news, Links(SITE, f"{SITE}/unsubscribe/…", f"{SITE}/preferences/…"))[is_html]
