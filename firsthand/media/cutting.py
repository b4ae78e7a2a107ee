"""The begin of a recording as a file of its own: what could be seen and heard until a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firsthand.core.time import pts_to_us
from firsthand.media.encoding import written_container
from firsthand.media.packets import read_beginning
from firsthand.media.streams import opened, picture_stream

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["cut_until"]


def cut_until(path: Path, end_us: int, target: Path) -> None:
    """Write what a recording shows and sounds until a moment; nothing is encoded anew.

    For files that this library wrote: their pictures are stored in the order in which they
    are shown. The frame at the moment itself is kept, as a subject sees it; sound that ends
    later is left out.

    Args:
        path: The recording.
        end_us: The moment on the recording's clock, not below 0.
        target: The file to write.

    Raises:
        UnreadableMediaError: If the file cannot be read.
    """
    zero_us = read_beginning(path).zero_us
    with opened(path) as media, written_container(target) as cut:
        pictures = picture_stream(media, path)
        sounds = media.streams.audio[:1]
        written = {one.index: cut.add_stream_from_template(one) for one in (pictures, *sounds)}
        for packet in media.demux([pictures, *sounds]):
            if packet.pts is None or packet.time_base is None or packet.dts is None:
                continue
            heard_for = packet.duration or 0 if packet.stream in sounds else 0
            if pts_to_us(packet.pts + heard_for, packet.time_base) - zero_us > end_us:
                continue
            packet.stream = written[packet.stream.index]
            cut.mux(packet)
