"""What grounding without a model comes to: ceiling, floor, and two shortcuts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from firsthand.core.identity import digest_json
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.replies import Reply
from firsthand.protocols.grounding import ClipOption, ClipWord, GroundingAsk
from firsthand.subjects.configuration import BaselineSettings
from firsthand.subjects.grounders import GROUNDERS, GroundingMaterial
from firsthand.subjects.pointing_clips import PointedTruth
from firsthand.subjects.retrieval import terms_of

__all__ = ["BlindGrounder", "ChanceGrounder", "OracleGrounder", "TranscriptGrounder"]

_MIDDLE_PERMILLE = (500.0, 500.0)
_GUESSED_LENGTH_MS = 8_000
"""Middle of the lengths of EcoG-Bench's clips: who sees nothing knows no better."""
_DEICTIC = frozenset({"this", "that", "these", "those", "it", "here", "there"})
_NAMED_WITHIN = 4
_PERMILLE = 1000.0
_US_PER_MS = 1_000

Said = tuple[str, tuple[float, float], float]
"""Option letter, point in thousandths of the picture, moment in milliseconds."""


@GROUNDERS.register("oracle")
@dataclass(frozen=True, slots=True)
class OracleGrounder:
    """Reads the truth: points inside each mask, at the middle of each stroke."""

    settings: BaselineSettings

    def given(self, ask: GroundingAsk) -> frozenset[Modality] | None:  # noqa: ARG002 - the same of every ask
        """Nothing."""
        return frozenset()

    def ground(self, ask: GroundingAsk, material: GroundingMaterial) -> Reply:
        """Tell the truth."""
        return _reply(ask, [_truth(one) for one in material.truth], self.settings)


@GROUNDERS.register("random")
@dataclass(frozen=True, slots=True)
class ChanceGrounder:
    """Draws options, points and moments, from a seed and the clip."""

    settings: BaselineSettings

    def given(self, ask: GroundingAsk) -> frozenset[Modality] | None:  # noqa: ARG002 - the same of every ask
        """Nothing."""
        return frozenset()

    def ground(self, ask: GroundingAsk, material: GroundingMaterial) -> Reply:  # noqa: ARG002 - it looks at no material
        """Draw."""
        letters = [option.letter for option in ask.options]
        drawn = digest_json([self.settings.seed, ask.clip_id])
        rng = np.random.default_rng(int(drawn, 16))
        said = [
            (
                letters[rng.integers(len(letters))],
                (float(rng.uniform(0, _PERMILLE)), float(rng.uniform(0, _PERMILLE))),
                float(rng.integers(_GUESSED_LENGTH_MS)),
            )
            for _ in range(ask.referents)
        ]
        return _reply(ask, said, self.settings)


@GROUNDERS.register("blind")
@dataclass(frozen=True, slots=True)
class BlindGrounder:
    """Sees and hears nothing: the first options, the middle, moments in equal steps."""

    settings: BaselineSettings

    def given(self, ask: GroundingAsk) -> frozenset[Modality] | None:  # noqa: ARG002 - the same of every ask
        """Nothing."""
        return frozenset()

    def ground(self, ask: GroundingAsk, material: GroundingMaterial) -> Reply:  # noqa: ARG002 - it looks at no material
        """Guess."""
        said = [
            (
                ask.options[place % len(ask.options)].letter,
                _MIDDLE_PERMILLE,
                _guessed_ms(ask, place),
            )
            for place in range(ask.referents)
        ]
        return _reply(ask, said, self.settings)


@GROUNDERS.register("transcript")
@dataclass(frozen=True, slots=True)
class TranscriptGrounder:
    """Reads the words alone: what is named after a deictic word, when that word is said."""

    settings: BaselineSettings

    def given(self, ask: GroundingAsk) -> frozenset[Modality] | None:
        """The words; a film's sound is nothing that it could read."""
        return frozenset() if ask.film else frozenset({Modality.SPEECH})

    def ground(self, ask: GroundingAsk, material: GroundingMaterial) -> Reply:  # noqa: ARG002 - it looks at no material
        """Answer from the words."""
        return _reply(ask, list(_named(ask)), self.settings)


def _named(ask: GroundingAsk) -> Iterator[Said]:
    deictic = [n for n, word in enumerate(ask.words) if _plain(word.text) in _DEICTIC]
    left = list(ask.options)
    for place in range(ask.referents):
        at = deictic[place] if place < len(deictic) else None
        option = left[0] if left else ask.options[0]
        moment_ms = _guessed_ms(ask, place)
        if at is not None:
            option = _best(ask.words[at : at + 1 + _NAMED_WITHIN], left or ask.options)
            moment_ms = _spoken_ms(ask, at)
        left = [one for one in left if one != option]
        yield option.letter, _MIDDLE_PERMILLE, moment_ms


def _best(words: Sequence[ClipWord], options: Sequence[ClipOption]) -> ClipOption:
    heard = set(terms_of(" ".join(word.text for word in words)))
    return max(options, key=lambda option: len(heard & set(terms_of(option.text))))


def _spoken_ms(ask: GroundingAsk, at: int) -> float:
    if not ask.word_times:
        # Without times a word's place among the words is all that is known of it.
        return _GUESSED_LENGTH_MS * (at + 0.5) / len(ask.words)
    word = ask.words[at]
    return (word.begin_us + word.end_us) / 2 / _US_PER_MS


def _guessed_ms(ask: GroundingAsk, place: int) -> float:
    return _GUESSED_LENGTH_MS * (place + 0.5) / ask.referents


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha())


def _truth(referent: PointedTruth) -> Said:
    begin_us, end_us = referent.begin_us or 0, referent.end_us or 0
    return referent.choice, _point_permille(referent), (begin_us + end_us) / 2 / _US_PER_MS


def _point_permille(referent: PointedTruth) -> tuple[float, float]:
    """Return the click, or the middle of the pixel of the mask that is nearest to it."""
    near = referent.click_xy_permille or _MIDDLE_PERMILLE
    mask_hw = referent.mask_hw
    if mask_hw is None or not mask_hw.any():
        return near
    size_wh = np.array(referent.frame_wh_px, np.float64)
    middles_px = np.argwhere(mask_hw)[:, ::-1] + 0.5
    away = np.hypot(*(middles_px - np.array(near) * size_wh / _PERMILLE).T)
    x, y = middles_px[int(away.argmin())] * _PERMILLE / size_wh
    return float(x), float(y)


def _reply(ask: GroundingAsk, said: Sequence[Said], settings: BaselineSettings) -> Reply:
    text = json.dumps(
        {
            "selected_options": [letter for letter, _, _ in said],
            "point_list": [
                {"point": list(ask.points.spelled(point)), "timestamp": moment_ms}
                for _, point, moment_ms in said
            ],
        }
    )
    return Reply(text, "stop", settings.latency_us, "declared")
