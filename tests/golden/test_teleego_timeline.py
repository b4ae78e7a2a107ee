"""Labels → merged seconds, against vectors that the released code and a careful reader made."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.outcomes import RuleSet
from firsthand.formats.clock_text import NoTime
from firsthand.formats.teleego_time import merged_moment_s, timeline_from_json

_TOLERANCE_S = 1e-6


def _agreements(golden_dir: Path, rules: RuleSet, field: str) -> Iterator[Any]:
    document = json.loads((golden_dir / "teleego_timeline.json").read_text("utf-8"))
    for entry in document["timelines"]:
        timeline = timeline_from_json(entry["timeline"], rules)
        for query in entry["queries"]:
            moment = merged_moment_s(query["label"], timeline)
            seconds = None if isinstance(moment, NoTime) else moment
            wanted = query[field]
            same = (
                seconds == wanted
                if None in (seconds, wanted)
                else seconds == pytest.approx(wanted, abs=_TOLERANCE_S)
            )
            yield query["sensible_confidence"], same, query


def test_official_rules_give_the_released_seconds(golden_dir: Path) -> None:
    found = list(_agreements(golden_dir, RuleSet.OFFICIAL, "official"))
    assert found
    assert [query for _, same, query in found if not same] == []


def test_paper_rules_read_labels_as_a_careful_reader_does(golden_dir: Path) -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    certain = []
    for confidence, same, query in _agreements(golden_dir, RuleSet.PAPER, "sensible"):
        counts[confidence, same] += 1
        if confidence == "high" and not same:
            certain.append(query)
    assert certain == []
    judged = counts["judgement", True] + counts["judgement", False]
    assert counts["judgement", True] >= 0.95 * judged
