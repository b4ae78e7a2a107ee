"""Start times in a build: recordings get their place, or are held back with a reason."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from firsthand.core.errors import FirsthandError
from firsthand.core.timeline import OverlappingRecordingsError, Placement, overlapping_pairs
from firsthand.curation.start_items import StartStanding
from firsthand.store import Receipt
from tasks.items import Recording
from tasks.results import Results
from tasks.stage import Failure
from tasks.stages.date import OVERLAP_TOLERATED_US

if TYPE_CHECKING:
    from firsthand.core.identity import Json

__all__ = ["UnconfirmedStartError", "dated_recordings", "placed"]

_STAGE = "date"


class UnconfirmedStartError(FirsthandError):
    """A recording's start is doubtful and no person has confirmed or corrected it."""


def dated_recordings(
    recordings: Sequence[Recording], results: Results
) -> tuple[list[Recording], list[Failure]]:
    """Return the recordings whose start counts, placed, and those held back.

    Held back are those whose start waits for a person or was rejected, and the later of two
    of one participant that still claim one moment after all decisions.

    Args:
        recordings: All that were probed.
        results: What the stage `date` made of each participant.
    """
    kept: list[Recording] = []
    failures: list[Failure] = []
    for recording in recordings:
        outcome = results[recording.participant_id]
        if isinstance(outcome, Failure):
            failures.append(replace(outcome, item_id=recording.item_id))
            continue
        try:
            kept.append(placed(recording, outcome))
        except UnconfirmedStartError as error:
            failures.append(_failure(recording, error))
    return _without_overlaps(kept, failures)


def placed(recording: Recording, dated: Receipt) -> Recording:
    """Return a recording with its place.

    Raises:
        UnconfirmedStartError: If a person must first confirm or correct its start.
    """
    starts = cast("Mapping[str, Mapping[str, Json]]", dated.values["starts"])
    start = starts[recording.recording_id]
    if start["start_utc_us"] is None:
        doubts = ", ".join(str(doubt) for doubt in cast("Sequence[Json]", start["doubts"]))
        rejected = start["standing"] == StartStanding.REJECTED
        raise UnconfirmedStartError(
            f"start of {recording.item_id}",
            f"a start that is {'rejected' if rejected else 'not confirmed'} ({doubts})",
            "a start that is sure, or that a person confirmed",
            f"Decide on the item of kind `start` with the id {recording.recording_id[:16]}…, or "
            "enter the start under `starts` in the benchmark's file.",
        )
    placement = Placement(
        recording_id=recording.recording_id,
        start_utc_us=cast("int", start["start_utc_us"]),
        utc_offset_s=cast("int", start["utc_offset_s"]),
        duration_us=recording.duration_us,
        start_source=str(start["start_source"]),
    )
    return replace(recording, placement=placement)


def _without_overlaps(
    recordings: list[Recording], failures: list[Failure]
) -> tuple[list[Recording], list[Failure]]:
    refused: set[str] = set()
    for participant in sorted({recording.participant_id for recording in recordings}):
        by_id = {r.recording_id: r for r in recordings if r.participant_id == participant}
        pairs = overlapping_pairs(
            (recording.placed for recording in by_id.values()),
            tolerated_overlap_us=OVERLAP_TOLERATED_US,
        )
        for earlier, later in pairs:
            refused.add(later)
            error = OverlappingRecordingsError(
                f"start of {by_id[later].item_id}",
                f"a moment at which {by_id[earlier].file_name} still runs",
                "recordings of one participant that follow each other",
                "Correct the start of one of them.",
            )
            failures.append(_failure(by_id[later], error))
    return [r for r in recordings if r.recording_id not in refused], failures


def _failure(recording: Recording, error: FirsthandError) -> Failure:
    return Failure(recording.item_id, _STAGE, type(error).__name__, str(error))
