"""Reviewers' codes and sessions: nothing that opens a session can be read from the file."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.errors import DataFileError
from firsthand.review_app.clock_text import clock_text, read_clock_text
from firsthand.review_app.reviewers import SESSION_SECONDS, Reviewers


class Clock:
    now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reviewers(tmp_path: Path, clock: Clock) -> Reviewers:
    return Reviewers(tmp_path / "private" / "reviewers.sqlite", clock)


def opened(reviewers: Reviewers, code: str) -> str:
    session = reviewers.open_session(code)
    assert session is not None
    return session


def test_the_file_is_its_owners_and_holds_digests_only(reviewers: Reviewers) -> None:
    code = reviewers.invite("anna")
    session = opened(reviewers, code)
    assert stat.S_IMODE(reviewers.path.stat().st_mode) == 0o600
    payload = reviewers.path.read_bytes()
    for secret in (code, code.replace("-", ""), session):
        assert secret.encode() not in payload


def test_a_code_may_be_typed_with_other_case_and_spaces(reviewers: Reviewers) -> None:
    code = reviewers.invite("anna")
    for typed in (code.upper(), f"  {code} ", code.replace("-", " "), code.replace("-", "")):
        assert reviewers.reviewer_of(opened(reviewers, typed)) == "anna"
    assert reviewers.open_session(code[:-1]) is None


def test_a_new_invitation_ends_the_old_code_and_its_sessions(reviewers: Reviewers) -> None:
    old = reviewers.invite("anna")
    session = opened(reviewers, old)
    new = reviewers.invite("anna")
    assert reviewers.reviewer_of(session) is None
    assert reviewers.open_session(old) is None
    assert reviewers.reviewer_of(opened(reviewers, new)) == "anna"


def test_a_session_ends_by_itself_and_by_signing_out(reviewers: Reviewers, clock: Clock) -> None:
    code = reviewers.invite("anna")
    first, second = opened(reviewers, code), opened(reviewers, code)
    reviewers.close_session(first)
    assert reviewers.reviewer_of(first) is None
    clock.now_s += SESSION_SECONDS
    assert reviewers.reviewer_of(second) == "anna"
    clock.now_s += 1
    assert reviewers.reviewer_of(second) is None


def test_a_session_outlives_the_server(reviewers: Reviewers, clock: Clock) -> None:
    session = opened(reviewers, reviewers.invite("anna"))
    assert Reviewers(reviewers.path, clock).reviewer_of(session) == "anna"


@pytest.mark.parametrize("name", ["", "an na", "../anna", "<b>", "a" * 300])
def test_a_name_that_is_no_identifier_is_refused(reviewers: Reviewers, name: str) -> None:
    with pytest.raises(DataFileError, match="reviewer identifier"):
        reviewers.invite(name)
    assert reviewers.names() == []


@given(st.integers(0, 400_000))
def test_a_moment_reads_back_as_it_is_written(seconds: int) -> None:
    assert read_clock_text(clock_text(seconds * 1_000_000)) == seconds * 1_000_000


@pytest.mark.parametrize(
    ("text", "seconds"), [("4", 4), ("90", 90), ("0:04", 4), ("12:07", 727), ("1:02:03", 3723)]
)
def test_moments_are_read_as_people_write_them(text: str, seconds: int) -> None:
    assert read_clock_text(f" {text} ") == seconds * 1_000_000


@pytest.mark.parametrize("text", ["", "soon", "-1", "1:60", "1:2:3:4", "1.5", "٣", "9" * 30])
def test_what_is_no_time_is_none(text: str) -> None:
    assert read_clock_text(text) is None
