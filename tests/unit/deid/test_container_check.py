from pathlib import Path

import pytest

from firsthand.deid import LeakedMetadataError, check_container
from firsthand.media import probe
from tests.unit.media.conftest import H264, PICTURE, Ffmpeg

SECRETS = {
    "location": "+52.5200+013.4050/",
    "serial_number": "SN-4711-X",
    "com.android.model": "Brillenkamera Ü2",
    "creation_time": "2026-05-03T07:30:00.000000Z",
}


def recording(ffmpeg: Ffmpeg, name: str, tags: dict[str, str]) -> Path:
    words = [word for key, value in tags.items() for word in ("-metadata", f"{key}={value}")]
    bare = ("-fflags", "+bitexact", "-flags:v", "+bitexact")
    return ffmpeg(*PICTURE, *H264, *words, "-movflags", "use_metadata_tags", *bare, name)


@pytest.mark.parametrize("key", SECRETS)
def test_a_copy_that_keeps_a_tag_is_refused_by_its_key(ffmpeg: Ffmpeg, key: str) -> None:
    source = recording(ffmpeg, "source.mp4", SECRETS)
    leaky = recording(ffmpeg, "leaky.mp4", {key: SECRETS[key]})
    with pytest.raises(LeakedMetadataError, match=key) as caught:
        check_container(leaky, probe(source).tags)
    assert SECRETS[key] not in str(caught.value)


@pytest.mark.parametrize(
    "hidden",
    [
        b"SN-4711-X",
        b"...+013.4050...",
        b"2026-05-03 07:30:00",
        "Brillenkamera Ü2".encode("latin-1"),
        "Brillenkamera Ü2".encode("utf-16-le"),
    ],
)
def test_a_value_anywhere_among_the_bytes_is_found(ffmpeg: Ffmpeg, hidden: bytes) -> None:
    tags = probe(recording(ffmpeg, "source.mp4", SECRETS)).tags
    clean = recording(ffmpeg, "clean.mp4", {})
    check_container(clean, tags)
    # An MP4 box that readers skip; its name and length come first.
    box = (len(hidden) + 8).to_bytes(4, "big") + b"free" + hidden
    clean.write_bytes(clean.read_bytes() + box)
    with pytest.raises(LeakedMetadataError):
        check_container(clean, tags)


def test_a_value_across_two_reads_is_found(ffmpeg: Ffmpeg) -> None:
    clean = recording(ffmpeg, "clean.mp4", {})
    content = clean.read_bytes()
    padding = (1 << 20) - len(content) - 8 - 4
    box = (padding + 9 + 8).to_bytes(4, "big") + b"free" + bytes(padding) + b"SN-4711-X"
    clean.write_bytes(content + box)
    with pytest.raises(LeakedMetadataError):
        check_container(clean, [("serial_number", "SN-4711-X")])


def test_short_values_are_not_found_by_chance(ffmpeg: Ffmpeg) -> None:
    check_container(recording(ffmpeg, "clean.mp4", {}), [("rating", "mp4"), ("part", "1")])
