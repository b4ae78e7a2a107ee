"""Who speaks: enrolled voices and the turns of a recording.

Every voice that is not surely an enrolled one is a bystander: a participant taken for
a bystander costs some speech, a bystander taken for a participant costs their privacy.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import FirsthandError
from firsthand.core.time import SECOND_US, Span
from firsthand.speech.engines import (
    SAMPLE_RATE_HZ,
    Embedding,
    Samples,
    Sound,
    SpeechEngines,
    sound_between,
)
from firsthand.speech.listening import spoken_spans
from firsthand.speech.voice_changes import (
    ChangePolicy,
    Heard,
    pauses_in,
    voice_pieces,
    without_pauses,
)

__all__ = ["BYSTANDER", "EnrolmentError", "SpeakerPolicy", "VoiceTurn", "enrol", "voice_turns"]

BYSTANDER = "bystander"

Rows = npt.NDArray[np.float32]


class EnrolmentError(FirsthandError):
    """A voice was to be enrolled from too little speech."""


@dataclass(frozen=True, slots=True)
class SpeakerPolicy:
    """How voices are told apart.

    Args:
        similarity_floor: Least cosine to an enrolled voice that makes it that voice. The
            default lies midway between the most alike that two people (0.78) and the
            least alike that two recordings of one person (0.85) were for the encoder.
        one_voice_floor: Least cosine among all windows of a stretch for it to be one
            voice; below, the stretch is judged piece by piece.
        window_us: Length of speech that one embedding hears.
        hop_us: Distance between windows.
        reach_us: A stretch shorter than a window that is no enrolled voice by itself
            takes the speaker of the long ones within this distance, if they agree.
        change: How a stretch of several voices is cut where the voice changes.
    """

    similarity_floor: float = 0.815
    one_voice_floor: float = 0.78
    window_us: int = 1_600_000
    hop_us: int = 400_000
    reach_us: int = 1_000_000
    change: ChangePolicy = field(default_factory=ChangePolicy)


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
        overlapped: Whether an enrolled voice speaks in it as well; it is removed for both.
    """

    begin_us: int
    end_us: int
    speaker: str
    similarity: float | None
    consented: bool
    overlapped: bool = False


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
    sound: Samples,
    enrolled: Mapping[str, Embedding],
    engines: SpeechEngines,
    policy: SpeakerPolicy | None = None,
) -> tuple[VoiceTurn, ...]:
    """Return the stretches of speech in order, without overlap, each with its speaker.

    Args:
        sound: The recording's sound from clock zero; only stretches of it are read.
        enrolled: Consenting voices by participant id; empty makes everybody a bystander.
        engines: Voice activity and speaker encoder are used.
        policy: Threshold and windows.
    """
    rule = policy or SpeakerPolicy()
    speech = spoken_spans(sound, engines.voice_activity)
    if not enrolled:
        return tuple(
            VoiceTurn(span.start_us, span.end_us, BYSTANDER, None, consented=False)
            for span in speech
        )
    judge = _Judge(sound, enrolled, engines, rule)
    long_turns = [turn for span in speech if _is_long(span, rule) for turn in judge.turns(span)]
    short_turns = [judge.short(span, long_turns) for span in speech if not _is_long(span, rule)]
    return tuple(sorted([*long_turns, *short_turns], key=lambda turn: turn.begin_us))


@dataclass(frozen=True, slots=True)
class _Judge:
    sound: Samples
    enrolled: Mapping[str, Embedding]
    engines: SpeechEngines
    policy: SpeakerPolicy

    def turns(self, span: Span) -> list[VoiceTurn]:
        """Judge a long stretch: whole if it is one voice, else cut where the voice changes."""
        windows = list(_windows(span, self.policy.window_us, self.policy.hop_us))
        voices = self._voices(windows)
        if (voices @ voices.T).min() >= self.policy.one_voice_floor:
            return [self._turn(span, self._cosines(self._voices([span]))[0])]
        pieces = voice_pieces(self._heard_closely(span), self.policy.change)
        if pieces is not None:
            names = sorted(self.enrolled)
            return [
                VoiceTurn(
                    piece.span.start_us,
                    piece.span.end_us,
                    BYSTANDER if piece.voice is None else names[piece.voice],
                    piece.similarity,
                    consented=piece.voice is not None,
                    overlapped=piece.overlapped,
                )
                for piece in pieces
            ]
        units = list(_units(span, self.policy.hop_us))
        cosines = self._cosines(voices)
        turns = [self._turn(unit, _heard_around(unit, windows, cosines)) for unit in units]
        return [_joined(list(run)) for _, run in groupby(turns, key=lambda turn: turn.speaker)]

    def short(self, span: Span, long_turns: Sequence[VoiceTurn]) -> VoiceTurn:
        """Judge a short stretch by itself, then by the company it keeps."""
        alone = self._turn(span, self._cosines(self._voices([span]))[0])
        company = [turn for turn in long_turns if _distance_us(span, turn) <= self.policy.reach_us]
        if alone.consented or len({turn.speaker for turn in company}) != 1:
            return alone
        return replace(company[0], begin_us=span.start_us, end_us=span.end_us, similarity=None)

    def _heard_closely(self, span: Span) -> Heard:
        change = self.policy.change
        pauses = pauses_in(sound_between(self.sound, span.start_us, span.end_us), span.start_us)
        spoken = without_pauses(span, pauses, change.window_us)
        windows = list(_windows(spoken, change.window_us, change.hop_us))
        voices = self._voices(windows, least_us=self.policy.window_us)
        return Heard(span, windows, voices, self._cosines(voices), pauses)

    def _turn(self, span: Span, cosines: Rows) -> VoiceTurn:
        nearest = int(cosines.argmax())
        similarity = float(cosines[nearest])
        consented = similarity >= self.policy.similarity_floor
        speaker = sorted(self.enrolled)[nearest] if consented else BYSTANDER
        return VoiceTurn(span.start_us, span.end_us, speaker, similarity, consented)

    def _voices(self, spans: Sequence[Span], least_us: int = 0) -> Rows:
        """Return one voice for each span; a shorter one than `least_us` is heard repeatedly."""
        least = least_us * SAMPLE_RATE_HZ // SECOND_US
        pieces = [sound_between(self.sound, span.start_us, span.end_us) for span in spans]
        longer = [np.resize(piece, max(least, len(piece))) for piece in pieces]
        return np.stack(self.engines.speaker_encoder.embed(longer))

    def _cosines(self, voices: Rows) -> Rows:
        """Return one row for each voice, one column for each enrolled name in order."""
        enrolled = np.stack([self.enrolled[name] for name in sorted(self.enrolled)])
        cosines: Rows = voices @ enrolled.T
        return cosines


def _is_long(span: Span, policy: SpeakerPolicy) -> bool:
    return span.duration_us >= policy.window_us


def _windows(span: Span, window_us: int, hop_us: int) -> Iterator[Span]:
    last_us = span.end_us - window_us
    for start_us in (*range(span.start_us, last_us, hop_us), last_us):
        yield Span(start_us, start_us + window_us)


def _units(span: Span, hop_us: int) -> Iterator[Span]:
    for start_us in range(span.start_us, span.end_us, hop_us):
        yield Span(start_us, min(start_us + hop_us, span.end_us))


def _heard_around(unit: Span, windows: Sequence[Span], cosines: Rows) -> Rows:
    covering = [
        number
        for number, window in enumerate(windows)
        if (unit.start_us + unit.end_us) // 2 in window
    ]
    mean: Rows = cosines[covering].mean(axis=0)
    return mean


def _joined(units: Sequence[VoiceTurn]) -> VoiceTurn:
    shares = [(unit.end_us - unit.begin_us, unit.similarity or 0.0) for unit in units]
    total_us = sum(length_us for length_us, _ in shares)
    similarity = sum(length_us * cosine for length_us, cosine in shares) / total_us
    return replace(units[0], end_us=units[-1].end_us, similarity=similarity)


def _distance_us(span: Span, turn: VoiceTurn) -> int:
    return max(turn.begin_us - span.end_us, span.start_us - turn.end_us)
