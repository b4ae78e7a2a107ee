"""The running summary: what a model keeps of a stream is a text that it writes itself.

The stream is cut into chapters as it passes; a chapter ends after so many units, or when
its text is long enough. Each chapter is condensed with the summary so far into the next
summary, by a call that is kept: a summary is a function of the stream alone, so asking
again, or going on after a kill, pays for no chapter twice.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from firsthand.endpoints.calls import Call, Generation, Turn
from firsthand.subjects.endpoint_prompt import Told, stream_clock
from firsthand.subjects.endpoint_settings import History
from firsthand.subjects.passages import TextPassage

__all__ = ["NOTHING_ENDED", "SUMMARY_PROMPT", "Chapter", "Chapters", "RunningSummary"]

SUMMARY_PROMPT = "running-summary@1"
"""Id and version of the prompt below; raised with every change of it."""

_SYSTEM = (
    "You keep notes on a person's day, filmed from their own eyes; that person is the wearer. "
    "You are given your notes so far and what was seen, said and told since, each with its "
    "time since the start. Write the notes anew so that questions about any moment up to now "
    "can be answered from them alone. Keep who, what and where, what changed, and the time of "
    "each thing as HH:MM:SS; leave out what can be inferred. Reply with the notes only."
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """Where a chapter ends, in what was taken in.

    Args:
        units: Units up to its end.
        passages: Passages up to its end.
        end_us: End of its last unit.
    """

    units: int
    passages: int
    end_us: int


NOTHING_ENDED = Chapter(0, 0, 0)
"""Stands before the first chapter."""


@dataclass(slots=True)
class Chapters:
    """The chapters that have ended so far; they only grow."""

    history: History
    ended: list[Chapter] = field(default_factory=list)
    _characters: int = 0

    def take(self, units: int, passages: int, new: Sequence[TextPassage], end_us: int) -> None:
        """Note that a unit was taken in.

        Args:
            units: Units so far.
            passages: Passages so far.
            new: Passages that it completed.
            end_us: Its end.
        """
        self._characters += sum(len(passage.text) for passage in new)
        begun = self.ended[-1].units if self.ended else 0
        is_full = self._characters >= self.history.most_characters
        if is_full or units - begun >= self.history.units:
            self.ended.append(Chapter(units, passages, end_us))
            self._characters = 0


class RunningSummary:
    """The summaries of one stream, each written when it is first needed; threads share it.

    Args:
        chapters: The chapters as they end.
        generation: How the model replies.
        wearer: Speaker name of the wearer.
        told: Returns what was seen and heard between the ends of two chapters.
        complete: Returns the model's kept reply to a call.
    """

    def __init__(
        self,
        chapters: Chapters,
        generation: Generation,
        wearer: str,
        told: Callable[[Chapter, Chapter], Told],
        complete: Callable[[Call], str],
    ) -> None:
        self._chapters = chapters
        self._generation = generation
        self._wearer = wearer
        self._told = told
        self._complete = complete
        self._written: list[str] = []
        self._writing = threading.Lock()

    def up_to(self, units: int) -> tuple[Chapter, str]:
        """Return the last chapter that had ended by then, and the summary up to its end."""
        ended = [chapter for chapter in self._chapters.ended if chapter.units <= units]
        # One after another: each rests on the one before.
        with self._writing:
            for number in range(len(self._written), len(ended)):
                self._written.append(self._next(number))
        if not ended:
            return NOTHING_ENDED, ""
        return ended[-1], self._written[len(ended) - 1]

    def _next(self, number: int) -> str:
        before = self._chapters.ended[number - 1] if number else NOTHING_ENDED
        chapter = self._chapters.ended[number]
        told = self._told(before, chapter)
        noted = self._written[number - 1] if number else ""
        parts = [
            f"Your notes so far:\n{noted or '(none)'}",
            *told.lines(self._wearer),
            f"It is now {stream_clock(chapter.end_us)}. Write the notes anew.",
        ]
        turns = (Turn("system", _SYSTEM), Turn("user", "\n\n".join(parts), told.media))
        return self._complete(Call(turns, self._generation))
