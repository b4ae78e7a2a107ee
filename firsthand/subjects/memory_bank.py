"""A memory of notes on times: looked up by words, kept free of overlaps and within bounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firsthand.subjects.retrieval import PassageIndex, terms_of

__all__ = ["MemoryBank", "Note"]


@dataclass(frozen=True, slots=True)
class Note:
    """What was noted on a time of the stream.

    Args:
        begin_us: Its begin.
        end_us: Its end.
        text: The note.
    """

    begin_us: int
    end_us: int
    text: str


Condense = Callable[[Sequence[Note]], str]
"""Returns one text for notes in order: by begin, the new one last."""


@dataclass(frozen=True, slots=True)
class MemoryBank:
    """Notes in order of time, no two of them overlapping; a value, so that copies are free.

    Args:
        notes: The notes.
    """

    notes: tuple[Note, ...] = ()

    def with_note(
        self, note: Note, condense: Condense, *, most_notes: int, condensed: int
    ) -> "MemoryBank":
        """Return the memory with a note added.

        Notes that overlap it are condensed with it into one, which takes their place. Above
        `most_notes`, the oldest `condensed` notes are condensed into one as well.

        Args:
            note: The note.
            condense: Writes one text for several notes.
            most_notes: Most notes that are kept.
            condensed: How many notes are condensed at once, at least 2.
        """
        touched = [one for one in self.notes if _overlap(one, note)]
        kept = [one for one in self.notes if not _overlap(one, note)]
        united = _united([*touched, note], condense) if touched else note
        notes = sorted([*kept, united], key=lambda one: (one.begin_us, one.end_us))
        while len(notes) > most_notes:
            oldest = notes[: max(2, condensed)]
            notes = [_united(oldest, condense), *notes[len(oldest) :]]
        return MemoryBank(tuple(notes))

    def found(self, queries: Sequence[str], most_found: int) -> Sequence[Note]:
        """Return the notes that speak most of each query, in order of time, none twice."""
        index = PassageIndex()
        for note in self.notes:
            index.add(note.text)
        chosen: set[int] = set()
        for query in queries:
            scores = index.scores(terms_of(query))
            best = sorted(scores, key=lambda number: (-scores[number], -number))
            chosen.update(best[:most_found])
        return [self.notes[number] for number in sorted(chosen)]


def _overlap(one: Note, other: Note) -> bool:
    return one.begin_us < other.end_us and other.begin_us < one.end_us


def _united(notes: Sequence[Note], condense: Condense) -> Note:
    begin_us, end_us = min(n.begin_us for n in notes), max(n.end_us for n in notes)
    return Note(begin_us, end_us, condense(notes))
