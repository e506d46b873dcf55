"""Cleaning: whitespace as Unicode has it, instants in the source's one form, New York's clock."""

import re
import unicodedata
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from transforms.collect.cleaning import instant, one_line, submitted_at, submitted_basis, trimmed, unless_midnight

# Unicode's White_Space; Python's own \s takes U+001C to U+001F for spaces too
WHITE_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
NO_SPACE = "\x1c\x1d\x1e\x1f\u200b\u200c\u200d\u2060\ufeff\u180e\0"
NEW_YORK = ZoneInfo("America/New_York")

# Text of which nearly all is white space, or looks like it
spaced = st.text(
    st.one_of(st.sampled_from(WHITE_SPACE), st.sampled_from(NO_SPACE), st.sampled_from("ab$\\é𝄞")), max_size=30
)
texts = st.lists(st.one_of(spaced, st.text(max_size=20), st.none()), min_size=1, max_size=8)


def apply(function, values: list[str | None]) -> list[str | None]:
    return (
        pl.DataFrame({"text": values}, schema={"text": pl.String})
        .select(function(pl.col("text")))
        .to_series()
        .to_list()
    )


class TestOneLine:
    @settings(deadline=None)
    @example([WHITE_SPACE, NO_SPACE, "", " a", "a ", "a  b", "a \n b", "a\n", "\u3000", "a\u1680\u1680b\x85"])
    @example([f"{sign}a{sign}b {sign}c{sign} d{sign}" for sign in WHITE_SPACE + NO_SPACE])
    @example([r"$\ell_p$ is 2.61$\times$ \% of {\bf x}^2 \ for \$One"])
    @given(texts)
    def test_white_space_is_collapsed_as_by_a_split(self, values: list[str | None]) -> None:
        lines = apply(one_line, values)
        parts = (value and re.split(f"[{WHITE_SPACE}]+", value) for value in values)
        assert lines == [" ".join(some or ()).strip(" ") or None for some in parts]
        assert apply(one_line, lines) == lines


def test_the_spaces_are_unicodes() -> None:
    space_like = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Zs", "Zl", "Zp"}}
    assert set(WHITE_SPACE) == space_like | set("\t\n\x0b\x0c\r\x85")


@settings(deadline=None)
@given(texts)
def test_trimmed_removes_white_space_at_the_ends_only(values: list[str | None]) -> None:
    assert apply(trimmed, values) == [None if value is None else value.strip(WHITE_SPACE) or None for value in values]


class TestInstant:
    @pytest.mark.parametrize(
        ("text", "moment"),
        [
            ("2024-03-12T03:17:21.812Z", datetime(2024, 3, 12, 3, 17, 21, 812000)),
            ("2024-02-29T00:00:00.000Z", datetime(2024, 2, 29)),
            ("2024-03-12T03:17:21Z", datetime(2024, 3, 12, 3, 17, 21)),
            ("2024-03-12T03:17:21.123456789Z", datetime(2024, 3, 12, 3, 17, 21, 123456)),
            ("2024-03-12T01:17:21.812+02:00", datetime(2024, 3, 11, 23, 17, 21, 812000)),
            ("2024-03-12T03:17:21-0530", datetime(2024, 3, 12, 8, 47, 21)),
            ("2024-03-12T03:17:21", None),
        ],
    )
    def test_every_length_of_a_second_and_every_offset_is_read(self, text: str, moment: datetime | None) -> None:
        assert apply(instant, [text]) == [moment]

    @settings(deadline=None)
    @given(st.datetimes(datetime(1991, 1, 1), datetime(2100, 1, 1)))
    def test_every_instant_survives(self, moment: datetime) -> None:
        moment = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
        text = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
        assert apply(instant, [text]) == [moment]

    def test_midnight_is_a_day_only(self) -> None:
        moments = [datetime(2026, 4, 6), datetime(2026, 4, 6, 0, 0, 1), datetime(2026, 4, 6, 0, 0, 0, 1000), None]
        frame = pl.DataFrame({"at": moments}).select(unless_midnight(pl.col("at")))
        assert frame["at"].to_list() == [None, *moments[1:]]


def submitted(stated: datetime, observed_at: datetime | None) -> tuple[object, ...]:
    frame = pl.DataFrame({"stated": [stated], "at": [observed_at]}, schema_overrides={"at": pl.Datetime("us")})
    submitted = submitted_at(pl.col("stated"), pl.col("at"))
    return frame.select(submitted.alias("submitted"), submitted_basis(pl.col("at")).alias("basis")).row(0)


class TestSubmittedAt:
    LAST = datetime(2025, 3, 10, 23, 59, 59, 999999)

    @settings(deadline=None)
    @example(datetime(2025, 3, 9, 1, 59, 59))
    @example(datetime(2025, 3, 9, 2, 0))  # never there, as the hour after it
    @example(datetime(2025, 3, 9, 3, 0))
    @example(datetime(2024, 11, 3, 1, 30))  # there twice; the first
    @example(datetime(2024, 11, 3, 2, 0))
    @given(st.datetimes(datetime(2024, 1, 1), datetime(2025, 3, 10)))
    def test_wall_clock_is_what_python_says(self, clock: datetime) -> None:
        utc = clock.replace(tzinfo=NEW_YORK).astimezone(UTC)
        exists = utc.astimezone(NEW_YORK).replace(tzinfo=None) == clock
        assert submitted(clock, self.LAST) == (utc.replace(tzinfo=None) if exists else None, "inferred")
