"""Labelled comments and versions, invented in the wordings that comments have: 200 to build rules by, 200 kept back."""

from __future__ import annotations

from itertools import cycle, islice
from typing import NamedTuple

from tests.arxiv.records import GONE, Record, Version

OTHER = "2609.99999"


class Labelled(NamedTuple):
    """A record, whether the paper is withdrawn, and what took its place by its own words."""

    record: Record
    is_withdrawn: bool
    superseded_by: str | None = None


# Comments of papers that are withdrawn, of the newest version without bytes
WITHDRAWN = (
    "This paper has been withdrawn by the author due to a crucial sign error in equation 1",
    "This article has been withdrawn by arXiv administrators due to unresolvable authorship disputes",
    "This submission has been withdrawn",
    "Withdrawn by the authors: the proof of Lemma 2 is wrong",
    "withdrawn",
    "This manuscript is withdrawn as the data cannot be shared",
    f"This paper has been withdrawn. It is superseded by arXiv:{OTHER}",
    f"Withdrawn; now part of arXiv:{OTHER}v2",
    f"This paper is withdrawn, see https://arxiv.org/abs/{OTHER} for the corrected version",
    "The authors have withdrawn this paper because of an error in Section 4",
)
# Comments of sound papers
SOUND = (
    "12 pages, 3 figures",
    "Supersedes 2101.00001, which has been withdrawn",
    "Accepted at a workshop; supersedes arXiv:2101.00002 (withdrawn)",
    "Replaces an earlier paper that has been withdrawn by its authors",
    "v3: results of the withdrawn data set removed; see arXiv:2101.00003",
    "This paper has been accepted to a conference",
    None,
    "Code: https://example.org/looms. An earlier version was withdrawn from a journal",
    "28 pages; this version corrects the error for which v2 was withdrawn",
    "This paper studies papers that have been withdrawn",
)
WITHDRAWN_KEPT_BACK = (
    "This paper has been withdrawn due to overlap with another work of the authors",
    "This paper has been withdrawn by Ada Weaver",
    "this paper was withdrawn because of a licensing question",
    "Paper withdrawn: the experiments cannot be repeated",
    "The paper has been withdrawn by the authors for further revision",
    "This work has been withdrawn; the benchmark leaked",
    f"This preprint has been withdrawn. Superseded by {OTHER}",
    f"Withdrawn. This is now a part of arXiv: {OTHER}",
    "This article is withdrawn. A flaw was found after submission",
    "Withdrawn for improvement",
)
SOUND_KEPT_BACK = (
    "Extended version of 2102.00001, which was withdrawn",
    "The withdrawn version 1 had an error in a figure; 9 pages",
    "10 pages. This paper supersedes our withdrawn preprint 2102.00002",
    "Accepted by a journal, withdrawn from a conference",
    "see arXiv:2102.00003 for a companion paper",
    "Project page: https://example.org/tides",
    "Comments welcome; the appendix of v1 has been withdrawn",
    "Previously this version appeared as 2102.00004, which has been withdrawn in error",
    "Preprint. Under review",
    "We discuss why models are withdrawn",
)


def labelled(withdrawn: tuple[str, ...], sound: tuple[str | None, ...], count: int = 200) -> list[Labelled]:
    """So many records, half of them withdrawn; one in ten of the sound ones was withdrawn once, and is back."""
    found = []
    for number, (gone, kept) in enumerate(islice(cycle(zip(withdrawn, sound, strict=True)), count // 2)):
        versions = [Version(), *[Version(3)] * (number % 3)]
        one = Record(f"2609.{2 * number:05}", versions=[*versions, GONE], comments=gone)
        found.append(Labelled(one, is_withdrawn=True, superseded_by=OTHER if OTHER in gone else None))
        back = [GONE, Version(50)] if number % 10 == 0 else []
        found.append(Labelled(Record(f"2609.{2 * number + 1:05}", versions=[*versions, *back], comments=kept), False))
    return found


SETS = {
    "built by": labelled(WITHDRAWN, SOUND),
    "kept back": labelled(WITHDRAWN_KEPT_BACK, SOUND_KEPT_BACK),
}
