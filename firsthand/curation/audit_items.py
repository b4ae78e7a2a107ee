"""Frames under audit: an item is one frame of a copy, looked at for what should not be seen.

How it is shown and told. A build samples frames of every copy into the table `audit_frames`
of the private zone; `audit_items` makes the items of its rows. An item's id is
`<recording_id>/<pts_us>`; its row names two pictures in the private zone, before and after
(`before_sha256`, `after_sha256`, blobs with the suffix `.jpg`), and the `stratum` it was
drawn from. An edit sets `faces_left` and `texts_left`, whole numbers; `check_audit_edit` says
what is wrong with one.

What counts. Accepted is clean; rejected is a leak, of one face if no number was given. A
number above 0 is a leak also where the edited frame was not decided on again. A decision
binds the copy that was seen: another copy is looked at anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from firsthand.core.identity import Json
from firsthand.curation.reviewing import ReviewDecision, ReviewState
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.standing import standings, wrong_value

__all__ = ["AUDIT_KIND", "AuditedFrame", "audit_items", "audited_frames", "check_audit_edit"]

AUDIT_KIND = "audit"

Row = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class AuditedFrame:
    """A sampled frame and what a person found in it.

    Args:
        recording_id: Its recording.
        pts_us: Its time on the recording's clock.
        stratum: What it was drawn from.
        judged: Whether a person has decided on it as it is now.
        faces_left: Faces that can be recognised in the copy; 0 if it was not judged.
        texts_left: Private writing that can be read in the copy.
    """

    recording_id: str
    pts_us: int
    stratum: str
    judged: bool
    faces_left: int
    texts_left: int

    @property
    def is_leak(self) -> bool:
        """Whether something is left to be seen."""
        return self.faces_left + self.texts_left > 0


def audit_items(rows: Iterable[Row]) -> list[ReviewItem]:
    """Return one item for each row of table `audit_frames`, in order of time."""
    ordered = sorted(rows, key=lambda row: (str(row["recording_id"]), int(str(row["pts_us"]))))
    return [_item(row) for row in ordered]


def check_audit_edit(item: ReviewItem, edit: Mapping[str, Json]) -> None:
    """Check the numbers that an edit gives.

    Raises:
        EditError: If one of them is no whole number, or below 0.
    """
    for field in ("faces_left", "texts_left"):
        count = edit.get(field, 0)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise wrong_value(item, field, "another value", "a whole number, 0 or more")


def audited_frames(rows: Iterable[Row], decisions: Sequence[ReviewDecision]) -> list[AuditedFrame]:
    """Return every sampled frame with what people found in it, in order of time.

    Args:
        rows: Rows of table `audit_frames`.
        decisions: In order of arrival; those on items of other kinds do not count.

    Raises:
        EditError: If an edit that counts gives a number that cannot be used.
    """
    owners = {_item(row).item_id: row for row in rows}
    own = [decision for decision in decisions if decision.item_kind == AUDIT_KIND]
    found = []
    for name, standing in standings(map(_item, owners.values()), own).items():
        said = standing.item.content
        check_audit_edit(standing.item, said)
        faces, texts = (int(str(said[field])) for field in ("faces_left", "texts_left"))
        rejected = standing.state is ReviewState.REJECTED
        row = owners[name]
        found.append(
            AuditedFrame(
                recording_id=str(row["recording_id"]),
                pts_us=int(str(row["pts_us"])),
                stratum=str(row["stratum"]),
                judged=rejected or standing.state is ReviewState.ACCEPTED or faces + texts > 0,
                faces_left=max(faces, 1) if rejected and not texts else faces,
                texts_left=texts,
            )
        )
    return sorted(found, key=lambda frame: (frame.recording_id, frame.pts_us))


def _item(row: Row) -> ReviewItem:
    name = f"{row['recording_id']}/{row['pts_us']}"
    unjudged: dict[str, Json] = {"faces_left": 0, "texts_left": 0, "revision": 0}
    return ReviewItem.of(AUDIT_KIND, name, {**row, **unjudged})
