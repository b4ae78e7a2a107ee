"""Chapters by their names, as GoPro's own documentation numbers them."""

import json
import random
from pathlib import Path

from firsthand.media.chapters import ChapterRun, chapter_runs

CASE = Path(__file__).parents[2] / "cases" / "14-gopro-chapter-order"


def test_14_chapters_are_grouped_ordered_and_a_hole_is_never_closed_up() -> None:
    case = json.loads((CASE / "files.json").read_text())
    runs = chapter_runs(case["listing"])
    groups: dict[str, list[str]] = {}
    for run in runs:
        groups.setdefault(run.names[0][4:8], []).extend(run.names)
    assert groups == case["want_groups"]
    holes = {run.names[0]: run.missing_before for run in runs if run.missing_before}
    # "chapters 03-09 missing" of 0157: the run after the hole says so.
    assert holes == {"GX100157.MP4": (3, 4, 5, 6, 7, 8, 9)}
    assert [run.names for run in runs if "0157" in run.names[0]] == [
        ("GX010157.MP4", "GX020157.MP4"),
        ("GX100157.MP4", "GX110157.MP4"),
    ]


def test_the_order_of_the_listing_does_not_matter() -> None:
    names = json.loads((CASE / "files.json").read_text())["listing"]
    shuffled = random.Random(1).sample(names, len(names))
    assert chapter_runs(shuffled) == chapter_runs(names)


def test_older_cameras_name_the_first_chapter_otherwise() -> None:
    names = ["GP020042.MP4", "GOPR0042.MP4", "GP010042.MP4", "GOPR0043.MP4"]
    assert chapter_runs(names) == (
        ChapterRun(("GOPR0042.MP4", "GP010042.MP4", "GP020042.MP4")),
        ChapterRun(("GOPR0043.MP4",)),
    )


def test_other_codings_and_companions_of_a_recording_are_not_its_chapters() -> None:
    names = ["GX010042.MP4", "GH020042.MP4", "GX010042.LRV", "GX010042.THM", "gx020042.mp4"]
    assert chapter_runs(names) == (
        ChapterRun(("GH020042.MP4",), (1,)),
        ChapterRun(("GX010042.LRV",)),
        ChapterRun(("GX010042.MP4", "gx020042.mp4")),
        ChapterRun(("GX010042.THM",)),
    )


def test_a_file_of_another_name_is_a_recording_of_its_own() -> None:
    names = ["VID_20260503_093000.mp4", "notes.txt"]
    assert [run.names for run in chapter_runs(names)] == [(names[0],), (names[1],)]
