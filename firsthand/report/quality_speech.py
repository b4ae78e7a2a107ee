"""How well words were heard, how much of bystanders is left, how much of participants is kept."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firsthand.media.sound import mono_16k
from firsthand.report.quality_truth import TrueRecording, TrueWord

__all__ = [
    "SpeechQuality",
    "heard_onsets_ms",
    "measure_sound",
    "measure_voices",
    "merge_speech",
    "normal_words",
]

_RATE_HZ = 16_000
# 16-bit sound has nothing below this.
_FLOOR_DB = -96.0
_KEPT_DB = -3.0
# What the speaker encoder needs to hear of a voice.
_LONG_US = 1_600_000
_NOT_A_WORD = re.compile(r"[^\w']+")
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = dict(enumerate(_NUMBER_WORDS.split()))

Row = Mapping[str, object]
Sound = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SpeechQuality:
    """Measurements of one or more recordings, in no order.

    Args:
        reference_words: Words spoken.
        edits: Words substituted, left out or put in by the recogniser.
        onset_errors_ms: Distance of onsets of rightly recognised words.
        bystander_db: Level of each bystander word in the output, relative to the original.
        participant_db: The same for participants' words outside overlaps.
        participant_words: Participants' words outside overlaps.
        participant_words_shown: Those whose text the released table still holds at their time.
        long_utterances: Utterances that last longer than 1.6 s.
        long_utterances_named: Those that were given to whoever said them.
    """

    reference_words: int = 0
    edits: int = 0
    onset_errors_ms: tuple[float, ...] = ()
    bystander_db: tuple[float, ...] = ()
    participant_db: tuple[float, ...] = ()
    participant_words: int = 0
    participant_words_shown: int = 0
    long_utterances: int = 0
    long_utterances_named: int = 0

    @property
    def participant_kept(self) -> int:
        """Participants' words that are at most 3 dB quieter than they were."""
        return sum(level >= _KEPT_DB for level in self.participant_db)


def merge_speech(parts: Sequence[SpeechQuality]) -> SpeechQuality:
    """Return the measurements of all recordings together."""
    return SpeechQuality(
        reference_words=sum(part.reference_words for part in parts),
        edits=sum(part.edits for part in parts),
        onset_errors_ms=tuple(error for part in parts for error in part.onset_errors_ms),
        bystander_db=tuple(level for part in parts for level in part.bystander_db),
        participant_db=tuple(level for part in parts for level in part.participant_db),
        participant_words=sum(part.participant_words for part in parts),
        participant_words_shown=sum(part.participant_words_shown for part in parts),
        long_utterances=sum(part.long_utterances for part in parts),
        long_utterances_named=sum(part.long_utterances_named for part in parts),
    )


def normal_words(text: str) -> list[str]:
    """Return words in lower case without punctuation, numbers to twelve spelled out."""
    words = [word for word in _NOT_A_WORD.split(text.lower()) if word]
    return [_NUMBERS.get(int(word), word) if word.isdecimal() else word for word in words]


def heard_onsets_ms(
    truth: Sequence[TrueWord], heard: Sequence[Row]
) -> tuple[int, int, list[float]]:
    """Align heard words with spoken ones.

    Returns:
        Spoken words, edits, and the onset errors of words that are the same in both.
    """
    import jiwer

    spoken = [(word, word_us.begin_us) for word_us in truth for word in normal_words(word_us.text)]
    found = [
        (word, int(str(row["begin_us"])))
        for row in heard
        for word in normal_words(str(row["text"]))
    ]
    if not spoken:
        return 0, len(found), []
    aligned = jiwer.process_words(
        " ".join(word for word, _ in spoken), " ".join(word for word, _ in found)
    )
    errors = [
        abs(spoken[chunk.ref_start_idx + n][1] - found[chunk.hyp_start_idx + n][1]) / 1_000
        for chunk in aligned.alignments[0]
        if chunk.type == "equal"
        for n in range(chunk.ref_end_idx - chunk.ref_start_idx)
    ]
    edits = aligned.substitutions + aligned.deletions + aligned.insertions
    return len(spoken), edits, errors


def measure_voices(truth: Sequence[TrueWord], turns: Sequence[Row]) -> SpeechQuality:
    """Say of how many long utterances the speaker was found.

    An utterance is what one person says until another speaks; it was given to the speaker
    of the turn that it shares most time with.

    Args:
        truth: Spoken words in order.
        turns: Rows of table `speakers`.
    """
    named: list[bool] = []
    for speaker, run in groupby(truth, key=lambda word: word.speaker):
        words = list(run)
        begin_us, end_us = words[0].begin_us, words[-1].end_us
        if end_us - begin_us > _LONG_US:
            given = max(turns, key=lambda turn: _shared_us(turn, begin_us, end_us), default=None)
            named.append(given is not None and given["speaker"] == speaker)
    return SpeechQuality(long_utterances=len(named), long_utterances_named=sum(named))


def _shared_us(turn: Row, begin_us: int, end_us: int) -> int:
    return min(int(str(turn["end_us"])), end_us) - max(int(str(turn["begin_us"])), begin_us)


def measure_sound(
    original: Path, output: Path, truth: TrueRecording, shown: Sequence[Row]
) -> SpeechQuality:
    """Compare the sound of a recording with its de-identified copy, word by word of the truth.

    Args:
        original: The recording.
        output: Its de-identified copy.
        truth: What was said when, and by whom.
        shown: Rows of the released words.
    """
    before, after = mono_16k(original), mono_16k(output)
    bystanders = [word for word in truth.words if not word.consented]
    own = [
        word
        for word in truth.words
        if word.consented and not any(_overlap(word, other) for other in bystanders)
    ]
    texts = [(int(str(row["begin_us"])), int(str(row["end_us"]))) for row in shown if row["text"]]
    return SpeechQuality(
        bystander_db=tuple(_level_db(before, after, word) for word in bystanders),
        participant_db=tuple(_level_db(before, after, word) for word in own),
        participant_words=len(own),
        participant_words_shown=sum(
            any(begin < word.end_us and word.begin_us < end for begin, end in texts) for word in own
        ),
    )


def _overlap(word: TrueWord, other: TrueWord) -> bool:
    return word.begin_us < other.end_us and other.begin_us < word.end_us


def _level_db(before: Sound, after: Sound, word: TrueWord) -> float:
    first, last = (moment * _RATE_HZ // 1_000_000 for moment in (word.begin_us, word.end_us))
    was, stays = (_rms(sound[first:last]) for sound in (before, after))
    if was <= 0:
        return 0.0
    return max(_FLOOR_DB, 20 * float(np.log10(max(stays, 1e-12) / was)))


def _rms(samples: Sound) -> float:
    return float(np.sqrt(np.mean(samples.astype(np.float64) ** 2))) if samples.size else 0.0
