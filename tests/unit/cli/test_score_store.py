"""What `firsthand import` put into a store scores as the official files do."""

import json
import shutil
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from benchmarks.ecog_corpus import HEIGHT_PX, WIDTH_PX, MaskPicture, ecog_clips
from firsthand.cli.imports import import_app
from firsthand.cli.score import score_app
from firsthand.core.errors import DataFileError
from firsthand.formats.textfile import read_json, write_json
from tests.unit.cli.invoking import said

GOLDEN = Path(__file__).parents[2] / "golden/teleego_metrics"
RULES = ("paper", "official")


def scores(*arguments: object) -> Any:
    """Everything but how intervals were drawn: rows of other order draw other clusters."""
    reports = json.loads(said(score_app, *arguments, "--json"))
    for report in reports:
        for row in report["rows"]:
            del row["low"], row["high"]
        for found in report["differences"]:
            del found["low"], found["high"], found["p_value"]
        report["notes"] = sorted(report["notes"])
    return reports


@pytest.fixture
def pointing(tmp_path: Path) -> Path:
    """A data folder of crop masks, full frames and places, and two subjects' replies."""
    rng = np.random.default_rng(11)
    replies: dict[str, dict[str, Any]] = {"one": {}, "two": {}}
    for number, picture in enumerate(MaskPicture):
        truths: dict[str, Any] = {}
        for name, _, truth, reply in islice(ecog_clips(picture, rng), 12):
            key = f"{picture}_{name}"
            truths[key] = truth
            replies["one"][key] = reply
            replies["two"][key] = {} if number else reply
        write_json(tmp_path / f"data_en/env/指令{2 + number}/eval_gt.json", truths)
    # The released code knows no clip without a reply.
    del replies["two"][next(iter(replies["two"]))]
    for subject, found in replies.items():
        truth_sizes: Any = [
            {"video_name": name, "_video_width": WIDTH_PX, "_video_height": HEIGHT_PX}
            for name in replies["one"]
        ]
        predictions: Any = [{"video_name": name, **reply} for name, reply in found.items()]
        write_json(
            tmp_path / f"{subject}.json",
            {"predictions": predictions, "ground_truths": truth_sizes},
        )
    return tmp_path


@pytest.mark.parametrize("rules", RULES)
def test_ecog_scores_from_the_store_are_those_of_the_files(pointing: Path, rules: str) -> None:
    store, data = pointing / "store", pointing / "data_en"
    for subject in ("one", "two"):
        replies = pointing / f"{subject}.json"
        said(import_app, "ecog", "--data", data, "--predictions", replies, "--store", store)
    by = ("--by", "level", "--by", "object_size", "--by", "language", "--rules", rules)
    compare: tuple[object, ...] = ("--compare", pointing / "two.json")
    one = ("ecog", "--data", data, "--predictions", pointing / "one.json")
    if rules == "paper":
        with pytest.raises(DataFileError, match="no file"):
            scores(*one, *compare, *by)
        compare = ()
    files = scores(*one, *compare, *by)
    named = ("--compare", "two") if compare else ()
    stored = scores("ecog", "--store", store, "--subject", "one", *named, *by)
    assert files == stored
    assert any(0 < row["value"] < 100 for report in files for row in report["rows"])
    everyone = scores("ecog", "--store", store, *by) if rules == "official" else []
    assert [report["subject"] for report in everyone] == (["one", "two"] if everyone else [])


@pytest.mark.parametrize("rules", RULES)
def test_teleego_scores_from_the_store_are_those_of_the_files(tmp_path: Path, rules: str) -> None:
    shutil.copytree(GOLDEN / "outputs", tmp_path / "outputs")
    shutil.copyfile(GOLDEN / "model_timestamps.json", tmp_path / "model_timestamps.json")
    outputs, store = tmp_path / "outputs", tmp_path / "store"
    imported = CliRunner().invoke(
        import_app,
        ["teleego", "--qa", str(GOLDEN / "QAs"), "--outputs", str(outputs), "--store", str(store)],
    )
    assert "imported the run of 'beta_partial'" in imported.output
    by = ("--by", "subcategory", "--by", "participant", "--rules", rules)
    files = scores("teleego", "--qa", GOLDEN / "QAs", "--outputs", outputs, *by)
    assert files == scores("teleego", "--store", store, *by)
    other = outputs / "beta_partial"
    compared = scores(
        *("teleego", "--qa", GOLDEN / "QAs", "--outputs", outputs / "alpha_full"),
        *("--compare", other, *by),
    )
    assert compared[0]["differences"]
    stored = ("teleego", "--store", store, "--subject", "alpha_full", "--compare", "beta_partial")
    assert compared == scores(*stored, *by)


@pytest.mark.parametrize("rules", RULES)
def test_mm_lifelong_scores_from_the_store_are_those_of_the_files(
    tmp_path: Path, rules: str
) -> None:
    questions: Any = [
        {
            "index": index,
            "question": "?",
            "answer": "!",
            "temporal_certificate": ("Short", "Long")[index % 2],
            "clue_interval": [{"video_id": "v1", "intervals": [[1, 2]]}],
            "total_intervals": [[600 * index, 600 * index + 10]],
        }
        for index in range(6)
    ]
    write_json(tmp_path / "month/val.json", questions)
    for subject, shift in (("one", 0), ("two", 400)):
        answers: Any = [
            {
                **questions[index],
                "pred": {"answer": "x", "intervals": [[600 * index + shift, 600 * index + 405]]},
                "score": "Final Score: 4" if index else "unsure",
            }
            for index in range(5)
        ]
        write_json(tmp_path / f"{subject}.json", answers)
        said(
            *(import_app, "mm-lifelong", "--questions", tmp_path / "month/val.json"),
            *("--predictions", tmp_path / f"{subject}.json", "--store", tmp_path / "store"),
        )
    by = ("--by", "certificate_band", "--rules", rules, "--n", "60", "300")
    files = scores(
        *("mm-lifelong", "--questions", tmp_path / "month/val.json"),
        *("--predictions", tmp_path / "one.json", "--compare", tmp_path / "two.json", *by),
    )
    stored = ("mm-lifelong", "--store", tmp_path / "store", "--subject", "one", "--compare", "two")
    assert files == scores(*stored, *by)
    assert {row["group"] for row in files[0]["rows"]} == {"overall", "Short", "Long"}
    assert len(files[0]["differences"]) == 4


def test_what_was_not_imported_is_named(tmp_path: Path) -> None:
    for benchmark in ("teleego", "ecog", "mm-lifelong"):
        with pytest.raises(DataFileError, match="scope"):
            said(score_app, benchmark, "--store", tmp_path / "store", "--subject", "one")
    result = CliRunner().invoke(score_app, ["teleego"])
    assert result.exit_code == 2
    assert "--store" in result.output


def test_replies_of_another_ground_truth_are_refused(pointing: Path) -> None:
    store, data = pointing / "store", pointing / "data_en"
    replies = pointing / "one.json"
    said(import_app, "ecog", "--data", data, "--predictions", replies, "--store", store)
    path = data / "env/指令2/eval_gt.json"
    truths: Any = read_json(path)
    del truths[next(iter(truths))]
    write_json(path, truths)
    said(import_app, "ecog", "--data", data, "--store", store)
    with pytest.raises(DataFileError, match="do not pair"):
        said(score_app, "ecog", "--store", store, "--subject", "one")
