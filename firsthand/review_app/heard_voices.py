"""Voices that nobody enrolled, as the last build named them, and what can be heard of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firsthand.store import Store, Zone

__all__ = ["HeardVoice", "HeardVoices", "excerpt_path"]

Row = Mapping[str, Any]


def excerpt_path(store: Store, sha256: str) -> Path:
    """Return where an excerpt lies until the audit of its recording has passed."""
    return store.blob(Zone.PRIVATE, sha256, ".wav")


@dataclass(frozen=True, slots=True)
class HeardVoice:
    """One voice of a participant's recordings.

    Args:
        speaker: What it is called.
        excerpts: Digests of its excerpts, in order of recording and time.
    """

    speaker: str
    excerpts: tuple[str, ...]


class HeardVoices:
    """The voices of a benchmark; read once and not changed.

    Args:
        rows: Rows of table `voices`.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = sorted(rows, key=lambda row: (row["recording_id"], row["begin_us"]))
        self._excerpts = {str(row["excerpt_sha256"]) for row in self._rows}
        self.participants = frozenset(str(row["participant_id"]) for row in self._rows)
        """Whose recordings hold such voices."""

    def __contains__(self, sha256: str) -> bool:
        """Whether an excerpt is one of theirs."""
        return sha256 in self._excerpts

    def excerpt_of(self, recording_id: str, begin_us: int) -> str:
        """Return the digest of the excerpt of a stretch."""
        (found,) = [
            str(row["excerpt_sha256"])
            for row in self._rows
            if (row["recording_id"], row["begin_us"]) == (recording_id, begin_us)
        ]
        return found

    def beside(self, recording_id: str) -> dict[str, HeardVoice]:
        """Return the voices of the same participant's other recordings, by machine's name."""
        people = {r["participant_id"] for r in self._rows if r["recording_id"] == recording_id}
        found: dict[str, HeardVoice] = {}
        for row in self._rows:
            voice = row["voice"]
            if row["participant_id"] in people and row["recording_id"] != recording_id and voice:
                before = found.get(voice, HeardVoice(voice, ()))
                speaker = row["speaker"] if row["confirmed"] else before.speaker
                found[voice] = HeardVoice(speaker, (*before.excerpts, row["excerpt_sha256"]))
        return found
