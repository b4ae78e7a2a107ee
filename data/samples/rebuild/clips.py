"""What a clip is: file, place, words, strokes and narrations, before it is drawn or spoken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scene import Setting

BYSTANDER = "bystander"


class Quirk(Enum):
    """The one unusual thing of a file."""

    NONE = "none"
    NO_CREATION_TIME = "no creation time in the container, only the file name tells it"
    PORTRAIT = "coded 640x360 with a rotation flag, shown as 360x640"
    VARIABLE_RATE = "variable frame rate"
    TAGGED = "GPS position, serial number and device name in the tags"
    TRUNCATED = "cut off before the index, cannot be opened"


@dataclass(frozen=True)
class Line:
    """A sentence that starts at `start_s`; `speaker` is a participant or `BYSTANDER`."""

    start_s: float
    speaker: str
    text: str


@dataclass(frozen=True)
class Pointing:
    """A stroke that goes with a phrase of a line: the hand holds still while it is spoken."""

    line_index: int
    phrase: str
    referent_id: str
    target_xy_px: tuple[float, float]
    from_left: bool = False


@dataclass(frozen=True)
class Grip:
    """A movement that is no pointing: the hand carries a thing along keys (t_s, x, y)."""

    path: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Narration:
    """A narrator's sentence about a span of the clip."""

    begin_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class Clip:
    """One recording; `start_local` is its start on the participant's clock, as in the file name.

    `rejected_xy_px` are (referent, x, y) in the picture where the annotator says that it is not.
    `distractors` are things in the scene that nobody points at.
    """

    participant_id: str
    start_local: str
    duration_s: float
    scenario: tuple[str, str]
    setting: Setting
    lines: tuple[Line, ...]
    narrations: tuple[Narration, ...]
    pointings: tuple[Pointing, ...] = ()
    grips: tuple[Grip, ...] = ()
    rejected_xy_px: tuple[tuple[str, float, float], ...] = ()
    distractors: tuple[str, ...] = ()
    quirk: Quirk = Quirk.NONE

    @property
    def stem(self) -> str:
        """File name without suffix."""
        return f"VID_{self.start_local}"

    @property
    def file(self) -> str:
        """Path below the recordings folder."""
        return f"{self.participant_id}/{self.stem}.mp4"


@dataclass(frozen=True)
class Participant:
    """Who records: pseudonym, voice, clock and sleeve."""

    participant_id: str
    voice: str
    time_zone: str
    utc_offset_hours: int


PARTICIPANTS = (
    Participant("P1", "rms", "Asia/Shanghai", 8),
    Participant("P2", "awb", "Europe/Berlin", 2),
)
BYSTANDER_VOICE = "slt"
