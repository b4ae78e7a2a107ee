"""High dynamic range: marked, brought into BT.709, and marked so in the copies."""

from pathlib import Path

import numpy as np
import pytest

from firsthand.deid import DeidTargets, Hidden, deidentify
from firsthand.media.frames import decoded_frames
from firsthand.media.probe import probe
from tests.unit.media.conftest import H264, PICTURE, Ffmpeg

WIDTH, HEIGHT = 64, 48
NITS = (0.1, 100.0, 203.0, 1_000.0)
BT709, BT2020 = 1, 9


def pq(nits: float) -> float:
    """SMPTE ST 2084: the signal of a brightness."""
    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
    linear = (nits / 10_000) ** m1
    return float(((c1 + c2 * linear) / (1 + c3 * linear)) ** m2)


@pytest.fixture
def bright(ffmpeg: Ffmpeg, tmp_path: Path) -> Path:
    """Four greys of known brightness, in PQ with 10 bits."""
    levels = [np.full(WIDTH // 4, round(64 + pq(nits) * 876), "<u2") for nits in NITS]
    luma = np.tile(np.concatenate(levels), (HEIGHT, 1))
    chroma = np.full(HEIGHT * WIDTH // 2, 512, "<u2")
    (tmp_path / "hdr.raw").write_bytes((luma.tobytes() + chroma.tobytes()) * 10)
    marks = ("-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc")
    raw = ("-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", f"{WIDTH}x{HEIGHT}", "-r", "10")
    return ffmpeg(
        *(*raw, *marks, "-color_range", "tv", "-i", tmp_path / "hdr.raw", "-c:v", "libx265"),
        *("-x265-params", "log-level=none", *marks, "hdr.mp4"),
    )


def greys(path: Path) -> list[list[int]]:
    rgb = next(decoded_frames(path)).rgb
    return [[int(value) for value in rgb[HEIGHT // 2, 8 + 16 * number]] for number in range(4)]


def test_high_range_is_marked_and_a_plain_picture_is_not(bright: Path, ffmpeg: Ffmpeg) -> None:
    assert {"high_dynamic_range", "deep_picture"} <= set(probe(bright).warnings)
    deep = ffmpeg(*PICTURE, "-c:v", "libx264", "-pix_fmt", "yuv420p10le", "deep.mp4")
    assert probe(deep).warnings == ("deep_picture", "no_audio")
    assert probe(ffmpeg(*PICTURE, *H264, "plain.mp4")).warnings == ("no_audio",)


def test_greys_stay_grey_in_order_and_use_the_whole_range(bright: Path) -> None:
    found = greys(bright)
    assert all(max(rgb) - min(rgb) <= 2 for rgb in found)
    levels = [rgb[1] for rgb in found]
    assert levels == sorted(levels)
    # Read as BT.709, the signal itself would give 15 for black and 190 for 1,000 nits.
    assert levels[0] <= 10
    assert levels[-1] >= 200
    # What is ten times as bright stays clearly apart.
    assert levels[-1] - levels[1] >= 60


def test_the_copies_are_plain_bt709_and_say_so(bright: Path, tmp_path: Path) -> None:
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    deidentify(bright, Hidden(), targets, unit_us=1_000_000)
    first = next(decoded_frames(targets.stream)).coded
    assert (int(first.color_trc), int(first.color_primaries)) == (BT709, BT709)
    assert first.format.name == "yuv420p"
    assert np.abs(np.subtract(greys(targets.stream), greys(bright))).max() <= 4
    assert "high_dynamic_range" not in probe(targets.stream).warnings


def test_a_display_matrix_of_no_quarter_turn_is_not_applied_and_named(ffmpeg: Ffmpeg) -> None:
    flat = ffmpeg(*PICTURE, *H264, "flat.mp4")
    slanted = ffmpeg("-display_rotation", "30", "-i", flat, "-c", "copy", "slanted.mp4")
    found = probe(slanted)
    assert "odd_display_matrix" in found.warnings
    assert (found.width_px, found.height_px, found.rotation_deg) == (160, 120, 0)
