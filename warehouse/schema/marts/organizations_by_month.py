"""`organizations_by_month`: the organizations of a month's papers."""

from __future__ import annotations

from warehouse.schema import columns as c
from warehouse.schema import mart_columns as m
from warehouse.schema.core.people import ORGANIZATIONS
from warehouse.schema.mart import Mart
from warehouse.schema.origin import HUB
from warehouse.schema.table import Column

ORGANIZATIONS_BY_MONTH = Mart(
    name="organizations_by_month",
    grain="One organization in one month of list days in which it had a paper.",
    answers="How many of a month's papers an organization had. Months without organizations have no rows. For the "
    "logins of one name together, sum paper_count or share by group_name.",
    key=("month_on", "organization_id"),
    columns=(
        m.MONTH,
        Column(
            name="organization_id",
            dtype=c.TEXT,
            meaning="The organization, as in `organizations`.",
            source="organizations.organization_id",
            origin=HUB,
        ),
        c.organization_name.but(meaning="Display name as last seen.", null="seen by login only"),
        ORGANIZATIONS.column("group_name"),
        m.PAPER_COUNT.but(
            meaning="Papers of the organization on the month's lists, where an API answer or HTML page showed it."
        ),
        m.KNOWN_COUNT,
        m.SHARE.but(meaning="paper_count of known_paper_count."),
        m.UPVOTES,
        m.MEDIAN_UPVOTES,
        m.MEDIAN_OBSERVED,
    ),
)
