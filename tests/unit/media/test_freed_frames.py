"""Decoded pictures are freed as they go, so that memory does not grow with length."""

import gc

from firsthand.media.frames import decoded_frames
from tests.unit.media.conftest import H264, PICTURE, Ffmpeg


def test_pictures_leave_no_garbage_that_only_a_collection_would_free(ffmpeg: Ffmpeg) -> None:
    path = ffmpeg(*PICTURE, *H264, "plain.mp4")
    gc.collect()
    gc.disable()
    try:
        count = sum(1 for _ in decoded_frames(path))
        left = gc.collect()
    finally:
        gc.enable()
    assert count == 20
    # The first picture's side data are read, which costs a handful of objects once.
    assert left < count
