"""Words that bound a number: `up to`, `at least`, `an average of`, `about`, in lower case."""

from __future__ import annotations

from warehouse.schema.core.claims import Bound

BOUNDS: dict[Bound, str] = {
    "up to": r"up to|upto|at most|a peak(?: of)?|as much as|max(?:imum)?(?: of)?|under|below|less than|fewer "
    "than|within"
    r"|no more than|<|\\leq?|leq|lower than",
    "at least": r"over|more than|at least|above|exceed(?:s|ing)?|>|\\geq?|geq|\\?textgreater|greater than"
    r"|no less than|beyond|upwards? of|higher than",
    "average": r"on average|average(?: of)?|averaging|mean(?: of)?|avg\.?|geomean|averages|median(?: of)?",
    "about": r"about|around|near|nearly|roughly|approximately|almost|~|\u223c|\\sim|sim|close to|approx\.?|\u2248"
    r"|\\approx|circa|some|an estimated",
}
BOUND = rf"(?:(?:an?\s)?(?:{'|'.join(BOUNDS.values())})\s?(?:an?\s)?)"
