"""WhisperX itself on a sample recording, with packaged Whisper weights and a drawn aligner.

Run by `make test-whisperx` in an environment that has the package.
"""

import json
import shutil
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest
import yaml

from firsthand.core.errors import MissingWeightsError, UnfitWeightsError
from firsthand.core.metering import metered
from firsthand.core.spoken_text import split_words
from firsthand.core.time import SECOND_US
from firsthand.media.sound import mono_16k
from firsthand.speech import (
    SpeechChoice,
    Timing,
    WhisperX,
    WhisperxModels,
    speech_engines,
    transcribe,
)
from firsthand.speech.engines import Sound
from firsthand.speech.whisperx_engine import words_of_result
from firsthand.store.weights import weights_file
from tasks.job import Job
from tasks.stages.transcribe import TRANSCRIBE_STAGE, transcribed_words
from tests.unit.speech.test_whisperx import ALIGNED, HEARD
from tests.unit.tasks.test_speech_stages import recording_of
from tests.whisperx_engine.tiny_wav2vec import saved_tiny_wav2vec

SAMPLES = Path(__file__).parents[2] / "data/samples"
FILE = "P2/VID_20260509_141000.mp4"
TRUTH = json.loads((SAMPLES / "truth.json").read_text("utf-8"))["files"][FILE]


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("WhisperX asked for the network")

    monkeypatch.setattr(socket.socket, "connect", refused)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> WhisperxModels:
    aligner = saved_tiny_wav2vec(tmp_path_factory.mktemp("models") / "wav2vec")
    return WhisperxModels(weights_file("whisper-tiny-en").parent, aligner, "en-GB")


@pytest.fixture(scope="module")
def sound() -> Sound:
    return mono_16k(SAMPLES / "recordings" / FILE)


def test_a_sample_is_heard_aligned_and_neither_printed_nor_logged(
    models: WhisperxModels, sound: Sound, capfd: pytest.CaptureFixture[str]
) -> None:
    choice = SpeechChoice(recogniser="whisperx", aligner="none", whisperx=models)
    engines = speech_engines(choice)
    with metered() as calls:
        words = transcribe(sound, engines, TRUTH["duration_us"])
    said = [word["text"].strip(".,?!").lower() for word in TRUTH["words"]]
    heard = [word.text.strip(".,?!").lower() for word in words]
    assert jiwer.wer(" ".join(said), " ".join(heard)) <= 0.1
    assert {word.timing for word in words} == {Timing.ALIGNED}
    assert all(0 < word.confidence <= 1 for word in words)
    begins = [word.begin_us for word in words]
    assert begins == sorted(begins)
    assert all(word.begin_us < word.end_us <= TRUTH["duration_us"] for word in words)
    assert calls["whisperx"] >= 1
    assert calls["whisperx_align"] >= 1
    printed = "".join(capfd.readouterr()).lower()
    assert "gardens" in heard
    assert "gardens" not in printed
    assert transcribe(sound, engines, TRUTH["duration_us"]) == words


def test_results_have_the_shape_that_the_unit_tests_read(
    models: WhisperxModels, sound: Sound
) -> None:
    engine = WhisperX(models)
    engine.words(sound[: 3 * 16_000])
    found: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    package = __import__("whisperx")
    recogniser, (aligner, about) = engine.loaded()
    for segment in recogniser.transcribe(sound, language="en")["segments"]:
        result = package.align([segment], aligner, about, sound, "cpu")
        found.append((segment, result["word_segments"]))
    assert found
    assert {frozenset(segment) for segment, _ in found} == {frozenset(HEARD)}
    words = [word for _, aligned in found for word in aligned]
    assert {frozenset(word) for word in words} == {frozenset(ALIGNED[0])}


def test_words_that_cannot_be_aligned_share_their_stretch(
    models: WhisperxModels, sound: Sound
) -> None:
    _, (aligner, about) = WhisperX(models).loaded()
    text = " This is far too much text for so short a stretch of sound"
    segment = {"text": text, "start": 1.0, "end": 1.1, "avg_logprob": -0.5}
    aligned = __import__("whisperx").align([segment], aligner, about, sound, "cpu")
    words = words_of_result(segment, aligned["word_segments"], "en")
    assert [word.text for word in words] == split_words(text, "en")
    assert {word.timing for word in words} == {Timing.FILLED}
    assert words[-1].end_us == SECOND_US * 11 // 10


def test_silence_has_no_words(models: WhisperxModels) -> None:
    assert WhisperX(models).words(np.zeros(5 * 16_000, np.float32)) == ()


def test_the_identity_follows_the_folders(models: WhisperxModels, tmp_path: Path) -> None:
    first = WhisperX(models).identity
    assert first["version"].startswith("whisperx-3.")
    assert first["language"] == "en-GB"
    moved = shutil.copytree(models.aligner, tmp_path / "elsewhere")
    assert WhisperX(replace(models, aligner=moved)).identity == first
    (moved / "vocab.json").write_text("{}")
    assert WhisperX(replace(models, aligner=moved)).identity["weights"] != first["weights"]


def test_the_stage_hears_with_the_benchmarks_models(models: WhisperxModels, tmp_path: Path) -> None:
    samples = shutil.copytree(
        SAMPLES, tmp_path / "samples", ignore=shutil.ignore_patterns("rebuild")
    )
    content = yaml.safe_load((samples / "benchmark.yaml").read_text("utf-8"))
    content["engines"] |= {"speech": "whisperx", "aligner": "none"}
    content["whisperx"] = {
        "recogniser": str(models.recogniser),
        "aligner": str(models.aligner),
        "language": "en",
    }
    (samples / "benchmark.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    job = Job("test", tmp_path / "store", samples / "benchmark.yaml")
    receipt = TRANSCRIBE_STAGE.run(job, recording_of(samples / "benchmark.yaml"))
    assert len(transcribed_words(job.store, receipt)) > 15


def test_what_cannot_be_used_names_its_remedy(models: WhisperxModels, tmp_path: Path) -> None:
    second = np.zeros(16_000, np.float32)
    with pytest.raises(MissingWeightsError, match=r"whisperx\.recogniser"):
        WhisperX(replace(models, recogniser=tmp_path / "nowhere")).words(second)
    without = shutil.copytree(models.recogniser, tmp_path / "without")
    (without / "tokenizer.json").unlink()
    with pytest.raises(MissingWeightsError, match=r"no tokenizer\.json"):
        WhisperX(replace(models, recogniser=without)).words(second)
    with pytest.raises(UnfitWeightsError, match="English only"):
        WhisperX(replace(models, language="zh-CN")).words(second)
    broken = shutil.copytree(models.recogniser, tmp_path / "broken")
    (broken / "model.bin").write_bytes(b"not a model")
    with pytest.raises(UnfitWeightsError, match="Whisper for CTranslate2"):
        WhisperX(replace(models, recogniser=broken)).words(second)
    headless = shutil.copytree(models.aligner, tmp_path / "headless")
    config = json.loads((headless / "config.json").read_text("utf-8"))
    config["architectures"] = ["Wav2Vec2ForPreTraining"]
    (headless / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(UnfitWeightsError, match="Wav2Vec2ForPreTraining"):
        WhisperX(replace(models, aligner=headless)).words(second)
    emptied = shutil.copytree(models.aligner, tmp_path / "emptied")
    (emptied / "model.safetensors").unlink()
    with pytest.raises(UnfitWeightsError, match="does not load"):
        WhisperX(replace(models, aligner=emptied)).words(second)
