"""Words and voices together: who said a word, what is muted, what is redacted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from firsthand.core.spoken_text import join_words
from firsthand.core.time import Span
from firsthand.speech.engines import RecognisedWord
from firsthand.speech.speakers import BYSTANDER, VoiceTurn

__all__ = [
    "SpokenWord",
    "Utterance",
    "lost_speech",
    "muted_spans",
    "redacted",
    "utterances",
    "words_with_speakers",
]

_PAUSE_US = 700_000
_FULL_STOPS = (".", "?", "!", "。", "？", "！")


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A word and who said it.

    Args:
        word: The word; its text is empty where redacted.
        speaker: Pseudonym of the enrolled participant, or `bystander`.
        redacted: Whether the text was removed with the sound.
        revision: 0 as the machine heard it; higher where a person corrected its utterance.
    """

    word: RecognisedWord
    speaker: str
    redacted: bool = False
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Utterance:
    """A run of words by one speaker.

    Args:
        begin_us: Onset of its first word.
        end_us: Latest end of its words.
        speaker: Pseudonym of the enrolled participant, or `bystander`.
        text: Words joined by the language's rule; empty where redacted.
        language: BCP 47 tag.
        redacted: Whether the text was removed with the sound.
    """

    begin_us: int
    end_us: int
    speaker: str
    text: str
    language: str
    redacted: bool


def words_with_speakers(
    words: Sequence[RecognisedWord], turns: Sequence[VoiceTurn]
) -> tuple[SpokenWord, ...]:
    """Return each word with the speaker of the turn it shares most time with.

    A word outside every turn belongs to the nearest one; without any turn, to a bystander.
    """
    return tuple(SpokenWord(word, _speaker(word, turns)) for word in words)


def muted_spans(
    turns: Sequence[VoiceTurn],
    duration_us: int,
    words: Sequence[SpokenWord] = (),
    margin_us: int = 100_000,
) -> list[Span]:
    """Return what must be silenced: all speech not consented, with margins, merged.

    Args:
        turns: Voice turns of the recording.
        duration_us: Length of the recording; spans lie inside it.
        words: Words with speakers; those of bystanders are silenced as well, also where
            voice activity missed them.
        margin_us: Added before and after, since onsets are found late. Where voices
            meet or overlap it reaches into the participant's speech too.
    """
    spoken = [(turn.begin_us, turn.end_us) for turn in turns if not turn.consented]
    spoken += [
        (item.word.begin_us, item.word.end_us) for item in words if item.speaker == BYSTANDER
    ]
    merged: list[Span] = []
    for begin_us, end_us in sorted(spoken):
        start_us, stop_us = max(0, begin_us - margin_us), min(duration_us, end_us + margin_us)
        if merged and start_us <= merged[-1].end_us:
            merged[-1] = Span(merged[-1].start_us, max(merged[-1].end_us, stop_us))
        elif start_us < stop_us:
            merged.append(Span(start_us, stop_us))
    return merged


def lost_speech(
    turns: Sequence[VoiceTurn], words: Sequence[SpokenWord], muted: Sequence[Span]
) -> list[Span]:
    """Return where participants' speech is silenced because others speak there; may overlap.

    Two voices at once cannot be told apart, so both are removed; this is what it costs. It
    shows in the sound, where both are heard, and in words of which a part is silenced.

    Args:
        turns: Voice turns of the recording.
        words: Words with speakers.
        muted: What is silenced of bystanders.
    """
    heard = [Span(turn.begin_us, turn.end_us) for turn in turns if turn.overlapped]
    own = (item.word for item in words if item.speaker != BYSTANDER)
    pieces = (
        (max(word.begin_us, span.start_us), min(word.end_us, span.end_us))
        for word in own
        for span in muted
    )
    return [*heard, *(Span(begin_us, end_us) for begin_us, end_us in pieces if begin_us < end_us)]


def redacted(words: Sequence[SpokenWord], muted: Sequence[Span]) -> tuple[SpokenWord, ...]:
    """Return the words with the text removed where they overlap a muted span.

    Words of bystanders lose their text wherever they lie.
    """
    return tuple(_silenced(item) if _is_muted(item, muted) else item for item in words)


def utterances(words: Sequence[SpokenWord], language: str) -> tuple[Utterance, ...]:
    """Return runs of words by one speaker; a pause of 0.7 s or a full stop ends a run.

    Redacted and kept words never share a run.

    Args:
        words: In order of onset.
        language: BCP 47 tag, which decides how words join.
    """
    return tuple(
        Utterance(
            begin_us=run[0].word.begin_us,
            end_us=max(item.word.end_us for item in run),
            speaker=run[0].speaker,
            text=join_words((item.word.text for item in run), language),
            language=language,
            redacted=run[0].redacted,
        )
        for run in _runs(words)
    )


def _speaker(word: RecognisedWord, turns: Sequence[VoiceTurn]) -> str:
    # Negative where word and turn are apart, so the greatest is also the nearest.
    def shared_us(turn: VoiceTurn) -> int:
        return min(word.end_us, turn.end_us) - max(word.begin_us, turn.begin_us)

    nearest = max(turns, key=shared_us, default=None)
    return nearest.speaker if nearest else BYSTANDER


def _is_muted(item: SpokenWord, muted: Sequence[Span]) -> bool:
    spoken = Span(item.word.begin_us, item.word.end_us)
    return item.speaker == BYSTANDER or any(spoken.overlaps(span) for span in muted)


def _silenced(item: SpokenWord) -> SpokenWord:
    return replace(item, word=replace(item.word, text=""), redacted=True)


def _runs(words: Sequence[SpokenWord]) -> Iterator[list[SpokenWord]]:
    run: list[SpokenWord] = []
    for item in words:
        if run and _begins_run(run[-1], item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _begins_run(before: SpokenWord, item: SpokenWord) -> bool:
    return (
        (before.speaker, before.redacted) != (item.speaker, item.redacted)
        or item.word.begin_us - before.word.end_us >= _PAUSE_US
        or before.word.text.endswith(_FULL_STOPS)
    )
