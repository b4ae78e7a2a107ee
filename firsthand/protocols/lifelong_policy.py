"""The numbers of the lifelong protocol, as one frozen value that travels with the results."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from firsthand.core.errors import ConfigurationError
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import SECOND_US
from firsthand.protocols.policy_json import SpelledPolicy

__all__ = ["AskedAt", "LifelongPolicy", "SampleBudget"]


class AskedAt(StrEnum):
    """Up to which moment of the stream a question lets a subject look."""

    DUE = "due"
    """The question's due time: what comes later is out of reach."""
    STREAM_END = "stream_end"
    """The end of the stream: the whole recorded life, and where in it is not given away."""


@dataclass(frozen=True, slots=True)
class SampleBudget:
    """How much of a stream a subject without a memory of its own is given.

    Args:
        most_frames: Most moments that are shown, or of which the sound is played.
        most_words: Most words, spoken and narrated.
        most_tokens: Most tokens of frames, sound and words together, by the declared rates
            below; None for no limit but the two above. The question is not counted.
        tokens_per_frame: Declared tokens of a frame.
        tokens_per_word: Declared tokens of a word.
        tokens_per_sound_second: Declared tokens of a second of sound.
        words_share: Largest share of `most_tokens` that words take from a subject that also
            looks or listens; what they leave is for frames and sound.
    """

    most_frames: int = 64
    most_words: int = 8_000
    most_tokens: int | None = None
    tokens_per_frame: int = 256
    tokens_per_word: float = 1.5
    tokens_per_sound_second: int = 25
    words_share: float = 0.5


@dataclass(frozen=True, slots=True)
class LifelongPolicy(SpelledPolicy):
    """How questions are asked about a whole recorded life.

    Args:
        budget: How much of it is given.
        asked_at: Up to which moment.
        least_step_us: Least distance of two shown moments, so that a short stream is not
            shown frame by frame.
        sound_us: Length of the sound that is played of each shown moment.
        unit_us: Length of a unit, for subjects that keep a memory and follow everything.
        ref_bins_s: N of each Ref@N, in seconds.
        rule_sets: Rule sets under which answers are scored.
    """

    policy_name: ClassVar[str] = "lifelong policy"

    budget: SampleBudget = field(default_factory=SampleBudget)
    asked_at: AskedAt = AskedAt.STREAM_END
    least_step_us: int = SECOND_US
    sound_us: int = SECOND_US
    unit_us: int = SECOND_US
    ref_bins_s: tuple[int, ...] = (60, 300, 600)
    rule_sets: tuple[RuleSet, ...] = (RuleSet.PAPER, RuleSet.OFFICIAL)

    def __post_init__(self) -> None:
        budget = self.budget
        for name, value, least in (
            ("most_frames", budget.most_frames, 0),
            ("most_words", budget.most_words, 0),
            ("most_tokens", budget.most_tokens or 0, 0),
            ("tokens_per_frame", budget.tokens_per_frame, 1),
            ("tokens_per_sound_second", budget.tokens_per_sound_second, 1),
            ("least_step_us", self.least_step_us, 1),
            ("sound_us", self.sound_us, 1),
            ("unit_us", self.unit_us, 1),
        ):
            if value < least:
                raise _unfit(name, value, f"a whole number of at least {least}")
        if budget.tokens_per_word <= 0:
            raise _unfit("tokens_per_word", budget.tokens_per_word, "a number above 0")
        if not 0 <= budget.words_share <= 1:
            raise _unfit("words_share", budget.words_share, "a share from 0 to 1")
        if min(self.ref_bins_s, default=0) < 1 or len(set(self.ref_bins_s)) < len(self.ref_bins_s):
            raise _unfit("ref_bins_s", list(self.ref_bins_s), "lengths in seconds, none twice")
        if not self.rule_sets or len(set(self.rule_sets)) < len(self.rule_sets):
            raise _unfit("rule_sets", [str(one) for one in self.rule_sets], "each rule set once")


def _unfit(name: str, found: object, expected: str) -> ConfigurationError:
    return ConfigurationError(
        f"lifelong policy, {name}", repr(found), expected, "Correct the policy."
    )
