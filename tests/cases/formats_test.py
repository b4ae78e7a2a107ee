"""Faults met in the field, each with the file that showed it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firsthand.core.errors import DataFileError
from firsthand.core.outcomes import RuleSet
from firsthand.core.rle import decode_rle, encode_rle, mask_from_tight_rows
from firsthand.core.time import SECOND_US, DayLabel
from firsthand.formats.clock_text import NoTime, WhyNoTime, read_moment
from firsthand.formats.mp4_size import display_size_wh_px
from firsthand.formats.teleego_time import merged_moment_s, timeline_from_json
from firsthand.formats.textfile import read_csv, read_json, read_jsonl

HERE = Path(__file__).parent
SPELLINGS = json.loads((HERE / "19-timestamp-spellings/times.json").read_text("utf-8"))
MASKS = json.loads((HERE / "41-rle-column-major/masks.json").read_text("utf-8"))["items"]


@pytest.mark.parametrize("spelling", SPELLINGS, ids=[repr(item["text"]) for item in SPELLINGS])
def test_19_a_spelling_is_read_exactly_or_refused(spelling: Any) -> None:
    moment, want = read_moment(spelling["text"]), spelling["want"]
    if want == "missing":
        assert moment == NoTime(WhyNoTime.MISSING)
    elif isinstance(want, str):
        assert moment == NoTime(WhyNoTime.UNREADABLE)
    elif isinstance(want, dict):
        assert moment == DayLabel(want["day"], round(want["sec"] * SECOND_US))
    else:
        assert moment == pytest.approx(want, abs=1e-9)


def test_21_labels_outside_recorded_time_say_where_they_fall() -> None:
    folder = HERE / "21-midnight-and-two-day-gap"
    content: Any = read_json(folder / "timeline.json")
    timeline = timeline_from_json(content, RuleSet.PAPER)
    reasons = {
        "gap": WhyNoTime.GAP,
        "after end": WhyNoTime.AFTER_END,
        "before start": WhyNoTime.BEFORE_START,
    }
    items: Any = read_json(folder / "labels.json")
    for item in items:
        want = item["want"]
        expected = NoTime(reasons[want]) if isinstance(want, str) else want
        assert merged_moment_s(item["label"], timeline) == expected


def test_41_run_lengths_go_down_columns() -> None:
    listed, compressed, larger, tight, broken = MASKS
    for item in (listed, compressed):
        mask = decode_rle(item["counts"], tuple(item["size_hw"]))
        assert [list(pair) for pair in np.argwhere(mask)] == item["want_pixels_yx"]
    whole = decode_rle(larger["counts"], tuple(larger["size_hw"]))
    assert whole.sum() == larger["want_area"]
    rows, columns = np.nonzero(whole)
    box = [columns.min(), rows.min(), columns.max(), rows.max()]
    assert box == larger["want_bbox_xyxy_incl"]
    assert encode_rle(whole) == larger["counts"]
    inside = (tight["left"], tight["top"], tight["width"], tight["height"])
    assert (mask_from_tight_rows(tight["rle"], inside, tuple(tight["image_hw"])) == whole).all()
    with pytest.raises(DataFileError):
        decode_rle(broken["counts"], tuple(broken["size_hw"]))


def test_43_the_size_of_a_turned_video_is_the_size_it_is_shown_at() -> None:
    folder = HERE / "43-mask-of-rotated-frame"
    annotation: Any = read_json(folder / "anno.json")
    assert list(display_size_wh_px(folder / "rot90.mp4")) == annotation["display_wh"]


def test_60_files_from_windows_keep_every_record_and_column() -> None:
    folder = HERE / "60-bom-crlf-line-separator"
    items: Any = read_json(folder / "qa_bom_crlf.json")
    assert len(items) == 1
    records = read_jsonl(folder / "qa.jsonl")
    assert len(records) == 3
    together = json.dumps(records, ensure_ascii=False)
    assert "\u2028" in together
    assert "\u0085" in together
    rows = read_csv(folder / "sheet.csv", ["index", "question", "answer"])
    assert list(rows[0]) == ["index", "question", "answer"]
    assert rows[0]["answer"] == "A"
    assert any("\n" in row["question"] for row in rows)


def test_60_text_in_gbk_is_refused_by_name_or_read_as_declared() -> None:
    path = HERE / "60-bom-crlf-line-separator" / "labels_gbk.csv"
    with pytest.raises(DataFileError, match="gbk"):
        read_csv(path, [])
    rows = read_csv(path, [], encoding="gbk")
    assert any(
        "\u4e00" <= character <= "\u9fff" for character in json.dumps(rows, ensure_ascii=False)
    )
