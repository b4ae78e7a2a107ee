"""What originals say is found in whatever letters another file says it."""

import struct
from pathlib import Path

import pytest

from firsthand.media.atoms import atom_facts
from firsthand.media.traces import TraceKind, first_trace, has_header_time, traces_of
from tests.unit.media.conftest import H264, PICTURE, Ffmpeg

TAGS = (
    ("location", "+52.5163+013.3777/"),
    ("com.android.serial_number", "FHG1-0042-7719"),
    ("creation_time", "2026-05-09T12:10:00.000000Z"),
    ("device_name", "Robin's glasses"),
)
# 2026-05-09 12:10:00 UTC by `date -u -d … +%s`, and the 2,082,844,800 s from 1904 to 1970.
UNIX_S = 1_778_328_600
MAC_S = UNIX_S + 2_082_844_800
NOISE = bytes(range(256)) * 40


@pytest.mark.parametrize(
    ("key", "hidden"),
    [
        ("location", b"13.3777"),
        ("location", b"52.5163"),
        ("location", "+013.3777".encode("utf-16-le")),
        # 0.5163 degrees are 30.978 minutes, 0.3777 are 22.662.
        ("location", b"52,30.9780N"),
        ("location", b"13,22.662000E"),
        ("location", struct.pack(">2i", round(13.3777 * 65_536), round(52.5163 * 65_536))),
        ("location", struct.pack(">2i", 525_163_000, 133_777_000)),
        ("location", struct.pack("<2d", 52.5163, 13.3777)),
        ("com.android.serial_number", b"fhg1-0042-7719"),
        ("com.android.serial_number", "FHG1-0042-7719".encode("utf-16-be")),
        ("creation_time", b"2026:05:09 12:10:00"),
        ("creation_time", b"20260509T121000"),
        ("creation_time", b"2026-05-09 12:10:00"),
        ("creation_time", struct.pack(">2I", MAC_S, MAC_S)),
        ("creation_time", struct.pack("<q", UNIX_S * 1_000_000)),
        ("device_name", b"ROBIN'S GLASSES"),
    ],
)
def test_a_fact_is_found_in_many_spellings(tmp_path: Path, key: str, hidden: bytes) -> None:
    path = tmp_path / "any.bin"
    path.write_bytes(NOISE)
    assert first_trace(path, traces_of(TAGS)) is None
    path.write_bytes(NOISE + hidden + NOISE)
    found = first_trace(path, traces_of(TAGS))
    assert found is not None
    assert found.key == key
    for _, value in TAGS:
        assert value not in repr(found)


def test_a_trace_across_two_reads_is_found(tmp_path: Path) -> None:
    path = tmp_path / "any.bin"
    path.write_bytes(bytes((1 << 20) - 5) + b"FHG1-0042-7719" + bytes(100))
    assert first_trace(path, traces_of(TAGS)) is not None


def test_southern_and_western_places_have_their_letters(tmp_path: Path) -> None:
    path = tmp_path / "any.bin"
    traces = traces_of((("xyz", "-33.8568-070.2153/"),))
    for hidden in (b"33,51.4080S", b"70,12.9180W", b"-70.2153"):
        path.write_bytes(NOISE + hidden)
        assert first_trace(path, traces) is not None


def test_a_header_that_says_when_is_noticed(ffmpeg: Ffmpeg) -> None:
    dated = ffmpeg(*PICTURE, *H264, "-metadata", "creation_time=2026-05-09T12:10:00Z", "dated.mp4")
    plain = ffmpeg(*PICTURE, *H264, "-fflags", "+bitexact", "plain.mp4")
    assert has_header_time(dated)
    assert not has_header_time(plain)
    # The same by hand: the movie header's time of making is the four bytes after its flags.
    content = bytearray(plain.read_bytes())
    at = content.index(b"mvhd") + 8
    assert content[at : at + 4] == bytes(4)
    content[at : at + 4] = struct.pack(">I", MAC_S)
    plain.write_bytes(content)
    assert has_header_time(plain)


def test_atoms_that_readers_skip_are_read_for_what_they_say(ffmpeg: Ffmpeg) -> None:
    path = ffmpeg(*PICTURE, *H264, "-fflags", "+bitexact", "plain.mp4")
    assert atom_facts(path) == ()
    xmp = b'<x:xmpmeta exif:GPSLatitude="52,30.978N" aux:SerialNumber="FHG1-0042-7719"/>'
    free = "when 2026-05-09T12:10:00Z".encode("utf-16-le")
    boxes = b"".join(
        struct.pack(">I", len(payload) + 8) + kind + payload
        for kind, payload in ((b"uuid", bytes(16) + xmp), (b"free", free))
    )
    path.write_bytes(path.read_bytes() + boxes)
    facts = {(kind, value) for kind, _, value in atom_facts(path)}
    assert facts == {
        (TraceKind.PLACE, "52,30.978N"),
        (TraceKind.DEVICE, "FHG1-0042-7719"),
        (TraceKind.TIME, "2026-05-09T12:10:00Z"),
    }


def test_a_file_that_is_no_mp4_has_no_atoms(tmp_path: Path) -> None:
    path = tmp_path / "odd.avi"
    path.write_bytes(b"RIFF" + NOISE)
    assert atom_facts(path) == ()
