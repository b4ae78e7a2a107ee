"""Chapters of one recording become one file, in the private zone, their pictures copied."""

from itertools import pairwise
from pathlib import Path

from firsthand.core.time import Span
from firsthand.media.merging import MergePart, Merging, merge
from firsthand.media.probe import probe
from firsthand.store import Outputs, StepRequest, Zone
from tasks.items import SourceFile
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import JOIN

__all__ = ["JOIN_STAGE"]


def _request(job: Job, source: SourceFile) -> StepRequest:
    del job
    return StepRequest(
        JOIN,
        inputs={
            f"chapter {number:03}": chapter.media_digest
            for number, chapter in enumerate(source.chapters)
        },
        subject=source.recording_id,
    )


def _work(job: Job, source: SourceFile, folder: Path) -> Outputs:
    del job
    ends_us = [0]
    for chapter in source.chapters:
        ends_us.append(ends_us[-1] + probe(chapter.path).duration_us)
    parts = [
        MergePart(chapter.path, Span(*place_us))
        for chapter, place_us in zip(source.chapters, pairwise(ends_us), strict=True)
    ]
    target = folder / "recording.mp4"
    merged = merge(parts, target, Merging(keeps_original=True))
    return Outputs(
        files={"recording": (target, Zone.PRIVATE)},
        values={"chapter_starts_us": ends_us[:-1], "frames": merged.frames},
    )


JOIN_STAGE = Stage("join", _request, _work)
