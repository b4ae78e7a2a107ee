import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from firsthand.core.metering import metered
from firsthand.core.time import Span
from firsthand.curation.face_corrections import corrections_of, face_item
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import edited
from firsthand.deid import (
    FACE_DETECTORS,
    DeidTargets,
    DetectorSettings,
    FacePlaces,
    FacePolicy,
    Hidden,
    audit_rows,
    check_container,
    deidentify,
    detection_rows,
    find_faces,
    track_boxes_from_rows,
    track_rows,
)
from firsthand.deid.faces import BoxPx, Detection
from firsthand.deid.tracking import BoxSource, TrackBox
from firsthand.media import probe
from firsthand.media.frames import decoded_frames
from firsthand.media.sound import mono_16k
from firsthand.store import TABLES, table_from_rows
from tests.unit.media.conftest import H264, SOUND, Ffmpeg

SAMPLES = Path(__file__).parents[3] / "data/samples"
NAME = "P1/VID_20260503_093025.mp4"
CASES = Path(__file__).parents[2] / "cases"
ENGINES = {"faces": "centerface", "text": "rapidocr", "voices": "resemblyzer", "copy": "x264"}
VFR = CASES / "02-vfr-index-vs-time/vfr.mp4"


class Always:
    """A detector that gives one answer whatever it is shown."""

    name = "always"

    def __init__(self, answer: list[Detection]) -> None:
        self.answer = answer

    def detect(
        self, picture_rgb: npt.NDArray[np.uint8], within_px: tuple[int, int] | None = None
    ) -> list[Detection]:
        assert picture_rgb.ndim == 3
        return self.answer


def test_a_real_face_in_motion_is_no_face_any_more(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    source = ffmpeg("-i", SAMPLES / "recordings" / NAME, "-t", "1", "-c", "copy", "second.mp4")
    detector = FACE_DETECTORS["centerface"](DetectorSettings())
    found = find_faces(source, detector, FacePolicy())
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    result = deidentify(source, Hidden(FacePlaces(found.tracks)), targets, unit_us=1_000_000)
    assert result.covered_frames == result.frames == probe(source).frames
    truth = json.loads((SAMPLES / "truth.json").read_text("utf-8"))["files"][NAME]["frames"]
    boxes = {frame["pts_us"]: frame["faces"][0] for frame in truth}
    for before, after in zip(decoded_frames(source), decoded_frames(targets.stream), strict=True):
        left, top, right, bottom = boxes[before.pts_us]
        old, new = (one.rgb[top:bottom, left:right].astype(float) for one in (before, after))
        assert np.abs(np.diff(new, axis=1)).mean() < 0.5 * np.abs(np.diff(old, axis=1)).mean()
    seen = [detector.detect(one.rgb) for one in list(decoded_frames(targets.stream))[::8]]
    assert all(face.score < 0.5 for faces in seen for face in faces)


def test_covered_places_go_through_the_tables_and_back() -> None:
    one_face = Always([Detection(BoxPx(10, 20, 30, 50), 0.9)])
    found = find_faces(VFR, one_face, FacePolicy())
    assert len(found.frame_pts_us) == len(found.tracks) == 140
    detections = table_from_rows(TABLES["detections"], detection_rows(found, "p1", "r1"))
    tracks = table_from_rows(TABLES["tracks"], track_rows(found.tracks, "p1", "r1"))
    assert detections.num_rows == len(found.sightings) < 140
    assert track_boxes_from_rows(tracks.to_pylist()) == list(found.tracks)


def test_whole_frames_are_looked_at_no_sooner_than_said() -> None:
    found = find_faces(VFR, Always([]), FacePolicy(look_us=300_000))
    times_us = [sighting.pts_us for sighting in found.sightings]
    assert times_us[0] == 0
    assert times_us[-1] == found.frame_pts_us[-1]
    assert found.looks == len(times_us)
    # 30 frames a second for 2 s, 5 for 4 s, 30 for 2 s.
    steps = np.diff(times_us[:-1])
    assert set(steps[2:5]) == {300_000}
    assert steps.min() >= 100_000
    every = find_faces(VFR, Always([]), FacePolicy(look_us=0))
    assert [sighting.pts_us for sighting in every.sightings] == list(found.frame_pts_us)


def test_only_what_is_named_is_covered_and_silenced(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    picture = ("-f", "lavfi", "-i", "testsrc2=s=320x240:r=10:d=2")
    tags = ("-metadata", "location=+52.5200+013.4050/", "-metadata", "title=Anna at home")
    source = ffmpeg(*picture, *SOUND, *tags, *H264, "-c:a", "aac", "-b:a", "128k", "tagged.mp4")
    box = BoxPx(140, 100, 180, 140)
    tracks = [TrackBox(0, pts_us, box, BoxSource.DETECTED) for pts_us in (500_000, 600_000)]
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    spans = [Span(700_000, 1_200_000), Span(1_000_000, 1_300_000)]
    result = deidentify(
        source, Hidden(FacePlaces(tracks), voices=spans), targets, unit_us=1_000_000
    )
    assert (result.frames, result.covered_frames, result.tracks) == (20, 2, 1)
    assert result.muted_us == 600_000
    for path in (targets.stream, targets.proxy):
        check_container(path, probe(source).tags)
    differences = {
        before.pts_us: np.abs(before.rgb.astype(int) - after.rgb.astype(int))
        for before, after in zip(
            decoded_frames(source), decoded_frames(targets.stream), strict=True
        )
    }
    inside = {pts_us: d[100:140, 140:180].mean() for pts_us, d in differences.items()}
    assert min(inside[500_000], inside[600_000]) > 3 * max(inside[400_000], inside[700_000])
    heard = np.abs(mono_16k(targets.stream))
    assert heard[round(0.72 * 16_000) : round(1.28 * 16_000)].max() < 1e-3
    assert heard[: round(0.65 * 16_000)].max() > 0.1
    assert heard[round(1.35 * 16_000) :].max() > 0.1


def test_a_correction_is_painted_without_asking_a_detector(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    noise = "nullsrc=s=320x240:r=10:d=1,geq=random(1)*255:128:128"
    source = ffmpeg("-f", "lavfi", "-i", noise, *H264, "noise.mp4")
    wrong = [TrackBox(0, n * 100_000, BoxPx(20, 20, 60, 60), BoxSource.DETECTED) for n in range(10)]
    item = face_item("r1", 300_000)
    seen = (item.item_kind, item.item_id, item.revision, item.content_digest, "r")
    missed = [300_000, 600_000, 200, 100, 240, 150]
    edit = {"covered": [missed], "uncovered": [[0, 500_000, 15, 15, 65, 65]]}
    decisions = [ReviewDecision(*seen, DecisionKind.EDIT, "", 1.0, edit)]
    present = edited(item, edit)
    accepted = (item.item_kind, item.item_id, 1, present.content_digest, "r")
    decisions.append(ReviewDecision(*accepted, DecisionKind.ACCEPT, "", 1.0))
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    with metered() as calls:
        faces = FacePlaces(wrong, corrections_of("r1", decisions))
        deidentify(source, Hidden(faces), targets, unit_us=1_000_000)
    assert calls == {}
    for before, after in zip(decoded_frames(source), decoded_frames(targets.stream), strict=True):
        change = np.abs(before.rgb.astype(int) - after.rgb.astype(int)).mean(axis=2)
        is_missed = 300_000 <= before.pts_us < 600_000
        assert (change[100:150, 200:240].mean() > 40) == is_missed
        assert (change[20:60, 20:60].mean() > 40) == (before.pts_us >= 500_000)


def test_the_audit_says_what_was_done(tmp_path: Path) -> None:
    source = CASES / "05-no-audio-stream/silent_track_absent.mp4"
    box = TrackBox(3, 0, BoxPx(0, 0, 1000, 1000), BoxSource.DETECTED)
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    result = deidentify(
        source, Hidden(FacePlaces([box]), voices=[Span(0, 1_000)]), targets, unit_us=1_000_000
    )
    rows = table_from_rows(TABLES["deid_audit"], audit_rows(result, "p1", "r1", ENGINES))
    values = dict(zip(rows["measure"].to_pylist(), rows["value"].to_pylist(), strict=True))
    assert values["covered_area_share"] == pytest.approx(1 / 30)
    assert (values["frames"], values["covered_frames"], values["face_tracks"]) == (30, 1, 1)
    # Case 05: no sound is not the same as sound in which nobody speaks.
    assert values["sound"] == 0
    assert not {"muted_sound", "overlapped_speech"} & set(values)
    told = {row["measure"]: row["unit"] for row in rows.to_pylist()}
    for measure in ("speech_recognition", "speech_removal"):
        assert told[measure].startswith("not applicable")


def test_writing_is_painted_over_to_the_corners_of_its_box(tmp_path: Path) -> None:
    source = CASES / "05-no-audio-stream/silent_track_absent.mp4"
    pts_us = [picture.pts_us for picture in decoded_frames(source)]
    box = BoxPx(40, 30, 120, 50)
    lines = [TrackBox(0, pts, box, BoxSource.DETECTED) for pts in pts_us[:10]]
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    result = deidentify(source, Hidden(texts=FacePlaces(lines)), targets, unit_us=1_000_000)
    assert (result.covered_frames, result.texts, result.text_frames) == (0, 1, 10)
    covered = [one.rgb[31:49, 41:119] for one in decoded_frames(targets.stream)]
    assert max(np.ptp(piece) for piece in covered[:10]) < 40
    assert min(np.ptp(piece) for piece in covered[10:]) > 100
