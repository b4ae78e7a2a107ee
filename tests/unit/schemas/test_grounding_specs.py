"""Grounding in a run file: the grid, and what subjects declare for it."""

from pathlib import Path

import pytest

from firsthand.answers import CoordinateOrder, PointForm
from firsthand.core.errors import ConfigurationError, UnknownKeyError
from firsthand.protocols import GroundingPolicy, InputStack
from firsthand.store import Store
from firsthand.subjects import EndpointSettings
from schemas.run_spec import load_run_spec
from tasks.protocols import policy_of
from tasks.subjects import configured_subjects

RUN = """\
schema_version: 1
name: nightly
subjects:
  - {name: blind, kind: blind, declared_latency_s: 0.25}
rule_sets: [paper, official]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "run.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_grid_of_grounding_is_declared_in_the_run_file(tmp_path: Path) -> None:
    grid = "protocol: {name: grounding, stacks: [frames_text, video_omni], fps: [1, 2.5]}\n"
    policy = policy_of(load_run_spec(written(tmp_path, RUN + grid)))
    assert isinstance(policy, GroundingPolicy)
    assert [cell.name for cell in policy.cells] == [
        "frames_text-1fps",
        "frames_text-2.5fps",
        "video_omni",
    ]
    assert policy.reference is InputStack.FRAMES_TEXT
    for wrong, told in (
        (RUN + grid + "policy: {probes: 3}\n", "streaming protocol alone"),
        (RUN + "protocol: {name: grounding, stacks: [frames]}\n", r"protocol\.stacks"),
        (RUN + "protocol: {name: grounding, fsp: [1]}\n", "fps"),
    ):
        with pytest.raises((ConfigurationError, UnknownKeyError), match=told):
            load_run_spec(written(tmp_path, wrong))


def test_a_subject_declares_how_it_points_and_what_it_can_be_held_to(tmp_path: Path) -> None:
    subject = (
        "  - {name: m, kind: litellm, model: openai/m, revision: r, points: {order: yx},"
        " receives: [video, speech], takes_films: true, structured_replies: true}\n"
    )
    spec = load_run_spec(written(tmp_path, RUN.replace("subjects:\n", "subjects:\n" + subject)))
    settings = configured_subjects(spec, Store.opened(tmp_path / "store"))[0].settings
    assert isinstance(settings, EndpointSettings)
    assert settings.points == PointForm(CoordinateOrder.YX, 1000.0)
    assert (settings.takes_films, settings.structured_replies) == (True, True)
    assert settings.receives == {"video", "speech"}
