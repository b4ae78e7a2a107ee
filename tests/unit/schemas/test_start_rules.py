"""Device rules and starts entered by hand, as the benchmark's file spells them."""

import unicodedata
from pathlib import Path

import pytest
from pydantic import Field

from firsthand.core.errors import ConfigurationError
from firsthand.media.start_time import Clock, DeviceRule, EnteredStart, Marks
from schemas.start_rules import DeviceSpec, StartSpec, rule_for, start_entered
from schemas.yaml_records import Record, load_record

NFC = unicodedata.normalize("NFC", "día é.mp4")
NFD = unicodedata.normalize("NFD", NFC)


class Rules(Record):
    devices: tuple[DeviceSpec, ...] = Field(default=(), strict=False)
    starts: tuple[StartSpec, ...] = Field(default=(), strict=False)


def rules(folder: Path, text: str) -> Rules:
    path = folder / "rules.yaml"
    path.write_text(text, encoding="utf-8")
    return load_record(path, Rules)


def test_the_first_device_whose_pattern_matches_counts(tmp_path: Path) -> None:
    found = rules(
        tmp_path,
        "devices:\n"
        "  - {files: 'GX*.MP4', container_clock: local}\n"
        "  - {files: '*.mp4', container_marks: end, ahead_s: -1.5}\n",
    )
    devices = found.devices
    assert rule_for(devices, "gx010042.mp4") == DeviceRule(Clock.LOCAL)
    assert rule_for(devices, "a.mp4") == DeviceRule(container_marks=Marks.END, ahead_us=-1_500_000)
    assert rule_for(devices, "a.mov") is None


@pytest.mark.parametrize("written", ["'2026-05-03T09:30:00+02:00'", "2026-05-03T09:30:00+02:00"])
def test_a_start_may_be_written_with_or_without_quotes(tmp_path: Path, written: str) -> None:
    found = rules(tmp_path, f"starts:\n  - {{file: a.mp4, start: {written}}}\n")
    assert start_entered(found.starts, "a.mp4") == EnteredStart("2026-05-03T09:30:00+02:00")
    assert start_entered(found.starts, "b.mp4") is None


@pytest.mark.parametrize("written", ["yesterday", "2026-05-03", "09:30", "12", "''"])
def test_what_is_no_moment_is_refused_by_name(tmp_path: Path, written: str) -> None:
    with pytest.raises(ConfigurationError, match="start"):
        rules(tmp_path, f"starts:\n  - {{file: a.mp4, start: {written}}}\n")


def test_a_name_matches_in_either_form_of_its_accents() -> None:
    starts = (StartSpec(file=NFC, start="2026-05-03T09:30:00"),)
    assert NFC != NFD
    assert start_entered(starts, NFD) == EnteredStart("2026-05-03T09:30:00")
    assert rule_for((DeviceSpec(files=NFC),), NFD) == DeviceRule()
