"""Which sightings are the same paper, every name a paper went by, and papers that could be taken for one another.

Sightings that share an arXiv id are one paper, and two arXiv ids are never one. A sighting without an id joins the
paper it matches: titles and abstracts are compared, authors and dates weigh in where a page shows them (`compare`).
Records that could match are found by shared keys (`blocking`), so that the cost stays near linear. Everything here is
a function of the set of sightings, never of their order.
"""

from transforms.identity.aliases import paper_aliases, rekeyed
from transforms.identity.lookalikes import paper_clusters
from transforms.identity.normalise import title_key
from transforms.identity.resolve import identify

__all__ = ["identify", "paper_aliases", "paper_clusters", "rekeyed", "title_key"]
