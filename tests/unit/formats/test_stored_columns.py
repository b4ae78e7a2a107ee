"""What is scored from the store is what is scored from the files."""

from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from benchmarks.ecog_corpus import HEIGHT_PX, WIDTH_PX, MaskPicture, ecog_clips
from benchmarks.teleego_corpus import write_teleego_run
from firsthand.core.outcomes import RuleSet
from firsthand.core.rle import encode_rle
from firsthand.formats import read_questions, read_runs
from firsthand.formats.ecog import clip_from_json
from firsthand.formats.ecog_coco import full_frame_mask_hw
from firsthand.formats.ecog_columns import pointing_columns, referent_columns
from firsthand.formats.problems import Problems
from firsthand.formats.stored_columns import (
    ask_table,
    asks_from_table,
    grounding_from_table,
    grounding_table,
)
from firsthand.formats.teleego_columns import planned_columns
from firsthand.metrics.ecog import ecog_hits

_CLIPS = 60


def test_asks_and_probes_survive_the_store(tmp_path: Path) -> None:
    qa, outputs = write_teleego_run(tmp_path, np.random.default_rng(2))
    columns = planned_columns(read_questions(qa), read_runs(outputs)[0])
    path = tmp_path / "asks.parquet"
    pq.write_table(ask_table(columns), path)
    asks, probes, groups = asks_from_table(pq.read_table(path), ["subcategory", "participant"])
    assert (asks.outcome == columns.asks.outcome).all()
    assert (asks.latency_us == columns.asks.latency_us).all()
    assert (probes.ask_row == columns.probes.ask_row).all()
    assert (probes.probe_round == columns.probes.probe_round).all()
    assert (probes.ends.outcome == columns.probes.ends.outcome).all()
    for kind, found in groups.items():
        wanted = columns.groups[kind]
        assert [found.names[code] for code in found.codes] == [
            wanted.names[code] for code in wanted.codes
        ]


@pytest.mark.parametrize("picture", list(MaskPicture))
def test_hits_from_the_store_are_those_from_the_pictures(
    picture: MaskPicture, tmp_path: Path
) -> None:
    size = (WIDTH_PX, HEIGHT_PX)
    problems = Problems(Path("eval_gt.json"))
    drawn = list(islice(ecog_clips(picture, np.random.default_rng(5)), _CLIPS))
    clips = [
        clip
        for name, template, truth, _ in drawn
        if (clip := clip_from_json(name, truth, ("", template, Path()), problems)) is not None
    ]
    assert len(clips) == _CLIPS
    truth = referent_columns(clips, [size] * _CLIPS)
    said = pointing_columns(clips, [reply for _, _, _, reply in drawn], RuleSet.PAPER)
    masks = [referent.mask for clip in clips for referent in clip.referents]
    rle = [None if mask is None else encode_rle(full_frame_mask_hw(mask, size)) for mask in masks]
    path = tmp_path / "grounding.parquet"
    pq.write_table(grounding_table(truth, said, rle), path)
    hits, stored = ecog_hits(truth, said), ecog_hits(*grounding_from_table(pq.read_table(path)))
    assert hits.s.any()
    assert not hits.s.all()
    for metric in ("cls", "s", "t", "clip_row", "reply_outcome"):
        assert (getattr(stored, metric) == getattr(hits, metric)).all()
