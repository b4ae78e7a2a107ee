"""One original that tells where it was made in every way that a container has."""

import struct
from pathlib import Path

import av
import pytest

from firsthand.core.time import Span
from firsthand.deid import DeidTargets, Hidden, LeakedMetadataError, check_container, deidentify
from firsthand.media.atoms import atom_facts
from firsthand.media.packets import read_beginning
from firsthand.media.tags import identifying_tags
from tests.unit.media.conftest import H264, PICTURE, SOUND, Ffmpeg

CASES = Path(__file__).parents[2] / "cases"
SECRETS = (b"13.3777", b"FHG1-0042-7719", b"30.978N", b"number is", b"2026-05-09", b"Robin")
TEXT = "1\n00:00:00,000 --> 00:00:01,000\nmy number is 030 555 0142\n"


@pytest.fixture
def telling(ffmpeg: Ffmpeg, tmp_path: Path) -> Path:
    """Two sounds, a subtitle, a time code, five tags, XMP: each with something to say."""
    subtitle = tmp_path / "said.srt"
    subtitle.write_text(TEXT, encoding="utf-8")
    tags = {
        "location": "+52.5163+013.3777/",
        "creation_time": "2026-05-09T12:10:00Z",
        "com.android.serial_number": "FHG1-0042-7719",
        "device_name": "Robin's glasses",
        "timecode": "12:10:00:00",
    }
    words = [word for key, value in tags.items() for word in ("-metadata", f"{key}={value}")]
    film = ffmpeg(
        *(*PICTURE, *SOUND, *SOUND, "-i", subtitle),
        *("-map", "0", "-map", "1", "-map", "2", "-map", "3", *H264),
        *("-c:a", "aac", "-c:s", "mov_text"),
        *("-movflags", "use_metadata_tags", *words, "telling.mp4"),
    )
    xmp = b'<x:xmpmeta exif:GPSLatitude="52,30.978N" aux:SerialNumber="FHG1-0042-7719"/>'
    box = struct.pack(">I", len(xmp) + 24) + b"uuid" + bytes(16) + xmp
    film.write_bytes(film.read_bytes() + box)
    return film


def test_nothing_of_it_is_in_the_copies(telling: Path, tmp_path: Path) -> None:
    assert all(secret in telling.read_bytes() for secret in SECRETS if b"30" not in secret[:2])
    began = read_beginning(telling)
    assert (began.audio_tracks, began.other_streams) == (2, True)
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    deidentify(telling, Hidden(), targets, unit_us=1_000_000)
    for path in (targets.stream, targets.proxy):
        check_container(path, identifying_tags(began.tags), atom_facts(telling))
        content = path.read_bytes()
        assert not any(secret in content for secret in SECRETS)
        with av.open(str(path)) as media:
            assert [stream.type for stream in media.streams] == ["video", "audio"]


def test_a_plain_copy_of_it_is_refused_for_each_thing_it_says(
    telling: Path, ffmpeg: Ffmpeg
) -> None:
    bare = ("-map_metadata", "-1", "-fflags", "+bitexact", "-c", "copy")
    for maps, told in (
        (("-map", "0:0", "-map", "0:1", "-map", "0:2"), "further sound"),
        (("-map", "0:0", "-map", "0:1", "-map", "0:3"), "neither picture nor sound"),
    ):
        copy = ffmpeg("-i", telling, *maps, *bare, "copy.mp4")
        with pytest.raises(LeakedMetadataError, match=told):
            check_container(copy, ())


def test_a_cover_picture_is_refused_in_a_copy_and_left_out_of_ours(
    ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    cover = ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", "cover.png")
    still = ("-map", "0", "-map", "1", "-c:v:1", "copy", "-disposition:v:1", "attached_pic")
    film = ffmpeg(*PICTURE, "-i", cover, *still, *H264[2:], "-fflags", "+bitexact", "film.mp4")
    assert read_beginning(film).still_pictures == 1
    with pytest.raises(LeakedMetadataError, match="further picture"):
        check_container(film, ())
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    deidentify(film, Hidden(), targets, unit_us=1_000_000)
    check_container(targets.stream, ())
    assert read_beginning(targets.stream).still_pictures == 0


def test_the_second_sound_of_the_case_reaches_nothing(tmp_path: Path) -> None:
    source = CASES / "10-two-audio-tracks/two_tracks.mp4"
    assert read_beginning(source).audio_tracks == 2
    targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    # The bystander's track is the second one; the first is the participant's, kept here.
    deidentify(source, Hidden(voices=[Span(0, 1_000)]), targets, unit_us=1_000_000)
    for path in (targets.stream, targets.proxy):
        assert read_beginning(path).audio_tracks == 1
        check_container(path, ())
