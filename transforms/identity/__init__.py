"""Identity: which sightings are of the same paper, and which papers could be taken for one another.

Sightings that share an arXiv id are one paper, and two arXiv ids are never one. A sighting without an id joins the
paper it matches: titles and abstracts are compared, and authors and dates where a page shows them (`compare`).
Records that could match are found by shared keys (`blocking`), so that the cost stays near linear, and new ones are
compared with an index of those that a release has (`resolve`). Everything here is a function of the set of sightings,
never of their order.
"""
