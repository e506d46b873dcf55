"""`conflicts`: fields on which sources, or places in one answer, disagree, and which value won.

A *place* is a source, the inner or the outer object of its answer, and for a day whether it was stated or inferred.
Only each place's latest value is compared; of the outer object the latest that differs from the inner one's, for no
other is kept. A value is in conflict where it is not the winner and the winning place never had it: what the winning
place itself said at another time is a revision (`paper_versions`), and so are counts, which change from day to day
(`paper_observations`).
"""

import polars as pl

from transforms.collect.cleaning import content_key
from transforms.timeline import IN_TIME, SORT_KEYS, in_time, ranked, seen
from warehouse.schema.core.conflicts import COMPARED, CONFLICTS
from warehouse.schema.core.listings import LISTING_FIELDS
from warehouse.schema.core.papers import PAPER_FIELDS
from warehouse.schema.provenance import OUTER, Precedence

PLACE = ("source", "place", "published_basis")
VALUE = ("paper_id", "value")
# Sort keys of values: those of their sightings, but the inner object's before the outer one's
VALUE_SORT_KEYS = SORT_KEYS | {"inner": (pl.col("place") == "inner",)}
# The column in which two values differ where the criterion decides between them
DECIDED_BY = {"stated": "published_basis", "source": "source", "inner": "place", "own_list": "list_kind"}
KEPT = ("paper_id", *IN_TIME, "source", "list_kind", "published_basis", "place", "value")


def conflicts(sightings: pl.DataFrame) -> pl.DataFrame:
    """One row per paper, field and value, where places disagree on the field; the winner is the value of `papers`."""
    # Only papers with values from more than one place can have conflicts, and those are few
    places = pl.struct("source", "published_basis").n_unique() > 1
    has_outer = pl.any_horizontal(pl.col(*OUTER.values()).is_not_null()).any()
    papers = sightings.group_by("paper_id").agg((places | has_outer).alias("is_suspect")).filter("is_suspect")
    suspects = sightings.join(papers, on="paper_id", how="semi")
    if suspects.is_empty():
        return CONFLICTS.empty()
    found = [
        _conflicts(suspects, field, precedence)
        for precedence in (*PAPER_FIELDS, *LISTING_FIELDS)
        for field in precedence.fields
        if field in COMPARED
    ]
    return CONFLICTS.conform(pl.concat(found).rename({"published_basis": "basis"}))


def _conflicts(suspects: pl.DataFrame, field: str, precedence: Precedence) -> pl.DataFrame:
    values = ranked(_values(suspects, field, precedence), precedence.criteria, VALUE_SORT_KEYS)
    winners = values.unique("paper_id", keep="last", maintain_order=True).drop_nulls("value")
    of_winner = values.join(winners, on=("paper_id", *PLACE), how="semi", nulls_equal=True)
    losers = (
        values.unique(("paper_id", *PLACE), keep="last", maintain_order=True)
        .join(of_winner, on=VALUE, how="anti", maintain_order="left")
        .drop_nulls("value")
        .unique(VALUE, keep="last", maintain_order=True)
        .join(winners, on="paper_id", suffix="_of_winner")
    )
    is_same_content = content_key(pl.col("value")) == content_key(pl.col("value_of_winner"))
    deciders = {name: column for name in precedence.criteria if (column := DECIDED_BY.get(name))}
    decided = [
        pl.when(pl.col(column).ne_missing(pl.col(f"{column}_of_winner"))).then(pl.lit(name))
        for name, column in deciders.items()
    ]
    rows = pl.concat(
        [
            winners.join(losers, on="paper_id", how="semi").select(
                *VALUE, *PLACE, rule=pl.lit(None, pl.String), is_same_content=pl.lit(True)
            ),
            losers.select(
                *VALUE, *PLACE, rule=pl.coalesce(*decided, pl.lit("latest")), is_same_content=is_same_content
            ),
        ]
    )
    seen_when = in_time(values).group_by(VALUE, maintain_order=True).agg(seen())
    return rows.join(seen_when, on=VALUE).with_columns(field=pl.lit(field), is_winner=pl.col("rule").is_null())


def _values(suspects: pl.DataFrame, field: str, precedence: Precedence) -> pl.DataFrame:
    """The values of a field in every place, each time.

    Fields of a listing are compared within one answer only: lists of two days need not agree.
    """
    outer = OUTER.get(field)
    if "source" not in precedence.criteria:
        suspects = suspects.filter(pl.col(outer).is_not_null() if outer else False)
    inner = suspects.filter(pl.any_horizontal(pl.col(*precedence.fields).is_not_null()))
    values = [_in_place(inner, field, "inner", precedence)]
    if outer:
        values.append(_in_place(suspects.drop_nulls(outer), outer, "outer", precedence))
    return pl.concat(values)


def _in_place(sightings: pl.DataFrame, column: str, place: str, precedence: Precedence) -> pl.DataFrame:
    basis = pl.col("published_basis") if "stated" in precedence.criteria else pl.lit(None, pl.String)
    placed = sightings.with_columns(
        place=pl.lit(place),
        published_basis=basis,
        list_kind=pl.when(pl.col("list_kind") == "daily").then("list_kind"),
        value=pl.col(column).cast(pl.String),
    )
    return placed.select(KEPT)
