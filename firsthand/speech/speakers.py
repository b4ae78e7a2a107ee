"""Who speaks: enrolled voices and the turns of a recording.

Every voice that is not surely an enrolled one is a bystander: a participant taken for
a bystander costs some speech, a bystander taken for a participant costs their privacy.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import FirsthandError
from firsthand.core.time import SECOND_US, Span
from firsthand.speech.engines import (
    SAMPLE_RATE_HZ,
    Embedding,
    Sound,
    SpeechEngines,
    sound_between,
)

__all__ = ["BYSTANDER", "EnrolmentError", "SpeakerPolicy", "VoiceTurn", "enrol", "voice_turns"]

BYSTANDER = "bystander"

Cosines = npt.NDArray[np.float32]


class EnrolmentError(FirsthandError):
    """A voice was to be enrolled from too little speech."""


@dataclass(frozen=True, slots=True)
class SpeakerPolicy:
    """How voices are told apart.

    Args:
        similarity_floor: Least cosine to an enrolled voice that makes it that voice.
        window_us: Length of speech that one embedding hears.
        hop_us: Distance between windows.
        reach_us: A stretch shorter than a window takes the speaker of the nearest long
            one within this distance; beyond it, it is judged by itself.
    """

    similarity_floor: float = 0.82
    window_us: int = 1_600_000
    hop_us: int = 400_000
    reach_us: int = 1_000_000


@dataclass(frozen=True, slots=True)
class VoiceTurn:
    """A stretch of one voice.

    Args:
        begin_us: Begin on the recording's clock.
        end_us: End on the recording's clock, after the begin.
        speaker: Pseudonym of the enrolled participant, or `bystander`.
        similarity: Cosine to the nearest enrolled voice; None if nobody is enrolled or
            the stretch took the speaker of its neighbour.
        consented: Whether this voice may stay.
    """

    begin_us: int
    end_us: int
    speaker: str
    similarity: float | None
    consented: bool


def enrol(
    pieces: Sequence[Sound], engines: SpeechEngines, policy: SpeakerPolicy | None = None
) -> Embedding:
    """Return the voice that speaks in the pieces, as a unit vector.

    Args:
        pieces: Sound in which only this person speaks; 5 s or more in all serve best.
        engines: Voice activity and speaker encoder are used.
        policy: Its window is the least speech that is accepted.

    Raises:
        EnrolmentError: If the pieces hold less than one window of speech.
    """
    spoken = [
        sound_between(piece, span.start_us, span.end_us)
        for piece in pieces
        for span in engines.voice_activity.speech(piece)
    ]
    found_us = sum(len(part) for part in spoken) * SECOND_US // SAMPLE_RATE_HZ
    needed_us = (policy or SpeakerPolicy()).window_us
    if found_us < needed_us:
        raise EnrolmentError(
            f"enrolment from {len(pieces)} pieces of sound",
            f"{found_us / SECOND_US:.1f} s of speech",
            f"at least {needed_us / SECOND_US:.1f} s",
            "Give a longer stretch in which this person speaks alone.",
        )
    return engines.speaker_encoder.embed([np.concatenate(spoken)])[0]


def voice_turns(
    sound: Sound,
    enrolled: Mapping[str, Embedding],
    engines: SpeechEngines,
    policy: SpeakerPolicy | None = None,
) -> tuple[VoiceTurn, ...]:
    """Return the stretches of speech in order, without overlap, each with its speaker.

    Args:
        sound: The recording's sound from clock zero.
        enrolled: Consenting voices by participant id; empty makes everybody a bystander.
        engines: Voice activity and speaker encoder are used.
        policy: Threshold and windows.
    """
    rule = policy or SpeakerPolicy()
    speech = engines.voice_activity.speech(sound)
    if not enrolled:
        return tuple(
            VoiceTurn(span.start_us, span.end_us, BYSTANDER, None, consented=False)
            for span in speech
        )
    judge = _Judge(sound, enrolled, engines, rule)
    long_turns = [turn for span in speech if _is_long(span, rule) for turn in judge.turns(span)]
    turns = list(long_turns)
    for span in speech:
        if not _is_long(span, rule):
            neighbour = _nearest(span, long_turns, rule.reach_us)
            turns.append(_following(span, neighbour) if neighbour else judge.whole(span))
    return tuple(sorted(turns, key=lambda turn: turn.begin_us))


@dataclass(frozen=True, slots=True)
class _Judge:
    sound: Sound
    enrolled: Mapping[str, Embedding]
    engines: SpeechEngines
    policy: SpeakerPolicy

    def whole(self, span: Span) -> VoiceTurn:
        return self._turn(span, self._cosines([span])[0])

    def turns(self, span: Span) -> list[VoiceTurn]:
        windows = list(_windows(span, self.policy))
        cosines = self._cosines(windows)
        units = list(_units(span, self.policy.hop_us))
        heard = [_heard_around(unit, windows, cosines) for unit in units]
        turns = [self._turn(unit, row) for unit, row in zip(units, heard, strict=True)]
        return [_joined(list(run)) for _, run in groupby(turns, key=lambda turn: turn.speaker)]

    def _turn(self, span: Span, cosines: Cosines) -> VoiceTurn:
        nearest = int(cosines.argmax())
        similarity = float(cosines[nearest])
        consented = similarity >= self.policy.similarity_floor
        speaker = sorted(self.enrolled)[nearest] if consented else BYSTANDER
        return VoiceTurn(span.start_us, span.end_us, speaker, similarity, consented)

    def _cosines(self, spans: Sequence[Span]) -> Cosines:
        pieces = [sound_between(self.sound, span.start_us, span.end_us) for span in spans]
        voices = np.stack([self.enrolled[name] for name in sorted(self.enrolled)])
        return np.stack(self.engines.speaker_encoder.embed(pieces)) @ voices.T


def _is_long(span: Span, policy: SpeakerPolicy) -> bool:
    return span.duration_us >= policy.window_us


def _windows(span: Span, policy: SpeakerPolicy) -> Iterator[Span]:
    last_us = span.end_us - policy.window_us
    for start_us in (*range(span.start_us, last_us, policy.hop_us), last_us):
        yield Span(start_us, start_us + policy.window_us)


def _units(span: Span, hop_us: int) -> Iterator[Span]:
    for start_us in range(span.start_us, span.end_us, hop_us):
        yield Span(start_us, min(start_us + hop_us, span.end_us))


def _heard_around(unit: Span, windows: Sequence[Span], cosines: Cosines) -> Cosines:
    covering = [
        number
        for number, window in enumerate(windows)
        if (unit.start_us + unit.end_us) // 2 in window
    ]
    mean: Cosines = cosines[covering].mean(axis=0)
    return mean


def _joined(units: Sequence[VoiceTurn]) -> VoiceTurn:
    shares = [(unit.end_us - unit.begin_us, unit.similarity or 0.0) for unit in units]
    total_us = sum(length_us for length_us, _ in shares)
    similarity = sum(length_us * cosine for length_us, cosine in shares) / total_us
    return replace(units[0], end_us=units[-1].end_us, similarity=similarity)


def _nearest(span: Span, turns: Sequence[VoiceTurn], reach_us: int) -> VoiceTurn | None:
    def distance_us(turn: VoiceTurn) -> int:
        return max(turn.begin_us - span.end_us, span.start_us - turn.end_us)

    within = [turn for turn in turns if distance_us(turn) <= reach_us]
    return min(within, key=distance_us, default=None)


def _following(span: Span, neighbour: VoiceTurn) -> VoiceTurn:
    return replace(neighbour, begin_us=span.start_us, end_us=span.end_us, similarity=None)
