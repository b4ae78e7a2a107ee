"""Masks under review: an item is one object's pixels in a frame.

How it is shown and told. `mask_items` makes the items of a build from the rows of `masks`
in its private zone, which hold what the engine cut out; the id is
`<recording_id>/<referent_id>`, and `rle` is COCO's compressed text at display size. A mask
that is wrong gets other clicks (an edit of the item of kind `click`), out of which it is
cut anew, or other pixels: an edit of `rle`, which `check_mask_edit` checks.

What counts. Changed pixels count when they were accepted as changed, as long as the mask
they were drawn over is still the machine's. A rejected mask is left out.
"""

from collections.abc import Iterable, Mapping, Sequence

from firsthand.core.identity import Json
from firsthand.core.rle import RunLengthError, decode_rle
from firsthand.curation.reviewing import ReviewDecision, ReviewState
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.standing import standings, wrong_value

__all__ = ["MASK_KIND", "check_mask_edit", "mask_items", "reviewed_masks"]

MASK_KIND = "mask"

Row = Mapping[str, Json]


def mask_items(rows: Iterable[Row]) -> list[ReviewItem]:
    """Return one item for each row of table `masks`, in order of id."""
    return sorted(map(_item, rows), key=lambda item: item.item_id)


def check_mask_edit(item: ReviewItem, edit: Mapping[str, Json]) -> None:
    """Check the pixels that an edit gives.

    Raises:
        EditError: If they are no run lengths of a mask of the frame's size, or it is empty.
    """
    if "rle" not in edit:
        return
    size_hw = (int(str(item.content["height_px"])), int(str(item.content["width_px"])))
    text = edit["rle"]
    if not isinstance(text, str):
        raise wrong_value(item, "rle", type(text).__name__, "compressed run lengths")
    try:
        mask = decode_rle(text, size_hw)
    except RunLengthError as error:
        raise wrong_value(item, "rle", error.found, error.expected) from None
    if not mask.any():
        raise wrong_value(item, "rle", "an empty mask", "at least one pixel (or reject it)")


def reviewed_masks(
    rows: Iterable[Row], decisions: Sequence[ReviewDecision]
) -> dict[str, str | None]:
    """Return the masks that people changed, by referent: new run lengths, or None if rejected.

    Args:
        rows: One recording's rows of table `masks`, as the engine made them.
        decisions: In order of arrival.

    Raises:
        EditError: If an edit that counts gives pixels that cannot be used.
    """
    changed: dict[str, str | None] = {}
    for standing in standings(map(_item, rows), decisions).values():
        referent_id = str(standing.item.content["referent_id"])
        if standing.state is ReviewState.REJECTED:
            changed[referent_id] = None
        elif standing.is_corrected:
            check_mask_edit(standing.item, standing.item.content)
            changed[referent_id] = str(standing.item.content["rle"])
    return changed


def _item(row: Row) -> ReviewItem:
    name = f"{row['recording_id']}/{row['referent_id']}"
    return ReviewItem.of(MASK_KIND, name, {**row, "revision": 0})
