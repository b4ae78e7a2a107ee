"""What a benchmark asks for is what covers faces and writing."""

from pathlib import Path

from firsthand.deid import CoverStyle
from tasks.stages.deidentify import removal_of
from tests.unit.tasks.small_job import job_over


def test_faces_and_writing_are_covered_as_the_benchmark_says(tmp_path: Path) -> None:
    (tmp_path / "recordings").mkdir()
    job = job_over(tmp_path)
    usual = removal_of(job)
    assert (usual.covering.style, usual.text_covering.style) == (CoverStyle.BLUR, CoverStyle.SOLID)
    with job.spec_path.open("a") as file:
        file.write("removal: {faces: {style: solid}, text: {style: blur}}\n")
    asked = removal_of(job)
    assert (asked.covering.style, asked.text_covering.style) == (CoverStyle.SOLID, CoverStyle.BLUR)
    # The size of the cover is not a matter of its style.
    assert asked.covering.margin == usual.covering.margin
