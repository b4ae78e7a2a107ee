"""Transcripts under review: an item is one utterance of a recording, with its words.

How it is shown and told. `transcript_items` makes the items of a build from the rows of
`utterances` and `words` in its private zone, which hold what the machine heard; what
bystanders said is shown to nobody. The id is
`<recording_id>/<begin_us>`. The field `words` lists `[text, begin_us, end_us]`, times on
the recording's clock. A person rewrites the text: `text_of` shows it, and `edit_of_text`
makes the edit, in which words that stayed keep their times and new ones share the time of
those they replace. Times are moved by an edit of `words` itself. `check_transcript_edit`
says what is wrong with an edit before it is submitted.

What counts. A changed utterance counts when it was accepted as changed; a rejected one was
never said, and its words are left out. The machine's words stay where they are: what is
corrected is a new revision beside them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from firsthand.core.identity import Json
from firsthand.core.spoken_text import join_words, split_words
from firsthand.curation.reviewing import ReviewDecision, ReviewState, Stander, single_state
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.speaker_items import BYSTANDER_NAME
from firsthand.curation.standing import listed, moment_us, standings, wrong_value

__all__ = [
    "TRANSCRIPT_KIND",
    "CorrectedWord",
    "UtteranceReview",
    "check_transcript_edit",
    "edit_of_text",
    "text_of",
    "transcript_items",
    "utterance_reviews",
]

TRANSCRIPT_KIND = "transcript"
_WORD_FIELDS = 3
# A person may find an onset earlier than the machine did, but not in another sentence.
_REACH_US = 1_000_000
_LONGEST_US = 400_000
_BROKEN = "\N{REPLACEMENT CHARACTER}"

Row = Mapping[str, Json]
TimedWord = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class CorrectedWord:
    """A word of an utterance as people left it.

    Args:
        text: The word.
        begin_us: Onset on the recording's clock.
        end_us: End, after the onset.
        machine_index: Its position among the words of the recording if the machine heard
            exactly this word at this time; None for a word that a person changed.
    """

    text: str
    begin_us: int
    end_us: int
    machine_index: int | None


@dataclass(frozen=True, slots=True)
class UtteranceReview:
    """What people made of an utterance.

    Args:
        machine_indexes: `word_index` of each of its words as the machine heard them.
        words: What stands in their place; empty if nobody said it.
        revision: Revision of the item that counts.
    """

    machine_indexes: tuple[int, ...]
    words: tuple[CorrectedWord, ...]
    revision: int


def transcript_items(utterances: Iterable[Row], words: Iterable[Row]) -> list[ReviewItem]:
    """Return the items of one recording in order of time.

    Args:
        utterances: Its rows of table `utterances` in the private zone.
        words: Its rows of table `words` there.
    """
    return [_item(utterance, own) for utterance, own in _with_words(utterances, words) if own]


def text_of(item: ReviewItem) -> str:
    """Return an utterance as a text, with spaces where its language writes them."""
    words = _words(item, item.content["words"])
    return join_words((text for text, _, _ in words), str(item.content["language"]))


def edit_of_text(item: ReviewItem, text: str) -> dict[str, Json]:
    """Return the edit that gives an utterance a new text.

    Raises:
        EditError: If the text has no word: an utterance that nobody said is rejected.
    """
    before = _words(item, item.content["words"])
    after = split_words(text, str(item.content["language"]))
    if not after:
        raise wrong_value(item, "words", "no word", "a text (reject what nobody said)")
    return {"words": [list(word) for word in _retimed(before, after)]}


def check_transcript_edit(item: ReviewItem, edit: Mapping[str, Json]) -> None:
    """Check the words that an edit gives.

    Raises:
        EditError: If they are no list of `[text, begin_us, end_us]`, a text is empty or
            holds a broken character, a word has no length, they are out of order, or lie
            more than a second outside the utterance.
    """
    if "words" in edit:
        _words(item, edit["words"])


def utterance_reviews(
    utterances: Iterable[Row],
    words: Iterable[Row],
    decisions: Sequence[ReviewDecision],
    stander: Stander = single_state,
) -> list[UtteranceReview]:
    """Return what people made of the utterances of one recording that they changed or refused.

    Args:
        utterances: Rows of table `utterances` in the private zone.
        words: Rows of table `words` there.
        decisions: In order of arrival.
        stander: How states follow from decisions.

    Raises:
        EditError: If an edit that counts gives words that cannot be used.
    """
    pairs = [(_item(utterance, own), own) for utterance, own in _with_words(utterances, words)]
    stands = standings((item for item, _ in pairs), decisions, stander)
    reviews = []
    for item, own in pairs:
        standing = stands[item.item_id]
        indexes = tuple(int(str(row["word_index"])) for row in own)
        if standing.state is ReviewState.REJECTED:
            reviews.append(UtteranceReview(indexes, (), standing.item.revision))
        elif standing.is_corrected:
            corrected = _corrected(standing.item, own)
            reviews.append(UtteranceReview(indexes, corrected, standing.item.revision))
    return reviews


def _with_words(utterances: Iterable[Row], words: Iterable[Row]) -> list[tuple[Row, list[Row]]]:
    runs = [row for row in utterances if row["speaker"] != BYSTANDER_NAME and not row["redacted"]]
    runs.sort(key=lambda row: int(str(row["begin_us"])))
    own: list[list[Row]] = [[] for _ in runs]
    for word in sorted(words, key=lambda row: int(str(row["word_index"]))):
        begun = [
            number
            for number, run in enumerate(runs)
            if run["speaker"] == word["speaker"]
            and int(str(run["begin_us"])) <= int(str(word["begin_us"]))
        ]
        if begun and not word["redacted"]:
            own[begun[-1]].append(word)
    return [(run, members) for run, members in zip(runs, own, strict=True) if members]


def _item(utterance: Row, words: Sequence[Row]) -> ReviewItem:
    row = {
        **utterance,
        "words": [[word["text"], word["begin_us"], word["end_us"]] for word in words],
        "revision": 0,
    }
    name = f"{utterance['recording_id']}/{utterance['begin_us']}"
    return ReviewItem.of(TRANSCRIPT_KIND, name, row)


def _words(item: ReviewItem, value: Json) -> list[TimedWord]:
    words = [_word(item, entry) for entry in listed(item, "words", value)]
    onsets = [begin_us for _, begin_us, _ in words]
    if not words or onsets != sorted(onsets):
        raise wrong_value(item, "words", "none, or not in order", "words in order of onset")
    earliest_us = int(str(item.content["begin_us"])) - _REACH_US
    latest_us = int(str(item.content["end_us"])) + _REACH_US
    if onsets[0] < earliest_us or max(end_us for _, _, end_us in words) > latest_us:
        raise wrong_value(item, "words", "a word elsewhere", "words within 1 s of the utterance")
    return words


def _word(item: ReviewItem, entry: Json) -> TimedWord:
    parts = listed(item, "words", entry)
    if len(parts) != _WORD_FIELDS:
        raise wrong_value(item, "words", f"{len(parts)} values", "[text, begin_us, end_us]")
    text = parts[0]
    if not isinstance(text, str) or not text.strip() or _BROKEN in text:
        raise wrong_value(item, "words", "no text, or a broken character", "the text of a word")
    begin_us, end_us = (moment_us(item, "words", part) for part in parts[1:])
    if begin_us >= end_us:
        raise wrong_value(item, "words", f"a word from {begin_us} to {end_us}", "begin before end")
    return text, begin_us, end_us


def _retimed(before: Sequence[TimedWord], after: Sequence[str]) -> list[TimedWord]:
    """Return the new words in order of onset, those that stayed at their times.

    New words take the time of those they replace, or the pause they are put into. Where
    there is none they share the time of the word before, or of the first one.
    """
    matcher = SequenceMatcher(a=[text for text, _, _ in before], b=after, autojunk=False)
    timed: list[TimedWord] = []
    for tag, first, last, begin, end in matcher.get_opcodes():
        new = list(after[begin:end])
        if tag == "equal":
            timed += before[first:last]
        elif tag == "replace":
            ends_us = [end_us for _, _, end_us in before[first:last]]
            timed += _spread(new, before[first][1], min(max(ends_us), _onset(before, last)))
        elif tag == "insert" and first and before[first - 1][2] < _onset(before, first):
            timed += _spread(new, before[first - 1][2], _onset(before, first))
        elif tag == "insert" and first:
            text, begin_us, end_us = timed.pop()
            timed += _spread([text, *new], begin_us, end_us)
        elif tag == "insert":
            # The first word gives up the first part of its time.
            _, begin_us, end_us = before[0]
            timed += _spread([*new, ""], begin_us, end_us)[:-1]
            before = [(before[0][0], timed[-1][2], max(end_us, timed[-1][2] + 1)), *before[1:]]
    return timed


def _onset(before: Sequence[TimedWord], number: int) -> int:
    """Return when a word begins; a far moment after the last."""
    return before[number][1] if number < len(before) else before[-1][2] + _REACH_US


def _spread(words: Sequence[str], begin_us: int, end_us: int) -> list[TimedWord]:
    length_us = max(1, min((end_us - begin_us) // len(words), _LONGEST_US))
    return [
        (word, begin_us + number * length_us, begin_us + (number + 1) * length_us)
        for number, word in enumerate(words)
    ]


def _corrected(item: ReviewItem, machine: Sequence[Row]) -> tuple[CorrectedWord, ...]:
    heard = {
        (row["text"], row["begin_us"], row["end_us"]): int(str(row["word_index"]))
        for row in machine
    }
    return tuple(
        CorrectedWord(*word, heard.get(word)) for word in _words(item, item.content["words"])
    )
