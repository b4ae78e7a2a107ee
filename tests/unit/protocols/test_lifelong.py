"""The lifelong protocol: which moments and words a question is answered from.

Times are in seconds. The life of most tests is 100 s on the stream's clock with pictures in
0-40 and 60-100: 80 s of recorded time, and one word ends at each full second.
"""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthand.core.errors import ConfigurationError, UnknownKeyError
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import Span
from firsthand.protocols import PlannedQuestion, Skip
from firsthand.protocols.lifelong import (
    RecordedLife,
    SampledAsk,
    Senses,
    Stretch,
    ToldText,
    lifelong_asks,
    sampled_stretches,
)
from firsthand.protocols.lifelong_policy import AskedAt, LifelongPolicy, SampleBudget

S = 1_000_000
EVERYTHING = Senses(looks=True, listens=False, reads=True)
LOOKS = Senses(looks=True, listens=False, reads=False)
READS = Senses(looks=False, listens=False, reads=True)
LIFE = RecordedLife(
    (Span(0, 40 * S), Span(60 * S, 100 * S)),
    tuple(ToldText(second * S, 1) for second in range(1, 101)),
    100 * S,
)


def policy(**budget: Any) -> LifelongPolicy:
    return LifelongPolicy(SampleBudget(**budget))


def shown_s(stretches: tuple[Stretch, ...]) -> list[float]:
    return [one.end_us / S for one in stretches if one.is_shown]


def words_of(stretch: Stretch) -> list[int]:
    """The seconds whose words are told."""
    return [number + 1 for number in range(stretch.first_text, stretch.last_text)]


def test_frames_are_spread_over_recorded_time_and_not_over_the_gap() -> None:
    # 80 s in four: every 20 s of recorded time, so 20, 40 and, beyond the gap, 80, 100.
    found = sampled_stretches(LIFE, 100 * S, policy(most_frames=4), LOOKS)
    assert shown_s(found) == [20, 40, 80, 100]
    # In five: 16, 32, 48 → 60 + 8, 64 → 60 + 24, 80 → 100.
    found = sampled_stretches(LIFE, 100 * S, policy(most_frames=5), LOOKS)
    assert shown_s(found) == [16, 32, 68, 84, 100]


def test_one_frame_is_the_last_one() -> None:
    found = sampled_stretches(LIFE, 100 * S, policy(most_frames=1), LOOKS)
    assert found == (Stretch(0, 100 * S, is_shown=True, first_text=0, last_text=0),)


def test_a_single_recording_is_cut_into_equal_stretches() -> None:
    life = RecordedLife((Span(0, 10 * S),), (), 10 * S)
    found = sampled_stretches(life, 10 * S, policy(most_frames=4), LOOKS)
    assert shown_s(found) == [2.5, 5, 7.5, 10]


def test_a_short_stream_is_shown_no_denser_than_the_least_step() -> None:
    life = RecordedLife((Span(0, 3 * S + 1),), (), 3 * S + 1)
    found = sampled_stretches(life, 4 * S, policy(most_frames=64), LOOKS)
    assert [one.end_us for one in found] == [S, 2 * S, 3 * S + 1]


def test_a_question_in_the_middle_is_answered_from_what_lies_before_it() -> None:
    # Up to 70 s there are 50 s of recorded time, the last ten of them behind the gap.
    found = sampled_stretches(LIFE, 70 * S, policy(most_frames=5, most_words=10), EVERYTHING)
    assert shown_s(found) == [10, 20, 30, 40, 70]
    assert [words_of(one) for one in found] == [
        [9, 10],
        [19, 20],
        [29, 30],
        [39, 40],
        [69, 70],
    ]


def test_a_question_inside_the_gap_shows_the_day_before_and_tells_what_was_said_since() -> None:
    found = sampled_stretches(LIFE, 50 * S, policy(most_frames=2, most_words=6), EVERYTHING)
    assert shown_s(found) == [20, 40]
    assert [words_of(one) for one in found] == [[19, 20], [39, 40], [49, 50]]
    assert not found[-1].is_shown


def test_what_silent_stretches_leave_is_told_of_the_others() -> None:
    # Stretches of 25 s: 3 words and those of seconds 21 to 25 in the first, 25 in the second.
    texts = [*(ToldText(n * S, 1) for n in (1, 2, 3)), *(ToldText(n * S, 1) for n in range(21, 51))]
    life = RecordedLife((Span(0, 50 * S),), texts, 50 * S)
    found = sampled_stretches(life, 50 * S, policy(most_frames=2, most_words=16), EVERYTHING)
    assert [one.last_text - one.first_text for one in found] == [8, 8]
    found = sampled_stretches(life, 50 * S, policy(most_frames=2, most_words=20), EVERYTHING)
    assert [one.last_text - one.first_text for one in found] == [8, 12]


def test_a_narration_is_told_whole_or_not_at_all() -> None:
    life = RecordedLife((Span(0, 10 * S),), (ToldText(2 * S, 4), ToldText(9 * S, 7)), 10 * S)
    told = sampled_stretches(life, 10 * S, policy(most_frames=1, most_words=7), EVERYTHING)
    assert (told[0].first_text, told[0].last_text) == (1, 2)
    none = sampled_stretches(life, 10 * S, policy(most_frames=1, most_words=6), EVERYTHING)
    assert (none[0].first_text, none[0].last_text) == (2, 2)


@pytest.mark.parametrize(
    ("tokens", "frames", "words"),
    [
        # 100 words at 1.5 tokens are 150; frames of 100 tokens take what is left.
        (1000, 8, 100),
        (349, 1, 100),
        (350, 2, 100),
        # Half of 250 are 125 tokens: 83 words (124.5 tokens) and one frame.
        (250, 1, 83),
        (99, 0, 33),
        (0, 0, 0),
    ],
)
def test_a_token_budget_is_shared_between_words_and_frames(
    tokens: int, frames: int, words: int
) -> None:
    plan = policy(most_tokens=tokens, tokens_per_frame=100, tokens_per_word=1.5, words_share=0.5)
    found = sampled_stretches(LIFE, 100 * S, plan, EVERYTHING)
    assert len(shown_s(found)) == frames
    told = sum(one.last_text - one.first_text for one in found)
    # Equal shares of whole words may leave less than one word a stretch.
    assert words - max(frames, 1) < told <= words


def test_a_subject_that_only_reads_has_the_whole_token_budget_for_words() -> None:
    plan = policy(most_tokens=150, tokens_per_frame=100, tokens_per_word=1.5)
    found = sampled_stretches(LIFE, 100 * S, plan, READS)
    assert sum(one.last_text - one.first_text for one in found) == 100


def test_sound_is_paid_by_its_length() -> None:
    listens = Senses(looks=False, listens=True, reads=False)
    plan = policy(most_tokens=200, tokens_per_sound_second=25)
    assert len(shown_s(sampled_stretches(LIFE, 100 * S, plan, listens))) == 8
    longer = replace(plan, sound_us=2 * S + 1)
    # 2.000001 s are 51 tokens, rounded up.
    assert len(shown_s(sampled_stretches(LIFE, 100 * S, longer, listens))) == 3


@settings(max_examples=60)
@given(
    until_s=st.integers(0, 130),
    frames=st.integers(0, 12),
    words=st.integers(0, 60),
    spans=st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=6),
    texts=st.lists(st.tuples(st.integers(0, 120), st.integers(1, 5)), max_size=40),
)
def test_no_sample_reaches_beyond_its_moment_or_its_budget(
    until_s: int,
    frames: int,
    words: int,
    spans: list[tuple[int, int]],
    texts: list[tuple[int, int]],
) -> None:
    at, recorded = 0, []
    for length, gap in spans:
        recorded.append(Span(at * S, (at + length) * S))
        at += length + gap
    told = [ToldText(end_s * S, count) for end_s, count in sorted(texts)]
    life = RecordedLife(recorded, told, 120 * S)
    plan = policy(most_frames=frames, most_words=words)
    found = sampled_stretches(life, until_s * S, plan, EVERYTHING)
    assert all(one.end_us <= until_s * S for one in found)
    assert all(told[n].end_us <= until_s * S for one in found for n in _texts(one))
    assert all(
        told[n].end_us > one.start_us or not one.start_us for one in found for n in _texts(one)
    )
    assert len(shown_s(found)) <= frames
    assert sum(told[n].words for one in found for n in _texts(one)) <= words
    for one in found:
        inside = any(span.start_us < one.end_us <= span.end_us for span in recorded)
        assert inside or not one.is_shown


def _texts(stretch: Stretch) -> range:
    return range(stretch.first_text, stretch.last_text)


def asked(plan: LifelongPolicy, senses: Senses | None, *due_s: int) -> list[tuple[str, int]]:
    questions = [PlannedQuestion(f"q{n}", due * S, n) for n, due in enumerate(due_s)]
    found = lifelong_asks(questions, LIFE, plan, senses)
    return [
        (one.ask.question_id, one.ask.due_us // S)
        if isinstance(one, SampledAsk)
        else (f"{one.question_id} {one.reason}", one.due_us // S)
        for one in found
    ]


def test_questions_are_put_when_due_or_about_the_whole_life() -> None:
    due = replace(policy(), asked_at=AskedAt.DUE)
    assert asked(due, LOOKS, 70, 30) == [("q1", 30), ("q0", 70)]
    assert asked(policy(), LOOKS, 70, 30) == [("q0", 100), ("q1", 100)]


def test_a_question_about_what_was_never_recorded_is_not_put() -> None:
    assert asked(policy(), LOOKS, 100, 101) == [("q0", 100), ("q1 due_after_stream_end", 101)]


def test_a_subject_that_follows_the_whole_stream_is_given_no_sample() -> None:
    questions = [PlannedQuestion("q", 30 * S, 0)]
    (found,) = lifelong_asks(questions, LIFE, policy(), None)
    assert not isinstance(found, Skip)
    assert found.stretches == ()


def test_a_policy_travels_as_json_and_comes_back_the_same() -> None:
    plan = LifelongPolicy(
        SampleBudget(32, 100, 5_000, words_share=0.25),
        AskedAt.DUE,
        ref_bins_s=(300,),
        rule_sets=(RuleSet.PAPER,),
    )
    assert LifelongPolicy.from_json(plan.to_json()) == plan
    assert plan.digest != LifelongPolicy().digest
    with pytest.raises(UnknownKeyError):
        LifelongPolicy.from_json({**plan.to_json(), "frames": 3})


@pytest.mark.parametrize(
    "wrong",
    [
        {"ref_bins_s": ()},
        {"ref_bins_s": (300, 300)},
        {"ref_bins_s": (0,)},
        {"unit_us": 0},
        {"rule_sets": ()},
        {"budget": SampleBudget(words_share=1.5)},
        {"budget": SampleBudget(tokens_per_word=0)},
        {"budget": SampleBudget(most_frames=-1)},
    ],
)
def test_numbers_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        LifelongPolicy(**wrong)
