"""RTA and MPT against complete runs and tiny ones, under both rule sets."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firsthand.answers.official_grounding import ReleasedCodeError
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import SECOND_US
from firsthand.metrics import OVERALL, VerdictColumns, group_tallies, tally
from firsthand.metrics.persistence import (
    EVENTS,
    Event,
    WindowVariant,
    persistence_columns,
    persistence_verdicts,
)
from firsthand.metrics.rta import rta_verdicts
from firsthand.metrics.teleego_official import OfficialMpt, OfficialRta, official_mpt, official_rta
from firsthand.protocols.policy import StreamingPolicy
from tests.golden.teleego_run import (
    Participant,
    RunColumns,
    closed,
    columns,
    official_flags,
    official_records,
    read_run,
)

POLICY = StreamingPolicy()


@pytest.fixture(scope="module")
def folder(golden_dir: Path) -> Path:
    return golden_dir / "teleego_metrics"


@pytest.fixture(scope="module")
def runs(folder: Path, golden: Any) -> dict[str, list[Participant]]:
    return {
        model: read_run(folder, model) for model in golden("teleego_metrics/model_timestamps.json")
    }


def rta_of(run: RunColumns, window_us: int) -> VerdictColumns:
    return rta_verdicts(run.asks, window_us=window_us, rule_set=RuleSet.PAPER)


def assert_groups(verdicts: VerdictColumns, run: RunColumns, expected: Any, factor: float) -> None:
    tallies = group_tallies(verdicts, run.by)
    wanted = {OVERALL: expected["overall"]}
    for kind in ("category", "subcategory", "qa_type"):
        wanted.update({(kind, name): sums for name, sums in expected[kind].items()})
    for key, sums in wanted.items():
        found = tallies[key]
        assert found.recorded == sums["count"], key
        assert found.score_sum == pytest.approx(sums["sum"], abs=1e-9), key
        assert found.recorded_only is not None
        assert found.recorded_only * factor == pytest.approx(sums["value"], abs=1e-9), key


def test_paper_rta_of_every_group_agrees(runs: Any, golden: Any) -> None:
    for model, parts in runs.items():
        expected = golden(f"teleego_metrics/expected/paper_{model}.json")
        run = columns(parts)
        window_us = round(expected["window_s"] * SECOND_US)
        assert_groups(rta_of(run, window_us), run, expected["rta_percent"], 100)
        assert_groups(rta_of(run, 10**15), run, expected["rta_percent_no_window"], 100)


def test_paper_headline_counts_questions_that_were_never_asked(runs: Any, golden: Any) -> None:
    for model, parts in runs.items():
        expected = golden(f"teleego_metrics/expected/paper_{model}.json")
        run = columns(parts)
        planned = sum(len(closed(part.questions)) for part in parts)
        correct = tally(rta_of(run, POLICY.window_us)).score_sum
        assert planned == expected["closed_items_in_qa_of_run_participants"]
        assert correct == expected["rta_percent_all_qa"]["sum"]
        assert 100 * correct / planned == pytest.approx(
            expected["rta_percent_all_qa"]["value"], abs=1e-9
        )


@pytest.mark.parametrize("variant", list(WindowVariant))
def test_paper_mpt_of_every_group_and_item_agrees(
    runs: Any, golden: Any, variant: WindowVariant
) -> None:
    for model, parts in runs.items():
        expected = golden(f"teleego_metrics/expected/paper_{model}.json")
        run = columns(parts)
        held = persistence_columns(run.asks, run.probes, POLICY, variant)
        verdicts = persistence_verdicts(held)
        assert_groups(verdicts, run, expected["mpt_seconds"][variant], 1)
        minutes = tally(verdicts).recorded_only
        assert minutes is not None
        assert minutes / 60 == pytest.approx(expected["mpt_minutes_overall"][variant], abs=1e-9)
        censored = int((held.event == EVENTS.index(Event.CENSORED)).sum())
        assert censored == expected["censored_count"][variant]
        found = {key: held.row(place) for place, key in enumerate(run.keys)}
        assert len(found) == len(expected["items"])
        for item in expected["items"]:
            row = found[item["participant"], str(item["index"])]
            wanted = item[f"mpt_{variant}"]
            assert row.persistence_us == wanted["seconds"] * SECOND_US, item
            assert row.event == wanted["event"], item
            assert (row.censored_by is not None) is wanted["censored"], item


def rta_object(groups: dict[str, OfficialRta]) -> dict[str, Any]:
    return {
        name: {"accuracy": group.accuracy, "correct": group.correct, "total": group.total}
        for name, group in groups.items()
    }


def mpt_object(groups: dict[str | None, OfficialMpt]) -> dict[str, Any]:
    return {
        "null" if name is None else name: {
            "mpt": group.mpt_s,
            "mpt(/min)": group.mpt_s / 60,
            "total_time": group.total_time_s,
            "count": group.count,
        }
        for name, group in groups.items()
    }


def filled(groups: Any) -> Any:
    """Groups with items: which empty ones the released code lists is not defined."""
    return {name: sums for name, sums in groups.items() if sums.get("total", sums.get("count"))}


def assert_same_numbers(found: Any, expected: Any) -> None:
    assert found.keys() == expected.keys()
    for name, sums in expected.items():
        assert found[name] == pytest.approx(sums, abs=1e-9), name


def test_official_rta_and_mpt_are_what_the_released_code_writes(runs: Any, golden: Any) -> None:
    for model, parts in runs.items():
        initial = [official_records(part.records) for part in parts]
        flags = [official_flags(part.tracker) for part in parts]
        assert_same_numbers(
            rta_object(official_rta(initial)),
            filled(golden(f"teleego_metrics/expected/rta_{model}.json")),
        )
        assert_same_numbers(
            mpt_object(official_mpt(list(zip(initial, flags, strict=True)))),
            filled(golden(f"teleego_metrics/expected/mpt_{model}.json")),
        )


def test_official_agrees_on_tiny_runs_and_stops_where_the_released_code_stops(golden: Any) -> None:
    for case in golden("teleego_metrics_micro.json")["cases"]:
        records = official_records(case["eval_predictions"])
        tracker = official_flags(case["mpt_results"])
        expected = case["official"]
        if expected["rta"] is not None:
            assert_same_numbers(rta_object(official_rta([records])), expected["rta"])
        if expected["error"]:
            with pytest.raises(ReleasedCodeError) as stopped:
                official_mpt([(records, tracker)])
            assert stopped.value.found == expected["error"], case["id"]
        else:
            found = mpt_object(official_mpt([(records, tracker)]))
            assert_same_numbers(found, expected["mpt"])


def test_paper_agrees_on_tiny_runs(golden: Any) -> None:
    for case in golden("teleego_metrics_micro.json")["cases"]:
        run = columns([Participant("p1", case["eval_predictions"], case["mpt_results"], [])])
        expected = case["paper"]
        rta = tally(rta_of(run, POLICY.window_us))
        assert rta.planned == expected["items"], case["id"]
        if rta.mean is None:
            assert expected["rta_percent"] is None
        else:
            assert rta.mean * 100 == pytest.approx(expected["rta_percent"], abs=1e-9)
        for variant in WindowVariant:
            held = persistence_columns(run.asks, run.probes, POLICY, variant)
            wanted = expected["mpt_seconds"][variant]
            found = tally(persistence_verdicts(held)).mean
            assert found == (None if wanted is None else pytest.approx(wanted)), case["id"]
            if variant is WindowVariant.STRICT:
                is_censored = held.event == EVENTS.index(Event.CENSORED)
                assert np.count_nonzero(is_censored) == expected["censored"], case["id"]
