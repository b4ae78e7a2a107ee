"""WhisperX where it is not installed: its results as words, its settings, its remedies.

`make test-whisperx` runs the package itself, and holds the shapes here against it.
"""

from pathlib import Path

import pytest

from firsthand.core.errors import ConfigurationError, MissingEngineError, MissingWeightsError
from firsthand.core.time import SECOND_US
from firsthand.speech import (
    SpeechChoice,
    Timing,
    WhisperX,
    WhisperxModels,
    speech_engines,
)
from firsthand.speech.sanitising import sane_words
from firsthand.speech.whisperx_engine import words_of_result
from firsthand.store.user_weights import user_weights_folder
from tests.unit.speech.voices import tone

# As WhisperX 3.8.6 returned them.
HEARD = {
    "text": " The cat is old. Gone!",
    "start": 1.077,
    "end": 3.333,
    "avg_logprob": -0.11425081723266178,
}
ALIGNED = [
    {"word": "The", "start": 1.838, "end": 1.898, "score": 0.829},
    {"word": "cat", "start": 1.918, "end": 1.978, "score": 0.731},
    {"word": "is", "start": 2.299, "end": 2.359, "score": 0.932},
    {"word": "old.", "start": 2.599, "end": 2.679, "score": 0.633},
    {"word": "Gone!", "start": 2.699, "end": 3.38, "score": 0.5},
]


def test_aligned_words_have_the_aligners_times_and_score() -> None:
    words = words_of_result(HEARD, ALIGNED, "en")
    assert [(word.text, word.begin_us, word.end_us) for word in words] == [
        ("The", 1_838_000, 1_898_000),
        ("cat", 1_918_000, 1_978_000),
        ("is", 2_299_000, 2_359_000),
        ("old.", 2_599_000, 2_679_000),
        ("Gone!", 2_699_000, 3_380_000),
    ]
    assert [word.confidence for word in words] == pytest.approx([0.829, 0.731, 0.932, 0.633, 0.5])
    assert {word.timing for word in words} == {Timing.ALIGNED}


@pytest.mark.parametrize(
    "third",
    [{"word": "is"}, {"word": "is", "start": 1.918, "end": 1.978}],
    ids=["no times", "a neighbour's times"],
)
def test_a_word_that_was_not_aligned_is_put_between_its_neighbours(third: dict[str, str]) -> None:
    words = words_of_result(HEARD, [*ALIGNED[:2], third, *ALIGNED[3:]], "en")
    mended = sane_words(words, 10 * SECOND_US).words
    assert [word.text for word in mended] == ["The", "cat", "is", "old.", "Gone!"]
    # The gap of 621 ms is longer than a filled word lasts: 200 ms after the word before it.
    assert (mended[2].begin_us, mended[2].end_us) == (1_978_000, 2_178_000)
    assert mended[2].timing is Timing.FILLED
    assert mended[2].mendings == ("untimed",)
    # exp(-0.11425…), the recogniser's probability of the whole stretch.
    assert mended[2].confidence == pytest.approx(0.8920, abs=1e-4)


@pytest.mark.parametrize("aligned", [[], ALIGNED[:4]], ids=["none", "a sentence lost"])
def test_no_word_is_lost_where_the_alignment_lost_some(aligned: list[dict[str, object]]) -> None:
    words = words_of_result(HEARD, aligned, "en")
    assert [word.text for word in words] == ["The", "cat", "is", "old.", "Gone!"]
    assert {word.timing for word in words} == {Timing.FILLED}
    assert (words[0].begin_us, words[-1].end_us) == (1_077_000, 3_333_000)


def test_chinese_is_aligned_by_character_and_marks_stay_with_their_word() -> None:
    heard = {"text": "你好，CAD吗", "start": 0.0, "end": 2.0, "avg_logprob": -0.2}
    aligned = [
        {"word": character, "start": 0.1 * place, "end": 0.1 * place + 0.1, "score": 0.5}
        for place, character in enumerate("你好，CAD吗")
    ]
    words = words_of_result(heard, aligned, "zh-CN")
    assert [(word.text, word.begin_us, word.end_us) for word in words] == [
        ("你", 0, 100_000),
        ("好，", 100_000, 300_000),
        ("CAD", 300_000, 600_000),
        ("吗", 600_000, 700_000),
    ]


def test_the_engine_is_chosen_by_name_and_needs_its_models(tmp_path: Path) -> None:
    models = WhisperxModels(tmp_path / "whisper", tmp_path / "wav2vec", "en")
    engines = speech_engines(SpeechChoice(recogniser="whisperx", aligner="none", whisperx=models))
    assert engines.recogniser.language == "en"
    assert engines.aligner.identity["name"] == "none"
    words = words_of_result(HEARD, ALIGNED, "en")
    assert engines.aligner.align(tone(200, 1), words) == tuple(words)
    with pytest.raises(ConfigurationError, match="whisperx"):
        speech_engines(SpeechChoice(recogniser="whisperx"))


def test_without_the_package_the_remedy_names_its_environment(tmp_path: Path) -> None:
    engine = WhisperX(WhisperxModels(tmp_path, tmp_path, "en"))
    with pytest.raises(MissingEngineError, match="make test-whisperx"):
        _ = engine.identity
    with pytest.raises(MissingEngineError, match="make test-whisperx"):
        engine.words(tone(200, 1))


def test_a_folder_of_weights_is_known_by_its_files_and_their_names(tmp_path: Path) -> None:
    key = "whisperx.recogniser"
    with pytest.raises(MissingWeightsError, match="no such folder"):
        user_weights_folder(key, tmp_path / "model", ["config.json"])
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.bin").write_bytes(b"weights")
    with pytest.raises(MissingWeightsError, match=r"no config\.json"):
        user_weights_folder(key, folder, ["config.json", "model.bin"])
    (folder / "config.json").write_text("{}")
    digest = user_weights_folder(key, folder, ["config.json", "model.bin"])
    (folder / ".cache").mkdir()
    (folder / ".cache/note").write_text("downloaded today")
    assert user_weights_folder(key, folder, ["model.bin"]) == digest
    (folder / "model.bin").rename(folder / "other.bin")
    assert user_weights_folder(key, folder, ["config.json"]) != digest
