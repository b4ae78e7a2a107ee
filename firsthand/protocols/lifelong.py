"""The lifelong protocol: which moments of a recorded life a question is answered from.

Pure: a stream in, asks with their samples out. The recorded time up to the question is cut
into equal stretches, one for each frame that the budget allows; of each stretch the last
frame is shown and the latest words are told, all stretches sharing the budget of words
alike. Unrecorded time takes no part, and nothing after the question does.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise

from firsthand.core.time import SECOND_US, Span, ceil_to_second_us
from firsthand.protocols.lifelong_policy import AskedAt, LifelongPolicy, SampleBudget
from firsthand.protocols.streaming import Ask, PlannedQuestion, Skip

__all__ = [
    "LIFELONG_VERSION",
    "RecordedLife",
    "SampledAsk",
    "Senses",
    "Stretch",
    "ToldText",
    "lifelong_asks",
    "sampled_stretches",
]

LIFELONG_VERSION = 1
"""Raised when the same stream and policy would give other samples or asks."""


@dataclass(frozen=True, slots=True)
class Senses:
    """What a subject takes in.

    Args:
        looks: Whether it is shown frames.
        listens: Whether speech reaches it as sound.
        reads: Whether it is told words or narrations.
    """

    looks: bool
    listens: bool
    reads: bool


@dataclass(frozen=True, slots=True)
class ToldText:
    """A word or a narration, as far as sampling needs it.

    Args:
        end_us: When it had been heard out, on the stream's clock.
        words: How many words it is.
    """

    end_us: int
    words: int


@dataclass(frozen=True)
class RecordedLife:
    """A stream to be sampled.

    Args:
        recorded: Where there are pictures, on the stream's clock, in order, apart.
        texts: What was said and told, by end; only what the subject may be told.
        end_us: Its end.
    """

    recorded: Sequence[Span]
    texts: Sequence[ToldText]
    end_us: int

    @cached_property
    def words_before(self) -> Sequence[int]:
        """Words before each text, and in all."""
        return list(accumulate((text.words for text in self.texts), initial=0))

    def heard_until(self, moment_us: int) -> int:
        """Return how many texts had been heard out."""
        return bisect_right(self.texts, moment_us, key=lambda text: text.end_us)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the sample.

    Args:
        start_us: End of the stretch before it.
        end_us: Its end; the moment that is shown, the last frame at or before it.
        is_shown: Whether a frame is shown and sound is played of it.
        first_text: First text that is told, by position.
        last_text: Position behind the last one.
    """

    start_us: int
    end_us: int
    is_shown: bool
    first_text: int
    last_text: int


@dataclass(frozen=True, slots=True)
class SampledAsk:
    """Put the question now, to a subject that was given these stretches and nothing else.

    Args:
        ask: The question and when it is put.
        stretches: In order; empty for a subject that follows the whole stream by itself.
    """

    ask: Ask
    stretches: tuple[Stretch, ...]


def lifelong_asks(
    questions: Iterable[PlannedQuestion],
    life: RecordedLife,
    policy: LifelongPolicy,
    senses: Senses | None,
) -> Iterator[SampledAsk | Skip]:
    """Yield what to do with each question, by the moment at which it is put.

    Args:
        questions: Questions about the stream.
        life: The stream.
        policy: The protocol's numbers.
        senses: What the subject takes in; None for one that follows the whole stream.
    """
    ordered = sorted(questions, key=lambda one: (_asked_at_us(one, life, policy), one.source_index))
    samples: dict[int, tuple[Stretch, ...]] = {}
    for question in ordered:
        if question.due_us > ceil_to_second_us(life.end_us):
            yield Skip(question.question_id, question.due_us, "due_after_stream_end")
            continue
        until_us = _asked_at_us(question, life, policy)
        if senses is not None and until_us not in samples:
            samples = {until_us: sampled_stretches(life, until_us, policy, senses)}
        yield SampledAsk(Ask(question.question_id, 0, until_us), samples.get(until_us, ()))


def sampled_stretches(
    life: RecordedLife, until_us: int, policy: LifelongPolicy, senses: Senses
) -> tuple[Stretch, ...]:
    """Return the sample of everything up to a moment, within the policy's budget.

    Args:
        life: The stream.
        until_us: The moment; what ends at it is still part.
        policy: The protocol's numbers.
        senses: What the subject takes in.
    """
    heard = life.heard_until(until_us) if senses.reads else 0
    clock = _RecordedClock(life.recorded, min(until_us, life.end_us))
    allowance = _Allowance.of(policy, senses, life.words_before[heard])
    wanted = min(allowance.moments, max(1, clock.duration_us // policy.least_step_us))
    shown = clock.stretch_ends_us(wanted)
    ends = [*shown]
    if heard and (not ends or life.texts[heard - 1].end_us > ends[-1]):
        # What is told after the last picture, or without any, is a stretch too.
        ends.append(until_us)
    places = [0, *(min(life.heard_until(end_us), heard) for end_us in ends)]
    told = _LatestWords(life.words_before, tuple(pairwise(places)), allowance.words)
    spans = zip(pairwise([0, *ends]), told.by_stretch(), strict=True)
    return tuple(
        Stretch(*span, number < len(shown), *texts) for number, (span, texts) in enumerate(spans)
    )


def _asked_at_us(question: PlannedQuestion, life: RecordedLife, policy: LifelongPolicy) -> int:
    return question.due_us if policy.asked_at is AskedAt.DUE else life.end_us


@dataclass(frozen=True, slots=True)
class _Allowance:
    """What the budget comes to for one subject: moments that are shown, and words."""

    moments: int
    words: int

    @classmethod
    def of(cls, policy: LifelongPolicy, senses: Senses, words: int) -> "_Allowance":
        budget = policy.budget
        if budget.most_tokens is None:
            return cls(budget.most_frames, budget.most_words)
        per_moment = _tokens_per_moment(budget, senses, policy.sound_us)
        per_word = Fraction(str(budget.tokens_per_word))
        share = Fraction(str(budget.words_share)) if per_moment else Fraction(1)
        most_words = min(budget.most_words, math.floor(budget.most_tokens * share / per_word))
        if not per_moment:
            # Stretches cost nothing here: they only spread the words over the stream.
            return cls(budget.most_frames, most_words)
        reserved = math.ceil(min(words, most_words) * per_word)
        left = (budget.most_tokens - reserved) // per_moment
        return cls(min(budget.most_frames, left), most_words)


def _tokens_per_moment(budget: SampleBudget, senses: Senses, sound_us: int) -> int:
    sound = math.ceil(Fraction(budget.tokens_per_sound_second * sound_us, SECOND_US))
    return senses.looks * budget.tokens_per_frame + senses.listens * sound


class _RecordedClock:
    """Recorded time up to a moment, counted on without the gaps."""

    def __init__(self, recorded: Sequence[Span], until_us: int) -> None:
        self._spans = [
            Span(span.start_us, min(span.end_us, until_us))
            for span in recorded
            if span.start_us < until_us
        ]
        self.duration_us = sum(span.duration_us for span in self._spans)

    def stretch_ends_us(self, stretches: int) -> list[int]:
        """Return where equal stretches of recorded time end, on the stream's clock.

        An end on the boundary of a gap is the end of the span before it.
        """
        wanted = [
            self.duration_us * number // stretches
            for number in range(1, stretches + 1)
            if self.duration_us
        ]
        ends, passed_us, spans = [], 0, iter(self._spans)
        span = next(spans, None)
        for moment_us in dict.fromkeys(wanted):
            while span is not None and moment_us > passed_us + span.duration_us:
                passed_us += span.duration_us
                span = next(spans, None)
            if span is not None:
                ends.append(span.start_us + moment_us - passed_us)
        return ends


@dataclass(frozen=True, slots=True)
class _LatestWords:
    """The latest texts of each stretch, all stretches held to one largest share of words.

    Args:
        words_before: Words before each text.
        lots: First text of each stretch, and the one behind its last.
        most_words: Most words of all stretches.
    """

    words_before: Sequence[int]
    lots: Sequence[tuple[int, int]]
    most_words: int

    def by_stretch(self) -> list[tuple[int, int]]:
        low, high = 0, self.most_words
        while low < high:
            share = (low + high + 1) // 2
            fits = self._words(share) <= self.most_words
            low, high = (share, high) if fits else (low, share - 1)
        return [self._latest(lot, low) for lot in self.lots]

    def _words(self, share: int) -> int:
        latest = (self._latest(lot, share) for lot in self.lots)
        return sum(self.words_before[stop] - self.words_before[first] for first, stop in latest)

    def _latest(self, lot: tuple[int, int], share: int) -> tuple[int, int]:
        first, stop = lot
        least = self.words_before[stop] - share
        return bisect_left(self.words_before, least, first, stop), stop
