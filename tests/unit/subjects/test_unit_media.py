import io
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from firsthand.core.identity import digest_file
from firsthand.media.feed import Feed
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.subject import PictureSpan, Unit
from firsthand.subjects.unit_media import ClipMedia
from tests.unit.media.conftest import H264, Ffmpeg, ffmpeg
from tests.unit.media.numbered import number_in, write_numbered

__all__ = ["ffmpeg"]

S = 1_000_000
FIRST_MS = [round(n * 1000 / 30) for n in range(135)]  # 4.5 s, frames 0 – 134
SECOND_MS = [n * 250 for n in range(14)]  # 3.5 s at 4 frames a second


@pytest.fixture
def feed() -> Iterator[Feed]:
    with Feed() as opened:
        yield opened


def span(path: Path, clip_id: str, start_us: int, end_us: int) -> PictureSpan:
    return PictureSpan(clip_id, digest_file(path), start_us, start_us, end_us)


def stream(*spans: PictureSpan) -> list[Unit]:
    material = StreamMaterial("s", "p", spans[-1].end_us, (), (), spans, {})
    return list(material.units(S))


def shown(media: ClipMedia, unit: Unit) -> list[tuple[int, int]]:
    return [(number_in(p.media.payload), p.shown_us) for p in media.pictures(unit)]


@pytest.fixture
def clips(tmp_path: Path) -> dict[str, Path]:
    return {
        "first": write_numbered(tmp_path / "first.mp4", FIRST_MS),
        "second": write_numbered(tmp_path / "second.mp4", SECOND_MS),
    }


def test_a_unit_shows_the_last_frame_at_or_before_its_end(
    feed: Feed, clips: dict[str, Path]
) -> None:
    units = stream(
        span(clips["first"], "first", 0, 4_500_000),
        span(clips["second"], "second", 4_500_000, 8 * S),
    )
    media = ClipMedia(feed, clips.__getitem__)
    # Thirty frames a second, one on each whole second; the second clip begins at 4.5 s, so
    # that its frames lie at 4.5, 4.75, 5.0, …
    assert [shown(media, unit) for unit in units] == [
        [(30, 1_000_000)],
        [(60, 2_000_000)],
        [(90, 3_000_000)],
        [(120, 4_000_000)],
        [(2, 5_000_000)],
        [(6, 6_000_000)],
        [(10, 7_000_000)],
        [(13, 7_750_000)],
    ]


def test_several_frames_of_a_unit_are_equal_steps_that_end_with_it(
    feed: Feed, clips: dict[str, Path]
) -> None:
    units = stream(
        span(clips["first"], "first", 0, 4_500_000),
        span(clips["second"], "second", 4_500_000, 8 * S),
    )
    media = ClipMedia(feed, clips.__getitem__, pictures_per_unit=4)
    # At 4.25 and 4.5 s the first clip is on, whose last frame is number 134 at 4.467 s.
    assert shown(media, units[4]) == [
        (127, 4_233_000),
        (134, 4_467_000),
        (1, 4_750_000),
        (2, 5_000_000),
    ]


def test_nothing_later_than_a_units_end_is_ever_handed_out(
    feed: Feed, clips: dict[str, Path]
) -> None:
    first = span(clips["first"], "first", 0, 4_500_000)
    media = ClipMedia(feed, clips.__getitem__, pictures_per_unit=3)
    for start_us in np.random.default_rng(1).integers(0, 4 * S, 40).tolist():
        unit = Unit(start_us, start_us + 300_001, pictures=(cut(first, start_us),))
        for picture in media.pictures(unit):
            assert picture.shown_us <= unit.end_us
            assert FIRST_MS[number_in(picture.media.payload)] * 1000 == picture.shown_us


def cut(whole: PictureSpan, start_us: int) -> PictureSpan:
    return PictureSpan(
        whole.clip_id, whole.proxy_sha256, whole.clip_start_us, start_us, start_us + 300_001
    )


def samples_of(wav: bytes) -> np.ndarray:
    with wave.open(io.BytesIO(wav)) as sound:
        assert (sound.getnchannels(), sound.getframerate()) == (1, 16_000)
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2") / 32_767


def test_a_unit_across_two_clips_sounds_like_both(
    feed: Feed, ffmpeg: Ffmpeg, clips: dict[str, Path]
) -> None:
    loud = ffmpeg(
        *("-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=4.5"),
        *("-f", "lavfi", "-i", "sine=f=440:d=4.5", *H264, "-c:a", "pcm_s16le", "loud.mov"),
    )
    paths = {**clips, "loud": loud}
    units = stream(
        span(loud, "loud", 0, 4_500_000), span(clips["second"], "second", 4_500_000, 8 * S)
    )
    media = ClipMedia(feed, paths.__getitem__)
    across = media.sound(units[4])
    assert across is not None
    heard = np.abs(samples_of(across.payload))
    assert len(heard) == 16_000
    assert heard[:7_900].max() > 0.1
    assert not heard[8_001:].any()
    assert media.sound(units[6]) is None
