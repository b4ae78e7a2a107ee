"""Where the voice changes within one stretch of speech, and where two voices meet in it.

A window that hears much of two voices lies between them, and it is nearer to the voice that
fills more of it. So a stretch is heard in short windows, close to each other: what is sure to
be somebody else gives the other voice, and an enrolled voice counts where it is nearer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt

from firsthand.core.time import SECOND_US, Span
from firsthand.speech.engines import SAMPLE_RATE_HZ, Sound

__all__ = ["ChangePolicy", "Heard", "Piece", "pauses_in", "voice_pieces", "without_pauses"]

Rows = npt.NDArray[np.float32]

_FRAME_SAMPLES = SAMPLE_RATE_HZ // 100
_FRAME_US = _FRAME_SAMPLES * SECOND_US // SAMPLE_RATE_HZ
_PAUSE_FRAMES = 4
_QUIET = 0.1


@dataclass(frozen=True, slots=True)
class ChangePolicy:
    """How a change of voice is found.

    The values hold for the encoder `resemblyzer` hearing a window repeated to its own 1.6 s:
    one second of the enrolled voice stayed above 0.71 for twenty synthetic voices, of other
    voices below 0.73 for nine pairs in ten. In mixtures of two voices, at equal loudness and
    6 dB apart, no bystander was left with a share of 0.9.

    Args:
        window_us: Length of sound that one embedding hears.
        hop_us: Distance between windows.
        own_floor: Least cosine to an enrolled voice that lets a window nearer to it than to
            the other be that voice.
        other_ceiling: Cosine below which a window is sure to be mostly somebody else; above,
            it is the enrolled voice if it is nearer by …
        clear_lead: … this much.
        border_share: How much of the first window that is the enrolled voice may still be
            somebody else's; so much of it is given away …
        pause_share: … or this much, if a pause follows in which the voices may have changed.
        overlap_us: How long windows must lie between two voices for both to speak at once; a
            plain change takes less. Of 22 overlaps of 0.8 s this found 18, and it took 3 of
            14 plain changes for one.
    """

    window_us: int = 1_000_000
    hop_us: int = 100_000
    own_floor: float = 0.74
    other_ceiling: float = 0.70
    clear_lead: float = 0.15
    border_share: float = 0.9
    pause_share: float = 0.7
    overlap_us: int = 300_000


@dataclass(frozen=True, slots=True)
class Heard:
    """A stretch of speech as its windows sound.

    Args:
        span: The stretch.
        windows: In order; the first begins and the last ends with the speech in it.
        voices: One unit vector for each window.
        cosines: One row for each window, one column for each enrolled voice.
        pauses: Where nobody speaks, in order.
    """

    span: Span
    windows: Sequence[Span]
    voices: Rows
    cosines: Rows
    pauses: Sequence[Span]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a stretch.

    Args:
        span: Where.
        voice: Number of the enrolled voice; None for everybody else.
        overlapped: Whether an enrolled voice is heard in it beside another.
        similarity: Mean cosine to the nearest enrolled voice.
    """

    span: Span
    voice: int | None
    overlapped: bool
    similarity: float


def pauses_in(sound: Sound, start_us: int) -> list[Span]:
    """Return where a stretch is 20 dB quieter than it is on the whole, for 40 ms or longer.

    Args:
        sound: The stretch.
        start_us: Its begin on the recording's clock.
    """
    frames = sound[: len(sound) // _FRAME_SAMPLES * _FRAME_SAMPLES].reshape(-1, _FRAME_SAMPLES)
    loudness = np.sqrt(np.mean(np.square(frames, dtype=np.float64), axis=1))
    is_quiet = loudness < _QUIET * np.sqrt(np.mean(np.square(sound, dtype=np.float64)))
    return [
        Span(start_us + run[0] * _FRAME_US, start_us + (run[-1] + 1) * _FRAME_US)
        for quiet, found in groupby(range(len(frames)), key=lambda number: bool(is_quiet[number]))
        if quiet and len(run := list(found)) >= _PAUSE_FRAMES
    ]


def without_pauses(span: Span, pauses: Sequence[Span], least_us: int) -> Span:
    """Return a stretch without the pauses that it begins and ends with.

    Silence tells nothing of a voice. A stretch of which less than `least_us` is left stays whole.
    """
    begin_us = next((p.end_us for p in pauses if p.start_us <= span.start_us), span.start_us)
    # Frames are whole, so the last one may leave a hundredth of a second over.
    ending = (p.start_us for p in pauses if p.end_us > span.end_us - _FRAME_US)
    end_us = next(ending, span.end_us)
    return Span(begin_us, end_us) if end_us - begin_us >= least_us else span


def voice_pieces(heard: Heard, policy: ChangePolicy) -> list[Piece] | None:
    """Return the parts of a stretch in order, or None if nobody is sure to be somebody else.

    An enrolled voice begins where its first window can hold nobody else any more, and it ends
    likewise. Where it speaks beside another, the part is everybody else's, and overlapped.
    """
    nearest = heard.cosines.max(axis=1)
    is_other = nearest < policy.other_ceiling
    if not is_other.any():
        return None
    other = heard.voices[is_other].mean(axis=0)
    lead = nearest - heard.voices @ (other / np.linalg.norm(other))
    is_near = (nearest >= policy.own_floor) | (lead > policy.clear_lead)
    is_own = ~is_other & is_near & (lead > 0)
    # Windows of the other voice alone lie far from it; half as far, they hold both.
    is_mixed = ~is_own & (lead > 0.5 * np.median(lead[is_other]))
    own = list(_own_pieces(heard, is_own, policy))
    gaps = _gaps(heard.span, [piece.span for piece in own])
    is_both = _long_enough(is_mixed, is_own, -(-policy.overlap_us // policy.hop_us))
    others = [piece for gap in gaps for piece in _other_pieces(heard, gap, is_both)]
    return sorted([*own, *others], key=lambda piece: piece.span)


def _own_pieces(
    heard: Heard, is_own: npt.NDArray[np.bool_], policy: ChangePolicy
) -> Iterator[Piece]:
    voices = np.where(is_own, heard.cosines.argmax(axis=1), -1)
    for voice, run in groupby(range(len(voices)), key=lambda number: int(voices[number])):
        if voice < 0:
            continue
        first, *_, last = [*(members := list(run)), members[-1]]
        begin_us, end_us = heard.span.start_us, heard.span.end_us
        if first > 0:
            begin_us = _begin_us(heard.windows[first].start_us, heard.pauses, policy)
        if last < len(voices) - 1:
            end_us = _end_us(heard.windows[last].end_us, heard.pauses, policy)
        if begin_us < end_us:
            yield _piece(heard, Span(begin_us, end_us), voice=voice)


def _begin_us(window_us: int, pauses: Sequence[Span], policy: ChangePolicy) -> int:
    earliest_us = window_us + round(policy.pause_share * policy.window_us)
    latest_us = window_us + round(policy.border_share * policy.window_us)
    near = (pause for pause in pauses if earliest_us < pause.end_us and pause.start_us < latest_us)
    pause = next(near, None)
    return latest_us if pause is None else max(earliest_us, pause.start_us)


def _end_us(window_us: int, pauses: Sequence[Span], policy: ChangePolicy) -> int:
    # The same, looked at from behind.
    behind = [Span(-pause.end_us, -pause.start_us) for pause in reversed(pauses)]
    return -_begin_us(-window_us, behind, policy)


def _gaps(span: Span, taken: Sequence[Span]) -> Iterator[Span]:
    edges = [span.start_us, *(edge for one in taken for edge in (one.start_us, one.end_us))]
    for begin_us, end_us in zip(edges[::2], [*edges[1::2], span.end_us], strict=True):
        if begin_us < end_us:
            yield Span(begin_us, end_us)


def _long_enough(
    is_mixed: npt.NDArray[np.bool_], is_own: npt.NDArray[np.bool_], least: int
) -> npt.NDArray[np.bool_]:
    """Return the windows of runs, mixed ones and the own ones beside them, with enough mixed."""
    is_both = np.zeros(len(is_mixed), bool)
    for together, run in groupby(range(len(is_mixed)), key=lambda n: bool(is_mixed[n] | is_own[n])):
        members = list(run)
        is_both[members] = together and is_mixed[members].sum() >= least
    return is_both


def _other_pieces(heard: Heard, gap: Span, is_both: npt.NDArray[np.bool_]) -> Iterator[Piece]:
    """Cut what is nobody's own where an enrolled voice begins or ceases to be heard in it."""
    middles = [(window.start_us + window.end_us) // 2 for window in heard.windows]
    inside = [n for n, middle_us in enumerate(middles) if middle_us in gap]
    runs = [(both, list(run)) for both, run in groupby(inside, key=lambda n: bool(is_both[n]))]
    borders = [
        (middles[before[-1]] + middles[after[0]]) // 2 for (_, before), (_, after) in pairwise(runs)
    ]
    edges = [gap.start_us, *borders, gap.end_us]
    kinds = [both for both, _ in runs] or [False]
    for overlapped, (begin_us, end_us) in zip(kinds, pairwise(edges), strict=True):
        yield _piece(heard, Span(begin_us, end_us), overlapped=overlapped)


def _piece(
    heard: Heard, span: Span, voice: int | None = None, *, overlapped: bool = False
) -> Piece:
    nearest = heard.cosines.max(axis=1)
    middles = [(window.start_us + window.end_us) // 2 for window in heard.windows]
    inside = [n for n, middle_us in enumerate(middles) if middle_us in span]
    middle_us = (span.start_us + span.end_us) // 2
    chosen = inside or [min(range(len(middles)), key=lambda n: abs(middles[n] - middle_us))]
    return Piece(span, voice, overlapped, float(nearest[chosen].mean()))
