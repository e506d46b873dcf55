"""Rules and references that several tables have."""

from __future__ import annotations

from warehouse.schema.table import Rule

SEEN_RULE = Rule(
    "seen_in_order", ("first_seen_at", "last_seen_at"), "first_seen_at <= last_seen_at", "last seen before first seen"
)

BASIS_RULE = Rule(
    "published_basis_told",
    ("published_on", "published_basis"),
    "(published_on IS NULL) = (published_basis IS NULL)",
    "one of published_on and published_basis without the other",
)

SUBMITTED_RULE = Rule(
    "submitted_basis_told",
    ("submitted_at", "submitted_basis"),
    "(submitted_at IS NULL) = (submitted_basis IS NULL)",
    "one of submitted_at and submitted_basis without the other",
)

READ_FROM = {"capture_id": "captures.capture_id"}

OF_A_PAPER = {"paper_id": "papers.paper_id"} | READ_FROM
