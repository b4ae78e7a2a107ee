"""Word error rate and onset error, against counts made by hand."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.core.errors import DataFileError
from firsthand.speech.comparison import compared_words, word_errors

REFERENCE = """1
00:00:01,000 --> 00:00:03,000
Put the red cup
on the well-known table.

2
00:00:04,000 --> 00:00:05,000
That's it.
"""
HYPOTHESIS = """;; made by hand
r 1 1.050 0.200 put 0.9
r 1 1.300 0.200 a 0.9
r 1 1.500 0.200 red 0.9
r 1 1.700 0.200 cup 0.9
r 1 2.000 0.200 on 0.9
r 1 2.200 0.200 the 0.9
r 1 2.400 0.200 well 0.9
r 1 2.500 0.200 known 0.9
r 1 3.900 0.200 That's 0.9
r 1 4.200 0.200 it 0.9
r 1 4.500 0.200 now 0.9
"""


def test_edits_and_onsets_are_counted(tmp_path: Path) -> None:
    (tmp_path / "said.srt").write_text(REFERENCE, encoding="utf-8")
    (tmp_path / "heard.ctm").write_text(HYPOTHESIS, encoding="utf-8")
    files = [str(tmp_path / name) for name in ("said.srt", "heard.ctm")]
    shown = CliRunner().invoke(app, ["words", "compare", *files])
    assert shown.exit_code == 0, shown.output
    # 11 words; `the` became `a`, `table` is missing, `now` is surplus. Only the first words
    # of the two cues have known onsets: 50 ms late and 100 ms early.
    assert "word error rate   0.273" in shown.output
    assert "11 (1 other, 1 missing, 1 surplus)" in shown.output
    assert "75 ms at the median, 2 words" in shown.output


def test_chinese_is_compared_by_character() -> None:
    said, heard = (
        list(compared_words(text, 0, "zh-CN")) for text in ("今天天气很好。", "今天天汽好")
    )
    found = word_errors(said, heard)
    assert (found.reference_words, found.substitutions, found.deletions) == (6, 1, 1)
    assert found.word_error_rate == pytest.approx(2 / 6)


def test_nothing_heard_is_all_deleted_and_nothing_said_has_no_rate() -> None:
    said = list(compared_words("one two", 0, "en"))
    assert word_errors(said, []).word_error_rate == 1.0
    assert word_errors(said, []).onset_error_ms is None
    with pytest.raises(DataFileError, match="no word"):
        word_errors([], said)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("hello", encoding="utf-8")
    outcome = CliRunner().invoke(app, ["words", "compare", *[str(tmp_path / "said.txt")] * 2])
    assert isinstance(outcome.exception, DataFileError)
    assert ".srt, .vtt or .ctm" in str(outcome.exception)
