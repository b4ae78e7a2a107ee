"""Voices that nobody enrolled under review: an item is one such voice in one recording.

How it is shown and told. `voice_items` makes the items of a build from the rows of `voices`,
which is private; the id is `<recording_id>/<voice>`, so that recordings that are added later
change no item. An edit sets `voice`, whose voice it is: that of another, or `apart_voice` for
one of its own; and `name`, what this voice is called in all recordings. Two voices with one name
are one person.

What counts. A name counts when an item that gives it was accepted, the latest first; whose
voice a recording's is counts when its own item was accepted. A rejected one is nobody's.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from firsthand.core.identity import Json
from firsthand.curation.reviewing import ReviewDecision, ReviewState
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.speaker_items import BYSTANDER_NAME
from firsthand.curation.standing import standings, wrong_value

__all__ = [
    "VOICE_KIND",
    "Attribution",
    "apart_voice",
    "attributions",
    "check_voice_edit",
    "voice_items",
]

VOICE_KIND = "voice"
_VOICE = re.compile(r"voice_\d{2,}(_[0-9a-f]{8})?")
_NAME = re.compile(r"\w[\w -]{0,39}")

Row = Mapping[str, Json]
Key = tuple[str, str]
"""Recording, and the name that the machine gave to a voice in it."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """Whose voice it is, after people's decisions.

    Args:
        voice: The voice that it belongs to.
        speaker: What this voice is called; `bystander` if it is nobody's.
        confirmed: Whether a person said so.
    """

    voice: str
    speaker: str
    confirmed: bool


def voice_items(rows: Iterable[Row]) -> list[ReviewItem]:
    """Return one item for each voice in each recording, in order of recording and name."""
    spans: dict[Key, list[list[int]]] = {}
    for row in sorted(rows, key=lambda row: int(str(row["begin_us"]))):
        if row["voice"] is not None:
            span = [int(str(row["begin_us"])), int(str(row["end_us"]))]
            spans.setdefault((str(row["recording_id"]), str(row["voice"])), []).append(span)
    return [_item(key, spans[key]) for key in sorted(spans)]


def apart_voice(item: ReviewItem) -> str:
    """Return the voice that an item is if it belongs to none of the others."""
    machine = item.item_id.split("/")[1].split("_")
    return "_".join([*machine[:2], str(item.content["recording_id"])[:8]])


def check_voice_edit(
    item: ReviewItem, edit: Mapping[str, Json], participants: Iterable[str] = ()
) -> None:
    """Check whose voice and which name an edit gives.

    Raises:
        EditError: If the voice is not spelt like one, or the name is empty, longer than 40
            characters, holds other than letters, digits, spaces, `-` and `_`, or is one of
            `participants`, whose voices are enrolled, or `bystander`.
    """
    if not _VOICE.fullmatch(str(edit.get("voice", item.content["voice"]))):
        raise wrong_value(item, "voice", "another word", "a voice such as voice_01")
    name = str(edit.get("name", item.content["name"]))
    if not _NAME.fullmatch(name) or name in (*participants, BYSTANDER_NAME):
        raise wrong_value(
            item, "name", "no name", "up to 40 letters, digits, spaces, - and _, and no participant"
        )


def attributions(
    rows: Iterable[Row], decisions: Sequence[ReviewDecision]
) -> dict[Key, Attribution]:
    """Return whose voice each is, by recording and the name that the machine gave it.

    Args:
        rows: Rows of `voices` of one participant.
        decisions: In order of arrival.

    Raises:
        EditError: If an edit that counts gives what cannot be used.
    """
    kept = list(rows)
    people = {str(row["participant_id"]) for row in kept}
    latest = {decision.item: place for place, decision in enumerate(decisions)}
    stands = standings(voice_items(kept), decisions)
    told = sorted(stands, key=lambda name: (latest.get((VOICE_KIND, name), -1), name))
    names: dict[str, str] = {}
    for item_id in told:
        standing = stands[item_id]
        said = standing.item.content
        if standing.is_corrected:
            check_voice_edit(standing.item, said, people)
            if said["name"] != said["voice"]:
                names[str(said["voice"])] = str(said["name"])
    found = {}
    for item_id, standing in stands.items():
        recording_id, machine = item_id.split("/")
        voice, speaker, confirmed = machine, machine, False
        if standing.state is ReviewState.REJECTED:
            speaker = BYSTANDER_NAME
        elif standing.state is ReviewState.ACCEPTED:
            voice, confirmed = str(standing.item.content["voice"]), True
            speaker = names.get(voice, voice)
        found[recording_id, machine] = Attribution(voice, speaker, confirmed)
    return found


def _item(key: Key, spans: Sequence[Sequence[int]]) -> ReviewItem:
    recording_id, voice = key
    row: dict[str, Json] = {
        "recording_id": recording_id,
        "spans": [list(span) for span in spans],
        "voice": voice,
        "name": voice,
        "revision": 0,
    }
    return ReviewItem.of(VOICE_KIND, f"{recording_id}/{voice}", row)
