"""Labelled comments and versions, invented in the wordings that comments have: 200 to build rules by, 200 kept back."""

from __future__ import annotations

from itertools import cycle, islice
from typing import NamedTuple

from tests.arxiv.records import GONE, Record, Version

OTHER = "2609.99999"


class Labelled(NamedTuple):
    """A record, what it says of the paper, and what took its place by its own words."""

    record: Record
    status: str
    superseded_by: str | None = None


# Comments of papers that are withdrawn
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
    "This document has been withdrawn",
    "[Withdrawn] Theorem 1 does not hold",
    "We withdraw this paper: the benchmark had test data in it",
    "This letter is withdrawn by its author",
    "WITHDRAWN. The code did not do what the paper says",
    f"This paper has been temporarily withdrawn; see arXiv:{OTHER}",
    "Submission withdrawn at the request of the authors",
    "8 pages, 3 figures. This paper has been withdrawn by the author: the bound does not hold",
    "This paper has since been withdrawn",
    "I withdraw this paper, as a step of the proof is missing",
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
    "This paper has been superseded by a journal version, not withdrawn",
    "Comment on 2101.00004, which has been withdrawn since",
    "9 pages. We withdraw the claim of Section 5 of v1",
    "[v2] the withdrawn table is back",
    "A reply to a withdrawn submission",
    "Merges 2101.00005 and 2101.00006 (both withdrawn)",
    "7 pages; 2101.00007 is withdrawn in favour of this paper",
    "Withdrawn from a conference, accepted at a journal",
    "12 pages. The paper was withdrawn from a workshop",
    "9 pages. The paper that it answers has been withdrawn",
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
    "(Withdrawn) An error was found in the proof",
    "We have withdrawn this submission until the data are checked",
    "This note has been withdrawn",
    "This draft is withdrawn, as a coauthor did not agree",
    f"Withdrawn, see arXiv:{OTHER}",
    "The author withdrew this paper after a flaw was found",
    "This article was withdrawn by arXiv administrators",
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
    "Our earlier submission has been withdrawn, and this one replaces it",
    "14 pages, replaces the withdrawn 2102.00005",
    "Of the same title as 2102.00006, which was withdrawn by its author",
    "v4: no longer withdrawn; the proof is mended",
    "An appendix has been withdrawn by request of the publisher",
    "To appear. (An unrelated paper of this name has been withdrawn.)",
    "Data of the withdrawn challenge; see 2102.00007",
)


def labelled(withdrawn: tuple[str, ...], sound: tuple[str | None, ...], count: int = 200) -> list[Labelled]:
    """So many records, half of them withdrawn. The others are sound, were withdrawn once and are back, or have one of the
    two signs alone.
    """
    found = list[Labelled]()
    for number, (gone, kept) in enumerate(islice(cycle(zip(withdrawn, sound, strict=True)), count // 2)):
        versions = [Version(), *[Version(3)] * (number % 3)]
        emptied = [*versions, GONE]
        others = (
            (versions, kept, "present"),
            ([*emptied, Version(50)], kept, "present"),
            (emptied, kept, "suspected"),
            (versions, gone, "suspected"),
        )
        for half, (of, comments, status) in enumerate(((emptied, gone, "withdrawn"), others[number % len(others)])):
            record = Record(f"2609.{2 * number + half:05}", versions=of, comments=comments)
            found.append(Labelled(record, status, OTHER if status == "withdrawn" and OTHER in gone else None))
    return found


SETS = {
    "built by": labelled(WITHDRAWN, SOUND),
    "kept back": labelled(WITHDRAWN_KEPT_BACK, SOUND_KEPT_BACK),
}
