"""Import → export → import gives back what was read, byte for byte in every text."""

import json
import string
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthand.core.rle import counts_from_mask, encode_rle
from firsthand.formats.coco import CocoMask, read_coco, write_coco
from firsthand.formats.ctm import TimedWord, read_ctm, write_ctm
from firsthand.formats.ecog import read_clips, write_clips
from firsthand.formats.ecog_replies import read_replies, write_replies
from firsthand.formats.egolife import egolife_time, read_egolife, read_egolife_time, write_egolife
from firsthand.formats.mask_png import PngMask, mask_png
from firsthand.formats.mm_lifelong import read_lifelong_questions, write_lifelong_questions
from firsthand.formats.rttm import SpeakerTurn, read_rttm, write_rttm
from firsthand.formats.subtitles import Cue, read_srt, write_srt
from firsthand.formats.teleego import read_question_file, read_questions, write_questions
from firsthand.formats.teleego_run import read_participant_run, write_participant_run
from firsthand.formats.textfile import read_json, write_json
from firsthand.formats.webvtt import read_vtt, write_vtt

EXAMPLES = settings(max_examples=40)

texts = st.one_of(
    st.sampled_from(
        ["007", "None", "09:31:38", "NaN", "true", "1e3", "", " x ", "\ufeffA", "a\u2028b\u0085c"]
    ),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
indices = st.one_of(st.integers(0, 10**6), st.sampled_from(["007", "7a", "None", "第1题"]))
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts
)
seconds = st.floats(0, 1e6, allow_nan=False)


@st.composite
def questions(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(["mc_single", "MC_Multi", "binary", "open_ended"]))
    end = draw(st.sampled_from(["end", "End", "to"]))
    return {
        "index": draw(indices),
        "category": draw(st.one_of(st.none(), texts)),
        "QA_type": kind,
        "question": draw(texts),
        "options": draw(st.lists(texts, max_size=5)),
        "answer": {"value": draw(st.one_of(texts, st.booleans(), st.lists(scalars, max_size=3)))},
        "evidence": {"timestep": {"start": draw(scalars), end: draw(scalars)}},
        "extra": draw(st.dictionaries(texts, scalars, max_size=2)),
    }


@EXAMPLES
@given(st.lists(questions(), min_size=1, max_size=5, unique_by=lambda item: str(item["index"])))
def test_teleego_questions_come_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, items: Any
) -> None:
    folder = tmp_path_factory.mktemp("qa")
    write_json(folder / "merged_P3_A.json", items)
    read = read_questions(folder)
    assert {question.participant for question in read} == {"P3"}
    (path,) = write_questions(folder / "again", read)
    assert read_json(path) == items
    assert read_question_file(path, "P3") == read


records = st.fixed_dictionaries(
    {
        "phase": st.just("initial"),
        "index": indices,
        "correct": st.booleans(),
        "elapsed_time": st.one_of(st.none(), seconds),
        "pred_text": texts,
        "parsed_pred": st.one_of(st.none(), st.booleans(), st.lists(texts, max_size=2)),
    },
    optional={"subcategory": st.one_of(st.none(), texts), "cache_len": scalars},
)
trackers = st.dictionaries(
    st.sampled_from(["0", "17", "007", "x"]),
    st.tuples(st.one_of(st.integers(0, 99), seconds), st.lists(st.booleans(), max_size=11)).map(
        list
    ),
)


@EXAMPLES
@given(st.lists(records, max_size=5), trackers)
def test_a_teleego_run_comes_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, rows: Any, tracker: Any
) -> None:
    folder = tmp_path_factory.mktemp("run")
    write_json(folder / "eval_predictions.json", rows)
    write_json(folder / "mpt_results.json", tracker)
    run = read_participant_run(folder, "P1")
    again = folder / "again"
    write_participant_run(again, run)
    assert read_json(again / "eval_predictions.json") == rows
    assert read_json(again / "mpt_results.json") == tracker
    assert read_participant_run(again, "P1") == run


points = st.lists(st.tuples(seconds, seconds).map(list), max_size=3)
referents = st.fixed_dictionaries(
    {
        "choice": st.sampled_from(["A", "b", " C "]),
        "stroke_begin_time": st.one_of(st.integers(0, 9_000), seconds),
        "stroke_end_time": st.integers(0, 9_000),
        "points": st.one_of(points, st.just([386, 736])),
    },
    optional={
        "mask": st.fixed_dictionaries(
            {"bbox": st.lists(st.integers(0, 99), min_size=4, max_size=4), "mask_base64": texts},
            optional={"score": seconds},
        ),
        "asr_begin_time": scalars,
    },
)
truths = st.fixed_dictionaries(
    {
        "object_choices": st.lists(texts, max_size=3),
        "space_choices": st.lists(texts, max_size=3),
        "answer": st.lists(referents, min_size=1, max_size=4),
    }
)
names = st.text(string.ascii_letters + "é第 '#%", min_size=1, max_size=8)


@EXAMPLES
@given(st.dictionaries(names, truths, min_size=1, max_size=3), st.integers(1, 6))
def test_ecog_ground_truth_comes_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, entries: Any, template: int
) -> None:
    root = tmp_path_factory.mktemp("ecog") / "data"
    write_json(root / "env1" / f"指令{template}" / "eval_gt.json", entries)
    notes: Any = [{"video_name": name, "scene": "Kitchen", "id": "007"} for name in entries]
    write_json(root / "env1" / f"指令{template}" / "annotations.json", notes)
    clips = read_clips(root)
    again = root.parent / "again" / "data"
    write_clips(again, clips)
    folder = again / "env1" / f"指令{template}"
    assert read_json(folder / "eval_gt.json") == entries
    assert read_json(folder / "annotations.json") == notes
    assert [clip.referents for clip in read_clips(again)] == [clip.referents for clip in clips]


@EXAMPLES
@given(st.dictionaries(names, scalars, max_size=3))
def test_replies_come_back_unchanged_whatever_stands_in_them(
    tmp_path_factory: pytest.TempPathFactory, replies: Any
) -> None:
    folder = tmp_path_factory.mktemp("replies")
    write_json(folder / "a.json", replies)
    read = read_replies(folder / "a.json")
    write_replies(folder / "b.json", read)
    assert read_replies(folder / "b.json") == read


intervals = st.lists(st.tuples(seconds, seconds).map(list), max_size=3)


@EXAMPLES
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "index": indices,
                "question": texts,
                "answer": texts,
                "question_type": texts,
                "temporal_certificate": scalars,
                "total_intervals": intervals,
            },
            optional={"clue_interval": intervals},
        ),
        max_size=4,
        unique_by=lambda item: str(item["index"]),
    )
)
def test_lifelong_questions_keep_intervals_as_they_are(
    tmp_path_factory: pytest.TempPathFactory, items: Any
) -> None:
    folder = tmp_path_factory.mktemp("mm")
    write_json(folder / "a.json", items)
    read = read_lifelong_questions(folder / "a.json")
    assert [[list(span) for span in question.intervals_s] for question in read] == [
        item["total_intervals"] for item in items
    ]
    write_lifelong_questions(folder / "b.json", read)
    assert read_json(folder / "b.json") == items


@EXAMPLES
@given(
    st.integers(1, 9),
    st.integers(0, 23),
    st.integers(0, 59),
    st.integers(0, 59),
    st.integers(0, 19),
)
def test_egolife_times_come_back_to_the_frame(
    day: int, hours: int, minutes: int, seconds_: int, frames: int
) -> None:
    date, time = f"DAY{day}", f"{hours:02}{minutes:02}{seconds_:02}{frames:02}"
    moment = read_egolife_time(date, time)
    assert moment is not None
    assert egolife_time(moment) == (date, time)


def test_egolife_questions_come_back_unchanged(tmp_path: Path) -> None:
    item: Any = {
        "ID": "007",
        "query_time": {"date": "DAY1", "time": "09313819"},
        "type": "EntityLog",
        "need_audio": False,
        "question": "Who?",
        **{f"choice_{letter}": letter for letter in "abcd"},
        "answer": "B",
        "target_time": {"date": "DAY1", "time_list": ["09000000", "09100000"]},
        "keywords": ["None"],
    }
    write_json(tmp_path / "a.json", [item])
    write_egolife(tmp_path / "b.json", read_egolife(tmp_path / "a.json"))
    assert read_json(tmp_path / "b.json") == [item]


masks = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda size: st.lists(
        st.booleans(), min_size=size[0] * size[1], max_size=size[0] * size[1]
    ).map(lambda bits: np.array(bits, bool).reshape(size))
)


@EXAMPLES
@given(masks, st.booleans())
def test_coco_masks_come_back_compressed_or_not(
    tmp_path_factory: pytest.TempPathFactory, mask_hw: npt.NDArray[np.bool_], compressed: bool
) -> None:
    counts = encode_rle(mask_hw) if compressed else tuple(counts_from_mask(mask_hw))
    mask = CocoMask("007", "图.png", "cup", mask_hw.shape, counts)
    path = tmp_path_factory.mktemp("coco") / "a.json"
    write_coco(path, [mask])
    (read,) = read_coco(path)
    assert read == mask
    assert (read.mask_hw() == mask_hw).all()


@EXAMPLES
@given(masks)
def test_mask_pictures_come_back_pixel_by_pixel(mask_hw: npt.NDArray[np.bool_]) -> None:
    picture = PngMask.from_bytes(mask_png(mask_hw))
    assert (picture.mask_hw() == mask_hw).all()
    rows, columns = mask_hw.shape
    asked = [[picture.contains(x, y) for x in range(columns)] for y in range(rows)]
    assert asked == mask_hw.tolist()


moments_us = st.integers(0, 10**11)
fields = st.text(string.ascii_letters + "次é-'", min_size=1, max_size=8)


@EXAMPLES
@given(
    st.lists(
        st.builds(
            TimedWord,
            fields,
            fields,
            moments_us,
            moments_us,
            fields,
            st.one_of(st.none(), st.floats(0, 1)),
        ),
        max_size=4,
    )
)
def test_ctm_words_come_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, words: Any
) -> None:
    path = tmp_path_factory.mktemp("ctm") / "a.ctm"
    write_ctm(path, words)
    assert list(read_ctm(path)) == words


@EXAMPLES
@given(st.lists(st.builds(SpeakerTurn, fields, fields, moments_us, moments_us, fields), max_size=4))
def test_rttm_turns_come_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, turns: Any
) -> None:
    path = tmp_path_factory.mktemp("rttm") / "a.rttm"
    write_rttm(path, turns)
    assert list(read_rttm(path)) == turns


@st.composite
def cues(draw: st.DrawFn) -> Any:
    begin_ms = draw(st.integers(0, 10**8))
    text = draw(st.text(string.ascii_letters + " &<>;第-'\"", min_size=1, max_size=12))
    line = " ".join(text.split()) or "x"
    return Cue(begin_ms * 1_000, (begin_ms + draw(st.integers(1, 9_999))) * 1_000, line)


@EXAMPLES
@given(st.lists(cues(), max_size=4))
def test_webvtt_cues_come_back_with_their_signs(
    tmp_path_factory: pytest.TempPathFactory, listed: Any
) -> None:
    path = tmp_path_factory.mktemp("vtt") / "a.vtt"
    write_vtt(path, listed)
    assert read_vtt(path) == tuple(sorted(listed, key=lambda cue: (cue.begin_us, cue.end_us)))


@pytest.mark.parametrize(
    ("read", "write", "name"), [(read_srt, write_srt, "a.srt"), (read_vtt, write_vtt, "a.vtt")]
)
def test_subtitles_keep_two_lines_of_one_cue(
    tmp_path: Path, read: Any, write: Any, name: str
) -> None:
    cue = Cue(1_500_000, 2_500_000, "Anna: 你好\nsecond line")
    write(tmp_path / name, [cue])
    assert read(tmp_path / name) == (cue,)


def test_json_written_and_read_again_is_the_same_value(tmp_path: Path) -> None:
    value: Any = {"7": "007", "x": [None, True, 1, 1.5, "None", "a\u2028b"], "次": {"": "09:31:38"}}
    write_json(tmp_path / "a.json", value)
    assert read_json(tmp_path / "a.json") == value
    assert json.loads((tmp_path / "a.json").read_bytes()) == value
