"""Recordings with one quirk each: the kept cases, and files that ffmpeg makes on the spot."""

from collections.abc import Callable
from pathlib import Path

from tests.unit.media.conftest import Ffmpeg

__all__ = ["KEPT", "MADE", "cut_off", "made"]

CASES = Path(__file__).parents[2] / "cases"
KEPT = (
    CASES / "02-vfr-index-vs-time/vfr.mp4",
    CASES / "03-audio-starts-late/late_audio.mp4",
    CASES / "05-no-audio-stream/silent_track_absent.mp4",
    CASES / "06-still-picture-stream-first/cover.mp4",
    CASES / "06-still-picture-stream-first/thumb_first.mov",
    CASES / "08-odd-dimensions/odd.mp4",
    CASES / "10-two-audio-tracks/two_tracks.mp4",
    CASES / "13-creation-time-sentinel/VID_20260503_093000.mp4",
    CASES / "16-nonzero-start-ts/start3600.ts",
    CASES / "43-mask-of-rotated-frame/rot90.mp4",
)

_SHOWN = ("-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=2")
# A tone that rises never matches itself at another place, so that a shift cannot hide.
_HEARD = ("-f", "lavfi", "-i", "aevalsrc='0.4*sin(2*PI*(300+400*t)*t)':s=48000:d=2")
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "25")
_AAC = ("-c:a", "aac", "-b:a", "128k")
_PLAIN = (*_SHOWN, *_HEARD, *_H264, *_AAC)
_HDR = ("-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc")


def _cut(ffmpeg: Ffmpeg) -> Path:
    """An edit list that hides the pictures between a key frame and the cut."""
    whole = ffmpeg(*_PLAIN, "whole.mov")
    return ffmpeg("-ss", "0.55", "-i", whole, "-c", "copy", "cut.mp4")


def _turned(ffmpeg: Ffmpeg) -> Path:
    flat = ffmpeg(*_PLAIN, "flat.mp4")
    matrix = ("-display_rotation", "180", "-display_hflip")
    return ffmpeg(*matrix, "-i", flat, "-c", "copy", "turned.mp4")


def cut_off(ffmpeg: Ffmpeg, name: str, *, share: float) -> Path:
    """A file whose end never reached the disk."""
    whole = ffmpeg(*_PLAIN, f"whole-{name}")
    part = whole.with_name(name)
    part.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * share)])
    return part


MADE: dict[str, Callable[[Ffmpeg], Path]] = {
    "gappy sound": lambda ffmpeg: ffmpeg(
        *_PLAIN, "-bsf:a", "noise=drop='between(pts*tb,0.8,1.1)'", "gappy.mkv"
    ),
    "sound first": lambda ffmpeg: ffmpeg("-itsoffset", "0.3", *_PLAIN, "early.mkv"),
    "sound late": lambda ffmpeg: ffmpeg(
        *_SHOWN, "-itsoffset", "0.7", *_HEARD, *_H264, *_AAC, "-t", "2", "late.mp4"
    ),
    "sound ends early": lambda ffmpeg: ffmpeg(
        *_SHOWN, *_HEARD, *_H264, *_AAC, "-af", "atrim=end=1.2", "short.mp4"
    ),
    "edit list": _cut,
    "B-frames": lambda ffmpeg: ffmpeg(*_PLAIN, "-bf", "3", "bframes.mp4"),
    "AVI with B-frames": lambda ffmpeg: ffmpeg(
        *_SHOWN, *_HEARD, *_H264, "-bf", "2", "-c:a", "pcm_s16le", "b.avi"
    ),
    "AVI of the old coding": lambda ffmpeg: ffmpeg(
        *_SHOWN, *_HEARD, "-c:v", "mpeg4", "-bf", "2", "-c:a", "libmp3lame", "old.avi"
    ),
    "turned and mirrored": _turned,
    "milliseconds": lambda ffmpeg: ffmpeg(
        "-f", "lavfi", "-i", "testsrc=s=160x120:r=30000/1001:d=2", *_HEARD, *_H264, *_AAC, "ms.mkv"
    ),
    "fragments": lambda ffmpeg: ffmpeg(
        *_PLAIN, "-movflags", "frag_keyframe+empty_moov", "fragments.mp4"
    ),
    "transport stream": lambda ffmpeg: ffmpeg(*_PLAIN, "-output_ts_offset", "95000", "wrap.ts"),
    "deep and bright": lambda ffmpeg: ffmpeg(
        *(*_SHOWN, *_HEARD, "-vf", "format=yuv420p10le", *_HDR),
        *("-c:v", "libx265", "-x265-params", "log-level=none", *_AAC, "hdr.mp4"),
    ),
    "deep": lambda ffmpeg: ffmpeg(
        *_SHOWN, *_HEARD, "-c:v", "libx264", "-pix_fmt", "yuv422p10le", *_AAC, "deep.mp4"
    ),
    "wide sound": lambda ffmpeg: ffmpeg(*_PLAIN, "-ac", "6", "-ar", "44100", "wide.mp4"),
    "uncompressed sound": lambda ffmpeg: ffmpeg(
        *_SHOWN, *_HEARD, *_H264, "-c:a", "pcm_s24le", "-ar", "44100", "pcm.mov"
    ),
    "cut off, indexed by pieces": lambda ffmpeg: cut_off(ffmpeg, "cut.mkv", share=0.7),
    "a name of many scripts": lambda ffmpeg: ffmpeg(*_PLAIN, "第1天 – 妈妈's #2 (副本) 100%d.mp4"),
}
"""By what is odd about it, a function that makes the file."""


def made(quirk: str, ffmpeg: Ffmpeg) -> Path:
    """Make the file with a quirk."""
    return MADE[quirk](ffmpeg)
