"""Sampling frames for the audit, and what their judgement says about a whole release."""

import numpy as np
import pytest
from scipy import stats

from firsthand.deid.audit_rate import StratumCount, leak_rate
from firsthand.deid.audit_sampling import (
    AuditMoment,
    AuditPolicy,
    Stratum,
    WeakSighting,
    audit_moments,
)
from firsthand.deid.faces import BoxPx
from firsthand.deid.tracking import BoxSource, TrackBox

FRAMES = [number * 40_000 for number in range(1_000)]
BOX = BoxPx(100, 100, 140, 150)


def track(number: int, frames: range, shift_px: float = 0.0) -> list[TrackBox]:
    return [
        TrackBox(number, FRAMES[n], BOX.moved(shift_px * (n - frames[0]), 0), BoxSource.DETECTED)
        for n in frames
    ]


def drawn(
    tracks: list[TrackBox], sightings: list[WeakSighting], least: int = 10_000, seed: int = 1
) -> list[AuditMoment]:
    policy = AuditPolicy(per_hour=0, least=least)
    rng = np.random.default_rng(seed)
    return audit_moments(FRAMES, tracks, sightings, policy, rng)


def frames_in(moments: list[AuditMoment], stratum: Stratum) -> list[int]:
    return [one.pts_us // 40_000 for one in moments if one.stratum is stratum]


def test_each_frame_belongs_to_the_kind_where_a_leak_is_likeliest() -> None:
    # Still from frame 100 to 200, then one that moves 4 of its 40 px a frame: 2.5 widths/s.
    tracks = [*track(0, range(100, 201)), *track(1, range(400, 501), shift_px=4)]
    sightings = [
        WeakSighting(FRAMES[150], BOX),
        WeakSighting(FRAMES[300], BOX),
        WeakSighting(FRAMES[450], BoxPx(500, 10, 520, 30)),
    ]
    moments = drawn(tracks, sightings)
    assert [one.pts_us for one in moments] == FRAMES
    # 0.2 s are five frames each way.
    ends = [n for end in (100, 200, 400, 500) for n in range(end - 5, end + 6)]
    assert frames_in(moments, Stratum.TRACK_END) == ends
    assert frames_in(moments, Stratum.WEAK_SIGHTING) == [300, 450]
    fast = [n for n in range(401, 501) if n not in ends and n != 450]
    assert frames_in(moments, Stratum.FAST_MOTION) == fast
    for stratum in set(Stratum) - {Stratum.SPARED_FACE}:
        counts = {one.stratum_frames for one in moments if one.stratum is stratum}
        assert counts == {len(frames_in(moments, stratum))}


def test_the_same_draw_gives_the_same_frames_and_every_frame_has_its_chance() -> None:
    tracks = track(0, range(100, 201))
    assert drawn(tracks, [], least=3) == drawn(tracks, [], least=3)
    seen = {one.pts_us for seed in range(400) for one in drawn(tracks, [], 10, seed)}
    assert len(seen) > 980


def test_a_long_recording_is_sampled_by_its_length() -> None:
    policy, rng = AuditPolicy(per_hour=450, least=2), np.random.default_rng(1)
    # 40 s are 1/90 hour: 5 frames of the only kind there is.
    assert len(audit_moments(FRAMES, [], [], policy, rng)) == 5


def test_without_a_leak_the_upper_end_is_the_rule_of_three() -> None:
    # Zero of n: the exact one-sided 97.5 % bound of a Poisson mean is -ln(0.025) / n.
    rate = leak_rate([StratumCount(frames=90_000, judged=60, leaks=0)])
    assert (rate.per_hour, rate.low) == (0, 0)
    assert rate.high == pytest.approx(-np.log(0.025) / 60 * 3_600)


def test_the_interval_of_one_kind_is_garwoods() -> None:
    rate = leak_rate([StratumCount(frames=1_000, judged=200, leaks=5)])
    low, high = stats.chi2.ppf(0.025, 10) / 2, stats.chi2.ppf(0.975, 12) / 2
    assert rate.per_hour == pytest.approx(5 / 200 * 3_600)
    assert (rate.low, rate.high) == pytest.approx((low / 200 * 3_600, high / 200 * 3_600))


def test_each_kind_counts_by_the_frames_it_stands_for() -> None:
    kinds = [StratumCount(900, 30, 0), StratumCount(100, 10, 2), StratumCount(0, 0, 0)]
    assert leak_rate(kinds).per_hour == pytest.approx(2 / 10 * 100 / 1_000 * 3_600)


def test_a_kind_that_nobody_looked_at_leaves_the_rate_unknown() -> None:
    rate = leak_rate([StratumCount(900, 30, 0), StratumCount(100, 0, 0)])
    assert (rate.per_hour, rate.low, rate.high) == (None, None, None)
    assert leak_rate([]).per_hour is None


def test_the_interval_holds_the_truth_at_least_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    truth = [(9_000, 60, 0.002), (600, 60, 0.05), (400, 30, 0.01)]
    total = sum(frames for frames, _, _ in truth)
    rate = sum(frames * mean for frames, _, mean in truth) / total * 3_600
    held = 0
    for _ in range(300):
        counts = [
            StratumCount(frames, judged, int(rng.poisson(judged * mean)))
            for frames, judged, mean in truth
        ]
        estimate = leak_rate(counts)
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= rate <= estimate.high
    assert held >= 0.95 * 300


def test_frames_in_which_a_face_was_spared_are_all_looked_at_whatever_else_is_drawn() -> None:
    tracks = track(0, range(100, 201))
    rng = np.random.default_rng(1)
    asked = {FRAMES[110], FRAMES[150], FRAMES[199]}
    moments = audit_moments(FRAMES, tracks, [], AuditPolicy(per_hour=0, least=1), rng, asked)
    assert frames_in(moments, Stratum.SPARED_FACE) == [110, 150, 199]
    assert {one.stratum_frames for one in moments if one.pts_us in asked} == {3}
    # Without any, what is drawn is what was drawn before there was such a kind.
    assert drawn(tracks, [], least=5) == audit_moments(
        FRAMES, tracks, [], AuditPolicy(per_hour=0, least=5), np.random.default_rng(1), ()
    )
