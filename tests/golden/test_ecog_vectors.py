"""EcoG scoring against the golden clips, under both rule sets."""

import json
from typing import Any

import numpy as np
import pytest

from firsthand.answers import (
    CoordinateOrder,
    GroundingAnswer,
    grounding_answer,
    read_grounding_reply,
)
from firsthand.answers.official_grounding import (
    ReleasedCodeError,
    official_grounding_answer,
    official_prediction,
)
from firsthand.core.outcomes import Outcome
from firsthand.metrics import ANSWERED, OVERALL, group_tallies
from firsthand.metrics.columns import CODE_OF
from firsthand.metrics.ecog import (
    EcogHits,
    EcogMetric,
    clip_verdicts,
    ecog_hits,
    referent_verdicts,
)
from firsthand.metrics.ecog_official import official_ecog_hits, official_instruction
from tests.golden.ecog_clips import clip_groups, pointings, referents, spread

PARTS = ("cls", "s", "t", "eco")
SPOILT = np.int16(CODE_OF[Outcome.UNPARSED])


@pytest.fixture(scope="module")
def vectors(golden: Any) -> Any:
    return golden("ecog_metrics.json")


def order_of(clip: Any) -> CoordinateOrder:
    return CoordinateOrder(clip["declared_coord_order"])


@pytest.fixture(scope="module")
def paper_hits(vectors: Any) -> EcogHits:
    clips = vectors["clips"]
    answers = [(grounding_answer(clip["pred"], order=order_of(clip)), ANSWERED) for clip in clips]
    return ecog_hits(referents(clips), pointings(clips, answers))


def official_answer(clip: Any, prediction: Any) -> tuple[GroundingAnswer, str | None]:
    try:
        size = len(clip["gt"]["answer"])
        return official_grounding_answer(prediction, size, order=order_of(clip)), None
    except ReleasedCodeError as stopped:
        return GroundingAnswer((), ()), stopped.found


@pytest.fixture(scope="module")
def official_hits(vectors: Any) -> EcogHits:
    clips = vectors["clips"]
    read = [official_answer(clip, official_prediction(clip["pred"])) for clip in clips]
    answers = [(answer, SPOILT if stopped else ANSWERED) for answer, stopped in read]
    return official_ecog_hits(referents(clips), pointings(clips, answers))


def rows_of(hits: EcogHits) -> list[dict[str, int]]:
    columns = [getattr(hits, part).astype(int).tolist() for part in PARTS]
    return [dict(zip(PARTS, row, strict=True)) for row in zip(*columns, strict=True)]


def test_paper_flags_every_referent_and_clip(vectors: Any, paper_hits: EcogHits) -> None:
    wanted = [flags for clip in vectors["clips"] for flags in clip["paper"]["referents"]]
    assert rows_of(paper_hits) == wanted
    assert paper_hits.seq.astype(int).tolist() == [c["paper"]["seq"] for c in vectors["clips"]]


def test_paper_averages_agree_per_referent_and_per_clip(vectors: Any, paper_hits: EcogHits) -> None:
    clips = vectors["clips"]
    by_clip = clip_groups(clips)
    by_referent = spread(by_clip, paper_hits.clip_row)
    for metric in EcogMetric:
        is_seq = metric is EcogMetric.SEQ
        per_referent = group_tallies(
            referent_verdicts(paper_hits, metric), by_clip if is_seq else by_referent
        )
        per_clip = group_tallies(clip_verdicts(paper_hits, metric), by_clip)
        for kind in ("overall", "level", "instruction", "lang"):
            expected = vectors["paper"][kind]
            named = {OVERALL[1]: expected} if kind == "overall" else expected
            for name, sums in named.items():
                found = per_referent[kind, name]
                assert found.planned == sums["clips" if is_seq else "referents"]
                assert found.mean == pytest.approx(sums[metric], abs=1e-9)
                if not is_seq:
                    mean = per_clip[kind, name].mean
                    assert mean == pytest.approx(sums["clip_mean"][metric], abs=1e-9)


def test_paper_reads_the_same_from_the_text_of_a_reply(vectors: Any) -> None:
    for clip in vectors["clips"]:
        if not isinstance(clip["pred"], dict) or not clip["pred"]:
            continue
        text = f"Here it is:\n```json\n{json.dumps(clip['pred'])}\n```"
        found = read_grounding_reply(text, order=order_of(clip))
        assert found == grounding_answer(clip["pred"], order=order_of(clip)) or not (
            {"selected_options", "point_list"} & clip["pred"].keys()
        )


def test_official_flags_every_referent(vectors: Any, official_hits: EcogHits) -> None:
    zero = dict.fromkeys(PARTS, 0)
    wanted: list[dict[str, int]] = []
    for clip in vectors["clips"]:
        size = len(clip["gt"]["answer"])
        wanted.extend(clip["official"]["referents"] or [zero] * size)
    assert rows_of(official_hits) == wanted


def test_official_stops_where_the_released_code_raises(vectors: Any) -> None:
    for clip in vectors["clips"]:
        expected = clip["official"]
        _, raw = official_answer(clip, clip["pred"])
        _, batched = official_answer(clip, official_prediction(clip["pred"]))
        assert (raw, batched) == (expected["sample_raw_error"], expected["sample_error"])


def test_official_averages_agree_by_clip_and_by_instruction(
    vectors: Any, official_hits: EcogHits
) -> None:
    clips = vectors["clips"]
    samples = [clip["official"]["sample"] for clip in clips]
    for metric in EcogMetric:
        verdicts = clip_verdicts(official_hits, metric)
        wanted = [sample[metric] for sample in samples]
        assert verdicts.score == pytest.approx(wanted, abs=1e-9)
        tallies = group_tallies(verdicts, clip_groups(clips))
        assert tallies[OVERALL].mean == pytest.approx(vectors["official_batch"][metric], abs=1e-9)
        for name, sums in vectors["official_batch"]["instruction_breakdown"].items():
            template = next(n for n in range(1, 7) if official_instruction(n) == name)
            found = tallies["instruction", str(template)]
            assert found.planned == sums["count"]
            assert found.mean == pytest.approx(sums[metric], abs=1e-9)


def test_official_flags_averaged_by_referent_agree(vectors: Any, official_hits: EcogHits) -> None:
    # Referents of clips at which the released code raised count as misses.
    for metric, wanted in vectors["official_flags_micro"].items():
        flags = official_hits.of(EcogMetric(metric))
        assert flags.mean() == pytest.approx(wanted, abs=1e-9)
