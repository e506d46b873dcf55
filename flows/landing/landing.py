"""What one landing did, whether of inputs or of captured pages."""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.archive.captured import Refused
from warehouse.archive.writer import Landed


@dataclass(frozen=True, slots=True)
class Landing:
    """What one landing did; `refused` is what was not landed, or could not be captured, with the reason."""

    landed_count: int
    skipped_count: int
    payload_bytes: int
    refused: tuple[Refused, ...]

    def __str__(self) -> str:
        size = f"{self.payload_bytes / 1e6:,.1f} MB"
        return (
            f"landed {self.landed_count:,} captures ({size}), {self.skipped_count:,} were there already, "
            f"{len(self.refused):,} refused"
        )


def landing_of(landed: Landed, refused: list[Refused]) -> Landing:
    """What the archive landed, and what was refused before that."""
    return Landing(landed.record_count, landed.skipped_count, landed.payload_bytes, (*refused, *landed.refused))
