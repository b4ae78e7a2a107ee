"""When two people's clicks mean the same object: by what is cut out of the frame for them."""

from collections.abc import Callable, Sequence
from typing import cast

from firsthand.core.identity import Json
from firsthand.curation.likeness import Alike
from firsthand.curation.revisions import ReviewItem
from firsthand.masks.engines import Click, Mask

__all__ = ["LEAST_IOU", "clicks_of", "masks_alike"]

LEAST_IOU = 0.75
"""Two masks that share this much of their union are of one object."""


def clicks_of(item: ReviewItem) -> list[Click]:
    """Return the clicks of an item of kind `click`."""
    points = cast("Sequence[Sequence[Json]]", item.content["points"])
    return [
        Click(float(str(x_px)), float(str(y_px)), positive=on is True) for x_px, y_px, on in points
    ]


def masks_alike(cut: Callable[[ReviewItem], Mask]) -> Alike:
    """Return when two forms of an object's clicks say the same.

    They name it alike, on the same frame, and their masks overlap by `LEAST_IOU`.

    Args:
        cut: Cuts out the mask of an item's clicks; asked only where the clicks differ.
    """

    def are_alike(one: ReviewItem, other: ReviewItem) -> bool:
        if one.content["points"] == other.content["points"]:
            return _named(one) == _named(other)
        if _named(one) != _named(other) or not (one.content["points"] and other.content["points"]):
            return False
        masks = cut(one), cut(other)
        return bool((masks[0] & masks[1]).sum() >= LEAST_IOU * (masks[0] | masks[1]).sum())

    return are_alike


def _named(item: ReviewItem) -> tuple[str, Json]:
    return " ".join(str(item.content["label"]).casefold().split()), item.content["pts_us"]
