"""Decoded pictures are freed as they go, so that memory does not grow with length."""

import gc

from firsthand.media.feed import Feed, FeedSettings
from firsthand.media.feed_ahead import Footage
from firsthand.media.feed_store import FrameStore
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


def test_the_feed_leaves_none_either(ffmpeg: Ffmpeg) -> None:
    path = ffmpeg(*PICTURE, *H264, "plain.mp4")
    # A small frame of each moment, none of them kept: only what piles up would be left.
    with Feed(FeedSettings(ahead=0), FrameStore(kept_bytes=1)) as feed:
        footage = Footage(path, "plain")
        times_us = feed.frame_times_us(footage)
        gc.collect()
        gc.disable()
        try:
            for time_us in times_us:
                feed.frame_at(footage, time_us)
            left = gc.collect()
        finally:
            gc.enable()
    assert len(times_us) == 20
    assert left < len(times_us)
