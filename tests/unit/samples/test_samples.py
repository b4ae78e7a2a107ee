"""The sample recordings are what their README and truth say, read from the files themselves."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import av
import numpy as np
import pytest
import yaml
from pycocotools import mask as coco_mask

from firsthand.curation.clip_setup import ClipThing, arranged_clip_options, check_referent_kinds
from schemas.annotation_files import read_clips

SAMPLES = Path(__file__).parents[3] / "data" / "samples"
RECORDINGS = SAMPLES / "recordings"
TRUTH: dict[str, dict[str, Any]] = json.loads((SAMPLES / "truth.json").read_text())["files"]
READABLE = sorted(name for name, entry in TRUTH.items() if not entry["quarantined"])
BROKEN = sorted(set(TRUTH) - set(READABLE))
ROTATED = "P2/VID_20260509_141022.mp4"
VARIABLE = "P1/VID_20260504_074022.mp4"
TAGGED = "P2/VID_20260509_141000.mp4"
UNDATED = "P2/VID_20260510_101500.mp4"
# pycocotools still decodes through the array protocol of numpy 1.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
POINTED = sorted(name for name in READABLE if TRUTH[name]["strokes"])


@cache
def configuration() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((SAMPLES / "benchmark.yaml").read_text())
    return loaded


def annotated(table: str) -> list[dict[str, Any]]:
    lines = (SAMPLES / "annotations" / f"{table}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@cache
def frame_times_us(name: str) -> list[int]:
    """Return the times of all frames from the packets, without decoding."""
    with av.open(str(RECORDINGS / name)) as container:
        stream = container.streams.video[0]
        base = stream.time_base
        assert base is not None
        return sorted(
            round(packet.pts * base * 1_000_000)
            for packet in container.demux(stream)
            if packet.pts is not None
        )


def first_frame(name: str) -> av.VideoFrame:
    with av.open(str(RECORDINGS / name)) as container:
        return next(container.decode(video=0))


def cues(name: str) -> list[tuple[float, float, str]]:
    text = (SAMPLES / "narrations" / name).with_suffix(".srt").read_text()
    found = re.findall(r"(\d\d):(\d\d):([\d,]+) --> (\d\d):(\d\d):([\d,]+)\n(.+)", text)
    return [(seconds(*match[:3]), seconds(*match[3:6]), match[6]) for match in found]


def seconds(hours: str, minutes: str, rest: str) -> float:
    return 3600 * int(hours) + 60 * int(minutes) + float(rest.replace(",", "."))


def decoded(mask: dict[str, Any]) -> np.ndarray:
    height, width = mask["size"]
    return np.asarray(coco_mask.decode(coco_mask.frPyObjects(mask, height, width)))


def words(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = TRUTH[name]["words"]
    return found


def test_ten_files_stay_within_eight_megabytes() -> None:
    files = sorted(RECORDINGS.rglob("*.mp4"))
    assert sorted(str(path.relative_to(RECORDINGS)) for path in files) == sorted(TRUTH)
    assert len(files) == 10
    assert sum(path.stat().st_size for path in files) < 8_000_000
    assert (SAMPLES / "truth.json").stat().st_size < 1_000_000


def test_exactly_one_file_cannot_be_opened() -> None:
    assert len(BROKEN) == 1
    with pytest.raises(av.InvalidDataError):
        av.open(str(RECORDINGS / BROKEN[0]))
    assert b"moov" not in (RECORDINGS / BROKEN[0]).read_bytes()


@pytest.mark.parametrize("name", READABLE)
def test_every_readable_file_is_a_short_wide_h264_clip_with_sound(name: str) -> None:
    with av.open(str(RECORDINGS / name)) as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        assert (video.codec_context.name, audio.codec_context.name) == ("h264", "aac")
        assert (video.width, video.height) == (640, 360)
        assert container.duration is not None
        assert 12_000_000 <= container.duration <= 16_000_000
        assert TRUTH[name]["duration_us"] == container.duration


@pytest.mark.parametrize("name", READABLE)
def test_the_truth_knows_every_frame_by_its_time(name: str) -> None:
    assert [frame["pts_us"] for frame in TRUTH[name]["frames"]] == frame_times_us(name)


def test_one_clip_has_a_variable_frame_rate_and_the_others_run_at_25() -> None:
    steps = {name: set(np.diff(frame_times_us(name)).tolist()) for name in READABLE}
    assert steps.pop(VARIABLE) == {33_300, 40_000, 50_000, 66_600}
    assert all(found == {40_000} for found in steps.values())


def test_one_clip_is_shown_upright_by_its_rotation_flag() -> None:
    assert {name for name in READABLE if first_frame(name).rotation} == {ROTATED}
    assert first_frame(ROTATED).rotation == -90
    assert TRUTH[ROTATED]["display_size_px"] == [360, 640]


def test_one_clip_carries_position_serial_number_and_device_name() -> None:
    with av.open(str(RECORDINGS / TAGGED)) as container:
        tags = container.metadata
    assert tags["com.apple.quicktime.location.ISO6709"].startswith("+52.5163+013.3777")
    assert tags["com.android.serial_number"] == "FHG1-0042-7719"
    assert tags["device_name"] == "Robin's glasses"
    for name in set(READABLE) - {TAGGED}:
        assert b"FHG1-0042-7719" not in (RECORDINGS / name).read_bytes()


@pytest.mark.parametrize("name", READABLE)
def test_container_and_file_name_tell_the_same_start(name: str) -> None:
    zones = {row["participant_id"]: row["time_zone"] for row in configuration()["participants"]}
    local = datetime.strptime(Path(name).stem, "VID_%Y%m%d_%H%M%S")  # noqa: DTZ007 - zone follows
    start = local.replace(tzinfo=ZoneInfo(zones[name[:2]]))
    assert TRUTH[name]["start_time_local"] == local.isoformat()
    assert start.isoformat() == TRUTH[name]["start_time_local"] + TRUTH[name]["utc_offset"]
    with av.open(str(RECORDINGS / name)) as container:
        written = container.metadata.get("creation_time")
    if name == UNDATED:
        assert written is None
    else:
        assert written is not None
        assert datetime.fromisoformat(written) == start


def test_each_participant_has_two_days_and_no_clips_overlap() -> None:
    for participant_id in ("P1", "P2"):
        spans = sorted(
            (datetime.fromisoformat(TRUTH[name]["start_time_local"]), TRUTH[name]["duration_us"])
            for name in TRUTH
            if name.startswith(participant_id)
        )
        assert len({start.date() for start, _ in spans}) == 2
        for (start, duration_us), (later, _) in pairwise(spans):
            assert start + timedelta(microseconds=duration_us) < later


@pytest.mark.parametrize("name", READABLE)
def test_every_face_and_text_box_lies_inside_the_picture(name: str) -> None:
    width, height = TRUTH[name]["display_size_px"]
    faces = [box for frame in TRUTH[name]["frames"] for box in frame["faces"]]
    texts = [row[1:] for text in TRUTH[name]["text_boxes"] for row in text["boxes_pts_us_xyxy_px"]]
    for x0, y0, x1, y1 in faces + texts:
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= height


def test_faces_of_all_sizes_move_through_at_least_five_clips() -> None:
    heights = {
        name: [box[3] - box[1] for frame in TRUTH[name]["frames"] for box in frame["faces"]]
        for name in READABLE
    }
    assert sum(bool(found) for found in heights.values()) >= 5
    every = [height for found in heights.values() for height in found]
    assert min(every) <= 30
    assert max(every) >= 120


def test_a_plate_and_phone_numbers_are_to_be_read() -> None:
    texts = {
        (text["kind"], text["text"]) for name in READABLE for text in TRUTH[name]["text_boxes"]
    }
    assert ("plate", "B-FH 2026") in texts
    assert {text for kind, text in texts if kind == "phone"} == {
        "Tel. 030 555 0199",
        "030 555 0142",
    }


@pytest.mark.parametrize("name", READABLE)
def test_words_lie_inside_the_clip_and_never_overlap_for_one_speaker(name: str) -> None:
    for speaker in {word["speaker"] for word in words(name)}:
        own = [word for word in words(name) if word["speaker"] == speaker]
        assert all(word["consented"] == (speaker != "bystander") for word in own)
        edges = [edge for word in own for edge in (word["begin_ms"], word["end_ms"])]
        assert edges == sorted(edges)
        assert edges[0] >= 0
        assert edges[-1] * 1000 <= TRUTH[name]["duration_us"]


def test_a_bystander_speaks_in_four_clips_and_once_over_the_participant() -> None:
    heard = [name for name in READABLE if "bystander" in {word["speaker"] for word in words(name)}]
    assert len(heard) == 4
    shared_ms = {name: overlap_ms(name) for name in heard}
    assert 800 <= shared_ms.pop(ROTATED) <= 1_200
    assert set(shared_ms.values()) == {0}


def overlap_ms(name: str) -> int:
    own, other = (
        {
            time_ms
            for word in words(name)
            if (word["speaker"] == "bystander") is bystander
            for time_ms in range(word["begin_ms"], word["end_ms"])
        }
        for bystander in (False, True)
    )
    return len(own & other)


def test_each_participant_speaks_in_every_readable_clip_of_their_own() -> None:
    for name in READABLE:
        assert {word["speaker"] for word in words(name)} - {"bystander"} == {name[:2]}


@pytest.mark.parametrize("name", READABLE)
def test_speech_is_loud_where_words_are_and_quiet_but_not_silent_elsewhere(name: str) -> None:
    loudness = loudness_db(name)
    spoken = [(word["begin_ms"] // 10, word["end_ms"] // 10) for word in words(name)]
    assert all(loudness[first : last + 1].max() > -35 for first, last in spoken)
    before = loudness[: spoken[0][0] - 10]
    assert -75 < before.mean() < -50


def loudness_db(name: str) -> np.ndarray:
    """Return the level of every 10 ms of the sound, dB of full scale."""
    with av.open(str(RECORDINGS / name)) as container:
        blocks = [frame.to_ndarray()[0] for frame in container.decode(audio=0)]
    samples = np.concatenate(blocks).astype(np.float64)
    tens = samples[: len(samples) // 480 * 480].reshape(-1, 480)
    return np.asarray(10 * np.log10((tens**2).mean(axis=1) + 1e-12))


@pytest.mark.parametrize("name", READABLE)
def test_three_to_five_narrations_in_order_tell_about_the_clip(name: str) -> None:
    lines = cues(name)
    assert 3 <= len(lines) <= 5
    edges = [edge for begin_s, end_s, _ in lines for edge in (begin_s, end_s)]
    assert edges == sorted(edges)
    assert edges[-1] * 1e6 <= TRUTH[name]["duration_us"]
    assert not (SAMPLES / "narrations" / BROKEN[0]).with_suffix(".srt").exists()


@pytest.mark.parametrize("name", POINTED)
def test_strokes_hold_on_frames_while_their_phrase_is_spoken(name: str) -> None:
    rows = [row for row in annotated("strokes") if row["file"] == name]
    assert [{**stroke, "file": name} for stroke in TRUTH[name]["strokes"]] == rows
    times_us = frame_times_us(name)
    spoken = words(name)
    for stroke in rows:
        assert {1000 * stroke["begin_ms"], 1000 * stroke["end_ms"]} <= set(times_us)
        within = [
            word["text"]
            for word in spoken
            if stroke["begin_ms"] <= word["begin_ms"] and word["begin_ms"] < stroke["end_ms"]
        ]
        assert stroke["phrase"] in " ".join(within)


def test_clips_are_set_up_with_what_is_pointed_at_in_order_and_closed_lists_of_things() -> None:
    set_ups = read_clips(SAMPLES / "annotations" / "clips.jsonl")
    assert [line.file for line in set_ups] == POINTED
    for line in set_ups:
        truth = TRUTH[line.file]
        check_referent_kinds(line.file, line.template, [one.kind for one in line.referents])
        pointed = [stroke["referent_id"] for stroke in truth["strokes"]]
        assert [one.referent_id for one in line.referents] == pointed
        labels = [truth["objects"][name]["label"] for name in pointed]
        assert [one.label for one in line.referents] == labels
        things = [ClipThing(str(name)) for name in line.distractors]
        targets = [ClipThing(label) for label in labels]
        arranged = arranged_clip_options(line.file, targets, things, line.seed)
        assert 6 <= len(arranged.options) <= 8


def test_clicks_lie_on_the_last_frame_inside_the_mask_exactly_when_positive() -> None:
    clicks = annotated("clicks")
    referents = {(name, key) for name in READABLE for key in TRUTH[name]["objects"]}
    assert {(click["file"], click["referent_id"]) for click in clicks} == referents
    for click in clicks:
        thing = TRUTH[click["file"]]["objects"][click["referent_id"]]
        x, y = (int(value) for value in click["point_xy_px"])
        assert click["pts_us"] == thing["pts_us"] == frame_times_us(click["file"])[-1]
        assert click["label"] == thing["label"]
        assert bool(decoded(thing["mask"])[y, x]) is click["positive"]


def test_pointing_is_found_in_at_least_three_clips_and_masks_have_the_size_of_things() -> None:
    assert len(POINTED) >= 3
    for name in READABLE:
        width, height = TRUTH[name]["display_size_px"]
        for thing in TRUTH[name]["objects"].values():
            assert thing["mask"]["size"] == [height, width]
            assert sum(thing["mask"]["counts"]) == width * height
            assert 0.005 < decoded(thing["mask"]).mean() < 0.15


def test_the_mask_of_the_red_notebook_covers_the_red_of_the_last_picture() -> None:
    name = "P1/VID_20260504_074000.mp4"
    with av.open(str(RECORDINGS / name)) as container:
        container.seek(14_000_000)
        *_, last = container.decode(video=0)
    red, green, blue = np.moveaxis(last.to_ndarray(format="rgb24").astype(int), 2, 0)
    bright = (red > 120) & (green < 80) & (blue < 80)
    bright[:200] = False
    mask = decoded(TRUTH[name]["objects"]["P1-R3"]["mask"]).astype(bool)
    assert (bright & mask).sum() / bright.sum() > 0.95
    assert (bright & mask).sum() / mask.sum() > 0.5


def test_enrolment_is_four_seconds_of_the_participants_own_clean_words() -> None:
    for row in configuration()["participants"]:
        pieces = row["voice_enrolment"]
        assert len(pieces) >= 2
        assert sum(piece["end_s"] - piece["start_s"] for piece in pieces) >= 4
        for piece in pieces:
            heard = [
                word
                for word in words(f"{row['participant_id']}/{piece['file']}")
                if word["end_ms"] > 1000 * piece["start_s"]
                and word["begin_ms"] < 1000 * piece["end_s"]
            ]
            assert {word["speaker"] for word in heard} == {row["participant_id"]}
            assert heard[0]["begin_ms"] >= 1000 * piece["start_s"]
            assert heard[-1]["end_ms"] <= 1000 * piece["end_s"]


def test_the_configuration_names_only_what_exists_and_a_scenario_for_each_file() -> None:
    loaded = configuration()
    for row in loaded["participants"]:
        folder = SAMPLES / row["recordings"]
        assert {scenario["file"] for scenario in row["scenarios"]} == {
            path.name for path in folder.iterdir()
        }
        assert (SAMPLES / row["narrations"]).is_dir()
    for path in (
        loaded["annotations"]["clicks"],
        loaded["annotations"]["clips"],
        loaded["annotations"]["strokes"],
        loaded["truth"],
    ):
        assert (SAMPLES / path).is_file()
