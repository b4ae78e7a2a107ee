"""Speakers under review: an item is one stretch of one voice in a recording.

How it is shown and told. `speaker_items` makes the items of a build from the rows of
`speakers` in its private zone, which hold what the machine judged; the id is
`<recording_id>/<begin_us>`. An edit names another `speaker`: the recording's participant,
or `bystander`. `check_speaker_edit` says what is wrong with it.

What counts. Calling a voice a bystander's silences it and counts as soon as it is said.
Calling it the participant's lets it be heard, and counts only when it was accepted.
"""

from collections.abc import Iterable, Mapping, Sequence

from firsthand.core.identity import Json
from firsthand.curation.reviewing import ReviewDecision, ReviewState
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.standing import standings, wrong_value

__all__ = [
    "BYSTANDER_NAME",
    "SPEAKER_KIND",
    "check_speaker_edit",
    "reviewed_speakers",
    "speaker_items",
]

SPEAKER_KIND = "speaker"
BYSTANDER_NAME = "bystander"

Row = Mapping[str, Json]


def speaker_items(rows: Iterable[Row]) -> list[ReviewItem]:
    """Return one item for each row of table `speakers`, in order of time."""
    ordered = sorted(rows, key=lambda row: (str(row["recording_id"]), int(str(row["begin_us"]))))
    return [_item(row) for row in ordered]


def check_speaker_edit(item: ReviewItem, edit: Mapping[str, Json], participant_id: str) -> None:
    """Check the name that an edit gives.

    Raises:
        EditError: If it is neither the recording's participant nor `bystander`.
    """
    name = edit.get("speaker", BYSTANDER_NAME)
    if name not in (participant_id, BYSTANDER_NAME):
        raise wrong_value(item, "speaker", "another name", f"{participant_id} or {BYSTANDER_NAME}")


def reviewed_speakers(rows: Iterable[Row], decisions: Sequence[ReviewDecision]) -> dict[int, str]:
    """Return the speakers that people changed, by the begin of the stretch in microseconds.

    Args:
        rows: One recording's rows of table `speakers`, as the machine made them.
        decisions: In order of arrival.

    Raises:
        EditError: If an edit that counts gives a name that cannot be used.
    """
    owners = {f"{row['recording_id']}/{row['begin_us']}": row for row in rows}
    changed = {}
    for name, standing in standings(map(_item, owners.values()), decisions).items():
        row, said = owners[name], standing.item.content
        if standing.state is ReviewState.REJECTED or said["speaker"] == row["speaker"]:
            continue
        check_speaker_edit(standing.item, said, str(row["participant_id"]))
        if said["speaker"] == BYSTANDER_NAME or standing.is_corrected:
            changed[int(str(row["begin_us"]))] = str(said["speaker"])
    return changed


def _item(row: Row) -> ReviewItem:
    name = f"{row['recording_id']}/{row['begin_us']}"
    return ReviewItem.of(SPEAKER_KIND, name, {**row, "revision": 0})
