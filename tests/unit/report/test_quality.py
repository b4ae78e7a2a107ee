"""The quality table: what it says of pictures and words whose condition is known."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from firsthand.core.errors import DataFileError
from firsthand.core.time import s_to_us
from firsthand.report.quality import QualityInputs, quality_table
from firsthand.report.quality_pictures import (
    PictureQuality,
    _frame_quality,
    detail_left,
    merge_pictures,
    unchanged_cells,
)
from firsthand.report.quality_speech import heard_onsets_ms, measure_voices, normal_words
from firsthand.report.quality_truth import TrueWord, read_truth
from firsthand.store import Store

SAMPLES = Path(__file__).parents[3] / "data" / "samples"
BOX = (100, 60, 164, 140)


def textured(seed: int = 5) -> np.ndarray:
    """A picture with detail of every size."""
    rng = np.random.default_rng(seed)
    fine = rng.integers(0, 256, (240, 320)).astype(np.float32)
    return 0.5 * fine + 0.5 * cv2.GaussianBlur(fine, (0, 0), 4) * 2


def test_an_untouched_face_keeps_all_its_detail() -> None:
    picture = textured()
    assert detail_left(picture, picture, BOX) == pytest.approx(1.0)


def test_a_face_painted_over_keeps_none() -> None:
    picture = textured()
    covered = picture.copy()
    covered[BOX[1] : BOX[3], BOX[0] : BOX[2]] = 128
    assert detail_left(picture, covered, BOX) == pytest.approx(0.0, abs=1e-4)


def test_a_face_covered_to_three_quarters_keeps_a_quarter_of_its_detail() -> None:
    picture = textured()
    covered = picture.copy()
    # Three quarters of the rows; the detail of noise is spread evenly over the box.
    covered[BOX[1] : BOX[1] + 60, BOX[0] : BOX[2]] = 128
    assert detail_left(picture, covered, BOX) == pytest.approx(0.25, abs=0.04)


def test_an_even_surface_has_no_detail_to_keep() -> None:
    flat = np.full((240, 320), 90, np.float32)
    assert detail_left(flat, flat, BOX) == 0.0


def test_an_untouched_face_without_detail_is_bare_all_the_same() -> None:
    flat = np.full((240, 320), 90, np.float32)
    found = _frame_quality(flat, flat, [BOX])
    assert (found.visible_face_frames, found.bare_face_frames) == (0, 1)
    # Of an 8 x 8 grid, the middles of 52 cells lie in the circle that touches its sides.
    assert (found.face_cells, found.unchanged_cells) == (52, 52)


def test_a_bare_cheek_is_found_by_its_area_though_it_has_no_detail() -> None:
    face = np.full((240, 320), 140, np.float32)
    eyes = slice(BOX[1], BOX[1] + 30)
    face[eyes, BOX[0] : BOX[2]] = textured()[eyes, BOX[0] : BOX[2]]
    covered = face.copy()
    covered[eyes, BOX[0] : BOX[2]] = 128
    found = _frame_quality(face, covered, [BOX])
    assert (found.visible_face_frames, found.bare_face_frames) == (0, 1)
    # Rows 0 to 29 of 80 are covered: the upper three of eight rows of cells.
    assert unchanged_cells(face, covered, BOX).sum() == 52 - 4 - 6 - 8


def test_encoding_anew_leaves_a_face_bare_and_a_cover_does_not() -> None:
    picture = textured()
    noise = np.random.default_rng(9).normal(0, 3, picture.shape).astype(np.float32)
    assert unchanged_cells(picture, picture + noise, BOX).all()
    covered = picture.copy()
    covered[BOX[1] : BOX[3], BOX[0] : BOX[2]] = 128
    assert not unchanged_cells(picture, covered + noise, BOX).any()


def test_blocks_changed_away_from_a_face_are_counted_and_those_near_it_are_not() -> None:
    before = textured()
    after = before.copy()
    after[BOX[1] : BOX[3], BOX[0] : BOX[2]] = 0
    after[200:216, 16:32] += 20  # 2 x 2 blocks of 8 pixels, changed by 20 levels
    found = _frame_quality(before, after, [BOX])
    assert (found.face_frames, found.visible_face_frames) == (1, 0)
    assert found.changed_blocks == 4


def test_private_writing_is_seen_where_it_is_left_and_its_cover_is_no_false_blur() -> None:
    before = textured()
    covered = before.copy()
    covered[BOX[1] : BOX[3], BOX[0] : BOX[2]] = 0
    left = _frame_quality(before, before, [], [BOX])
    gone = _frame_quality(before, covered, [], [BOX])
    assert (left.writing_frames, left.visible_writing_frames) == (1, 1)
    assert (gone.writing_frames, gone.visible_writing_frames) == (1, 0)
    assert (gone.face_frames, gone.changed_blocks) == (0, 0)


def test_the_truth_tells_where_private_writing_is_in_each_frame() -> None:
    street = read_truth(SAMPLES / "truth.json")["P1/VID_20260504_074022.mp4"]
    assert set(street.writing_by_pts_us) == set(street.faces_by_pts_us)
    assert street.writing_by_pts_us[0] == ((124, 234, 233, 252),)


def test_recordings_add_up_and_the_longest_run_is_the_longest_of_any() -> None:
    parts = [
        PictureQuality(3, 1, 2, 10, 1, 4, 0, 156, 9, 1, 7, 2),
        PictureQuality(5, 0, 1, 20, 2, 6, 1, 260, 4, 0, 1, 1),
    ]
    assert merge_pictures(parts) == PictureQuality(8, 1, 2, 30, 3, 10, 1, 416, 13, 1, 8, 3)


def test_numbers_and_marks_do_not_count_as_errors() -> None:
    assert normal_words("At 4, the Meeting's on.") == ["at", "four", "the", "meeting's", "on"]


def test_a_missed_and_a_late_word_are_an_edit_and_an_onset_error() -> None:
    spoken = [
        TrueWord("put", 0, 200_000, consented=True, speaker="P1"),
        TrueWord("it", 300_000, 400_000, consented=True, speaker="P1"),
        TrueWord("down", 500_000, 900_000, consented=True, speaker="P1"),
    ]
    heard = [{"text": "Put", "begin_us": 20_000}, {"text": "down.", "begin_us": 450_000}]
    assert heard_onsets_ms(spoken, heard) == (3, 1, [20.0, 50.0])


def test_long_utterances_belong_to_the_turn_they_share_most_time_with() -> None:
    def said(begin_s: float, end_s: float, speaker: str) -> TrueWord:
        return TrueWord("so", s_to_us(begin_s), s_to_us(end_s), speaker == "P1", speaker)

    words = [
        said(0, 1, "P1"),
        said(1, 2, "P1"),
        said(2.5, 5, "bystander"),
        said(5, 6, "P1"),
        said(6, 9, "bystander"),
    ]
    # The first utterance is right; of the second more than half was given to P1; the third
    # is too short to count; the last lies outside all turns and belongs to the nearest.
    turns = [
        {"begin_us": 0, "end_us": s_to_us(2.1), "speaker": "P1"},
        {"begin_us": s_to_us(2.4), "end_us": s_to_us(4), "speaker": "P1"},
        {"begin_us": s_to_us(4), "end_us": s_to_us(5), "speaker": "bystander"},
    ]
    found = measure_voices(words, turns)
    assert (found.long_utterances, found.long_utterances_named) == (3, 2)
    assert measure_voices(words, []).long_utterances_named == 0


def test_nothing_built_is_not_measured_instead_of_perfect(tmp_path: Path) -> None:
    inputs = QualityInputs("samples", SAMPLES / "truth.json", SAMPLES / "recordings")
    table = quality_table(Store.opened(tmp_path), inputs)
    rows = {row.measure: row for row in table.rows}
    assert rows["face-frames left visible"].value is None
    assert rows["word error rate"].value is None
    assert rows["mask IoU, median"].value is None
    assert rows["readable recordings missing"].value == rows["readable recordings missing"].n > 0


def test_the_truth_says_which_file_is_broken_on_purpose() -> None:
    truth = read_truth(SAMPLES / "truth.json")
    assert sum(one.unreadable for one in truth.values()) == 1


def test_a_truth_file_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "truth.json"
    path.write_text("[]")
    with pytest.raises(DataFileError, match=r"truth\.json"):
        read_truth(path)
