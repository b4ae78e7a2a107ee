"""A stretch of one recording as pages show it: the player, the stretch, the words around it."""

from collections.abc import Mapping

from firsthand.core.time import us_to_s
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app.footage import Footage

__all__ = ["moments_us", "stretch_view"]


def moments_us(item: ReviewItem) -> tuple[int, int]:
    """Return begin and end of an item that is a stretch of a recording, on its clock."""
    return int(str(item.content["begin_us"])), int(str(item.content["end_us"]))


def stretch_view(
    footage: Footage, recording_id: str, begin_us: int, end_us: int
) -> Mapping[str, object]:
    """Return what the player's template shows for a stretch on a recording's clock."""
    found = footage.place_of(recording_id)
    if found is None:
        nothing: tuple[object, ...] = ()
        return {
            "takes": nothing,
            "first_take": None,
            "evidence": nothing,
            "lines": nothing,
            "begin_us": begin_us,
            "end_us": end_us,
        }
    stream_id, take = found
    start_us = take.stream.start_us
    inside_us = min(start_us + begin_us, take.stream.end_us - 1)
    label = str(footage.timeline(stream_id).label_at(inside_us)).split(".")[0]
    return {
        "takes": (take,),
        "first_take": take,
        "evidence": [
            {
                "label": label,
                "recording_id": recording_id,
                "begin_s": us_to_s(begin_us),
                "end_s": us_to_s(end_us),
                "length_s": us_to_s(end_us - begin_us),
            }
        ],
        "lines": footage.lines(stream_id, start_us + begin_us, start_us + end_us),
        "begin_us": start_us + begin_us,
        "end_us": start_us + end_us,
    }
