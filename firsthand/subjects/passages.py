"""From words to passages: what one speaker says in one go, and what a narrator says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firsthand.core.time import SECOND_US
from firsthand.subjects.subject import HeardWord, Unit

__all__ = ["NARRATOR", "Hearing", "TextPassage"]

NARRATOR = "narrator"
"""Who says narrations."""

_PAUSE_US = SECOND_US
_MOST_WORDS = 30


@dataclass(frozen=True, slots=True)
class TextPassage:
    """A few words that belong together.

    Args:
        begin_us: Begin of the first word on the stream's clock.
        end_us: End of the last.
        speaker: Who says it; `NARRATOR` for narrations.
        text: What is said.
    """

    begin_us: int
    end_us: int
    speaker: str
    text: str


class Hearing:
    """Groups words as they come: a passage ends with its speaker, a pause, or its length."""

    def __init__(self) -> None:
        self._spoken: list[HeardWord] = []

    def take(self, unit: Unit) -> Iterator[TextPassage]:
        """Take a unit in and yield the passages that are complete, in order."""
        for word in unit.words:
            if self._spoken and self._starts_anew(word):
                yield self._closed()
            self._spoken.append(word)
        for line in unit.narrations:
            yield TextPassage(line.begin_us, line.end_us, NARRATOR, line.text)
        if self._spoken and unit.end_us - self._spoken[-1].end_us >= _PAUSE_US:
            yield self._closed()

    @property
    def unfinished(self) -> TextPassage | None:
        """What is still being said; None between passages."""
        return _passage(self._spoken) if self._spoken else None

    def _starts_anew(self, word: HeardWord) -> bool:
        last = self._spoken[-1]
        return (
            word.speaker != last.speaker
            or word.begin_us - last.end_us >= _PAUSE_US
            or len(self._spoken) >= _MOST_WORDS
        )

    def _closed(self) -> TextPassage:
        passage = _passage(self._spoken)
        self._spoken.clear()
        return passage


def _passage(words: Sequence[HeardWord]) -> TextPassage:
    text = " ".join(word.text for word in words)
    return TextPassage(words[0].begin_us, words[-1].end_us, words[0].speaker, text)
