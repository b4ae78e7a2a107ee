"""A benchmark file spares a face only where everything is there that sparing needs."""

from pathlib import Path

import pytest

from firsthand.core.errors import ConfigurationError
from schemas.benchmark_spec import load_benchmark_spec
from tests.unit.schemas.test_specs import BENCHMARK, folder, written

__all__ = ["folder"]


def test_a_face_is_spared_only_with_marks_a_consent_and_an_engine(folder: Path) -> None:
    mark = "{file: films/a.mp4, at_s: 1.5, box_xyxy_px: [10, 20, 90, 120]}"
    spared = f"{BENCHMARK}removal: {{faces: {{spared: [p1]}}}}\n"
    steps = (
        ("with `face_enrolment`, not 'p1'", "", ""),
        (
            "the consent `own_face`",
            "    time_zone:",
            f"    face_enrolment: [{mark}]\n    time_zone:",
        ),
        (
            "an engine `face_embedder`",
            "consents: [",
            "consents: [{scope: own_face, granted_on: 2026-01-02}, ",
        ),
        ("", "engines: {", "engines: {face_embedder: dlib, "),
    )
    for told, before, after in steps:
        assert before in spared
        spared = spared.replace(before, after) if before else spared
        if told:
            with pytest.raises(ConfigurationError, match=told):
                load_benchmark_spec(written(folder, spared))
    person = load_benchmark_spec(written(folder, spared)).participants[0]
    assert person.face_enrolment[0].at_us == 1_500_000
