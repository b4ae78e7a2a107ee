import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.time import Span
from firsthand.deid.muting import FADE_US, MutedSound, merged_spans
from firsthand.media.sound import SoundBlock

RATE_HZ = 16_000
spans = st.lists(
    st.tuples(st.integers(-200_000, 900_000), st.integers(1, 300_000)).map(
        lambda pair: Span(pair[0], pair[0] + pair[1])
    ),
    max_size=6,
)


def muted(
    sound: npt.NDArray[np.float32], silenced: list[Span], block: int = 1_000
) -> npt.NDArray[np.float32]:
    edit = MutedSound(silenced)
    starts = range(0, sound.shape[1], block)
    return np.concatenate(
        [edit(SoundBlock(n, RATE_HZ, sound[:, n : n + block])) for n in starts], axis=1
    )


def sound() -> npt.NDArray[np.float32]:
    rng = np.random.default_rng(3)
    return rng.uniform(0.1, 1, (2, RATE_HZ)).astype(np.float32)


@given(spans)
def test_inside_is_silence_and_far_outside_is_untouched(silenced: list[Span]) -> None:
    before = sound()
    after = muted(before, silenced)
    for number in range(0, RATE_HZ, 7):
        begin_us, end_us = number * 1_000_000 / RATE_HZ, (number + 1) * 1_000_000 / RATE_HZ
        inside = any(span.start_us < end_us and begin_us < span.end_us for span in silenced)
        far = all(
            begin_us >= span.end_us + FADE_US + 1 or end_us <= span.start_us - FADE_US - 1
            for span in silenced
        )
        if inside:
            assert not after[:, number].any()
        if far:
            assert (after[:, number] == before[:, number]).all()


@given(spans, st.integers(100, 5_000))
def test_the_cut_into_blocks_is_never_heard(silenced: list[Span], block: int) -> None:
    whole, cut = muted(sound(), silenced, RATE_HZ), muted(sound(), silenced, block)
    assert np.abs(whole - cut).max() <= 1e-6


def test_the_edge_of_a_silence_is_soft() -> None:
    steady = np.ones((1, RATE_HZ), np.float32)
    after = muted(steady, [Span(300_000, 500_000)])
    assert np.abs(np.diff(after)).max() < 0.02
    assert after[0, RATE_HZ // 2 + 40] == pytest.approx(0.5, abs=0.02)


def test_spans_that_meet_are_one() -> None:
    assert merged_spans([Span(5, 9), Span(1, 3), Span(3, 4), Span(6, 7)]) == (
        Span(1, 4),
        Span(5, 9),
    )


def test_a_bleep_is_a_tone_that_owes_nothing_to_what_was_said() -> None:
    rng = np.random.default_rng(5)
    loud, quiet = (rng.normal(0, level, (2, 48_000)).astype(np.float32) for level in (0.3, 0.001))
    bleeping = MutedSound([Span(100_000, 200_000)], bleeps=[Span(500_000, 750_000)])
    one, other = (bleeping(SoundBlock(0, 48_000, samples)) for samples in (loud, quiet))
    inside = slice(24_000, 36_000)
    assert np.array_equal(one[:, inside], other[:, inside])
    # 12,000 samples at 48 kHz: a bin is 4 Hz wide, so 1 kHz is the 250th.
    spectrum = np.abs(np.fft.rfft(one[0, inside]))
    assert spectrum.argmax() == 250
    assert spectrum[250] ** 2 > 0.999 * (spectrum**2).sum()
    assert np.abs(one[0, inside]).max() == pytest.approx(0.1, abs=1e-3)
    assert not one[:, 4_800:9_600].any()
    assert np.array_equal(one[:, 40_000:], loud[:, 40_000:])
