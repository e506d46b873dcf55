"""`panel`: what was known of each paper at a moment, and what followed: features and labels for training models."""

from collections.abc import Iterator, Sequence
from typing import Final

from warehouse.schema import columns as c
from warehouse.schema.core.sightings import SIGHTINGS
from warehouse.schema.ddl import literal, quoted
from warehouse.schema.mart import Macro
from warehouse.schema.table import Column

SHOWN: Final = tuple(
    SIGHTINGS.column(name) for name in ("ai_summary", "keywords", "github_url", "project_url", "organization_name")
)
LINKED: Final = (c.model_count, c.dataset_count, c.space_count)
COUNTED: Final = (c.upvote_count, c.comment_count, c.github_star_count)
LISTS: Final = ("daily", "weekly", "monthly", "trending")
NO_LABEL: Final = "no page after the cutoff and within the horizon showed any"


def _last(column: Column, name: str, order: str) -> str:
    """SQL for the last value that was given."""
    field = quoted(column.name)
    return f"last({field} ORDER BY {order}) FILTER (WHERE {field} IS NOT NULL) AS {quoted(name)}"


def _last_shown() -> Iterator[str]:
    """SQL for each field as last shown, and for whether a page by then could have shown it.

    It could if it did, or if it is one of the Hub's own from a day on which the source had the field (docs/source.md
    §9).
    """
    for column in SHOWN:
        field, since = quoted(column.name), column.since
        could = "source NOT IN ('text', 'copy')" + (f" AND observed_at >= DATE {literal(str(since))}" if since else "")
        if column.name != "organization_name":  # which `paper_as_of` gives
            yield _last(column, column.name, "observed_at, capture_id, position")
        yield f"bool_or({field} IS NOT NULL OR ({could})) AS {quoted(_known(column).name)}"


def _known(column: Column) -> Column:
    meaning = f"Whether a page by the cutoff could have shown `{column.name}`; where not, its null says nothing."
    return c.flag.but(name=f"is_{column.name}_known", meaning=meaning)


def _place(kind: str) -> Column:
    return c.position.but(
        name=f"best_{kind}_place",
        meaning=f"Best place on a {kind} list by the cutoff, its pages counted on.",
        null=f"on no {kind} list that was captured by then",
    )


def _columns(as_of: Sequence[Column]) -> Iterator[Column]:
    yield from as_of
    for column in SHOWN:
        if column.name != "organization_name":
            yield column.but(meaning=f"{column.meaning} As last shown by the cutoff.", null="none shown by then")
        yield _known(column)
    yield c.count.but(
        name="look_count",
        unit="looks",
        meaning="Fetch times by the cutoff at which upvotes were seen.",
        null="no page by then showed any count",
    )
    yield c.observed_at.but(name="upvotes_observed_at", meaning="When the last of them was.", null="no look by then")
    for column in LINKED:
        yield column.but(meaning=f"{column.meaning} As last seen by the cutoff.", null="no page by then showed it")
    yield _place("daily").but(name="daily_place", meaning="Place on the daily list as last captured by the cutoff.")
    yield from map(_place, LISTS)
    for column in COUNTED:
        yield column.but(
            name=f"label_{column.name}",
            meaning="As last seen after the cutoff and within the horizon.",
            null=NO_LABEL,
        )
    yield c.observed_at.but(name="label_observed_at", meaning="When `label_upvote_count` was seen.", null=NO_LABEL)
    yield c.upvote_count.but(
        name="label_gained_upvote_count",
        meaning="`label_upvote_count` - `upvote_count`.",
        null="one of them is missing",
        minimum=None,
    )
    yield _place("trending").but(
        name="label_trending_place",
        meaning="Best place on a trending list after the cutoff and within the horizon.",
        null="on no trending list that was captured then",
    )


def panel(as_of: Sequence[Column], moment: str) -> Macro:
    """The macro; `as_of` are the columns of `paper_as_of`, `moment` describes the parameter `cutoff`."""
    columns = tuple(_columns(as_of))
    return Macro(
        name="panel",
        parameters={"cutoff": moment, "horizon": "an interval, or text like '7 days'"},
        answers="Features of papers as they were known at the cutoff, and labels from the time after it up to the "
        "horizon. Pages captured later change neither; a page of unknown fetch time counts for none. Papers go by the "
        "id they have today.",
        grain="One paper that was seen by the cutoff.",
        columns=columns,
        parts={
            "linked": ",\n        ".join(_last(column, column.name, "observed_at") for column in LINKED),
            "shown": ",\n        ".join(_last_shown()),
            "places": ",\n        ".join(
                f"min(place) FILTER (WHERE list_kind = '{kind}' AND is_by_cutoff) AS {_place(kind).name}"
                for kind in LISTS
            ),
            "labels": ",\n        ".join(_last(column, f"label_{column.name}", "observed_at") for column in COUNTED),
            "columns": ",\n    ".join(quoted(column.name) for column in columns),
        },
    )
