"""A lane widens while an endpoint keeps up, and narrows once for each time it does not."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from firsthand.endpoints import Lane, Traffic


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def pass_through(lane: Lane, times: int) -> None:
    for _ in range(times):
        with lane.passage():
            pass


def overrun(lane: Lane, at_once: int, retry_after_s: float | None = None) -> None:
    """Send calls at once that are all refused for the moment."""
    with ExitStack() as calls:
        for _ in range(at_once):
            calls.enter_context(lane.passage()).note_congestion(retry_after_s)


def test_a_lane_gains_one_place_for_each_round_that_goes_well() -> None:
    lane = Lane(64)
    assert lane.limit == 4
    # Each answer adds one part in `limit`: a round of 4, then 5, then 6 answers adds one.
    pass_through(lane, 5)
    assert lane.limit == 5
    pass_through(lane, 6)
    assert lane.limit == 6


def test_calls_refused_together_halve_the_lane_once() -> None:
    lane = Lane(64)
    pass_through(lane, 40)
    wide = lane.limit
    assert wide > 8
    overrun(lane, at_once=wide)
    assert lane.limit == pytest.approx(wide / 2, abs=1)
    overrun(lane, at_once=lane.limit)
    assert lane.limit == pytest.approx(wide / 4, abs=1)


def test_a_lane_is_never_closed_and_never_wider_than_its_most() -> None:
    lane = Lane(3)
    for _ in range(10):
        overrun(lane, at_once=1)
    assert lane.limit == 1
    pass_through(lane, 200)
    assert lane.limit == 3
    with pytest.raises(ValueError, match="at least one"):
        Lane(0)


def test_no_more_calls_are_under_way_than_there_are_places() -> None:
    lane = Lane(2)
    under_way, most, lock = [0], [0], threading.Lock()
    gate = threading.Barrier(2)

    def call() -> None:
        with lane.passage():
            with lock:
                under_way[0] += 1
                most[0] = max(most[0], under_way[0])
            gate.wait(timeout=10)
            with lock:
                under_way[0] -= 1

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    # The barrier lets calls go on in pairs only, so that two were under way, and never three.
    assert most == [2]
    assert under_way == [0]


def test_one_call_that_is_told_to_come_later_holds_the_others_back() -> None:
    clock = Clock()
    lane = Lane(8, clock_s=clock)
    overrun(lane, at_once=1, retry_after_s=30.0)
    gone: list[float] = []

    def call() -> None:
        with lane.passage():
            gone.append(clock.now_s)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(timeout=0.2)
    assert thread.is_alive()
    clock.now_s += 31.0
    with lane.passage():
        pass
    thread.join(timeout=10)
    assert gone == [131.0]


def test_a_lane_seems_down_after_three_calls_were_given_up_in_a_row() -> None:
    lane = Lane(8)
    for _ in range(3):
        assert not lane.seems_down
        lane.note_given_up()
    assert lane.seems_down
    lane.note_success()
    assert not lane.seems_down


def test_an_endpoint_has_one_lane_in_a_process() -> None:
    traffic = Traffic()
    lane = traffic.lane("openai/m", "http://127.0.0.1:1/v1", 8)
    assert traffic.lane("openai/m", "http://127.0.0.1:1/v1", 8) is lane
    assert traffic.lane("openai/m", "http://127.0.0.1:2/v1", 8) is not lane


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before
