"""Verdicts added up once, by the finest groups that a table shows.

Grouping a hundred million verdicts by five columns would walk over them five times, and
once more for each group's interval. A *cell* is what all grouping columns and the cluster
have in common: verdicts are added up by cell, and every group and interval is a sum of cells.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.metrics.columns import OUTCOMES, Grouping, VerdictColumns
from firsthand.metrics.groups import OVERALL, GroupKey
from firsthand.metrics.intervals import ClusterSums
from firsthand.metrics.tally import Tally
from firsthand.metrics.ticks import joined_ticks, joined_units, split_ticks

__all__ = ["CellSums", "Cells"]


@dataclass(frozen=True, slots=True, eq=False)
class CellSums:
    """Verdicts of one metric, added up by cell.

    Args:
        high: Upper part of the scores' ticks; (c,).
        low: Lower 20 bits of them, added up; (c,).
        square: Sum of the squared scores; (c,).
        counts: Verdicts by outcome code; (c, outcomes).
    """

    high: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    square: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]

    @property
    def total(self) -> npt.NDArray[np.float64]:
        """Sum of the scores; (c,)."""
        return joined_units(self.high, self.low)

    def tally(self, cells: npt.NDArray[np.bool_]) -> Tally:
        """Return the tally of some cells."""
        counts = self.counts[cells].sum(axis=0)
        ticks = joined_ticks(self.high[cells].sum(), self.low[cells].sum())
        kept = {OUTCOMES[code]: int(counts[code]) for code in np.flatnonzero(counts)}
        return Tally(ticks, int(counts.sum()), kept)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Which cell each row belongs to, and which groups and cluster each cell.

    Args:
        of_row: Cell of each row; (n,).
        groups: Grouping columns by kind, one row per cell.
        clusters: Cluster of each cell, numbered in order of name; (c,).
    """

    of_row: npt.NDArray[np.intp]
    groups: Mapping[str, Grouping]
    clusters: npt.NDArray[np.intp]

    @classmethod
    def of(cls, groups: Mapping[str, Grouping], clusters: npt.NDArray[np.intp]) -> "Cells":
        """Return the cells of rows, from grouping columns and clusters by row."""
        codes = np.column_stack([*(grouping.codes for grouping in groups.values()), clusters])
        spans = codes.max(axis=0, initial=0) + 2
        # One number a row sorts much faster than rows of several.
        whole = np.ravel_multi_index(tuple((codes + 1).T), tuple(spans))
        _, first, of_row = np.unique(whole, return_index=True, return_inverse=True)
        return cls(
            of_row,
            {kind: Grouping(found.codes[first], found.names) for kind, found in groups.items()},
            clusters[first],
        )

    def __len__(self) -> int:
        return len(self.clusters)

    def add_up(self, verdicts: VerdictColumns) -> CellSums:
        """Add verdicts up by cell, one row each beside the cells' rows."""
        size, kinds = len(self), len(OUTCOMES)
        high, low = split_ticks(verdicts.score)
        parts = (high, low, joined_units(high, low) ** 2)
        high, low, squares = (
            np.bincount(self.of_row, part, size).astype(np.float64)
            # Whole scores have no lower part.
            if part.any()
            else np.zeros(size)
            for part in parts
        )
        counts = np.bincount(self.of_row * kinds + verdicts.outcome, minlength=size * kinds)
        return CellSums(high, low, squares, counts.reshape(size, kinds))

    def members(self) -> dict[GroupKey, npt.NDArray[np.bool_]]:
        """Return which cells belong to each group: overall, then each kind's groups."""
        everything = {OVERALL: np.ones(len(self), np.bool_)}
        return everything | {
            (kind, name): grouping.codes == place
            for kind, grouping in self.groups.items()
            for place, name in enumerate(grouping.names)
        }

    def cluster_sums(
        self,
        sums: CellSums,
        cells: npt.NDArray[np.bool_],
        left_out: npt.NDArray[np.intp] | None = None,
    ) -> ClusterSums | None:
        """Return the sums of some cells by cluster; None without any row.

        Args:
            sums: The verdicts.
            cells: The cells.
            left_out: Codes of outcomes whose rows do not count; their scores are 0.
        """
        counted = sums.counts[cells].sum(axis=1)
        if left_out is not None:
            counted = counted - sums.counts[cells][:, left_out].sum(axis=1)
        owner = self.clusters[cells]
        size = np.bincount(owner, counted).astype(np.float64)
        kept = size > 0
        if not kept.any():
            return None
        total = np.bincount(owner, sums.total[cells]).astype(np.float64)
        return ClusterSums(total[kept], size[kept], float(sums.square[cells].sum()))
