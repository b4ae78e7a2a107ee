"""Listening to long sound piece by piece, so that memory does not grow with a recording."""

from firsthand.core.time import Span
from firsthand.speech.engines import SAMPLE_RATE_HZ, Samples, VoiceActivity, sample_to_us

__all__ = ["spoken_spans"]

_PIECE_SAMPLES = 300 * SAMPLE_RATE_HZ


def spoken_spans(sound: Samples, voice_activity: VoiceActivity) -> tuple[Span, ...]:
    """Return where somebody speaks, in order, without overlap; none for silence.

    Five minutes are judged at a time; speech that goes on over the end of a piece is one span.
    """
    joined: list[Span] = []
    for first in range(0, len(sound), _PIECE_SAMPLES):
        begin_us = sample_to_us(first)
        for found in voice_activity.speech(sound[first : first + _PIECE_SAMPLES]):
            span = Span(begin_us + found.start_us, begin_us + found.end_us)
            if joined and span.start_us <= joined[-1].end_us:
                joined[-1] = Span(joined[-1].start_us, span.end_us)
            else:
                joined.append(span)
    return tuple(joined)
