"""T_dur, T_span and the lifelong horizon of a stream, from a build's own tables."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from firsthand.core.timeline import Placement
from tasks.commits import commit_receipts
from tasks.items import Recording, SourceFile, Stream
from tasks.stages import STAGES
from tasks.summary import stream_notes
from tests.unit.tasks.small_job import job_over

HOUR_US = 3_600_000_000


def stream(*hours: tuple[float, float]) -> Stream:
    """A stream of recordings by start and length in hours."""
    recordings = []
    for number, (start_h, length_h) in enumerate(hours):
        source = SourceFile("P1", Path(f"{number}.mp4"), f"{number:064x}", 1)
        recording = Recording(source, round(length_h * HOUR_US))
        placement = Placement(
            recording.recording_id, round(start_h * HOUR_US), 0, recording.duration_us, "container"
        )
        recordings.append(replace(recording, placement=placement))
    return Stream("P1", tuple(recordings))


@pytest.mark.parametrize(
    ("hours", "lengths_h", "lifelong"),
    [
        ([(0, 6), (18, 6)], (12, 24), True),
        ([(0, 6), (18, 5.99)], (11.99, 23.99), False),
        ([(0, 13)], (13, 13), False),
        ([(0, 1), (700, 1)], (2, 701), False),
    ],
)
def test_a_stream_is_lifelong_from_twelve_hours_over_a_day_on(
    hours: list[tuple[float, float]],
    lengths_h: tuple[float, float],
    lifelong: bool,
    tmp_path: Path,
) -> None:
    (tmp_path / "recordings").mkdir()
    job = job_over(tmp_path)
    receipt = STAGES["place"].run(job, stream(*hours))
    (part,) = receipt.parts_of("streams")
    (row,) = pq.read_table(job.store.root / part.path).to_pylist()
    measured_h = (row["recorded_us"] / HOUR_US, row["spanned_us"] / HOUR_US)
    assert measured_h == pytest.approx(lengths_h)
    assert row["lifelong"] is lifelong


def test_a_builds_summary_tells_the_lengths_of_each_stream(tmp_path: Path) -> None:
    (tmp_path / "recordings").mkdir()
    job = job_over(tmp_path)
    commit_receipts(job, "place", [STAGES["place"].run(job, stream((0, 6), (18, 6)))])
    assert stream_notes(job.store, "demo") == (
        "stream of P1: T_dur 12.00 h, T_span 24.00 h, lifelong",
    )
