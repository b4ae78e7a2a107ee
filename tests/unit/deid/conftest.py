"""Recordings made by ffmpeg, as the tests of the media room have them."""

from tests.unit.media.conftest import ffmpeg

__all__ = ["ffmpeg"]
