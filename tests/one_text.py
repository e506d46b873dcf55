"""What rules find in one paper: the product asks them of many at once."""

import polars as pl

from transforms.claims.claim_row import Claim
from transforms.claims.one_abstract import claims_of_each
from transforms.names.main_system import System, systems_of


def claims_of(abstract: str) -> list[Claim]:
    """The results an abstract claims, in the order of the text."""
    return next(claims_of_each(pl.Series([abstract])))


def system_of(title: str, abstract: str) -> System | None:
    """The main system of a paper; None where nothing is named."""
    return next(systems_of(pl.Series([title]), pl.Series([abstract])))
