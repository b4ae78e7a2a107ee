"""Decoded pictures are freed as they go, so that memory does not grow with length."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from firsthand.media.feed import Feed, FeedSettings
from firsthand.media.feed_ahead import Footage
from firsthand.media.feed_store import FrameStore
from firsthand.media.frames import decoded_frames
from tests.unit.media.conftest import H264, PICTURE, Ffmpeg

# What a picture is made of; other threads of the test's process may leave garbage meanwhile.
PICTURES = ("av", "firsthand", "numpy")


@contextmanager
def garbage() -> Iterator[list[object]]:
    """Give the list of what the block leaves of pictures that only a collection would free."""
    left: list[object] = []
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield left
        gc.collect()
        left += [one for one in gc.garbage if type(one).__module__.split(".")[0] in PICTURES]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_pictures_leave_no_garbage_that_only_a_collection_would_free(ffmpeg: Ffmpeg) -> None:
    path = ffmpeg(*PICTURE, *H264, "plain.mp4")
    with garbage() as left:
        count = sum(1 for _ in decoded_frames(path))
    assert count == 20
    # The first picture's side data are read, which costs a handful of objects once.
    assert len(left) < count


def test_the_feed_leaves_none_either(ffmpeg: Ffmpeg) -> None:
    path = ffmpeg(*PICTURE, *H264, "plain.mp4")
    # A small frame of each moment, none of them kept: only what piles up would be left.
    with Feed(FeedSettings(ahead=0), FrameStore(kept_bytes=1)) as feed:
        footage = Footage(path, "plain")
        times_us = feed.frame_times_us(footage)
        with garbage() as left:
            for time_us in times_us:
                feed.frame_at(footage, time_us)
    assert len(times_us) == 20
    assert len(left) < len(times_us)


def test_a_picture_that_holds_itself_is_found(ffmpeg: Ffmpeg) -> None:
    path = ffmpeg(*PICTURE, *H264, "plain.mp4")
    with garbage() as left:
        for picture in decoded_frames(path):
            holder: list[object] = [picture]
            holder.append(holder)
            del picture, holder
    assert len(left) >= 20
