import pytest

from firsthand.core.outcomes import Outcome
from firsthand.metrics.persistence import (
    AskEnd,
    Event,
    Persistence,
    WindowVariant,
    persistence_of,
    tracker_persistence,
)
from firsthand.protocols.policy import StreamingPolicy

POLICY = StreamingPolicy()
RIGHT, WRONG = AskEnd(Outcome.CORRECT), AskEnd(Outcome.WRONG)
MINUTE_US = 60_000_000


def held(*probes: AskEnd) -> Persistence:
    return persistence_of(RIGHT, probes, POLICY, WindowVariant.STRICT)


def test_ten_passed_probes_are_censored_by_the_cap() -> None:
    assert held(*[RIGHT] * 10) == Persistence(
        Event.CENSORED, 10 * MINUTE_US, 10, Outcome.CENSORED_CAP
    )


@pytest.mark.parametrize(
    ("ending", "cause"),
    [
        (Outcome.CENSORED_STREAM_END, Outcome.CENSORED_STREAM_END),
        (Outcome.INFRASTRUCTURE_ERROR, Outcome.CENSORED_INFRASTRUCTURE),
        (Outcome.NOT_ASKED, Outcome.CENSORED_NOT_PROBED),
    ],
)
def test_a_probe_that_was_not_answered_censors_at_the_last_passed_one(
    ending: Outcome, cause: Outcome
) -> None:
    found = held(RIGHT, RIGHT, AskEnd(ending))
    assert found == Persistence(Event.CENSORED, 2 * MINUTE_US, 2, cause)


def test_probes_that_nobody_asked_are_censored_as_not_probed() -> None:
    assert held(RIGHT).censored_by is Outcome.CENSORED_NOT_PROBED


def test_a_refused_probe_is_a_failed_probe() -> None:
    assert held(RIGHT, AskEnd(Outcome.REFUSED)) == Persistence(Event.FAILED, 2 * MINUTE_US, 2, None)


def test_a_pass_after_a_failure_does_not_count() -> None:
    assert held(RIGHT, WRONG, RIGHT) == Persistence(Event.FAILED, 2 * MINUTE_US, 2, None)


def test_another_schedule_gives_other_times() -> None:
    policy = StreamingPolicy(probe_step_us=30_000_000, probes=2)
    found = persistence_of(RIGHT, [RIGHT, RIGHT, WRONG], policy, WindowVariant.STRICT)
    assert found == Persistence(Event.CENSORED, MINUTE_US, 2, Outcome.CENSORED_CAP)


def test_a_tracker_alone_tells_failures_as_the_records_would() -> None:
    found = tracker_persistence([True, True, False], POLICY)
    records = held(RIGHT, WRONG)
    assert (found.event, found.persistence_us) == (records.event, records.persistence_us)


def test_a_tracker_that_begins_with_a_failure_was_never_correct() -> None:
    assert tracker_persistence([False, True], POLICY).event is Event.NEVER_CORRECT
    assert tracker_persistence([], POLICY).event is Event.NEVER_CORRECT
