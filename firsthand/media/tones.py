"""Pictures of high dynamic range, brought into the range that every reader expects."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from av.filter import Graph
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

__all__ = ["is_high_dynamic_range", "standard_range"]

# ITU-T H.273: SMPTE ST 2084 (PQ), and ARIB STD-B67 (HLG).
_HIGH_RANGE_TRANSFERS = frozenset({16, 18})
_STANDARD = (
    "out_color_matrix=bt709:out_primaries=bt709:out_transfer=bt709:out_range=tv:intent=perceptual"
)

# A graph computes its table of colours with the first picture, for seconds, and needs next to
# nothing for those that follow; passes over one recording, and over others like it, share it.
_GRAPHS: dict[tuple[object, ...], Graph] = {}


def is_high_dynamic_range(frame: VideoFrame) -> bool:
    """Whether a picture's brightness follows PQ or HLG."""
    return int(frame.color_trc) in _HIGH_RANGE_TRANSFERS


def standard_range(stream: VideoStream) -> Callable[[VideoFrame], VideoFrame]:
    """Return a function that brings a stream's pictures into BT.709's range and colours.

    Detectors, models and players take pixels for BT.709 unless they look closer; pictures of
    PQ or HLG would be pale to them. libswscale maps tones and colours perceptually; others
    pass as they are.
    """

    def to_standard(frame: VideoFrame) -> VideoFrame:
        if not is_high_dynamic_range(frame):
            return frame
        graph = _graph(stream, frame)
        graph.vpush(frame)
        return graph.vpull()

    return to_standard


def _graph(stream: VideoStream, frame: VideoFrame) -> Graph:
    colours = (frame.color_trc, frame.color_primaries, frame.colorspace, frame.color_range)
    key = (frame.width, frame.height, frame.format.name, stream.time_base, *map(int, colours))
    if key not in _GRAPHS:
        _GRAPHS[key] = _new_graph(stream)
    return _GRAPHS[key]


def _new_graph(stream: VideoStream) -> Graph:
    from av.filter import Graph

    graph = Graph()
    filters = (
        graph.add_buffer(template=stream),
        graph.add("scale", _STANDARD),
        graph.add("format", "yuv420p"),
        graph.add("buffersink"),
    )
    for before, after in pairwise(filters):
        before.link_to(after)
    graph.configure()
    return graph
