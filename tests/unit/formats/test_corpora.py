"""The corpora that speed is measured on have the sizes that the targets are stated for."""

from pathlib import Path

import numpy as np

from benchmarks.ecog_corpus import MaskPicture, ecog_clips
from benchmarks.teleego_corpus import write_teleego_run
from firsthand.formats import read_questions, read_runs
from firsthand.formats.ecog import clip_from_json
from firsthand.formats.problems import Problems


def test_the_pointing_corpus_has_811_clips_1867_referents_and_1137_masks() -> None:
    problems = Problems(Path("eval_gt.json"))
    clips = [
        clip_from_json(name, truth, ("", template, Path()), problems)
        for name, template, truth, _ in ecog_clips(MaskPicture.CROP, np.random.default_rng(1))
    ]
    assert problems.listed == []
    referents = [referent for clip in clips if clip is not None for referent in clip.referents]
    masks = [referent for referent in referents if referent.mask is not None]
    assert (len(clips), len(referents), len(masks)) == (811, 1_867, 1_137)


def test_the_streaming_corpus_has_3291_questions_and_36201_records(tmp_path: Path) -> None:
    qa, outputs = write_teleego_run(tmp_path, np.random.default_rng(1))
    (run,) = read_runs(outputs)
    assert len(read_questions(qa)) == 3_291
    assert sum(len(part.records) for part in run.participants) == 36_201
