"""A run's tables laid beside a release's questions, column by column.

Which question a row belongs to is looked up by name once for all runs of one plan: their
tables name the same questions in the same order.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from firsthand.core.outcomes import Outcome
from firsthand.metrics import Grouping
from firsthand.metrics.columns import CODE_OF, OUTCOMES

__all__ = ["NOT_CENSORED", "FoundRows", "PlacedRows", "QuestionRows", "grouping_of"]

NOT_CENSORED = np.int16(-1)
"""Stands for a question that is not censored."""

_CODES = {str(outcome): int(CODE_OF[outcome]) for outcome in OUTCOMES}
_NOT_ASKED = _CODES[str(Outcome.NOT_ASKED)]


@dataclass(frozen=True, slots=True, eq=False)
class FoundRows:
    """Rows of one table that belong to questions.

    Args:
        table: The table.
        rows: Which of its rows they are.
        place: Question of each of them.
        questions: Number of questions.
    """

    table: pa.Table
    rows: npt.NDArray[np.intp]
    place: npt.NDArray[np.intp]
    questions: int

    def numbers(self, name: str) -> npt.NDArray[np.float64]:
        """Return a column of numbers by question; 0 where a question has no row."""
        laid = np.zeros(self.questions, np.float64)
        laid[self.place] = self.table.column(name).to_numpy()[self.rows]
        return laid

    def outcomes(self) -> npt.NDArray[np.uint8]:
        """Return the codes of the outcomes by question; `not_asked` without a row."""
        return self._coded("outcome", "", _NOT_ASKED).astype(np.uint8)

    def censored(self) -> npt.NDArray[np.int16]:
        """Return the code of what censored each question, or `NOT_CENSORED`."""
        return self._coded("censored_by", "censored_", int(NOT_CENSORED))

    def _coded(self, name: str, prefix: str, missing: int) -> npt.NDArray[np.int16]:
        coded = _dictionary(self.table.column(name))
        names = coded.dictionary.to_pylist()
        known = [_CODES[f"{prefix}{name}"] if name else int(NOT_CENSORED) for name in names]
        codes = np.array([*known, int(NOT_CENSORED)], np.int16)
        laid = np.full(self.questions, missing, np.int16)
        laid[self.place] = codes[_indices(coded, len(known))[self.rows]]
        return laid


@dataclass(frozen=True, slots=True, eq=False)
class PlacedRows:
    """A table of a run, looked up once and asked for rows of several kinds.

    Args:
        table: The table.
        place: Question of each row, -1 for none.
        questions: Number of questions.
    """

    table: pa.Table
    place: npt.NDArray[np.intp]
    questions: int

    def where(self, **where: str) -> FoundRows:
        """Return the rows that have these values and belong to a question."""
        wanted = self.place >= 0
        for name, value in where.items():
            coded = _dictionary(self.table.column(name))
            names = coded.dictionary.to_pylist()
            code = names.index(value) if value in names else -1
            wanted &= _indices(coded, len(names)) == code
        rows = np.flatnonzero(wanted)
        return FoundRows(self.table, rows, self.place[rows], self.questions)


class QuestionRows:
    """The questions of a release in order of identifier, as rows of runs are stored.

    Args:
        questions: Rows of table `questions`.
    """

    def __init__(self, questions: pa.Table) -> None:
        self.questions = questions.sort_by("question_id").combine_chunks()
        self._ids = _plain(self.questions.column("question_id"))
        self._seen: list[tuple[pa.Array, npt.NDArray[np.intp]]] = []

    def beside(self, table: pa.Table) -> "PlacedRows":
        """Return a table with the question that each of its rows belongs to."""
        return PlacedRows(table, self._places_of(table.column("question_id")), len(self._ids))

    def _places_of(self, column: pa.ChunkedArray) -> npt.NDArray[np.intp]:
        """Return the question of each row, -1 for none; runs of one plan share the answer."""
        ids = _plain(column)
        for seen, known in self._seen:
            if ids.equals(seen):
                return known
        found = pc.index_in(ids, value_set=self._ids).fill_null(-1)
        place: npt.NDArray[np.intp] = found.to_numpy(zero_copy_only=False).astype(np.intp)
        # Verdicts and probes, of this plan and of the one before.
        self._seen = [(ids, place), *self._seen[:3]]
        return place


def grouping_of(column: pa.ChunkedArray) -> Grouping:
    """Return a column of names as codes, in order of first appearance."""
    coded = _dictionary(column)
    codes = _indices(coded, -1)
    return Grouping(codes.astype(np.intp), tuple(coded.dictionary.to_pylist()))


def _indices(coded: pa.DictionaryArray, missing: int) -> npt.NDArray[np.int64]:
    indices = coded.indices
    if indices.null_count:
        indices = indices.fill_null(missing)
    codes: npt.NDArray[np.int64] = indices.to_numpy(zero_copy_only=False)
    return codes


def _dictionary(column: pa.ChunkedArray) -> pa.DictionaryArray:
    whole = column.combine_chunks()
    return whole if isinstance(whole, pa.DictionaryArray) else whole.dictionary_encode()


def _plain(column: pa.ChunkedArray) -> pa.Array:
    whole = column.combine_chunks()
    return whole.cast(pa.string()) if isinstance(whole, pa.DictionaryArray) else whole
