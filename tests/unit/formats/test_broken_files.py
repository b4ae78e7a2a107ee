"""Broken input is a listed error that names file, item and field; all of it at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import DataFileError
from firsthand.formats.coco import read_coco
from firsthand.formats.ctm import read_ctm
from firsthand.formats.ecog import read_clips
from firsthand.formats.ecog_replies import matched_replies, read_replies
from firsthand.formats.egolife import read_egolife
from firsthand.formats.mm_lifelong import read_lifelong_predictions, read_lifelong_questions
from firsthand.formats.rttm import read_rttm
from firsthand.formats.teleego import read_question_file
from firsthand.formats.teleego_run import read_participant_run, read_runs
from firsthand.formats.textfile import write_json
from firsthand.formats.webvtt import read_vtt


def _found(read: Callable[[], object]) -> str:
    with pytest.raises(DataFileError) as caught:
        read()
    return str(caught.value)


def test_questions_are_all_listed_with_item_and_field(tmp_path: Path) -> None:
    path = tmp_path / "merged_P1_A.json"
    sound: Any = {"index": 1, "QA_type": "binary", "question": "?", "answer": {"value": [True]}}
    write_json(
        path,
        [
            sound,
            {**sound, "QA_type": "riddle"},
            {**sound, "index": 1.5},
            {**sound, "index": 4, "answer": {}},
            {**sound, "index": 5, "options": "A"},
            7,
            {**sound, "index": "1"},
        ],
    )
    found = _found(lambda: read_question_file(path, "P1"))
    for part in (
        "6 problems",
        "merged_P1_A.json, item 1 (index 1), QA_type",
        "item 2, index",
        "item 3 (index 4), answer.value",
        "item 4 (index 5), options",
        "item 5: expected an object",
        "item 6, index: expected an index of its own",
    ):
        assert part in found


def test_records_and_trackers_are_listed(tmp_path: Path) -> None:
    sound: Any = {"phase": "initial", "index": 1, "correct": True, "elapsed_time": 1.0}
    write_json(
        tmp_path / "eval_predictions.json",
        [sound, {**sound, "phase": "late"}, {**sound, "correct": "yes"}, {**sound, "index": None}],
    )
    found = _found(lambda: read_participant_run(tmp_path, "P1"))
    for part in ("3 problems", "record 1, phase", "record 2, correct", "record 3, index"):
        assert part in found
    write_json(tmp_path / "eval_predictions.json", [sound])
    write_json(tmp_path / "mpt_results.json", {"1": [1.0, [True, "x"]], "2": [True]})
    found = _found(lambda: read_participant_run(tmp_path, "P1"))
    assert "mpt_results.json, item '1', flags" in found
    assert "item '2'" in found


def test_a_time_that_is_not_finite_is_named_by_record(tmp_path: Path) -> None:
    (tmp_path / "eval_predictions.json").write_text(
        '[{"phase": "initial", "index": 1, "correct": true, "elapsed_time": NaN}]'
    )
    assert "record 0, elapsed_time" in _found(lambda: read_participant_run(tmp_path, "P1"))


def test_two_stamps_of_one_participant_are_never_chosen_between(tmp_path: Path) -> None:
    for stamp in ("20260101", "20260102"):
        write_json(tmp_path / "model" / "p1" / stamp / "eval_predictions.json", [])
    assert "2 stamps" in _found(lambda: read_runs(tmp_path))
    write_json(tmp_path / "model_timestamps.json", {"model": {"p1": "20260102", "p2": ""}})
    (run,) = read_runs(tmp_path)
    assert [part.participant for part in run.participants] == ["P1"]
    assert run.absent == ("P2",)


def test_ground_truth_of_all_folders_is_listed_together(tmp_path: Path) -> None:
    sound: Any = {"choice": "A", "stroke_begin_time": 1, "stroke_end_time": 2, "points": [[1, 2]]}
    for template, answer in (
        (1, [{**sound, "stroke_end_time": "2"}]),
        (2, [{**sound, "points": [[1]]}, {**sound, "mask": {"bbox": [1, 2], "mask_base64": "x"}}]),
        (3, []),
    ):
        write_json(tmp_path / f"env/指令{template}/eval_gt.json", {"a.mp4": {"answer": answer}})
    found = _found(lambda: read_clips(tmp_path))
    for part in (
        "4 problems",
        "clip 'a.mp4', referent 0, stroke_end_time",
        "referent 0, points",
        "referent 1, mask.bbox",
        "clip 'a.mp4', answer",
    ):
        assert part in found


def test_an_entry_without_a_choice_is_no_referent_but_a_clip_needs_one(tmp_path: Path) -> None:
    named: Any = {"choice": "A", "points": [[1, 2]]}
    unnamed: Any = {"choice": "", "points": [[3, 4]]}
    path = tmp_path / "env/指令4/eval_gt.json"
    write_json(path, {"a.mp4": {"answer": [named, unnamed]}})
    (clip,) = read_clips(tmp_path)
    assert [referent.choice for referent in clip.referents] == ["A"]
    write_json(path, {"a.mp4": {"answer": [unnamed]}})
    assert "a referent with a choice" in _found(lambda: read_clips(tmp_path))


def test_replies_to_unknown_clips_and_second_replies_are_listed(tmp_path: Path) -> None:
    answer: Any = [{"choice": "A", "points": [[1, 2]]}]
    for template in (1, 2):
        write_json(
            tmp_path / f"data/env/指令{template}/eval_gt.json", {"a.mp4": {"answer": answer}}
        )
    clips = read_clips(tmp_path / "data")
    path = tmp_path / "replies.json"
    one: Any = {"video_name": "a.mp4", "task_template": "指令1"}
    write_json(path, [one, one, {"video_name": "b.mp4"}, {"video_name": "a.mp4"}])
    found = _found(lambda: matched_replies(clips, read_replies(path), path))
    for part in ("3 problems", "second reply", "no clip of that name", "2 clips"):
        assert part in found


def test_lifelong_files_are_listed(tmp_path: Path) -> None:
    sound: Any = {"index": 1, "question": "?", "answer": "!", "total_intervals": [[5, 1], [3, 3]]}
    path = tmp_path / "val.json"
    write_json(
        path, [sound, {**sound, "index": 2, "total_intervals": [[1]]}, {**sound, "answer": 3}]
    )
    found = _found(lambda: read_lifelong_questions(path))
    assert "item 1 (index 2), total_intervals" in found
    assert "item 2 (index 1), answer" in found
    write_json(path, [{"index": 1, "pred": {"answer": 1}}, {"index": 2, "intervals": [["a", 1]]}])
    found = _found(lambda: read_lifelong_predictions(path))
    assert "item 0 (index 1), answer" in found
    assert "item 1 (index 2), intervals" in found


def test_egolife_times_that_lost_a_zero_are_listed(tmp_path: Path) -> None:
    sound: Any = {
        "ID": 1,
        "query_time": {"date": "DAY1", "time": "09313819"},
        "question": "?",
        **{f"choice_{letter}": letter for letter in "abcd"},
        "answer": "A",
    }
    path = tmp_path / "qa.json"
    write_json(
        path,
        [
            {**sound, "query_time": {"date": "DAY1", "time": 9313819}},
            {**sound, "query_time": {"date": "DAY1", "time": "09313820"}},
            {**sound, "answer": "E"},
        ],
    )
    found = _found(lambda: read_egolife(path))
    for part in ("item 0 (ID 1), query_time", "item 1 (ID 1), query_time", "item 2 (ID 1), answer"):
        assert part in found


def test_coco_masks_that_fill_no_picture_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "coco.json"
    rle: Any = {"size": [3, 4], "counts": [3, 2, 7]}
    write_json(
        path,
        {
            "images": [{"id": 1, "file_name": "a.png", "height": 3, "width": 4}],
            "categories": [{"id": 1, "name": "cup"}],
            "annotations": [
                {"id": 1, "image_id": 1, "category_id": 1, "segmentation": rle},
                {"id": 2, "image_id": 9, "category_id": 1, "segmentation": rle},
                {"id": 3, "image_id": 1, "category_id": 1, "segmentation": [[0, 0, 1, 1]]},
                {
                    "id": 4,
                    "image_id": 1,
                    "category_id": 1,
                    "segmentation": {"size": [3, 4], "counts": [3, 2, 6]},
                },
                {
                    "id": 5,
                    "image_id": 1,
                    "category_id": 1,
                    "segmentation": {"size": [4, 3], "counts": [3, 2, 7]},
                },
            ],
        },
    )
    found = _found(lambda: read_coco(path))
    for part in (
        "4 problems",
        "annotation 1, image_id",
        "annotation 2, segmentation",
        "annotation 3, segmentation.counts",
        "annotation 4, segmentation.size",
    ):
        assert part in found


@pytest.mark.parametrize(
    ("read", "name", "text", "parts"),
    [
        (
            read_ctm,
            "a.ctm",
            "f 1 0.5 -1 word\nf 1 0.5\nf 1 0.5 1 w 2\n",
            ("line 1", "line 2", "line 3"),
        ),
        (
            read_rttm,
            "a.rttm",
            "SPEAKER f 1 x 1 <NA> <NA> s <NA>\nSPEAKER f 1\n",
            ("line 1", "line 2"),
        ),
        (read_vtt, "a.vtt", "00:01.000 --> 00:00.500\nx\n", ("line 1", "end")),
        (read_vtt, "b.vtt", "WEBVTT\n\n00:01 --> later\nx\n\nnothing\n", ("end", "line 6")),
    ],
)
def test_timed_texts_are_listed_by_line(
    tmp_path: Path, read: Any, name: str, text: str, parts: tuple[str, ...]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = _found(lambda: read(tmp_path / name))
    assert name in found
    for part in parts:
        assert part in found
