"""Proposals of strokes: a window for each referent of a clip, never taken for truth.

The phrase that points gives a window; where the pointing hand is seen to rest near it, the
rest is taken instead. Where neither is known the window is the clip's middle, of no
length: it marks a place in the review, and nobody can hit it by chance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from firsthand.core.time import ClosedSpan
from firsthand.curation.deictic import DeicticPhrase, proposed_strokes
from firsthand.curation.stillness import SeenHand, stillest

__all__ = ["Basis", "StrokeProposal", "stroke_proposals"]

_REACH_US = 700_000


class Basis(StrEnum):
    """What a proposed window rests on."""

    PHRASE = "phrase"
    HAND = "hand"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class StrokeProposal:
    """A proposed stroke.

    Args:
        phrase: The phrase that points; None where none was found, as in silent clips.
        window: The window, inside the clip.
        basis: What the window rests on.
        stillest_us: When the hand moves least; None where the hand decided nothing.
    """

    phrase: DeicticPhrase | None
    window: ClosedSpan
    basis: Basis
    stillest_us: int | None = None


def stroke_proposals(
    phrases: Sequence[DeicticPhrase] | None,
    referents: int,
    hand: Sequence[SeenHand],
    duration_us: int,
) -> tuple[StrokeProposal, ...]:
    """Return one proposal for each referent, in order of mention.

    Args:
        phrases: One phrase for each referent; None where the words do not fit, or there
            are none. A single silent gesture is looked for in the whole clip.
        referents: How many things are pointed at.
        hand: Sightings of the pointing hand in order of time; empty where none was
            looked for.
        duration_us: Length of the clip.
    """
    if phrases is None:
        whole = ClosedSpan(0, duration_us)
        middle = ClosedSpan(duration_us // 2, duration_us // 2)
        lone = StrokeProposal(None, middle, Basis.NOTHING)
        return (_by_hand(lone, hand, whole),) if referents == 1 else (lone,) * referents
    windows = proposed_strokes(phrases, duration_us)
    return tuple(
        _by_hand(StrokeProposal(phrase, window, Basis.PHRASE), hand, reach)
        for phrase, window, reach in zip(
            phrases, windows, _reaches(phrases, duration_us), strict=True
        )
    )


def _by_hand(
    proposal: StrokeProposal, hand: Sequence[SeenHand], within: ClosedSpan
) -> StrokeProposal:
    rest = stillest(hand, within)
    if rest is None:
        return proposal
    return StrokeProposal(proposal.phrase, rest.window, Basis.HAND, rest.stillest_us)


def _reaches(phrases: Sequence[DeicticPhrase], duration_us: int) -> Iterator[ClosedSpan]:
    """Yield where the gesture of each phrase may rest: near it, and not nearer to another."""
    middles = [(before.end_us + after.begin_us) // 2 for before, after in pairwise(phrases)]
    for phrase, floor_us, ceiling_us in zip(
        phrases, [0, *middles], [*middles, duration_us], strict=True
    ):
        begin_us = max(floor_us, phrase.begin_us - _REACH_US)
        end_us = min(ceiling_us, phrase.end_us + _REACH_US)
        yield ClosedSpan(min(begin_us, end_us), end_us)
