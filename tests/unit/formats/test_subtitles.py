"""SRT as people save it is read; what cannot be read is named."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthand.core.errors import DataFileError
from firsthand.formats.subtitles import Cue, read_srt, write_srt

PLAIN = """1
00:00:00,400 --> 00:00:03,000
The wearer points at the cup.

2
00:00:03,300 --> 01:00:04,900
The wearer looks
at the keys.
"""
CUES = (
    Cue(400_000, 3_000_000, "The wearer points at the cup."),
    Cue(3_300_000, 3_604_900_000, "The wearer looks\nat the keys."),
)


def read(tmp_path: Path, text: str | bytes) -> tuple[Cue, ...]:
    path = tmp_path / "narration.srt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_srt(path)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.replace("\n\n", "\n"),
        PLAIN.replace("\n\n", "\n\n\n"),
        PLAIN.replace("\n2\n", "\n17\n"),
        PLAIN.replace("\n2\n", "\n"),
        PLAIN.replace(",", "."),
        PLAIN.replace("00:00:00,400", "0:00:00,400"),
        PLAIN.replace("00:00:03,000", "00：00：03,000  X1:10 X2:20"),
        PLAIN.rstrip("\n"),
    ],
)
def test_every_way_to_save_the_same_cues_gives_the_same_cues(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == CUES


def test_overlapping_cues_all_stay_in_order_of_begin(tmp_path: Path) -> None:
    text = "1\n00:00:05,000 --> 00:00:09,000\nlate\n\n2\n00:00:01,000 --> 00:00:08,000\nearly\n"
    assert [cue.text for cue in read(tmp_path, text)] == ["early", "late"]


def test_an_arrow_or_a_number_in_a_text_is_text(tmp_path: Path) -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nturn left --> then\n42\n\n\nand go\n"
    assert [cue.text for cue in read(tmp_path, text)] == ["turn left --> then\n42\n\n\nand go"]


def test_an_empty_file_has_no_cues(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeff\r\n") == ()


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("00:00:03,300", "00:0x:03,300", "cue 2, line 6, begin"),
        ("00:00:03,300", "", "cue 2, line 6, begin"),
        ("01:00:04,900", "", "cue 2, line 6, end"),
        ("01:00:04,900", "00:00:61,000", "cue 2, line 6, end"),
        ("01:00:04,900", "00:00:03,300", "cue 2, line 6, end"),
        ("00:00:03,300", "-00:00:03,300", "cue 2, line 6, begin"),
        ("The wearer points at the cup.", " ", "cue 1, line 2, text"),
        ("1\n00:00:00", "WEBVTT\n\n1\n00:00:00", "line 1"),
    ],
)
def test_a_fault_is_named_by_file_cue_and_field(
    tmp_path: Path, old: str, new: str, named: str
) -> None:
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, PLAIN.replace(old, new, 1))
    assert f"narration.srt, {named}: expected" in str(caught.value)


def test_a_text_without_times_is_no_subtitle_file(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="line 2"):
        read(tmp_path, "\nThe wearer points at the cup.\n")


def test_bytes_of_another_encoding_are_named_by_line(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="line 3"):
        read(tmp_path, "1\n00:00:01,000 --> 00:00:02,000\n红色的杯子\n".encode("gbk"))


texts = st.from_regex("[a-z红][a-z红 ]*[.?]", fullmatch=True)
times_ms = st.tuples(st.integers(0, 10**8), st.integers(1, 10**6))


@settings(max_examples=30)
@given(st.lists(st.tuples(times_ms, texts), max_size=6))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[tuple[int, int], str]]
) -> None:
    cues = sorted(
        Cue(begin_ms * 1_000, (begin_ms + length_ms) * 1_000, text)
        for (begin_ms, length_ms), text in rows
    )
    path = tmp_path_factory.mktemp("srt") / "out.srt"
    write_srt(path, cues)
    assert sorted(read_srt(path)) == cues


def test_times_are_written_to_the_nearest_millisecond(tmp_path: Path) -> None:
    path = tmp_path / "out.srt"
    write_srt(path, [Cue(1_499, 3_599_999_600, "a\n\nb")])
    assert path.read_bytes() == b"1\n00:00:00,001 --> 01:00:00,000\na\nb\n"
