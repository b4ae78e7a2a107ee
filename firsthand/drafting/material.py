"""What a drafter works from: the narrations and the speech of one stream, on its clock.

Only text that may be shown is taken up: redacted words stay out, so no draft can quote a
bystander without consent.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from firsthand.core.time import ClosedSpan
from firsthand.core.timeline import Timeline
from firsthand.curation.drafts import whole_seconds
from firsthand.drafting.sentences import Clause, read_clause

__all__ = ["Event", "HeardWord", "Material", "Scenario", "material_from_rows"]

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a recording is about.

    Args:
        name: Short name.
        description: One sentence or two.
    """

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Event:
    """A narrated event in the stream.

    Args:
        recording_id: The recording.
        day: Day number on which it began.
        exact: When, on the stream's clock.
        sentence: The narration.
        clause: Its first statement; None if the sentence rules do not fit it.
        scenario: What its recording is about, if that was given.
    """

    recording_id: str
    day: int
    exact: ClosedSpan
    sentence: str
    clause: Clause | None
    scenario: Scenario | None

    @property
    def evidence(self) -> ClosedSpan:
        """When, widened outward to whole seconds."""
        return whole_seconds(self.exact)


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A spoken word that may be shown.

    Args:
        exact: When, on the stream's clock.
        text: The word.
        speaker: Pseudonym of who said it.
        confidence: Recogniser's probability in [0, 1].
    """

    exact: ClosedSpan
    text: str
    speaker: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Material:
    """One stream's text.

    Args:
        participant_id: Whose stream it is.
        stream_id: The stream.
        recorded_us: Its length.
        events: Narrated events in order of time.
        words: Spoken words in order of time, none redacted.
    """

    participant_id: str
    stream_id: str
    recorded_us: int
    events: tuple[Event, ...]
    words: tuple[HeardWord, ...]


def material_from_rows(
    timeline: Timeline,
    stream_id: str,
    *,
    narrations: Iterable[Row],
    words: Iterable[Row],
    scenarios: Iterable[Row],
) -> Material:
    """Place the rows of one participant's tables on the stream's clock.

    Args:
        timeline: The participant's timeline.
        stream_id: The stream.
        narrations: Rows of table `narrations`.
        words: Rows of table `words`.
        scenarios: Rows of table `scenarios`.

    Raises:
        UnknownRecordingError: If a row's recording is not on the timeline.
        OutsideStreamError: If a row begins after its recording has ended.
        ValueError: If the rows belong to several participants, or to none.
    """
    told, said = list(narrations), list(words)
    owners = {str(row["participant_id"]) for row in [*told, *said]}
    if len(owners) != 1:
        raise ValueError(f"drafting needs rows of one participant, got {sorted(owners)}")
    about = {
        str(row["recording_id"]): Scenario(str(row["name"]), str(row["description"]))
        for row in scenarios
    }
    return Material(
        owners.pop(),
        stream_id,
        timeline.recorded_us,
        tuple(sorted((_event(timeline, row, about) for row in told), key=lambda e: e.exact)),
        tuple(
            sorted(
                (_word(timeline, row) for row in said if not row["redacted"] and row["text"]),
                key=lambda word: word.exact,
            )
        ),
    )


def _event(timeline: Timeline, row: Row, about: Mapping[str, Scenario]) -> Event:
    recording_id, sentence = str(row["recording_id"]), str(row["text"])
    exact = _placed(timeline, row)
    day = timeline.label_at(exact.begin_us).day
    return Event(recording_id, day, exact, sentence, read_clause(sentence), about.get(recording_id))


def _word(timeline: Timeline, row: Row) -> HeardWord:
    return HeardWord(
        _placed(timeline, row),
        str(row["text"]),
        str(row["speaker"]),
        float(str(row["confidence"])),
    )


def _placed(timeline: Timeline, row: Row) -> ClosedSpan:
    recording_id = str(row["recording_id"])
    length_us = timeline.segment(recording_id).placement.duration_us
    # A subtitle may outlast its recording by the display time of its last line; there is
    # nothing to see there, so the end is cut. A begin out there is an error and stays one.
    end_us = min(int(str(row["end_us"])), length_us)
    return ClosedSpan(
        timeline.to_stream(recording_id, int(str(row["begin_us"]))),
        timeline.to_stream(recording_id, end_us),
    )
