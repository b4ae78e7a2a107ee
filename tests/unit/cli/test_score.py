"""`firsthand score` on small runs whose scores follow by counting."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from firsthand.cli.score import score_app
from firsthand.core.errors import DataFileError
from firsthand.formats.textfile import write_json
from tests.unit.cli.invoking import said

CASES = Path(__file__).parents[2] / "cases"


def _run(*arguments: object) -> str:
    return said(score_app, *arguments)


def _json(*arguments: object) -> Any:
    return json.loads(_run(*arguments, "--json"))


def _rows(report: Any) -> dict[tuple[str, str], Any]:
    return {(row["metric"], row["group"]): row for row in report["rows"]}


def _question(index: Any, subcategory: str = "Entity Tracking") -> dict[str, Any]:
    return {
        "index": index,
        "category": "Memory",
        "subcategory": subcategory,
        "QA_type": "mc_single",
        "question": "?",
        "options": ["A. a", "B. b"],
        "answer": {"value": ["A"]},
        "evidence": {"timestep": {"end": "D1-09:00:00"}},
    }


def _record(index: Any, *, correct: bool, elapsed_s: float = 1.0, probe: int = 0) -> dict[str, Any]:
    return {
        "phase": "recall" if probe else "initial",
        "round": probe or None,
        "index": index,
        "category": "Memory",
        "subcategory": "Entity Tracking",
        "QA_type": "mc_single",
        "parsed_pred": ["A"],
        "correct": correct,
        "elapsed_time": elapsed_s,
    }


def _write_run(root: Path, model: str, records: list[Any], tracker: Any) -> Path:
    folder = root / "outputs" / model / "p1" / "20260101_000000"
    write_json(folder / "eval_predictions.json", records)
    write_json(folder / "mpt_results.json", tracker)
    return root / "outputs" / model


@pytest.fixture
def teleego(tmp_path: Path) -> Path:
    questions: Any = [_question(number) for number in range(4)]
    write_json(tmp_path / "QAs" / "merged_P1_A.json", questions)
    _write_run(
        tmp_path,
        "one",
        [
            _record(0, correct=True),
            _record(0, correct=True, probe=1),
            _record(0, correct=False, probe=2),
            _record(1, correct=True, elapsed_s=9.0),
            _record("2", correct=False),
        ],
        {"0": [1.0, [True, True, False]], "1": [1.0, [True]]},
    )
    return tmp_path


def test_the_headline_is_over_all_planned_questions(teleego: Path) -> None:
    (report,) = _json("teleego", "--outputs", teleego / "outputs", "--qa", teleego / "QAs")
    rows = _rows(report)
    rta = rows["rta", "overall"]
    assert rta["value"] == pytest.approx(25.0)
    assert rta["recorded_only"] == pytest.approx(100 / 3)
    assert rta["outcomes"] == {"correct": 1, "late": 1, "not_asked": 1, "wrong": 1}
    assert rows["mpt strict", "overall"]["value"] == pytest.approx(2.0 / 4)
    assert report["rules"] == "paper"


def test_the_official_rules_know_records_and_no_window(teleego: Path) -> None:
    (report,) = _json(
        "teleego", "--outputs", teleego / "outputs", "--qa", teleego / "QAs", "--rules", "official"
    )
    rows = _rows(report)
    assert rows["rta", "overall"]["value"] == pytest.approx(200 / 3)
    assert rows["mpt", "overall"]["value"] == pytest.approx((120 + 60 + 0) / 3 / 60)


def test_no_score_is_printed_without_n_clusters_and_interval(teleego: Path) -> None:
    text = _run(
        "teleego", "--outputs", teleego / "outputs", "--qa", teleego / "QAs", "--by", "category"
    )
    lines = [line for line in text.splitlines() if line.startswith(("  rta", "  mpt"))]
    assert len(lines) == 8
    for line in lines:
        assert "[" in line
        assert "one_cluster" in line
        assert " 4 " in line


def test_two_models_are_compared_on_the_same_questions(teleego: Path) -> None:
    other = _write_run(teleego, "two", [_record(3, correct=True)], {"3": [1.0, [True]]})
    (report,) = _json(
        "teleego",
        "--outputs",
        teleego / "outputs" / "one",
        "--qa",
        teleego / "QAs",
        "--compare",
        other,
    )
    rta = report["differences"][0]
    assert (rta["other"], rta["difference"], rta["n"]) == ("two", pytest.approx(0.0), 4)


def test_49_probes_known_from_the_tracker_alone_are_counted_and_censored(tmp_path: Path) -> None:
    folder = CASES / "49-mpt-keys-and-censoring"
    records = json.loads((folder / "eval_predictions.json").read_text("utf-8"))
    questions: Any = [
        {**_question(record["index"]), "QA_type": record["QA_type"]} for record in records
    ]
    write_json(tmp_path / "QAs" / "merged_P1_A.json", questions)
    target = tmp_path / "outputs" / "m" / "p1" / "s"
    target.mkdir(parents=True)
    for name in ("eval_predictions.json", "mpt_results.json"):
        shutil.copyfile(folder / name, target / name)
    (report,) = _json("teleego", "--outputs", tmp_path / "outputs", "--qa", tmp_path / "QAs")
    mpt = _rows(report)["mpt strict", "overall"]
    assert mpt["value"] == pytest.approx(4.0)
    assert mpt["n"] == 4
    censored = {name: count for name, count in mpt["outcomes"].items() if "censored" in name}
    assert sum(censored.values()) == 2
    shutil.copyfile(folder / "mpt_conflict.json", target / "mpt_results.json")
    (report,) = _json("teleego", "--outputs", tmp_path / "outputs", "--qa", tmp_path / "QAs")
    assert any("first answered wrongly" in note and "P1/2" in note for note in report["notes"])
    # Alone, so that its own persistence is the mean.
    write_json(target / "eval_predictions.json", [one for one in records if one["index"] == 2])
    write_json(tmp_path / "QAs" / "merged_P1_A.json", [q for q in questions if q["index"] == 2])
    (report,) = _json("teleego", "--outputs", tmp_path / "outputs", "--qa", tmp_path / "QAs")
    mpt = _rows(report)["mpt strict", "overall"]
    assert (mpt["value"], mpt["n"]) == (0.0, 1)


def test_47_a_misspelt_subcategory_is_a_group_of_its_own_and_named(teleego: Path) -> None:
    questions: Any = [_question(number) for number in range(3)]
    questions.append(_question(3, "entity tracking "))
    write_json(teleego / "QAs" / "merged_P1_A.json", questions)
    (report,) = _json(
        *("teleego", "--outputs", teleego / "outputs", "--qa", teleego / "QAs"),
        *("--by", "subcategory"),
    )
    rows = _rows(report)
    assert rows["rta", "overall"]["n"] == 4
    assert (rows["rta", "Entity Tracking"]["n"], rows["rta", "entity tracking "]["n"]) == (3, 1)
    assert any("'entity tracking '" in note for note in report["notes"])


def _clip(points_yx: Any, choice: str = "a") -> dict[str, Any]:
    return {
        "object_choices": ["A. thing"],
        "space_choices": ["a. place"],
        "answer": [
            {
                "choice": choice,
                "stroke_begin_time": 100,
                "stroke_end_time": 200,
                "points": points_yx,
            }
        ],
    }


def _pointing(point: Any) -> dict[str, Any]:
    return {"selected_options": ["a"], "point_list": [{"point": point, "timestamp": 150}]}


@pytest.fixture
def ecog(tmp_path: Path) -> Path:
    folder = tmp_path / "data_en" / "env1" / "指令1"
    write_json(folder / "eval_gt.json", {"a.mp4": _clip([[472, 592]]), "b.mp4": _clip([[10, 10]])})
    return tmp_path


def _results(path: Path, replies: dict[str, Any], size: tuple[int, int] = (1920, 1080)) -> Path:
    write_json(
        path,
        {
            "predictions": [{"video_name": name, **reply} for name, reply in replies.items()],
            "ground_truths": [
                {"video_name": name, "_video_width": size[0], "_video_height": size[1]}
                for name in replies
            ],
        },
    )
    return path


def test_38_the_order_of_coordinates_is_declared_and_never_guessed(ecog: Path) -> None:
    path = _results(
        ecog / "results.json", {"a.mp4": _pointing([472, 592]), "b.mp4": _pointing([10, 10])}
    )
    for order, value in (("xy", 50.0), ("yx", 100.0)):
        (report,) = _json(
            "ecog",
            "--data",
            ecog / "data_en",
            "--predictions",
            path,
            "--coord-order",
            order,
        )
        assert _rows(report)["acc_s clip_mean", "overall"]["value"] == pytest.approx(value)
        assert any(f"[{', '.join(order)}]" in note for note in report["notes"])


def test_a_clip_without_a_reply_counts_as_wrong_and_is_named(ecog: Path) -> None:
    path = ecog / "replies.json"
    write_json(path, {"a.mp4": json.dumps(_pointing([592, 472]))})
    with pytest.raises(DataFileError, match=r"b\.mp4.*no file"):
        _json("ecog", "--data", ecog / "data_en", "--predictions", path)
    full = _results(ecog / "results.json", {"a.mp4": _pointing([592, 472]), "b.mp4": {}})
    (report,) = _json("ecog", "--data", ecog / "data_en", "--predictions", full, "--by", "level")
    eco = _rows(report)["acc_eco clip_mean", "overall"]
    assert (eco["value"], eco["n"], eco["clusters"]) == (pytest.approx(50.0), 2, 2)
    assert _rows(report)["acc_eco clip_mean", "L1"]["n"] == 2


def test_43_width_and_height_that_are_swapped_are_refused(ecog: Path) -> None:
    folder = ecog / "data_en" / "env1" / "指令1"
    write_json(folder / "eval_gt.json", {"rot90.mp4": _clip([[94, 125]])})
    shutil.copyfile(CASES / "43-mask-of-rotated-frame" / "rot90.mp4", folder / "rot90.mp4")
    reply = {"rot90.mp4": _pointing([125, 94])}
    good = _results(ecog / "good.json", reply, (240, 320))
    (report,) = _json("ecog", "--data", ecog / "data_en", "--predictions", good)
    assert _rows(report)["acc_s clip_mean", "overall"]["value"] == pytest.approx(100.0)
    swapped = _results(ecog / "swapped.json", reply, (320, 240))
    with pytest.raises(DataFileError, match=r"rot90\.mp4, size.*\(240, 320\) as shown"):
        _json("ecog", "--data", ecog / "data_en", "--predictions", swapped)


def test_lifelong_accuracy_is_over_valid_and_over_all_items(tmp_path: Path) -> None:
    questions: Any = [
        {
            "index": index,
            "question": "?",
            "answer": "!",
            "total_intervals": [[600 * index, 600 * index + 10]],
        }
        for index in range(4)
    ]
    write_json(tmp_path / "questions.json", questions)
    replies: Any = [
        {"index": 0, "pred": {"answer": "x", "intervals": [[0, 10]]}, "score": 5},
        {"index": 1, "pred": {"answer": "x", "intervals": [[0, 10]]}, "score": "no idea"},
        {"index": 2, "pred": {"answer": "x", "intervals": []}, "score": 3},
    ]
    write_json(tmp_path / "predictions.json", replies)
    (report,) = _json(
        "mm-lifelong",
        "--questions",
        tmp_path / "questions.json",
        "--predictions",
        tmp_path / "predictions.json",
        "--n",
        "60",
        "300",
        "--stream-seconds",
        "7200",
    )
    rows = _rows(report)
    assert rows["accuracy all items", "overall"]["value"] == pytest.approx(100 * 1.5 / 4)
    assert rows["accuracy valid items", "overall"]["value"] == pytest.approx(100 * 1.5 / 2)
    assert rows["accuracy valid items", "overall"]["n"] == 2
    assert rows["ref_at_n N=60", "overall"]["value"] == pytest.approx(25.0)
    assert ("ref_at_n N=300", "overall") in rows
