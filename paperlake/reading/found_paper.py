"""One paper as a program reads it: every part that a release has of it, each a table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from paperlake.answers.one_paper import OnePaper
from warehouse.errors import UsageError
from warehouse.tex import untexed

if TYPE_CHECKING:
    import polars as pl


class Paper:
    """One paper: `facts`, its row of `papers`; `paper["claims"]` and the other `parts`, each a frame.

    As text it is what `paperlake show paper` prints.
    """

    def __init__(self, rows: OnePaper) -> None:
        self.rows = rows

    @property
    def facts(self) -> dict[str, Any]:
        """Its row of the table `papers`."""
        [row] = self.rows["paper"]
        return row

    @property
    def parts(self) -> list[str]:
        """The names of all parts."""
        return list(self.rows)

    def __getitem__(self, part: str) -> pl.DataFrame:
        """The rows of a part, in order; UsageError where it is none."""
        import polars as pl

        if part not in self.rows:
            raise UsageError(f"a paper has no part {part!r}; its parts are {', '.join(self.rows)}")
        return pl.DataFrame(self.rows[part], infer_schema_length=None)

    def __str__(self) -> str:
        from paperlake.texts.one_paper_text import one_paper_text

        return one_paper_text(self.rows)

    def __repr__(self) -> str:
        return f"<Paper {self.facts['paper_id']}: {untexed(self.facts['title'] or '')}>"

    def _repr_html_(self) -> str:
        facts = self.facts
        names = ", ".join(row["name"] for row in self.rows["authors"][:12])
        texts = (untexed(facts["title"] or ""), names, untexed(facts["abstract"] or ""))
        title, authors, abstract = map(escape, texts)
        return f"<h4>{title}</h4><p>{authors}</p><p>{abstract}</p><p><code>{escape(facts['paper_id'])}</code></p>"
