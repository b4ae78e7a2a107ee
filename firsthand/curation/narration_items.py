"""Narrations under review: an item is a minute of a recording, with the sentences that begin in it.

How it is shown and told. `narration_items` makes an item of every minute of a recording, from
the rows of `narrations` in the private zone, which hold what was imported; the id is
`<recording_id>/<begin_us>`. The field `narrations` lists `[begin_us, end_us, text, source]`,
times on the recording's clock. A person corrects sentences, adds some, takes some away, all
by an edit of that list; what somebody wrote has the source `typed`, what was spoken
`recorded`. `check_narration_edit` says what is wrong with an edit.

What counts. A changed minute counts when it was accepted as changed. A rejected minute has no
narration. A minute without a sentence waits for nobody.
"""

from collections.abc import Iterable, Mapping, Sequence

from firsthand.core.identity import Json
from firsthand.curation.reviewing import ReviewDecision, ReviewState, Stander, single_state
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.standing import listed, moment_us, standings, wrong_value

__all__ = [
    "NARRATION_KIND",
    "SOURCES",
    "check_narration_edit",
    "has_narrations",
    "narration_items",
    "reviewed_narrations",
]

NARRATION_KIND = "narration"
SOURCES = ("imported", "recorded", "typed")
_MINUTE_US = 60_000_000
_FIELDS = 4

Row = Mapping[str, Json]


def narration_items(recording_id: str, rows: Iterable[Row], duration_us: int) -> list[ReviewItem]:
    """Return one item for each minute of a recording, in order of time.

    Args:
        recording_id: The recording.
        rows: Its rows of table `narrations`.
        duration_us: Its length.
    """
    minutes: dict[int, list[Json]] = {
        begin_us: [] for begin_us in range(0, max(duration_us, 1), _MINUTE_US)
    }
    for row in sorted(rows, key=lambda row: int(str(row["narration_index"]))):
        begin_us, end_us = int(str(row["begin_us"])), int(str(row["end_us"]))
        own = minutes.setdefault(begin_us // _MINUTE_US * _MINUTE_US, [])
        own.append([begin_us, end_us, row["text"], row["source"]])
    return [
        _item(recording_id, begin_us, min(begin_us + _MINUTE_US, max(duration_us, 1)), own)
        for begin_us, own in sorted(minutes.items())
    ]


def has_narrations(item: ReviewItem) -> bool:
    """Return whether an item has a sentence to be verified."""
    return bool(item.content["narrations"])


def check_narration_edit(item: ReviewItem, edit: Mapping[str, Json], duration_us: int) -> None:
    """Check the sentences that an edit gives.

    Args:
        item: The minute.
        edit: The new values.
        duration_us: Length of the recording.

    Raises:
        EditError: If one has no text, ends before it begins, begins outside the minute, ends
            after the recording, or comes from an unknown source.
    """
    if "narrations" in edit:
        _sentences(item, edit["narrations"], duration_us)


def reviewed_narrations(
    recording_id: str,
    rows: Iterable[Row],
    decisions: Sequence[ReviewDecision],
    duration_us: int,
    stander: Stander = single_state,
) -> list[dict[str, Json]]:
    """Return what counts after review, in order of time: begin_us, end_us, text, source.

    Args:
        recording_id: The recording.
        rows: Its rows of table `narrations` as they were imported.
        decisions: In order of arrival.
        duration_us: Its length.
        stander: How states follow from decisions.

    Raises:
        EditError: If an edit that counts gives sentences that cannot be used.
    """
    items = narration_items(recording_id, rows, duration_us)
    kept: list[tuple[int, int, str, str]] = []
    stands = standings(items, decisions, stander)
    for item in items:
        standing = stands[item.item_id]
        if standing.state is ReviewState.REJECTED:
            continue
        counting = standing.item if standing.is_corrected else item
        # What was imported is kept as it is; only what a person entered is checked.
        limit_us = duration_us if standing.is_corrected else None
        kept += _sentences(counting, counting.content["narrations"], limit_us)
    names = ("begin_us", "end_us", "text", "source")
    return [dict(zip(names, sentence, strict=True)) for sentence in sorted(kept)]


def _item(recording_id: str, begin_us: int, end_us: int, narrations: list[Json]) -> ReviewItem:
    row: dict[str, Json] = {
        "recording_id": recording_id,
        "begin_us": begin_us,
        "end_us": end_us,
        "narrations": narrations,
        "revision": 0,
    }
    return ReviewItem.of(NARRATION_KIND, f"{recording_id}/{begin_us}", row)


def _sentences(
    item: ReviewItem, value: Json, duration_us: int | None
) -> list[tuple[int, int, str, str]]:
    return [_sentence(item, entry, duration_us) for entry in listed(item, "narrations", value)]


def _sentence(item: ReviewItem, entry: Json, duration_us: int | None) -> tuple[int, int, str, str]:
    parts = listed(item, "narrations", entry)
    if len(parts) != _FIELDS or not isinstance(parts[2], str) or parts[3] not in SOURCES:
        raise wrong_value(item, "narrations", f"{len(parts)} values", "[begin, end, text, source]")
    begin_us, end_us = (moment_us(item, "narrations", part) for part in parts[:2])
    if duration_us is not None:
        _check_place(item, begin_us, end_us, duration_us)
        if not parts[2].strip():
            raise wrong_value(item, "narrations", "no text", "a sentence (or take it away)")
    return begin_us, end_us, parts[2], str(parts[3])


def _check_place(item: ReviewItem, begin_us: int, end_us: int, duration_us: int) -> None:
    first_us, last_us = int(str(item.content["begin_us"])), int(str(item.content["end_us"]))
    if not (first_us <= begin_us < last_us and begin_us < end_us <= duration_us):
        expected = f"a begin from {first_us} to {last_us} us, an end after it and by {duration_us}"
        raise wrong_value(item, "narrations", f"{begin_us} to {end_us} us", expected)
