"""Official files, read and turned into columns by the library, give the golden scores."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firsthand.answers import CoordinateOrder
from firsthand.cli.score_teleego import TeleEgoGroup, score_teleego
from firsthand.cli.streaming_runs import runs_from_files
from firsthand.core.outcomes import RuleSet
from firsthand.formats.ecog import GoldClip, clip_from_json
from firsthand.formats.ecog_columns import pointing_columns, referent_columns
from firsthand.formats.problems import Problems
from firsthand.formats.stored_pointing import (
    pointing_from_table,
    replies_table,
    truth_from_table,
    truth_table,
)
from firsthand.metrics.ecog import EcogHits, ecog_hits
from firsthand.metrics.ecog_official import official_ecog_hits

_KINDS = {
    "category": TeleEgoGroup.CATEGORY,
    "subcategory": TeleEgoGroup.SUBCATEGORY,
    "qa_type": TeleEgoGroup.QUESTION_TYPE,
}


def _reports(golden_dir: Path, rules: RuleSet) -> dict[str, Any]:
    root = golden_dir / "teleego_metrics"
    runs = runs_from_files(root / "outputs", root / "QAs")
    reports = score_teleego(runs, rules, list(TeleEgoGroup), None)
    return {
        report.subject: {(row.metric, row.kind, row.group): row for row in report.rows}
        for report in reports
    }


def test_runs_on_disk_score_as_the_paper_defines(golden: Any, golden_dir: Path) -> None:
    for model, rows in _reports(golden_dir, RuleSet.PAPER).items():
        expected = golden(f"teleego_metrics/expected/paper_{model}.json")
        overall = rows["rta", "overall", "overall"]
        assert overall.value == pytest.approx(expected["rta_percent_all_qa"]["value"], abs=1e-9)
        assert overall.n == expected["rta_percent_all_qa"]["count"]
        for kind, by in _KINDS.items():
            for name, want in expected["rta_percent"][kind].items():
                assert rows["rta", by, name].recorded_only == pytest.approx(want["value"], abs=1e-9)
        for variant, want in expected["mpt_seconds"].items():
            minutes = rows[f"mpt {variant}", "overall", "overall"].recorded_only
            assert minutes == pytest.approx(want["overall"]["value"] / 60, abs=1e-9)


def test_runs_on_disk_score_as_the_released_code_did(golden: Any, golden_dir: Path) -> None:
    for model, rows in _reports(golden_dir, RuleSet.OFFICIAL).items():
        rta = golden(f"teleego_metrics/expected/rta_{model}.json")
        mpt = golden(f"teleego_metrics/expected/mpt_{model}.json")
        for (metric, kind, name), row in rows.items():
            group = "Overall" if kind == "overall" else name
            if kind in ("participant", "question_type"):
                continue
            if metric == "rta":
                assert row.value == pytest.approx(rta[group]["accuracy"], abs=1e-9)
                assert row.n == rta[group]["total"]
            else:
                assert row.value == pytest.approx(mpt[group]["mpt(/min)"], abs=1e-9)
                assert row.n == mpt[group]["count"]


def test_every_score_has_its_n_its_clusters_and_its_interval(golden_dir: Path) -> None:
    for rules in RuleSet:
        for rows in _reports(golden_dir, rules).values():
            assert rows
            for row in rows.values():
                assert row.n >= row.clusters >= 1
                assert row.low <= row.value <= row.high


def _hits(golden: Any, rules: RuleSet) -> Iterator[tuple[Any, GoldClip, EcogHits]]:
    for entry in golden("ecog_metrics.json")["clips"]:
        problems = Problems(Path("eval_gt.json"))
        place = ("", entry["instruction"], Path())
        clip = clip_from_json(entry["id"], entry["gt"], place, problems)
        problems.raise_if_any()
        assert clip is not None
        truth = referent_columns([clip], [(entry["width"], entry["height"])])
        order = CoordinateOrder(entry["declared_coord_order"])
        # An answer that says nothing at all is an empty one, not a clip without an ask.
        said = pointing_columns([clip], [entry["pred"] or ""], rules, order=order)
        score = official_ecog_hits if rules is RuleSet.OFFICIAL else ecog_hits
        hits = score(truth, said)
        yield entry, clip, hits
        size = (entry["width"], entry["height"])
        kept = truth_table([clip], truth, [size])
        replies = replies_table([clip], "m", [(rules, order.value, said)], [None] * len(truth))
        stored = score(truth_from_table(kept), pointing_from_table(replies))
        for flag in ("cls", "s", "t", "reply_outcome"):
            assert (getattr(stored, flag) == getattr(hits, flag)).all(), entry["id"]


def test_masks_and_points_on_disk_give_the_paper_flags(golden: Any) -> None:
    for entry, _, hits in _hits(golden, RuleSet.PAPER):
        flags = [
            {"cls": int(what), "s": int(where), "t": int(when), "eco": int(what & where & when)}
            for what, where, when in zip(hits.cls, hits.s, hits.t, strict=True)
        ]
        assert flags == entry["paper"]["referents"], entry["id"]


def test_masks_and_points_on_disk_give_the_released_flags(golden: Any) -> None:
    for entry, _, hits in _hits(golden, RuleSet.OFFICIAL):
        wanted = entry["official"]["referents"]
        if wanted is None:
            for flag in (hits.cls, hits.s, hits.t):
                assert not flag.any(), entry["id"]
            continue
        flags = [
            {"cls": int(what), "s": int(where), "t": int(when), "eco": int(what & where & when)}
            for what, where, when in zip(hits.cls, hits.s, hits.t, strict=True)
        ]
        assert flags == wanted, entry["id"]
