"""Stretches that hold two voices: an item is a stretch that the machine took for one voice.

How it is shown and told. `split_item` makes it of a row of `speakers` in the private zone; the id
is that of the stretch. An edit sets `moments`, in order, at which people part it; none joins it
again. `check_split` says what is wrong with them. It has no page of its own: stretches are parted
on the page of voices, where each part is then an item of kind `speaker`.

What counts. A split counts as soon as it is said, and changes nothing that can be heard: each
part has the speaker that counts for the whole, until somebody decides on the part.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from firsthand.core.identity import Json
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.speaker_items import BYSTANDER_NAME, reviewed_speakers
from firsthand.curation.standing import listed, moment_us, standings, wrong_value

__all__ = ["SHORTEST_PART_US", "SPLIT_KIND", "check_split", "parts_of", "split_item"]

SPLIT_KIND = "split"
SHORTEST_PART_US = 100_000
"""A part is at least this long: nobody hears whose voice a shorter one is."""

Row = Mapping[str, Json]


def split_item(row: Row) -> ReviewItem:
    """Return the item of a row of table `speakers`, whole."""
    name = f"{row['recording_id']}/{row['begin_us']}"
    return ReviewItem.of(SPLIT_KIND, name, {**row, "moments": [], "revision": 0})


def check_split(item: ReviewItem, edit: Mapping[str, Json]) -> None:
    """Check the moments that an edit gives.

    Raises:
        EditError: If they are no moments in order, or a part would be shorter than
            `SHORTEST_PART_US`.
    """
    _bounds(item, edit.get("moments", []))


def parts_of(rows: Iterable[Row], decisions: Sequence[ReviewDecision]) -> dict[int, list[Row]]:
    """Return the parts of the stretches that people split, by the begin of the stretch.

    A part is the stretch's row with its own times, and the speaker that counts for the whole.

    Args:
        rows: One recording's rows of table `speakers`, as the machine made them.
        decisions: In order of arrival.

    Raises:
        EditError: If an edit that counts cannot be used.
    """
    own = {f"{row['recording_id']}/{row['begin_us']}": row for row in rows}
    speakers = reviewed_speakers(own.values(), decisions)
    parted: dict[int, list[Row]] = {}
    for name, standing in standings(map(split_item, own.values()), decisions).items():
        row, begin_us = own[name], int(str(own[name]["begin_us"]))
        bounds_us = _bounds(standing.item, standing.item.content["moments"])
        if standing.item.content["moments"]:
            speaker = speakers.get(begin_us, row["speaker"])
            told = {"speaker": speaker, "consented": speaker != BYSTANDER_NAME}
            parted[begin_us] = [
                {**row, **told, "begin_us": first_us, "end_us": last_us}
                for first_us, last_us in pairwise(bounds_us)
            ]
    return parted


def _bounds(item: ReviewItem, moments: Json) -> list[int]:
    """Return begin, moments and end of a stretch."""
    inside = [moment_us(item, "moments", one) for one in listed(item, "moments", moments)]
    begin_us, end_us = (int(str(item.content[name])) for name in ("begin_us", "end_us"))
    bounds = [begin_us, *inside, end_us]
    # A stretch that nobody splits may be shorter than a part.
    if inside and any(b - a < SHORTEST_PART_US for a, b in pairwise(bounds)):
        expected = f"moments in order, {SHORTEST_PART_US} us apart, from {begin_us} to {end_us} us"
        raise wrong_value(item, "moments", f"{len(inside)} moments", expected)
    return bounds
