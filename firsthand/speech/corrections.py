"""People's corrections of words and voices, put in the place of what the machine heard."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firsthand.curation.transcript_items import CorrectedWord, UtteranceReview
from firsthand.speech.attribution import SpokenWord
from firsthand.speech.engines import RecognisedWord, Timing
from firsthand.speech.speakers import BYSTANDER, VoiceTurn

__all__ = ["corrected_turns", "corrected_words", "parted_turns"]

_SHORTEST_US = 1


def corrected_turns(
    turns: Sequence[VoiceTurn], speakers: Mapping[int, str]
) -> tuple[VoiceTurn, ...]:
    """Return the turns with the speakers that people named.

    Args:
        turns: As the machine judged them.
        speakers: Names by the begin of a turn in microseconds.
    """
    return tuple(
        replace(
            turn,
            speaker=speakers[turn.begin_us],
            consented=speakers[turn.begin_us] != BYSTANDER,
            overlapped=turn.overlapped and speakers[turn.begin_us] == BYSTANDER,
        )
        if turn.begin_us in speakers
        else turn
        for turn in turns
    )


def parted_turns(
    turns: Sequence[VoiceTurn], parts: Mapping[int, Sequence[tuple[int, int]]]
) -> tuple[VoiceTurn, ...]:
    """Return the turns with those that people split in their parts.

    Args:
        turns: With the speakers that count for the whole of each.
        parts: Begin and end of each part, by the begin of the turn, in microseconds.
    """
    return tuple(
        replace(turn, begin_us=begin_us, end_us=end_us)
        for turn in turns
        for begin_us, end_us in parts.get(turn.begin_us, [(turn.begin_us, turn.end_us)])
    )


def corrected_words(
    words: Sequence[SpokenWord], reviews: Sequence[UtteranceReview], duration_us: int
) -> tuple[SpokenWord, ...]:
    """Return the words in order of onset, corrected utterances in place of the machine's.

    A word that a person changed is certain (confidence 1), and its times are `filled`.

    Args:
        words: As the machine heard them; their positions are the reviews' indexes.
        reviews: What people made of utterances.
        duration_us: Length of the recording; no word lies outside it.
    """
    replaced = {index for review in reviews for index in review.machine_indexes}
    kept = [word for index, word in enumerate(words) if index not in replaced]
    for review in reviews:
        speaker = words[review.machine_indexes[0]].speaker
        kept += [
            SpokenWord(_word(word, words, duration_us), speaker, revision=review.revision)
            for word in review.words
        ]
    return tuple(sorted(kept, key=lambda item: item.word.begin_us))


def _word(word: CorrectedWord, machine: Sequence[SpokenWord], duration_us: int) -> RecognisedWord:
    if word.machine_index is not None:
        return machine[word.machine_index].word
    end_us = min(word.end_us, duration_us)
    begin_us = min(word.begin_us, end_us - _SHORTEST_US)
    return RecognisedWord(word.text, begin_us, end_us, 1.0, Timing.FILLED)
